package intergrid

import (


	"gridsweep/model"
)

// environment returns the environment of a round of a study with a host.
func environment(round int, h model.Host) model.Env {
	return model.New(Spec).Env(1, round, h)
}

