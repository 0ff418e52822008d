// The status of a plan: the numbers of runs that are done, running, failed and missing.

package pipeline

import (
	"context"
	"slices"
	"time"

	"gridsweep/results"
	"gridsweep/sweeps"
)

// Status is how far a plan is: the states of its runs and the processes that work at them. Its own
// lists are never null in JSON; Heartbeat.Runs of a process may be.
type Status struct {
	Counts // numbers of the plan's runs
	// runs that the processes finish, in 1/s; nil where no run has ended in a living process
	Rate *float64 `json:"runs_per_second"`
	// seconds until no run is running or missing, at the speed so far; nil likewise
	Left        *float64           `json:"seconds_left"`
	Experiments []ExperimentStatus `json:"experiments"` // experiments in the plan's order
	// those of this and other plans of the study, dead ones too
	Processes []Heartbeat       `json:"processes"`
	Failures  []results.Failure `json:"-"` // of the failed runs, in the order of their ids
}

// Counts is the number of runs in each state.
type Counts struct {
	Done    int `json:"done"`    // runs that need no more work, see Finished
	Running int `json:"running"` // runs under way in a living process
	Missing int `json:"missing"` // runs in no other state
	Failed  int `json:"failed"`  // runs that failed and were not run since
}

// Runs returns the number of runs.
func (c Counts) Runs() int { return c.Done + c.Running + c.Failed + c.Missing }

// Awaited returns the number of runs that are neither done nor failed.
func (c Counts) Awaited() int { return c.Running + c.Missing }

// ExperimentStatus is how far an experiment is. A run that several experiments share counts in each
// of them.
type ExperimentStatus struct {
	Experiment string `json:"experiment"`
	Counts
}

func (c *Counts) add(other Counts) {
	c.Done += other.Done
	c.Running += other.Running
	c.Missing += other.Missing
	c.Failed += other.Failed
}

// StatusOf returns how far a plan is now. It updates the snapshot and verifies the files of the
// plan's runs. running is the folder of the heartbeats. The error is of reading the dataset or the
// heartbeats.
func StatusOf(ctx context.Context, plan *sweeps.Plan, snapshot *results.Snapshot, running string) (Status, error) {
	status := Status{Experiments: []ExperimentStatus{}}
	processes, err := Heartbeats(running)
	if err != nil {
		return status, err
	}
	// Read after the heartbeats, so that a run that ended in between counts as done.
	failures, err := snapshot.Dataset().Failures()
	if err != nil {
		return status, err
	}
	if err := snapshot.Update(ctx); err != nil {
		return status, err
	}
	states, err := statesOf(ctx, plan, snapshot, failures, processes)
	if err != nil {
		return status, err
	}
	// Verified last, so that the timings of measured runs, which the states need, are read once.
	if err := snapshot.Verify(ctx, IDs(plan.Runs)); err != nil {
		return status, err
	}
	status.Processes = append([]Heartbeat{}, processes...)
	awaited := 0.0 // cost
	hasFailed := map[string]bool{}
	for i, run := range plan.Runs {
		status.add(states[i])
		hasFailed[run.ID] = states[i].Failed > 0
		if states[i].Awaited() > 0 {
			awaited += run.Cost
		}
	}
	status.Failures = slices.DeleteFunc(failures, func(f results.Failure) bool { return !hasFailed[f.ID] })
	for _, e := range plan.Experiments {
		status.Experiments = append(status.Experiments, ExperimentStatus{e.Name, countsOf(plan, e, states)})
	}
	status.pace(awaited)
	return status, nil
}

// statesOf returns the state of each run of the plan, as the numbers of that run alone.
func statesOf(
	ctx context.Context, plan *sweeps.Plan, snapshot *results.Snapshot, failures []results.Failure, processes []Heartbeat,
) ([]Counts, error) {
	finished, err := Finished(ctx, plan, snapshot)
	if err != nil {
		return nil, err
	}
	hasFailed := failedRuns(failures)
	running := map[string]bool{}
	for _, process := range Living(processes, time.Now()) {
		for _, id := range process.Runs {
			running[id] = true
		}
	}
	states := make([]Counts, len(plan.Runs))
	for i, run := range plan.Runs {
		switch id := run.ID; {
		case finished[id]:
			states[i].Done = 1
		case running[id]:
			states[i].Running = 1
		case hasFailed[id]:
			states[i].Failed = 1
		default:
			states[i].Missing = 1
		}
	}
	return states, nil
}

func countsOf(plan *sweeps.Plan, e *sweeps.Experiment, states []Counts) Counts {
	var counts Counts
	counted := make([]bool, len(plan.Runs))
	for _, cell := range e.Cells {
		for _, run := range cell.Runs {
			if !counted[run] {
				counted[run] = true
				counts.add(states[run])
			}
		}
	}
	return counts
}

// pace sets Rate and Left, where the runs that are neither done nor failed have that cost.
func (s *Status) pace(cost float64) {
	rate, costRate := 0.0, 0.0 // runs and cost per second
	for _, process := range Living(s.Processes, time.Now()) {
		if spent := process.Beat.Sub(process.Started).Seconds(); spent > 0 {
			rate += float64(process.Done) / spent
			costRate += process.CostDone / spent
		}
	}
	if costRate > 0 {
		// in whole nanoseconds, as Estimate has it
		seconds := time.Duration(cost / costRate * float64(time.Second)).Seconds()
		s.Rate, s.Left = &rate, &seconds
	}
}

// Dead returns the processes that count as dead at a moment.
func (s *Status) Dead(now time.Time) []Heartbeat {
	return slices.DeleteFunc(slices.Clone(s.Processes), func(h Heartbeat) bool { return h.Silent(now) == 0 })
}
