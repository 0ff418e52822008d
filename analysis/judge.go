package analysis

// Verdicts: from the margins of a claim to reproduced, not reproduced or inconclusive.

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"gridsweep/analysis/statistics"
	"gridsweep/sweeps/study"
)

// judge derives the verdict on a claim from its margins over our replications. A comparison holds
// if its margin is at least 0 or, with an equivalence margin δ, at least −δ. It clearly holds if
// its 95 % interval does, and clearly fails if a test rejects that it holds after Holm's correction
// for the number of comparisons. The claim is
//
//   - reproduced if all comparisons clearly hold and one is above the equivalence margin;
//   - not reproduced if one clearly fails, or all are clearly not above the equivalence margin;
//   - inconclusive otherwise.
//
// Claims with most are judged by rows; see rule.verdictOfMost. A margin of 0, or of no more than a
// rounding error, holds. But a claim whose margins are all 0 is inconclusive: otherwise it would be
// reproduced together with its reverse. Bounds have no reverse and may be met exactly.
//
// All p-values are multiplied by correction, which is 1 unless the claim is judged repeatedly.
func judge(c *study.Claim, margins []margin, correction float64, warnings []string) Judgement {
	if len(margins) == 0 {
		return Judgement{Verdict: NotRun, Note: note(warnings, "no run has the numbers that the test compares")}
	}
	r := rule{most: len(c.Assertions[0].Most) > 0, bounded: c.HasBounds(), margin: c.Margin, correction: correction}
	margins, reasons := ofSeveralRounds(margins)
	margins, equal := once(margins, r.most)
	reasons = append(reasons, equal...)
	j := Judgement{Comparisons: r.comparisons(margins), Margin: mean(margins)}
	for _, m := range margins {
		if m.asserts.value() >= -r.margin {
			j.Holding++
		}
	}
	verdict, rows := r.verdict(margins)
	j.Verdict, reasons = verdict, append(reasons, rows...)
	reasons = append(reasons, stepsAgainst(margins)...)
	if !j.Margin.HasInterval() {
		reasons = append(reasons, "there are too few replications, or it is a statistic without interval, so "+
			"there is no evidence")
	}
	if j.Verdict == Inconclusive {
		if j.Needed = r.needed(margins); j.Needed > 0 {
			reasons = append(reasons,
				fmt.Sprintf("about %d replications would decide it, with these means and deviations", j.Needed))
		}
	}
	j.Note = note(append(reasons, warnings...))
	return j
}

// once leaves out comparisons whose numbers equal those of another one in every replication, as
// comparisons with two levels that are the same runs, and returns a note with their number. Of
// claims about most rows it leaves out rows of a set that equal another row. Numbers that are the
// same in all replications, such as 0, may be equal by chance and stay.
func once(margins []margin, most bool) ([]margin, []string) {
	unit := func(m margin) string { return m.row + m.what }
	if most {
		unit = func(m margin) string { return m.row }
	}
	seen := map[string]bool{}
	var kept []margin
	for from, to := range neighbours(margins, unit) {
		varies, key := false, []byte(nil)
		if most {
			key = append(key, margins[from].set...)
		}
		for _, m := range margins[from:to] {
			for _, numbers := range m.asserts {
				for _, s := range numbers {
					key, varies = binary.LittleEndian.AppendUint64(key, s.id), varies || s.id != 0
				}
			}
		}
		if varies && seen[string(key)] {
			continue
		}
		seen[string(key)] = true
		kept = append(kept, margins[from:to]...)
	}
	if left := len(margins) - len(kept); left > 0 {
		text := fmt.Sprintf("left out, since they equal others in every replication: %d of %d comparisons", left,
			len(margins))
		return kept, []string{text}
	}
	return margins, nil
}

// stepsAgainst counts the steps between neighbouring levels that go against a trend, and those that
// do so clearly after Holm's correction for the number of steps. It returns nothing if there is
// none.
func stepsAgainst(margins []margin) []string {
	against := 0
	var p []float64
	for _, m := range margins {
		for _, step := range m.steps {
			p = append(p, one(step).below(0, 0))
			if step.value() < 0 {
				against++
			}
		}
	}
	clearly := 0
	for _, rejected := range statistics.Holm(p) {
		if rejected {
			clearly++
		}
	}
	switch {
	case against == 0:
		return nil
	case clearly == 0:
		return []string{fmt.Sprintf("from level to level %d of %d steps go the other way", against, len(p))}
	}
	return []string{fmt.Sprintf(
		"from level to level %d of %d steps go the other way, %d of them clearly", against, len(p), clearly)}
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
	return strings.Join(slices.DeleteFunc(append(others, parts...), func(part string) bool { return part == "" }), "; ")
}

// comparisons returns the margins with their intervals, and whether each clearly holds or fails.
func (r rule) comparisons(margins []margin) []Comparison {
	fails := holm(margins, r.fails)
	found := make([]Comparison, len(margins))
	for i, m := range margins {
		found[i] = Comparison{Labels: m.labels, What: m.what, Margin: m.interval()}
		isTie := !r.bounded && m.asserts.isTied(-r.margin)
		switch {
		case fails[i]:
			found[i].Clear = -1
		case !isTie && r.holds(m) <= significance:
			found[i].Clear = +1
		}
	}
	return found
}

// interval returns the margin with its interval. The margin of the test near is at most the
// half-width of its bounds, which it has in their middle.
func (m margin) interval() statistics.Estimate {
	e := settledEstimate(m.series.interval(), m.scale)
	if m.bounds != nil && e.High > m.bounds.within {
		e.High = m.bounds.within
	}
	return e
}

// mean returns the mean margin with its interval over replications.
func mean(margins []margin) statistics.Estimate {
	all, fewest := make([]series, len(margins)), 0
	for i, m := range margins {
		all[i], fewest = m.series, fewer(fewest, m.planned)
	}
	return settledEstimate(meanOf(all, fewest), scaleOf(all))
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

// judgePublished judges a claim on the published numbers, which have no intervals. The claim is
// reproduced if every comparison holds and some margin is above 0, not reproduced if at most half
// of the comparisons hold, and inconclusive otherwise. The steps of trends count as comparisons.
// With most, a row holds if all of its comparisons do, rows whose margins are all 0 do not count,
// and the claim is reproduced if in each set more than half of the rows that count hold, else not
// reproduced.
func judgePublished(c *study.Claim, margins []margin) Judgement {
	better := c.HasBounds()
	j := Judgement{Margin: statistics.Point(mean(margins).Value)}
	j.Note = note(append([]string{"single numbers: no interval exists"}, stepsAgainst(margins)...))
	for _, m := range margins {
		comparison := Comparison{Labels: m.labels, What: m.what, Margin: statistics.Point(m.value())}
		j.Comparisons = append(j.Comparisons, comparison)
		if m.asserts.value() >= -c.Margin {
			j.Holding++
		}
		better = better || m.supports.value() > c.Margin
	}
	if len(c.Assertions[0].Most) > 0 {
		j.Verdict = Reproduced
		bounded := c.HasBounds()
		for from, to := range neighbours(margins, func(m margin) string { return m.set }) {
			held, differ := countRows(margins[from:to], bounded, c.Margin)
			if 2*held <= differ {
				j.Verdict = NotReproduced
			}
			count := fmt.Sprintf("holds, ties counted, in %d of %d %s", held, differ, whichRows(bounded))
			j.Note += "; " + margins[from].ofSet(count)
		}
		return j
	}
	held, n := j.Holding, len(j.Comparisons)
	for _, m := range margins {
		for _, step := range m.steps {
			if n++; step.value() >= -c.Margin {
				held++
			}
		}
	}
	switch {
	case held == n && better:
		j.Verdict = Reproduced
	case 2*held <= n:
		j.Verdict = NotReproduced
	default:
		j.Verdict = Inconclusive
	}
	return j
}

// countRows returns the number of rows with a number outside the equivalence margin (all rows of a
// claim with bounds), and of those in which every comparison holds.
func countRows(margins []margin, bounded bool, equivalent float64) (held, differ int) {
	for from, to := range neighbours(margins, func(m margin) string { return m.row }) {
		isHeld, counts := true, bounded
		for _, m := range margins[from:to] {
			isHeld = isHeld && m.asserts.value() >= -equivalent
			counts = counts || math.Abs(m.value()) > equivalent
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
