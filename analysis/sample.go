// Samples: one number of a query with its interval and the contributions of the replications.

package analysis

import (
	"math"
	"slices"

	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
	"gridsweep/model/metrics"
	"gridsweep/sweeps/study"
)

// sample is one number of an evaluated query with the contributions of the replications to it.
type sample struct {
	at       []int // indices of its levels, by dimension
	estimate statistics.Estimate
	values   []float64 // the number of each replication alone; NaN if it has none
	ran      int       // number of replications that were run; fewer may have a value
	planned  int       // number of planned replications; 0 for published numbers
	domain   *domain   // the numbers that are possible; nil without bounds
	runs     []int     // first runs of its cells and of those of its base, which identify them
	// ofZero tells that the number, or the same without a replication, is compared in proportion to
	// a base of 0, so that it has no value.
	ofZero  bool
	number                         // the contributions of replications to the estimate
	printed *study.PublishedNumber // the printed number that it is, shown as printed; else nil
}

// setPlanned sets the number of planned replications, and leaves out the ids of others.
func (s *sample) setPlanned(replications int) {
	s.planned, s.ids = replications, s.ids[:min(len(s.ids), replications)]
}

// domain is the numbers that a column, or a comparison of its numbers, can have.
type domain struct {
	least, most float64 // its bounds; most may be infinite
	ratio       bool    // whether a number is a ratio to a base, or a change in percent
}

// within returns the number of the domain that is nearest to a number.
func (d *domain) within(x float64) float64 {
	if d == nil {
		return x
	}
	return min(max(x, d.least), d.most)
}

// member is the values of an observation, by replication, and those of its base: the observation
// that it is compared with. Base is nil in a query that compares with nothing.
type member struct{ row, base []float64 }

// sampler computes the sample of one group of observations.
//
// Example: a table shows by policy the loss in percent of that under policy b, as the mean over
// three arrival rates. The group of policy a has three members, one for each rate: row is the
// losses under a by replication, base those under b. In each replication, or with means over the
// replications instead of values, a member gives 100·(row − base)/base (as), and their mean (over)
// is the number.
type sampler struct {
	as           language.Comparison
	stat         statistics.Statistic // the statistic over replications
	over         statistics.Statistic // the statistic over the members
	published    bool                 // whether values are published numbers, statistics already
	members      []member
	replications int // number of replications of a member
	// perEvent is what one event adds to a value of a row or base, the granularity of the column; 0
	// if that is unknown.
	perEvent float64
}

// sample computes the number of the members, in one of two orders:
//
//   - The rows are compared with their bases in each replication, then the statistic over members
//     is taken, and last that over replications: if that is pairwise, and either the comparison is
//     a difference or the jackknife fails for the statistic, as for medians.
//   - Otherwise the statistics over replications of row and base are compared, and the statistic
//     over members is taken last. The interval is the jackknife's; extremes have none.
func (s *sampler) sample() sample {
	computed := s.compute()
	computed.scale, computed.ids, computed.granularity = s.scale(), s.ids(), s.granularity()
	computed.ofZero = s.as != language.Difference && math.IsNaN(computed.value()) && len(s.common()) > 0
	return computed
}

// ids returns a hash of the members' values for each replication; nil if no member has different
// values in two replications, see number. Values are equal if they are as float32, so that rounding
// errors change nothing.
func (s *sampler) ids() []uint64 {
	ids, varies := make([]uint64, s.replications), false
	for _, m := range s.members {
		hashes := make([]uint64, s.replications) // of this member
		for _, values := range [][]float64{m.row, m.base} {
			known := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
			for k, value := range values {
				v := float32(value)
				hashes[k] = scramble(hashes[k] + uint64(math.Float32bits(v)))
				varies = varies || !math.IsNaN(value) && v != float32(known[0])
			}
		}
		for k, hash := range hashes {
			ids[k] += hash // the order of the members does not matter
		}
	}
	if !varies {
		return nil
	}
	return ids
}

// compute returns the estimate, values and number of the sample, without scale, ids and
// granularity.
func (s *sampler) compute() sample {
	values := noValues(s.replications)
	for k := range values {
		values[k] = s.value(func(x []float64) float64 { return x[k] })
	}
	switch {
	case s.published:
		estimate := statistics.Point(values[0])
		if math.IsNaN(values[0]) {
			estimate.N = 0
		}
		return sample{estimate: estimate, values: values, number: number{terms: values, by: statistics.Mean}}
	case !s.stat.HasInterval():
		return s.withoutInterval(values)
	case s.stat.IsPairwise() && (s.as == language.Difference || !s.stat.IsSmooth()):
		return sample{estimate: s.stat.Estimate(values), values: values, number: number{terms: values, by: s.stat}}
	default:
		return s.jackknife(values)
	}
}

// value compares each member with its base and takes the statistic over members; reduce makes one
// number of values by replication. It is NaN if a member has none: the mean of fewer would be
// another quantity.
func (s *sampler) value(reduce func(values []float64) float64) float64 {
	if len(s.members) == 1 {
		return s.combine(s.members[0], reduce)
	}
	values := make([]float64, len(s.members))
	for i, m := range s.members {
		values[i] = s.combine(m, reduce)
		if math.IsNaN(values[i]) {
			return math.NaN()
		}
	}
	return s.over.Of(values)
}

// combine compares the number of a member with that of its base; NaN if the divisor is 0, which is
// the base or, of an improvement, the smaller of the two.
func (s *sampler) combine(m member, reduce func(values []float64) float64) float64 {
	row := reduce(m.row)
	if m.base == nil {
		return row
	}
	base := reduce(m.base)
	var compared float64
	switch s.as {
	case language.Percent:
		compared = (row - base) / base * 100
	case language.Ratio:
		compared = row / base
	case language.Improvement:
		compared = metrics.Improvement(base, row)
	default:
		compared = row - base
	}
	if math.IsInf(compared, 0) {
		return math.NaN() // the divisor is 0
	}
	return compared
}

// scale returns the largest magnitude that enters the number in a replication, in the unit of the
// number.
func (s *sampler) scale() float64 {
	scale := 0.0
	for _, k := range s.common() {
		for _, m := range s.members {
			row, base := m.row[k], m.row[k]
			if m.base != nil {
				base = m.base[k]
			}
			if magnitude := s.magnitude(math.Abs(row), math.Abs(base)); !math.IsInf(magnitude, 0) {
				scale = math.Max(scale, magnitude)
			}
		}
	}
	return scale
}

// granularity returns what an event of one member adds to the number; 0 if that is unknown, and for
// statistics other than means. In a proportion the event is one of the number or of its base,
// whichever adds more.
func (s *sampler) granularity() float64 {
	isMean := s.stat == statistics.Mean || s.stat == statistics.Trimmed
	if s.perEvent == 0 || !isMean {
		return 0
	}
	added := s.perEvent
	if s.as != language.Difference {
		added = s.mostAdded()
	}
	if s.over == statistics.Mean {
		added /= float64(len(s.members))
	}
	return added
}

// mostAdded returns the most that one event adds to a proportion of a member in a replication. For
// example, of 2,000 requests one is lost, 0.05 %, or under the base four, 0.2 %: the ratio is 0.25.
// One more makes it 0.1/0.2 = 0.5, one more of the base 0.05/0.25 = 0.2, so the most is 0.25.
func (s *sampler) mostAdded() float64 {
	compare := func(row, base float64) float64 {
		return s.combine(member{[]float64{row}, []float64{base}}, func(one []float64) float64 { return one[0] })
	}
	most, common := 0.0, s.common()
	for _, m := range s.members {
		for _, k := range common {
			row, base := m.row[k], m.base[k]
			for _, more := range []float64{compare(row+s.perEvent, base), compare(row, base+s.perEvent)} {
				if added := math.Abs(more - compare(row, base)); added > most { // not NaN
					most = added
				}
			}
		}
	}
	return most
}

// magnitude returns the magnitude of a comparison of two numbers from their magnitudes.
func (s *sampler) magnitude(row, base float64) float64 {
	switch s.as {
	case language.Percent:
		return 100 * max(1, row/base)
	case language.Ratio:
		return row / base
	case language.Improvement:
		return max(row/base, base/row)
	default:
		return max(row, base)
	}
}

// common returns the replications in which every row and base has a value.
func (s *sampler) common() []int {
	var common []int
	for k := range s.replications {
		missing := false
		for _, m := range s.members {
			missing = missing || math.IsNaN(m.row[k]) || m.base != nil && math.IsNaN(m.base[k])
		}
		if !missing {
			common = append(common, k)
		}
	}
	return common
}

// statistic returns the statistic over some replications but the one at index leftOut; −1 keeps
// all.
func (s *sampler) statistic(replications []int, leftOut int) float64 {
	return s.value(func(values []float64) float64 {
		chosen := make([]float64, 0, len(replications))
		for i, k := range replications {
			if i != leftOut {
				chosen = append(chosen, values[k])
			}
		}
		return s.stat.Of(chosen)
	})
}

// jackknife returns the sample of a number that is computed from statistics.
func (s *sampler) jackknife(values []float64) sample {
	common := s.common()
	n := len(common)
	value := s.statistic(common, -1)
	pseudo, sum := noValues(s.replications), 0.0
	for i, k := range common {
		pseudo[k] = float64(n)*value - float64(n-1)*s.statistic(common, i)
		sum += pseudo[k]
	}
	for _, k := range common { // shifted, so that the mean of the pseudo-values is the number
		pseudo[k] += value - sum/float64(n)
	}
	result := sample{values: values, number: number{terms: pseudo, by: statistics.Mean}}
	result.estimate = statistics.FromPseudo(value, pseudo)
	result.estimate.N = n
	if s.stat.Measures() == statistics.Dispersion && s.members[0].base == nil {
		result.estimate.Low = max(result.estimate.Low, 0) // a dispersion is never negative
	}
	return result
}

// withoutInterval returns the sample of a statistic without interval. Its number has one term.
func (s *sampler) withoutInterval(values []float64) sample {
	common := s.common()
	estimate := statistics.Point(s.statistic(common, -1))
	estimate.N = len(common)
	single := number{terms: []float64{estimate.Value}, by: statistics.Mean, n: len(common)}
	return sample{estimate: estimate, values: values, number: single}
}
