// Function tests: the accuracy of logarithm, exponential, power and distribution functions against
// the library and arithmetic with 300 bits.

package rng

import (
	"math"
	"math/big"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

func TestLogAgreesWithTheLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Normal numbers only: below them the library's amd64 assembly is wrong by a twentieth.
		const smallest = 0x1p-1022
		bits := rapid.Uint64Range(math.Float64bits(smallest), math.Float64bits(math.MaxFloat64)).Draw(t, "bits")
		x := math.Float64frombits(bits)
		got, want := Log(x), math.Log(x)
		if ulp := math.Abs(math.Nextafter(want, math.Inf(1)) - want); math.Abs(got-want) > 2*ulp {
			t.Errorf("Log(%v) = %v, the library has %v: more than 2 ulp apart", x, got, want)
		}
	})
	// Near 1 the logarithm is small and its relative error largest.
	for i := -1000; i <= 1000; i++ {
		x := 1 + float64(i)*1e-13
		if got, want := Log(x), math.Log(x); math.Abs(got-want) > 4e-16*math.Abs(want) {
			t.Errorf("Log(1%+de-13) = %v, the library has %v", i, got, want)
		}
	}
}

func TestLogOfSpecialValues(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{
		{1, 0}, {0x1p-1074, -744.4400719213812}, {0, math.Inf(-1)}, {-1, math.NaN()}, {math.Inf(1),
			math.Inf(1)}, {math.NaN(), math.NaN()},
		{math.Inf(-1), math.NaN()},
	} {
		if got := Log(c.x); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("Log(%v) = %v, want %v", c.x, got, c.want)
		}
	}
}

// number returns a number that arithmetic with it keeps to 400 bits.
func number(v float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(v) }

// exactExp returns e to the power of x to 300 bits: the series at x/2^20, squared twenty times.
func exactExp(x *big.Float) *big.Float {
	const halvings = 20
	small := new(big.Float).SetMantExp(x, -halvings)
	sum, term := number(1), number(1)
	for n := 1.0; n < 60; n++ {
		term.Mul(term, small).Quo(term, number(n))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// exactPow returns x to the power of y to 200 bits, with the logarithm by two steps of Newton's
// method, each of which doubles the 50 bits of the first value.
func exactPow(x, y float64) *big.Float {
	log := number(math.Log(x))
	for range 2 {
		power := exactExp(log)
		step := number(x)
		log.Add(log, step.Sub(step, power).Quo(step, power))
	}
	return exactExp(log.Mul(log, number(y)))
}

// ulps returns by how many units in the last place a number differs from the exact value.
func ulps(got float64, exact *big.Float) float64 {
	nearest, _ := exact.Float64()
	unit := math.Nextafter(nearest, math.Inf(1)) - nearest
	difference, _ := new(big.Float).Sub(exact, big.NewFloat(got)).Float64()
	return math.Abs(difference) / unit
}

func TestExpIsWithinOneUnit(t *testing.T) {
	s := New("exp").Stream("x")
	worst := 0.0
	for i := range 20_000 {
		x := s.Uniform(-708, 709)
		if i%2 == 0 {
			x = s.Uniform(-13, 13) // where models draw
		}
		worst = max(worst, ulps(Exp(x), exactExp(number(x))))
	}
	t.Logf("largest error %.3f units in the last place", worst)
	if worst > 1 {
		t.Errorf("Exp is wrong by %v units in the last place, want at most 1", worst)
	}
}

func TestExpOfSpecialValues(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{
		{0, 1}, {1, math.E}, {math.Inf(1), math.Inf(1)}, {math.Inf(-1), 0}, {math.NaN(), math.NaN()},
		{709.8, math.Inf(1)}, {1e300, math.Inf(1)}, {-745.2, 0}, {-1e300, 0}, {709.78, 1.7928227943945155e308}, {-745.13,
			0x1p-1074}, {1e-300, 1},
	} {
		got := Exp(c.x)
		if math.Abs(got-c.want) > 1e-15*c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("Exp(%v) = %v, want %v", c.x, got, c.want)
		}
	}
}

func TestPowIsAsAccurateAsDocumented(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(1e-12, 1e12).Draw(t, "x")
		y := rapid.Float64Range(-20, 20).Draw(t, "y")
		got, exact := Pow(x, y), exactPow(x, y)
		difference, _ := new(big.Float).Sub(exact, number(got)).Float64()
		want, _ := exact.Float64()
		if bound := (2 + 5*math.Abs(y*math.Log(x))) * 0x1p-53; math.Abs(difference) > bound*want {
			t.Errorf("Pow(%v, %v) = %v, want %v within %v of it", x, y, got, want, bound)
		}
	})
	for _, c := range []struct{ x, y, want float64 }{
		{0, 2, 0}, {0, 0, 1}, {0, -1, math.Inf(1)}, {-1, 2, math.NaN()}, {-1, 0, 1}, {1, 1e300, 1}, {2, 0.5, math.Sqrt2},
		{math.Inf(1), 1, math.Inf(1)}, {math.Inf(1), -1, 0},
	} {
		if got := Pow(c.x, c.y); math.Abs(got-c.want) > 3e-16*c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("Pow(%v, %v) = %v, want %v", c.x, c.y, got, c.want)
		}
	}
}

func TestLogGammaAgreesWithTheLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(1e-3, 1000).Draw(t, "x")
		want, _ := math.Lgamma(x)
		if got := LogGamma(x); math.Abs(got-want) > 1e-14*max(1, math.Abs(want)) {
			t.Errorf("LogGamma(%v) = %v, the library has %v", x, got, want)
		}
	})
	factorial := 1.0
	for n := 1.0; n <= 20; n++ {
		if got := Exp(LogGamma(n)); math.Abs(got-factorial) > 1e-13*factorial {
			t.Errorf("Γ(%v) = %v, want %v", n, got, factorial)
		}
		factorial *= n
	}
	for _, x := range []float64{0, -1.5, math.NaN()} {
		if got := LogGamma(x); !math.IsNaN(got) {
			t.Errorf("LogGamma(%v) = %v, want NaN", x, got)
		}
	}
}

func TestDistributionFunctionsAgreeWithTheLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := rapid.Float64Range(0.05, 1000).Draw(t, "shape")
		x := shape * rapid.Float64Range(0, 3).Draw(t, "x in means")
		if got, want := GammaCDF(shape, x), mathext.GammaIncReg(shape, x); math.Abs(got-want) > 1e-11 {
			t.Errorf("GammaCDF(%v, %v) = %v, the library has %v", shape, x, got, want)
		}
		z := rapid.Float64Range(-9, 9).Draw(t, "z")
		if got, want := NormalCDF(z), distuv.UnitNormal.CDF(z); math.Abs(got-want) > 1e-12 {
			t.Errorf("NormalCDF(%v) = %v, the library has %v", z, got, want)
		}
	})
	for _, c := range []struct{ shape, x, want float64 }{
		{1, 1, 1 - 1/math.E}, {2, 0, 0}, {2, -1, 0}, {2, math.Inf(1), 1}, {0, 1, math.NaN()}, {1, math.NaN(), math.NaN()},
	} {
		if got := GammaCDF(c.shape, c.x); math.Abs(got-c.want) > 1e-15 || math.IsNaN(got) != math.IsNaN(c.want) {
			t.Errorf("GammaCDF(%v, %v) = %v, want %v", c.shape, c.x, got, c.want)
		}
	}
}

func BenchmarkFunctions(b *testing.B) {
	for _, f := range []struct {
		name  string
		apply func(float64) float64
	}{{"log", Log}, {"exp", Exp}} {
		b.Run(f.name, func(b *testing.B) {
			x := 1.0
			for b.Loop() {
				x = 1 + f.apply(x)*1e-9
			}
		})
	}
}
