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
	left   []uint64 // bits of the values still looked at
	counts [1 << digits]int32
}

// digits is how many bits one round of counting looks at.
const digits = 11

func newSelector(n int) *selector {
	return &selector{values: make([]float64, n), left: make([]uint64, n)}
}

// statistics returns those of the values.
func (s *selector) statistics() Statistics {
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
	return Statistics{Mean: sum / float64(n), Median: median, P95: s.at((95*n+99)/100 - 1), Max: most}
}

// at returns the value at position k, from 0, of the sorted ones.
func (s *selector) at(k int) float64 {
	left := s.left[:len(s.values)]
	for i, v := range s.values {
		left[i] = math.Float64bits(v)
	}
	for {
		low, high := left[0], left[0]
		for _, v := range left {
			low, high = min(low, v), max(high, v)
		}
		if low == high {
			return math.Float64frombits(low)
		}
		shift := max(0, bits.Len64(high-low)-digits)
		s.counts = [1 << digits]int32{}
		for _, v := range left {
			s.counts[(v-low)>>shift]++
		}
		class := uint64(0)
		for k >= int(s.counts[class]) {
			k -= int(s.counts[class])
			class++
		}
		kept := 0
		for _, v := range left {
			if (v-low)>>shift == class {
				left[kept] = v
				kept++
			}
		}
		left = left[:kept]
	}
}
