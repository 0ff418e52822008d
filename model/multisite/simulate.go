package multisite

// Simulation: one run, from its parameters to its outcome.

import (
	"context"

	"gridsweep/model"
)

// simulate runs a replication under the policies of a point. Its errors are those of reading the
// trace, of jobs larger than every cluster, and of ctx.
func simulate(ctx context.Context, p Parameters, env model.Env) (Outcome, error) {
	base, err := model.Memo(ctx, env, baseParameters(p), simulateBase)
	if err != nil {
		return Outcome{}, err
	}
	schedule, err := model.Memo(ctx, env, effective(p), simulateJobs)
	if err != nil {
		return Outcome{}, err
	}
	e := &evaluation{schedule: schedule, p: p, base: base}
	return e.outcome(), nil
}
