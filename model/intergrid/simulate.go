// Simulation: one run, from drawing its Grids to its outcome.

package intergrid

import (
	"context"

	"gridsweep/model"
)

// simulate runs a replication under the contracts of a point. Its errors are those of the traces,
// of the models and of ctx.
func simulate(ctx context.Context, p Parameters, env model.Env) (Outcome, error) {
	grids, err := draw(ctx, p, env)
	if err != nil {
		return Outcome{}, err
	}
	requests := 0
	for i := range grids {
		requests += len(grids[i].requests)
	}
	defer env.Span("request", requests)()
	return simulateGrids(ctx, p, grids)
}

// simulateGrids runs the requests of Grids, whose deadlines are known. Its error is that of ctx.
func simulateGrids(ctx context.Context, p Parameters, grids []grid) (Outcome, error) {
	w := newWorld(&p, grids)
	if err := w.run(ctx); err != nil {
		return Outcome{}, err
	}
	return w.outcome(), nil
}
