// Tests of the sentences and signs on universes.

package report

import (
	"testing"

	"gridsweep/analysis"
	"gridsweep/analysis/effects"
	"gridsweep/sweeps/study"
)

// judgedUnder returns a default and single alternatives with verdicts.
func judgedUnder(verdicts ...analysis.Verdict) (analysis.Robustness, *analysis.Result) {
	outcomes := map[analysis.Verdict]effects.Outcome{
		analysis.Reproduced: effects.Holds, analysis.NotReproduced: effects.Fails, analysis.Inconclusive: effects.Open,
	}
	var r analysis.Robustness
	var universes [][]int
	var judged []effects.Judged
	choice := study.Assumption{Name: "a", Levels: []string{"default", "b", "c", "d", "e", "f"}}
	for level, verdict := range verdicts {
		universe := study.Universe{Label: "default", Levels: []int{level}}
		if level > 0 {
			universe.Label = "a: " + choice.Levels[level]
		}
		r.Judgements = append(r.Judgements,
			analysis.AssumptionJudgement{Universe: universe, Judgement: analysis.Judgement{Verdict: verdict}})
		universes = append(universes, universe.Levels)
		judged = append(judged, effects.Judged{Outcome: outcomes[verdict], Margin: float64(level % 3)})
	}
	r.Changes = effects.Compare(universes, judged)
	return r, &analysis.Result{Assumptions: []study.Assumption{choice}}
}

// A line on a claim names three of the alternatives that change its verdict, and counts the others:
// also where the default is inconclusive, so that none flips it.
func TestHingesNameSeveralAlternatives(t *testing.T) {
	const yes, no, open = analysis.Reproduced, analysis.NotReproduced, analysis.Inconclusive
	for _, c := range []struct {
		verdicts []analysis.Verdict
		want     string
	}{
		{[]analysis.Verdict{no, no, open}, ""},
		{[]analysis.Verdict{no, yes, open, yes}, "hinges on a: b and a: d"},
		{[]analysis.Verdict{yes, no, no, no, no, open}, "hinges on a: b, a: c, a: d and 1 other"},
		{[]analysis.Verdict{open, no, yes}, "reproduced under a: c"},
		{[]analysis.Verdict{open, yes, yes, yes, yes, yes}, "reproduced under a: c, a: b, a: d and 2 others"},
	} {
		r, result := judgedUnder(c.verdicts...)
		if have := hingesOn(r, &analysis.Claim{}, result); have != c.want {
			t.Errorf("%v: %q, want %q", c.verdicts, have, c.want)
		}
	}
}

// A share of universes is a failure only where the claim is not reproduced in most of them.
func TestSharesOfUniverses(t *testing.T) {
	for _, c := range []struct {
		holding, failing, judged int
		want                     badge
	}{
		{20, 0, 20, badge{Sign: "20/20", Class: "yes"}}, {1, 19, 20, badge{Sign: "1/20", Class: "open"}},
		{0, 11, 20, badge{Sign: "0/20", Class: "no"}}, {0, 10, 20, badge{Sign: "0/20", Class: "open"}},
		{0, 0, 0, badgeOf(analysis.NotRun)},
	} {
		if have := shareBadge(c.holding, c.failing, c.judged); have != c.want {
			t.Errorf("%d holding and %d failing of %d: %+v", c.holding, c.failing, c.judged, have)
		}
	}
}
