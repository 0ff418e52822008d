// Ledger tests: booked and offered CPU·s against sums over seconds, also up to deadlines beyond an
// int64 of CPU·s.

package intergrid

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"gridsweep/model/profile"
)

// TestLedger compares a ledger with the CPUs of each second in an array.
func TestLedger(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const horizon = 60
		var l ledger
		var booked [horizon]int64
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			l.advance(rapid.Int64Range(l.now, min(l.now+4, horizon-2)).Draw(t, "now"))
			from := rapid.Int64Range(0, horizon-2).Draw(t, "from")
			to := rapid.Int64Range(from+1, horizon-1).Draw(t, "to")
			cpus := rapid.Int64Range(1, 3).Draw(t, "cpus")
			if rapid.Bool().Draw(t, "take back") {
				cpus = -cpus
			}
			l.add(from, to, cpus)
			for s := from; s < to; s++ {
				booked[s] += cpus
			}
			sum := int64(0)
			for s := l.now; s < horizon; s++ {
				if got := l.until(s); got != sum {
					t.Fatalf("%d CPU·s booked in [%d, %d), want %d", got, l.now, s, sum)
				}
				sum += booked[s]
			}
		}
	})
}

// TestCapacity compares Equation 1 with a sum over seconds and providers.
func TestCapacity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const horizon = 30
		providers := make([]provider, rapid.IntRange(1, 4).Draw(t, "providers"))
		for i := range providers {
			p := &providers[i]
			p.cost = rapid.Float64Range(0.5, 2).Draw(t, "cost")
			for until := int64(0); until < horizon; {
				until += rapid.Int64Range(1, 9).Draw(t, "length")
				p.supply = append(p.supply, supplyInterval{until, rapid.Int32Range(0, 9).Draw(t, "cpus"),
					rapid.Float64Range(0, 1).Draw(t, "load")})
			}
			p.supply = append(p.supply, supplyInterval{never, 9, 0})
		}
		capacity := newCapacity(providers)
		for range 20 {
			from := rapid.Int64Range(0, horizon+5).Draw(t, "from")
			to := rapid.Int64Range(from, horizon+9).Draw(t, "to")
			var units, cost float64
			for s := from; s < to; s++ {
				for i := range providers {
					k := 0
					for providers[i].supply[k].until <= s {
						k++
					}
					f := providers[i].supply[k]
					units += float64(f.cpus)
					cost += float64(f.cpus) * providers[i].cost * (1 + f.load)
				}
			}
			gotUnits, gotCost := capacity.offeredUnits(from, to)
			if gotUnits != units || math.Abs(gotCost-cost) > 1e-9 {
				t.Fatalf("[%d, %d): %v CPU·s for %v, want %v for %v", from, to, gotUnits, gotCost, units, cost)
			}
		}
	})
}

// TestCostsUpToFarDeadlines computes costs up to deadlines beyond which CPU·s do not fit an int64.
// Nearly all offered CPU·s are free there.
func TestCostsUpToFarDeadlines(t *testing.T) {
	for _, slots := range []string{"all", "current"} {
		for _, deadline := range []int64{1 << 36, 1 << 38, farthest} {
			p := scenario()
			p.Slots = slots
			g := newGateway(&grid{providers: []provider{
				{cpus: profile.MostProcs, dedicated: true, cost: 2, supply: forEver(profile.MostProcs)},
			}}, &p)
			g.book(&request{run: 1 << 32, procs: 1}, slot{0, 0})
			q := g.quote(&request{run: 1 << 32, procs: 1, deadline: deadline}, 0, 0, math.Inf(1))
			load := 2 / float64(deadline>>32) / float64(profile.MostProcs)
			if math.Abs(q.load-load) > 1e-12*load || math.Abs(q.unit-2) > 1e-12 {
				t.Errorf("slots %s, deadline %d: load %v at %v, want %v at 2", slots, deadline, q.load, q.unit, load)
			}
		}
	}
}
