package brokering

import (
	"testing"

	"pgregory.net/rapid"
)

// TestPivotIsNotDelayed watches every local scheduler in every second: the job that is first in its
// queue starts no later than was planned when it became the first, unless own jobs may go past it,
// and nobody holds more than there is.
func TestPivotIsNotDelayed(t *testing.T) {
	planned, backfilled := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p, domains := drawSimulation(t, "SLOW", rapid.SampledFrom([]string{"none", "equal", "own"}).Draw(t, "preference"))
		p.OwnAs = "priority"
		pl := newSimulation(t.Context(), p, domains)
		latest := map[int32]int64{} // starts of pivots, by their numbers, in s
		for next := 0; ; {
			end, _, _, ending := pl.ends.Peek()
			if next == len(pl.requests) && !ending {
				break
			}
			if pl.now = end; !ending || next < len(pl.requests) && pl.submit(next) < end {
				pl.now = pl.submit(next)
			}
			pl.finish()
			watchLocalSchedulers(t, pl, latest)
			for ; next < len(pl.requests) && pl.submit(next) == pl.now; next++ {
				pl.arrive(int32(next))
				watchLocalSchedulers(t, pl, latest)
			}
		}
		for number, want := range latest {
			if start := pl.requests[number].start; start > want {
				t.Errorf("job %d starts at %d, planned was %d\n%s", number, start, want, describeNaive(p, domains))
			}
		}
		planned += len(latest)
		for i := range pl.requests {
			for number := range latest {
				r, pivot := &pl.requests[i], &pl.requests[number]
				if r.resource == pivot.resource && pl.job(r).submit > pl.job(pivot).submit && r.start < pivot.start {
					backfilled++
				}
			}
		}
	})
	if planned == 0 || backfilled == 0 {
		t.Errorf("%d pivots and %d jobs that went past one: each of these ought to happen", planned, backfilled)
	}
}

// watchLocalSchedulers checks what is held at each local scheduler, and notes the start of a pivot
// that is seen for the first time.
func watchLocalSchedulers(t *rapid.T, pl *simulation, latest map[int32]int64) {
	for i, c := range pl.local {
		m := &pl.resources[i]
		if m.used.CPUs > m.total.CPUs || pl.p.LocalNeeds == "all" && !m.used.Within(&m.total) || m.used.CPUs < 0 || m.used.Memory < 0 || m.used.Disk < 0 {
			t.Fatalf("at %d there is %+v and held %+v\n%s", pl.now, m.total, m.used, describeNaive(pl.p, pl.domains))
		}
		for l := range c.queues {
			if c.queues[l].jobs == 0 {
				continue
			}
			pivot := c.queues[l].chunks[0].jobs[0].number
			if _, known := latest[pivot]; !known {
				latest[pivot] = c.shadow
			}
			if c.shadow <= pl.now {
				t.Fatalf("at %d the pivot %d is to start at %d\n%s", pl.now, pivot, c.shadow, describeNaive(pl.p, pl.domains))
			}
			break
		}
	}
}
