package pipeline

// The check of a plan before it is run: whether the traces have what its cells need.

import (
	"context"
	"errors"
	"fmt"

	"gridsweep/model"
	"gridsweep/model/trace"
	"gridsweep/sweeps"
)

// Check returns an error where runs must fail for what their traces hold, such as more replications
// than a log has parts: one for each trace, with the first cell that it concerns. It reads traces,
// with open, only where the model has to look into them. No run is made.
func Check(
	ctx context.Context, plan *sweeps.Plan, runs []sweeps.Run,
	open func(ctx context.Context, reference string) (*trace.Log, error),
) error {
	m := plan.Model
	if !m.Checks() {
		return nil
	}
	rounds := map[*model.Value]int{}
	for _, run := range plan.Runs {
		rounds[&run.Point[0]] = max(rounds[&run.Point[0]], run.Round+1)
	}
	shared := newMemo(DefaultMemo(1))
	wrong := map[string]bool{} // traces of which something is wrong
	cells := firstCells(plan)
	var problems []error
	for _, run := range runs {
		n, isNew := rounds[&run.Point[0]]
		h := &host{memo: shared, reads: readsOf(m, run.Point, open)}
		read := fmt.Sprint(h.reads.references)
		if !isNew || wrong[read] {
			continue
		}
		delete(rounds, &run.Point[0])
		if err := m.Check(ctx, run.Point, n, m.Env(plan.Seed, 0, h)); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			wrong[read] = true
			problems = append(problems, fmt.Errorf("%s: %w", cells[run.ID], err))
		}
	}
	return errors.Join(problems...)
}
