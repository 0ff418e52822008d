// Benchmarks: a run of each policy at full scale, and the base run that they share.

package multisite

import (
	"context"
	"testing"

	"gridsweep/model"
)

// BenchmarkRun simulates one replication of each policy of Figures 5 to 11 at full scale, four
// months with some 286,000 jobs. Its workloads and its base run, which policies share, are not
// timed.
func BenchmarkRun(b *testing.B) {
	p := defaults
	p.Trace = model.TraceModel
	env := environment(0, nil)
	w, err := draw(context.Background(), p, env)
	if err != nil {
		b.Fatal(err)
	}
	base, err := runBase(context.Background(), baseParameters(p), w)
	if err != nil {
		b.Fatal(err)
	}
	all := len(w.gridJobs)
	for _, local := range w.localJobs {
		all += len(local)
	}
	for _, policy := range []struct{ provider, gateway, placement string }{
		{"ArEb", "least-load", "count"}, {"ArCb", "least-load", "count"}, {"ArCbM", "least-load", "count"},
		{"ArEbM", "least-load", "count"}, {"ArCb", "earliest-ask", "count"}, {"ArCb", "earliest-partial", "count"},
		{"ArCbM", "earliest-partial", "count"}, {"ArEbMf", "earliest-partial", "count"},
		{"ArCb", "earliest-partial", "fixed"}, {"ArCbM", "earliest-partial", "fixed"}, {"ArEbMf", "earliest-partial",
			"fixed"},
	} {
		p := p
		p.Provider, p.Gateway, p.Placement = policy.provider, policy.gateway, policy.placement
		b.Run(p.Provider+"+"+p.Gateway+"/"+p.Placement, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				world, err := newWorld(p, w, base)
				if err != nil {
					b.Fatal(err)
				}
				if err := world.run(context.Background(), world.last); err != nil {
					b.Fatal(err)
				}
				world.outcome()
			}
			b.ReportMetric(float64(all)*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}

// BenchmarkBaseRun draws the workloads of a replication and simulates the base run, which its
// policies share.
func BenchmarkBaseRun(b *testing.B) {
	p := defaults
	p.Trace = model.TraceModel
	for replication := 0; b.Loop(); replication++ {
		if _, err := simulateBase(context.Background(), baseParameters(p), environment(replication, nil)); err != nil {
			b.Fatal(err)
		}
	}
}
