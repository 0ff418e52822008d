package cluster

// Estimates: the rules for the run times that the scheduler plans with.

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gridsweep/model/rng"
)

// Estimates is a rule for the estimates of run times that the scheduler plans with; ParseEstimates
// returns it by its name. The zero Estimates is exact.
type Estimates struct {
	source estimateSource
	factor float64
}

type estimateSource uint8

const (
	estimateExact estimateSource = iota
	estimateUser
	estimateFactor
	estimateUniform
)

// largestFactor bounds F.
const largestFactor = 1e6

// EstimateNames lists the names that ParseEstimates accepts; F stands for a number.
func EstimateNames() []string { return []string{"exact", "user", "factor:F", "uniform:F"} }

// ParseEstimates accepts exact (the run time), user (the trace's requested time), factor:F (the run
// time times F, 0 < F ≤ 10⁶) and uniform:F (the run time times a number uniform in [1, F], a new
// draw for each job: the f-model, with F = f+1, of Mu'alem & Feitelson, Utilization,
// predictability, workloads, and user runtime estimates in scheduling the IBM SP2 with backfilling,
// TPDS 2001).
func ParseEstimates(name string) (Estimates, error) {
	rule, text, hasFactor := strings.Cut(name, ":")
	source := slices.Index([]string{"exact", "user", "factor", "uniform"}, rule)
	if source < 0 || hasFactor != (source >= int(estimateFactor)) {
		return Estimates{}, fmt.Errorf("unknown estimates %q: write exact, user, factor:F or uniform:F", name)
	}
	e := Estimates{source: estimateSource(source)}
	if !hasFactor {
		return e, nil
	}
	var err error
	if e.factor, err = strconv.ParseFloat(text, 64); err != nil || !(e.factor > 0 && e.factor <= largestFactor) {
		return Estimates{}, fmt.Errorf("estimates %q: F must be a number above 0, at most a million", name)
	}
	if e.source == estimateUniform && e.factor < 1 {
		return Estimates{}, fmt.Errorf("estimates %q: F must be at least 1, since the draw is from 1 to F", name)
	}
	return e, nil
}

// String returns the name that ParseEstimates accepts.
func (e Estimates) String() string {
	factor := strconv.FormatFloat(e.factor, 'g', -1, 64)
	return [...]string{"exact", "user", "factor:" + factor, "uniform:" + factor}[e.source]
}

// Of returns the estimate of a job, in s, from its run time, at least 1 s, and its requested time,
// -1 or 0 if there is none: then user is exact. Products are rounded to the nearest second, halves
// up, and at least 1. Only uniform draws: one number in each call, so calls must be in the order of
// the trace.
func (e Estimates) Of(run, requested int64, draws *rng.Stream) int64 {
	switch e.source {
	case estimateUser:
		if requested > 0 {
			return min(requested, maxSeconds)
		}
		return run
	case estimateFactor:
		return multiplied(run, e.factor)
	case estimateUniform:
		return multiplied(run, draws.Uniform(1, e.factor))
	default:
		return run
	}
}

func multiplied(run int64, factor float64) int64 {
	product := math.Floor(float64(float64(run)*factor) + 0.5)
	return int64(min(max(product, 1), maxSeconds))
}
