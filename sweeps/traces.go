// The files that the points of a plan name: the traces that they read, and the programs of their
// schedulers.

package sweeps

import (
	"fmt"
	"path/filepath"

	"gridsweep/model"
	"gridsweep/model/cluster"
	"gridsweep/sweeps/study"
)

// resolve replaces what the study says of the files of a point by references to them, and reports
// those that cannot be found.
func (e *expander) resolve(values model.Point, x *study.Experiment, chosen []study.Level) {
	report := func(parameter string, err error) {
		at, key, where := origin(parameter, e.plan.Model, x, chosen)
		e.report(at, key, "%v%s", err, where)
	}
	if err := e.resolveTraces(values, x, chosen); err != nil {
		report(model.TraceParameter, err)
	}
	if err := e.resolveProgram(values, x, chosen); err != nil {
		report(e.programParameter(), err)
	}
}

// resolveTraces replaces the study's value of the parameter trace by the resolved one. A point that
// reads no trace gets the name of its workload model, whatever the study says, so that such points
// are one run.
func (e *expander) resolveTraces(values model.Point, x *study.Experiment, chosen []study.Level) error {
	if !e.plan.Model.ReadsTraces {
		return nil
	}
	i := e.plan.Model.Parameter(model.TraceParameter)
	names, workload := e.plan.Model.Traces(values), e.plan.Model.Workload(values)
	_, standIn, found := model.SplitStandIn(values[i].Text())
	// a value TRACE|MODEL, for a model that has one workload model, without a name
	if found && workload == model.TraceModel && standIn != workload {
		return fmt.Errorf("%q: model %s has one workload model: write %s behind %s",
			standIn, e.plan.Model.Name, workload, model.StandIn)
	}
	if len(names) == 0 {
		values[i] = model.StringValue(workload)
		return nil
	}
	if e.options.Traces == nil {
		return nil
	}
	resolved, err := e.options.Traces(e.ctx, values[i].Text(), e.folderOf(model.TraceParameter, x, chosen), names)
	if err != nil {
		return err
	}
	if resolved == model.TraceModel {
		resolved = workload
	}
	values[i] = model.StringValue(resolved)
	return nil
}

// resolveProgram puts the reference to the program of a point in place of what the study says.
func (e *expander) resolveProgram(values model.Point, x *study.Experiment, chosen []study.Level) error {
	i := e.plan.Model.Program
	if i < 0 || e.options.Programs == nil || !cluster.IsProgram(values[i].Text()) {
		return nil
	}
	resolved, err := e.options.Programs(e.ctx, values[i].Text(), e.folderOf(e.programParameter(), x, chosen))
	if err != nil {
		return err
	}
	values[i] = model.StringValue(resolved)
	return nil
}

// programParameter returns the name of the parameter that may name a program.
func (e *expander) programParameter() string {
	return e.plan.Model.Parameters[e.plan.Model.Program].Name
}

// folderOf returns the folder of the file that gives a parameter its value, from which paths in it
// are relative; empty for the working folder.
func (e *expander) folderOf(parameter string, x *study.Experiment, chosen []study.Level) string {
	if at, _, _ := origin(parameter, e.plan.Model, x, chosen); at.Line > 0 {
		return filepath.Dir(at.File)
	}
	return ""
}
