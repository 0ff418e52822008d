// Explanations of missing runs: their lines are compared with texts for plans with another seed,
// parameter, cell or number of replications. The record plan.json is compared between shards, equal
// plans and foreign files.

package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gridsweep/results"
	"gridsweep/sweeps"
)

// explained returns a line for each missing run.
func explained(t *testing.T, plan *sweeps.Plan, dataset *results.Dataset, recordFile string) []string {
	t.Helper()
	missing, err := Explain(t.Context(), plan, snapshotOf(t, dataset), recordFile)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, m := range missing {
		id, line, _ := strings.Cut(m.String(), " ")
		if id != m.Run.ID {
			t.Fatalf("%s is not of run %s", m, m.Run.ID)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestExplain(t *testing.T) {
	m := queueingModel(nil)
	recordFile := filepath.Join(t.TempDir(), "out", "plan.json")
	dataset := openDataset(t, t.TempDir(), m)
	options := Options{Record: recordFile}
	loads := []float64{0.5, 1}
	check := func(what string, plan *sweeps.Plan, want ...string) {
		t.Helper()
		if got := explained(t, plan, dataset, recordFile); !slices.Equal(got, want) {
			t.Errorf("%s:\n  %s\nwant\n  %s", what, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
		}
	}
	first := newPlan(m, 1, 5, loads[:1], 1)
	check("nothing run yet", first,
		"main 0.5 fcfs replication 0: never run", "main 0.5 easy replication 0: never run",
		"main 0.5 random replication 0: never run")
	mustRun(t, first, dataset, options)
	check("all run", first)
	check("another seed", newPlan(m, 2, 5, loads[:1], 1),
		"main 0.5 fcfs replication 0: seed 1 -> 2", "main 0.5 easy replication 0: seed 1 -> 2",
		"main 0.5 random replication 0: seed 1 -> 2")

	// The second plan stops after one run. For its other runs, the record keeps the runs of the
	// first plan, with which the third plan and the one after it are compared.
	second := newPlan(m, 2, 6, loads[:1], 1)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	stopped := Options{Record: recordFile, Workers: 1, Progress: func(p Progress) {
		if p.Finished == 1 {
			stop()
		}
	}}
	summary, err := Run(ctx, second, second.Runs, snapshotOf(t, dataset), stopped)
	if err != nil || summary.Finished != 1 {
		t.Fatal(summary, err)
	}
	wantThird := []string{
		"main 0.5 fcfs replication 0: jobs 6 -> 7", "main 0.5 easy replication 0: seed 1 -> 2, jobs 5 -> 7",
		"main 0.5 random replication 0: seed 1 -> 2, jobs 5 -> 7",
	}
	third := newPlan(m, 2, 7, loads[:1], 1)
	check("a second change", third, wantThird...)

	// The record keeps the cells that a later plan leaves out.
	other := newPlan(m, 2, 7, loads[1:], 1)
	mustRun(t, other, dataset, options)
	check("after a plan of other cells", third, wantThird...)
	other.Experiments[0].Name = "other"
	mustRun(t, other, dataset, options)
	check("after a plan of another experiment", third, wantThird...)

	// A new replication of a cell was never run.
	grown := newPlan(m, 2, 7, loads[1:], 2)
	check("more replications", grown,
		"main 1 fcfs replication 1: never run", "main 1 easy replication 1: never run",
		"main 1 random replication 1: never run")
}

// A run of two experiments is explained by the one whose cell was run before.
func TestExplainPrefersTheCellThatWasRun(t *testing.T) {
	m := queueingModel(nil)
	recordFile := filepath.Join(t.TempDir(), "plan.json")
	dataset := openDataset(t, t.TempDir(), m)
	mustRun(t, newPlan(m, 1, 5, []float64{1}, 1), dataset, Options{Record: recordFile})
	plan := newPlan(m, 1, 6, []float64{1}, 1)
	added := *plan.Experiments[0]
	added.Name = "added"
	plan.Experiments = []*sweeps.Experiment{&added, plan.Experiments[0]}
	want := []string{
		"main 1 fcfs replication 0: jobs 5 -> 6", "main 1 easy replication 0: jobs 5 -> 6",
		"main 1 random replication 0: jobs 5 -> 6",
	}
	if got := explained(t, plan, dataset, recordFile); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestRecordDoesNotDependOnTheShard(t *testing.T) {
	plan := smallPlan(queueingModel(nil))
	recordFile := filepath.Join(t.TempDir(), "plan.json")
	dataset := openDataset(t, t.TempDir(), plan.Model)
	var first string
	for i := range 3 {
		runs := plan.Shard(sweeps.Shard{Index: i + 1, Count: 3})
		if _, err := Run(t.Context(), plan, runs, snapshotOf(t, dataset), Options{Record: recordFile}); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(recordFile)
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = string(text)
		}
		if string(text) != first {
			t.Errorf("shard %d wrote\n%swant\n%s", i+1, text, first)
		}
	}
}

// A process that runs a shard does not replace the record of another plan; one that runs the whole
// plan does.
func TestShardKeepsTheRecord(t *testing.T) {
	m := queueingModel(nil)
	recordFile := filepath.Join(t.TempDir(), "plan.json")
	dataset := openDataset(t, t.TempDir(), m)
	mustRun(t, newPlan(m, 2, 5, []float64{1}, 1), dataset, Options{Record: recordFile})
	before, err := os.Stat(recordFile)
	if err != nil {
		t.Fatal(err)
	}
	plan := smallPlan(m)
	if _, err := Run(t.Context(), plan, plan.Runs[1:], snapshotOf(t, dataset), Options{Record: recordFile}); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(recordFile); err != nil || !os.SameFile(before, after) {
		t.Errorf("a shard of another plan replaced the record, %v", err)
	}
	mustRun(t, plan, dataset, Options{Record: recordFile})
	if r, err := readRecord(recordFile); err != nil || r.Plan != plan.Checksum() {
		t.Errorf("the record is of plan %s, %v, want %s", r.Plan, err, plan.Checksum())
	}
}

// An equal record is not written again, since a complete dataset may be read-only.
func TestRecordIsWrittenOnlyWhenItChanges(t *testing.T) {
	m := queueingModel(nil)
	recordFile := filepath.Join(t.TempDir(), "plan.json")
	dataset := openDataset(t, t.TempDir(), m)
	run := func(command string, plan *sweeps.Plan) os.FileInfo {
		t.Helper()
		mustRun(t, plan, dataset, Options{Record: recordFile, Provenance: results.Provenance{Command: command}})
		info, err := os.Stat(recordFile)
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	first := run("reproduce", smallPlan(m))
	if again := run("run", smallPlan(m)); !os.SameFile(first, again) {
		t.Error("an equal record was written again")
	}
	if other := run("run", newPlan(m, 2, 5, []float64{1}, 1)); os.SameFile(first, other) {
		t.Error("the record of another plan was not written")
	}
}

func TestForeignRecordIsRefused(t *testing.T) {
	plan := smallPlan(queueingModel(nil))
	recordFile := filepath.Join(t.TempDir(), "plan.json")
	if err := os.WriteFile(recordFile, []byte("my notes"), 0o666); err != nil {
		t.Fatal(err)
	}
	dataset := openDataset(t, t.TempDir(), plan.Model)
	_, err := Run(t.Context(), plan, plan.Runs, snapshotOf(t, dataset), Options{Record: recordFile})
	if err == nil || !strings.Contains(err.Error(), recordFile) {
		t.Errorf("error %v, want one that names %s", err, recordFile)
	}
	if text, _ := os.ReadFile(recordFile); string(text) != "my notes" {
		t.Errorf("the file was overwritten: %s", text)
	}
}

func TestMachineNamesTheProcessor(t *testing.T) {
	if text := Machine(); text == "" || text != Machine() || strings.ContainsAny(text, "\n\t") {
		t.Errorf("machine %q", text)
	}
	if host, err := os.Hostname(); err == nil && strings.Contains(Machine(), host) {
		t.Errorf("machine %q has the host name %q", Machine(), host)
	}
}

// A record of 20,000 cells is the same after it was written and read.
func TestRecordOfManyCells(t *testing.T) {
	loads := make([]float64, 7000)
	for i := range loads {
		loads[i] = float64(i + 1)
	}
	m := queueingModel(nil)
	plan := newPlan(m, 1, 5, loads, 1)
	finished := map[string]bool{}
	for i, run := range plan.Runs {
		finished[run.ID] = i%2 == 0
	}
	recordFile := filepath.Join(t.TempDir(), "plan.json")
	for _, seed := range []int64{1, 2, 3} {
		if err := RecordPlan(recordFile, newPlan(m, seed, 5, loads, 1), finished); err != nil {
			t.Fatal(err)
		}
	}
	last, err := readRecord(recordFile)
	if err != nil {
		t.Fatal(err)
	}
	for i, cell := range last.Experiments[0].Cells {
		id := plan.Runs[i].ID
		if want := finished[id]; (cell.Before != nil) != want || want && cell.Before[0] != id {
			t.Fatalf("cell %d: %+v, want before %s: %t", i, cell, id, want)
		}
	}
	if info, err := os.Stat(recordFile); err != nil || info.Size() > 150*int64(len(plan.Runs)) {
		t.Errorf("the record has %d bytes, want at most %d; %v", info.Size(), 150*len(plan.Runs), err)
	}
}
