// Functions: logarithm, power and distribution functions with the same bits on every machine.

package rng

import "math"

// ln 2 as a sum, whose first number is short enough that its product with an exponent is exact.
const ln2High, ln2Low = 0x1.62e42feep-1, 0x1.a39ef35793c76p-33

// Log returns the natural logarithm of x, within 2 units in the last place and with the same bits
// on every machine. It is NaN below 0, -Inf at 0 and x itself at +Inf and NaN.
func Log(x float64) float64 {
	switch {
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case math.IsInf(x, 1) || math.IsNaN(x):
		return x
	}
	fraction, exponent := math.Frexp(x)
	if fraction < math.Sqrt2/2 {
		fraction *= 2
		exponent--
	}
	// ln f = 2 atanh(s) with s = (f-1)/(f+1), |s| < 0.172: the terms below 2^-56 of the first are
	// left out.
	s := (fraction - 1) / (fraction + 1)
	square := s * s
	sum := 0.0
	for k := 21.0; k >= 3; k -= 2 {
		sum = float64((sum + 1/k) * square)
	}
	n := float64(exponent)
	return float64(n*ln2High) + (float64(2*s) + (float64(2*float64(s*sum)) + float64(n*ln2Low)))
}

// Log2 returns the binary logarithm of x, which is exact for powers of two.
func Log2(x float64) float64 {
	if fraction, exponent := math.Frexp(x); fraction == 0.5 {
		return float64(exponent - 1)
	}
	return Log(x) / ln2
}

var ln2 = Log(2)

// Exp returns e to the power of x, within 1 unit in the last place where the result is a normal
// number and with the same bits on every machine. It is +Inf above 709.78, 0 below -745.13 and NaN
// at NaN.
func Exp(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x > 710:
		return math.Inf(1)
	case x < -746:
		return 0
	}
	// x = k ln 2 + r with |r| < 0.347, and e^r by its series: the terms left out are below 2^-57.
	// Its even and odd terms are two sums, which a processor adds side by side.
	x = float64(x) // rounds a product that a caller passes, which may be fused where Exp is inlined
	k := math.Floor(float64(x*(1/math.Ln2)) + 0.5)
	r := (x - float64(k*ln2High)) - float64(k*ln2Low)
	square := r * r
	even, odd := 1.0/479001600, 1.0/6227020800
	even, odd = float64(even*square)+1.0/3628800, float64(odd*square)+1.0/39916800
	even, odd = float64(even*square)+1.0/40320, float64(odd*square)+1.0/362880
	even, odd = float64(even*square)+1.0/720, float64(odd*square)+1.0/5040
	even, odd = float64(even*square)+1.0/24, float64(odd*square)+1.0/120
	even, odd = float64(even*square)+1.0/2, float64(odd*square)+1.0/6
	power := 1 + (r + float64(square*(even+float64(odd*r))))
	if k < -1021 || k > 1023 {
		return math.Ldexp(power, int(k)) // too large or small for the factor
	}
	return power * math.Float64frombits(uint64(int(k)+1023)<<52)
}

// Pow returns x to the power of y for x that is not negative, and NaN for others: Exp(y·Log(x)).
// Its relative error is below (2 + 5·|y ln x|)·2^-53 where the result is a normal number. The 2 is
// that of Exp; of the 5, 4 are of Log and 1 of the product. Everything to the power of 0 is 1.
func Pow(x, y float64) float64 {
	if y == 0 {
		return 1
	}
	return Exp(y * Log(x))
}

// LogGamma returns the natural logarithm of the gamma function at x > 0, with an error below 1e-14
// of the larger of 1 and itself and with the same bits on every machine. It is NaN for other x.
func LogGamma(x float64) float64 {
	if !(x > 0) {
		return math.NaN()
	}
	// Γ(x) = Γ(x+n) / (x (x+1) … (x+n-1)), and Stirling's series from 10 on, where the terms left
	// out are below 1e-16.
	product := 1.0
	for ; x < 10; x++ {
		product *= x
	}
	inverse := 1 / x
	square := inverse * inverse
	series := 1.0 / 156
	for _, coefficient := range [...]float64{-691.0 / 360360, 1.0 / 1188, -1.0 / 1680, 1.0 / 1260, -1.0 / 360, 1.0 / 12} {
		series = float64(series*square) + coefficient
	}
	const halfLog2Pi = 0.918938533204672741780329736405617640
	return (float64((x-0.5)*Log(x)) - x) + (halfLog2Pi + float64(series*inverse)) - Log(product)
}

// GammaCDF returns the probability that a gamma variate with this shape and scale 1 is at most
// x: the regularized lower incomplete gamma function P(shape, x), with an absolute error below
// 1e-11 for shapes up to 1000 and with the same bits on every machine. It is 0 for x ≤ 0 and NaN
// for shapes that are not positive.
func GammaCDF(shape, x float64) float64 {
	switch {
	case !(shape > 0) || math.IsNaN(x):
		return math.NaN()
	case x <= 0:
		return 0
	case math.IsInf(x, 1):
		return 1
	}
	front := Exp(float64(shape*Log(x)) - x - LogGamma(shape))
	if x < shape+1 {
		term := 1 / shape
		sum := term
		for n := shape + 1; term > sum*1e-17; n++ {
			term = float64(term * float64(x/n))
			sum += term
		}
		return min(1, front*sum)
	}
	return max(0, 1-float64(front*upperGamma(shape, x)))
}

// upperGamma returns Γ(shape, x)·e^x·x^-shape for x ≥ shape + 1 by Legendre's continued fraction,
// evaluated as Lentz does (Numerical Recipes, section 6.2).
func upperGamma(shape, x float64) float64 {
	b := x + 1 - shape
	c := math.Inf(1)
	d := 1 / b
	fraction := d
	for i := 1.0; ; i++ {
		a := i * (shape - i)
		b += 2
		d = 1 / (float64(a*d) + b)
		c = b + a/c
		step := float64(c * d)
		fraction *= step
		if math.Abs(step-1) < 1e-15 {
			return fraction
		}
	}
}

// NormalCDF returns the probability that a standard normal variate is at most z, with an absolute
// error below 1e-12 and with the same bits on every machine.
func NormalCDF(z float64) float64 {
	half := float64(0.5 * GammaCDF(0.5, float64(0.5*float64(z*z))))
	if z < 0 {
		return 0.5 - half
	}
	return 0.5 + half
}
