// Simulation: one run, from its parameters to its outcome.

package multisite

import (
	"context"

	"gridsweep/model"
)

// simulate runs a replication under the policies of a point up to the last arrival. Its errors are
// those of the trace, of the workload models and of ctx.
func simulate(ctx context.Context, p Parameters, env model.Env) (Outcome, error) {
	base, err := model.Memo(ctx, env, baseParameters(p), simulateBase)
	if err != nil {
		return Outcome{}, err
	}
	all, err := draw(ctx, p, env)
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
	end := env.Span("job", all.total())
	err = world.run(ctx, world.last)
	end()
	if err != nil {
		return Outcome{}, err
	}
	return world.outcome(), nil
}
