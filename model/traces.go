// Trace references: the values of the parameter trace, and the workload models that they may name.

package model

import (
	"fmt"
	"strings"
)

// A model that can read traces has a string parameter of the name TraceParameter, without a range
// and with the default TraceAuto. Its value is resolved when a plan is made; the run's id and row
// have the resolved value:
//
//   - TraceModel: the run uses a workload model and reads no trace; of a model with Spec.Workload
//     TraceModel:NAME, with the name of the workload model;
//   - otherwise references NAME@sha256:HEX with commas between, one for each name that Spec.Traces
//     returns, in that order. NAME is the trace's name in the catalogue or the name of a user's
//     file, HEX the checksum of the file.
//
// A simulation therefore compares it with TraceModel or, with Spec.Workload, asks TraceWorkload;
// where it reads traces, it calls Env.Trace with the names of Spec.Traces. What Memo makes of
// traces has the parameter in its key.
//
// Where the parameter itself names the trace or the workload model of a run, so that several are
// levels of a factor, Spec.Traces returns that name, see TraceName, or Spec.Workload does.
const (
	TraceParameter = "trace"
	// the traces where all are found, else TraceModel; no run has it once its plan is made
	TraceAuto  = "auto"
	TraceModel = "model"
)

// LeftOutColumn is the column of the table runs that counts the jobs of a run's trace that it
// leaves out as invalid. A model whose runs leave out none does not have it.
const LeftOutColumn = "left_out"

// StandIn separates a trace, as a study names it, from the workload model that is used where the
// trace is not found.
const StandIn = "|"

// SplitStandIn returns the two sides of a value TRACE|MODEL of the parameter trace; found says
// whether it has both.
func SplitStandIn(value string) (trace, workload string, found bool) {
	return strings.Cut(value, StandIn)
}

// WorkloadTrace returns the value of the parameter trace of a run that uses the named workload
// model.
func WorkloadTrace(name string) string { return TraceModel + ":" + name }

// TraceWorkload returns the name of the workload model in a resolved parameter trace, empty where
// that is TraceModel alone; found reports whether the run uses a workload model.
func TraceWorkload(value string) (name string, found bool) {
	if value == TraceModel {
		return "", true
	}
	return strings.CutPrefix(value, TraceModel+":")
}

// TraceName returns the name in a reference to a trace.
func TraceName(reference string) string {
	name, _, _ := strings.Cut(reference, "@")
	return name
}

// TraceAt returns the reference at an index of the resolved parameter trace; TraceModel where that
// is the parameter.
func TraceAt(parameter string, i int) string {
	if parameter == TraceModel {
		return parameter
	}
	return strings.Split(parameter, ",")[i]
}

// checkTraceParameter returns an error where a model that reads traces has no parameter
// TraceParameter.
func (m *Model) checkTraceParameter() error {
	i := m.Parameter(TraceParameter)
	if i < 0 || m.Parameters[i].Range != "" || m.Parameters[i].Default != StringValue(TraceAuto) {
		return fmt.Errorf("a model with Traces needs a string parameter %s without a range and with the default %s",
			TraceParameter, TraceAuto)
	}
	return nil
}
