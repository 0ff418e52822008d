// The number of times that commands open data files, counted by a recording file system, with at
// most 32 files open at a time.

package cli

import (
	"os/exec"
	"testing"

	"gridsweep/pipeline/workspace"
	"gridsweep/results"
)

// For any number of data files, a command opens each a fixed number of times, and few at once.
func TestManyDataFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("runs in make test-all")
	}
	t.Parallel()
	if !mayMount(t) {
		return
	}
	const batches, others = 500, 300 // others are plan.json, tables, the page and so on
	r := record(t)
	plan := []string{"coallocation", "--set", "requests=10", "--out", r.dir}
	writeBatches(t, r.dir, batches)
	for _, c := range []struct {
		arguments []string
		opens     int // of files for each batch, at most; it has two
	}{
		{append([]string{"status"}, plan...), 2},
		{append([]string{"run", "--shard", "1/66000"}, plan...), 2},
		{append([]string{"plan"}, plan...), 2},
		{append([]string{"plan", "--explain"}, plan...), 2},
		{[]string{"digest", "coallocation", "--out", r.dir}, 2},
		{append([]string{"analyze"}, plan...), 2},
		{append([]string{"report"}, plan...), 2},
		{[]string{"compact", "coallocation", "--out", r.dir}, 6},
	} {
		before := r.openings()
		command := exec.Command("sh", append([]string{"-c", `ulimit -n 32; exec gridsweep "$@"`, "sh"}, c.arguments...)...)
		if text, err := command.CombinedOutput(); err != nil {
			t.Errorf("%v: %v\n%s", c.arguments, err, text)
		}
		if n := r.openings() - before; n > c.opens*batches+others {
			t.Errorf("%v opens files %d times, more than %d for each of %d batches", c.arguments, n, c.opens, batches)
		}
	}
}

// writeBatches makes a dataset with a batch for each of the first runs of the plan: a data file of
// runs and one of timings.
func writeBatches(t *testing.T, out string, batches int) {
	t.Helper()
	s := workspace.Selection{Out: out, Set: []string{"requests=10"}}
	study := open(t, s, "coallocation")[0]
	plan, dataset := study.Plan, study.Dataset
	for _, run := range plan.Runs[:batches] {
		outcome, err := plan.Model.Simulate(t.Context(), run.Point, plan.Model.Env(plan.Seed, run.Replication, nil))
		if err != nil {
			t.Fatal(err)
		}
		err = dataset.WriteBatch([]results.Run{{
			ID: run.ID, Seed: plan.Seed, Replication: run.Replication, Point: run.Point, Outcome: outcome,
			Timings: []results.Timing{{Machine: "this", Section: "run", Seconds: 1, Items: 1}},
		}}, results.Provenance{})
		if err != nil {
			t.Fatal(err)
		}
	}
}
