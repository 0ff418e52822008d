// Base run: the run under ArEb+least-load with which other runs are compared.

package multisite

import (
	"context"

	"gridsweep/model"
)

// baseStarts are the starts of all jobs in the base run, in s.
type baseStarts struct {
	gridJobs  []int64
	localJobs [][]int64 // by provider
}

// baseParameters returns the parameters of the base run: from p, the workload and the assumptions
// that apply to the base run too; otherwise the defaults.
func baseParameters(p Parameters) Parameters {
	base := defaults
	base.Provider, base.Gateway = "ArEb", "least-load"
	base.Sizes, base.LocalLoad = p.Sizes, p.LocalLoad
	base.Trace, base.FirstMonth, base.Months = p.Trace, p.FirstMonth, p.Months
	base.ReportInterval, base.CountsWaiting = p.ReportInterval, p.CountsWaiting
	base.Pivot, base.Placement = p.Pivot, p.Placement
	return base
}

// simulateBase simulates the base run of a replication until all jobs have ended, and returns their
// starts. Improvement ratios, deadlines and the forecast of the oracle are computed from these.
func simulateBase(ctx context.Context, p Parameters, env model.Env) (*baseStarts, error) {
	all, err := draw(ctx, p, env)
	if err != nil {
		return nil, err
	}
	return runBase(ctx, p, all)
}

// runBase simulates the base run of these jobs.
func runBase(ctx context.Context, p Parameters, all *jobs) (*baseStarts, error) {
	world, err := newWorld(p, all, nil)
	if err != nil {
		return nil, err
	}
	if err := world.run(ctx, never); err != nil {
		return nil, err
	}
	return world.starts(), nil
}

// starts returns the starts of all jobs; never for those that have none.
func (w *world) starts() *baseStarts {
	starts := &baseStarts{gridJobs: make([]int64, len(w.gridJobs)), localJobs: make([][]int64, len(w.localJobs))}
	for i := range w.gridJobs {
		starts.gridJobs[i] = w.gridStart(i)
	}
	for i, local := range w.localJobs {
		starts.localJobs[i] = make([]int64, len(local))
		for k := range local {
			starts.localJobs[i][k] = w.localStart(i, k)
		}
	}
	return starts
}
