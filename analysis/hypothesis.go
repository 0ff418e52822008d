// Hypotheses: what comparisons assert, with the evidence for and against it.

package analysis

import (
	"math"
	"slices"

	"gridsweep/analysis/statistics"
)

// significance is the level of every test. All p-values of claims are twice those of one-sided
// tests, so that a mean of continuous numbers is clearly above 0 exactly if its 95 % interval is.
const significance = 1 - statistics.Confidence

// hypothesis is what a comparison asserts: that all numbers of some branch are at least a
// threshold. Most comparisons have one branch of one number. A branch without numbers is always
// true (see subset.implied).
//
// Example: in a peak, level 2 or 3 is above both ends, 1 and 4. The branches are {2 − 1, 2 − 4} and
// {3 − 1, 3 − 4}. Evidence for the hypothesis is on all numbers of one branch, such as that 2 is
// above 1 and above 4. Evidence against it is on some number of each branch, such as that 2 is
// below 4 and 3 is below 1.
type hypothesis [][]number

// nonNegative returns the hypothesis that a number is at least 0.
func nonNegative(x number) hypothesis { return hypothesis{{x}} }

// value returns the largest, over branches, of their smallest numbers: the hypothesis holds if it
// is at least the threshold.
func (h hypothesis) value() float64 {
	best := math.Inf(-1)
	for _, numbers := range h {
		least := math.Inf(+1)
		for _, x := range numbers {
			least = math.Min(least, x.value())
		}
		best = math.Max(best, least)
	}
	return best
}

// pFor returns the p-value of the evidence for the hypothesis; p gives that for one number:
// number.pAtLeast, or pAbove if it has to exceed the threshold.
func (h hypothesis) pFor(p func(number) float64) float64 {
	branches := make([]float64, len(h))
	for i, numbers := range h {
		each := make([]float64, len(numbers))
		for k, x := range numbers {
			each[k] = p(x)
		}
		branches[i] = pAll(each)
	}
	return pSome(branches)
}

// pAgainst returns the p-value of the evidence against the hypothesis: that some number of each
// branch is below the threshold, with n replications; see number.pAbove. A number that equals the
// threshold in every replication is evidence of nothing.
func (h hypothesis) pAgainst(threshold float64, n int) float64 {
	branches := make([]float64, len(h))
	for i, numbers := range h {
		var each []float64
		for _, x := range numbers {
			if !x.isTied(threshold) {
				each = append(each, x.plus(-1, 0).pAbove(-threshold, n)) // −x > −threshold
			}
		}
		branches[i] = pSome(each)
	}
	return pAll(branches)
}

// pAll returns the p-value of the evidence that all of some statements are true, from their
// p-values: each needs evidence of its own, without correction (intersection-union test, Berger
// 1982; for the order of means it is the likelihood-ratio test, Sasabuchi 1980). It is 0 if there
// are none.
func pAll(statements []float64) (p float64) {
	for _, statement := range statements {
		p = max(p, statement)
	}
	return p
}

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
	return all(slices.Concat(h...), func(x number) bool { return x.isTied(threshold) })
}
