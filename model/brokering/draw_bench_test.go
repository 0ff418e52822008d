// Benchmarks of drawing the domains of a replication.

package brokering

import (
	"context"
	"testing"
)

// BenchmarkDraw draws what the runs of a replication share: 37,320 jobs of three domains, as many
// of 18 domains with equal copies, and 223,920 jobs of 18 seeded domains.
func BenchmarkDraw(b *testing.B) {
	for _, c := range []struct {
		name    string
		domains int64
		copies  string
	}{{"3", 3, "same"}, {"18", 18, "same"}, {"18-seeded", 18, "seeded"}} {
		b.Run(c.name, func(b *testing.B) {
			p := ofModels()
			p.Domains, p.Copies, p.Days = c.domains, c.copies, 1000
			b.ReportAllocs()
			jobs := 0
			for replication := 0; b.Loop(); replication++ {
				domains, err := draw(context.Background(), p, envOf(replication, nil))
				if err != nil {
					b.Fatal(err)
				}
				for i := range domains {
					jobs += len(domains[i].jobs)
				}
			}
			b.ReportMetric(float64(jobs)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}
