// What plans and pages print about traces: which files a plan reads or lacks, and which workload
// each run used.

package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/analysis/report"
	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/pipeline/traces"
	"gridsweep/pipeline/workspace"
	"gridsweep/sweeps"
)

type replayed struct {
	Trace string `name:"trace"`
}

type jobs struct {
	Jobs int64 `name:"jobs"`
}

var replay = model.New(model.Spec[replayed, jobs]{
	Name: "replay", Version: 1, Defaults: replayed{model.TraceAuto},
	Validate: func(replayed) []model.Problem { return nil },
	Traces:   func(replayed) []string { return []string{"das2"} },
	Cost:     func(replayed) float64 { return 1 },
	Simulate: func(context.Context, replayed, model.Env) (jobs, error) { return jobs{}, nil },
})

// planned returns a study of the model replay with its plan.
func planned(t *testing.T, text string) *workspace.Study {
	t.Helper()
	file := filepath.Join(t.TempDir(), "study.yaml")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	w := workspace.Workspace{Studies: configs.Builtin(), Models: []*model.Model{replay}}
	opened, err := w.Open(t.Context(), workspace.Selection{Out: t.TempDir()}, []string{file})
	if err != nil {
		t.Fatal(err)
	}
	opened[0].Name = "mine"
	return opened[0]
}

const replayStudy = "study: mine\nmodel: replay\ntrace: auto\nexperiments: {one: {rounds: 2}}\n"

// withoutTraces changes to a new working directory, the only folder in which traces are searched.
func withoutTraces(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	t.Chdir(dir)
	t.Setenv(traces.FolderVariable, "")
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CACHE_HOME", dir)
	t.Setenv("XDG_CONFIG_HOME", dir)
	return dir
}

// gridsweep plan prints the trace that a plan reads, or the commands to get it.
func TestTraceOfAPlan(t *testing.T) {
	const sum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" // of nothing
	withoutTraces(t)
	file := filepath.Join("traces", "das2.gwf")
	for _, c := range []struct {
		isThere                bool
		printed, noted, traces string
	}{
		{false, "\ntrace: none; a workload model in place of the trace das2 (GWA-T-1 DAS-2), which was not found\n",
			"    gridsweep trace fetch das2 downloads missing traces, gridsweep trace import das2 FILE imports a file that " +
				"you have\n",
			"model"},
		{true, "\ntrace: das2@sha256:" + sum + ", from " + file + "\n", "", "das2@sha256:" + sum},
	} {
		if c.isThere {
			if err := os.Mkdir("traces", 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		studies := []*workspace.Study{planned(t, replayStudy)}
		var out, noted strings.Builder
		terminal := &terminal{out: &out, err: &noted}
		if err := terminal.planTable(t.Context(), studies, sweeps.Shard{}); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(out.String(), c.printed) || noted.String() != c.noted {
			t.Errorf("prints\n%s\nnotes %q", out.String(), noted.String())
		}
		out.Reset()
		if err := terminal.planJSON(t.Context(), studies, sweeps.Shard{}); err != nil {
			t.Fatal(err)
		}
		var listings []struct {
			Traces []string `json:"traces"`
			List   []workspace.RunRecord
		}
		if err := json.Unmarshal([]byte(out.String()), &listings); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(listings[0].Traces, []string{c.traces}) || listings[0].List[1].Parameters["trace"] != c.traces {
			t.Errorf("listed as %+v", listings[0])
		}
	}
}

// The workloads of the runs with rows: a trace with its checksum and acknowledgement, a user's
// file, or a workload model, since a trace was not found or by the parameter trace.
func TestWorkloads(t *testing.T) {
	const sum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" // of nothing
	dir := withoutTraces(t)
	study := replayStudy + "factors: {trace: [auto, " + filepath.Join(dir, "own.gwf") + ", model]}\n"
	study = strings.Replace(study, "trace: auto\n", "", 1)
	study = strings.Replace(study, "{rounds: 2}", "{cross: trace, rounds: 2}", 1)
	if err := os.WriteFile(filepath.Join(dir, "own.gwf"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	all := func(sweeps.Run) bool { return true }
	first := func(run sweeps.Run) bool { return run.Replication == 0 }
	messages := func(counted func(sweeps.Run) bool) (lines []string) {
		for _, w := range planned(t, study).Workloads(counted) {
			lines = append(lines, w.Counted()+": "+w.Sentence())
		}
		return lines
	}
	want := []string{"2 runs: a workload model in place of the trace das2 (GWA-T-1 DAS-2), which was not found",
		"2 runs: the trace own.gwf in place of das2"}
	if diff := cmp.Diff(want, messages(all)); diff != "" {
		t.Error(diff)
	}
	if err := os.WriteFile(filepath.Join(dir, "das2.gwf"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv(traces.FolderVariable, dir)
	want = []string{"1 run: the trace das2 (GWA-T-1 DAS-2)", "1 run: the trace own.gwf in place of das2",
		"1 run: a workload model in place of the trace das2 (GWA-T-1 DAS-2), selected by the parameter trace"}
	if diff := cmp.Diff(want, messages(first)); diff != "" {
		t.Error(diff)
	}
	read := planned(t, study).Workloads(all)[0]
	das2, err := configs.Traces().Find("das2")
	if err != nil {
		t.Fatal(err)
	}
	traces := []report.Trace{{Name: "das2", Title: "GWA-T-1 DAS-2", HasAddress: true, SHA256: sum,
		Acknowledge: das2.Acknowledge.Value, Reference: das2.Reference.Value}}
	if diff := cmp.Diff(traces, read.Traces); diff != "" || read.Resolved != "das2@sha256:"+sum {
		t.Errorf("%s%s", read.Resolved, diff)
	}
	var noted strings.Builder
	mine := planned(t, study)
	(&terminal{err: &noted}).noteWorkloads(mine, mine.Plan.Runs[:2])
	const lines = "mine: workload of 1 run: the trace das2 (GWA-T-1 DAS-2)\n" +
		"mine: workload of 1 run: the trace own.gwf in place of das2\n"
	if noted.String() != lines {
		t.Errorf("notes\n%s", noted.String())
	}
}
