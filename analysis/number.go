// Numbers with the contributions of the replications to them.

package analysis

import (
	"cmp"
	"math"
	"slices"

	"gridsweep/analysis/statistics"
)

// number is a statistic (by) of the contributions of the replications (terms). Differences of two
// numbers and means of several, taken replication by replication, are numbers too. One that is
// computed from statistics, such as a ratio of means, has as terms its pseudo-values (see
// statistics.JackknifeOf), shifted such that their mean is the number.
type number struct {
	terms []float64
	by    statistics.Statistic
	scale float64 // the largest magnitude that enters a term
	n     int     // replications of a number without interval, which has a single term; else 0
	// ids identify the values that the number is computed from, by planned replication; nil if
	// these are the same in all replications, since another number may then equal it by chance.
	ids []uint64
	// granularity is what one event adds to a term; 0 if that is unknown (see
	// statistics.Granularity)
	granularity float64
}

// withoutRounding returns x, or 0 where x may be nothing but the rounding error of numbers of such
// scale. Without it 0.4 − 0.1 − 0.3 = 5.6e-17 in every replication would be a significant
// difference.
func withoutRounding(x, scale float64) float64 {
	if math.Abs(x) <= statistics.Rounding*scale {
		return 0
	}
	return x
}

// withoutRounding sets the terms that may be rounding errors to 0, in place, and returns x.
func (x number) withoutRounding() number {
	for k, term := range x.terms {
		x.terms[k] = withoutRounding(term, x.scale)
	}
	return x
}

// estimateWithoutRounding returns an estimate whose numbers are 0 where they may be rounding
// errors.
func estimateWithoutRounding(e statistics.Estimate, scale float64) statistics.Estimate {
	e.Value, e.Low, e.High = withoutRounding(e.Value, scale), withoutRounding(e.Low, scale), withoutRounding(e.High, scale)
	return e
}

func (x number) value() float64 { return withoutRounding(x.by.Of(x.terms), x.scale) }

// hasNoInterval reports whether the statistic has no interval.
func (x number) hasNoInterval() bool { return x.n > 0 }

func (x number) interval() statistics.Estimate {
	e := x.by.EstimateOf(x.terms, x.granularity)
	if x.hasNoInterval() {
		e.N = x.n
	}
	return e
}

// without returns the number over all replications but one.
func (x number) without(k int) float64 {
	return x.by.Of(slices.Delete(slices.Clone(x.terms), k, k+1))
}

// plus returns sign·x + offset.
func (x number) plus(sign, offset float64) number {
	moved := x
	moved.terms, moved.scale = make([]float64, len(x.terms)), max(x.scale, math.Abs(offset))
	for k, term := range x.terms {
		moved.terms[k] = sign*term + offset
	}
	return moved.withoutRounding()
}

// near returns the distance of a number from the nearer end of middle ± within, positive inside.
// For the mean, evidence of being inside this end is evidence of being inside the other one, too
// (two one-sided tests, Schuirmann 1987).
func near(x number, middle, within float64) number {
	if x.value() >= middle {
		return x.plus(-1, middle+within)
	}
	return x.plus(1, within-middle)
}

// minus returns a − b, replication by replication.
func minus(a, b *sample) number {
	return number{
		terms: statistics.Pairs(b.terms, a.terms), by: a.by, scale: max(a.scale, b.scale), n: fewer(a.n, b.n),
		ids: idsOf(a.ids, b.ids), granularity: max(a.granularity, b.granularity),
	}.withoutRounding()
}

// idsOf returns the ids of the difference of two numbers, such that a − b and b − a differ. They
// are those of the replications that both have planned.
func idsOf(a, b []uint64) []uint64 {
	if a == nil && b == nil {
		return nil
	}
	ids := make([]uint64, fewer(len(a), len(b)))
	for k := range ids {
		if a != nil {
			ids[k] = scramble(a[k])
		}
		if b != nil {
			ids[k] ^= b[k]
		}
	}
	return ids
}

// id returns a hash of the ids: equal for numbers of equal values; 0 if these are the same in all
// replications.
func (x number) id() uint64 {
	sum := uint64(0)
	for _, id := range x.ids {
		sum = scramble(sum + id)
	}
	return sum
}

// scramble returns a hash of a number (the finalizer of MurmurHash3, Appleby 2011).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15 // so that 0 is not its own hash
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// isTied reports whether the number equals a threshold in every replication, of which there are at
// least two.
func (x number) isTied(threshold float64) bool {
	terms := slices.DeleteFunc(x.plus(1, -threshold).terms, math.IsNaN)
	return len(terms) > 1 && all(terms, func(term float64) bool { return term == 0 })
}

// pAtLeast returns the same p-value as pAbove, but 0 if the number equals the threshold in every
// replication, since equality suffices.
func (x number) pAtLeast(threshold float64, n int) float64 {
	if x.isTied(threshold) {
		return 0
	}
	return x.pAbove(threshold, n)
}

// pAbove returns the p-value of the evidence that the number is above a threshold: twice that of a
// one-sided test. It is the p-value that n replications would have with the same mean and
// deviation; n = 0 stands for those that were run.
func (x number) pAbove(threshold float64, n int) float64 {
	moved := x.plus(1, -threshold)
	if !(moved.value() > 0) {
		return 1
	}
	return x.by.PValueOf(moved.terms, n, moved.granularity)
}

// fewer returns the smaller of two numbers of replications; 0 means unknown.
func fewer(a, b int) int {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// meanOf returns the mean of several numbers with its interval over replications. Replication k has
// the same random numbers in all of them. If only some numbers lack a replication, the jackknife
// uses those that have it. Statistics other than the mean, such as medians, are taken of the means
// of each replication. The interval of the jackknife has the degrees of freedom of fewest, the
// fewest replications planned for one of the numbers; a fewest of 0 means unknown.
func meanOf(all []number, fewest int) statistics.Estimate {
	if len(all) == 1 {
		return all[0].interval()
	}
	granularity := 0.0
	for _, x := range all {
		granularity = max(granularity, x.granularity/float64(len(all)))
	}
	present := replicationsOf(all)
	complete := byReplication(all, present)
	if by := byOf(all); by != statistics.Mean || !slices.ContainsFunc(complete, math.IsNaN) {
		n := 0
		for _, x := range all {
			n = fewer(n, x.n)
		}
		return number{terms: complete, by: by, n: n, granularity: granularity}.interval()
	}
	return statistics.JackknifeOf(len(present), func(leftOut int) float64 {
		sum := 0.0
		for _, x := range all {
			value := x.value()
			if leftOut >= 0 && present[leftOut] < len(x.terms) {
				if others := x.without(present[leftOut]); !math.IsNaN(others) {
					value = others
				}
			}
			sum += value
		}
		return sum / float64(len(all))
	}).OfReplications(cmp.Or(fewest, len(present)))
}

// replicationsOf returns the replications in which some number has a value.
func replicationsOf(all []number) []int {
	longest := 0
	for _, x := range all {
		longest = max(longest, len(x.terms))
	}
	var present []int
	for k := range longest {
		if slices.ContainsFunc(all, func(x number) bool { return k < len(x.terms) && !math.IsNaN(x.terms[k]) }) {
			present = append(present, k)
		}
	}
	return present
}

func byOf(all []number) statistics.Statistic {
	if len(all) == 0 {
		return statistics.Mean
	}
	return all[0].by
}

// scaleOf returns the largest scale of some numbers.
func scaleOf(all []number) float64 {
	scale := 0.0
	for _, x := range all {
		scale = max(scale, x.scale)
	}
	return scale
}

// byReplication returns the mean over the numbers in each of the replications; NaN if one lacks it.
func byReplication(all []number, replications []int) []float64 {
	means, scale := make([]float64, len(replications)), scaleOf(all)
	for i, k := range replications {
		for _, x := range all {
			if k >= len(x.terms) {
				means[i] = math.NaN()
				break
			}
			means[i] += x.terms[k] / float64(len(all))
		}
		means[i] = withoutRounding(means[i], scale)
	}
	return means
}
