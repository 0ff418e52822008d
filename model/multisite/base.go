package multisite

// Base run: the run under ArEb+least-load with which other runs are compared.

import (
	"context"

	"gridsweep/model"
)

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
func simulateBase(ctx context.Context, p Parameters, env model.Env) (*starts, error) {
	all, err := draw(ctx, p, env)
	if err != nil {
		return nil, err
	}
	return runBase(ctx, p, all)
}

// runBase simulates the base run of these jobs.
func runBase(ctx context.Context, p Parameters, all *jobs) (*starts, error) {
	world, err := newWorld(p, all, nil)
	if err != nil {
		return nil, err
	}
	if err := world.run(ctx, never); err != nil {
		return nil, err
	}
	base := world.jobStarts()
	return &base, nil
}
