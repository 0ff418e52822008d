package intergrid

import (
	"context"
	"testing"

	"gridsweep/model"
)

// What the runs of a round share, without deadlines: requests of four months from site models, providers, offers and costs.
func BenchmarkDraw(b *testing.B) {
	p := defaults
	p.Trace, p.DeadlineShare = model.TraceModel, 0
	b.ReportAllocs()
	requests := 0
	for round := 0; b.Loop(); round++ {
		grids, err := draw(context.Background(), p, environment(round, nil))
		if err != nil {
			b.Fatal(err)
		}
		for i := range grids {
			requests += len(grids[i].requests)
		}
	}
	b.ReportMetric(float64(requests)/b.Elapsed().Seconds(), "requests/s")
}

// The base run of such a round.
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
