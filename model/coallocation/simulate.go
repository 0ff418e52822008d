// Simulation: all requests of a point, one after the other, through its algorithm.

package coallocation

import (
	"context"

	"gridsweep/model"
)

// simulate runs all requests of a point through its algorithm, from an empty system. Its only error
// is that of ctx.
func simulate(ctx context.Context, p Parameters, env model.Env) (Outcome, error) {
	requests, err := model.Memo(ctx, env, workloadOf(p), generate)
	if err != nil {
		return Outcome{}, err
	}
	b := newBroker(p, env.Seed)
	var t tally
	end := env.Span("request", len(requests))
	for i := range requests {
		if model.Cancelled(ctx, i) {
			return Outcome{}, ctx.Err()
		}
		r := &requests[i]
		start, accepted := b.place(r)
		t.count(r, start, accepted)
	}
	end()
	return t.outcome(p, b), nil
}
