// Naive base run: EASY backfilling second by second, and the comparison of every end with it.

package intergrid

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// naiveMachine is a provider of the base run, under EASY backfilling with a kept pivot, as in
// docs/reference/scheduling.md.
type naiveMachine struct {
	provider
	waiting []*naiveJob // in the order of arrival
	running []*naiveJob
	pivot   *naiveJob // one of the waiting, booked at its start
}

type naiveJob struct {
	request
	grid, number int
	start        int64
}

func (j *naiveJob) holds(t int64) bool { return j.start <= t && t < j.start+j.run }

// naiveBase is the base run, second by second.
func naiveBase(grids []grid) [][]int64 {
	ends := make([][]int64, len(grids))
	machines := make([][]*naiveMachine, len(grids))
	left := 0
	for i, g := range grids {
		ends[i] = make([]int64, len(g.requests))
		for k := range ends[i] {
			ends[i][k] = never
		}
		for _, v := range g.providers {
			machines[i] = append(machines[i], &naiveMachine{provider: v})
		}
		left += len(g.requests)
	}
	for now := int64(0); left > 0; now++ {
		for i := range grids {
			for _, m := range machines[i] {
				left -= m.begin(now, ends)
			}
		}
		for i, g := range grids {
			for k, r := range g.requests {
				if r.submit != now {
					continue
				}
				m := naiveLeastLoaded(machines[i], r, now)
				if m == nil {
					left--
					continue
				}
				m.waiting = append(m.waiting, &naiveJob{request: r, grid: i, number: k})
				m.pass(now)
			}
		}
	}
	return ends
}

// begin ends the jobs that end at second now, makes a pass if something changed, and returns how
// many jobs ended.
func (m *naiveMachine) begin(now int64, ends [][]int64) int {
	ended, changed := 0, now > 0 && m.interval(now) != m.interval(now-1)
	var running []*naiveJob
	for _, j := range m.running {
		if j.start+j.run > now {
			running = append(running, j)
			continue
		}
		ends[j.grid][j.number] = now
		ended++
	}
	m.running = running
	if ended > 0 || changed || m.pivot != nil && m.pivot.start == now {
		m.pass(now)
	}
	return ended
}

func (m *naiveMachine) free(t int64) int64 {
	free := int64(m.supply[m.interval(t)].cpus)
	for _, j := range m.running {
		if j.holds(t) {
			free -= int64(j.procs)
		}
	}
	if m.pivot != nil && m.pivot.holds(t) {
		free -= int64(m.pivot.procs)
	}
	return free
}

func (m *naiveMachine) fits(j *naiveJob, start int64) bool {
	for t := start; t < start+j.run; t++ {
		if m.free(t) < int64(j.procs) {
			return false
		}
	}
	return true
}

// pass starts the jobs that fit. In the order of arrival only the first waiting job can be the
// pivot, so none is ever replaced.
func (m *naiveMachine) pass(now int64) {
	var waiting []*naiveJob
	for _, j := range m.waiting {
		booked := m.pivot == j
		if booked {
			m.pivot = nil
		}
		if m.fits(j, now) {
			j.start = now
			m.running = append(m.running, j)
			continue
		}
		waiting = append(waiting, j)
		if booked {
			m.pivot = j
		}
		if m.pivot == nil {
			for j.start = now; !m.fits(j, j.start); j.start++ {
			}
			m.pivot = j
		}
	}
	m.waiting = waiting
}

// naiveLeastLoaded returns the machine to which a request goes, nil if none is large enough.
func naiveLeastLoaded(machines []*naiveMachine, r request, now int64) *naiveMachine {
	var least *naiveMachine
	var leastBusy, leastOffered int64
	for _, m := range machines {
		if m.cpus < r.procs {
			continue
		}
		busy, offered := int64(0), int64(m.supply[m.interval(now)].cpus)
		for _, j := range m.running {
			busy += int64(j.procs)
		}
		if offered == 0 {
			busy, offered = 1, 0 // infinite
		}
		if least == nil || busy*leastOffered < leastBusy*offered {
			least, leastBusy, leastOffered = m, busy, offered
		}
	}
	return least
}

// TestBaseEqualsNaive compares every end. With -rapid.checks=10000 it compares more.
func TestBaseEqualsNaive(t *testing.T) {
	ran, waited, larger := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		grids := drawWorld(t, 1, "local")
		got, err := runBase(context.Background(), grids)
		if err != nil {
			t.Fatal(err)
		}
		want := naiveBase(grids)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("ends of the base run (-naive +simulator):\n%s\n%s", diff, describeGrids(grids))
		}
		for i, list := range want {
			for k, end := range list {
				r := grids[i].requests[k]
				switch {
				case end == never:
					larger++
				case end > r.submit+r.run:
					waited++
				default:
					ran++
				}
			}
		}
	})
	if ran == 0 || waited == 0 || larger == 0 {
		t.Errorf("%d ran at once, %d waited, %d were too large: want some of each", ran, waited, larger)
	}
}
