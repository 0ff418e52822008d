// Distribution: quantiles of the measures of jobs.

package metrics

import (
	"math"
	"slices"
)

// Quantile is what a share of the counted jobs do not exceed: the value at position ceil(p n) of
// the n sorted ones, which is the inverse of the empirical distribution function. Its tags are
// those of a row of a model.
type Quantile struct {
	Probability float64 `name:"probability" key:"" doc:"share of jobs with at most this value"`
	Wait        float64 `name:"wait" unit:"s" doc:"wait"` // see Measures
	Slowdown    float64 `name:"slowdown" doc:"slowdown"`
	Bounded     float64 `name:"bounded_slowdown" doc:"bounded slowdown"`
}

// Distribution returns the quantiles of the probabilities, each above 0 and at most 1. It returns
// an error for a schedule that breaks its rules and where no job counts.
func Distribution(s Schedule, window Window, probabilities []float64) ([]Quantile, error) {
	list, err := window.counted(s)
	if err != nil {
		return nil, err
	}
	values := newSelector(list)
	waits := values.quantiles(s.wait, probabilities)
	slowdowns := values.quantiles(s.slowdown, probabilities)
	bounded := values.quantiles(s.bounded(window.bound()), probabilities)
	quantiles := make([]Quantile, len(probabilities))
	for k, p := range probabilities {
		quantiles[k] = Quantile{Probability: p, Wait: waits[k], Slowdown: slowdowns[k], Bounded: bounded[k]}
	}
	return quantiles, nil
}

// Values returns the waits, in s, and the bounded slowdowns of the jobs that count, each ascending:
// the steps of their empirical cumulative distribution functions. It returns the errors of
// Distribution.
func Values(s Schedule, window Window) (waits, bounded []float64, err error) {
	list, err := window.counted(s)
	if err != nil {
		return nil, nil, err
	}
	slowdown := s.bounded(window.bound())
	for _, i := range list {
		waits = append(waits, s.wait(i))
		bounded = append(bounded, slowdown(i))
	}
	slices.Sort(waits)
	slices.Sort(bounded)
	return waits, bounded, nil
}

// position returns the position of the quantile of a probability among n sorted values, from 0. A
// product near a whole number is that number: 0.07 of 100 jobs are 7, though 0.07 * 100 is above 7.
func position(p float64, n int) int {
	product := float64(p * float64(n))
	if whole := math.Round(product); math.Abs(product-whole) < 1e-9*product {
		product = whole
	}
	return min(max(int(math.Ceil(product)), 1), n) - 1
}
