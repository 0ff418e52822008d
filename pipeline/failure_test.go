// Failed runs and failed writes: the records on disk and the counts of the summary are compared
// with what the simulations are made to do. Runs fail with errors, panics and outcomes that cannot
// be stored.

package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gridsweep/model"
	"gridsweep/results"
	"gridsweep/sweeps"
)

// failing makes the runs of one policy fail and those of another panic, while broken is true.
func failing(broken *atomic.Bool) *model.Model {
	return queueingModel(func(_ context.Context, p queueing) error {
		switch {
		case !broken.Load():
			return nil
		case p.Policy == "easy":
			return errors.New("no reservation")
		case p.Policy == "random":
			panic("deck of cards is empty")
		}
		return nil
	})
}

func TestFailuresAreRecordedAndRetried(t *testing.T) {
	var broken atomic.Bool
	broken.Store(true)
	plan := newPlan(failing(&broken), 1, 5, []float64{0.5, 1}, 2)
	dataset := openDataset(t, t.TempDir(), plan.Model)
	var shown []string
	options := Options{
		Workers: 2, Rerun: func(run sweeps.Run) string { return "rerun " + run.ID },
		Provenance: results.Provenance{Version: "v9"},
		Progress: func(p Progress) {
			if p.Failure != nil {
				shown = append(shown, p.Failure.ID)
			}
		},
	}
	summary := mustRun(t, plan, dataset, options)
	if summary.Finished != 4 || len(summary.Failures) != 8 || len(shown) != 8 || summary.Left() != 0 {
		t.Fatalf("%+v, shown %v", summary, shown)
	}
	failures, err := dataset.Failures()
	if err != nil || len(failures) != 8 {
		t.Fatalf("%v, %v", failures, err)
	}
	for _, f := range failures {
		checkFailure(t, f)
	}
	broken.Store(false)
	again := mustRun(t, plan, dataset, options)
	if again.Skipped != 4 || again.Finished != 8 || len(again.Failures) != 0 {
		t.Errorf("%+v", again)
	}
	if left, err := dataset.Failures(); err != nil || len(left) > 0 {
		t.Errorf("records %v, %v after success", left, err)
	}
}

func checkFailure(t *testing.T, f results.Failure) {
	t.Helper()
	cell := fmt.Sprintf("main load=%s policy=%s", f.Parameters["load"], f.Parameters["policy"])
	if f.Cell != cell || f.Seed != 1 || f.Parameters["jobs"] != "5" ||
		f.Command != "rerun "+f.ID || f.Version != "v9" || f.Machine == "" {
		t.Errorf("record %+v", f)
	}
	switch f.Parameters["policy"] {
	case "easy":
		if f.Error != "no reservation" || f.Panicked || f.Stack != "" {
			t.Errorf("record of an error: %+v", f)
		}
	case "random":
		if f.Error != "panic: deck of cards is empty" || !f.Panicked || !strings.Contains(f.Stack, "failing") {
			t.Errorf("record of a panic: %+v", f)
		}
	default:
		t.Errorf("run of policy %s failed", f.Parameters["policy"])
	}
}

// The record of a failed run that is finished since is removed: a process may be killed between the
// two.
func TestRecordOfASkippedRunIsRemoved(t *testing.T) {
	plan := smallPlan(queueingModel(nil))
	dataset := openDataset(t, t.TempDir(), plan.Model)
	mustRun(t, plan, dataset, Options{})
	if err := dataset.WriteFailure(results.Failure{ID: plan.Runs[3].ID}); err != nil {
		t.Fatal(err)
	}
	mustRun(t, plan, dataset, Options{})
	if left, err := dataset.Failures(); err != nil || len(left) > 0 {
		t.Errorf("records %v, %v", left, err)
	}
}

func TestFailFast(t *testing.T) {
	var broken atomic.Bool
	broken.Store(true)
	plan := smallPlan(failing(&broken))
	summary := mustRun(t, plan, openDataset(t, t.TempDir(), plan.Model), Options{Workers: 1, FailFast: true})
	if summary.Finished != 1 || len(summary.Failures) != 1 || summary.Left() != len(plan.Runs)-2 {
		t.Errorf("%+v", summary)
	}
}

func TestOutcomeThatCannotBeStoredIsAFailure(t *testing.T) {
	type none struct{}
	type text struct {
		Text string `name:"text"`
	}
	m := model.New(model.Spec[none, text]{
		Name: "text", Version: 1,
		Validate: func(none) []model.Problem { return nil },
		Cost:     func(none) float64 { return 1 },
		Simulate: func(context.Context, none, model.Env) (text, error) { return text{"\xff"}, nil },
	})
	plan := smallPlan(queueingModel(nil))
	plan.Model, plan.Runs, plan.Experiments = m, []sweeps.Run{{ID: m.RunID(nil, 1, 0), Cost: 1}}, nil
	dataset := openDataset(t, t.TempDir(), m)
	summary := mustRun(t, plan, dataset, Options{})
	if len(summary.Failures) != 1 || !strings.Contains(summary.Failures[0].Error, "UTF-8") {
		t.Errorf("%+v", summary)
	}
}

func TestWriteErrorKeepsCommittedRuns(t *testing.T) {
	if !alone(t) {
		return
	}
	dir := t.TempDir()
	table := filepath.Join(dir, "waits")
	synctest.Test(t, func(t *testing.T) {
		var simulated atomic.Int64
		m := queueingModel(func(ctx context.Context, p queueing) error {
			if simulated.Add(1) == 4 {
				// Two runs are committed by now. A file takes the place of a table's folder, and
				// the next batch fails.
				os.Rename(table, table+"-committed")
				os.WriteFile(table, nil, 0o666)
				<-ctx.Done()
				return ctx.Err()
			}
			time.Sleep(6 * time.Second)
			return nil
		})
		plan := smallPlan(m)
		dataset := openDataset(t, dir, m)
		var last Progress
		summary, err := Run(t.Context(), plan, plan.Runs, snapshotOf(t, dataset), Options{
			Workers: 1, Progress: func(p Progress) { last = p },
		})
		if err == nil || !strings.Contains(err.Error(), table) {
			t.Fatalf("%+v, error %v", summary, err)
		}
		if summary.Finished != 2 || simulated.Load() != 4 || summary.Interrupted || len(summary.Failures) > 0 {
			t.Errorf("%+v after %d simulations", summary, simulated.Load())
		}
		if !last.Ended || last.Finished != 2 {
			t.Errorf("the last progress is %+v, want the end with 2 finished runs", last)
		}
		os.Remove(table)
		os.Rename(table+"-committed", table)
		if finished := snapshotOf(t, dataset).Finished(); len(finished) != 2 {
			t.Errorf("%d runs committed, want 2", len(finished))
		}
	})
}

func TestFailureThatCannotBeRecorded(t *testing.T) {
	dir := t.TempDir()
	var broken atomic.Bool
	broken.Store(true)
	plan := smallPlan(failing(&broken))
	options := Options{Workers: 1, Progress: func(p Progress) {
		if p.Finished == 1 {
			_ = os.WriteFile(filepath.Join(dir, "failed"), nil, 0o666)
		}
	}}
	summary, err := Run(t.Context(), plan, plan.Runs, snapshotOf(t, openDataset(t, dir, plan.Model)), options)
	if err == nil || summary.Finished != 1 || len(summary.Failures) != 1 {
		t.Errorf("%+v, error %v, want 1 finished run, 1 failure and an error", summary, err)
	}
}
