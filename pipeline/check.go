// The check of a plan before it is run: whether the traces have what its cells need.

package pipeline

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/sweeps"
)

// Check returns how many jobs of their traces runs leave out: for each value of the parameter trace
// every number that occurs. It returns a configs.Problems if runs must fail because of the content
// of their traces, such as a log with fewer segments than there are replications: one problem for
// each trace, with the line of the study and the first cell that it concerns. It reads traces, with
// open, only if the model has to. It simulates no run.
func Check(
	ctx context.Context, plan *sweeps.Plan, runs []sweeps.Run, open traceOpener,
) (leftOut map[string][]int64, err error) {
	m := plan.Model
	if m.Check == nil {
		return nil, nil
	}
	leftOut = map[string][]int64{}
	replications := map[pointKey]int{}
	for _, run := range plan.Runs {
		replications[keyOf(run.Point)] = max(replications[keyOf(run.Point)], run.Replication+1)
	}
	shared := newMemo(DefaultMemo(1))
	checked := map[pointKey]bool{}
	wrong := map[string]bool{} // traces of which something is wrong
	var problems configs.Problems
	for _, run := range runs {
		point := keyOf(run.Point)
		h := &host{memo: shared, traces: tracesOf(m, run.Point, open)}
		traces := strings.Join(h.traces.references, ",")
		if checked[point] || wrong[traces] {
			continue
		}
		checked[point] = true
		left, err := m.Check(ctx, run.Point, replications[point], m.Env(plan.Seed, 0, h))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		switch {
		case err == nil:
			if !slices.Contains(leftOut[traces], left) {
				leftOut[traces] = append(leftOut[traces], left)
			}
		case !errors.Is(err, fs.ErrNotExist): // a missing trace is no problem of a plan
			wrong[traces] = true
			problem := model.Problem{Field: model.TraceParameter, Text: err.Error()}
			errors.As(err, &problem)
			plan.Report(&problems, run, problem)
		}
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return leftOut, nil
}
