// Tests of the selection of a broker: drawn brokers against a search through all of them, and which
// brokers are ranked.

package brokering

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gridsweep/model/brokering/pool"
	"pgregory.net/rapid"
)

// TestBestOfAllBrokersKeepsAJob has partly used brokers whose bounded slowdowns are far apart. Of
// the brokers that match a job, the one with the best score that could run it keeps it.
func TestBestOfAllBrokersKeepsAJob(t *testing.T) {
	forStrategies(t, func(t *rapid.T, strategy, preference string) {
		p, domains := drawSimulation(t, strategy, preference)
		sim := newSimulation(t.Context(), p, domains)
		for i := range sim.slowdowns {
			sim.slowdowns[i] = rapid.SampledFrom([]float64{1, 1, 1.25, 40, 3000, 20_000}).Draw(t, "slowdown")
		}
		for i := range sim.resources {
			m := &sim.resources[i]
			sim.reserve(m, &pool.Amount{
				CPUs:   rapid.Int64Range(0, m.total.CPUs).Draw(t, "cpus"),
				Memory: rapid.Int64Range(0, m.total.Memory).Draw(t, "memory"),
				Disk:   rapid.Int64Range(0, m.total.Disk).Draw(t, "disk"),
			}, 1)
		}
		for i := range sim.requests {
			r := sim.requirement(&sim.requests[i])
			sim.candidates = sim.candidates[:0]
			for d := range int32(len(domains)) {
				if preference != "none" || d == r.Origin {
					sim.addCandidate(&r, d)
				}
			}
			all := slices.Clone(sim.candidates)
			slices.SortFunc(all, func(a, b candidate) int {
				if a.precedes(&b, r.Origin) {
					return -1
				}
				return 1
			})
			broker, handedBack := int32(absent), false
			for _, g := range all {
				if sim.couldRun(&r, g.broker) {
					broker = g.broker
					break
				}
				handedBack = true
			}
			if result := sim.attempt(&r, absent); result.broker != broker || result.handedBack != handedBack {
				t.Fatalf("broker %d keeps %+v, handed back: %t; want %d and %t of %+v with slowdowns %v\n%s",
					result.broker, r, result.handedBack, broker, handedBack, all, sim.slowdowns, describeNaive(p, domains))
			}
		}
	})
}

// TestWorseBrokersAreNotRanked has brokers with scores of 4, 3.4, 2.8, 2.2 and 1.6: only the first
// has to be ranked. Under SLOW the first has nearly no score left, and the second 1.7; then the
// third cannot be the best, the fourth is, and the last cannot be.
func TestWorseBrokersAreNotRanked(t *testing.T) {
	for strategy, want := range map[string][]int32{"AGGR_CAT": {0}, "SLOW": {0, 1, 3}} {
		p := defaults
		p.Strategy = strategy
		s := newSystem(p, parseDomains(t,
			`one   1000 100 100 100
			 two   1000  80  80  80
			 three 1000  60  60  60
			 four  1000  40  40  40
			 five  1000  20  20  20`,
			`five 0 10 1 1 1`))
		s.slowdowns = []float64{5000, 2, 3000, 1, 1}
		required := s.requirement(&s.requests[0])
		s.findCandidates(&required)
		var ranked []int32
		for _, g := range s.candidates {
			ranked = append(ranked, g.broker)
		}
		if diff := cmp.Diff(want, ranked); diff != "" {
			t.Errorf("%s: ranked (-want +have):\n%s", strategy, diff)
		}
		if best := s.candidates[s.bestCandidate(4)].broker; best != want[len(want)-1] {
			t.Errorf("%s: broker %d is the best", strategy, best)
		}
	}
}
