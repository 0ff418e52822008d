package report

// Claims for the template of the page: verdicts, evidence, and the table of assumptions.

import (
	"fmt"
	"strings"

	"gridsweep/analysis"
	"gridsweep/analysis/tabulate"
)

// claimView is a claim as the template shows it.
type claimView struct {
	analysis.Claim
	ID           string
	Number       string // of the claim on the page, such as C3
	Verdict      badge
	Ours         judgementView
	Published    *judgementView
	Holds        badge // on the published tables
	HasPublished bool  // the study has published numbers
	Assumptions  []assumptionView
}

// badge is a verdict as a sign, a word and a class of the style sheet.
type badge struct{ Sign, Word, Class string }

type judgementView struct {
	Title, Unit string // of its comparisons
	Margin      string
	Comparisons string // k of n
	Note        string
	Rows        []comparisonView
}

type comparisonView struct{ Where, What, Margin, Result string }

type assumptionView struct {
	Experiment  string // that repeats others
	Level       string
	Verdict     badge
	Margin      string
	Comparisons string
	Gaps        string
}

func badgeOf(verdict analysis.Verdict) badge {
	switch verdict {
	case analysis.Reproduced:
		return badge{"✓", "reproduced", "yes"}
	case analysis.NotReproduced:
		return badge{"✗", "not reproduced", "no"}
	case analysis.Inconclusive:
		return badge{"≈", "inconclusive", "open"}
	case analysis.Vacuous:
		return badge{"○", "vacuous", "none"}
	case analysis.NoValue:
		return badge{"∅", "no value", "none"}
	default:
		return badge{"–", "not run", "none"}
	}
}

// publishedBadge returns the badge of a verdict on the published tables, on which a claim holds or
// does not hold.
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
	case analysis.NotRun, analysis.NoValue, analysis.Vacuous:
		b.Word = "cannot be judged"
	}
	return b
}

func newClaimView(number int, claim analysis.Claim, hasPublished bool, ids anchors) claimView {
	c := claimView{
		Claim: claim, ID: ids.id("claim", claim.Name), Number: fmt.Sprintf("C%d", number),
		Verdict: badgeOf(claim.Ours.Verdict), Ours: newJudgementView(claim.Ours, claim.Unit),
		Holds: publishedBadge(claim.Published), HasPublished: hasPublished,
	}
	c.Ours.Title = "Our comparisons of claim " + c.Number
	if claim.Published != nil {
		published := newJudgementView(*claim.Published, claim.Unit)
		published.Title = "Comparisons of claim " + c.Number + " on the published tables"
		c.Published = &published
	}
	for _, assumption := range claim.Assumptions {
		view := newJudgementView(assumption.Judgement, claim.Unit)
		c.Assumptions = append(c.Assumptions, assumptionView{
			assumption.Experiment, assumption.Label, badgeOf(assumption.Verdict), view.Margin, view.Comparisons,
			strings.Join(assumption.Gaps, "; "),
		})
	}
	return c
}

func newJudgementView(judgement analysis.Judgement, unit string) judgementView {
	view := judgementView{Note: judgement.Note, Unit: unit, Margin: tabulate.Missing}
	if len(judgement.Comparisons) == 0 {
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
		case !c.Margin.HasInterval() && c.Margin.Value > 0:
			result = "holds"
		case !c.Margin.HasInterval() && c.Margin.Value < 0:
			result = "fails"
		case !c.Margin.HasInterval():
			result = "tie"
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

// assumptionsView is the table of all claims under all alternative assumptions.
type assumptionsView struct {
	Levels []string // one column for each assumption
	Rows   []assumptionRow
}

type assumptionRow struct {
	Claim    claimView
	Verdicts []badge
}

// newAssumptionsView returns the table of all claims; nil if no claim was judged under an
// alternative assumption. Columns are in the order of first appearance.
func newAssumptionsView(claims []claimView) *assumptionsView {
	type assumption struct{ experiment, level string }
	view := &assumptionsView{}
	column := map[assumption]int{}
	for _, claim := range claims {
		for _, r := range claim.Assumptions {
			key := assumption{r.Experiment, r.Level}
			if _, known := column[key]; !known {
				column[key] = len(view.Levels)
				view.Levels = append(view.Levels, r.Level)
			}
		}
	}
	if len(view.Levels) == 0 {
		return nil
	}
	for _, claim := range claims {
		if len(claim.Assumptions) == 0 {
			continue
		}
		row := assumptionRow{Claim: claim, Verdicts: make([]badge, len(view.Levels))}
		for i := range row.Verdicts {
			row.Verdicts[i] = badgeOf(analysis.NotRun)
		}
		for _, r := range claim.Assumptions {
			verdict := r.Verdict
			if r.Gaps != "" {
				verdict.Sign, verdict.Word = verdict.Sign+"*", verdict.Word+", with gaps"
			}
			row.Verdicts[column[assumption{r.Experiment, r.Level}]] = verdict
		}
		view.Rows = append(view.Rows, row)
	}
	return view
}
