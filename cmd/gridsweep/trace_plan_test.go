package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/pipeline/traces"
	"gridsweep/results"
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

// planned returns a study of that model, planned as the commands do.
func planned(t *testing.T) *target {
	t.Helper()
	file := filepath.Join(t.TempDir(), "study.yaml")
	const text = "study: mine\nmodel: replay\ntrace: auto\nexperiments: {one: {rounds: 2}}\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	study, err := configs.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	library := traces.NewLibrary()
	plan, err := sweeps.Expand(study, replay, sweeps.Options{Traces: library.Resolve})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	dataset, err := results.Open(dir, "mine", replay)
	if err != nil {
		t.Fatal(err)
	}
	return &target{study: study, model: replay, plan: plan, dataset: dataset, traces: library, name: "mine", dir: dir}
}

// gridsweep plan says which file a plan reads, or that none does and how to have one.
func TestPlanSaysWhatIsRead(t *testing.T) {
	const sum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" // of nothing
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv(traces.FolderVariable, "")
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CACHE_HOME", dir)
	file := filepath.Join("traces", "das2.gwf")
	for _, c := range []struct {
		isThere                bool
		printed, noted, traces string
	}{
		{false, "\ntrace: none, a workload model stands in\n",
			"not found: das2; gridsweep trace fetch NAME downloads a trace\n", "model"},
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
		targets := []*target{planned(t)}
		var out, noted strings.Builder
		terminal := &terminal{out: &out, err: &noted}
		if err := terminal.planTable(t.Context(), targets, sweeps.Shard{}); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(out.String(), c.printed) || noted.String() != c.noted {
			t.Errorf("prints\n%s\nnotes %q", out.String(), noted.String())
		}
		out.Reset()
		if err := terminal.planJSON(t.Context(), targets, sweeps.Shard{}); err != nil {
			t.Fatal(err)
		}
		var listings []struct {
			Traces []string `json:"traces"`
			List   []runRecord
		}
		if err := json.Unmarshal([]byte(out.String()), &listings); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(listings[0].Traces, []string{c.traces}) || listings[0].List[1].Parameters["trace"] != c.traces {
			t.Errorf("listed as %+v", listings[0])
		}
	}
}
