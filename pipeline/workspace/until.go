package workspace

// Plans that get replications until their targets are reached.

import (
	"context"
	"fmt"

	"gridsweep/analysis"
	"gridsweep/analysis/sequential"
	"gridsweep/pipeline"
)

// DefaultMaxRounds is the most replications of a cell with Selection.Until.
const DefaultMaxRounds = 1000

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
	looks, err := sequential.New(targets, s.selection.MaxRounds, s.Plan)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	s.looks = looks
	if s.Plan, err = s.expand(ctx, looks.Replications); err != nil || s.selection.IsEmpty {
		return err
	}
	_, err = s.Grow(ctx)
	return err
}

// HasTargets reports whether replications are added until targets are reached.
func (s *Study) HasTargets() bool { return s.looks != nil }

// Grow adds replications to the plan: while the dataset has all of its runs, it looks at them, and
// gives the cells that have not reached their targets more. It returns whether runs of the plan are
// missing. Without targets the plan stays.
func (s *Study) Grow(ctx context.Context) (isMissing bool, err error) {
	if s.looks == nil || s.hasEnded {
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
		grew, err := s.looks.Look(ctx, s.Plan, snapshot, pipeline.Machine())
		if s.hasEnded = err == nil && !grew; s.hasEnded || err != nil {
			return false, err
		}
		if s.Plan, err = s.expand(ctx, s.looks.Replications); err != nil {
			return false, err
		}
	}
}

// TargetsInWords says how far each target of the selection is; nothing without targets.
func (s *Study) TargetsInWords() []string {
	if s.looks == nil {
		return nil
	}
	return s.looks.Sentences()
}

// Expectations says how many replications the targets will take; nothing without targets.
func (s *Study) Expectations() []string {
	if s.looks == nil {
		return nil
	}
	return s.looks.Expectations()
}

// decisions are the verdicts at the looks; nil without a target about claims.
func (s *Study) decisions() map[analysis.Subject]analysis.Decision {
	if s.looks == nil {
		return nil
	}
	return s.looks.Decisions
}
