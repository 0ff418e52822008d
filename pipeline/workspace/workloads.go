package workspace

import (
	"slices"
	"strings"

	"gridsweep/analysis/report"
	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/pipeline/traces"
	"gridsweep/sweeps"
)

// Workloads returns what the runs that are counted read, in the order in which the plan first says so; none for a model
// that reads no traces.
func (s *Study) Workloads(counted func(sweeps.Run) bool) []report.Workload {
	if !s.Model.ReadsTraces() {
		return nil
	}
	catalogue := map[string]configs.Trace{}
	for _, t := range configs.Traces() {
		catalogue[t.Name.Value] = t
	}
	missing := s.library.Missing()
	parameter := s.Model.Parameter(model.TraceParameter)
	var list []report.Workload
	index := map[string]int{}
	for _, run := range s.Plan.Runs {
		if !counted(run) {
			continue
		}
		resolved, names := run.Point[parameter].Text(), s.Model.Traces(run.Point)
		key := resolved + "\x00" + strings.Join(names, ",") // runs of the model may stand for several traces
		i, known := index[key]
		if !known {
			i = len(list)
			index[key] = i
			list = append(list, workloadOf(resolved, names, missing, catalogue))
		}
		list[i].Runs++
	}
	return list
}

// TraceFile returns the file that the reference of a run to a trace was resolved to, empty where it is not here.
func (s *Study) TraceFile(reference string) string { return s.library.Path(reference) }

// workloadOf describes what the resolved parameter trace of runs says that read the traces of the names.
func workloadOf(resolved string, names, missing []string, catalogue map[string]configs.Trace) report.Workload {
	w := report.Workload{Resolved: resolved, Model: resolved == model.TraceModel}
	references := strings.Split(resolved, ",")
	for i, name := range names {
		read, sum := name, ""
		if !w.Model {
			read, sum = traces.SplitReference(references[i])
		}
		known := catalogue[read] // nothing for a user's file
		t := report.Trace{
			Name: read, Title: known.Title.Value, SHA256: sum,
			Acknowledge: known.Acknowledge.Value, Reference: known.Reference.Value,
		}
		if read != name {
			t.InPlaceOf = name
		}
		w.Traces = append(w.Traces, t)
		if w.Model && slices.Contains(missing, name) {
			w.Missing = append(w.Missing, t)
		}
	}
	return w
}
