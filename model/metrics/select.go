package metrics

import (
	"math"
	"math/bits"
)

// selector finds order statistics of values of at least 0 without sorting them: the bits of such numbers are ordered
// as the numbers are, so values are counted by their leading bits and only those in the wanted class looked at again.
// That is linear whatever the values are.
type selector struct {
	values []float64
	keys   []uint64 // bits of the values
	left   []uint64 // those still looked at for one position
	whole  classes  // of all keys
	part   classes  // of those left
}

// digits is how many bits one round of counting looks at.
const digits = 11

// classes are the counts of keys by their leading bits.
type classes struct {
	low    uint64 // the least key
	shift  int    // bits below the leading ones
	counts [1 << digits]int32
}

func newSelector(n int) *selector {
	return &selector{values: make([]float64, n), keys: make([]uint64, n), left: make([]uint64, n)}
}

// P95Of returns the 95th percentile of numbers of at least 0, of which there must be one.
func P95Of(values []float64) float64 {
	s := selector{keys: make([]uint64, len(values)), left: make([]uint64, len(values))}
	for i, v := range values {
		s.keys[i] = math.Float64bits(v)
	}
	s.whole.count(s.keys)
	return s.at(p95(len(values)))
}

// p95 returns the position of the 95th percentile of so many sorted values, from 0.
func p95(n int) int { return (95*n+99)/100 - 1 }

// statistics returns those of the values.
func (s *selector) statistics() Statistics {
	n := len(s.values)
	sum, most := 0.0, 0.0
	for i, v := range s.values {
		sum += v
		most = max(most, v)
		s.keys[i] = math.Float64bits(v)
	}
	s.whole.count(s.keys)
	median := s.at(n / 2)
	if n%2 == 0 {
		median = (s.at(n/2-1) + median) / 2
	}
	return Statistics{Mean: sum / float64(n), Median: median, P95: s.at(p95(n)), Max: most}
}

// at returns the value at position k, from 0, of the sorted ones.
func (s *selector) at(k int) float64 {
	left, k := s.whole.take(s.left[:0], s.keys, k)
	for {
		if s.part.count(left) == 1 {
			return math.Float64frombits(left[0])
		}
		left, k = s.part.take(left[:0], left, k)
	}
}

// count counts the keys and returns 1 where all are the same, else more.
func (c *classes) count(keys []uint64) int {
	low, high := keys[0], keys[0]
	for _, key := range keys {
		low, high = min(low, key), max(high, key)
	}
	c.low, c.shift = low, max(0, bits.Len64(high-low)-digits)
	c.counts = [1 << digits]int32{}
	for _, key := range keys {
		c.counts[(key-low)>>c.shift]++
	}
	return int((high-low)>>c.shift) + 1
}

// take appends to left the keys of the class in which position k of the sorted keys lies, and returns the position in it.
// left may be the beginning of keys.
func (c *classes) take(left, keys []uint64, k int) ([]uint64, int) {
	class := uint64(0)
	for k >= int(c.counts[class]) {
		k -= int(c.counts[class])
		class++
	}
	for _, key := range keys {
		if (key-c.low)>>c.shift == class {
			left = append(left, key)
		}
	}
	return left, k
}
