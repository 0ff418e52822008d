// Corrections for looking repeatedly at a growing number of replications.

package statistics

import "math"

// LookCorrection returns the factor by which a p-value is multiplied at a look, from 1, at results
// to which replications are added until they suffice: π²·look²/6. Look k thus spends α·6/(π²k²) of
// the error rate α, and all looks together, of which there may be any number, at most α (α
// spending, Lan and DeMets 1983, in the form of Robbins 1970: the sum of 1/k² is π²/6).
func LookCorrection(look int) float64 { return math.Pi * math.Pi / 6 * float64(look) * float64(look) }

// MeanAtLook returns the mean of the values with its interval at a look, from 1: Student's t
// interval with an error rate of 5 % divided by LookCorrection. The intervals of all looks at
// normally distributed values together hold the mean with a probability of at least 95 %, so
// whichever look ends the replications, its interval is a 95 % interval. That of equal values with
// a granularity has a width, too (see Granularity). For fewer than two values there is none.
func MeanAtLook(values []float64, granularity float64, look int) Estimate {
	e := Mean.Estimate(values)
	if half := HalfWidthAtLook(e.SD, granularity, e.N, look); e.HasInterval() {
		e.Low, e.High = e.Value-half, e.Value+half
	}
	return e
}

// HalfWidthAtLook returns the half-width of the interval of MeanAtLook that n replications have
// with a standard deviation; NaN for fewer than two.
func HalfWidthAtLook(deviation, granularity float64, n, look int) float64 {
	errorRate := (1 - Confidence) / LookCorrection(look)
	switch {
	case n < 2:
		return math.NaN()
	case deviation == 0:
		return halfWidthOfEqual(granularity, errorRate, n)
	}
	return quantile(n-1, 1-errorRate/2) * deviation / math.Sqrt(float64(n))
}
