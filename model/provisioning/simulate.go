package provisioning

import (
	"context"
	"errors"

	"gridsweep/model"
)

func simulate(ctx context.Context, p Parameters, env model.Env) (Outcome, error) {
	return Outcome{}, errors.New("not yet")
}

func simulateSlots(ctx context.Context, p SlotsParameters, env model.Env) (SlotsOutcome, error) {
	return SlotsOutcome{}, errors.New("not yet")
}
