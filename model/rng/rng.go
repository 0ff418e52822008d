// Package rng gives simulations random numbers that are the same on every machine. A [Source] is a
// node in a tree of seeds; each purpose draws from its own named [Stream], so that a policy that
// draws more shifts no other stream. Exponentials, logarithms and functions of them are computed in
// plain Go without fused operations: the standard library's differ between processors in the last
// bit.
package rng

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// Source is a node of a tree of seeds. It is comparable: equal sources give equal streams.
type Source struct{ seed [sha256.Size]byte }

// New returns the root of the tree with this name.
func New(name string) Source { return Source{sha256.Sum256([]byte(name))} }

// Child returns the source below s with this name.
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
func (s *Stream) Float64() float64 { return float64(float64(s.pcg.Uint64()>>11) * (1.0 / (1 << 53))) }

// Uniform returns a uniform number in [low, high): a scaled Float64, so streams of different bounds
// stay in step.
func (s *Stream) Uniform(low, high float64) float64 {
	return low + float64(s.Float64()*(high-low))
}

// Intn returns a uniform integer in [0, n); n must be positive. It uses exactly one number of the
// stream, as a scaled Float64, so streams of different n stay in step; the bias is below n/2^53.
func (s *Stream) Intn(n int) int {
	if n <= 0 {
		panic("rng: Intn of a number that is not positive")
	}
	return int(s.Float64() * float64(n))
}

// Exp returns an exponential number with mean 1.
func (s *Stream) Exp() float64 { return -Log(1 - s.Float64()) }
