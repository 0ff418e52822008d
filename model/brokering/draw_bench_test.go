package brokering

import (
	"context"
	"testing"

	"gridsweep/model/trace"
)

// What the runs of a round share: 37,320 jobs of three domains. 18 domains are no more; seeded,
// they are 223,920 jobs.
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
			for round := 0; b.Loop(); round++ {
				domains, err := draw(context.Background(), p, roundOf(round, nil))
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

// The two weeks of a trace of a million jobs.
func BenchmarkWindow(b *testing.B) {
	recorded := make([]trace.Job, 1_000_000)
	for i := range recorded {
		recorded[i] = trace.Job{ID: int64(i) + 1, Submit: int64(i) * 31, Run: 100, Procs: 1}
	}
	h := logHost{traces: map[string][]trace.Job{"sharcnet": recorded}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := readWindow(context.Background(), log{of: 2, trace: "x", skip: 50_000, jobs: 13_283}, roundOf(0, h)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(recorded))*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}
