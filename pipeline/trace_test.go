// Runs that read traces: rows are compared with sums of the traces' runtimes, and by digest between
// numbers of workers and memo sizes. Missing, changed and unresolved traces.

package pipeline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/model/trace"
	"gridsweep/pipeline/traces"
	"gridsweep/sweeps"
)

// logged is the parameters of a small study that replays two traces, or draws their jobs where it
// has no traces.
type logged struct {
	Stretch int64  `name:"stretch" range:"[1,)"`
	Trace   string `name:"trace"`
}

type work struct {
	Jobs    int64 `name:"jobs"`
	Seconds int64 `name:"seconds"`
}

// derivedWork is the key of what the study derives from its traces and shares.
type derivedWork struct{ trace string }

func deriveWork(ctx context.Context, key derivedWork, env model.Env) (work, error) {
	var w work
	for _, name := range []string{"das2", "auvergrid"} {
		if key.trace == model.TraceModel {
			w.Jobs++
			w.Seconds += int64(100 * env.Seed.Stream(name).Float64())
			continue
		}
		log, err := env.Trace(ctx, name)
		if err != nil {
			return w, err
		}
		for _, job := range log.Jobs {
			w.Jobs++
			w.Seconds += job.Run
		}
	}
	return w, nil
}

var loggedModel = model.New(model.Spec[logged, work]{
	Name: "logged", Title: "two logs", Version: 1,
	Defaults: logged{Stretch: 1, Trace: model.TraceAuto},
	Validate: func(logged) []model.Problem { return nil },
	Traces:   func(logged) []string { return []string{"das2", "auvergrid"} },
	Cost:     func(p logged) float64 { return float64(p.Stretch) },
	Simulate: func(ctx context.Context, p logged, env model.Env) (work, error) {
		w, err := model.Memo(ctx, env, derivedWork{p.Trace}, deriveWork)
		if err != nil {
			return w, err
		}
		return work{w.Jobs, w.Seconds * p.Stretch}, nil
	},
})

// withTraces makes a new folder, with two traces of jobs with these runtimes, the only one that is
// searched for traces.
func withTraces(t *testing.T, das2, auvergrid int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	t.Chdir(t.TempDir())
	t.Setenv(traces.FolderVariable, dir)
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	writeTrace(t, filepath.Join(dir, "das2.gwf"), das2)
	writeTrace(t, filepath.Join(dir, "auvergrid.gwf"), auvergrid)
	return dir
}

// writeTrace writes a trace of 300 jobs; the format is found from the content.
func writeTrace(t *testing.T, path string, runtime int) {
	t.Helper()
	var text strings.Builder
	for i := range 300 {
		fmt.Fprintf(&text, "%d %d -1 %d 1 -1 -1 1 60 -1 1 1 1 -1 1 -1 -1 -1\n", i+1, 10*i, runtime)
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// planTraced plans 3 replications of 4 points, as a new process does.
func planTraced(t *testing.T) (*sweeps.Plan, *traces.Library) {
	t.Helper()
	return planStudy(t, "study: fake\nmodel: logged\ntrace: auto\nfactors: {stretch: [1, 2, 3, 4]}\n"+
		"experiments: {main: {cross: stretch, rounds: 3}}\n")
}

func planStudy(t *testing.T, text string) (*sweeps.Plan, *traces.Library) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "study.yaml")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	study, err := configs.Read(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	library := traces.NewLibrary(configs.Traces())
	plan, err := sweeps.Expand(t.Context(), study, loggedModel, sweeps.Options{Traces: library.Resolve})
	if err != nil {
		t.Fatal(err)
	}
	return plan, library
}

// The rows do not depend on the workers and the memo, which reads each trace once, and they name
// the trace.
func TestTracesGiveTheSameRows(t *testing.T) {
	withTraces(t, 60, 70)
	plan, _ := planTraced(t)
	digests := map[string]bool{}
	for _, c := range []struct{ workers, memo int }{{1, 0}, {1, 100}, {3, 1}, {4, 100}} {
		plan, library := planTraced(t)
		var read atomic.Int64
		dataset := openDataset(t, t.TempDir(), plan.Model)
		summary := mustRun(t, plan, dataset, Options{Workers: c.workers, Memo: c.memo,
			Trace: func(ctx context.Context, reference string) (*trace.Log, error) {
				read.Add(1)
				return library.Log(ctx, reference)
			}})
		if len(summary.Failures) > 0 || summary.Finished != 12 {
			t.Fatalf("%+v", summary)
		}
		if c.memo == 100 && read.Load() != 2 || c.memo == 0 && read.Load() != 24 {
			t.Errorf("a memo of %d: traces were read %d times", c.memo, read.Load())
		}
		digests[digestOf(t, plan, dataset)] = true
		columns := []string{"trace", "jobs", "seconds", "stretch"}
		rows, err := snapshotOf(t, dataset).Read(t.Context(), model.RunsTable, columns, IDs(plan.Runs))
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows.Len() {
			used, jobs := rows.Column("trace").Value(i).Text(), rows.Column("jobs").Value(i).Int()
			seconds, stretch := rows.Column("seconds").Value(i).Int(), rows.Column("stretch").Value(i).Int()
			if used != plan.Traces()[0] || jobs != 600 || seconds != 300*(60+70)*stretch {
				t.Errorf("row %d: %d jobs, %d s of %s", i, jobs, seconds, used)
			}
		}
	}
	if len(digests) != 1 {
		t.Errorf("%d digests of one plan: %v", len(digests), digests)
	}
	text := plan.Traces()[0]
	if !strings.HasPrefix(text, "das2@sha256:") || !strings.Contains(text, ",auvergrid@sha256:") {
		t.Errorf("the runs read %s", text)
	}
}

// Different traces under one name are not mixed up by the memo.
func TestSeveralTraces(t *testing.T) {
	dir := withTraces(t, 60, 70)
	own := filepath.Join(dir, "own.swf")
	writeTrace(t, own, 80)
	plan, library := planStudy(t, "study: fake\nmodel: logged\nfactors: {trace: [auto, \"das2,"+own+"\", model]}\n"+
		"experiments: {main: {cross: trace, rounds: 1}}\n")
	dataset := openDataset(t, t.TempDir(), plan.Model)
	mustRun(t, plan, dataset, Options{Workers: 2, Memo: 10, Trace: library.Log})
	rows, err := snapshotOf(t, dataset).Read(t.Context(), model.RunsTable, []string{"seconds"}, IDs(plan.Runs))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int64{300 * (60 + 70), 300 * (60 + 80)} {
		row, _ := rows.Rows(plan.Runs[i].ID)
		if seconds := rows.Column("seconds").Value(row).Int(); seconds != want {
			t.Errorf("%d s of %s, want %d", seconds, plan.Traces()[i], want)
		}
	}
}

// If a trace is missing, the runs use the stand-in workload, have other ids and read no file.
func TestTracesMissing(t *testing.T) {
	dir := withTraces(t, 60, 70)
	with, _ := planTraced(t)
	if err := os.Remove(filepath.Join(dir, "auvergrid.gwf")); err != nil {
		t.Fatal(err)
	}
	without, library := planTraced(t)
	if got := without.Traces(); len(got) != 1 || got[0] != model.TraceModel {
		t.Errorf("the runs read %v", got)
	}
	if got := library.Missing(); len(got) != 1 || got[0] != "auvergrid" {
		t.Errorf("missing are %v", got)
	}
	for i, run := range without.Runs {
		if run.ID == with.Runs[i].ID {
			t.Errorf("run %s is the same with and without traces", run.ID)
		}
	}
	dataset := openDataset(t, t.TempDir(), without.Model)
	if summary := mustRun(t, without, dataset, Options{Workers: 2, Memo: 10}); summary.Finished != 12 {
		t.Errorf("%+v", summary)
	}
}

// If a trace has changed since the plan was made, the runs that read it fail, and a new plan has
// other runs.
func TestTracesChanged(t *testing.T) {
	dir := withTraces(t, 60, 70)
	plan, library := planTraced(t)
	writeTrace(t, filepath.Join(dir, "auvergrid.gwf"), 71)
	dataset := openDataset(t, t.TempDir(), plan.Model)
	summary := mustRun(t, plan, dataset, Options{Workers: 2, Memo: 10, Trace: library.Log})
	if len(summary.Failures) != 12 {
		t.Fatalf("%+v", summary)
	}
	for _, f := range summary.Failures {
		if f.Panicked || !strings.Contains(f.Error, "auvergrid.gwf now has the SHA-256 ") ||
			!strings.Contains(f.Error, "it was changed after the plan was made") {
			t.Errorf("failed with %s", f.Error)
		}
	}
	if now, _ := planTraced(t); now.Checksum() == plan.Checksum() {
		t.Error("the plan is the same with another trace")
	}
}

// Runs whose traces were not resolved or cannot be read fail with a message.
func TestTracesUnresolved(t *testing.T) {
	withTraces(t, 60, 70)
	plan, library := planTraced(t)
	point := plan.Model.Defaults()
	unresolved := sweeps.Run{ID: plan.Model.RunID(point, plan.Seed, 0), Point: point, Cost: 1}
	for want, c := range map[string]struct {
		run  sweeps.Run
		read func(context.Context, string) (*trace.Log, error)
	}{
		`trace das2: the run's parameter trace is "auto", which names no file for it`:         {unresolved, library.Log},
		`trace das2: the run's parameter trace is "` + plan.Traces()[0] + `", which names no`: {plan.Runs[0], nil},
	} {
		dataset := openDataset(t, t.TempDir(), plan.Model)
		options := Options{Workers: 1, Trace: c.read}
		summary, err := Run(t.Context(), plan, []sweeps.Run{c.run}, snapshotOf(t, dataset), options)
		if err != nil || len(summary.Failures) != 1 || !strings.Contains(summary.Failures[0].Error, want) {
			t.Errorf("%+v, %v, want %s", summary, err, want)
		}
	}
}
