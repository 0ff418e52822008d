// The distributions against those of gonum.

package statistics

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

func TestStudentsT(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		degrees := float64(rapid.IntRange(1, 2000).Draw(t, "degrees"))
		location, scale := rapid.Float64Range(-9, 9).Draw(t, "location"), rapid.Float64Range(0.1, 9).Draw(t, "scale")
		x := rapid.Float64Range(-99, 99).Draw(t, "x")
		p := rapid.Float64Range(0.501, 0.99999).Draw(t, "p")
		got, want := StudentsT{location, scale, degrees}, distuv.StudentsT{Mu: location, Sigma: scale, Nu: degrees}
		standard := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: degrees}
		for name, pair := range map[string][2]float64{
			"survival": {got.Survival(x), want.Survival(x)}, "CDF": {got.CDF(x), want.CDF(x)},
			"density": {got.LogProb(x), want.LogProb(x)}, "quantile": {upperQuantile(degrees, p), standard.Quantile(p)},
		} {
			if math.Abs(pair[0]-pair[1]) > 1e-12*max(1, math.Abs(pair[1])) {
				t.Fatalf("%s %v, want %v", name, pair[0], pair[1])
			}
		}
	})
}

func TestCoinCDF(t *testing.T) {
	for n := 1; n < 60; n++ {
		for heads := range n {
			want := distuv.Binomial{N: float64(n), P: 0.5}.CDF(float64(heads))
			if got := coinCDF(n, heads); got != want {
				t.Errorf("%d of %d tosses: %v, want %v", heads, n, got, want)
			}
		}
	}
}
