// Comparisons of a claim for the template of the page: our margins and those on the published
// tables in one table.

package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gridsweep/analysis"
	"gridsweep/analysis/statistics"
	"gridsweep/analysis/tabulate"
)

// mostComparisons is how many comparisons of a claim the page lists whole. Of more it leaves out
// those with the sign ✓.
const mostComparisons = 40

// wholeTrend heads the column of the results of trends over several steps. A trend fails if one of
// its steps goes the other way, though the last level may clearly be above the first.
const wholeTrend = "whole trend"

// comparisonsView is a table of margins. Where most rows of a claim have the same comparisons, each
// comparison is a column; else each is a line.
type comparisonsView struct {
	RowHeads []string // the headings of the columns that name a line
	Heads    []string // the headings of the columns of margins
	Lines    []comparisonLine
	LeftOut  string // how many comparisons are left out, in words; empty if all are shown
	margins  map[comparison]*marginsView
	// The rows and what is compared in margins, in the order of first appearance.
	rows, compared []string
}

type comparisonLine struct {
	Labels  []string
	Margins []marginsView
}

// marginsView is the margins of a comparison with the signs of their results; each is empty if
// there is none.
type marginsView struct{ Ours, Published string }

// comparison is a row of a claim, such as a level of a factor, and what is compared there.
type comparison struct{ row, what string }

// newComparisonsView returns the comparisons of a claim; nil if there are none to show.
func newComparisonsView(claim analysis.Claim) *comparisonsView {
	v := &comparisonsView{margins: map[comparison]*marginsView{}}
	var leftOut []string
	ours := func(m *marginsView) *string { return &m.Ours }
	if left := v.addAll(claim.Ours, claim.EquivalenceMargin, ours); left > 0 {
		leftOut = append(leftOut, fmt.Sprintf("%d more hold (✓)", left))
	}
	if claim.Published != nil {
		published := func(m *marginsView) *string { return &m.Published }
		if left := v.addAll(*claim.Published, claim.EquivalenceMargin, published); left > 0 {
			leftOut = append(leftOut, fmt.Sprintf("%d more hold on the published tables", left))
		}
	}
	v.LeftOut = strings.Join(leftOut, "; ")
	if len(v.margins) == 0 && v.LeftOut == "" {
		return nil
	}
	if 2*len(v.margins) >= len(v.rows)*len(v.compared) { // at least half of the matrix is filled
		v.layOutMatrix()
	} else {
		v.layOutList()
	}
	return v
}

// addAll adds the margins of a judgement, with their signs by an equivalence margin delta, to a
// field of marginsView, and returns how many comparisons it leaves out.
func (v *comparisonsView) addAll(
	judgement analysis.Judgement, delta float64, field func(*marginsView) *string,
) (left int) {
	shortened := len(judgement.Comparisons) > mostComparisons
	for _, c := range judgement.Comparisons {
		sign := signOf(c.Margin, c.Clear, delta)
		if shortened && sign == "✓" {
			left++
			continue
		}
		row := cmp.Or(strings.Join(c.Labels, ", "), "everywhere")
		key := comparison{row, c.What}
		if len(c.Steps) > 0 && c.Margin.HasInterval() {
			v.add(key, tabulate.Estimate(c.Margin), field) // the sign is that of all steps
			v.add(comparison{row, wholeTrend}, sign, field)
		} else {
			v.add(key, tabulate.Estimate(c.Margin)+" "+sign, field)
		}
		for _, step := range c.Steps {
			text := tabulate.Estimate(step.Margin) + " " + signOf(step.Margin, step.Clear, delta)
			v.add(comparison{row, step.What}, text, field)
		}
	}
	return left
}

// add adds a margin, its sign or both to a field of a comparison's marginsView.
func (v *comparisonsView) add(key comparison, shown string, field func(*marginsView) *string) {
	if v.margins[key] == nil {
		v.margins[key] = &marginsView{}
		v.rows, v.compared = withNew(v.rows, key.row), withNew(v.compared, key.what)
	}
	text := field(v.margins[key])
	if *text != "" {
		*text += "; "
	}
	*text += shown
}

// signOf returns the sign of a comparison from its margin and its field Clear. Without an interval
// the margin decides, a tie within the equivalence margin delta.
func signOf(margin statistics.Estimate, clearly int, delta float64) string {
	switch {
	case margin.HasInterval():
		return []string{"✗", "≈", "✓"}[1+cmp.Compare(clearly, 0)]
	case margin.Value < -delta:
		return "✗"
	case margin.Value > delta:
		return "✓"
	}
	return "="
}

func withNew(texts []string, text string) []string {
	if slices.Contains(texts, text) {
		return texts
	}
	return append(texts, text)
}

// layOutMatrix makes a line of each row, with a column for each thing compared.
func (v *comparisonsView) layOutMatrix() {
	v.RowHeads, v.Heads = []string{"Where"}, v.compared
	for _, row := range v.rows {
		line := comparisonLine{Labels: []string{row}}
		for _, what := range v.compared {
			line.Margins = append(line.Margins, *cmp.Or(v.margins[comparison{row, what}], &marginsView{}))
		}
		v.Lines = append(v.Lines, line)
	}
}

// layOutList makes a line of each comparison.
func (v *comparisonsView) layOutList() {
	v.RowHeads, v.Heads = []string{"Where", "What"}, []string{"Margin"}
	for _, row := range v.rows {
		for _, what := range v.compared {
			if margins := v.margins[comparison{row, what}]; margins != nil {
				v.Lines = append(v.Lines, comparisonLine{[]string{row, what}, []marginsView{*margins}})
			}
		}
	}
}
