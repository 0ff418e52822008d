package pipeline

import (
	"context"
	"maps"

	"gridsweep/results"
	"gridsweep/sweeps"
)

// Finished returns the ids of the runs that need no more work: those in the dataset, but for runs
// of the plan that are to be measured and have so far only been run beside others. The error is of
// reading the timings.
func Finished(ctx context.Context, plan *sweeps.Plan, snapshot *results.Snapshot) (map[string]bool, error) {
	finished, _, err := finishedRuns(ctx, plan, snapshot)
	return finished, err
}

// finishedRuns returns what Finished does, and the ids of the runs that are in the dataset but
// still to be measured.
func finishedRuns(
	ctx context.Context, plan *sweeps.Plan, snapshot *results.Snapshot,
) (finished, unmeasured map[string]bool, err error) {
	unmeasured, err = unmeasuredRuns(ctx, plan, snapshot)
	if err != nil {
		return nil, nil, err
	}
	finished = maps.Clone(snapshot.Finished())
	for id := range unmeasured {
		delete(finished, id)
	}
	return finished, unmeasured, nil
}

// unmeasuredRuns returns the ids of the runs in the dataset that are to be measured and were not.
func unmeasuredRuns(
	ctx context.Context, plan *sweeps.Plan, snapshot *results.Snapshot,
) (map[string]bool, error) {
	stored := snapshot.Finished()
	wanting := map[string]bool{}
	for _, run := range plan.Runs {
		if run.Measure && stored[run.ID] {
			wanting[run.ID] = true
		}
	}
	if len(wanting) == 0 {
		return wanting, nil
	}
	timings, err := snapshot.Read(ctx, results.TimingsTable, []string{results.MeasuredColumn}, wanting)
	if err != nil {
		return nil, err
	}
	measured := timings.Column(results.MeasuredColumn)
	for _, id := range timings.Runs() {
		for row, end := timings.Rows(id); row < end; row++ {
			if measured.Value(row).Bool() {
				delete(wanting, id)
			}
		}
	}
	return wanting, nil
}
