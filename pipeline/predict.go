// Predicted times of runs and of a whole plan, from the timings of earlier runs.

package pipeline

import (
	"context"
	"maps"
	"slices"
	"time"

	"gridsweep/model"
	"gridsweep/results"
	"gridsweep/sweeps"
)

// Estimate returns how long Run will take for the runs, with that many workers on this machine:
// their cost times the seconds per cost of all runs of the study that this machine, or one with the
// same Machine, has timed. Measured runs are executed one at a time. If there is no timed run of
// the study, the time is not known; without runs to execute it is always 0. The error is of reading
// the dataset.
func Estimate(
	ctx context.Context, plan *sweeps.Plan, runs []sweeps.Run, snapshot *results.Snapshot, workers int,
) (left time.Duration, known bool, err error) {
	if len(runs) == 0 {
		return 0, true, nil
	}
	here := Machine()
	_, rate, known, err := secondsPerCost(ctx, plan, snapshot, func(machine string) bool { return machine == here })
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

// Predict returns how many seconds each run of the plan takes: the mean over the timed runs of its
// point, in any replication and on any machine; without one, its cost times the seconds per cost of
// all timed runs of the study. If no run was timed, known is false and the work is the cost, in the
// model's unit. The error is of reading the dataset.
func Predict(
	ctx context.Context, plan *sweeps.Plan, snapshot *results.Snapshot,
) (work []float64, known bool, err error) {
	timed, rate, known, err := secondsPerCost(ctx, plan, snapshot, func(string) bool { return true })
	if err != nil {
		return nil, false, err
	}
	if !known {
		rate = 1
	}
	points := map[pointKey]timing{}
	for _, run := range plan.Runs {
		key := keyOf(run.Point)
		points[key] = points[key].plus(timed[run.ID])
	}
	work = make([]float64, len(plan.Runs))
	for i, run := range plan.Runs {
		work[i] = rate * run.Cost
		if point := points[keyOf(run.Point)]; point.count > 0 {
			work[i] = point.seconds / float64(point.count)
		}
	}
	return work, known, nil
}

// pointKey identifies a point of a plan: the address of its first value, which all its replications
// share. It is nil for the only point of a model without parameters.
type pointKey *model.Value

func keyOf(point model.Point) pointKey {
	if len(point) == 0 {
		return nil
	}
	return &point[0]
}

// timing is how often a run or point was timed, and the sum of the times.
type timing struct {
	seconds float64
	count   int
}

func (t timing) plus(other timing) timing {
	return timing{t.seconds + other.seconds, t.count + other.count}
}

// timedRuns returns the timing of each run on the accepted machines.
func timedRuns(
	ctx context.Context, snapshot *results.Snapshot, accepts func(machine string) bool,
) (map[string]timing, error) {
	table, err := snapshot.Read(ctx, results.TimingsTable, []string{results.MachineColumn, "section", "seconds"}, nil)
	if err != nil {
		return nil, err
	}
	machines, sections, seconds := table.Column(results.MachineColumn), table.Column("section"), table.Column("seconds")
	timed := map[string]timing{}
	for _, id := range table.Runs() {
		for row, end := table.Rows(id); row < end; row++ {
			if sections.Value(row).Text() == runSection && accepts(machines.Value(row).Text()) {
				timed[id] = timed[id].plus(timing{seconds.Value(row).Float(), 1})
			}
		}
	}
	return timed, nil
}

// secondsPerCost returns the timing of each run on the accepted machines, and the seconds that a
// unit of cost took in these runs, which are known if there are any. Runs of the dataset that are
// not in the plan count too, such as those of other experiments or levels: often they are all that
// was timed when a plan begins.
func secondsPerCost(
	ctx context.Context, plan *sweeps.Plan, snapshot *results.Snapshot, accepts func(machine string) bool,
) (timed map[string]timing, rate float64, known bool, err error) {
	if timed, err = timedRuns(ctx, snapshot, accepts); err != nil {
		return nil, 0, false, err
	}
	others := map[string]bool{} // timed runs that are not in the plan
	for id := range timed {
		others[id] = true
	}
	spent, cost := 0.0, 0.0
	for _, run := range plan.Runs {
		spent += timed[run.ID].seconds
		cost += run.Cost * float64(timed[run.ID].count)
		delete(others, run.ID)
	}
	costs, err := costsOf(ctx, plan.Model, snapshot, others)
	if err != nil {
		return nil, 0, false, err
	}
	for _, id := range slices.Sorted(maps.Keys(costs)) {
		spent += timed[id].seconds
		cost += costs[id] * float64(timed[id].count)
	}
	if cost == 0 {
		return timed, 0, false, nil
	}
	return timed, spent / cost, true, nil
}

// costsOf returns the costs of runs of the dataset, by their ids.
func costsOf(
	ctx context.Context, m *model.Model, snapshot *results.Snapshot, ids map[string]bool,
) (map[string]float64, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	columns := make([]string, len(m.Parameters))
	for i, p := range m.Parameters {
		columns[i] = p.Name
	}
	rows, err := snapshot.Read(ctx, model.RunsTable, columns, ids)
	if err != nil {
		return nil, err
	}
	parameters := rows.Columns()[1:] // without the run id
	costs := make(map[string]float64, len(ids))
	point := make(model.Point, len(columns))
	for _, id := range rows.Runs() {
		row, _ := rows.Rows(id)
		for i, parameter := range parameters {
			point[i] = parameter.Value(row)
		}
		costs[id] = m.Cost(point)
	}
	return costs, nil
}
