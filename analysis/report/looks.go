package report

// Replications that were added until targets were reached.

import (
	"fmt"
	"maps"
	"slices"

	"gridsweep/analysis"
	"gridsweep/analysis/sequential"
	"gridsweep/analysis/statistics"
	"gridsweep/analysis/tabulate"
)

// targetView is a target as the template shows it.
type targetView struct {
	Text, Sentence string
	Cells          []evaluatedView // cells of a target about means; else there are Claims
	Claims         []decisionView
	Added          []addedView // cells that got more replications for Claims
}

// addedView is a cell that got more replications than its experiment has.
type addedView struct {
	Name string
	N    int
}

type evaluatedView struct {
	Name    string
	N, Look int
	Mean    string // the mean with its interval
	Reached string
}

type decisionView struct {
	Name, Verdict string
	Look          int
	Needed        string // replications that would decide it
}

// Targets returns the targets of the study.
func (s *studyView) Targets() []targetView {
	sentences := s.Looks.Sentences()
	var views []targetView
	for i, target := range s.Looks.Targets {
		view := targetView{Text: target.Text, Sentence: sentences[i]}
		for _, cell := range s.Looks.Cells[i] {
			view.Cells = append(view.Cells, newEvaluatedView(cell, s.Looks.Most))
		}
		if target.IsDecided {
			view.Claims = decisionViews(s.Looks.Decisions)
			for _, name := range slices.Sorted(maps.Keys(s.Looks.Replications)) {
				view.Added = append(view.Added, addedView{name, s.Looks.Replications[name]})
			}
		}
		views = append(views, view)
	}
	return views
}

func newEvaluatedView(cell sequential.Cell, most int) evaluatedView {
	view := evaluatedView{Name: cell.Name, N: cell.N, Look: cell.Look, Mean: "–", Reached: "yes"}
	if cell.Look > 0 && cell.Mean.N > 0 {
		view.Mean = tabulate.Estimate(cell.Mean)
	}
	switch {
	case cell.Done:
	case cell.Look > 0 && cell.N >= most:
		view.Reached = "no: stopped at the limit"
	default:
		view.Reached = "not yet"
	}
	return view
}

func decisionViews(decisions map[string]analysis.Decision) []decisionView {
	var views []decisionView
	for _, name := range slices.Sorted(maps.Keys(decisions)) {
		d := decisions[name]
		view := decisionView{Name: name, Verdict: string(d.Verdict), Look: d.Look, Needed: "–"}
		if d.Needed > 0 && !d.IsDecided() {
			view.Needed = fmt.Sprint(d.Needed)
		}
		views = append(views, view)
	}
	return views
}

// LooksRule says how replications were added and what their intervals are.
func (s *studyView) LooksRule() string {
	return fmt.Sprintf("Replications were added to each cell, half as many again for each look, until its targets were "+
		"reached or it had %d. The interval of look k has an error rate of %.0f %% · 6/(π²k²), so that all looks "+
		"together have one of %.0f %%. The intervals in this section are corrected in this way; those of the tables and "+
		"figures are not.", s.Looks.Most, 100*(1-statistics.Confidence), 100*(1-statistics.Confidence))
}
