package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"gridsweep/analysis/report"
	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/pipeline/traces"
	"gridsweep/sweeps"
)

// workloads returns what the runs of a target that are counted read, in the order in which the plan first says so; none
// for a model that reads no traces.
func workloads(target *target, counted func(sweeps.Run) bool) []report.Workload {
	if !target.model.ReadsTraces() {
		return nil
	}
	missing := target.traces.Missing()
	parameter := target.model.Parameter(model.TraceParameter)
	var list []report.Workload
	index := map[string]int{}
	for _, run := range target.plan.Runs {
		if !counted(run) {
			continue
		}
		resolved, names := run.Point[parameter].Text(), target.model.Traces(run.Point)
		key := resolved + "\x00" + strings.Join(names, ",") // runs of the model may stand for several traces
		i, known := index[key]
		if !known {
			i = len(list)
			index[key] = i
			list = append(list, workloadOf(resolved, names, missing, target.traces.Catalogue()))
		}
		list[i].Runs++
	}
	return list
}

// workloadOf describes what the resolved parameter trace of runs says that read the traces of the names.
func workloadOf(resolved string, names, missing []string, catalogue configs.Catalogue) report.Workload {
	w := report.Workload{Resolved: resolved, Model: resolved == model.TraceModel}
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

// noteWorkloads says what the runs take their jobs from.
func (t *terminal) noteWorkloads(target *target, runs []sweeps.Run) {
	asked := make(map[string]bool, len(runs))
	for _, run := range runs {
		asked[run.ID] = true
	}
	list := workloads(target, func(run sweeps.Run) bool { return asked[run.ID] })
	for _, w := range list {
		t.note("%s: workload%s: %s", target.name, ofRuns(list, w), w.Sentence())
		t.noteMissing(w)
	}
}

// printWorkloads says what the runs of the plan take their jobs from, and from which files.
func (t *terminal) printWorkloads(target *target) {
	list := workloads(target, func(sweeps.Run) bool { return true })
	for _, w := range list {
		if w.Model {
			fmt.Fprintf(t.out, "trace%s: none; %s\n", ofRuns(list, w), w.Sentence())
			t.noteMissing(w)
			continue
		}
		for _, reference := range strings.Split(w.Resolved, ",") {
			from := "not here, as running needs it to be"
			if path := target.traces.Path(reference); path != "" {
				from = "from " + path
			}
			fmt.Fprintf(t.out, "trace%s: %s, %s\n", ofRuns(list, w), reference, from)
		}
	}
}

// ofRuns returns how many runs have the workload where there are others.
func ofRuns(list []report.Workload, w report.Workload) string {
	if len(list) == 1 {
		return ""
	}
	return " of " + w.Counted()
}

// noteMissing says how the traces can be had that were looked for and not found.
func (t *terminal) noteMissing(w report.Workload) {
	if len(w.Missing) == 0 {
		return
	}
	text := ""
	if fetch := w.Fetch(); fetch != "" {
		text = fetch + " downloads what is missing, "
	}
	t.note("    %s%s %s that you have", text, english.WordSeries(w.Import(), "and"),
		english.PluralWord(len(w.Missing), "takes a file", "take files"))
}
