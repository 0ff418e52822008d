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
		b := e.Bounded(least, most)
		if e.Low >= least && e.High <= most && b != e {
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

// Ten replications of rare counts and of small shares of 50: the bounded intervals cover at least
// as often as Student's, whose ends below 0 are worth nothing.
func TestCoverageOfBoundedIntervals(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, c := range map[string]struct {
		draw       distuv.Rander
		mean, most float64
	}{
		"counts": {distuv.Poisson{Lambda: 0.3, Src: random}, 0.3, math.Inf(1)},
		"shares": {distuv.Binomial{N: 50, P: 0.01, Src: random}, 0.5, 50},
	} {
		const trials = 4000
		student, bounded := 0, 0
		for range trials {
			values := make([]float64, 10)
			for i := range values {
				values[i] = c.draw.Rand()
			}
			e := Mean.Estimate(values)
			if e.Low <= c.mean && c.mean <= e.High {
				student++
			}
			if b := e.Bounded(0, c.most); b.Low <= c.mean && c.mean <= b.High {
				bounded++
			}
		}
		t.Logf("%s: Student %.1f %%, bounded %.1f %%", name, 100*float64(student)/trials, 100*float64(bounded)/trials)
		if bounded < student {
			t.Errorf("%s: of %d intervals %d cover the mean, of Student's %d", name, trials, bounded, student)
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
