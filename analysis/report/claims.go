package report

import (
	"fmt"
	"strings"

	"gridsweep/analysis"
	"gridsweep/analysis/tabulate"
)

// claimView is a claim as the template shows it.
type claimView struct {
	analysis.Claim
	ID        string
	Number    string // by which the table of readings calls it
	Verdict   badge
	Ours      judgementView
	Published *judgementView
	Holds     badge // on the published tables
	Readings  []readingView
}

// badge is a verdict as a sign, a word and a class of the style sheet.
type badge struct{ Sign, Word, Class string }

type judgementView struct {
	Margin      string
	Comparisons string // k of n
	Note        string
	Rows        []comparisonView
}

type comparisonView struct{ Where, What, Margin, Result string }

type readingView struct {
	Name        string
	Verdict     badge
	Margin      string
	Comparisons string
}

func badgeOf(verdict analysis.Verdict) badge {
	switch verdict {
	case analysis.Reproduced:
		return badge{"✓", "reproduced", "yes"}
	case analysis.NotReproduced:
		return badge{"✗", "not reproduced", "no"}
	case analysis.Inconclusive:
		return badge{"≈", "inconclusive", "open"}
	default:
		return badge{"–", "not run", "none"}
	}
}

// publishedBadge words a verdict on the paper's own tables, which reproduce nothing: the claim holds in them or not.
func publishedBadge(judgement *analysis.Judgement) badge {
	if judgement == nil {
		return badge{"–", "cannot be judged", "none"}
	}
	b := badgeOf(judgement.Verdict)
	switch judgement.Verdict {
	case analysis.Reproduced:
		b.Word = "holds"
	case analysis.NotReproduced:
		b.Word = "does not hold"
	case analysis.NotRun:
		b.Word = "cannot be judged"
	}
	return b
}

func newClaimView(number int, claim analysis.Claim, ids anchors) claimView {
	c := claimView{
		Claim: claim, ID: ids.id("claim", claim.Name), Number: fmt.Sprintf("C%d", number),
		Verdict: badgeOf(claim.Ours.Verdict), Ours: newJudgementView(claim.Ours, claim.Unit),
		Holds: publishedBadge(claim.Published),
	}
	if claim.Published != nil {
		published := newJudgementView(*claim.Published, claim.Unit)
		c.Published = &published
	}
	for _, reading := range claim.Readings {
		view := newJudgementView(reading.Judgement, claim.Unit)
		c.Readings = append(c.Readings, readingView{
			readingName(reading), badgeOf(reading.Verdict), view.Margin, view.Comparisons,
		})
	}
	return c
}

func readingName(reading analysis.ReadingJudgement) string {
	return reading.Experiment + ": " + reading.Level
}

func newJudgementView(judgement analysis.Judgement, unit string) judgementView {
	view := judgementView{Note: judgement.Note, Margin: tabulate.Missing}
	if judgement.Verdict == analysis.NotRun || len(judgement.Comparisons) == 0 {
		return view
	}
	view.Margin = withUnit(tabulate.Estimate(judgement.Margin), unit)
	view.Comparisons = fmt.Sprintf("%d of %d", judgement.Holding, len(judgement.Comparisons))
	for _, c := range judgement.Comparisons {
		result := "not clear"
		switch {
		case c.Clear > 0:
			result = "✓ clearly holds"
		case c.Clear < 0:
			result = "✗ clearly fails"
		}
		view.Rows = append(view.Rows, comparisonView{
			strings.Join(c.Labels, ", "), c.What, tabulate.Estimate(c.Margin), result,
		})
	}
	return view
}

func withUnit(number, unit string) string {
	if unit == "" || number == tabulate.Missing {
		return number
	}
	return number + " " + unit
}

// readingsView is the table of all claims under all readings.
type readingsView struct {
	Claims []claimView // that were judged under readings
	Rows   []readingRow
}

type readingRow struct {
	Name     string
	Verdicts []badge
}

// newReadingsView returns nil where no claim was judged under a reading. Rows are in the order of first appearance.
func newReadingsView(claims []claimView) *readingsView {
	view := &readingsView{}
	index := map[string]int{}
	for _, claim := range claims {
		if len(claim.Readings) == 0 {
			continue
		}
		view.Claims = append(view.Claims, claim)
		for _, reading := range claim.Readings {
			if _, known := index[reading.Name]; !known {
				index[reading.Name] = len(view.Rows)
				view.Rows = append(view.Rows, readingRow{Name: reading.Name})
			}
		}
	}
	if len(view.Claims) == 0 {
		return nil
	}
	for i := range view.Rows {
		for range view.Claims {
			view.Rows[i].Verdicts = append(view.Rows[i].Verdicts, badgeOf(analysis.NotRun))
		}
	}
	for column, claim := range view.Claims {
		for _, reading := range claim.Readings {
			view.Rows[index[reading.Name]].Verdicts[column] = reading.Verdict
		}
	}
	return view
}
