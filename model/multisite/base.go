package multisite

// Base run: the run under ArEb+least-load with which other runs are compared.

import (
	"context"

	"gridsweep/model"
)

// baseRun has the starts, in s, of all jobs of a replication in the base run. Improvement ratios,
// deadlines and the forecast of the oracle are computed from it.
type baseRun struct {
	grid  []int64
	local [][]int64 // by provider
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

// simulateBase simulates the base run of a replication until all jobs have ended.
func simulateBase(ctx context.Context, p Parameters, env model.Env) (*baseRun, error) {
	all, err := draw(ctx, p, env)
	if err != nil {
		return nil, err
	}
	return runBase(ctx, p, all)
}

// runBase simulates the base run of these jobs.
func runBase(ctx context.Context, p Parameters, all *jobs) (*baseRun, error) {
	world, err := newWorld(p, all, nil)
	if err != nil {
		return nil, err
	}
	if err := world.run(ctx, never); err != nil {
		return nil, err
	}
	base := &baseRun{grid: make([]int64, len(all.grid))}
	for i := range all.grid {
		base.grid[i] = world.gridStart(i)
	}
	for i := range world.providers {
		starts := make([]int64, len(all.local[i]))
		for k := range starts {
			starts[k] = world.localStart(i, k)
		}
		base.local = append(base.local, starts)
	}
	return base, nil
}
