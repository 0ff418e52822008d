// The runs of one process: those of a shard, an array task and a list of ids are compared with the
// shards of a plan, and wrong flags are refused.

package workspace

import (
	"strings"
	"testing"

	"gridsweep/sweeps"
)

// TestPortionOfAPlan cuts a plan into two shards.
func TestPortionOfAPlan(t *testing.T) {
	s := Selection{Out: t.TempDir(), Quick: true, Experiments: []string{"cost"}}
	studies := open(t, s, "coallocation")
	plan := studies[0].Plan
	for name, value := range map[string]string{
		"SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_COUNT": "2",
		// of a batch job that runs the tests
		"SLURM_ARRAY_TASK_MAX": "", "SLURM_ARRAY_TASK_STEP": "", "PBS_ARRAY_INDEX": "", "PBS_ARRAYID": "", "SGE_TASK_ID": "",
		"LSB_JOBINDEX": "", "AWS_BATCH_JOB_ARRAY_INDEX": "", "JOB_COMPLETION_INDEX": "", "PARALLEL_SEQ": "",
	} {
		t.Setenv(name, value)
	}
	second := plan.Shard(sweeps.Shard{Index: 2, Count: 2})
	for _, c := range []struct {
		portion Portion
		want    []sweeps.Run
	}{
		{Portion{}, plan.Runs}, {Portion{Plan: plan.Checksum()}, plan.Runs}, {Portion{Shard: "2/2"}, second},
		{Portion{Shard: "env/2"}, second}, {Portion{Shard: "2/2", IDs: []string{second[0].ID}}, second[:1]},
	} {
		runs, err := c.portion.Runs(studies)
		if err != nil || len(runs) != 1 || len(runs[0]) != len(c.want) || runs[0][0].ID != c.want[0].ID {
			t.Fatalf("%s: runs %v, want %d; error %v", c.portion, runs, len(c.want), err)
		}
	}
	for _, c := range []struct {
		portion Portion
		studies []*Study
		want    string
	}{
		{Portion{Shard: "3/2"}, studies, `shard "3/2": write i/n`},
		{Portion{Shard: "env/x"}, studies, "--shard env/x: write env, or env/n"},
		{Portion{Plan: "abc"}, studies, "--plan abc: the plan of coallocation"},
		{Portion{Plan: plan.Checksum()}, append(studies, studies...), "name one study"},
		{Portion{Plan: "missing/plan.json"}, studies, "read the plan of a submission"},
		{Portion{Shard: "1/2", IDs: []string{second[0].ID}}, studies, "shard 1/2 of the plan has no such run"},
	} {
		if _, err := c.portion.Runs(c.studies); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", c.portion, err, c.want)
		}
	}
}
