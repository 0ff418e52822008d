package analysis

// Hypotheses: what comparisons assert, with the evidence for and against it.

import (
	"math"
	"slices"

	"gridsweep/analysis/statistics"
)

// significance is the level of every test. The p-values of this file are twice those of one-sided
// tests, so that a mean is clearly above 0 exactly if its 95 % interval is.
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

// holds returns the p-value of the evidence that the hypothesis holds, p that of one number. All
// numbers of an alternative need evidence of their own, without correction (intersection-union
// test, Berger 1982; for the order of means it is the likelihood-ratio test, Sasabuchi 1980).
// Alternatives are corrected for (Bonferroni).
func (h hypothesis) holds(p func(series) float64) float64 {
	least := 1.0
	for _, numbers := range h {
		largest := 0.0
		for _, s := range numbers {
			largest = math.Max(largest, p(s))
		}
		least = math.Min(least, largest)
	}
	return math.Min(1, float64(len(h))*least)
}

// below returns the p-value of the evidence that the hypothesis fails: in each alternative some
// number is below the threshold, with n replications; see series.above. The numbers of an
// alternative are corrected for (Bonferroni); each alternative needs evidence of its own.
func (h hypothesis) below(threshold float64, n int) float64 {
	largest := 0.0
	for _, numbers := range h {
		least, count := 1.0, 0.0
		for _, s := range numbers {
			if !s.isTied(threshold) {
				count++
				least = math.Min(least, s.plus(-1, 0).above(-threshold, n))
			}
		}
		largest = math.Max(largest, math.Min(1, count*least))
		if count == 0 {
			return 1
		}
	}
	return largest
}

// isTied reports whether all numbers of the hypothesis equal a threshold in every replication.
func (h hypothesis) isTied(threshold float64) bool {
	return !slices.ContainsFunc(slices.Concat(h...), func(s series) bool { return !s.isTied(threshold) })
}
