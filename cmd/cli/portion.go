package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"gridsweep/pipeline"
	"gridsweep/pipeline/batch"
	"gridsweep/pipeline/workspace"
	"gridsweep/sweeps"
)

// portion is which part of each plan is run, and what the plan has to be: the flags --shard and --plan.
type portion struct {
	shard  string // i/n, env or env/n
	plan   string // a digest, or the plan file of a submission
	lookup batch.Lookup
	rest   string // command that submits what a submission leaves undone; empty where that is not to be said
}

func (p *portion) addFlags(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&p.shard, "shard", "",
		"run the `i/n`-th part of the plan; as env or env/n, the variables of a cluster's scheduler say which")
	flags.StringVar(&p.plan, "plan", "", "refuse to run unless the plan has this `DIGEST` (see gridsweep plan), or is that of this "+
		"file of gridsweep submit, which then says what its shards are")
}

// isFile reports whether --plan names the plan file of a submission: a digest has no dot.
func (p portion) isFile() bool { return strings.HasSuffix(p.plan, ".json") }

// runs returns the runs of each target's part. The error is of the flags, or says that a plan is another.
func (p portion) runs(studies []*workspace.Study, program workspace.Program) ([][]sweeps.Run, error) {
	if p.isFile() {
		return p.submittedRuns(studies, program)
	}
	shard, err := p.parse(0)
	if err != nil {
		return nil, err
	}
	if err := checkDigest(studies, p.plan); err != nil {
		return nil, err
	}
	chosen := make([][]sweeps.Run, len(studies))
	for i, study := range studies {
		chosen[i] = study.Plan.Shard(shard)
	}
	return chosen, nil
}

// submittedRuns returns the runs of each target's part as a submission's plan file cuts it.
func (p portion) submittedRuns(studies []*workspace.Study, program workspace.Program) ([][]sweeps.Run, error) {
	submission, err := pipeline.ReadSubmission(p.plan)
	if err != nil {
		return nil, usageError(err)
	}
	identity, err := program.Identity()
	if err != nil {
		return nil, err
	}
	from, to, err := p.shards(submission)
	if err != nil {
		return nil, err
	}
	chosen := make([][]sweeps.Run, len(studies))
	for i, study := range studies {
		if chosen[i], err = submission.Runs(study.Plan, identity, from, to); err != nil {
			if p.rest != "" {
				return nil, usageErrorf("--plan %s: %w:\n    %s", p.plan, err, p.rest)
			}
			return nil, usageErrorf("--plan %s: %w", p.plan, err)
		}
	}
	return chosen, nil
}

// shards returns the shards [from, to) of a submission, from 0, that --shard means: all of them without it, one for
// i/n, and those of one task of the array where the environment says which.
func (p portion) shards(s *pipeline.Submission) (from, to int, err error) {
	switch {
	case p.shard == "":
		return 0, s.Shards, nil
	case p.isEnvironment():
		task, err := p.parse(s.Tasks)
		if err != nil {
			return 0, 0, err
		}
		if task.Count != s.Tasks {
			return 0, 0, usageErrorf("--shard %s: %s has %d tasks; write env", p.shard, p.plan, s.Tasks)
		}
		from, to = s.Task(task.Index - 1)
		return from, to, nil
	default:
		shard, err := p.parse(0)
		if err != nil {
			return 0, 0, err
		}
		if shard.Count != s.Shards {
			return 0, 0, usageErrorf("--shard %s: %s has %d shards; write i/%d, or env in a task of the array",
				p.shard, p.plan, s.Shards, s.Shards)
		}
		return shard.Index - 1, shard.Index, nil
	}
}

func (p portion) isEnvironment() bool { return p.shard == "env" || strings.HasPrefix(p.shard, "env/") }

// parse reads --shard. Of env without a number, count is the number of tasks, 0 for as many as the scheduler says.
func (p portion) parse(count int) (sweeps.Shard, error) {
	if !p.isEnvironment() {
		return parseShard(p.shard)
	}
	if number, given := strings.CutPrefix(p.shard, "env/"); given {
		var err error
		if count, err = strconv.Atoi(number); err != nil || count < 1 {
			return sweeps.Shard{}, usageErrorf("--shard %s: write env, or env/n with the number of parts n, such as env/20",
				p.shard)
		}
	}
	task, err := batch.Find(p.lookup)
	if err != nil {
		return sweeps.Shard{}, usageErrorf("--shard %s: %w", p.shard, err)
	}
	index, count, err := task.Shard(count)
	if err != nil {
		return sweeps.Shard{}, usageErrorf("--shard %s: %w", p.shard, err)
	}
	return sweeps.Shard{Index: index + 1, Count: count}, nil
}

// String returns the part for people, as in "shard 2/7 of the plan".
func (p portion) String() string {
	if p.shard == "" {
		return "the plan"
	}
	return fmt.Sprintf("shard %s of the plan", p.shard)
}
