// Paired differences, p-values against known quantiles, intervals and exact probabilities, and
// Holm's correction for several comparisons.

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

// The p-value of equal values is twice the probability of no event. Of counts that are at most a
// limit the test is Garwood's: 5.57 expected events give one or none in 2.5 % of cases (any table
// of χ² with 4 degrees of freedom: 11.14/2).
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
	above := []float64{0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1} // only the t test counts
	if t0, p := Mean.PValue(above), Mean.PValueOf(above, 0, 1); p != t0 {
		t.Errorf("values that are skewed away from 0: p = %v, want %v", p, t0)
	}
}

// The tests of a mean of few counts find it other than it is in at most 4.0 % of samples, by exact
// enumeration, although most samples of rare counts are equal or nearly so. Those of five counts
// with a mean of 1.4 would err in 5.0 % if leastSkew were 0.
func TestErrorsOfFewCounts(t *testing.T) {
	highest := 0.0
	for n := 2; n <= 5; n++ {
		for tenths := 1; tenths <= 40; tenths++ {
			expected := float64(tenths) / 10
			below, above := errorsOfCounts(n, expected)
			if highest = max(highest, below, above); max(below, above) > 0.04 {
				t.Errorf("%d counts with a mean of %v are above it in %.4f, below it in %.4f", n, expected, above, below)
			}
		}
	}
	t.Logf("at most %.2f %%", 100*highest)
}

// errorsOfCounts returns the probabilities that the mean of n Poisson counts is found below and
// above the one expected. It sums over all ascending samples.
func errorsOfCounts(n int, expected float64) (below, above float64) {
	margins := make([]float64, 0, n)
	var extend func(least, alike int, probability float64)
	extend = func(least, alike int, probability float64) {
		if len(margins) == n {
			if Mean.PValueOf(margins, 0, 1) > 1-Confidence {
				return
			}
			if Mean.Of(margins) < 0 {
				below += probability
			} else {
				above += probability
			}
			return
		}
		for count := least; float64(count) <= expected+8*math.Sqrt(expected)+2; count++ {
			if count > least {
				alike = 0
			}
			logGamma, _ := math.Lgamma(float64(count + 1))
			one := math.Exp(float64(count)*math.Log(expected) - expected - logGamma)
			margins = append(margins, float64(count)-expected)
			// the orders of the sample: n!/(a!·b!·…) for a, b, … alike
			extend(count, alike+1, probability*one*float64(len(margins))/float64(alike+1))
			margins = margins[:len(margins)-1]
		}
	}
	extend(0, 0, 1)
	return below, above
}
