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

// Equal values are evidence as far as no event happened. Of counts that are at most a limit
// the test is Garwood's: 5.57 expected events give one or none in 2.5 % of cases (any table of χ²
// with 4 degrees of freedom: 11.14/2).
func TestPValueOfEvents(t *testing.T) {
	near(t, "three times 1", Mean.PValueOf([]float64{1, 1, 1}, 0, 1), 2*math.Exp(-3), 1e-12)
	near(t, "three times −1", Mean.PValueOf([]float64{-1, -1, -1}, 0, 0.5), 2*math.Exp(-6), 1e-12)
	near(t, "of ten replications", Mean.PValueOf([]float64{1, 1, 1}, 10, 1), 2*math.Exp(-10), 1e-12)
	near(t, "trimmed", Trimmed.PValueOf([]float64{-9, 1, 1, 1, 7}, 0, 1), 2*math.Exp(-3), 1e-12)
	const limit = 0.5572 // 10 replications
	rare := make([]float64, 10)
	for k := range rare {
		rare[k] = limit
	}
	rare[3]--
	near(t, "one event of ten", Mean.PValueOf(rare, 0, 1), 0.05, 1e-4)
	if p := Mean.PValueOf(rare, 0, 0); p > 0.01 {
		t.Errorf("the t test alone has p = %v", p)
	}
	for k := range rare {
		rare[k] = -rare[k]
	}
	near(t, "the other way", Mean.PValueOf(rare, 0, 1), 0.05, 1e-4)
	above := []float64{0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1} // evidence is what happened
	if t0, p := Mean.PValue(above), Mean.PValueOf(above, 0, 1); p != t0 {
		t.Errorf("values that lean away from 0: p = %v, want %v", p, t0)
	}
}
