package cli

// Notes on the workload of a plan, and checks of its traces before it runs.

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"

	"gridsweep/analysis/report"
	"gridsweep/pipeline/workspace"
	"gridsweep/sweeps"
)

// noteWorkloads says what the runs take their jobs from.
func (t *terminal) noteWorkloads(study *workspace.Study, runs []sweeps.Run) {
	asked := make(map[string]bool, len(runs))
	for _, run := range runs {
		asked[run.ID] = true
	}
	list := study.Workloads(func(run sweeps.Run) bool { return asked[run.ID] })
	for _, w := range list {
		t.note("%s: workload%s: %s", study.Name, ofRuns(list, w), w.Sentence())
		t.noteMissing(w)
	}
}

// printWorkloads says what the runs of the plan take their jobs from, and from which files.
func (t *terminal) printWorkloads(study *workspace.Study) {
	list := study.Workloads(func(sweeps.Run) bool { return true })
	for _, w := range list {
		if w.Model {
			fmt.Fprintf(t.out, "trace%s: none; %s\n", ofRuns(list, w), w.Sentence())
			t.noteMissing(w)
			continue
		}
		for _, reference := range strings.Split(w.Resolved, ",") {
			from := "not here, as running needs it to be"
			if path := study.TraceFile(reference); path != "" {
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
