// The statistics over replications: the formula, interval and test of each.

package statistics

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Statistic is a statistic over replications, named by its word in study files. It has the unit of
// its column. A new statistic needs
//
//   - a constant and a definition;
//   - in the tests of this package the fewest values of its interval and its true value;
//   - its word in docs/reference/study-files.md, for the key stat and, of a location, whiskers;
//   - its interval and test in docs/explanation/statistics.md, "Numbers";
//   - if it is pairwise, an entry of STATISTICS in results/python/gridsweep/_statistics.py and its
//     word in _compare.py, docs/tutorial/notebook.md, and cmd/cli/python_test.go with
//     results/python/tests/test_gridsweep.py; if it is no mean, the condition for the median in
//     estimate of _statistics.py; if it is not smooth either, that in _estimate of _compare.py;
//   - new messages, which list it: go test ./sweeps/study -update writes them;
//   - if it is a mean of some of the replications, which of them are kept, also in estimate of
//     _statistics.py, and its granularity: see sampler.granularity of package analysis;
//   - if published numbers may be means of several of such means (mean_of), which checkMeans of
//     package configs refuses, its prediction: Cell.predict and Table.Predicted of package analysis
//     and, in analysis/likelihood, Number.Trimmed with what reads it.
//
// Tests fail without these, but for estimate, _estimate, the Python tests, notebook.md, the
// explanation, and what goes with means of some replications, which only people can check.
type Statistic string

// The statistics.
const (
	Mean    Statistic = "mean"
	Median  Statistic = "median"
	SD      Statistic = "sd"
	Min     Statistic = "min"
	Max     Statistic = "max"
	Trimmed Statistic = "trimmed" // mean without the best and the worst replication
)

// Measure is the property of the replications that a statistic measures. It decides what a number
// of the statistic can be compared with. Every statistic has one; the zero value is invalid.
type Measure int

// The measures.
const (
	// Location is where the replications lie. Only a location predicts a further run, so only
	// published numbers that are locations are judged by prediction intervals and rank universes;
	// and only around a location can whiskers of a figure be one standard deviation.
	Location Measure = iota + 1
	// Dispersion is how far the replications lie apart. It is at least 0, where its intervals
	// end, and a single published number has none: claims about dispersions are not judged on
	// published numbers.
	Dispersion
	// Extreme is the largest or the smallest value. It predicts no further run.
	Extreme
)

// definition is the properties of a statistic.
//
// A query may compare two numbers, such as by their difference or ratio. Either the statistic is
// taken of the comparisons of the replications (pairwise), or two statistics are compared, with an
// interval by the jackknife (smooth). A statistic with an interval is at least one of the two. Of
// one that is both, differences are taken the first way and other comparisons the second.
type definition struct {
	statistic Statistic
	measures  Measure // see the constants for what it decides
	least     int     // the fewest values that it is defined for
	value     func(values []float64) float64
	// interval sets the 95 % interval of an estimate from any number of values, also fewer than
	// least; nil if there is none.
	interval   func(e *Estimate, values []float64)
	ofInterval int                              // the fewest values with interval; 0 if none has
	kept       func(values []float64) []float64 // see Kept; nil for all values
	pairwise   bool                             // see IsPairwise
	smooth     bool                             // see IsSmooth
	// pValue is nil unless the statistic is pairwise; see PValueOf.
	pValue func(values []float64, n int, granularity float64) float64

	intervalName string // for captions; of a statistic without interval, that it has none and why
	explanation  string // for legends and captions; empty if the word suffices
}

// definitions are those of all statistics, in the order in which messages list them.
//
// The interval of the mean is Student's t. That of the median is the order statistics whose
// binomial coverage is at least 95 % (n ≥ 6), which assumes nothing about the distribution. That of
// the trimmed mean is t with the winsorised deviation (Tukey and McLaughlin 1963, n ≥ 4), that of
// the deviation is the jackknife's. Extremes have none: replications do not show how far an extreme
// is from the end of its distribution.
var definitions = []definition{
	{
		statistic: Mean, measures: Location, least: 1, value: mean, interval: meanInterval, ofInterval: 2,
		pairwise: true, pValue: tTest, smooth: true, intervalName: "95 % t interval",
	},
	{
		statistic: Median, measures: Location, least: 1, value: median, interval: medianInterval, ofInterval: 6,
		pairwise: true, pValue: signTest, intervalName: "95 % interval of order statistics",
	},
	{
		statistic: SD, measures: Dispersion, least: 2, value: deviation, interval: deviationInterval, ofInterval: 3,
		smooth: true, intervalName: JackknifeName,
	},
	{statistic: Min, measures: Extreme, least: 1, value: slices.Min[[]float64], intervalName: noneOfExtremes},
	{statistic: Max, measures: Extreme, least: 1, value: slices.Max[[]float64], intervalName: noneOfExtremes},
	{
		statistic: Trimmed, measures: Location, least: 3, value: trimmedMean, interval: trimmedInterval, ofInterval: 4,
		kept: kept, pairwise: true, pValue: trimmedTest, smooth: true,
		intervalName: "95 % t interval of the trimmed mean (winsorised deviation)",
		explanation:  "the mean without the best and the worst replication",
	},
}

func (s Statistic) definition() *definition {
	for i := range definitions {
		if definitions[i].statistic == s {
			return &definitions[i]
		}
	}
	panic(fmt.Sprintf("statistics: %q has no definition", s))
}

// All returns all statistics, in the order in which messages list them.
func All() []Statistic {
	all := make([]Statistic, len(definitions))
	for i, d := range definitions {
		all[i] = d.statistic
	}
	return all
}

// JackknifeName names the interval of the jackknife, for captions.
const JackknifeName = "95 % jackknife interval over replications"

const noneOfExtremes = "no interval: an extreme has none"

// Measures returns the property that the statistic measures.
func (s Statistic) Measures() Measure { return s.definition().measures }

// Of returns the statistic of the values; NaN if there are too few of them.
func (s Statistic) Of(values []float64) float64 {
	d := s.definition()
	if values = present(values); len(values) < d.least {
		return math.NaN()
	}
	return d.value(values)
}

// Estimate returns the statistic of the values of independent replications with its interval.
func (s Statistic) Estimate(values []float64) Estimate {
	values = present(values)
	e := Estimate{Value: s.Of(values), Low: math.NaN(), High: math.NaN(), N: len(values), SD: deviation(values)}
	if set := s.definition().interval; set != nil {
		set(&e, values)
	}
	return e
}

// HasInterval reports whether an interval of the statistic exists.
func (s Statistic) HasInterval() bool { return s.definition().interval != nil }

// FewestOfInterval returns the fewest values of which the statistic has an interval; 0 if none has.
func (s Statistic) FewestOfInterval() int { return s.definition().ofInterval }

// IntervalName names the interval of the statistic, for captions.
func (s Statistic) IntervalName() string { return s.definition().intervalName }

// Explanation returns what the word of the statistic leaves open, for legends; mostly empty.
func (s Statistic) Explanation() string { return s.definition().explanation }

// IsPairwise reports whether a difference of two numbers is the statistic of the replications'
// differences, as for means and medians. It is not for dispersions: the deviation of differences is
// no difference of deviations.
func (s Statistic) IsPairwise() bool { return s.definition().pairwise }

// IsSmooth reports whether the jackknife gives a valid interval for functions of the statistic,
// such as a ratio of two of them. It fails for medians and extremes.
func (s Statistic) IsSmooth() bool { return s.definition().smooth }

// Kept returns the values that enter the statistic: those that are not NaN and, of a trimmed mean,
// not the smallest or the largest. There are none if it is not defined for so few.
func (s Statistic) Kept(values []float64) []float64 {
	d := s.definition()
	switch values = present(values); {
	case len(values) < d.least:
		return nil
	case d.kept != nil:
		return d.kept(values)
	default:
		return values
	}
}

// PValue returns the two-sided p-value of the hypothesis that the values of independent
// replications are around 0: by the t test, for trimmed means with the winsorised deviation, or for
// the median by the sign test, which leaves out zeros. Values that are all 0 give 1, and other
// equal values 0, or 2^(1−n) in the sign test. Fewer than two values give 1, for no evidence, as do
// fewer than four for a trimmed mean. It panics for a statistic that is not pairwise: its
// comparisons are tested as means of the jackknife's pseudo-values.
func (s Statistic) PValue(values []float64) float64 { return s.PValueOf(values, 0, 0) }

// PValueOf returns the p-value that n replications would have if their mean and standard deviation
// were those of the values, or for the median their shares above and below 0; n = 0 stands for the
// number of values. Means of values with a granularity, which is 0 for others, must also pass the
// exact test of few events (see eventTest), by which equal values are no proof that others do not
// occur.
func (s Statistic) PValueOf(values []float64, n int, granularity float64) float64 {
	if values = present(values); len(values) < 2 {
		return 1
	}
	return s.definition().pValue(values, cmp.Or(n, len(values)), granularity)
}

// mean returns the mean; if all values are equal, exactly this value, so that rounding makes no
// deviation.
func mean(values []float64) float64 {
	if constant(values) {
		return values[0]
	}
	return floats.Sum(values) / float64(len(values))
}

func median(values []float64) float64 {
	sorted, n := slices.Sorted(slices.Values(values)), len(values)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// trimmedMean returns the mean without the smallest and the largest of at least three values.
func trimmedMean(values []float64) float64 {
	return floats.Sum(kept(values)) / float64(len(values)-2)
}

// kept returns the values without the smallest and the largest, in rising order.
func kept(values []float64) []float64 { return slices.Sorted(slices.Values(values))[1 : len(values)-1] }

func meanInterval(e *Estimate, _ []float64) { e.setInterval(e.SD/math.Sqrt(float64(e.N)), e.N-1) }

func trimmedInterval(e *Estimate, values []float64) {
	if e.N >= 4 {
		e.setInterval(KeptDeviation(values)/math.Sqrt(float64(e.N-2)), e.N-3)
	}
}

func deviationInterval(e *Estimate, values []float64) { *e = jackknife(values, deviation) }
