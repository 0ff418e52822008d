// Measured distributions: sizes and run times as counted in a log.

package workload

import (
	"sort"

	"gridsweep/model/rng"
)

// measuredSizes is a distribution of sizes as counted in a log: bands from the smallest to the
// largest, within which all sizes are equally likely.
type measuredSizes []band

type band struct {
	from, to int32
	share    float64 // relative to the others'
}

func (d measuredSizes) total() float64 {
	sum := 0.0
	for _, b := range d {
		sum += b.share
	}
	return sum
}

func (d measuredSizes) draw(s *rng.Stream) int32 {
	left, position := float64(s.Float64()*d.total()), s.Float64()
	for i, b := range d {
		if left -= b.share; left < 0 || i == len(d)-1 {
			return b.from + int32(position*float64(b.to-b.from+1))
		}
	}
	panic("workload: a distribution without sizes")
}

func (d measuredSizes) shares() []float64 {
	p := make([]float64, d[len(d)-1].to+1)
	total := d.total()
	for _, b := range d {
		for size := b.from; size <= b.to; size++ {
			p[size] += b.share / (total * float64(b.to-b.from+1))
		}
	}
	return p
}

// measuredRuns is a distribution of run times as measured in a log, for each class of sizes its
// quantiles; between two quantiles the logarithm is uniform. All are multiplied by a factor, the
// free parameter.
type measuredRuns []class

type class struct {
	upTo int32 // processors: the largest size of the class
	runs [quantiles]float64
}

// quantiles is how many quantiles a class has, for the probabilities 0.005, 0.05, 0.1, … 0.95,
// 0.995. The outermost stand for 0 and 1, since the single shortest and longest job of a log say
// little.
const quantiles = 21

func (d measuredRuns) of(procs int32) *class {
	return &d[sort.Search(len(d)-1, func(i int) bool { return procs <= d[i].upTo })]
}

func (d measuredRuns) calibrated(shares []float64, work float64) func(*rng.Stream, int32) float64 {
	mean := 0.0
	for size, share := range shares {
		mean += float64(float64(share*float64(size)) * d.of(int32(size)).mean())
	}
	factor := work / mean
	return func(s *rng.Stream, procs int32) float64 { return factor * d.of(procs).at(s.Float64()) }
}

// at returns the quantile of a probability below 1.
func (c *class) at(p float64) float64 {
	position := float64(p * (quantiles - 1))
	i := int(position)
	low, high := c.runs[i], c.runs[i+1]
	return low * rng.Pow(high/low, position-float64(i))
}

// mean returns the mean. That of a number between low and high whose logarithm is uniform is
// (high - low) / ln(high/low).
func (c *class) mean() float64 {
	sum := 0.0
	for i, high := range c.runs[1:] {
		low := c.runs[i]
		if low == high {
			sum += low
			continue
		}
		sum += (high - low) / rng.Log(high/low)
	}
	return sum / (quantiles - 1)
}
