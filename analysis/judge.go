// Judging: which margins of a claim the rule of verdicts gets, and what a judgement tells of them.

package analysis

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/dustin/go-humanize/english"

	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
	"gridsweep/sweeps/study"
)

// judgeByEvidence judges a claim by the evidence that its margins over our replications give, by
// the rule of verdicts (see rule). It leaves out comparisons that show nothing of their own. All
// p-values are multiplied by correction, which is 1 unless the claim is judged repeatedly.
func judgeByEvidence(c *study.Claim, margins []margin, correction float64, warnings []string) Judgement {
	if len(margins) == 0 {
		reasons := append([]string{"no run has the numbers that the test compares"}, warnings...)
		return Judgement{Verdict: NotRun, Note: note(reasons...)}
	}
	r := rule{most: len(c.Assertions[0].Most) > 0, hasTolerance: c.HasTolerance(), delta: c.EquivalenceMargin,
		correction: correction}
	margins, reasons := withoutSingle(margins)
	margins, equal := withoutEqual(margins, r.most)
	reasons = append(reasons, equal...)
	j := Judgement{
		Comparisons: r.listed(margins), Compared: len(margins), MeanMargin: mean(margins), MeanValue: meanValue(margins),
	}
	j.Steps = r.countSteps(j.Comparisons, c.Test.Trend)
	for i, m := range margins {
		if !hasSteps(c.Test) {
			j.Comparisons[i].Levels = len(m.levels) // of a peak or spread
		}
		if m.asserts.value() >= -r.delta {
			j.Holding++
		}
	}
	verdict, counts := r.verdict(margins)
	j.Verdict, reasons = verdict, append(reasons, counts...)
	if !j.MeanMargin.HasInterval() {
		reasons = append(reasons, "there are too few replications, or it is a statistic without interval, so "+
			"there is no evidence")
	}
	if j.Verdict == Inconclusive {
		if j.Needed = r.needed(margins); j.Needed == 0 {
			if j.Undecidable, j.OnLevelsRun = r.lacking(margins, c.Test); j.Undecidable == "" {
				j.Undecidable = r.undecidable(margins, marginUnit(c))
			}
		}
	}
	j.Note = note(append(reasons, warnings...)...)
	return j
}

// withoutEqual leaves out comparisons whose numbers equal those of another one in every
// replication, such as comparisons with two levels that give the same runs. A note has their
// number. If the claim is about most rows, it leaves out comparisons that equal another one of
// their row, then rows that equal another one of their set. Numbers that are the same in all
// replications, such as 0, may be equal by chance and stay.
func withoutEqual(margins []margin, most bool) ([]margin, []string) {
	never := func(margin, margin) bool { return false } // each comparison is an item
	rowOf, setOf := func(m margin) string { return m.row }, func(m margin) string { return m.set }
	claimOf := func(margin) string { return "" } // all are of one claim
	var kept []margin
	if most {
		kept = firstOfEqual(firstOfEqual(margins, never, rowOf), sameRow, setOf)
	} else {
		kept = firstOfEqual(margins, never, claimOf)
	}
	if left := len(margins) - len(kept); left > 0 {
		text := fmt.Sprintf("left out, since they equal others in every replication: %d of %d comparisons", left,
			len(margins))
		return kept, []string{text}
	}
	return margins, nil
}

// firstOfEqual leaves out items that have the numbers of an earlier one of the same scope in every
// replication. An item is a margin or neighbouring ones that are alike, such as a row, whose scope
// is its set. Example: gap 1min and gap 2min give the same runs, so of the rows gap=1min and
// gap=2min, each with b − a and c − b, the second is left out. Items whose numbers are the same in
// all replications are kept.
func firstOfEqual(margins []margin, alike func(a, b margin) bool, scopeOf func(margin) string) []margin {
	seen := map[string]bool{}
	var kept []margin
	for item := range Neighbours(margins, alike) {
		varies, key := false, []byte(scopeOf(item[0]))
		for _, m := range item {
			for _, x := range slices.Concat(m.asserts...) {
				key, varies = binary.LittleEndian.AppendUint64(key, x.id()), varies || x.ids != nil
			}
		}
		if varies && seen[string(key)] {
			continue
		}
		seen[string(key)] = true
		kept = append(kept, item...)
	}
	return kept
}

// countSteps tells how many steps of a trend over more than two levels go the claimed way, by more
// than the equivalence margin, and how many the other way, of which some clearly. It is empty for
// other claims.
func (r rule) countSteps(comparisons []Comparison, trend language.Trend) string {
	steps, asClaimed, opposite, clearly := 0, 0, 0, 0
	for _, comparison := range comparisons {
		steps += len(comparison.Steps)
		for _, step := range comparison.Steps {
			switch value := step.Margin.Value; {
			case value > r.delta:
				asClaimed++
			case value < -r.delta:
				opposite++
			}
			if step.Clear < 0 {
				clearly++
			}
		}
	}
	if steps == 0 {
		return ""
	}
	claimed, other := "rise", english.PluralWord(opposite, "falls", "fall")
	if trend == language.Falls {
		claimed, other = "fall", english.PluralWord(opposite, "rises", "rise")
	}
	text := fmt.Sprintf("%d of %d steps %s", asClaimed, steps, claimed)
	if flat := steps - asClaimed - opposite; flat > 0 {
		text += fmt.Sprintf(", %d %s flat", flat, english.PluralWord(flat, "is", "are"))
	}
	switch {
	case opposite == 0:
		return text
	case clearly == opposite:
		other += " clearly"
	case clearly > 0:
		other += fmt.Sprintf(", %d of them clearly", clearly)
	}
	return text + fmt.Sprintf(", %d %s", opposite, other)
}

// withoutSingle leaves out comparisons of a single replication, which have no interval, if others
// have several, and returns a note with their number.
func withoutSingle(margins []margin) ([]margin, []string) {
	isSingle := func(m margin) bool { return m.number.interval().N <= 1 }
	kept := slices.DeleteFunc(slices.Clone(margins), isSingle)
	left := len(margins) - len(kept)
	if left == 0 || len(kept) == 0 {
		return margins, nil
	}
	text := fmt.Sprintf("left out, since a single replication has them: %d of %d comparisons", left, len(margins))
	return kept, []string{text}
}

// listed returns the margins with their intervals and, of trends, with their steps.
func (r rule) listed(margins []margin) []Comparison {
	found, marks := make([]Comparison, len(margins)), r.marks(margins)
	var steps []margin
	for i, m := range margins {
		found[i] = Comparison{Labels: m.labels, What: m.what, Margin: m.interval(), Clear: marks[i]}
		steps = append(steps, m.steps...)
	}
	marks = r.marks(steps)
	for i, m := range margins {
		for k, step := range m.steps {
			found[i].Steps = append(found[i].Steps, Step{step.what, step.interval(), marks[k]})
		}
		marks = marks[len(m.steps):]
	}
	return found
}

// marks tells whether each of some comparisons clearly holds, +1, or clearly fails, −1; else 0. It
// takes all steps of Holm's procedure. The verdict takes the first alone: some of m comparisons
// clearly fails exactly if the smallest p-value is at most 5 %/m, which is what pSome tests.
func (r rule) marks(margins []margin) []int {
	marks := make([]int, len(margins))
	var counted []int // comparisons that are no ties
	for i, m := range margins {
		if !r.isTie(m) {
			counted = append(counted, i)
		}
	}
	for k, fails := range holm(counted, func(i int) float64 { return r.pFails(margins[i]) }) {
		i := counted[k]
		// −δ in every replication hinders no verdict (see pAtLeast), but is no evidence
		switch isOnBound := !r.hasTolerance && margins[i].asserts.isTied(-r.delta); {
		case fails:
			marks[i] = -1
		case !isOnBound && r.pHolds(margins[i]) <= significance:
			marks[i] = +1
		}
	}
	return marks
}

// interval returns the margin with its interval. The margin of the test near is the tolerated
// distance less the distance from the number, so it is at most the tolerated one.
func (m margin) interval() statistics.Estimate {
	e := estimateWithoutRounding(m.number.interval(), m.scale)
	if m.tolerance != nil && e.High > m.tolerance.within {
		e.High = m.tolerance.within
	}
	return e
}

// meanValue returns the mean of the numbers that a claim with near compares, with its interval over
// replications; nil for other claims.
func meanValue(margins []margin) *statistics.Estimate {
	values := make([]margin, len(margins))
	for i, m := range margins {
		if m.tolerance == nil {
			return nil
		}
		values[i] = margin{number: m.tolerance.value, planned: m.planned}
	}
	value := mean(values)
	return &value
}

// mean returns the mean margin with its interval over replications.
func mean(margins []margin) statistics.Estimate {
	all, fewest := make([]number, len(margins)), 0
	for i, m := range margins {
		all[i], fewest = m.number, fewer(fewest, m.planned)
	}
	return estimateWithoutRounding(meanOf(all, fewest), scaleOf(all))
}
