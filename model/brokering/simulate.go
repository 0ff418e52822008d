// A run of the study brokering.

package brokering

import (
	"context"

	"gridsweep/model"
)

// simulate runs a round of a point. Its errors are those of the traces, of the site models, of the
// load and of the context.
func simulate(ctx context.Context, p Parameters, env model.Env) (Outcome, error) {
	domains, err := draw(ctx, p, env)
	if err != nil {
		return Outcome{}, err
	}
	jobs := 0
	for i := range domains {
		jobs += len(domains[i].jobs)
	}
	end := env.Span("job", jobs)
	defer end()
	return runJobs(ctx, p, domains)
}
