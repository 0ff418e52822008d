// Package statistics computes estimates with their intervals from the values of independent
// replications. An Estimate has its n and interval. Intervals are two-sided and of 95 %, except
// those of Deviating and of single looks (see MeanAtLook). NaN marks a replication without a value:
// statistics, intervals and tests leave it out.
package statistics

import (
	"encoding/json"
	"math"
	"slices"
	"sync"
)

// Confidence is the coverage of the intervals of this package.
const Confidence = 0.95

// Rounding is the relative error that a computed number may have: the sums of a million numbers in
// two orders differ by less. It is 4,500 units in the last place of a float64.
const Rounding = 1e-12

// Estimate is a statistic over replications with its 95 % confidence interval.
type Estimate struct {
	Value     float64
	Low, High float64 // both NaN if N is too small for an interval, or the statistic has none
	N         int     // replications with a value
	SD        float64 // standard deviation of their values or pseudo-values; NaN for N < 2
}

// Point returns one number as an estimate without an interval.
func Point(value float64) Estimate {
	return Estimate{Value: value, Low: math.NaN(), High: math.NaN(), N: 1, SD: math.NaN()}
}

// HasInterval reports whether the estimate has an interval.
func (e Estimate) HasInterval() bool { return !math.IsNaN(e.Low) && !math.IsNaN(e.High) }

// MarshalJSON writes an object of value, low, high, n and sd. What does not exist is null: JSON has
// no NaN.
func (e Estimate) MarshalJSON() ([]byte, error) {
	var document struct {
		Value *float64 `json:"value"`
		Low   *float64 `json:"low"`
		High  *float64 `json:"high"`
		N     int      `json:"n"`
		SD    *float64 `json:"sd"`
	}
	number := func(x float64) *float64 {
		if e.N == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
			return nil
		}
		return &x
	}
	document.Value, document.Low, document.High = number(e.Value), number(e.Low), number(e.High)
	document.N, document.SD = e.N, number(e.SD)
	return json.Marshal(document)
}

// Deviating returns the estimate with an interval of one standard deviation to either side.
func (e Estimate) Deviating(deviation float64) Estimate {
	e.Low, e.High, e.SD = e.Value-deviation, e.Value+deviation, deviation
	return e
}

// Bounded returns the estimate of a number that is at least least and at most most, which may be
// infinite, with an interval within these bounds. One event in a replication adds perEvent to the
// number, the granularity over the number of replications that enter it (see Granularity); 0 if
// that is unknown. An interval that crosses neither bound stays, unless the number is at a bound.
//
// Else the interval is that on the scale of the variance-stabilising transform of counts or shares,
// √(x − least) or, with two bounds, arcsin √((x − least)/(most − least)). Its half-widths there are
// those of the number times the derivative (delta method). That of a number at a bound is cut
// there.
//
// If all replications together have fewer than ten events, the interval reaches at least as far as
// the exact one of that number (Garwood, Biometrika 28, 1936), which has a width also for none.
func (e Estimate) Bounded(least, most, perEvent float64) Estimate {
	above, below := e.Value-least, most-e.Value // distances from the bounds
	if !(e.Low < least || e.High > most || above == 0 || below == 0) || !e.HasInterval() {
		return e
	}
	e = e.transformed(least, most)
	const few = 10
	if events := above / perEvent; events < few {
		e.High = min(most, max(e.High, least+perEvent*mostExpected(events)))
	}
	if events := below / perEvent; events < few {
		e.Low = max(least, min(e.Low, most-perEvent*mostExpected(events)))
	}
	return e
}

// transformed returns the estimate with the interval on the transformed scale of Bounded, cut for a
// number at a bound.
func (e Estimate) transformed(least, most float64) Estimate {
	lower, upper, x := e.Value-e.Low, e.High-e.Value, e.Value-least // half-widths
	if x <= 0 || e.Value >= most {
		e.Low, e.High = max(e.Low, least), min(e.High, most)
		return e
	}
	if math.IsInf(most, 1) {
		root := math.Sqrt(x)
		low, high := max(0, root-lower/(2*root)), root+upper/(2*root)
		e.Low, e.High = least+low*low, least+high*high
		return e
	}
	width := most - least
	angle, slope := math.Asin(math.Sqrt(x/width)), 2*math.Sqrt(x*(width-x))
	square := func(angle float64) float64 { return width * math.Pow(math.Sin(angle), 2) }
	e.Low, e.High = least+square(max(0, angle-lower/slope)), least+square(min(math.Pi/2, angle+upper/slope))
	return e
}

// setInterval sets the interval to t times the standard error on both sides.
func (e *Estimate) setInterval(standardError float64, degrees int) {
	if degrees < 1 || math.IsNaN(standardError) {
		return
	}
	half := quantile(degrees, 1-(1-Confidence)/2) * standardError
	e.Low, e.High = e.Value-half, e.Value+half
}

// medianInterval sets the interval to the narrowest symmetric pair of order statistics that holds
// the median of the distribution with a confidence of at least 95 %. With too few values there is
// none.
func medianInterval(e *Estimate, values []float64) {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	rank := 0 // of the order statistic, counted from each end; 0 for none
	for rank < n/2 && 2*coinCDF(n, rank) <= 1-Confidence {
		rank++
	}
	if rank > 0 {
		e.Low, e.High = sorted[rank-1], sorted[n-rank]
	}
}

// Spread returns the interquartile range of the values in proportion to their median, a pure
// number; NaN for fewer than four values. The quartiles of n values have the ranks n/4 and 3n/4; a
// rank that is not whole is interpolated linearly.
func Spread(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(present(values)))
	if len(sorted) < 4 {
		return math.NaN()
	}
	quartile := func(p float64) float64 {
		whole, share := math.Modf(p * float64(len(sorted))) // of the rank, from 1
		i := int(whole)
		return (1-share)*sorted[i-1] + share*sorted[i]
	}
	return (quartile(0.75) - quartile(0.25)) / median(sorted)
}

// Winsorised returns the values with the smallest and the largest replaced by their neighbours;
// unchanged if fewer than three are numbers.
func Winsorised(values []float64) []float64 {
	all := present(values)
	if len(all) < 3 {
		return values
	}
	inner := kept(all)
	moved := make([]float64, len(values))
	for k, v := range values {
		moved[k] = min(max(v, inner[0]), inner[len(inner)-1])
	}
	return moved
}

// KeptDeviation returns √v for a trimmed mean of h = n − 2 of n values, at least four: v = Σ(wₖ −
// w̄)²/(h−1) of the n winsorised values wₖ, and v/h is the squared standard error of the trimmed
// mean (Tukey and McLaughlin 1963).
func KeptDeviation(values []float64) float64 {
	winsorised := Winsorised(present(values))
	n := float64(len(winsorised))
	return deviation(winsorised) * math.Sqrt((n-1)/(n-3))
}

// deviation returns the standard deviation with n − 1; NaN for fewer than two values.
func deviation(values []float64) float64 {
	switch {
	case len(values) < 2:
		return math.NaN()
	case constant(values):
		return 0
	}
	middle, squares, sum := mean(values), 0.0, 0.0
	for _, v := range values {
		squares += (v - middle) * (v - middle)
		sum += v - middle // the rounding error of the mean
	}
	n := float64(len(values))
	return math.Sqrt((squares - sum*sum/n) / (n - 1))
}

func constant(values []float64) bool {
	return len(values) > 0 && !slices.ContainsFunc(values, func(v float64) bool { return v != values[0] })
}

// present returns the values that are not NaN.
func present(values []float64) []float64 {
	if !slices.ContainsFunc(values, math.IsNaN) {
		return values
	}
	return slices.DeleteFunc(slices.Clone(values), math.IsNaN)
}

// quantiles caches quantiles: thousands of intervals need a few of them, and computing one takes
// microseconds.
var quantiles sync.Map

// quantile returns the p-quantile of Student's t, p > 0.5.
func quantile(degrees int, p float64) float64 {
	type key struct {
		degrees int
		p       float64
	}
	if q, known := quantiles.Load(key{degrees, p}); known {
		return q.(float64)
	}
	q := upperQuantile(float64(degrees), p)
	quantiles.Store(key{degrees, p}, q)
	return q
}
