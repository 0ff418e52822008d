package pipeline

import (
	"context"

	"gridsweep/results"
	"gridsweep/sweeps"
)

// ExperimentStatus is how far an experiment is. A run that several experiments share counts in each of them.
type ExperimentStatus struct {
	Experiment            string
	Done, Failed, Missing int // runs in the dataset; failed and not run since; neither
}

// Status returns how far each experiment of a plan is, in the plan's order. The error is of reading the dataset.
func Status(ctx context.Context, plan *sweeps.Plan, dataset *results.Dataset) ([]ExperimentStatus, error) {
	finished, err := Finished(ctx, plan, dataset)
	if err != nil {
		return nil, err
	}
	failed, err := failedBefore(dataset)
	if err != nil {
		return nil, err
	}
	statuses := make([]ExperimentStatus, len(plan.Experiments))
	for i, e := range plan.Experiments {
		counted := make([]bool, len(plan.Runs))
		statuses[i].Experiment = e.Name
		for _, cell := range e.Cells {
			for _, run := range cell.Runs {
				if counted[run] {
					continue
				}
				counted[run] = true
				switch id := plan.Runs[run].ID; {
				case finished[id]:
					statuses[i].Done++
				case failed[id]:
					statuses[i].Failed++
				default:
					statuses[i].Missing++
				}
			}
		}
	}
	return statuses, nil
}
