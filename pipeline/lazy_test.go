// Runs with lazy tables, whose rows are made while they are written: rows and batches are counted,
// digests are compared for 1 and 4 workers, and errors and panics of the iterator are failures of
// that run.

package pipeline

import (
	"context"
	"iter"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"gridsweep/model"
	"gridsweep/results"
	"gridsweep/sweeps"
)

// logging is the parameters of a study whose runs have a lazy table with a row for each job.
type logging struct {
	Jobs int64 `name:"jobs" range:"[0,)"`
	Kept int64 `name:"kept" range:"[0,)"` // bytes that the iterator holds
	// the job with a value that no file can hold; negative for none
	Bad    int64 `name:"bad"`
	Panics bool  `name:"panics"` // the iterator, half way
}

type logOutcome struct {
	Jobs int64             `name:"jobs_done"`
	Log  iter.Seq[logLine] `table:"log,optional"`
}

type logLine struct {
	Job        int64         `name:"job" key:""`
	Site       string        `name:"site"`
	Submit     model.Seconds `name:"submit"`
	Start      model.Seconds `name:"start"`
	Processors int64         `name:"processors"`
	Slowdown   float64       `name:"slowdown"`
	Ratio      *float64      `name:"ratio"`
}

func simulateLogging(_ context.Context, p logging, env model.Env) (logOutcome, error) {
	kept := make([]byte, p.Kept)
	for i := range kept {
		kept[i] = byte(i)
	}
	stream := env.Seed.Stream("jobs")
	return logOutcome{p.Jobs, func(yield func(logLine) bool) {
		submit := model.Seconds(0)
		for i := range p.Jobs {
			submit += model.Seconds(stream.Intn(60))
			line := logLine{i, "site", submit, submit + model.Seconds(stream.Intn(3600)), 1 << (i % 7), stream.Float64(), nil}
			if p.Kept > 0 {
				line.Processors += int64(kept[i%p.Kept])
			}
			if i%2 == 0 {
				line.Ratio = &line.Slowdown
			}
			if i == p.Bad {
				line.Slowdown = math.NaN()
			}
			if p.Panics && i == p.Jobs/2 {
				panic("no such job")
			}
			if !yield(line) {
				return
			}
		}
	}}, nil
}

func loggingModel() *model.Model { return loggingModelOf(simulateLogging) }

func loggingModelOf(simulate func(context.Context, logging, model.Env) (logOutcome, error)) *model.Model {
	return model.New(model.Spec[logging, logOutcome]{
		Name: "logging", Version: 1, Defaults: logging{Bad: -1},
		Validate: func(logging) []model.Problem { return nil },
		Cost:     func(p logging) float64 { return float64(p.Jobs + 1) },
		Simulate: simulate,
	})
}

// loggingPlan returns a plan with a run for each replication of the points.
func loggingPlan(m *model.Model, replications int, points ...logging) *sweeps.Plan {
	plan := newPlan(queueingModel(nil), 1, 5, []float64{1}, 1)
	plan.Model, plan.Runs, plan.Experiments = m, nil, nil
	for replication := range replications {
		for _, p := range points {
			point := model.Point{
				model.IntValue(p.Jobs), model.IntValue(p.Kept), model.IntValue(p.Bad), model.BoolValue(p.Panics),
			}
			run := sweeps.Run{ID: m.RunID(point, 1, replication), Point: point, Replication: replication, Cost: m.Cost(point)}
			plan.Runs = append(plan.Runs, run)
		}
	}
	return plan
}

func openLogging(t testing.TB, m *model.Model, tables ...string) (dataset *results.Dataset, dir string) {
	t.Helper()
	dir = t.TempDir()
	dataset, err := results.Open(dir, "fake", m, tables...)
	if err != nil {
		t.Fatal(err)
	}
	return dataset, dir
}

// With a memo, one simulation serves two runs of each of three replications, whose outcomes are
// equal, since neither has a bad job. With a lazy table, each run is simulated.
func TestEqualRunsAreSimulatedOnce(t *testing.T) {
	var simulated atomic.Int64
	m := loggingModelOf(func(ctx context.Context, p logging, env model.Env) (logOutcome, error) {
		simulated.Add(1)
		return simulateLogging(ctx, p, env)
	})
	plan := loggingPlan(m, 3, logging{Jobs: 100, Bad: -1}, logging{Jobs: 100, Bad: -2})
	for i := range plan.Runs {
		plan.Runs[i].Equal = 1
	}
	for _, tables := range [][]string{nil, {"log"}} {
		digests := map[string]bool{}
		for _, memo := range []int{0, 10} {
			simulated.Store(0)
			dataset, _ := openLogging(t, m, tables...)
			mustRun(t, plan, dataset, Options{Workers: 2, Memo: memo})
			digests[digestOf(t, plan, dataset)] = true
			want := int64(6)
			if memo > 0 && tables == nil {
				want = 3
			}
			if simulated.Load() != want {
				t.Errorf("tables %v, memo %d: %d simulations, want %d", tables, memo, simulated.Load(), want)
			}
		}
		if len(digests) != 1 {
			t.Errorf("tables %v: digests %v, want one", tables, digests)
		}
	}
}

// Runs with a lazy table are batches of their own, equal for any number of workers; without the
// table they share a batch.
func TestLazyTablesAreWrittenRunByRun(t *testing.T) {
	m := loggingModel()
	plan := loggingPlan(m, 6, logging{Jobs: 100, Kept: 7, Bad: -1}, logging{Jobs: 0, Bad: -1})
	digests := map[string]bool{}
	for _, workers := range []int{1, 4} {
		dataset, dir := openLogging(t, m, "log")
		mustRun(t, plan, dataset, Options{Workers: workers})
		digests[digestOf(t, plan, dataset)] = true
		rows, err := snapshotOf(t, dataset).Read(t.Context(), "log", []string{"job"}, nil)
		if err != nil || rows.Len() != 600 {
			t.Errorf("%d rows, %v, want 600", rows.Len(), err)
		}
		if files, err := os.ReadDir(filepath.Join(dir, model.RunsTable)); err != nil || len(files) != 12 {
			t.Errorf("%d batches, %v, want one for each of 12 runs", len(files), err)
		}
	}
	if len(digests) != 1 {
		t.Errorf("digests %v, want one", digests)
	}
	dataset, dir := openLogging(t, m)
	mustRun(t, plan, dataset, Options{Workers: 1})
	if files, err := os.ReadDir(filepath.Join(dir, model.RunsTable)); err != nil || len(files) != 1 {
		t.Errorf("%d batches, %v, want one of runs without the table", len(files), err)
	}
}

// An error while rows are made fails that run alone, and only if the table is written.
func TestLazyTablesThatFail(t *testing.T) {
	m := loggingModel()
	good := logging{Jobs: 100, Bad: -1}
	bad, panicking := good, good
	bad.Bad, panicking.Panics = 30, true
	plan := loggingPlan(m, 1, bad, good, panicking)
	dataset, dir := openLogging(t, m, "log")
	summary := mustRun(t, plan, dataset, Options{Workers: 1})
	if len(summary.Failures) != 2 || summary.Finished != 1 {
		t.Fatalf("%+v", summary)
	}
	const want = "table log, row 30: column slowdown is NaN, which is not a finite"
	if text := summary.Failures[0].Error; !strings.Contains(text, want) {
		t.Errorf("error %s, want %s", text, want)
	}
	if f := summary.Failures[1]; !f.Panicked || f.Error != "panic: no such job" {
		t.Errorf("failure %+v", f)
	}
	if files, err := os.ReadDir(filepath.Join(dir, "log")); err != nil || len(files) != 1 {
		t.Errorf("%d files of the table, %v, want that of the good run", len(files), err)
	}
	dataset, _ = openLogging(t, m)
	if summary := mustRun(t, plan, dataset, Options{Workers: 1}); len(summary.Failures) > 0 || summary.Finished != 3 {
		t.Errorf("without the table %+v", summary)
	}
}

// If the dataset cannot be written, the work stops.
func TestLazyTablesThatCannotBeWritten(t *testing.T) {
	m := loggingModel()
	dataset, dir := openLogging(t, m, "log")
	if err := os.WriteFile(filepath.Join(dir, "log"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	plan := loggingPlan(m, 5, logging{Jobs: 10, Bad: -1})
	w := writer{dataset: dataset}
	run := results.Run{ID: plan.Runs[0].ID, Point: plan.Runs[0].Point}
	var err error
	if run.Outcome, err = m.Simulate(t.Context(), run.Point, m.Env(1, 0, nil)); err != nil {
		t.Fatal(err)
	}
	batch, err := dataset.Encode([]results.Run{run}, results.Provenance{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		err := w.addAlone(run, batch)
		if err == nil || !strings.Contains(err.Error(), filepath.Join(dir, "log")) || w.written > 0 {
			t.Errorf("error %v, %d runs written", err, w.written)
		}
	}
}

// BenchmarkLazyTables runs 20 runs of 300,000 rows of 7 columns, each of which holds 20 MB until
// they are written, on two workers, and reports the memory that the heap got from the system.
func BenchmarkLazyTables(b *testing.B) {
	m := loggingModel()
	plan := loggingPlan(m, 20, logging{Jobs: 300_000, Kept: 20 << 20, Bad: -1})
	for b.Loop() {
		dataset, _ := openLogging(b, m, "log")
		mustRun(b, plan, dataset, Options{Workers: 2})
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	b.ReportMetric(float64(memory.HeapSys)/1e6, "heapMB")
	b.ReportMetric(float64(20*300_000*b.N)/b.Elapsed().Seconds(), "rows/s")
}
