// Alternative assumptions: sentences and signs on a claim, the claims that each changes, and the
// file beside the page.

package report

import (
	"math"
	"slices"
	"strings"
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
		counts := Counts{Reproduced: c.holding, NotReproduced: c.failing, Inconclusive: c.judged - c.holding - c.failing}
		if have := shareBadge(counts); have != c.want {
			t.Errorf("%d holding and %d failing of %d: %+v", c.holding, c.failing, c.judged, have)
		}
	}
}

// Each alternative has the claims that it alone makes reproduced or not reproduced.
func TestClaimsThatAlternativesChange(t *testing.T) {
	page := fakePage()
	beside := assumptionsOf(t, page)
	if !strings.Contains(string(beside), `beyond <a href="#claim-gap-largest-between">C2 ✓</a>`) {
		t.Error("the file beside the page does not name the claim that slack: beyond changes")
	}
	result := page.Studies[0].Result
	for _, want := range []string{result.Assumptions[0].Name, "with:"} {
		if !strings.Contains(parse(t, beside)[0].text, want) {
			t.Errorf("the file beside the page does not show %q", want)
		}
	}
	if views := newOpenViews(result.Assumptions, nil); len(views[1].Alternatives[0].Changed) > 0 {
		t.Errorf("%+v", views)
	}
}

// An alternative changes a claim that has the opposite verdict by default in the same experiment;
// where that was not judged, in the study. An inconclusive default has no opposite.
func TestChangesAreAgainstTheDefaultOfTheExperiment(t *testing.T) {
	const yes, no, open = analysis.Reproduced, analysis.NotReproduced, analysis.Inconclusive
	for _, c := range []struct {
		study, byDefault, alternative analysis.Verdict
		want                          string
	}{
		{open, yes, yes, ""}, {no, yes, yes, ""}, {yes, no, no, ""},
		{yes, open, yes, ""}, {no, open, no, ""}, {no, no, yes, "✓"}, {no, yes, no, "✗"},
		{no, analysis.NotRun, yes, "✓"}, {yes, analysis.NotRun, yes, ""},
		{no, analysis.NoValue, yes, ""}, {analysis.NotRun, analysis.NotRun, yes, ""},
	} {
		judged := func(experiment string, level int, v analysis.Verdict) analysis.AssumptionJudgement {
			return analysis.AssumptionJudgement{Experiment: experiment, Universe: study.Universe{Levels: []int{level}},
				Judgement: analysis.Judgement{Verdict: v}}
		}
		claim := analysis.Claim{Ours: analysis.Judgement{Verdict: c.study}}
		if c.byDefault != analysis.NotRun {
			claim.Assumptions = append(claim.Assumptions, judged("x", 0, c.byDefault))
		}
		// the default of another experiment does not count
		claim.Assumptions = append(claim.Assumptions, judged("y", 0, c.study), judged("x", 1, c.alternative))
		have := ""
		views := newOpenViews([]study.Assumption{{Name: "a", Levels: []string{"b", "c"}}}, []claimView{{Claim: claim}})
		for _, changed := range views[0].Alternatives[0].Changed {
			have += changed.Verdict.Sign
		}
		if have != c.want {
			t.Errorf("%s in the study, %s by default, %s: %q", c.study, c.byDefault, c.alternative, have)
		}
	}
}

// A claim that is judged in several experiments under assumptions has the names of those that count
// over its tables.
func TestAssumptionsByExperiment(t *testing.T) {
	page := fakePage()
	claim := &page.Studies[0].Result.Claims[1]
	single := claim.Universes[0]
	single.Experiment, single.Judgements = "alone", slices.Clone(single.Judgements[:1])
	single.Judgements[0].Experiment = single.Experiment
	single.Judgements[0].Universe = study.Universe{Label: "ties: random", Levels: []int{0, 2}}
	single.Changes = effects.Compare([][]int{{0, 0}}, []effects.Judged{{Outcome: effects.Fails}})
	single.Effects = effects.New([][]int{{0, 0}}).Fit([][]float64{{-1, -1.1}})
	claim.Assumptions = append(claim.Assumptions, single.Judgements...)
	claim.Universes = append(claim.Universes, single)
	weaker := claim.Universes[0]
	weaker.Experiment = "weaker"
	for _, j := range weaker.Judgements {
		j.Experiment, j.Comparisons = weaker.Experiment, j.Comparisons[:1]
		claim.Assumptions = append(claim.Assumptions, j)
	}
	claim.Universes = append(claim.Universes, weaker)
	content := assumptionsOf(t, page)
	if strings.Contains(string(content), weaker.Experiment) {
		t.Error("an experiment that counts in no universe is shown")
	}
	text := parse(t, content)[0].text
	for _, want := range []string{
		claim.Name + ": under the assumptions of readings", claim.Name + ": under the assumptions of open",
		claim.Name + ": under the assumptions of alone",
		claim.Name + ": what each assumption of open changes in the mean margin. Least squares of the mean margin on the " +
			"levels over 4 universes",
		"In alone: Least squares of the mean margin on the levels over 1 universe, ",
	} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%q is %d times in the file beside the page", want, strings.Count(text, want))
		}
	}
	checkSound(t, content)
}

// The method says which effects a design cannot tell apart, and why there are none.
func TestMethodOfEffects(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		universes [][]int
		values    [][]float64
		equal     int // the last universes, without numbers of their own
		want      string
	}{
		{[][]int{{0, 0}, {1, 0}, {0, 1}}, [][]float64{{1, 2}, {2, 3}, {4, 4}}, 0,
			"Least squares of the mean margin on the levels over 3 universes (the default and 2 others), replication by " +
				"replication (n = 2); this design tells no pairs of levels apart."},
		{[][]int{{0, 0}, {1, 0}, {0, 1}, {1, 1}}, [][]float64{{1, 2}, {2, 3}, {4, 4}, {5, 7}}, 1,
			"Least squares of the mean margin on the levels over 4 universes (the default, 2 others and 1 without numbers of " +
				"its own), replication by replication (n = 2); the levels explain 98 % of the variance over universes. Pairs " +
				"of levels are listed where their effect is clear."},
		{[][]int{{0}, {1}}, [][]float64{{1, 2, nan}, {nan, 1, 2}}, 0, "Least squares of the mean margin on the levels over " +
			"2 universes (the default and 1 other), replication by replication (n = 1)."},
		{[][]int{{0}, {1}, {2}}, [][]float64{{1, 2, nan}, {nan, 1, 2}, {3, nan, 1}}, 2,
			"No effects are fitted: no replication has a mean margin in all 3 universes (the default and 2 without numbers of " +
				"their own)."},
	} {
		r := analysis.Robustness{Effects: effects.New(c.universes).Fit(c.values)}
		for i, levels := range c.universes {
			j := analysis.AssumptionJudgement{Universe: study.Universe{Levels: levels}}
			if i >= len(c.universes)-c.equal {
				j.SameAs = "another"
			}
			r.Judgements = append(r.Judgements, j)
		}
		if have := method(r, 0); have != c.want {
			t.Errorf("%q, want %q", have, c.want)
		}
	}
}
