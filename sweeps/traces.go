package sweeps

// The traces that the points of a plan read.

import (
	"fmt"
	"path/filepath"

	"gridsweep/model"
	"gridsweep/sweeps/study"
)

// resolveTraces replaces the study's value of the parameter trace by the resolved one. A point that
// reads no trace gets the name of its workload model, for all values of the study, and is one run.
func (e *expander) resolveTraces(values model.Point, x *study.Experiment, chosen []study.Level) error {
	if !e.model.ReadsTraces() {
		return nil
	}
	i := e.model.Parameter(model.TraceParameter)
	names, workload := e.model.Traces(values), e.model.Workload(values)
	_, standIn, found := model.SplitStandIn(values[i].Text())
	if found && workload == model.TraceModel && standIn != workload {
		return fmt.Errorf("%q: model %s has one workload model: write %s behind %s",
			standIn, e.model.Name, workload, model.StandIn)
	}
	if len(names) == 0 {
		values[i] = model.StringValue(workload)
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
	if resolved == model.TraceModel {
		resolved = workload
	}
	values[i] = model.StringValue(resolved)
	return nil
}
