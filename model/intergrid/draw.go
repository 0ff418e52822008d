// Draws: the Grids of a replication before a run, and what runs share of them.

package intergrid

import (
	"context"

	"gridsweep/model"
)

// draw returns the Grids of a replication as they are before a run, with requests, deadlines and
// supply. The runs of a replication share them. Its errors are those of the traces, of the site
// models and of ctx.
func draw(ctx context.Context, p Parameters, env model.Env) ([]grid, error) {
	return model.Memo(ctx, env, gridParameters(p), drawGrids)
}

// gridParameters returns those parameters on which Grids depend; the others are zero.
func gridParameters(p Parameters) Parameters {
	k := baseParameters(p)
	k.PriceLoad, k.CostMin, k.CostMax = p.PriceLoad, p.CostMin, p.CostMax
	k.DeadlineShare, k.Stringency = p.DeadlineShare, p.Stringency
	return k
}

// baseParameters returns those parameters on which the base run depends; the others are zero.
func baseParameters(p Parameters) Parameters {
	k := Parameters{
		Trace: p.Trace, Months: p.Months,
		DAS2Dedicated: p.DAS2Dedicated, DAS2OnOff: p.DAS2OnOff,
		AuverGridDedicated: p.AuverGridDedicated, AuverGridOnOff: p.AuverGridOnOff,
		Grid5000Dedicated: p.Grid5000Dedicated, Grid5000OnOff: p.Grid5000OnOff,
		OnMin: p.OnMin, OnMax: p.OnMax, OffMin: p.OffMin, OffMax: p.OffMax,
		OnShareMin: p.OnShareMin, OnShareMax: p.OnShareMax, OffShareMin: p.OffShareMin, OffShareMax: p.OffShareMax,
	}
	if p.Trace == model.TraceModel {
		k.WorkloadSeed = p.WorkloadSeed
	} else {
		k.DAS2Month, k.AuverGridMonth, k.Grid5000Month = p.DAS2Month, p.AuverGridMonth, p.Grid5000Month
	}
	return k
}

// drawGrids draws Grids with their deadlines. Points that differ in prices and deadlines alone
// share the base run, from which deadlines are computed.
func drawGrids(ctx context.Context, p Parameters, env model.Env) ([]grid, error) {
	grids, err := gridsWithoutDeadlines(ctx, p, env)
	if err != nil || p.DeadlineShare == 0 {
		return grids, err
	}
	ends, err := model.Memo(ctx, env, baseParameters(p), simulateBase)
	if err != nil {
		return nil, err
	}
	drawDeadlines(p, grids, ends, env.Seed)
	return grids, nil
}

// gridsWithoutDeadlines returns Grids with all but deadlines.
func gridsWithoutDeadlines(ctx context.Context, p Parameters, env model.Env) ([]grid, error) {
	grids := newGrids(p)
	if err := takeRequests(ctx, p, grids, env); err != nil {
		return nil, err
	}
	drawSupply(p, grids, env.Seed)
	return grids, nil
}
