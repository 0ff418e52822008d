package analysis

// Verdicts: from the margins of a claim to reproduced, not reproduced or inconclusive.

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gridsweep/analysis/statistics"
	"gridsweep/sweeps/study"
)

// judge derives the verdict on a claim from its margins over our replications; pool.judge has
// sorted out the claims that were not run or have no value. A comparison holds if its margin is at
// least 0. It holds clearly, or fails clearly, if a paired test at 5 % rejects a margin of 0 after
// Holm's correction for the number of comparisons. The claim is
//
//   - reproduced if the interval of the mean margin lies above 0 and no comparison fails clearly;
//   - not reproduced if that interval lies below 0 or some comparison fails clearly;
//   - inconclusive otherwise.
//
// A claim with most applies these rules to each row separately; see verdictOfMost. The tests near
// and spread are about bounds, and compare each interval with them; see verdictOfAll.
//
// A margin of 0, or of no more than a rounding error, holds. But a claim whose margins are all 0 is
// inconclusive: otherwise it would be reproduced together with its reverse. Bounds have no reverse
// and may be met exactly. Peaks and spreads choose their comparison for its size, so its interval
// and test are corrected for the choice.
func judge(c *study.Claim, margins []margin, warnings []string) Judgement {
	if len(margins) == 0 {
		return Judgement{Verdict: NotRun, Note: note(warnings, "no run has the numbers that the test compares")}
	}
	margins, reasons := ofSeveralRounds(margins)
	j := Judgement{Comparisons: comparisons(margins), Margin: mean(margins)}
	for _, comparison := range j.Comparisons {
		if comparison.Margin.Value >= 0 {
			j.Holding++
		}
	}
	bounded := c.HasBounds()
	if len(c.Assertions[0].Most) == 0 {
		j.Verdict = verdictOfAll(j.Margin, j.Comparisons, bounded)
	} else {
		var rows []string
		j.Verdict, rows = verdictOfMost(margins, j.Comparisons, bounded)
		reasons = append(reasons, rows...)
	}
	reasons = append(reasons, stepsAgainst(margins)...)
	if !j.Margin.HasInterval() {
		reasons = append(reasons, "there are too few replications, or it is a statistic without interval, so "+
			"there is no evidence")
	}
	j.Note = note(append(reasons, warnings...))
	return j
}

// stepsAgainst counts the steps between neighbouring levels that go against a trend, since the
// margin of a trend is of the first and the last level alone. It returns nothing if there is none.
// A step goes against the trend clearly if a paired test at 5 % of this step alone says so.
func stepsAgainst(margins []margin) []string {
	steps, against, clearly := 0, 0, 0
	for _, m := range margins {
		for _, step := range m.steps {
			steps++
			if step.value() >= 0 {
				continue
			}
			against++
			if step.by.PValue(step.terms) <= 1-statistics.Confidence {
				clearly++
			}
		}
	}
	switch {
	case against == 0:
		return nil
	case clearly == 0:
		return []string{fmt.Sprintf("from level to level %d of %d steps go the other way", against, steps)}
	}
	return []string{fmt.Sprintf(
		"from level to level %d of %d steps go the other way, %d of them clearly", against, steps, clearly)}
}

// ofSeveralRounds leaves out comparisons of a single replication, which have no interval, if others
// have several, and returns a note with their number.
func ofSeveralRounds(margins []margin) ([]margin, []string) {
	several := func(m margin) bool { return m.series.interval().N > 1 }
	var kept []margin
	for _, m := range margins {
		if several(m) {
			kept = append(kept, m)
		}
	}
	left := len(margins) - len(kept)
	if left == 0 || len(kept) == 0 {
		return margins, nil
	}
	text := fmt.Sprintf("left out, since a single replication has them: %d of %d comparisons", left, len(margins))
	return kept, []string{text}
}

func note(parts []string, others ...string) string {
	return strings.Join(append(others, parts...), "; ")
}

// comparisons returns the margins with their intervals, and whether each clearly holds or fails.
func comparisons(margins []margin) []Comparison {
	p := make([]float64, len(margins))
	for i, m := range margins {
		p[i] = math.Min(1, m.by.PValue(m.terms)*float64(max(1, m.choices)))
	}
	rejected := statistics.Holm(p)
	found := make([]Comparison, len(margins))
	for i, m := range margins {
		found[i] = Comparison{Labels: m.labels, What: m.what, Margin: m.interval()}
		switch {
		case !rejected[i] || m.bounds == nil && found[i].Margin.Value == 0:
		case found[i].Margin.Value >= 0:
			found[i].Clear = +1
		default:
			found[i].Clear = -1
		}
	}
	return found
}

// interval returns the margin with its interval. The margin of the test near is at most the
// half-width of its bounds, which it has in their middle.
func (m margin) interval() statistics.Estimate {
	e := settledEstimate(m.series.interval().Corrected(m.choices), m.scale)
	if m.bounds != nil && e.High > m.bounds.within {
		e.High = m.bounds.within
	}
	return e
}

// mean returns the mean margin with its interval over replications.
func mean(margins []margin) statistics.Estimate {
	all, choices, fewest := make([]series, len(margins)), 0, 0
	for i, m := range margins {
		all[i], choices, fewest = m.series, max(choices, m.choices), fewer(fewest, m.planned)
	}
	return settledEstimate(meanOf(all, fewest).Corrected(choices), scaleOf(all))
}

// fewer returns the smaller of two numbers of replications; 0 means unknown.
func fewer(a, b int) int {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// meanOf returns the mean of several numbers with its interval over replications. Replication k has
// the same random numbers in all of them. If only some numbers lack a replication, the jackknife
// uses those that have it. Statistics other than the mean, such as medians, are taken of the means
// of each replication. The interval has the degrees of freedom of the fewest replications planned
// for one of the numbers; 0 means unknown.
func meanOf(all []series, fewest int) statistics.Estimate {
	if len(all) == 1 {
		return all[0].interval()
	}
	rounds := roundsOf(all)
	complete := eachRound(all, rounds)
	if by := byOf(all); by != statistics.Mean || !slices.ContainsFunc(complete, math.IsNaN) {
		of := 0
		for _, s := range all {
			of = fewer(of, s.of)
		}
		return series{terms: complete, by: by, of: of}.interval()
	}
	return statistics.JackknifeOf(len(rounds), func(left int) float64 {
		sum := 0.0
		for _, s := range all {
			value := s.value()
			if left >= 0 && rounds[left] < len(s.terms) {
				if others := s.without(rounds[left]); !math.IsNaN(others) {
					value = others
				}
			}
			sum += value
		}
		return sum / float64(len(all))
	}).OfRounds(cmp.Or(fewest, len(rounds)))
}

// roundsOf returns the replications in which some number has a value.
func roundsOf(all []series) []int {
	var rounds []int
	for k, more := 0, true; more; k++ {
		more = false
		has := false
		for _, s := range all {
			more = more || k+1 < len(s.terms)
			has = has || k < len(s.terms) && !math.IsNaN(s.terms[k])
		}
		if has {
			rounds = append(rounds, k)
		}
	}
	return rounds
}

func byOf(all []series) statistics.Statistic {
	if len(all) == 0 {
		return statistics.Mean
	}
	return all[0].by
}

// scaleOf returns the largest scale of some series.
func scaleOf(all []series) float64 {
	scale := 0.0
	for _, s := range all {
		scale = max(scale, s.scale)
	}
	return scale
}

// eachRound returns the mean over the numbers in each of the replications; NaN if one lacks it.
func eachRound(all []series, rounds []int) []float64 {
	means, scale := make([]float64, len(rounds)), scaleOf(all)
	for i, k := range rounds {
		for _, s := range all {
			if k >= len(s.terms) {
				means[i] = math.NaN()
				break
			}
			means[i] += s.terms[k] / float64(len(all))
		}
		means[i] = settled(means[i], scale)
	}
	return means
}

// verdictOfAll judges a claim that asserts all of its comparisons, by the rules of judge. A claim
// with bounds is reproduced if each interval lies inside them, not reproduced if one lies outside,
// and otherwise inconclusive.
func verdictOfAll(mean statistics.Estimate, comparisons []Comparison, bounded bool) Verdict {
	across := func(c Comparison) bool { return !(c.Margin.Low >= 0) }
	if bounded && slices.ContainsFunc(comparisons, across) {
		if slices.ContainsFunc(comparisons, func(c Comparison) bool { return c.Margin.High < 0 }) {
			return NotReproduced
		}
		return Inconclusive
	}
	below := slices.ContainsFunc(comparisons, func(c Comparison) bool { return c.Clear < 0 })
	above := mean.Low > 0 || bounded && mean.Low == 0
	switch {
	case below || mean.High < 0:
		return NotReproduced
	case above:
		return Reproduced
	default:
		return Inconclusive
	}
}

// verdictOfMost judges a claim about more than half of the rows in each set; a set is the rows at
// the same levels of for. A row counts if a paired test at 5 % finds a difference in one of its
// comparisons; with bounds all rows count. A row holds if its verdict by verdictOfAll is
// Reproduced and each of its comparisons holds; it fails if that is NotReproduced. The claim is
// reproduced if in each set more than half of the rows that count hold, and not reproduced if in
// some set at least half of them fail.
func verdictOfMost(margins []margin, comparisons []Comparison, bounded bool) (Verdict, []string) {
	var reasons []string
	reproduced, sets := 0, 0
	verdictOf := Inconclusive
	for from, to := range neighbours(margins, func(m margin) string { return m.set }) {
		held, fails, differ := 0, 0, 0
		for a, b := range neighbours(margins[from:to], func(m margin) string { return m.row }) {
			row, found := margins[from+a:from+b], comparisons[from+a:from+b]
			if !bounded && !slices.ContainsFunc(row, differs) {
				continue
			}
			differ++
			fail := slices.ContainsFunc(found, func(c Comparison) bool { return c.Margin.Value < 0 })
			switch verdictOfAll(mean(row), found, bounded) {
			case Reproduced:
				if !fail {
					held++
				}
			case NotReproduced:
				fails++
			}
		}
		sets++
		switch {
		case 2*held > differ:
			reproduced++
		case differ > 0 && 2*fails >= differ: // then more than half cannot hold
			verdictOf = NotReproduced
		}
		reasons = append(reasons, rowsInWords(margins[from], held, fails, differ, bounded))
	}
	if reproduced == sets {
		verdictOf = Reproduced
	}
	return verdictOf, reasons
}

func rowsInWords(m margin, held, fails, differ int, bounded bool) string {
	return m.ofSet(fmt.Sprintf("clearly so in %d and clearly not in %d of %d %s", held, fails, differ, whichRows(bounded)))
}

// ofSet prefixes a text with the labels of the margin's set, if it has any.
func (m margin) ofSet(text string) string {
	if m.set == "" {
		return text
	}
	return strings.ReplaceAll(m.set, "\x00", ", ") + ": " + text
}

// whichRows names the rows that count under most.
func whichRows(bounded bool) string {
	if bounded {
		return "rows"
	}
	return "rows in which anything differs"
}

// differs reports whether a paired test at 5 % finds a difference.
func differs(m margin) bool { return m.by.PValue(m.terms) <= 1-statistics.Confidence }

// neighbours yields the half-open intervals of neighbouring margins with the same name.
func neighbours(margins []margin, name func(margin) string) func(yield func(from, to int) bool) {
	return func(yield func(from, to int) bool) {
		for from := 0; from < len(margins); {
			to := from + 1
			for to < len(margins) && name(margins[to]) == name(margins[from]) {
				to++
			}
			if !yield(from, to) {
				return
			}
			from = to
		}
	}
}

// judgePublished judges a claim on the published numbers, which have no intervals. The claim is
// reproduced if every comparison holds and some margin is above 0, not reproduced if at most half
// of the comparisons hold, and inconclusive otherwise. With most, a row holds if all of its
// comparisons do, rows whose margins are all 0 do not count, and the claim is reproduced if in each
// set more than half of the rows that count hold, else not reproduced.
func judgePublished(c *study.Claim, margins []margin) Judgement {
	better := c.HasBounds()
	j := Judgement{Margin: statistics.Point(mean(margins).Value)}
	j.Note = note(append([]string{"single numbers: no interval exists"}, stepsAgainst(margins)...))
	for _, m := range margins {
		value := m.value()
		comparison := Comparison{Labels: m.labels, What: m.what, Margin: statistics.Point(value)}
		j.Comparisons = append(j.Comparisons, comparison)
		if value >= 0 {
			j.Holding++
		}
		better = better || value > 0
	}
	if len(c.Assertions[0].Most) > 0 {
		j.Verdict = Reproduced
		bounded := c.HasBounds()
		for from, to := range neighbours(margins, func(m margin) string { return m.set }) {
			held, differ := countRows(margins[from:to], bounded)
			if 2*held <= differ {
				j.Verdict = NotReproduced
			}
			count := fmt.Sprintf("holds, ties counted, in %d of %d %s", held, differ, whichRows(bounded))
			j.Note += "; " + margins[from].ofSet(count)
		}
		return j
	}
	switch n := len(j.Comparisons); {
	case j.Holding == n && better:
		j.Verdict = Reproduced
	case 2*j.Holding <= n:
		j.Verdict = NotReproduced
	default:
		j.Verdict = Inconclusive
	}
	return j
}

// countRows returns the number of rows with a margin other than 0 (with bounds, of all rows), and
// of those in which every comparison holds.
func countRows(margins []margin, bounded bool) (held, differ int) {
	for from, to := range neighbours(margins, func(m margin) string { return m.row }) {
		isHeld, counts := true, bounded
		for _, m := range margins[from:to] {
			isHeld = isHeld && m.value() >= 0
			counts = counts || m.value() != 0
		}
		if counts {
			differ++
		}
		if counts && isHeld {
			held++
		}
	}
	return held, differ
}
