// Benchmarks: drawing four months of Grids, their base run, and runs under several contracts and
// assumptions.

package intergrid

import (
	"context"
	"testing"

	"gridsweep/model"
)

// BenchmarkDraw draws what the runs of a replication share, without deadlines: requests of four
// months from site models, providers, supply and costs.
func BenchmarkDraw(b *testing.B) {
	p := defaults
	p.Trace, p.DeadlineShare = model.TraceModel, 0
	b.ReportAllocs()
	requests := 0
	for replication := 0; b.Loop(); replication++ {
		grids, err := draw(context.Background(), p, environment(replication, nil))
		if err != nil {
			b.Fatal(err)
		}
		for i := range grids {
			requests += len(grids[i].requests)
		}
	}
	b.ReportMetric(float64(requests)/b.Elapsed().Seconds(), "requests/s")
}

// BenchmarkBase simulates the base run of these Grids.
func BenchmarkBase(b *testing.B) {
	p := defaults
	p.Trace, p.DeadlineShare = model.TraceModel, 0
	grids, err := draw(context.Background(), p, environment(0, nil))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	requests := 0
	for b.Loop() {
		ends, err := runBase(context.Background(), grids)
		if err != nil {
			b.Fatal(err)
		}
		for i := range ends {
			requests += len(ends[i])
		}
	}
	b.ReportMetric(float64(requests)/b.Elapsed().Seconds(), "requests/s")
}

// BenchmarkRun simulates these Grids and makes the rows of 498,000 requests.
func BenchmarkRun(b *testing.B) {
	p := defaults
	p.Trace = model.TraceModel
	grids, err := draw(context.Background(), p, environment(0, nil))
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name string
		set  func(*Parameters)
	}{
		{"none", func(p *Parameters) { p.Contracts = false }},
		{"fixed", func(*Parameters) {}},
		{"k=0.2", func(p *Parameters) { p.K = 0.2 }},
		{"finish", func(p *Parameters) { p.Horizon = "finish" }},
		{"current", func(p *Parameters) { p.Slots = "current" }},
		{"tick", func(p *Parameters) { p.Negotiation = "tick" }},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := p
			c.set(&p)
			b.ReportAllocs()
			requests := 0
			for b.Loop() {
				if _, err := simulateGrids(context.Background(), p, grids); err != nil {
					b.Fatal(err)
				}
				for i := range grids {
					requests += len(grids[i].requests)
				}
			}
			b.ReportMetric(float64(requests)/b.Elapsed().Seconds(), "requests/s")
		})
	}
}
