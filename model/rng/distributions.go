// Distributions: normal, gamma, log-normal and Weibull draws from a stream.

package rng

import "math"

// Normal returns a normal number with mean 0 and variance 1, by Leva's bounds on the ratio of
// uniforms (J. L. Leva, A fast normal random number generator, ACM Trans. Math. Softw. 18(4),
// 1992). It takes 2.74 numbers of the stream on average and a logarithm once in a hundred draws.
func (s *Stream) Normal() float64 {
	for {
		u := 1 - s.Float64()
		v := 1.7156 * (s.Float64() - 0.5)
		x := u - 0.449871
		y := math.Abs(v) + 0.386595
		q := float64(x*x) + float64(y*(float64(0.19600*y)-float64(0.25472*x)))
		if q < 0.27597 || q <= 0.27846 && float64(v*v) <= -4*float64(float64(u*u)*Log(u)) {
			return v / u
		}
	}
}

// Gamma returns a gamma number with this shape and scale, both positive: mean shape·scale,
// variance shape·scale² (G. Marsaglia and W. W. Tsang, A simple method for generating gamma
// variables, ACM Trans. Math. Softw. 26(3), 2000).
func (s *Stream) Gamma(shape, scale float64) float64 {
	if !(shape > 0 && scale > 0) {
		panic("rng: Gamma with a shape or scale that is not positive")
	}
	if shape < 1 { // theirs is for 1 and above; section 6 of the paper
		return s.Gamma(shape+1, scale) * Pow(1-s.Float64(), 1/shape)
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := s.Normal()
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = float64(float64(v*v) * v)
		u := 1 - s.Float64()
		square := float64(x * x)
		if u < 1-float64(0.0331*float64(square*square)) || Log(u) < float64(0.5*square)+float64(d*(1-v+Log(v))) {
			return float64(d*v) * scale
		}
	}
}

// LogNormal returns e to the power of a normal number with mean mu and standard deviation sigma.
func (s *Stream) LogNormal(mu, sigma float64) float64 { return Exp(mu + float64(sigma*s.Normal())) }

// Weibull returns a Weibull number with this shape and scale, both positive: P(X > x) =
// exp(-(x/scale)^shape), mean scale·Γ(1 + 1/shape).
func (s *Stream) Weibull(shape, scale float64) float64 {
	if !(shape > 0 && scale > 0) {
		panic("rng: Weibull with a shape or scale that is not positive")
	}
	return scale * Pow(s.Exp(), 1/shape)
}
