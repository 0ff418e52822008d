// Tests of the table of a claim's comparisons.

package report

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gridsweep/analysis"
	"gridsweep/analysis/statistics"
)

func compared(where, what string, margin float64) analysis.Comparison {
	return analysis.Comparison{Labels: []string{where}, What: what, Margin: lone(margin)}
}

// The paper's mean is shown beside ours, with the numbers of comparisons where it lacks some of
// ours.
func TestEffectBesideThePaper(t *testing.T) {
	ours := analysis.Judgement{MeanMargin: lone(2), Comparisons: []analysis.Comparison{
		compared("rate=1", "a − b", 2), compared("rate=2", "a − b", 2),
	}}
	for shared, want := range []string{
		"mean margin 2 points over 2 comparisons, paper 4 over 1 other",
		"mean margin 2 points over 2 comparisons, paper 4 over 1 of them",
		"mean margin 2 points, paper 4",
	} {
		published := &analysis.Judgement{MeanMargin: lone(4), Shared: shared, Comparisons: []analysis.Comparison{
			compared("rate=2", "a − b", 4),
		}}
		c := claimView{Claim: analysis.Claim{Ours: ours, Published: published, Unit: "points"}}
		if have := c.effect(); have != want {
			t.Errorf("%d shared: %q, want %q", shared, have, want)
		}
	}
	ours.Shared = 1 // as if they were published
	if have, want := marginOf(ours, "points"), "2 points over the 1 comparison of ours"; have != want {
		t.Errorf("%q, want %q", have, want)
	}
}

// What is compared at most places is a column, with the published margin in the cell of ours, and
// so is each step of a trend. What differs from place to place is a part of the line.
func TestLayoutOfComparisons(t *testing.T) {
	ignored := cmpopts.IgnoreUnexported(comparisonsView{})
	claim := analysis.Claim{
		Ours: analysis.Judgement{Comparisons: []analysis.Comparison{
			compared("rate=1", "a − b", 2), compared("rate=1", "a − c", -1), compared("rate=2", "a − b", 0),
		}},
		Published: &analysis.Judgement{Comparisons: []analysis.Comparison{compared("rate=2", "a − b", 4)}},
	}
	matrix := &comparisonsView{
		RowHeads: []string{"Where"}, Heads: []string{"a − b", "a − c"},
		Lines: []comparisonLine{
			{[]string{"rate=1"}, []marginsView{{"2 ✓", ""}, {"−1 ✗", ""}}},
			{[]string{"rate=2"}, []marginsView{{"0 =", "4 ✓"}, {}}},
		},
	}
	if diff := cmp.Diff(matrix, newComparisonsView(claim), ignored); diff != "" {
		t.Error(diff)
	}
	claim.Ours.Comparisons = []analysis.Comparison{
		compared("rate=1", "a − b", 2), compared("rate=2", "b − c", 1), compared("rate=3", "c − d", 1),
	}
	claim.Published = nil
	lines := &comparisonsView{
		RowHeads: []string{"Where", "What"}, Heads: []string{"Margin"},
		Lines: []comparisonLine{
			{[]string{"rate=1", "a − b"}, []marginsView{{"2 ✓", ""}}}, {[]string{"rate=2", "b − c"}, []marginsView{{"1 ✓", ""}}},
			{[]string{"rate=3", "c − d"}, []marginsView{{"1 ✓", ""}}},
		},
	}
	if diff := cmp.Diff(lines, newComparisonsView(claim), ignored); diff != "" {
		t.Error(diff)
	}
	trend := compared("rate=1", "3 − 1", 1)
	trend.Steps = []analysis.Step{{What: "2 − 1", Margin: lone(2)}, {What: "3 − 2", Margin: lone(-1)}}
	claim.Ours.Comparisons = []analysis.Comparison{trend}
	steps := &comparisonsView{
		RowHeads: []string{"Where"}, Heads: []string{"3 − 1", "2 − 1", "3 − 2"},
		Lines: []comparisonLine{{[]string{"rate=1"}, []marginsView{{"1 ✓", ""}, {"2 ✓", ""}, {"−1 ✗", ""}}}},
	}
	if diff := cmp.Diff(steps, newComparisonsView(claim), ignored); diff != "" {
		t.Error(diff)
	}
	trend.Margin = statistics.Estimate{Value: 3, Low: 1, High: 5, N: 4}
	trend.Clear, trend.Steps = -1, trend.Steps[:1]
	claim.Ours.Comparisons = []analysis.Comparison{trend}
	failing := &comparisonsView{
		RowHeads: []string{"Where"}, Heads: []string{"3 − 1", "whole trend", "2 − 1"},
		Lines: []comparisonLine{{[]string{"rate=1"}, []marginsView{{"3.0 ± 2.0", ""}, {"✗", ""}, {"2 ✓", ""}}}},
	}
	if diff := cmp.Diff(failing, newComparisonsView(claim), ignored); diff != "" {
		t.Errorf("a trend that fails in a step: %s", diff)
	}
	if none := newComparisonsView(analysis.Claim{}); none != nil {
		t.Errorf("a claim without comparisons has %+v", none)
	}
}

// Margins without an interval are ties within the equivalence margin, as in the count of those that
// hold.
func TestSignsWithAnEquivalenceMargin(t *testing.T) {
	claim := analysis.Claim{EquivalenceMargin: 0.5, Published: &analysis.Judgement{Comparisons: []analysis.Comparison{
		compared("rate=1", "a − b", 0.6), compared("rate=2", "a − b", -0.5), compared("rate=3", "a − b", -0.6),
	}}}
	var signs []string
	for _, line := range newComparisonsView(claim).Lines {
		signs = append(signs, line.Margins[0].Published)
	}
	if diff := cmp.Diff([]string{"0.6 ✓", "−0.5 =", "−0.6 ✗"}, signs); diff != "" {
		t.Error(diff)
	}
}

// Of many comparisons those that hold are counted only.
func TestLongComparisonsAreShortened(t *testing.T) {
	var claim analysis.Claim
	for i := range mostComparisons + 2 {
		margin := float64(1 - 2*(i%2))
		claim.Ours.Comparisons = append(claim.Ours.Comparisons, compared("rate="+strconv.Itoa(i), "a − b", margin))
	}
	claim.Published = &claim.Ours
	v := newComparisonsView(claim)
	if want := "21 more hold (✓); 21 more hold on the published tables"; v.LeftOut != want || len(v.Lines) != 21 {
		t.Errorf("%d lines, left out: %q, want %q", len(v.Lines), v.LeftOut, want)
	}
}
