package multisite

// Base run: the starts of all jobs under ArEb+least-load, which ratios, deadlines and forecasts
// use.

import (
	"context"

	"gridsweep/model"
)

// baseRun has the starts, in s, of all jobs of a replication under ArEb+least-load. Improvement
// ratios, deadlines and the oracle's forecast are computed from it.
type baseRun struct {
	grid  []int64
	local [][]int64 // by provider
}

// baseParameters returns those of the base run: of p it has the parameters of the workload and the
// assumptions that apply to it too.
func baseParameters(p Parameters) Parameters {
	base := defaults
	base.Provider, base.Gateway = "ArEb", "least-load"
	base.Sizes, base.LocalLoad = p.Sizes, p.LocalLoad
	base.Trace, base.FirstMonth, base.Months = p.Trace, p.FirstMonth, p.Months
	base.ReportInterval, base.CountsWaiting = p.ReportInterval, p.CountsWaiting
	base.Pivot, base.Placement = p.Pivot, p.Placement
	return base
}

// simulateBase runs the jobs of a replication to the last end.
func simulateBase(ctx context.Context, p Parameters, env model.Env) (*baseRun, error) {
	all, err := draw(ctx, p, env)
	if err != nil {
		return nil, err
	}
	return runBase(ctx, p, all)
}

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
