// Paired differences, p-values against known quantiles and against intervals, and the corrections
// of intervals and p-values (Holm) for several comparisons.

package statistics

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestPairs(t *testing.T) {
	have := Pairs([]float64{1, 2, nan}, []float64{4, 1, 7})
	if have[0] != 3 || have[1] != -1 || !math.IsNaN(have[2]) {
		t.Errorf("pairs %v", have)
	}
}

func TestPValue(t *testing.T) {
	// t = 3.162278 with 4 degrees of freedom.
	near(t, "t test", Mean.PValue([]float64{1, 0, 2, 1, 1}), 0.034110, 1e-5)
	near(t, "sign test", Median.PValue([]float64{1, 2, 3, 4, 5, 6, 0}), 2.0/64, 1e-12)
	near(t, "all zero", Mean.PValue([]float64{0, 0, 0}), 1, 0)
	near(t, "all one", Mean.PValue([]float64{1, 1, 1}), 0, 0)
	near(t, "one replication", Mean.PValue([]float64{5}), 1, 0)
}

// The t test rejects 0 at 5 % if and only if the 95 % interval excludes 0.
func TestPValueAgreesWithInterval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-3, 6), 3, 12).Draw(t, "values")
		e, p := Mean.Estimate(values), Mean.PValue(values)
		if e.SD > 1e-6 && math.Abs(p-0.05) > 1e-6 && (p < 0.05) != (e.Low > 0 || e.High < 0) {
			t.Fatalf("p = %v, interval %v to %v", p, e.Low, e.High)
		}
	})
}

func TestHolm(t *testing.T) {
	cases := []struct {
		p    []float64
		want []bool
	}{
		{[]float64{0.04}, []bool{true}},
		{[]float64{0.04, 0.04}, []bool{false, false}},
		{[]float64{0.04, 0.02}, []bool{true, true}}, // Bonferroni would not reject the first
		{[]float64{0.01, 0.06, 0.02}, []bool{true, false, true}},
		{nil, []bool{}},
	}
	for _, c := range cases {
		if have := Holm(c.p); !slices.Equal(have, c.want) {
			t.Errorf("%v: %v, want %v", c.p, have, c.want)
		}
	}
}
