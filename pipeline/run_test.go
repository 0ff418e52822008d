// The execution of plans: rows are compared by digest with those of one worker without memo, for
// numbers of workers, memo sizes, shards and cancelled runs. Measured runs, timings, the times of
// writes and the calls of Options.Progress are compared with what a plan requires.

package pipeline

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gridsweep/model"
	"gridsweep/results"
	"gridsweep/sweeps"
)

func TestRowsDoNotDependOnExecution(t *testing.T) {
	plan := smallPlan(queueingModel(nil))
	want := referenceDigest(t, plan)
	for _, way := range []struct{ workers, memo, shards int }{
		{1, 0, 7}, {1, 1, 1}, {1, 1000, 1}, {2, 2, 1}, {8, 0, 1}, {8, 1, 1}, {8, 2, 1}, {8, 1000, 1}, {8, 1000, 7},
		{100, 2, 1}, {3, 5, 50},
	} {
		dataset := openDataset(t, t.TempDir(), plan.Model)
		for i := range way.shards {
			runs := plan.Shard(sweeps.Shard{Index: i + 1, Count: way.shards})
			options := Options{Workers: way.workers, Memo: way.memo}
			if _, err := Run(t.Context(), plan, runs, snapshotOf(t, dataset), options); err != nil {
				t.Fatal(err)
			}
		}
		if got := digestOf(t, plan, dataset); got != want {
			t.Errorf("%+v: digest %s, want %s", way, got, want)
		}
	}
}

func TestRunSkipsFinishedRuns(t *testing.T) {
	var simulated atomic.Int64
	m := queueingModel(func(context.Context, queueing) error { simulated.Add(1); return nil })
	few, all := newPlan(m, 1, 5, []float64{1}, 2), newPlan(m, 1, 5, []float64{0.5, 1}, 3)
	dataset := openDataset(t, t.TempDir(), m)
	mustRun(t, few, dataset, Options{Workers: 2})
	summary := mustRun(t, all, dataset, Options{Workers: 2})
	if summary.Skipped != 6 || summary.Finished != 12 || simulated.Load() != 18 || summary.Left() != 0 {
		t.Errorf("%+v after %d simulations", summary, simulated.Load())
	}
	if got, want := digestOf(t, all, dataset), referenceDigest(t, all); got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
}

func TestCancelAndResume(t *testing.T) {
	for _, workers := range []int{1, 3} {
		ctx, cancel := context.WithCancel(t.Context())
		var simulated atomic.Int64
		m := queueingModel(func(ctx context.Context, _ queueing) error {
			if simulated.Add(1) == 10 {
				cancel()
				<-ctx.Done()
				return fmt.Errorf("abandoned: %w", ctx.Err())
			}
			return nil
		})
		plan := smallPlan(m)
		dataset := openDataset(t, t.TempDir(), m)
		summary, err := Run(ctx, plan, plan.Runs, snapshotOf(t, dataset), Options{Workers: workers, Memo: 10})
		if err != nil || !summary.Interrupted || len(summary.Failures) > 0 {
			t.Fatalf("%+v, %v", summary, err)
		}
		finished := snapshotOf(t, dataset).Finished()
		if len(finished) != summary.Finished || summary.Finished < 10-workers || summary.Left() == 0 {
			t.Fatalf("%+v, %d finished", summary, len(finished))
		}
		again := mustRun(t, plan, dataset, Options{Workers: workers})
		if again.Skipped != summary.Finished || again.Left() != 0 {
			t.Errorf("%+v after %+v", again, summary)
		}
		if got, want := digestOf(t, plan, dataset), referenceDigest(t, plan); got != want {
			t.Errorf("digest %s, want %s", got, want)
		}
	}
}

func TestCancelledBeforeItStarts(t *testing.T) {
	plan := smallPlan(queueingModel(nil))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	summary, err := Run(ctx, plan, plan.Runs, snapshotOf(t, openDataset(t, t.TempDir(), plan.Model)), Options{})
	if err != nil || !summary.Interrupted || summary.Left() != len(plan.Runs) {
		t.Errorf("%+v, %v", summary, err)
	}
}

// Measured runs go first, in order, one at a time, without memo; the others share the processors
// afterwards.
func TestMeasuredRunsAreAlone(t *testing.T) {
	var running, order atomic.Int64
	type built struct{}
	var measuredBuilt atomic.Int64
	type numbered struct {
		Measured bool  `name:"measured"`
		Number   int64 `name:"number"`
	}
	type nothing struct{}
	m := model.New(model.Spec[numbered, nothing]{
		Name: "alone", Version: 1,
		Validate: func(numbered) []model.Problem { return nil },
		Cost:     func(numbered) float64 { return 1 },
		Simulate: func(ctx context.Context, p numbered, env model.Env) (nothing, error) {
			running.Add(1)
			defer running.Add(-1)
			place := order.Add(1)
			_, err := model.Memo(ctx, env, built{}, func(context.Context, built, model.Env) (int, error) {
				if p.Measured {
					measuredBuilt.Add(1)
				}
				return 0, nil
			})
			time.Sleep(time.Millisecond)
			if p.Measured && (running.Load() != 1 || place != p.Number+1) {
				t.Errorf("measured run %d: %d runs under way, want 1; it is the %dth run, want the %dth", p.Number,
					running.Load(), place, p.Number+1)
			}
			return nothing{}, err
		},
	})
	plan := smallPlan(queueingModel(nil))
	plan.Model, plan.Runs = m, nil
	for i := range 20 {
		measured := i < 5
		point := model.Point{model.BoolValue(measured), model.IntValue(int64(i))}
		plan.Runs = append(plan.Runs, sweeps.Run{ID: m.RunID(point, 1, 0), Point: point, Cost: 1, Measure: measured})
	}
	plan.Experiments = nil
	// The measured runs are executed first, although they are the last of the slice.
	runs := slices.Concat(plan.Runs[5:], plan.Runs[:5])
	snapshot := snapshotOf(t, openDataset(t, t.TempDir(), m))
	summary, err := Run(t.Context(), plan, runs, snapshot, Options{Workers: 8, Memo: 10})
	if err != nil || summary.Finished != 20 {
		t.Fatalf("%+v, %v", summary, err)
	}
	if measuredBuilt.Load() != 5 {
		t.Errorf("measured runs built %d values of their own, want 5", measuredBuilt.Load())
	}
}

// A finished run is on disk after some seconds, however long the next run of its worker takes.
func TestFinishedRunsAreWrittenInTime(t *testing.T) {
	if !alone(t) {
		return
	}
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		var simulated atomic.Int64
		m := queueingModel(func(ctx context.Context, _ queueing) error {
			if simulated.Add(1) < 3 {
				time.Sleep(3 * time.Second)
				return nil
			}
			time.Sleep(time.Hour)
			return nil
		})
		plan := newPlan(m, 1, 5, []float64{1}, 1)
		dataset := openDataset(t, dir, m)
		done := make(chan struct{})
		go func() {
			defer close(done)
			mustRun(t, plan, dataset, Options{Workers: 1})
		}()
		time.Sleep(11*time.Second + time.Millisecond)
		if finished := snapshotOf(t, dataset).Finished(); len(finished) != 2 {
			t.Errorf("%d runs on disk after 11 s, want 2", len(finished))
		}
		<-done
	})
}

func TestTimings(t *testing.T) {
	plan := smallPlan(queueingModel(nil))
	dataset := openDataset(t, t.TempDir(), plan.Model)
	mustRun(t, plan, dataset, Options{Memo: 10})
	frame, err := snapshotOf(t, dataset).Read(t.Context(), results.TimingsTable, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range plan.Runs {
		from, to := frame.Rows(run.ID)
		var rows []string
		for row := from; row < to; row++ {
			rows = append(rows, fmt.Sprint(frame.Column("section").Value(row), " ", frame.Column("items").Value(row)))
			if machine := frame.Column("machine").Value(row).Text(); machine != Machine() {
				t.Fatalf("machine %q, want %q", machine, Machine())
			}
		}
		// Spans inside of Memo are not measured.
		if want := []string{"run 1", "requests 5"}; !slices.Equal(rows, want) {
			t.Fatalf("timings of a run: %v, want %v", rows, want)
		}
	}
}

func TestProgress(t *testing.T) {
	var broken atomic.Bool
	broken.Store(true)
	plan := smallPlan(failing(&broken))
	var calls []Progress
	mustRun(t, plan, openDataset(t, t.TempDir(), plan.Model), Options{
		Workers: 4, Progress: func(p Progress) { calls = append(calls, p) },
	})
	first, last := calls[0], calls[len(calls)-1]
	total := sweeps.Cost(plan.Runs)
	if first.Study != "fake" || first.Total != 36 || first.Done() != 0 || first.Cost != total || first.CostDone != 0 {
		t.Errorf("first %+v", first)
	}
	if !last.Ended || last.Finished != 12 || last.Failed != 24 || last.CostDone != total {
		t.Errorf("last %+v", last)
	}
	for i, p := range calls {
		if p.Ended != (i == len(calls)-1) || i > 0 && p.Done() < calls[i-1].Done() {
			t.Errorf("call %d of %d: %+v", i, len(calls), p)
		}
	}
}
