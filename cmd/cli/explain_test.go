// Sentences of the command explain.

package cli

import (
	"math"
	"testing"

	"gridsweep/analysis/likelihood"
)

// The line that names the most consistent universe says if the numbers held out contradict it.
func TestContradictionOfTheBest(t *testing.T) {
	for _, c := range []struct {
		p    []float64
		want string
	}{
		{[]float64{0.0432}, ", which the numbers held out contradict (p = 0.043)"}, {[]float64{0.05}, ""},
		{[]float64{math.NaN()}, ""}, {[]float64{0.01, 0.5, 0.02}, "; the numbers held out contradict 2 of these"},
	} {
		var best []likelihood.Fit
		for _, p := range c.p {
			best = append(best, likelihood.Fit{PValue: p})
		}
		if have := contradiction(best); have != c.want {
			t.Errorf("%v: %q, want %q", c.p, have, c.want)
		}
	}
}
