// Verdicts on trends and spreads in universes that run fewer levels than the study.

package analysis

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"gridsweep/analysis/statistics"
)

// fewerLevels is a study of one curve of five levels, which the universes run at some of them.
const fewerLevels = `
study: toy
title: Toy
model: toy
factors: {lambda: [0.1, 0.2, 0.3, 0.4, 0.5], policy: [a, b]}
assumptions: {mode: {doc: d, source: s, default: plain, why: w, levels: {odd: {mode: odd}}}}
experiments:
  rate: {cross: [lambda, policy], rounds: 4}
  open: {repeat: rate, assumptions: all, design: full, rounds: 4, levels: {LEVELS}}
claims: {c: {of: rate, show: loss, for: policy, along: lambda, TEST}}
`

// curves gives losses by level of lambda, those of mode odd and 0, 1, 0, 1, 0 by default, with a
// disturbance. The two policies do not differ otherwise.
func curves(odd []float64, disturbance float64) script {
	return func(p toyPoint, replication int) *toyOutcome {
		level := int(10*p.Lambda+0.5) - 1
		loss := float64(level % 2)
		if p.Mode == "odd" {
			loss = odd[level]
		}
		return &toyOutcome{Loss: loss + disturbance*math.Sin(float64(7*replication+5*level+int(p.Policy[0])))}
	}
}

// A universe without some levels of the claim's trend cannot show what these would: it decides only
// what the levels that it has imply of all.
func TestTrendsOnFewerLevels(t *testing.T) {
	const rises, falls, peaks, both = "trend: rises", "trend: falls", "trend: peaks", "policy: [a, b]"
	const ends, ofThree, inner = "lambda: [0.1, 0.5]", "lambda: [0.1, 0.3, 0.5]", "lambda: [0.2, 0.3, 0.4]"
	const nothing = "No number of replications would decide it if all are like those that were run, on 2 of 8 steps"
	reproduced := func(extent string) string {
		return "On the " + extent + " that were run it is reproduced, and no number of replications decides the others"
	}
	not := func(extent string) string {
		return strings.Replace(reproduced(extent), "is reproduced", "is not reproduced", 1)
	}
	for _, c := range []struct {
		test, levels string
		odd          []float64
		disturbance  float64
		want         Verdict
		onRun        Verdict
		why          string
	}{
		{rises, ends, []float64{0, 9, 1, 9, 9}, 0.01, Inconclusive, Reproduced, reproduced("2 of 8 steps")},
		{rises, ends, []float64{9, 1, 2, 3, 0}, 0.01, NotReproduced, "", ""},
		{rises, ends, []float64{0, 0, 0, 0, 0.3}, 1, Inconclusive, "", nothing},
		{rises, both, []float64{0, 1, 2, 3, 4}, 0.01, Reproduced, "", ""},
		// all steps of one comparison
		{rises, "policy: [a]", []float64{0, 1, 2, 3, 4}, 0.01, Reproduced, "", ""},
		{falls, inner, []float64{0, 4, 3, 2, 0}, 0.01, Inconclusive, Reproduced, reproduced("4 of 8 steps")},
		{falls, ofThree, []float64{5, 4, 3, 2, 1}, 0.01, Inconclusive, Reproduced, reproduced("4 of 8 steps")},
		{falls, inner, []float64{0, 2, 1, 4, 0}, 0.01, NotReproduced, "", ""},
		// with an equivalence margin two steps down by 0.75 are none
		{rises + ", margin: 1", ends, []float64{0, 0, 0, 0, -1.5}, 0.01, NotReproduced, "", ""},
		{rises + ", margin: 1", ofThree, []float64{0, 0, -1.5, 0, 3}, 0.01, Inconclusive, NotReproduced, not("4 of 8 steps")},
		{rises + ", margin: 1", ofThree, []float64{0, 0, -2.5, 0, 3}, 0.01, NotReproduced, "", ""},
		{rises + ", margin: 1", "lambda: [0.2, 0.4]", []float64{0, 0, 0, -1.5, 0}, 0.01, Inconclusive, NotReproduced,
			not("2 of 8 steps")},
		{falls + ", margin: 1", inner, []float64{0, 0, 1.5, 0, 0}, 0.01, NotReproduced, "", ""},
		{peaks, ofThree, []float64{0, 0, 5, 0, 1}, 0.01, Reproduced, "", ""},
		{peaks, ofThree, []float64{3, 9, 1, 9, 2}, 0.01, Inconclusive, NotReproduced, not("3 of 5 levels")},
		{peaks, inner, []float64{9, 0, 5, 1, 9}, 0.01, Inconclusive, Reproduced, reproduced("3 of 5 levels")},
		{peaks, inner, []float64{0, 3, 1, 2, 0}, 0.01, Inconclusive, NotReproduced, not("3 of 5 levels")},
		{"spread: 1", ends, []float64{0, 9, 0, 0, 0.1}, 0.01, Inconclusive, Reproduced, reproduced("2 of 5 levels")},
		{"spread: 1", ends, []float64{0, 0, 0, 0, 9}, 0.01, NotReproduced, "", ""},
	} {
		t.Run(fmt.Sprint(c.test, " on ", c.levels, " as ", c.odd), func(t *testing.T) {
			x := runStudy(t, strings.NewReplacer("LEVELS", c.levels, "TEST", c.test).Replace(fewerLevels),
				curves(c.odd, c.disturbance), nil)
			claim := x.analyze(t).Claims[0]
			i := slices.IndexFunc(claim.Assumptions, func(j AssumptionJudgement) bool { return j.Label == "mode: odd" })
			odd := claim.Assumptions[i]
			if odd.Verdict != c.want || odd.OnLevelsRun != c.onRun || odd.Undecidable != c.why {
				t.Errorf("%s, on the levels run %q: %q; want %s, %q, %q", odd.Verdict, odd.OnLevelsRun, odd.Undecidable, c.want,
					c.onRun, c.why)
			}
			d := x.decide(t, 1, statistics.LookCorrection(1))[Subject{"c", "open", "mode: odd"}]
			if d.Verdict != c.want || d.OnLevelsRun != c.onRun {
				t.Errorf("decided as %s, on the levels run %q", d.Verdict, d.OnLevelsRun)
			}
			// more replications may show that the unclear step falls, but cannot add steps
			if canChange := len(d.Cells) > 0; canChange != (c.why == nothing) {
				t.Errorf("needs replications of %v", d.Cells)
			}
		})
	}
}

// A claim that fails is not explained by an alternative under which the steps that were run hold,
// and no verdict hinges on it. The extent of a trend is in steps, of a peak or spread in levels.
func TestReasonOnFewerLevels(t *testing.T) {
	file := strings.NewReplacer("LEVELS", "lambda: [0.1, 0.5]", "TEST", "trend: rises").Replace(fewerLevels)
	x := runStudy(t, file, curves([]float64{0, 9, 1, 9, 9}, 0.01), nil)
	claim := x.analyze(t).Claims[0]
	want := Reason{Class: ClassUnexplained, Text: "Reproduced under none of 1 single alternative; 1 is undecided, as " +
		"not all levels were run; the nearest alternative is mode: odd (inconclusive, reproduced on the levels that were " +
		"run), where 2 of 2 comparisons hold, with a mean margin of 9.001 points"}
	if claim.Ours.Verdict != NotReproduced || claim.Reason == nil || *claim.Reason != want {
		t.Errorf("%s: %+v", claim.Ours.Verdict, claim.Reason)
	}
	r := claim.Universes[0]
	if r.Changes.Holding != 0 || r.Smallest() != nil || len(r.Changes.Flips) != 0 {
		t.Errorf("%+v", r.Changes)
	}
	for _, c := range []struct{ test, levels, want string }{
		{"trend: rises", "[0.1, 0.5]", "2 of 8 steps"}, {"trend: peaks", "[0.1, 0.3, 0.5]", "3 of 5 levels"},
		{"spread: 1", "[0.1, 0.3, 0.5]", "3 of 5 levels"},
	} {
		file := strings.NewReplacer("LEVELS", "lambda: "+c.levels, "TEST", c.test).Replace(fewerLevels)
		claim := runStudy(t, file, curves([]float64{0, 9, 1, 9, 9}, 0.01), nil).analyze(t).Claims[0]
		if have := claim.Extent("open").String(); have != c.want {
			t.Errorf("%s: judged on %q, want %q", c.test, have, c.want)
		}
	}
}

// With --levels the claim's own trend may have as few levels as that of a universe, which then
// lacks none.
func TestLevelsOfThePlan(t *testing.T) {
	odd := []float64{0, 9, 1, 9, 9}
	file := strings.NewReplacer("LEVELS", "lambda: [0.1, 0.5]", "TEST", "trend: rises").Replace(fewerLevels)
	for levels, want := range map[string]Verdict{"[0.1, 0.5]": Reproduced, "[0.1, 0.2, 0.5]": Inconclusive} {
		file := strings.Replace(file, "[0.1, 0.2, 0.3, 0.4, 0.5]", levels, 1)
		claim := runStudy(t, file, curves(odd, 0.01), nil).analyze(t).Claims[0]
		verdicts := map[string]Verdict{}
		for _, j := range claim.Assumptions {
			verdicts[j.Label] = j.Verdict
		}
		if verdicts["mode: odd"] != want {
			t.Errorf("on %s: %v", levels, slices.Collect(maps.Values(verdicts)))
		}
	}
}
