// The workloads of the runs of a plan: traces, or workload models in their place.

package workspace

import (
	"context"
	"slices"
	"strings"

	"gridsweep/analysis/report"
	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/pipeline/traces"
	"gridsweep/results"
	"gridsweep/sweeps"
)

// Workloads returns the workloads of the runs that are counted, in the order of the plan; none for
// a model that reads no traces.
func (s *Study) Workloads(counted func(sweeps.Run) bool) []report.Workload {
	if !s.Model.ReadsTraces {
		return nil
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
		// the workload model may stand in for different traces
		key := resolved + "\x00" + strings.Join(names, ",")
		i, known := index[key]
		if !known {
			i = len(list)
			index[key] = i
			list = append(list, workloadOf(resolved, names, missing, s.library.Catalogue()))
			list[i].LeftOut = s.leftOut[resolved]
		}
		list[i].Runs++
	}
	return list
}

// readLeftOut reads how many jobs the runs of some ids leave out, for Workloads.
func (s *Study) readLeftOut(ctx context.Context, snapshot *results.Snapshot, ids map[string]bool) error {
	counts := func(c model.Column) bool { return c.Name == model.LeftOutColumn }
	if !s.Model.ReadsTraces || !slices.ContainsFunc(s.Model.Tables[0].Columns, counts) {
		return nil
	}
	frame, err := snapshot.Read(ctx, model.RunsTable, []string{model.TraceParameter, model.LeftOutColumn}, ids)
	if err != nil {
		return err
	}
	s.leftOut = map[string][]int64{}
	read, left := frame.Column(model.TraceParameter), frame.Column(model.LeftOutColumn)
	for i := range frame.Len() {
		trace, n := read.Value(i).Text(), left.Value(i).Int()
		if !slices.Contains(s.leftOut[trace], n) {
			s.leftOut[trace] = append(s.leftOut[trace], n)
		}
	}
	return nil
}

// TraceFile returns the file of a reference to a trace; empty where it was not found.
func (s *Study) TraceFile(reference string) string { return s.library.Path(reference) }

// workloadOf describes the workload of runs by the resolved value of their parameter trace and the
// names of the traces that they read.
func workloadOf(resolved string, names, missing []string, catalogue configs.Catalogue) report.Workload {
	name, isModel := model.TraceWorkload(resolved)
	w := report.Workload{Resolved: resolved, Model: isModel, Name: name}
	references := strings.Split(resolved, ",")
	for i, name := range names {
		read, sum := name, ""
		if !w.Model {
			read, sum = traces.SplitReference(references[i])
		}
		t := report.Trace{Name: read, SHA256: sum}
		if known := catalogue.Index(read); known >= 0 { // else it is a user's file
			c := catalogue[known]
			t.Title, t.HasAddress = c.Title.Value, c.Address.Value != ""
			t.Acknowledge, t.Reference = c.Acknowledge.Value, c.Reference.Value
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
