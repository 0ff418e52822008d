// Granularity: what one event adds to a number that counts events, such as 1, or 0.05 % of 2,000
// requests.

package statistics

import "math"

// Granularity returns what one event adds to the values of some lists, such as 1 to counts and 0.05
// to shares of 2,000 in percent: the greatest common divisor of the differences between values of
// the same list, such as the replications of a cell. Lists may have any offset. Of {10.5, 12.5} and
// {0.7, 6.7, 3.7} the differences from the first values are 2, 6 and 3, and the result is 1. It is
// too large if all differences happen to be multiples of a larger number.
//
// It is 0, for unknown, if a value is more than a million times as large, as with continuous
// numbers, and if no list has different values: without a difference there is no divisor, and most
// such values, such as costs, are equal by construction.
func Granularity(lists [][]float64) float64 {
	granularity, widest, largest := 0.0, 0.0, 0.0
	for _, values := range lists {
		values = present(values)
		for _, v := range values {
			difference := math.Abs(v - values[0])
			widest, largest = max(widest, difference), max(largest, math.Abs(v))
			if granularity = commonDivisor(granularity, difference, 1e-9*largest); granularity == 0 {
				continue
			}
			if granularity < 1e-6*largest {
				return 0
			}
			// without this the rounding errors of remainders would add up
			granularity = widest / math.Round(widest/granularity)
		}
	}
	return granularity
}

// commonDivisor returns the greatest common divisor of two numbers of at least 0, by Euclid's
// algorithm, where remainders of at most tiny are rounding errors. That of 0 and another number is
// the other.
func commonDivisor(a, b, tiny float64) float64 {
	for a > 0 {
		rest := math.Abs(b - a*math.Round(b/a))
		if rest <= tiny {
			return a
		}
		a, b = rest, a
	}
	if b <= tiny {
		return 0
	}
	return b
}

// halfWidthOfEqual returns the half-width of the interval of the mean of n equal values: the
// granularity times the rate at which no event happens in n replications with a probability of half
// the error rate. With a granularity of 1 and an error rate of 10 % it is the rule of three, 3/n.
func halfWidthOfEqual(granularity, errorRate float64, n int) float64 {
	return granularity * math.Log(2/errorRate) / float64(n)
}

// EstimateOf returns the estimate of values with a granularity, 0 if it is unknown. With one, the
// interval has a width even if the values that enter the statistic are equal, since events may be
// rare.
//
// It agrees with PValueOf: of a mean of n values that equal v, 0 is outside of the interval exactly
// if the p-value, 2·exp(−n·|v|/granularity), is below 5 %.
func (s Statistic) EstimateOf(values []float64, granularity float64) Estimate {
	e := s.Estimate(values)
	if !e.HasInterval() {
		return e
	}
	if values = s.Kept(values); constant(values) {
		half := halfWidthOfEqual(granularity, 1-Confidence, len(values))
		e.Low, e.High = e.Value-half, e.Value+half
	}
	return e
}
