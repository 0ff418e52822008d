// Benchmarks of what a run costs besides its simulation: the queue, the rows on the disk and the
// memo.

package pipeline

import (
	"context"
	"testing"

	"gridsweep/model"
)

// BenchmarkRunOverhead measures what a run costs besides its simulation, from the queue to the
// disk.
func BenchmarkRunOverhead(b *testing.B) {
	m := model.New(model.Spec[queueing, struct {
		Wait float64 `name:"wait"`
	}]{
		Name: "empty", Version: 1,
		Defaults: queueing{Load: 1, Policy: "fcfs"},
		Validate: func(queueing) []model.Problem { return nil },
		Cost:     func(queueing) float64 { return 1 },
		Simulate: func(_ context.Context, p queueing, _ model.Env) (out struct {
			Wait float64 `name:"wait"`
		}, err error) {
			out.Wait = p.Load
			return out, nil
		},
	})
	loads := make([]float64, 1000)
	for i := range loads {
		loads[i] = float64(i + 1)
	}
	plan := newPlan(m, 1, 5, loads, 10)
	runs := 0
	for b.Loop() {
		runs += mustRun(b, plan, openDataset(b, b.TempDir(), m), Options{Memo: 100}).Finished
	}
	b.ReportMetric(float64(runs)/b.Elapsed().Seconds(), "runs/s")
}

// BenchmarkMemoHit measures the time to get a value that the memo has.
func BenchmarkMemoHit(b *testing.B) {
	h := &host{memo: newMemo(10)}
	build := func(context.Context) (any, error) { return 1, nil }
	for b.Loop() {
		if _, err := h.Memo(b.Context(), workload{1}, build); err != nil {
			b.Fatal(err)
		}
	}
}
