// The runs that one process takes of a plan: a shard, a task of a submission or chosen ids.

package workspace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gridsweep/pipeline"
	"gridsweep/pipeline/batch"
	"gridsweep/sweeps"
)

// Portion is which runs of plans a process takes and which plans it accepts, as the flags of the
// command line say it.
type Portion struct {
	Shard string // i/n, env or env/n; empty for all
	// checksum of the plan, or the plan file of a submission; empty for any plan
	Plan string
	IDs  []string // ids of the runs to take; none for all
	// command that submits the missing runs of a submission; empty outside of one
	Rest string
}

// OfSubmission reports whether the plan is that of a submission's file: a checksum has no dot.
func (p Portion) OfSubmission() bool { return strings.HasSuffix(p.Plan, ".json") }

// Runs returns the runs of the portion, by study. The error is of the flags or names a plan or
// program that differs.
func (p Portion) Runs(studies []*Study) ([][]sweeps.Run, error) {
	chosen, err := p.cut(studies)
	if err != nil || len(p.IDs) == 0 {
		return chosen, err
	}
	found := map[string]bool{}
	for i := range chosen {
		chosen[i] = slices.DeleteFunc(slices.Clone(chosen[i]), func(run sweeps.Run) bool {
			return !slices.Contains(p.IDs, run.ID)
		})
		for _, run := range chosen[i] {
			found[run.ID] = true
		}
	}
	for _, id := range p.IDs {
		if !found[id] {
			return nil, fmt.Errorf("--id %s: %s has no such run; gridsweep plan --format csv lists them", id, p)
		}
	}
	return chosen, nil
}

// cut returns the runs of each study's shard, whatever their ids.
func (p Portion) cut(studies []*Study) ([][]sweeps.Run, error) {
	if p.OfSubmission() {
		return p.submitted(studies)
	}
	shard, err := p.Parse(0)
	if err != nil {
		return nil, err
	}
	if err := p.checkChecksum(studies); err != nil {
		return nil, err
	}
	chosen := make([][]sweeps.Run, len(studies))
	for i, study := range studies {
		chosen[i] = study.Plan.Shard(shard)
	}
	return chosen, nil
}

// checkChecksum returns an error unless the portion accepts any plan or the study's.
func (p Portion) checkChecksum(studies []*Study) error {
	if p.Plan == "" {
		return nil
	}
	if len(studies) > 1 {
		return fmt.Errorf("--plan is the checksum of one plan: name one study")
	}
	if sum := studies[0].Plan.Checksum(); sum != p.Plan {
		return fmt.Errorf("--plan %s: the plan of %s has the checksum %s: all shards must be of one plan, "+
			"made by one version of the program from one study file with the same options", p.Plan, studies[0].Name, sum)
	}
	return nil
}

// submitted returns the runs of each study's shard as a submission's plan file cuts it.
func (p Portion) submitted(studies []*Study) ([][]sweeps.Run, error) {
	submission, err := pipeline.ReadSubmission(p.Plan)
	if err != nil {
		return nil, err
	}
	from, to, err := p.shards(submission)
	if err != nil {
		return nil, err
	}
	chosen := make([][]sweeps.Run, len(studies))
	for i, study := range studies {
		program, err := study.workspace.Program.Identity()
		if err != nil {
			return nil, err
		}
		if chosen[i], err = submission.Runs(study.Plan, program, from, to); err != nil {
			if p.Rest != "" {
				return nil, fmt.Errorf("--plan %s: %w:\n    %s", p.Plan, err, p.Rest)
			}
			return nil, fmt.Errorf("--plan %s: %w", p.Plan, err)
		}
	}
	return chosen, nil
}

// shards returns the shards [from, to) of a submission, from 0, that --shard means: all of them
// without it, one for i/n, and those of one task of the array where the environment says which.
func (p Portion) shards(s *pipeline.Submission) (from, to int, err error) {
	switch {
	case p.Shard == "":
		return 0, s.Shards, nil
	case p.isEnvironment():
		task, err := p.Parse(s.Tasks)
		if err != nil {
			return 0, 0, err
		}
		if task.Count != s.Tasks {
			return 0, 0, fmt.Errorf("--shard %s: %s has %d tasks; write env", p.Shard, p.Plan, s.Tasks)
		}
		from, to = s.Task(task.Index - 1)
		return from, to, nil
	default:
		shard, err := p.Parse(0)
		if err != nil {
			return 0, 0, err
		}
		if shard.Count != s.Shards {
			return 0, 0, fmt.Errorf("--shard %s: %s has %d shards; write i/%d, or env in a task of the array",
				p.Shard, p.Plan, s.Shards, s.Shards)
		}
		return shard.Index - 1, shard.Index, nil
	}
}

func (p Portion) isEnvironment() bool { return p.Shard == "env" || strings.HasPrefix(p.Shard, "env/") }

// Parse reads --shard. For env without a number, count is the number of tasks; 0 means that of the
// scheduler.
func (p Portion) Parse(count int) (sweeps.Shard, error) {
	if p.Shard == "" {
		return sweeps.Shard{}, nil
	}
	if !p.isEnvironment() {
		return sweeps.ParseShard(p.Shard)
	}
	if number, hasNumber := strings.CutPrefix(p.Shard, "env/"); hasNumber {
		var err error
		if count, err = strconv.Atoi(number); err != nil || count < 1 {
			return sweeps.Shard{}, fmt.Errorf("--shard %s: write env, or env/n with the number of shards n, such as env/20",
				p.Shard)
		}
	}
	task, err := batch.Find()
	if err != nil {
		return sweeps.Shard{}, fmt.Errorf("--shard %s: %w", p.Shard, err)
	}
	index, count, err := task.Shard(count)
	if err != nil {
		return sweeps.Shard{}, fmt.Errorf("--shard %s: %w", p.Shard, err)
	}
	return sweeps.Shard{Index: index + 1, Count: count}, nil
}

// String returns the shard for people, as in "shard 2/7 of the plan".
func (p Portion) String() string {
	if p.Shard == "" {
		return "the plan"
	}
	return fmt.Sprintf("shard %s of the plan", p.Shard)
}
