// Tests of the invariants of local schedulers in every second of drawn runs.

package brokering

import (
	"testing"

	"pgregory.net/rapid"
)

// TestPivotIsNotDelayed checks every local scheduler in every second: the first job of a queue
// starts no later than planned when it became the first, unless own jobs may pass it, and no
// resource is overbooked.
func TestPivotIsNotDelayed(t *testing.T) {
	planned, backfilled := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p, domains := drawSimulation(t, "SLOW", rapid.SampledFrom([]string{"none", "equal", "own"}).Draw(t, "preference"))
		p.OwnAs = "priority"
		sim := newSimulation(t.Context(), p, domains)
		latest := map[int32]int64{} // starts of pivots, by their numbers, in s
		for next := 0; ; {
			end, _, _, isRunning := sim.ends.Peek()
			if next == len(sim.requests) && !isRunning {
				break
			}
			if sim.now = end; !isRunning || next < len(sim.requests) && sim.submitTime(next) < end {
				sim.now = sim.submitTime(next)
			}
			sim.finish()
			watchLocalSchedulers(t, sim, latest)
			for ; next < len(sim.requests) && sim.submitTime(next) == sim.now; next++ {
				sim.arrive(int32(next))
				watchLocalSchedulers(t, sim, latest)
			}
		}
		for number, want := range latest {
			if start := sim.requests[number].start; start > want {
				t.Errorf("job %d starts at %d, planned was %d\n%s", number, start, want, describeNaive(p, domains))
			}
		}
		planned += len(latest)
		for i := range sim.requests {
			for number := range latest {
				r, pivot := &sim.requests[i], &sim.requests[number]
				if r.resource == pivot.resource && sim.job(r).submit > sim.job(pivot).submit && r.start < pivot.start {
					backfilled++
				}
			}
		}
	})
	if planned == 0 || backfilled == 0 {
		t.Errorf("%d pivots and %d jobs that passed one, want some of each", planned, backfilled)
	}
}

// watchLocalSchedulers checks the resources held at each local scheduler, and records the planned
// start of each new pivot.
func watchLocalSchedulers(t *rapid.T, sim *simulation, latest map[int32]int64) {
	for i, c := range sim.local {
		m := &sim.resources[i]
		if m.used.CPUs > m.total.CPUs || sim.p.LocalNeeds == "all" && !m.used.Within(&m.total) || m.used.CPUs < 0 ||
			m.used.Memory < 0 || m.used.Disk < 0 {
			t.Fatalf("at %d there is %+v and held %+v\n%s", sim.now, m.total, m.used, describeNaive(sim.p, sim.domains))
		}
		for l := range c.queues {
			if c.queues[l].jobs == 0 {
				continue
			}
			pivot := c.queues[l].chunks[0].jobs[0].number
			if _, known := latest[pivot]; !known {
				latest[pivot] = c.shadow
			}
			if c.shadow <= sim.now {
				t.Fatalf("at %d the pivot %d is to start at %d\n%s", sim.now, pivot, c.shadow, describeNaive(sim.p, sim.domains))
			}
			break
		}
	}
}
