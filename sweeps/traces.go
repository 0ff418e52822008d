package sweeps

// The traces that the points of a plan read.

import (
	"path/filepath"

	"gridsweep/model"
	"gridsweep/sweeps/study"
)

// resolveTraces puts what a point reads in place of what the study says of its traces. A point that
// reads none says so, whatever the study says, and is one run.
func (e *expander) resolveTraces(values model.Point, x *study.Experiment, chosen []study.Level) error {
	if !e.model.ReadsTraces() {
		return nil
	}
	i := e.model.Parameter(model.TraceParameter)
	names := e.model.Traces(values)
	if len(names) == 0 {
		values[i] = model.StringValue(model.TraceModel)
		return nil
	}
	if e.options.Traces == nil {
		return nil
	}
	folder := ""
	if at, _, _ := origin(model.TraceParameter, e.model, x, chosen); at.Line > 0 {
		folder = filepath.Dir(at.File)
	}
	resolved, err := e.options.Traces(e.ctx, values[i].Text(), folder, names)
	if err != nil {
		return err
	}
	values[i] = model.StringValue(resolved)
	return nil
}
