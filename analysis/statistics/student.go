// Student's t, the binomial and Poisson's distribution, by incomplete beta and gamma functions. The
// distributions of gonum/stat are the same formulas; its packages would add LAPACK to the program.

package statistics

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// StudentsT is Student's t distribution around a location with a scale.
type StudentsT struct{ Location, Scale, Degrees float64 }

// Survival returns the probability of more than x.
func (t StudentsT) Survival(x float64) float64 { return t.above((x - t.Location) / t.Scale) }

// CDF returns the probability of at most x.
func (t StudentsT) CDF(x float64) float64 { return t.above((t.Location - x) / t.Scale) }

// above returns the probability of more than z of the standard distribution.
func (t StudentsT) above(z float64) float64 {
	tail := 0.5 * mathext.RegIncBeta(t.Degrees/2, 0.5, t.Degrees/(z*z+t.Degrees))
	if z < 0 {
		return 1 - tail
	}
	return tail
}

// LogProb returns the logarithm of the density.
func (t StudentsT) LogProb(x float64) float64 {
	numerator, _ := math.Lgamma((t.Degrees + 1) / 2)
	denominator, _ := math.Lgamma(t.Degrees / 2)
	z := (x - t.Location) / t.Scale
	return numerator - denominator - 0.5*math.Log(t.Degrees*math.Pi) - math.Log(t.Scale) -
		(t.Degrees+1)/2*math.Log1p(z*z/t.Degrees)
}

// upperQuantile returns the p-quantile of the standard distribution, p > 0.5.
func upperQuantile(degrees, p float64) float64 {
	x := mathext.InvRegIncBeta(degrees/2, 0.5, 2*(1-p))
	return math.Sqrt(degrees * (1 - x) / x)
}

// coinCDF returns the probability of at most so many heads in n tosses of a fair coin, heads < n.
func coinCDF(n, heads int) float64 {
	return mathext.RegIncBeta(float64(n-heads), float64(heads+1), 0.5)
}

// poissonCDF returns the probability of at most so many events if a number of them is expected. A
// part of an event counts in proportion.
func poissonCDF(expected, events float64) float64 {
	if expected == 0 {
		return 1
	}
	return mathext.GammaIncRegComp(events+1, expected)
}

// mostExpected returns the largest number of events that may be expected where some happened: the
// end of Garwood's 95 % interval. For none it is −ln 0.025 = 3.69.
func mostExpected(events float64) float64 {
	return mathext.GammaIncRegCompInv(events+1, (1-Confidence)/2)
}
