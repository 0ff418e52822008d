// Offer tests: the layout of Figure 4, free intervals against a table of processors and seconds,
// and the real log.

package provisioning

import (
	"cmp"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gridsweep/model/profile"
)

// TestOffersOfFigure4 has the layout of Figure 4 as the text describes it, in units of 4 h. The
// figure numbers processors from 1.
func TestOffersOfFigure4(t *testing.T) {
	const unit = 4 * 3600
	live := []reservation{
		{start: 0, end: 2 * unit, procs: 2, processors: profile.Set{0b00011}},        // A
		{start: 2 * unit, end: 3 * unit, procs: 2, processors: profile.Set{0b11000}}, // B
		{start: 3 * unit, end: 4 * unit, procs: 2, processors: profile.Set{0b00110}}, // C
	}
	slots, processors := offers(live, 5, day, true)
	want := []slot{
		{procs: 2, start: 0, end: 2 * unit, unit: 1},
		{procs: 1, start: 0, end: 3 * unit, unit: 1},
		{procs: 1, start: 2 * unit, end: 3 * unit, unit: 1},
		{procs: 1, start: 2 * unit, end: 6 * unit, unit: 1, divisible: true, extensible: true},
		{procs: 2, start: 3 * unit, end: 6 * unit, unit: 1, divisible: true, extensible: true},
		{procs: 2, start: 4 * unit, end: 6 * unit, unit: 1, divisible: true, extensible: true},
	}
	if diff := gocmp.Diff(want, slots, gocmp.AllowUnexported(slot{})); diff != "" {
		t.Errorf("slots (-want +have):\n%s", diff)
	}
	if diff := gocmp.Diff([][]int32{{3, 4}, {2}, {1}, {0}, {3, 4}, {1, 2}}, processors); diff != "" {
		t.Errorf("processors (-want +have):\n%s", diff)
	}
}

func TestOffersOfAnEmptyMachine(t *testing.T) {
	slots, processors := offers(nil, 3, 100, false)
	want := []slot{{procs: 3, start: 0, end: 100, unit: 1, divisible: true}}
	if diff := gocmp.Diff(want, slots, gocmp.AllowUnexported(slot{})); diff != "" || len(processors) != 1 {
		t.Errorf("slots of %v (-want +have):\n%s", processors, diff)
	}
}

// The horizon is the first multiple after the last end, also where that end is a multiple.
func TestHorizon(t *testing.T) {
	for last, want := range map[int64]int64{99: 100, 100: 200, 101: 200} {
		slots, _ := offers([]reservation{{start: -5, end: last, procs: 1}}, 2, 100, true)
		if have := slots[len(slots)-1].end; have != want {
			t.Errorf("the horizon after %d is %d, want %d", last, have, want)
		}
	}
}

// holders has, for each processor and second up to the horizon, the number of the reservation that
// holds it; 0 is none.
type holders [][]int

// free reports whether a processor is free in [from, to).
func (h holders) free(processor int, from, to int64) bool {
	return !slices.ContainsFunc(h[processor][from:to], func(r int) bool { return r != 0 })
}

// drawBooked draws reservations that a machine can hold, and their holders when they are booked one
// after the other.
func drawBooked(t *rapid.T, nodes int, horizon int64) ([]reservation, holders) {
	all := make(holders, nodes)
	for n := range all {
		all[n] = make([]int, horizon)
	}
	var live []reservation
	for range rapid.IntRange(0, 14).Draw(t, "reservations") {
		r := reservation{start: rapid.Int64Range(-5, 40).Draw(t, "start"),
			procs: rapid.Int32Range(1, int32(nodes)).Draw(t, "procs")}
		r.end = max(r.start, 0) + rapid.Int64Range(1, 20).Draw(t, "length")
		var free []int
		for n := range all {
			if all.free(n, max(r.start, 0), r.end) {
				free = append(free, n)
			}
		}
		if len(free) < int(r.procs) {
			continue
		}
		live = append(live, r)
		r.processors = profile.NewSets(int32(nodes)).NewSet()
		for _, n := range free[:r.procs] {
			r.processors[n/64] |= 1 << (n % 64)
			for second := max(r.start, 0); second < r.end; second++ {
				all[n][second] = len(live)
			}
		}
		live[len(live)-1] = r
	}
	return live, all
}

// numberAtQuery gives the reservations, in the order of (start, submission), the lowest processors
// that are free from their start on.
func numberAtQuery(t *rapid.T, live []reservation, nodes int, horizon int64) holders {
	all := make(holders, nodes)
	for n := range all {
		all[n] = make([]int, horizon)
	}
	order := make([]int, len(live))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(live[a].start, live[b].start), cmp.Compare(a, b))
	})
	for _, i := range order {
		left := live[i].procs
		for n := range all {
			if from := max(live[i].start, 0); left > 0 && all.free(n, from, horizon) {
				for second := from; second < live[i].end; second++ {
					all[n][second] = i + 1
				}
				left--
			}
		}
		if left > 0 {
			t.Fatalf("%+v has no processors", live[i])
		}
	}
	return all
}

// TestOffersAreTheFreeTime compares slots with a search through every second of every processor.
func TestOffersAreTheFreeTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.SampledFrom([]int{1, 5, 70}).Draw(t, "nodes")
		live, all := drawBooked(t, nodes, 100)
		unit := rapid.Int64Range(1, 30).Draw(t, "horizon")
		horizon := unit
		for horizon <= lastEnd(live) {
			horizon += unit
		}
		if rapid.Bool().Draw(t, "at query") {
			for i := range live {
				live[i].processors = nil
			}
			all = numberAtQuery(t, live, nodes, horizon)
		}
		extension := rapid.Bool().Draw(t, "extension")
		slots, processors := offers(live, int32(nodes), unit, extension)

		type times struct{ start, end int64 }
		byTimes := map[times][]int32{}
		for n := range all {
			for from := int64(0); from < horizon; from++ {
				to := from
				for to < horizon && all[n][to] == 0 {
					to++
				}
				if to > from {
					byTimes[times{from, to}] = append(byTimes[times{from, to}], int32(n))
					from = to
				}
			}
		}
		if len(slots) != len(byTimes) || len(processors) != len(slots) {
			t.Fatalf("%d slots of %d sets of processors, want %d: %+v of %v", len(slots), len(processors), len(byTimes), slots,
				live)
		}
		open := int32(0)
		for i, s := range slots {
			want := slot{procs: int32(len(processors[i])), start: s.start, end: s.end, unit: 1}
			want.divisible = s.end == horizon
			want.extensible = want.divisible && extension
			if s != want || !slices.Equal(processors[i], byTimes[times{s.start, s.end}]) {
				t.Fatalf("slot %+v of %v, want %+v of %v", s, processors[i], want, byTimes[times{s.start, s.end}])
			}
			if i > 0 && cmp.Or(cmp.Compare(slots[i-1].start, s.start), cmp.Compare(slots[i-1].end, s.end)) >= 0 {
				t.Fatalf("slot %+v comes before %+v", slots[i-1], s)
			}
			if s.divisible {
				open += s.procs
			}
		}
		if open != int32(nodes) {
			t.Fatalf("%d processors of %d are offered up to the horizon", open, nodes)
		}
	})
}

// In the log's schedules, and in those of its site model, slots and reservations together fill the
// machine.
func TestOffersOfTheLog(t *testing.T) {
	forEachLog(t, func(t *testing.T, p Parameters, b *background) {
		count, reserved := 0, 0
		for replication := range int(p.Strata) {
			live, _ := b.schedule(submittedAt(t, p, b, replication))
			slots, processors := offers(live, int32(p.Nodes), int64(p.Horizon), true)
			count, reserved = count+len(slots), reserved+len(live)
			machine := profile.NewSets(int32(p.Nodes))
			for i, s := range slots {
				set := machine.NewSet()
				for _, n := range processors[i] {
					set[n/64] |= 1 << (n % 64)
				}
				machine.Take(set, s.start, s.end) // panics if one is taken twice
			}
			for _, r := range live {
				if r.processors != nil {
					machine.Take(r.processors, max(r.start, 0), r.end)
				}
			}
			free := profile.New(int32(p.Nodes))
			for _, s := range slots {
				free.Reserve(s.start, s.procs, s.end-s.start)
			}
			for _, r := range live {
				free.Reserve(max(r.start, 0), r.procs, r.end-max(r.start, 0))
			}
			if end := slots[len(slots)-1].end; free.FreeAt(0) != 0 || free.EarliestFit(0, 1, 1) != end {
				t.Fatalf("replication %d: processors are neither offered nor reserved before %d", replication, end)
			}
		}
		replications := float64(p.Strata)
		t.Logf("utilisation %.1f %%, %.1f reservations, %.1f slots", b.utilisation, float64(reserved)/replications,
			float64(count)/replications)
	})
}
