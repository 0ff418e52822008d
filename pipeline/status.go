package pipeline

import (
	"context"
	"time"

	"gridsweep/model"
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

// Estimate returns how long Run will take for the runs, with that many workers on this machine: their cost times the
// seconds per cost of all runs of the study that this machine has timed, where measured runs go one at a time. It is
// not known where it has timed none. The error is of reading the dataset.
func Estimate(
	ctx context.Context, plan *sweeps.Plan, runs []sweeps.Run, dataset *results.Dataset, workers int,
) (left time.Duration, known bool, err error) {
	rate, known, err := secondsPerCost(ctx, plan.Model, dataset)
	if err != nil || !known {
		return 0, false, err
	}
	alone, shared := 0.0, 0.0
	for _, run := range runs {
		if run.Measure {
			alone += run.Cost
		} else {
			shared += run.Cost
		}
	}
	seconds := rate * (alone + shared/float64(workers))
	return time.Duration(seconds * float64(time.Second)), true, nil
}

// secondsPerCost returns what a unit of cost took on this machine, if it is known.
func secondsPerCost(ctx context.Context, m *model.Model, dataset *results.Dataset) (rate float64, known bool, err error) {
	costs, err := costsOf(ctx, m, dataset)
	if err != nil {
		return 0, false, err
	}
	timings, err := dataset.Read(ctx, results.TimingsTable, []string{results.MachineColumn, "section", "seconds"}, nil)
	if err != nil {
		return 0, false, err
	}
	machines, sections, seconds := timings.Column(results.MachineColumn), timings.Column("section"), timings.Column("seconds")
	here := Machine()
	spent, cost := 0.0, 0.0
	for _, id := range timings.Runs() {
		for row, end := timings.Rows(id); row < end; row++ {
			if sections.Value(row).Text() == runSection && machines.Value(row).Text() == here {
				spent += seconds.Value(row).Float()
				cost += costs[id]
			}
		}
	}
	if cost == 0 {
		return 0, false, nil
	}
	return spent / cost, true, nil
}

// costsOf returns the cost of every run in the dataset.
func costsOf(ctx context.Context, m *model.Model, dataset *results.Dataset) (map[string]float64, error) {
	columns := make([]string, len(m.Parameters))
	for i, p := range m.Parameters {
		columns[i] = p.Name
	}
	rows, err := dataset.Read(ctx, model.RunsTable, columns, nil)
	if err != nil {
		return nil, err
	}
	costs := map[string]float64{}
	point := make(model.Point, len(columns))
	for _, id := range rows.Runs() {
		row, _ := rows.Rows(id)
		for i, name := range columns {
			point[i] = rows.Column(name).Value(row)
		}
		costs[id] = m.Cost(point)
	}
	return costs, nil
}
