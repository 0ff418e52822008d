package pipeline

// The check of a plan before it is run: whether the traces have what its cells need.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"gridsweep/model"
	"gridsweep/model/trace"
	"gridsweep/sweeps"
)

// Check returns an error if runs must fail because of the content of their traces, such as a log
// with fewer parts than there are replications: one error for each trace, with the first cell that
// it concerns. It reads traces, with open, only if the model has to. It simulates no run.
func Check(
	ctx context.Context, plan *sweeps.Plan, runs []sweeps.Run,
	open func(ctx context.Context, reference string) (*trace.Log, error),
) error {
	m := plan.Model
	if !m.Checks() {
		return nil
	}
	replications := map[*model.Value]int{} // by the first value of the point
	for _, run := range plan.Runs {
		replications[first(run.Point)] = max(replications[first(run.Point)], run.Round+1)
	}
	shared := newMemo(DefaultMemo(1))
	wrong := map[string]bool{} // traces of which something is wrong
	cells := firstCells(plan)
	var problems []error
	for _, run := range runs {
		n, isUnchecked := replications[first(run.Point)]
		h := &host{memo: shared, reads: readsOf(m, run.Point, open)}
		read := fmt.Sprint(h.reads.references)
		if !isUnchecked || wrong[read] {
			continue
		}
		delete(replications, first(run.Point))
		err := m.Check(ctx, run.Point, n, m.Env(plan.Seed, 0, h))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // a missing trace is no problem of a plan
			wrong[read] = true
			problems = append(problems, fmt.Errorf("%s: %w", cells[run.ID], err))
		}
	}
	return errors.Join(problems...)
}
