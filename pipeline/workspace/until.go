// Plans that get replications until their targets are reached.

package workspace

import (
	"context"
	"fmt"

	"gridsweep/analysis/sequential"
	"gridsweep/pipeline"
)

// DefaultMaxReplications is the default of --max-rounds, for Selection.MaxReplications.
const DefaultMaxReplications = 1000

// begin prepares the looks of a selection with targets, and adds the replications that the dataset
// has completed.
func (s *Study) begin(ctx context.Context) error {
	if len(s.selection.Until) == 0 {
		return nil
	}
	var targets []sequential.Target
	for _, text := range s.selection.Until {
		target, err := sequential.Parse(text)
		if err != nil {
			return fmt.Errorf("--until %w", err)
		}
		targets = append(targets, target)
	}
	looks, err := sequential.New(targets, s.selection.MaxReplications, s.Plan)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	s.Looks = looks
	if s.Plan, err = s.expand(ctx, looks.Replications); err != nil || s.selection.Fresh {
		return err
	}
	_, err = s.Grow(ctx)
	return err
}

// Grow adds replications to the plan: while the dataset has all of its runs, it looks at them, and
// gives the cells that have not reached their targets more. It returns whether runs of the plan are
// missing. Without targets it returns false, whatever is missing, and the plan stays.
func (s *Study) Grow(ctx context.Context) (isMissing bool, err error) {
	if len(s.Looks.Targets) == 0 || s.hasEnded {
		return false, nil
	}
	snapshot, err := s.Snapshot(ctx)
	if err != nil {
		return false, err
	}
	for {
		finished, err := pipeline.Finished(ctx, s.Plan, snapshot)
		if err != nil {
			return false, err
		}
		for _, run := range s.Plan.Runs {
			if !finished[run.ID] {
				return true, nil
			}
		}
		grew, err := s.Looks.Look(ctx, s.Plan, snapshot, pipeline.Machine())
		s.hasEnded = err == nil && !grew
		if err != nil || !grew {
			return false, err
		}
		if s.Plan, err = s.expand(ctx, s.Looks.Replications); err != nil {
			return false, err
		}
	}
}
