// The ids of runs, and which runs of a plan need no more work.

package pipeline

import (
	"context"
	"maps"

	"gridsweep/results"
	"gridsweep/sweeps"
)

// IDs returns the ids of runs.
func IDs(runs []sweeps.Run) map[string]bool {
	ids := make(map[string]bool, len(runs))
	for _, run := range runs {
		ids[run.ID] = true
	}
	return ids
}

// Finished returns the ids of the runs that need no more work: those in the dataset, except runs of
// the plan that are to be measured and have so far only been run beside others. The error is of
// reading the timings.
func Finished(ctx context.Context, plan *sweeps.Plan, snapshot *results.Snapshot) (map[string]bool, error) {
	finished, _, err := finishedRuns(ctx, plan, snapshot)
	return finished, err
}

// finishedRuns returns the runs of Finished, and the ids of the runs in the dataset that are still
// to be measured.
func finishedRuns(
	ctx context.Context, plan *sweeps.Plan, snapshot *results.Snapshot,
) (finished, unmeasured map[string]bool, err error) {
	finished, unmeasured = maps.Clone(snapshot.Finished()), map[string]bool{}
	for _, run := range plan.Runs {
		if run.Measure && finished[run.ID] {
			unmeasured[run.ID] = true
		}
	}
	if len(unmeasured) == 0 {
		return finished, unmeasured, nil
	}
	timings, err := snapshot.Read(ctx, results.TimingsTable, []string{results.MeasuredColumn}, unmeasured)
	if err != nil {
		return nil, nil, err
	}
	measured := timings.Column(results.MeasuredColumn)
	for _, id := range timings.Runs() {
		for row, end := timings.Rows(id); row < end; row++ {
			if measured.Value(row).Bool() {
				delete(unmeasured, id)
			}
		}
	}
	for id := range unmeasured {
		delete(finished, id)
	}
	return finished, unmeasured, nil
}
