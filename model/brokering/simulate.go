package brokering

import (
	"context"
	"errors"

	"gridsweep/model"
)

func simulate(ctx context.Context, p Parameters, env model.Env) (Outcome, error) {
	return Outcome{}, errors.New("not yet")
}
func validate(Parameters) []model.Problem { return nil }
func traces(Parameters) []string          { return workloads[:] }
func cost(Parameters) float64             { return 1 }
