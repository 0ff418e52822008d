// Granularity of counts, shares and continuous numbers, whatever their rounding errors, and
// intervals of equal values.

package statistics

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestGranularity(t *testing.T) {
	for _, c := range []struct {
		what  string
		lists [][]float64
		want  float64
	}{
		{"counts", [][]float64{{0, 0, 1}, {7, 4, nan, 9}}, 1},
		{"shares of 2,000", [][]float64{{0, 0, 0}, {34.35, 36.1, 35.95}, {0.05, 0.2, 0.1}}, 0.05},
		{"tens", [][]float64{{10, 40}, {70, 30}}, 10},
		{"offsets do not count", [][]float64{{0.5, 2.5}, {0.7, 3.7}}, 1},
		{"continuous", [][]float64{{math.Pi, math.E, math.Sqrt2}}, 0},
		{"equal by construction", [][]float64{{12.5, 12.5}, {17, 17}}, 0},
		{"nothing", nil, 0},
	} {
		near(t, c.what, Granularity(c.lists), c.want, 1e-9)
	}
	rapid.Check(t, func(t *rapid.T) {
		of := rapid.SampledFrom([]float64{1, 5000, 700, 3}).Draw(t, "of")
		counts := rapid.SliceOfN(rapid.IntRange(0, int(of)), 2, 20).Draw(t, "counts")
		list, divisor := make([]float64, len(counts)), 0
		for k, count := range counts {
			noise := 1 + 1e-15*float64(k%3-1)
			list[k] = 100 * float64(count) / of * noise
			for a, b := count-counts[0], divisor; ; a, b = b, a%b {
				if b == 0 {
					divisor = max(a, -a)
					break
				}
			}
		}
		if have, want := Granularity([][]float64{list}), 100*float64(divisor)/of; math.Abs(have-want) > 1e-6*want {
			t.Fatalf("%v of %v: granularity %v, want %v", counts, of, have, want)
		}
	})
}

func TestIntervalOfEqualValues(t *testing.T) {
	values := make([]float64, 10)
	zeros := Mean.Estimate(values)
	for _, c := range []struct {
		what           string
		have           Estimate
		low, high, tol float64
	}{
		{"continuous", Mean.EstimateOf(values, 0), 0, 0, 0},
		{"shares", Mean.EstimateOf(values, 0.5), -0.5 * 0.36889, 0.5 * 0.36889, 1e-5},
		{"at the bound", zeros.Bounded(0, math.Inf(1), 0.1), 0, 0.36889, 1e-5},
		{"at the bound, continuous", zeros.Bounded(0, math.Inf(1), 0), 0, 0, 0},
		{"away from it", Mean.Estimate([]float64{3, 3, 3}).Bounded(0, 100, 1./3), 3, 3, 0},
		{"one event of 100", Mean.Estimate(append(make([]float64, 99), 1)).Bounded(0, 100, 0.01), 0, 0.05572, 1e-5},
	} {
		near(t, c.what+", low", c.have.Low, c.low, c.tol)
		near(t, c.what+", high", c.have.High, c.high, c.tol)
	}
}

// The interval of equal values excludes 0 where the test rejects it, for means of all replications
// and for trimmed means of those that are kept.
func TestIntervalOfEqualValuesAgreesWithTheTest(t *testing.T) {
	for _, c := range []struct {
		of     Statistic
		one    float64 // the first of ten values, the others are 0
		events float64 // −ln 0.025 over the number of values kept
	}{{Mean, 0, 0.368888}, {Trimmed, 0, 0.461110}, {Trimmed, 1, 0.461110}} {
		for _, offset := range []float64{1.001, 0.999, -0.999, -1.001} {
			values := slices.Repeat([]float64{offset * c.events}, 10)
			values[0] += c.one
			e, p := c.of.EstimateOf(values, 1), c.of.PValueOf(values, 0, 1)
			want := math.Abs(offset) > 1
			if excludes := e.Low > 0 || e.High < 0; excludes != want || p < 0.05 != want {
				t.Errorf("%s of %v: [%v, %v] with p = %v", c.of, values, e.Low, e.High, p)
			}
		}
	}
}
