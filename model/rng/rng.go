// Package rng gives simulations random numbers that are the same on every machine. A [Source] is a node in a tree
// of seeds; each purpose draws from its own named [Stream], so that a policy that draws more shifts no other
// stream. Logarithms are computed in plain Go without fused operations: the standard library's differ between
// processors in the last bit.
//
//	arrivals := env.Seed.Stream("arrivals")
//	gap := arrivals.Exp() / rate
package rng

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/rand/v2"
)

// Source is a seed with a place in a tree of seeds. It is comparable: equal sources give equal streams.
type Source struct{ seed [sha256.Size]byte }

// New returns the root of the tree with the given name.
func New(name string) Source { return Source{sha256.Sum256([]byte(name))} }

// Child returns the source below s with the given name.
func (s Source) Child(name string) Source { return s.derive("child", name) }

// Stream returns the named stream of s, at its beginning.
func (s Source) Stream(name string) *Stream {
	seed := s.derive("stream", name).seed
	return &Stream{*rand.NewPCG(binary.LittleEndian.Uint64(seed[:8]), binary.LittleEndian.Uint64(seed[8:16]))}
}

func (s Source) derive(use, name string) Source {
	text := make([]byte, 0, 128)
	text = append(text, s.seed[:]...)
	text = append(text, use...)
	text = append(text, 0)
	text = append(text, name...)
	return Source{sha256.Sum256(text)}
}

// Stream is a sequence of random numbers (PCG-DXSM). It is not safe for concurrent use.
type Stream struct{ pcg rand.PCG }

// Uint64 returns 64 uniform bits.
func (s *Stream) Uint64() uint64 { return s.pcg.Uint64() }

// Float64 returns a uniform number in [0, 1) with 53 random bits.
func (s *Stream) Float64() float64 { return float64(s.pcg.Uint64()>>11) * (1.0 / (1 << 53)) }

// Uniform returns a uniform number in [low, high): a scaled Float64, so streams of different bounds stay in step.
func (s *Stream) Uniform(low, high float64) float64 {
	return low + float64(s.Float64()*(high-low))
}

// Intn returns a uniform integer in [0, n); n must be positive. It uses exactly one number of the stream, as a
// scaled Float64, so streams of different n stay in step; the bias is below n/2^53.
func (s *Stream) Intn(n int) int {
	if n <= 0 {
		panic("rng: Intn of a number that is not positive")
	}
	return int(s.Float64() * float64(n))
}

// Exp returns an exponential number with mean 1.
func (s *Stream) Exp() float64 { return -Log(1 - s.Float64()) }

// Log returns the natural logarithm of x, within 2 units in the last place and with the same bits on every machine.
// It is NaN below 0, -Inf at 0 and x itself at +Inf and NaN.
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
	// ln f = 2 atanh(s) with s = (f-1)/(f+1), |s| < 0.172: the terms below 2^-56 of the first are left out.
	s := (fraction - 1) / (fraction + 1)
	square := s * s
	sum := 0.0
	for k := 21.0; k >= 3; k -= 2 {
		sum = float64((sum + 1/k) * square)
	}
	// ln 2 in two parts, the first short enough that its product with an exponent is exact.
	const ln2High, ln2Low = 0x1.62e42feep-1, 0x1.a39ef35793c76p-33
	n := float64(exponent)
	return float64(n*ln2High) + (float64(2*s) + (float64(2*float64(s*sum)) + float64(n*ln2Low)))
}
