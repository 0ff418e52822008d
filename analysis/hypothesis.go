// Hypotheses: what comparisons assert, with the evidence for and against it.

package analysis

import (
	"math"
	"slices"

	"gridsweep/analysis/statistics"
)

// significance is the level of every test. The p-values of this file are twice those of one-sided
// tests, so that a mean of continuous numbers is clearly above 0 exactly if its 95 % interval is.
const significance = 1 - statistics.Confidence

// hypothesis is what a comparison asserts: at least one of its alternatives, and an alternative
// asserts that each of its numbers is at least 0. Most comparisons have one alternative of one
// number.
type hypothesis [][]series

// nonNegative returns the hypothesis that a number is at least 0.
func nonNegative(s series) hypothesis { return hypothesis{{s}} }

// value returns the maximum over alternatives of the minimum of their numbers: it is at least 0
// where the hypothesis holds.
func (h hypothesis) value() float64 {
	best := math.Inf(-1)
	for _, numbers := range h {
		least := math.Inf(+1)
		for _, s := range numbers {
			least = math.Min(least, s.value())
		}
		best = math.Max(best, least)
	}
	return best
}

// pHolds returns the p-value of the evidence that the hypothesis holds. p gives that of one number.
func (h hypothesis) pHolds(p func(series) float64) float64 {
	alternatives := make([]float64, len(h))
	for i, numbers := range h {
		each := make([]float64, len(numbers))
		for k, s := range numbers {
			each[k] = p(s)
		}
		alternatives[i] = pAll(each)
	}
	return pSome(alternatives)
}

// pBelow returns the p-value of the evidence against the hypothesis with another threshold than 0:
// that in each alternative some number is below it, with n replications; see series.pAbove. A
// number that equals the threshold in every replication is evidence of nothing.
//
// Where pHolds asks for some alternative with all numbers, this asks for all alternatives with some
// number. Example: the levels 2 or 3 are above the ends 1 and 4, so 2 − 1 and 2 − 4 are at least 0,
// or 3 − 1 and 3 − 4 are. Against it, 2 is below 1 or below 4, and 3 is below 1 or below 4.
func (h hypothesis) pBelow(threshold float64, n int) float64 {
	alternatives := make([]float64, len(h))
	for i, numbers := range h {
		var each []float64
		for _, s := range numbers {
			if !s.isTied(threshold) {
				each = append(each, s.plus(-1, 0).pAbove(-threshold, n))
			}
		}
		alternatives[i] = pSome(each)
	}
	return pAll(alternatives)
}

// pAll returns the p-value of the evidence that all of some statements are true, from their
// p-values. Each needs evidence of its own, without correction (intersection-union test, Berger
// 1982; for the order of means it is the likelihood-ratio test, Sasabuchi 1980).
func pAll(statements []float64) float64 { return slices.Max(statements) }

// pSome returns the p-value of the evidence that one of some statements is true, from their
// p-values (Bonferroni's correction). It is 1 if there are none.
func pSome(statements []float64) float64 {
	if len(statements) == 0 {
		return 1
	}
	return math.Min(1, float64(len(statements))*slices.Min(statements))
}

// isTied reports whether all numbers of the hypothesis equal a threshold in every replication.
func (h hypothesis) isTied(threshold float64) bool {
	return !slices.ContainsFunc(slices.Concat(h...), func(s series) bool { return !s.isTied(threshold) })
}
