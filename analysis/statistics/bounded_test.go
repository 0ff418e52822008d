// Intervals within bounds: they contain the number, lie within the bounds, change only where a
// bound is crossed, and cover the mean of counts and shares as often as Student's interval does.

package statistics

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

func TestBoundedIntervals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		least := rapid.Float64Range(-100, 100).Draw(t, "least")
		most := least + rapid.Float64Range(1, 1000).Draw(t, "width")
		if rapid.Bool().Draw(t, "unbounded") {
			most = math.Inf(1)
		}
		values := rapid.SliceOfN(rapid.Float64Range(least, min(most, least+1000)), 2, 20).Draw(t, "values")
		e := Mean.Estimate(values)
		granularity := rapid.SampledFrom([]float64{0, 1}).Draw(t, "granularity")
		b := e.Bounded(least, most, granularity/float64(e.N))
		if e.Low >= least && e.High <= most && e.Value != least && e.Value != most && b != e {
			t.Fatalf("[%v, %v] became [%v, %v]", e.Low, e.High, b.Low, b.High)
		}
		const slack = 1e-9
		if b.Low < least-slack*math.Abs(least) || b.High > most+slack*math.Abs(most) {
			t.Fatalf("[%v, %v] leaves [%v, %v]", b.Low, b.High, least, most)
		}
		if size := slack * (1 + math.Abs(b.Value)); b.Low > b.Value+size || b.High < b.Value-size {
			t.Fatalf("%v is not in [%v, %v]", b.Value, b.Low, b.High)
		}
	})
}

// Rare counts, and small and large shares of 50: the bounded intervals cover at least as often as
// Student's, whose ends beyond the bounds are worth nothing, and in at least 92.5 %. Where all
// replications together have some ten events or fewer, they cover in up to 100 %: that of no event
// ends at 3.69/n.
func TestCoverageOfBoundedIntervals(t *testing.T) {
	const trials = 10_000
	all := math.Inf(1)
	for _, c := range []struct {
		replications int
		mean, most   float64
		floor, top   float64
	}{
		{3, 0.3, all, 0.985, 0.995}, {3, 1, all, 0.99, 0.996}, {3, 3, all, 0.96, 0.97},
		{10, 0.02, all, 0.998, 0.9999}, {10, 0.1, all, 0.995, 0.999}, {10, 0.3, all, 0.99, 0.998},
		{10, 0.4, all, 0.97, 0.98}, {10, 1, all, 0.945, 0.955}, {10, 3, all, 0.94, 0.95},
		{10, 0.5, 50, 0.985, 0.99}, {10, 2, 50, 0.94, 0.95}, {10, 48, 50, 0.94, 0.95}, {10, 49.5, 50, 0.985, 0.99},
		{30, 0.05, all, 0.998, 0.9999}, {30, 0.13, all, 0.97, 0.98},
		{100, 0.02, all, 0.998, 0.9999}, {100, 0.02, 50, 0.998, 0.9999}, {100, 0.04, all, 0.97, 0.98},
		{100, 0.1, all, 0.928, 0.935}, {100, 0.1, 50, 0.925, 0.93},
	} {
		random := rand.New(rand.NewPCG(1, 2))
		var counts distuv.Rander = distuv.Poisson{Lambda: c.mean, Src: random}
		if c.most < all {
			counts = distuv.Binomial{N: c.most, P: c.mean / c.most, Src: random}
		}
		student, bounded := 0, 0
		values := make([]float64, c.replications)
		for range trials {
			for i := range values {
				values[i] = counts.Rand()
			}
			e := Mean.Estimate(values)
			if e.Low <= c.mean && c.mean <= e.High {
				student++
			}
			if b := e.Bounded(0, c.most, 1/float64(e.N)); b.Low <= c.mean && c.mean <= b.High {
				bounded++
			}
		}
		covered := float64(bounded) / trials
		t.Logf("%d replications of %v of at most %v: Student %.4f, bounded %.4f",
			c.replications, c.mean, c.most, float64(student)/trials, covered)
		if bounded < student || covered < c.floor || covered > c.top {
			t.Errorf("%d replications of %v of at most %v: of %d intervals %d cover the mean, of Student's %d",
				c.replications, c.mean, c.most, trials, bounded, student)
		}
	}
}

// The prediction interval of a positive ratio is Student's, or above the least ratio; of lognormal
// ratios it holds a further one in about 95 % of cases.
func TestRatioPrediction(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		least := rapid.SampledFrom([]float64{0, -100}).Draw(t, "least")
		values := rapid.SliceOfN(rapid.Float64Range(least, least+1000), 2, 9).Draw(t, "values")
		low, high := RatioPrediction(values, 1, least)
		if student, end := Prediction(values, 1, 1); student >= least && (low != student || high != end) {
			t.Fatalf("[%v, %v] is not [%v, %v]", low, high, student, end)
		}
		if middle := Median.Of(values); !(least <= low && low <= middle && middle <= high) {
			t.Fatalf("[%v, %v] of %v", low, high, values)
		}
	})
	for _, c := range []struct{ deviation, least, most float64 }{{0.3, 0.93, 0.96}, {1, 0.93, 0.96}} {
		for _, n := range []int{3, 5, 10} {
			have := coverage(n+1, 0, func(values []float64) (float64, float64) {
				ratios := make([]float64, len(values))
				for k, v := range values {
					ratios[k] = math.Exp(c.deviation * (v - 10) / 2)
				}
				low, high := RatioPrediction(ratios[:n], 1e-6, 0)
				return low - ratios[n], high - ratios[n]
			})
			t.Logf("deviation %v, %d replications: %.3f", c.deviation, n, have)
			if have < c.least || have > c.most {
				t.Errorf("deviation %v, %d replications: %.3f inside", c.deviation, n, have)
			}
		}
	}
}
