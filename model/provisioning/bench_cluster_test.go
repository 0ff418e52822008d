// Benchmarks on the log: the background, its offers, and best effort.

package provisioning

import (
	"context"
	"fmt"
	"testing"

	"gridsweep/model/rng"
)

// BenchmarkBackground simulates the whole log once, with and without its second copy.
func BenchmarkBackground(b *testing.B) {
	for _, numbering := range []string{"at_query", "booked"} {
		for _, nodes := range []int64{430, 338} {
			for _, share := range []float64{0, 0.5} {
				p := defaults
				p.Numbering, p.Nodes, p.Copy = numbering, nodes, share
				b.Run(fmt.Sprintf("%s/nodes=%d/copy=%g", numbering, nodes, share), func(b *testing.B) {
					env := logEnvironment(b, 0)
					jobs := len(load(b, p, env).jobs) // and reads the log
					b.ReportAllocs()
					for b.Loop() {
						load(b, p, env)
					}
					b.ReportMetric(float64(jobs)*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
				})
			}
		}
	}
}

// BenchmarkOffers computes the slots of all submissions, one after the other.
func BenchmarkOffers(b *testing.B) {
	for _, numbering := range []string{"at_query", "booked"} {
		for _, share := range []float64{0, 0.5} {
			p := defaults
			p.Numbering, p.Copy = numbering, share
			b.Run(fmt.Sprintf("%s/copy=%g", numbering, share), func(b *testing.B) {
				env := logEnvironment(b, 0)
				machine := load(b, p, env)
				reserved, offered := 0, 0
				for replication := 0; b.Loop(); replication++ {
					live, _ := machine.schedule(submittedAt(b, p, machine, replication))
					slots, _ := offers(live, int32(p.Nodes), int64(p.Horizon), p.Extension)
					reserved, offered = reserved+len(live), offered+len(slots)
				}
				b.ReportMetric(float64(reserved)/float64(b.N), "reservations")
				b.ReportMetric(float64(offered)/float64(b.N), "slots")
			})
		}
	}
}

// BenchmarkBestEffort runs both workflows as best-effort jobs, from the submissions of all
// replications.
func BenchmarkBestEffort(b *testing.B) {
	synthetic := synthesis{sites: 1, tasks: 100, levels: 10, runtime: 1000, processors: 22}
	for name, w := range map[string]*workflow{"cybershake": cyberShake(),
		"synthetic": synthesise(synthetic, rng.New("bench"))} {
		for _, numbering := range []string{"at_query", "booked"} {
			for _, share := range []float64{0, 0.5} {
				p := defaults
				p.Numbering, p.Copy = numbering, share
				b.Run(fmt.Sprintf("%s/%s/copy=%g", name, numbering, share), func(b *testing.B) {
					env := logEnvironment(b, 0)
					machine := load(b, p, env)
					hours := 0.0
					for replication := 0; b.Loop(); replication++ {
						done, err := bestEffort(context.Background(), machine, submittedAt(b, p, machine, replication), w)
						if err != nil {
							b.Fatal(err)
						}
						hours += float64(done.makespan) / 3600
					}
					b.ReportMetric(hours/float64(b.N), "makespan-h")
				})
			}
		}
	}
}
