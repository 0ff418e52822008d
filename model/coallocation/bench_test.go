// Benchmarks: whole runs of three algorithms, and a test that placing a request allocates no
// memory.

package coallocation

import (
	"testing"
)

// algorithms are those of Table 4-2.
var algorithms = []struct{ name, algorithm, start, next string }{
	{"1C,1G", "stepwise", "1C", "1G"},
	{"1A,1H", "stepwise", "1A", "1H"},
	{"RAN,RAN", "random", "1C", "1G"},
}

// BenchmarkRequests simulates whole default runs: requests are drawn, placed and counted.
func BenchmarkRequests(b *testing.B) {
	for _, algorithm := range algorithms {
		b.Run(algorithm.name, func(b *testing.B) {
			p := Spec.Defaults
			p.Algorithm, p.Start, p.Next = algorithm.algorithm, algorithm.start, algorithm.next
			env := study.Env(1, 0, nil) // shares no values, so every run draws its requests
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				if _, err := simulate(b.Context(), p, env); err != nil {
					b.Fatal(err)
				}
				n += int(p.Requests)
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "requests/s")
		})
	}
}

// TestPlacingAllocatesNothing: once the buffers have grown, a request allocates nothing.
func TestPlacingAllocatesNothing(t *testing.T) {
	for _, algorithm := range algorithms {
		p := Spec.Defaults
		p.Algorithm, p.Start, p.Next = algorithm.algorithm, algorithm.start, algorithm.next
		p.Requests = 20000
		env := study.Env(1, 0, nil)
		requests := workloadFor(t, p, env)
		b := newBroker(p, env.Seed)
		const half = 10000
		place := func() { // once for the buffers to grow, once to be measured
			for i := range half {
				b.place(&requests[i])
			}
			requests = requests[half:]
		}
		// a rare longer list than ever before
		if n := testing.AllocsPerRun(1, place); n > half/1000 {
			t.Errorf("%s: %v allocations in %d requests", algorithm.name, n, half)
		}
	}
}
