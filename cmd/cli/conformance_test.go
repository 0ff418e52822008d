// The contract of models, on runs of every study's quick plan: runs repeat to equal rows in any
// order and with any memo, replications differ, and all rows can be stored.

package cli

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/pipeline/traces"
	"gridsweep/pipeline/workspace"
	"gridsweep/results"
	"gridsweep/sweeps"
)

// Runs spread over each quick plan give the same rows again in another order, have positive costs,
// and can be stored.
func TestStudiesConform(t *testing.T) {
	for _, name := range configs.List() {
		t.Run(name, func(t *testing.T) {
			plan := smallPlan(t, name)
			samples := min(40, len(plan.Runs))
			if testing.Short() {
				samples = 5
			}
			var chosen []sweeps.Run
			for i := range samples {
				chosen = append(chosen, plan.Runs[i*len(plan.Runs)/samples])
			}
			first := map[string]string{}
			for _, run := range chosen {
				first[run.ID] = rowsOf(t, plan, run)
				if !(run.Cost > 0) {
					t.Errorf("run %s costs %v", run.ID, run.Cost)
				}
			}
			store(t, plan, chosen[0])
			slices.Reverse(chosen)
			for _, run := range chosen {
				if rowsOf(t, plan, run) != first[run.ID] {
					t.Errorf("run %s gives other rows when it is run again after others", run.ID)
				}
			}
		})
	}
}

func TestReplicationsDiffer(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: simulates two replications of every experiment")
	}
	for _, name := range configs.List() {
		t.Run(name, func(t *testing.T) {
			plan := smallPlan(t, name)
			several, different := 0, 0
			for _, experiment := range plan.Experiments {
				if experiment.Most < 2 {
					continue
				}
				cell := experiment.Cells[len(experiment.Cells)-1]
				several++
				if rowsOf(t, plan, plan.Runs[cell.Runs[0]]) != rowsOf(t, plan, plan.Runs[cell.Runs[1]]) {
					different++
				}
			}
			if different < several {
				t.Errorf("%d of %d experiments give the same rows in two replications", several-different, several)
			}
		})
	}
}

// Rows do not depend on the size of the memo, too small or large; TestDigestsAreEqual has a plan
// without it. Under the race detector this test finds workers that change shared values.
func TestMemoChangesNoRow(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: runs each study twice")
	}
	for _, name := range configs.List() {
		t.Run(name, func(t *testing.T) {
			t.Setenv(traces.FolderVariable, traces.NoFolder)
			digests := map[string]string{}
			for _, memo := range []string{"1", "1000"} {
				selected := []string{name, "--quick", "--out", t.TempDir()}
				runs := slices.Concat([]string{"run"}, selected, []string{"--shard", "5/8", "--workers", "4", "--memo", memo})
				for _, set := range smallOf(t, name).Set {
					runs = append(runs, "--set", set)
				}
				var printed strings.Builder
				for _, args := range [][]string{runs, slices.Concat([]string{"digest"}, selected)} {
					if err := execute(t.Context(), args, nil, &printed, io.Discard); err != nil {
						t.Fatal(err)
					}
				}
				digest, _, _ := strings.Cut(printed.String(), " ")
				expect(t, digests, name, "memo of "+memo, digest)
			}
		})
	}
}

// smallPlan returns the small quick plan of a built-in study; see smallRun.
func smallPlan(t *testing.T, name string) *sweeps.Plan {
	t.Helper()
	t.Setenv(traces.FolderVariable, traces.NoFolder)
	s := workspace.Selection{Out: t.TempDir(), Quick: true, Set: smallOf(t, name).Set}
	return open(t, s, name)[0].Plan
}

// rowsOf runs a run and returns the rows of all its tables.
func rowsOf(t *testing.T, plan *sweeps.Plan, run sweeps.Run) string {
	t.Helper()
	outcome, err := plan.Model.Simulate(t.Context(), run.Point, plan.Model.Env(plan.Seed, run.Replication, nil))
	if err == nil {
		err = results.Check(plan.Model, outcome)
	}
	if err != nil {
		t.Fatalf("run %s: %v", run.ID, err)
	}
	var rows strings.Builder
	for i := range plan.Model.Tables {
		for row := range outcome.Rows(i) {
			for _, value := range row {
				writeValue(&rows, value)
			}
		}
		rows.WriteString("\n")
	}
	return rows.String()
}

// store executes a run and stores it with all optional tables, whose rows are made only then.
func store(t *testing.T, plan *sweeps.Plan, run sweeps.Run) {
	t.Helper()
	var optional []string
	for _, table := range plan.Model.Tables {
		if table.Optional {
			optional = append(optional, table.Name)
		}
	}
	dataset, err := results.Open(t.TempDir(), plan.Study.Name, plan.Model, optional...)
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := plan.Model.Simulate(t.Context(), run.Point, plan.Model.Env(plan.Seed, run.Replication, nil))
	if err != nil {
		t.Fatal(err)
	}
	stored := results.Run{ID: run.ID, Seed: plan.Seed, Replication: run.Replication, Point: run.Point, Outcome: outcome}
	if err := dataset.WriteBatch([]results.Run{stored}, results.Provenance{}); err != nil {
		t.Error(err)
	}
	if finished, err := finishedIn(t.Context(), dataset); err != nil || !finished[run.ID] {
		t.Errorf("run %s with tables %q is not finished, %v", run.ID, optional, err)
	}
}

// finishedIn returns the ids of the finished runs of a dataset, all of whose files it verifies.
func finishedIn(ctx context.Context, dataset *results.Dataset) (map[string]bool, error) {
	snapshot, err := dataset.Snapshot(ctx, 0)
	if err != nil {
		return nil, err
	}
	return snapshot.Finished(), snapshot.Verify(ctx, nil)
}

func writeValue(rows *strings.Builder, value model.Value) {
	if value.IsNull() {
		rows.WriteString("null")
	}
	rows.WriteString(value.String() + "\x00")
}
