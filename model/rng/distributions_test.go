// Distribution tests: samples against the library's distributions by Kolmogorov–Smirnov tests,
// first draws that must not change, and benchmarks.

package rng

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// distance returns the Kolmogorov–Smirnov distance between a sample and a continuous distribution.
func distance(sample []float64, cdf func(float64) float64) float64 {
	slices.Sort(sample)
	n := float64(len(sample))
	largest := 0.0
	for i, x := range sample {
		p := cdf(x)
		largest = max(largest, p-float64(i)/n, float64(i+1)/n-p)
	}
	return largest
}

// critical is the distance, times the root of the sample's size, that a true distribution exceeds
// with probability 0.001 (Kolmogorov's asymptotic distribution).
const critical = 1.9495

type drawn struct {
	name string
	draw func(*Stream) float64
	cdf  func(float64) float64
}

// Each distribution is compared with the library's by a Kolmogorov–Smirnov test at significance
// 0.001, with a fixed seed.
func TestDistributionsFit(t *testing.T) {
	cases := []drawn{
		{"normal", (*Stream).Normal, distuv.UnitNormal.CDF},
		{"log normal", func(s *Stream) float64 { return s.LogNormal(4.4, 1.7) }, distuv.LogNormal{Mu: 4.4, Sigma: 1.7}.CDF},
		{"weibull", func(s *Stream) float64 { return s.Weibull(0.522, 23.375) },
			distuv.Weibull{K: 0.522, Lambda: 23.375}.CDF},
	}
	// Shapes of the Lublin–Feitelson model, from its narrowest to its widest, and one below 1.
	for _, g := range []struct{ shape, scale float64 }{{0.3, 2}, {1, 1}, {4.2, 0.94}, {10.4605, 0.4871}, {312, 0.03},
		{639.1, 0.0156}} {
		cases = append(cases, drawn{"gamma", func(s *Stream) float64 { return s.Gamma(g.shape, g.scale) },
			distuv.Gamma{Alpha: g.shape, Beta: 1 / g.scale}.CDF})
	}
	const n = 200_000
	root := New("distributions")
	for _, c := range cases {
		s := root.Stream(c.name)
		sample := make([]float64, n)
		for i := range sample {
			sample[i] = c.draw(s)
		}
		got := distance(sample, c.cdf) * math.Sqrt(n)
		if got > critical {
			t.Errorf("%s: distance·√n is %v, want at most %v", c.name, got, critical)
		}
		// The test has power: the same numbers moved by a fiftieth of their spread do not pass.
		spread := (sample[n*84/100] - sample[n*16/100]) / 2
		for i := range sample {
			sample[i] += spread / 50
		}
		if moved := distance(sample, c.cdf) * math.Sqrt(n); moved < critical {
			t.Errorf("%s: moved numbers pass the test with %v", c.name, moved)
		}
	}
}

// The first draws must never change: published digests depend on them.
func TestDistributionsAreStable(t *testing.T) {
	s := New("gridsweep").Stream("draws")
	got := [4]float64{s.Normal(), s.Gamma(4.2, 0.94), s.LogNormal(4.4, 1.7), s.Weibull(0.522, 23.375)}
	want := [4]float64{0x1.a880a08e167b2p-03, 0x1.ca93199b46c58p+02, 0x1.845b4d18a0f95p+08, 0x1.6b6d78e52c65bp+06}
	if got != want {
		t.Errorf("first draws %x, want %x", got, want)
	}
}

func TestDistributionsPanicOnInvalidParameters(t *testing.T) {
	for name, draw := range map[string]func(*Stream){
		"gamma shape": func(s *Stream) { s.Gamma(0, 1) }, "gamma scale": func(s *Stream) { s.Gamma(1, math.NaN()) },
		"weibull shape": func(s *Stream) { s.Weibull(-1, 1) }, "weibull scale": func(s *Stream) { s.Weibull(1, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			draw(New("x").Stream("x"))
		})
	}
}

func BenchmarkDistributions(b *testing.B) {
	s := New("bench").Stream("x")
	for _, d := range []struct {
		name string
		draw func()
	}{
		{"normal", func() { s.Normal() }},
		{"gamma", func() { s.Gamma(4.2, 0.94) }},
		{"weibull", func() { s.Weibull(0.522, 23.375) }},
	} {
		b.Run(d.name, func(b *testing.B) {
			for b.Loop() {
				d.draw()
			}
		})
	}
}
