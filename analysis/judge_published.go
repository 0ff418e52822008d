// Verdicts on the published numbers, which have no intervals.

package analysis

import (
	"fmt"
	"math"

	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
	"gridsweep/sweeps/study"
)

// judgePublished judges the assertions of a claim together on the published numbers; nil if the
// paper does not print a number that the test needs. Several printed numbers of one run count as
// their mean. The mean margin is over the comparisons that ours has, so that both can be compared,
// or over all if ours has none of them.
func (a *analyzer) judgePublished(c *study.Claim, ours []Comparison) *Judgement {
	var found []margin
	for _, assertion := range c.Assertions {
		printed := a.publishedMargins(c.Test, &assertion)
		if len(printed) == 0 {
			return nil
		}
		found = append(found, prefixed(c, &assertion, printed)...)
	}
	found = bySet(found)
	judgement := judgeByMargins(c, found)
	shared := sharedWith(ours, found, c.Test)
	judgement.Shared = len(shared)
	if len(shared) > 0 {
		judgement.setMeans(shared)
	}
	return &judgement
}

// setMeans sets the mean margin, and the mean value of a claim with near, to those of margins on
// published numbers.
func (j *Judgement) setMeans(margins []margin) {
	j.MeanMargin = statistics.Point(mean(margins).Value)
	if value := meanValue(margins); value != nil {
		*value = statistics.Point(value.Value)
		j.MeanValue = value
	}
}

// sharedWith returns the margins on published numbers of the comparisons that ours has, too: of the
// same row and of the same levels. A peak or spread selects the levels that it compares by their
// numbers, and the published ones may select others: its comparisons are shared if their rows are.
func sharedWith(ours []Comparison, published []margin, test study.Test) []margin {
	selects := test.Trend == language.Peaks || test.Spread != nil
	nameOf := func(labels []string, what string) string {
		if selects {
			return tag(labels)
		}
		return tag([]string{tag(labels), what})
	}
	counts := map[string]int{}
	for _, comparison := range ours {
		counts[nameOf(comparison.Labels, comparison.What)]++
	}
	var shared []margin
	for _, m := range published {
		if name := nameOf(m.labels, m.what); counts[name] > 0 {
			counts[name]--
			shared = append(shared, m)
		}
	}
	return shared
}

// publishedMargins returns the comparisons of a claim on the published numbers; none if it cannot
// be judged on them.
func (a *analyzer) publishedMargins(test study.Test, assertion *study.Assertion) []margin {
	if len(assertion.Stats) > 0 && assertion.Stats[0].Measures() == statistics.Dispersion {
		return nil // a single number has no dispersion
	}
	e := a.plan.Planned(assertion.Experiment)
	if absent, _ := absentLevels(dimensionsOf(e), test, assertion); len(absent) > 0 {
		return nil
	}
	printed := a.publishedAnswer(e, &assertion.Query, assertion.LaidOut(), nil) // of any table
	if printed == nil {
		return nil
	}
	return margins(test, assertion, printed)
}

// judgeByMargins judges a claim by its margins on the published numbers, which have no intervals.
// The claim is reproduced if every comparison holds and some margin is above the equivalence
// margin, not reproduced if at most half of the comparisons hold, and inconclusive otherwise. The
// steps of trends count as comparisons.
//
// A claim with most is reproduced if in each set more than half of the rows that count hold (see
// countRows), else not reproduced.
func judgeByMargins(c *study.Claim, margins []margin) Judgement {
	// Some margin has to be above the equivalence margin, but with a tolerance none has to.
	isEnough := c.HasTolerance()
	j := Judgement{Note: "single numbers: no interval exists", Compared: len(margins)}
	j.setMeans(margins)
	for _, m := range margins {
		comparison := Comparison{Labels: m.labels, What: m.what, Margin: statistics.Point(m.value())}
		for _, step := range m.steps {
			comparison.Steps = append(comparison.Steps, Step{What: step.what, Margin: statistics.Point(step.value())})
		}
		j.Comparisons = append(j.Comparisons, comparison)
		if m.asserts.value() >= -c.EquivalenceMargin {
			j.Holding++
		}
		isEnough = isEnough || m.exceeds.value() > c.EquivalenceMargin
	}
	j.Steps = rule{delta: c.EquivalenceMargin}.countSteps(j.Comparisons, c.Test.Trend)
	if len(c.Assertions[0].Most) > 0 {
		j.Verdict = Reproduced
		for set := range Neighbours(margins, sameSet) {
			held, counted := countRows(set, c.HasTolerance(), c.EquivalenceMargin)
			text := set[0].inSet(
				fmt.Sprintf("holds, ties counted, in %d of %d %s", held, counted, whichRows(c.HasTolerance())))
			if 2*held <= counted {
				j.Verdict, j.FailsIn = NotReproduced, append(j.FailsIn, text)
			}
			j.Note += "; " + text
		}
		return j
	}
	held, n := j.Holding, len(j.Comparisons)
	for _, m := range margins {
		for _, step := range m.steps {
			n++
			if step.value() >= -c.EquivalenceMargin {
				held++
			}
		}
	}
	switch {
	case held == n && isEnough:
		j.Verdict = Reproduced
	case 2*held <= n:
		j.Verdict = NotReproduced
	default:
		j.Verdict = Inconclusive
	}
	return j
}

// countRows returns how many of the rows that count hold in every comparison, and how many count:
// those with a number outside the equivalence margin or, of a claim with a tolerance, all.
func countRows(margins []margin, hasTolerance bool, delta float64) (held, counted int) {
	for row := range Neighbours(margins, sameRow) {
		isHeld, counts := true, hasTolerance
		for _, m := range row {
			isHeld = isHeld && m.asserts.value() >= -delta
			counts = counts || math.Abs(m.value()) > delta
		}
		if counts {
			counted++
		}
		if counts && isHeld {
			held++
		}
	}
	return held, counted
}
