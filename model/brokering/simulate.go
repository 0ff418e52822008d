package brokering

import (
	"context"
	"errors"

	"gridsweep/model"
)

func simulate(ctx context.Context, p Parameters, env model.Env) (Outcome, error) {
	return Outcome{}, errors.New("not yet")
}
