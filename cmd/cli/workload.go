// Notes on the workload of a plan: traces, workload models, and traces that are missing.

package cli

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"

	"gridsweep/analysis/report"
	"gridsweep/pipeline"
	"gridsweep/pipeline/workspace"
	"gridsweep/sweeps"
)

// noteWorkloads notes the workloads of the runs.
func (t *terminal) noteWorkloads(study *workspace.Study, runs []sweeps.Run) {
	selected := pipeline.IDs(runs)
	list := study.Workloads(func(run sweeps.Run) bool { return selected[run.ID] })
	for _, w := range list {
		t.note("%s: workload%s: %s", study.Name, ofRuns(list, w), w.Sentence())
		t.noteMissing(w)
	}
}

// printWorkloads prints the workloads of the plan with the files of traces.
func (t *terminal) printWorkloads(study *workspace.Study) {
	list := study.Workloads(func(sweeps.Run) bool { return true })
	for _, w := range list {
		if w.Model {
			fmt.Fprintf(t.out, "trace%s: none; %s\n", ofRuns(list, w), w.Sentence())
			t.noteMissing(w)
			continue
		}
		for _, reference := range strings.Split(w.Resolved, ",") {
			from := "not found, but needed to run"
			if path := study.TraceFile(reference); path != "" {
				from = "from " + path
			}
			fmt.Fprintf(t.out, "trace%s: %s, %s\n", ofRuns(list, w), reference, from)
		}
	}
}

// ofRuns returns the number of runs with the workload; empty if it is the only one.
func ofRuns(list []report.Workload, w report.Workload) string {
	if len(list) == 1 {
		return ""
	}
	return " of " + w.Counted()
}

// noteMissing notes the commands that download or import the traces that were not found.
func (t *terminal) noteMissing(w report.Workload) {
	if len(w.Missing) == 0 {
		return
	}
	text := ""
	if fetch := w.Fetch(); fetch != "" {
		text = fetch + " downloads missing traces, "
	}
	t.note("    %s%s %s that you have", text, english.WordSeries(w.Import(), "and"),
		english.PluralWord(len(w.Missing), "imports a file", "import files"))
}
