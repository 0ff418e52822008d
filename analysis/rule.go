// The rule of verdicts: one-sided tests of comparisons, and the verdict on a claim that they give.

package analysis

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"gridsweep/analysis/statistics"
)

// rule is the rule of verdicts, with what it depends on besides the comparisons of a claim.
//
// A comparison holds if its margin, the number compared, is at least 0 up to rounding errors or,
// with an equivalence margin δ, at least −δ. It clearly holds if a test shows so at 5 %. It clearly
// fails if a test shows the opposite, after Holm's correction for the number of comparisons; that
// one does is what pSome tests (see marks). The claim is
//
//   - reproduced if all comparisons clearly hold (pAll) and some are clearly above δ: one after
//     Bonferroni's correction (pSome), or all without it (pAll);
//   - not reproduced if one clearly fails (pSome), or all are clearly not above δ (pAll);
//   - inconclusive otherwise.
//
// See isTie for comparisons that do not count, pValues for claims with a tolerance, verdictOfMost
// for those with most.
type rule struct {
	most         bool    // whether the claim is about more than half of the rows
	hasTolerance bool    // whether a number may be off by a tolerance, and by exactly that
	delta        float64 // equivalence margin δ
	n            int     // number of replications; 0 for those that were run
	// correction multiplies every p-value. It is 1, or more if the claim is judged again as
	// replications are added; see Decide.
	correction float64
}

// corrected returns a p-value after the correction of the rule.
func (r rule) corrected(p float64) float64 { return math.Min(1, r.correction*p) }

// pHolds returns the p-value of the evidence that a comparison holds: its numbers are ≥ −δ. It is 1
// on a subset of the levels that does not suffice for this.
func (r rule) pHolds(m margin) float64 {
	if m.subset != nil && !m.subset.suffices {
		return 1
	}
	return r.corrected(m.asserts.pFor(func(x number) float64 { return x.pAtLeast(-r.delta, r.n) }))
}

// pFails returns the p-value of the evidence that a comparison fails: numbers of it are < −δ. On a
// subset of the levels these are the numbers that the comparison on all levels implies.
func (r rule) pFails(m margin) float64 {
	implied := m.asserts
	if m.subset != nil {
		implied = m.subset.implied
	}
	return r.corrected(implied.pAgainst(-r.delta, r.n))
}

// pAbove returns the p-value of the evidence that a comparison is above the equivalence margin.
func (r rule) pAbove(m margin) float64 {
	return r.corrected(m.exceeds.pFor(func(x number) float64 { return x.pAbove(r.delta, r.n) }))
}

// pNotAbove returns the p-value of the evidence that a comparison is not above the equivalence
// margin. It is 1 on a subset of the levels which may be below it although the claim is above it on
// all levels.
func (r rule) pNotAbove(m margin) float64 {
	if m.subset != nil && !m.subset.impliesAbove {
		return 1
	}
	return r.corrected(m.exceeds.pAgainst(r.delta, r.n))
}

// isTie reports whether a comparison does not count: with a δ of 0, one whose numbers are 0 in
// every replication. As evidence it would make a claim reproduced together with its reverse. A
// tolerance has no reverse, and on a subset the numbers of other levels may differ.
func (r rule) isTie(m margin) bool {
	return !r.hasTolerance && r.delta == 0 && m.subset == nil && m.asserts.isTied(0)
}

// pValues are those of statements on the comparisons of a row. All comparisons of a claim without
// most are one row.
type pValues struct {
	holds    float64 // all comparisons hold, and one is above the equivalence margin
	fails    float64 // one comparison fails
	notAbove float64 // no comparison is above the equivalence margin
	within   float64 // all comparisons are within the equivalence margin
}

// pValues returns the p-values of a row. A tolerance may be met exactly, so with one no comparison
// need be above δ.
func (r rule) pValues(margins []margin) pValues {
	var hold, fail, above, notAbove []float64 // of each comparison
	for _, m := range margins {
		if !r.isTie(m) {
			hold, fail = append(hold, r.pHolds(m)), append(fail, r.pFails(m))
			above, notAbove = append(above, r.pAbove(m)), append(notAbove, r.pNotAbove(m))
		}
	}
	switch {
	case len(hold) == 0:
		return pValues{holds: 1, fails: 1, notAbove: 1, within: 0}
	case r.hasTolerance:
		return pValues{holds: pAll(hold), fails: pSome(fail), notAbove: 1, within: 1}
	}
	// evidence that all are above the margin is evidence that one is
	someAbove := math.Min(pSome(above), pAll(above))
	return pValues{
		holds: math.Max(pAll(hold), someAbove), fails: pSome(fail), notAbove: pAll(notAbove),
		within: math.Max(pAll(hold), pAll(notAbove)),
	}
}

// verdict returns the verdict on a claim, and of a claim about most rows how many hold and fail.
func (r rule) verdict(margins []margin) (Verdict, []string) {
	if r.most {
		return r.verdictOfMost(margins)
	}
	switch p := r.pValues(margins); {
	case p.holds <= significance:
		return Reproduced, nil
	case p.fails <= significance || p.notAbove <= significance:
		return NotReproduced, nil
	default:
		return Inconclusive, nil
	}
}

// verdictOfMost judges a claim about more than half of the rows in each set; a set is the rows at
// the same levels of the key for. Rows clearly within the equivalence margin, ties among them, do
// not count. Each set has a verdict (see rowCount): the claim is reproduced if every set is, and
// not reproduced if some set is not reproduced.
func (r rule) verdictOfMost(margins []margin) (Verdict, []string) {
	verdicts := map[Verdict]int{} // sets by verdict
	var reasons []string
	counts := r.rowCounts(margins)
	for _, count := range counts {
		verdicts[count.verdict()]++
		text := fmt.Sprintf("clearly so in %d and clearly not in %d of %d %s", count.holding, count.failing, count.all,
			whichRows(r.hasTolerance))
		reasons = append(reasons, count.first.inSet(text))
	}
	switch {
	case verdicts[Reproduced] == len(counts):
		return Reproduced, reasons
	case verdicts[NotReproduced] > 0:
		return NotReproduced, reasons
	}
	return Inconclusive, reasons
}

// rowCounts counts the rows of each set. Holm's correction of the statement that a row holds is for
// the rows of its set, since every set needs evidence of its own. The corrections of the statements
// that it fails, and that it is within the equivalence margin, are for the rows of all sets, since
// errors in one set suffice against the claim. With two sets of three rows these are 3, 6 and 6.
func (r rule) rowCounts(margins []margin) []rowCount {
	var counts []rowCount
	var rows []pValues // of all sets, as the next two
	var holds []bool
	var setOf []int
	for set := range Neighbours(margins, sameSet) {
		first := len(rows)
		for row := range Neighbours(set, sameRow) {
			rows, setOf = append(rows, r.pValues(row)), append(setOf, len(counts))
		}
		holds = append(holds, holm(rows[first:], func(p pValues) float64 { return p.holds })...)
		counts = append(counts, rowCount{first: set[0]})
	}
	fails := holm(rows, func(p pValues) float64 { return p.fails })
	within := holm(rows, func(p pValues) float64 { return p.within })
	for i, set := range setOf {
		if !within[i] {
			counts[set].add(holds[i], fails[i])
		}
	}
	return counts
}

// rowCount counts the rows of a set that clearly hold, clearly fail, and all that count.
type rowCount struct {
	first                 margin // of the set
	holding, failing, all int
}

// add counts a row that clearly holds, clearly fails, or neither.
func (c *rowCount) add(holds, fails bool) {
	c.all++
	switch {
	case holds:
		c.holding++
	case fails:
		c.failing++
	}
}

// verdict is reproduced if the rows that clearly hold outnumber all others, such as 6 of 10, and
// not reproduced if those that clearly fail are at least as many as all others, such as 5 of 10.
func (c rowCount) verdict() Verdict {
	switch {
	case 2*c.holding > c.all:
		return Reproduced
	case c.failing > 0 && 2*c.failing >= c.all:
		return NotReproduced
	}
	return Inconclusive
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
// if every mean and standard deviation stayed as it is; 0 if mostNeeded would not suffice.
func (r rule) needed(margins []margin) int {
	low := 1
	decided := func(n int) bool {
		r.n = n
		verdict, _ := r.verdict(margins)
		return verdict != Inconclusive
	}
	for _, m := range margins {
		low = max(low, m.number.interval().N)
	}
	high := 2 * low
	for ; !decided(high); high *= 2 {
		if high > mostNeeded {
			return 0
		}
		low = high
	}
	for high-low > 1 { // low is undecided and high decided
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

// undecidable tells why no number of replications up to mostNeeded would decide a claim, a sentence
// without its full stop. If it is the size of the margins, it names the number that is nearest to a
// bound, in standard deviations. With δ = 0.5, margins of 0.5 and 0.2 and a deviation of 1 this is
// 0.5, which is on +δ; 0.2 is 0.3 from +δ and 0.7 from −δ.
func (r rule) undecidable(margins []margin, unit string) string {
	for _, m := range margins {
		if m.number.hasNoInterval() {
			return "No number of replications would decide it, since its statistic has no interval"
		}
		if fewest := m.by.FewestOfInterval(); m.number.interval().N < fewest {
			return fmt.Sprintf("At least %d replications in which its numbers have a value are needed to judge it", fewest)
		}
	}
	if all(margins, r.isTie) {
		return "No number of replications would decide it if all are like those that were run: its margins are 0 in each"
	}
	r.n = mostNeeded
	if r.most {
		for _, count := range r.rowCounts(margins) {
			if count.all > 0 {
				continue
			}
			text := "no row differs"
			if r.delta > 0 {
				text += " by more than the equivalence margin"
			}
			return "No number of replications would decide it if all are like those that were run: " + count.first.inSet(text)
		}
	}
	nearest, labels, bound := r.nearestToBound(margins)
	e := nearest.interval()
	what := strings.Join(append(slices.Clone(labels), nearest.what), ", ")
	return fmt.Sprintf("More than %s replications would be needed to decide it: %s has a mean of %s and a standard "+
		"deviation of %s, too near the bound %s", humanize.Comma(mostNeeded), what, inUnit(e.Value, unit), inUnit(e.SD, unit),
		inUnit(bound, unit))
}

// nearestToBound returns the margin, or step or pair of levels of one, that is nearest to a bound
// of the verdict in standard deviations, with the labels of its row and the bound. The bounds are
// −δ and, for margins and pairs, +δ if a comparison must be clearly above it and none is yet, with
// the replications of the rule.
func (r rule) nearestToBound(margins []margin) (nearest margin, labels []string, bound float64) {
	isAbove := func(m margin) bool { return r.pAbove(m) <= significance }
	needsAbove := !r.hasTolerance && (r.most || !slices.ContainsFunc(margins, isAbove))
	lower, least := 0-r.delta, math.Inf(1) // 0, not −0
	nearest, labels, bound = margins[0], margins[0].labels, lower
	compare := func(m, row margin, with float64) {
		e := m.number.interval()
		// infinite, or NaN at the bound, for a number that does not vary: neither is less
		if distance := math.Abs(e.Value-with) / e.SD; distance < least {
			nearest, labels, bound, least = m, row.labels, with, distance
		}
	}
	for _, m := range margins {
		for _, each := range slices.Concat([]margin{m}, m.steps, m.pairs) {
			compare(each, m, lower)
		}
		if needsAbove {
			for _, each := range slices.Concat([]margin{m}, m.pairs) {
				compare(each, m, r.delta)
			}
		}
	}
	return nearest, labels, bound
}

// inSet prefixes a text with the labels of the margin's set, if it has any.
func (m margin) inSet(text string) string {
	if m.set == "" {
		return text
	}
	return strings.ReplaceAll(m.set, "\x00", ", ") + ": " + text
}

// whichRows names the rows that count under most.
func whichRows(hasTolerance bool) string {
	if hasTolerance {
		return "rows"
	}
	return "rows in which anything differs"
}

// sameRow and sameSet report whether two comparisons are of one row, and of one set of rows.
func sameRow(a, b margin) bool { return a.row == b.row }
func sameSet(a, b margin) bool { return a.set == b.set }

// Neighbours yields the groups of neighbouring items that are alike.
func Neighbours[T any](items []T, alike func(a, b T) bool) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for rest := items; len(rest) > 0; {
			n := 1
			for n < len(rest) && alike(rest[0], rest[n]) {
				n++
			}
			if !yield(rest[:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}
