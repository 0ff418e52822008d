// Selection: medians and percentiles of the measures in linear time, without sorting.

package metrics

import (
	"math"
	"math/bits"
)

// selector finds order statistics of values of at least 0 without sorting them. The bits of such
// numbers are ordered as the numbers are. So values are counted by classes of equal leading bits.
// Those in the class of the wanted position are moved to the front and counted by their next bits,
// until one is left or all are equal. That is linear for all values.
type selector struct {
	jobs     []int32 // indices of the jobs that have the values
	values   []float64
	whole    classes // of all values
	narrowed classes // of the values that may be at the wanted position
}

// digits is the number of bits by which one pass counts.
const digits = 11

// classes are the counts of values by their leading bits.
type classes struct {
	low    uint64 // the bits of the least value
	shift  int    // bits below the leading ones
	counts [1 << digits]int32
}

// newSelector returns a selector for values of jobs.
func newSelector(jobs []int32) *selector {
	return &selector{jobs: jobs, values: make([]float64, len(jobs))}
}

// P95Of returns the 95th percentile of numbers of at least 0, of which there must be one. It
// changes their order.
func P95Of(values []float64) float64 {
	s := selector{values: values}
	s.whole.count(values)
	return s.at(p95(len(values)))
}

// p95 returns the position of the 95th percentile of so many sorted values, from 0.
func p95(n int) int { return (95*n+99)/100 - 1 }

// fill takes the values of the jobs.
func (s *selector) fill(value func(i int32) float64) {
	for k, i := range s.jobs {
		s.values[k] = value(i)
	}
	s.whole.count(s.values)
}

// quantiles returns the quantiles of the values of the jobs.
func (s *selector) quantiles(value func(i int32) float64, probabilities []float64) []float64 {
	s.fill(value)
	quantiles := make([]float64, len(probabilities))
	for k, p := range probabilities {
		quantiles[k] = s.at(position(p, len(s.values)))
	}
	return quantiles
}

// statistics returns those of the values of the jobs.
func (s *selector) statistics(value func(i int32) float64) Statistics {
	s.fill(value)
	n := len(s.values)
	sum, most := 0.0, 0.0
	for _, v := range s.values {
		sum += v
		most = max(most, v)
	}
	median := s.at(n / 2)
	if n%2 == 0 {
		median = (s.at(n/2-1) + median) / 2
	}
	return Statistics{Mean: sum / float64(n), Median: median, P95: s.at(p95(n)), Max: most}
}

// at returns the value at position k, from 0, of the sorted ones.
func (s *selector) at(k int) float64 {
	left, k := s.whole.take(s.values, k)
	for s.narrowed.count(left) > 1 {
		left, k = s.narrowed.take(left, k)
	}
	return left[0]
}

// count counts the values and returns 1 where all are the same, else more.
func (c *classes) count(values []float64) int {
	low := math.Float64bits(values[0])
	high := low
	for _, v := range values {
		low, high = min(low, math.Float64bits(v)), max(high, math.Float64bits(v))
	}
	c.low, c.shift = low, max(0, bits.Len64(high-low)-digits)
	c.counts = [1 << digits]int32{}
	for _, v := range values {
		c.counts[(math.Float64bits(v)-low)>>c.shift]++
	}
	return int((high-low)>>c.shift) + 1
}

// take returns the values of the class in which position k of the sorted ones lies, which it puts
// in front of the others, and the position among them.
func (c *classes) take(values []float64, k int) ([]float64, int) {
	class := uint64(0)
	for k >= int(c.counts[class]) {
		k -= int(c.counts[class])
		class++
	}
	taken := 0
	for i, v := range values {
		if (math.Float64bits(v)-c.low)>>c.shift == class {
			values[i], values[taken] = values[taken], v
			taken++
		}
	}
	return values[:taken], k
}
