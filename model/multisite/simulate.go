package multisite

// Simulation: one run, from drawing its jobs to its outcome.

import (
	"context"

	"gridsweep/model"
)

// simulate runs a replication under the policies of a point. Its errors are those of reading the
// trace, of jobs larger than every cluster, and of ctx.
func simulate(ctx context.Context, p Parameters, env model.Env) (Outcome, error) {
	all, err := draw(ctx, p, env)
	if err != nil {
		return Outcome{}, err
	}
	base, err := model.Memo(ctx, env, baseParameters(p), simulateBase)
	if err != nil {
		return Outcome{}, err
	}
	if p.DeadlineShare > 0 {
		all.drawDeadlines(p, base, env)
	}
	world, err := newWorld(p, all, base)
	if err != nil {
		return Outcome{}, err
	}
	jobs := len(all.grid)
	for _, local := range all.local {
		jobs += len(local)
	}
	end := env.Span("job", jobs)
	err = world.run(ctx, world.last)
	end()
	if err != nil {
		return Outcome{}, err
	}
	return world.outcome(base), nil
}
