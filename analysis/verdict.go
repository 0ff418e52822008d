package analysis

// Verdict rules: one-sided tests of comparisons, and the verdict on a claim that they give.

import (
	"fmt"
	"math"
	"strings"

	"gridsweep/analysis/statistics"
)

// rule is what the verdict on a claim depends on besides its comparisons.
type rule struct {
	most    bool    // the claim is about more than half of the rows
	bounded bool    // it is about bounds, which may be met exactly
	margin  float64 // equivalence margin
	n       int     // replications; 0 for those that were run
	// Every p-value is multiplied by this number: 1, or more if the claim is judged again as
	// replications are added; see Decide.
	correction float64
}

// corrected returns a p-value after the correction of the rule.
func (r rule) corrected(p float64) float64 { return math.Min(1, r.correction*p) }

// holds returns the p-value of the evidence that a comparison holds: its number is not below the
// bounds of the equivalence margin.
func (r rule) holds(m margin) float64 {
	return r.corrected(m.asserts.holds(func(s series) float64 { return s.atLeast(-r.margin, r.n) }))
}

// exceeds returns the p-value of the evidence that a comparison is above the equivalence margin.
func (r rule) exceeds(m margin) float64 {
	return r.corrected(m.supports.holds(func(s series) float64 { return s.above(r.margin, r.n) }))
}

// fails returns the p-value of the evidence that a comparison fails: its number is below the bounds
// of the equivalence margin.
func (r rule) fails(m margin) float64 { return r.corrected(m.asserts.below(-r.margin, r.n)) }

// pValues are those of what the comparisons of a row show together; a claim without most has one
// row.
type pValues struct {
	holds    float64 // all comparisons hold, and one is above the equivalence margin
	fails    float64 // one comparison fails
	notAbove float64 // no comparison is above the equivalence margin
	tie      float64 // all comparisons are within the equivalence margin
}

// of returns the p-values of comparisons. A comparison whose numbers are equal in every replication
// is a tie, which is evidence of nothing.
func (r rule) of(margins []margin) pValues {
	e, count := pValues{fails: 1}, 0.0
	least, largest := 1.0, 0.0 // p-values of being above the margin
	for _, m := range margins {
		if !r.bounded && r.margin == 0 && m.asserts.isTied(0) {
			continue
		}
		count++
		holds, exceeds, notAbove := r.holds(m), r.exceeds(m), r.corrected(m.supports.below(r.margin, r.n))
		e.holds, e.fails = math.Max(e.holds, holds), math.Min(e.fails, r.fails(m))
		e.notAbove, e.tie = math.Max(e.notAbove, notAbove), math.Max(e.tie, math.Max(holds, notAbove))
		least, largest = math.Min(least, exceeds), math.Max(largest, exceeds)
	}
	switch e.fails = math.Min(1, count*e.fails); {
	case count == 0:
		return pValues{holds: 1, fails: 1, notAbove: 1}
	case r.bounded:
		e.notAbove, e.tie = 1, 1
	default:
		// Evidence that some comparison is above the margin: the least p-value with Bonferroni's
		// correction, or the largest without, which is evidence that all are.
		e.holds = math.Max(e.holds, math.Min(count*least, largest))
	}
	return e
}

// verdict returns the verdict on a claim, and of a claim about most rows how many hold and fail.
func (r rule) verdict(margins []margin) (Verdict, []string) {
	if r.most {
		return r.verdictOfMost(margins)
	}
	switch e := r.of(margins); {
	case e.holds <= significance:
		return Reproduced, nil
	case e.fails <= significance || e.notAbove <= significance:
		return NotReproduced, nil
	default:
		return Inconclusive, nil
	}
}

// verdictOfMost judges a claim about more than half of the rows in each set; a set is the rows at
// the same levels of for. Rows that are ties do not count, nor do rows within the equivalence
// margin. The claim is reproduced if in each set the rows that clearly hold outnumber all others
// that count, and not reproduced if in some set the rows that clearly fail are at least as many as
// all others that count. Each of these statements on rows is corrected by Holm: that a row holds,
// over the rows of the set, since every set needs evidence of its own; that it fails or is a tie,
// over the rows of all sets.
func (r rule) verdictOfMost(margins []margin) (Verdict, []string) {
	var rows []pValues
	var sets [][2]int // half-open intervals of rows
	var first []margin
	for from, to := range neighbours(margins, func(m margin) string { return m.set }) {
		begin := len(rows)
		for a, b := range neighbours(margins[from:to], func(m margin) string { return m.row }) {
			rows = append(rows, r.of(margins[from+a:from+b]))
		}
		sets, first = append(sets, [2]int{begin, len(rows)}), append(first, margins[from])
	}
	fails := holm(rows, func(e pValues) float64 { return e.fails })
	ties := holm(rows, func(e pValues) float64 { return e.tie })
	verdict, reproduced, reasons := Inconclusive, 0, []string(nil)
	for i, set := range sets {
		held, failed, count := 0, 0, 0
		for k, holds := range holm(rows[set[0]:set[1]], func(e pValues) float64 { return e.holds }) {
			switch {
			case ties[set[0]+k]:
				continue
			case holds:
				held++
			case fails[set[0]+k]:
				failed++
			}
			count++
		}
		switch {
		case 2*held > count:
			reproduced++
		case failed > 0 && 2*failed >= count:
			verdict = NotReproduced
		}
		text := fmt.Sprintf("clearly so in %d and clearly not in %d of %d %s", held, failed, count, whichRows(r.bounded))
		reasons = append(reasons, first[i].ofSet(text))
	}
	if reproduced == len(sets) {
		verdict = Reproduced
	}
	return verdict, reasons
}

// holm reports which rows have significant evidence after Holm's correction.
func holm[T any](rows []T, p func(T) float64) []bool {
	values := make([]float64, len(rows))
	for i, row := range rows {
		values[i] = p(row)
	}
	return statistics.Holm(values)
}

// mostNeeded is the largest number of replications that needed returns.
const mostNeeded = 100_000

// needed returns the least number of replications with which an inconclusive claim would be decided
// if every mean and standard deviation stayed as it is; 0 if more than mostNeeded would not
// suffice.
func (r rule) needed(margins []margin) int {
	low, high := 1, 2 // low: undecided; high: doubled until decided, then bisected
	decided := func(n int) bool {
		r.n = n
		verdict, _ := r.verdict(margins)
		return verdict != Inconclusive
	}
	for _, m := range margins {
		low = max(low, m.series.interval().N)
	}
	for high = 2 * low; !decided(high); high *= 2 {
		if high > mostNeeded {
			return 0
		}
		low = high
	}
	for high-low > 1 {
		if middle := (low + high) / 2; decided(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	if high > mostNeeded {
		return 0
	}
	return high
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
