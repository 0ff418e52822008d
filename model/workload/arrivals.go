// Arrivals: turning gaps into submit times with a daily cycle, and the gamma distribution.

package workload

import (
	"math"

	"gridsweep/model/rng"
)

const (
	bucket     = 1800 // s, the length of the pieces of a daily cycle
	dayBuckets = 48   // buckets of a day
)

// clock turns gaps without a daily cycle into times with one: in a bucket of weight w a gap passes
// w times as fast. The next gap continues in the rest of a bucket, so that the mean over days is
// kept.
type clock struct {
	cycle []float64 // weights of the buckets, with mean 1
	at    int       // the bucket in which the last arrival is
	begin int64     // s, of that bucket
	spent float64   // of the weight of that bucket
}

// advance lets a gap of so many seconds pass and returns the time, in s.
func (c *clock) advance(gap float64) int64 {
	passed := c.spent + gap/bucket // of the weights of buckets, from that of begin on
	// whole cycles at once: the gap may be of any length
	if length := float64(len(c.cycle)); passed > length {
		cycles := math.Floor(passed / length)
		passed -= float64(cycles * length)
		c.begin += int64(cycles) * int64(len(c.cycle)) * bucket
	}
	for passed > c.cycle[c.at] {
		passed -= c.cycle[c.at]
		c.begin += bucket
		if c.at++; c.at == len(c.cycle) {
			c.at = 0
		}
	}
	c.spent = passed
	if passed == 0 {
		return c.begin // and not 0/0 in a bucket without weight
	}
	return c.begin + int64(bucket*passed/c.cycle[c.at])
}

// gammaCycle returns the daily cycle of Lublin and Feitelson: the half hours from 5:00 on are the
// positions 11, 12, … 58 of a gamma distribution.
func gammaCycle(g gamma) []float64 {
	weights := make([]float64, dayBuckets)
	const first = 11
	for i := first; i < first+dayBuckets; i++ {
		position := float64(i)
		weights[(i-1)%dayBuckets] = g.cdf(position+0.5) - g.cdf(position-0.5)
	}
	return normalized(weights)
}

// normalized divides weights by their mean.
func normalized(weights []float64) []float64 {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	mean := sum / float64(len(weights))
	for i := range weights {
		weights[i] /= mean
	}
	return weights
}

// gamma is a gamma distribution.
type gamma struct{ shape, scale float64 }

func (g gamma) draw(s *rng.Stream) float64 { return s.Gamma(g.shape, g.scale) }

func (g gamma) cdf(x float64) float64 { return rng.GammaCDF(g.shape, x/g.scale) }

// expUpTo returns the mean of e^X where X is at most limit and 0 where it is more: the density of X
// times e^X is that of a gamma distribution with scale/(1 - scale), times (1 - scale)^-shape. The
// scale must be below 1.
func (g gamma) expUpTo(limit float64) float64 {
	tilted := gamma{g.shape, g.scale / (1 - g.scale)}
	return rng.Pow(1-g.scale, -g.shape) * tilted.cdf(limit)
}
