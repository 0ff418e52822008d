// Profile tests: every query after drawn operations against the naive profile, bounds of
// staircases, the ends of time and sizes, and no allocations.

package profile

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// pair is a profile and the naive one after the same operations.
type pair struct {
	fast *Profile
	slow *naive
}

// agree compares the results of each query.
func (p pair) agree(t interface{ Fatalf(string, ...any) }, from int64, procs int32, duration int64) {
	if err := p.fast.Check(); err != nil {
		t.Fatalf("%v", err)
	}
	to := later(max(from, p.slow.now), duration)
	compare := func(query string, got, want any) {
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%s, from %d, %d processors, %d s:\n%s", query, from, procs, duration, diff)
		}
	}
	compare("FreeAt", p.fast.FreeAt(from), p.slow.freeAt(from))
	free, until := p.fast.Step(from)
	compare("Step", free, p.slow.minFree(from, until))
	compare("end of Step", until > max(from, p.slow.now), true)
	compare("MinFree", p.fast.MinFree(from, to), p.slow.minFree(from, to))
	compare("Fits", p.fast.Fits(from, procs, duration), p.slow.minFree(from, to) >= procs)
	compare("EarliestFit", p.fast.EarliestFit(from, procs, duration), p.slow.fit(from, procs, duration, Never))
	for _, start := range []int64{from, to, p.slow.horizon()} {
		compare("EarlierFit", p.fast.EarlierFit(from, procs, duration, start), p.slow.fit(from, procs, duration, start))
	}
	end := min(to, p.slow.horizon())
	compare("FreeSince", p.fast.FreeSince(procs, end), p.slow.freeSince(procs, end))
	if to < p.slow.horizon() {
		opened := p.fast.Opened(nil, from, to, procs)
		slices.SortFunc(opened, compareRuns)
		compare("Opened", opened, p.slow.opened(from, to, procs))
	}
	slots := p.slow.slots(from, to)
	compare("Slots", slices.Collect(p.fast.Slots(from, to)), slots)
	for _, steps := range []int{0, 1, 3, 1000} {
		first := slots[:min(steps, len(slots))]
		compare("RunningMinimum", p.fast.RunningMinimum(nil, from, to, steps), runningMinimum(first, slots[0]))
	}
}

// runningMinimum returns the least number of free processors from the first slot up to each of
// some slots, as slots, up to the first without any.
func runningMinimum(slots []Slot, first Slot) []Slot {
	minimum := []Slot{{first.From, Forever, first.Free}}
	for _, slot := range slots {
		last := &minimum[len(minimum)-1]
		if last.Free <= 0 {
			break
		}
		if slot.Free < last.Free {
			last.To = slot.From
			minimum = append(minimum, Slot{slot.From, Forever, slot.Free})
		}
	}
	return minimum
}

// allSizes make few operations split and join leaves and groups.
var allSizes = []sizes{
	{leaf: 2, group: 2, misses: 1}, {leaf: 16, group: 3, misses: 1}, {leaf: 64, group: 4, misses: 3}, New(1).sizes,
}

func TestProfileAgreesWithNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		horizon := rapid.SampledFrom([]int{40, 400}).Draw(t, "horizon")
		procs := rapid.SampledFrom([]int32{1, 4, 64}).Draw(t, "processors")
		sizes := rapid.SampledFrom(allSizes).Draw(t, "sizes")
		p := pair{newSized(procs, sizes), newNaive(procs, horizon)}
		other := newSized(procs, sizes)
		time := func(name string) int64 { return rapid.Int64Range(0, int64(horizon)).Draw(t, name) }
		duration := func() int64 {
			return rapid.OneOf(rapid.Int64Range(1, 20), rapid.Int64Range(1, int64(horizon)),
				rapid.SampledFrom([]int64{Forever / 2, Forever - 1, Forever})).Draw(t, "duration")
		}
		size := rapid.Int32Range(1, procs)
		book := func(t *rapid.T) {
			from, procs, duration := time("from"), size.Draw(t, "procs"), duration()
			from = p.fast.EarliestFit(from, procs, duration)
			// the last second stays as it is
			if from >= int64(horizon)-1 || later(from, duration) > int64(horizon)-1 {
				return
			}
			p.fast.Reserve(from, procs, duration)
			p.slow.add(from, from+duration, -procs)
		}
		t.Repeat(map[string]func(*rapid.T){
			"reserve": book, "reserve more": book, "reserve yet more": book,
			"release": func(t *rapid.T) {
				from, length := time("from"), rapid.Int64Range(1, 20).Draw(t, "length")
				if from+length > int64(horizon)-1 {
					return
				}
				if busy := procs - slices.Max(p.slow.free[from:from+length]); busy > 0 {
					p.fast.Release(from, busy, length)
					p.slow.add(from, from+length, busy)
				}
			},
			"move": func(t *rapid.T) {
				from, length := time("from"), rapid.Int64Range(1, 20).Draw(t, "length")
				to := rapid.Int64Range(p.slow.now, int64(horizon)).Draw(t, "to")
				if to < from && from+length < int64(horizon) {
					procs := size.Draw(t, "procs")
					p.fast.Move(from, to, procs, length)
					p.slow.add(from, from+length, procs)
					p.slow.add(to, to+length, -procs)
				}
			},
			"add": func(t *rapid.T) {
				from, delta := time("from"), rapid.Int32Range(-3, 3).Draw(t, "delta")
				to := rapid.OneOf(rapid.Int64Range(0, int64(horizon)-1), rapid.Just(Forever)).Draw(t, "to")
				if from < int64(horizon)-1 {
					p.fast.Add(from, to, delta)
					p.slow.add(from, to, delta)
				}
			},
			"advance": func(t *rapid.T) {
				now := p.slow.now + rapid.Int64Range(0, 10).Draw(t, "seconds")
				if now < int64(horizon)-1 {
					p.fast.Advance(now)
					p.slow.now = now
				}
			},
			"reset": func(t *rapid.T) {
				if rapid.IntRange(0, 50).Draw(t, "often") == 0 {
					p.fast.Reset(procs)
					p.slow = newNaive(procs, horizon)
				}
			},
			"copy": func(t *rapid.T) { // into a profile with other steps, which replaces it
				from := rapid.Int64Range(p.slow.now, int64(horizon)-2).Draw(t, "from")
				to := rapid.OneOf(rapid.Int64Range(0, int64(horizon)-1), rapid.Just(Forever)).Draw(t, "to")
				most := rapid.Int32Range(0, procs+1).Draw(t, "most")
				peak := other.Copy(p.fast, from, to, most)
				if want := p.slow.cut(from, to, most); peak != want {
					t.Fatalf("the peak is %d, want %d", peak, want)
				}
				p.fast, other = other, p.fast
			},
			"": func(t *rapid.T) {
				p.agree(t, time("query from"), rapid.Int32Range(1, procs+1).Draw(t, "query procs"), duration())
			},
		})
	})
}

// TestLargeProfileAgreesWithNaive has profiles of many leaves and groups, whose summaries drop
// points and are used often enough to be made again. At the end all changes are undone, and one
// step is left.
func TestLargeProfileAgreesWithNaive(t *testing.T) {
	for i, sizes := range allSizes {
		r := rand.New(rand.NewPCG(1, uint64(i)))
		const procs, horizon = 200, 3000
		p := pair{newSized(procs, sizes), newNaive(procs, horizon)}
		type change struct {
			from, to int64
			delta    int32
		}
		var changes []change
		add := func(c change) {
			p.fast.Add(c.from, c.to, c.delta)
			p.slow.add(c.from, c.to, c.delta)
		}
		ask := func(from, duration int64, size int32) {
			if got, want := p.fast.EarliestFit(from, size, duration), p.slow.fit(from, size, duration, Never); got != want {
				t.Fatalf("sizes %v: EarliestFit(%d, %d, %d) is %d, want %d", sizes, from, size, duration, got, want)
			}
			start := from + r.Int64N(horizon-from)
			got, want := p.fast.EarlierFit(from, size, duration, start), p.slow.fit(from, size, duration, start)
			if got != want {
				t.Fatalf("sizes %v: EarlierFit(%d, %d, %d, %d) is %d, want %d", sizes, from, size, duration, start, got, want)
			}
		}
		for step := range 1500 {
			from, size, duration := r.Int64N(horizon-1), 1+r.Int32N(procs), 1+r.Int64N(1+r.Int64N(200))
			ask(from, duration, size)
			c := change{from, min(from+duration, horizon-1), r.Int32N(41) - 20}
			if step%3 == 0 { // a staircase with steps of a second
				for t := c.from; t < c.to; t++ {
					changes = append(changes, change{t, t + 1, int32(t-from) - 10})
					add(changes[len(changes)-1])
				}
			} else {
				changes = append(changes, c)
				add(c)
			}
			if step%100 == 0 {
				p.agree(t, from, size, duration)
				p.slow.now += 20
				p.fast.Advance(p.slow.now)
			}
		}
		r.Shuffle(len(changes), func(i, j int) { changes[i], changes[j] = changes[j], changes[i] })
		for i, c := range changes {
			add(change{c.from, c.to, -c.delta})
			if i%1000 == 0 {
				p.agree(t, c.from, 1+r.Int32N(procs), 1+r.Int64N(200))
			}
			if i%20 == 0 {
				ask(r.Int64N(horizon), 1+r.Int64N(200), 1+r.Int32N(procs))
			}
		}
		if diff := cmp.Diff([]Slot{{p.slow.now, Forever, procs}}, slices.Collect(p.fast.Slots(0, Forever))); diff != "" {
			t.Error(diff)
		}
		if len(p.fast.leaves) > horizon/sizes.leaf/4 && len(p.fast.leaves) > 1 {
			t.Errorf("sizes %v: one step takes %d leaves", sizes, len(p.fast.leaves))
		}
	}
}

// FuzzProfile applies operations encoded in the bytes to a profile and a naive one.
func FuzzProfile(f *testing.F) {
	f.Add([]byte{0, 0, 3, 2, 9, 1, 5, 4, 1, 200})
	f.Add([]byte{3, 10, 200, 1, 50, 10, 200, 1, 50, 10, 2, 5, 1})
	f.Fuzz(func(t *testing.T, bytes []byte) {
		if len(bytes) == 0 {
			return
		}
		const procs, horizon = 8, 300
		p := pair{newSized(procs, allSizes[int(bytes[0])%len(allSizes)]), newNaive(procs, horizon)}
		for i := 1; i+3 < len(bytes); i += 4 {
			from, duration, number := int64(bytes[i+1]), int64(bytes[i+2])+1, int32(bytes[i+3])
			to := min(from+duration, horizon-1)
			switch bytes[i] % 4 {
			case 0:
				p.fast.Add(from, to, number%17-8)
				p.slow.add(from, to, number%17-8)
			case 1:
				start := p.fast.EarliestFit(from, number%procs+1, duration)
				if start < horizon-1-duration {
					p.fast.Reserve(start, number%procs+1, duration)
					p.slow.add(start, start+duration, -(number%procs + 1))
				}
			case 2:
				p.fast.Advance(min(from, p.slow.now+10))
				p.slow.now = max(p.slow.now, min(from, p.slow.now+10))
			case 3:
				p.fast.Add(from, Forever, number%3-1)
				p.slow.add(from, Forever, number%3-1)
			}
			p.agree(t, from, number%procs+1, duration)
		}
	})
}

// Times and durations near the end of time neither overflow nor wrap.
func TestProfileReachesForever(t *testing.T) {
	p := New(10)
	p.Reserve(100, 4, Forever/2)
	p.Reserve(200, 3, Forever)
	p.Release(Forever-5, 1, 100)
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	want := []Slot{
		{0, 100, 10}, {100, 200, 6}, {200, 100 + Forever/2, 3}, {100 + Forever/2, Forever - 5, 7}, {Forever - 5, Forever, 8},
	}
	if diff := cmp.Diff(want, slices.Collect(p.Slots(0, Forever))); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct {
		procs          int32
		duration, want int64
	}{
		{10, 100, 0}, {10, 101, Never}, {7, 100, 0}, {7, 101, 100 + Forever/2}, {7, Forever, 100 + Forever/2},
		{8, Forever, Forever - 5}, {3, Forever, 0}, {9, 101, Never},
	} {
		if got := p.EarliestFit(0, c.procs, c.duration); got != c.want {
			t.Errorf("EarliestFit of %d for %d s is %d, want %d", c.procs, c.duration, got, c.want)
		}
	}
}

// A staircase is an upper bound of the points that were inserted, and exact as long as it has room
// for all.
func TestStaircaseIsAnUpperBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		levels := rapid.SampledFrom([]int32{maxPoints, 200}).Draw(t, "levels")
		var s staircase
		// by level: the longest length at this level or a higher one
		longest := make([]int64, levels+1)
		for range rapid.IntRange(1, 300).Draw(t, "points") {
			level := rapid.Int32Range(0, levels-1).Draw(t, "level")
			// most exceed no other point
			length := int64(levels-level)*10 + rapid.Int64Range(1, 20).Draw(t, "length")
			s.insert(level, length)
			for i := range level + 1 {
				longest[i] = max(longest[i], length)
			}
			for i, want := range longest {
				if got := s.longest(int32(i)); got < want || got > want && levels == maxPoints {
					t.Fatalf("a length of %d with at least %d, want %d", got, i, want)
				}
			}
			for i := 1; i < s.n; i++ {
				if s.levels[i-1] <= s.levels[i] || s.lengths[i-1] >= s.lengths[i] {
					t.Fatalf("out of order: %v", s)
				}
			}
		}
	})
}

// TestEarlierFitKeepsTheOwnBooking has a job of 2 processors and 10 s that is booked at 20, behind
// others.
func TestEarlierFitKeepsTheOwnBooking(t *testing.T) {
	p := New(4)
	p.Reserve(0, 3, 15)  // one is free until 15
	p.Reserve(20, 2, 10) // the own booking
	p.Reserve(20, 2, 10) // and another: nothing is free from 20 to 30
	if got := p.EarliestFit(0, 2, 10); got != 30 {
		t.Errorf("beside its own booking it fits at %d, want 30", got)
	}
	if got := p.EarlierFit(0, 2, 10, 20); got != 15 {
		t.Errorf("in place of its own booking it fits at %d, want 15", got)
	}
	if got := p.EarlierFit(0, 5, 10, 20); got != 20 {
		t.Errorf("a job that does not fit earlier stays at %d, want 20", got)
	}
}

// A machine of the largest size, whose jobs are larger by the same factor, is booked like a small
// one, also when its summaries were raised often.
func TestProfileOfTheLargestMachine(t *testing.T) {
	const procs, factor = 16, MostProcs / 16
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SampledFrom(allSizes).Draw(t, "sizes")
		sizes.misses = 8 // so that summaries are not made again at once
		small, large := newSized(procs, sizes), newSized(MostProcs, sizes)
		now := int64(0)
		for range rapid.IntRange(1, 500).Draw(t, "jobs") {
			size, duration := rapid.Int32Range(1, procs).Draw(t, "procs"), rapid.Int64Range(1, 50).Draw(t, "duration")
			start := small.EarliestFit(now, size, duration)
			if got := large.EarliestFit(now, size*factor, duration); got != start {
				t.Fatalf("a job of %d processors for %d s fits at %d, on the large machine at %d", size, duration, start, got)
			}
			small.Reserve(start, size, duration)
			large.Reserve(start, size*factor, duration)
			if early := rapid.Int64Range(0, duration).Draw(t, "early"); early > 0 {
				small.Release(start+duration-early, size, early)
				large.Release(start+duration-early, size*factor, early)
			}
			now += rapid.Int64Range(0, 20).Draw(t, "gap")
			small.Advance(now)
			large.Advance(now)
		}
	})
}

// In steady state no operation allocates.
func TestProfileAllocatesNothing(t *testing.T) {
	p, shown := newSized(64, sizes{leaf: 16, group: 3, misses: 1}), newSized(64, sizes{leaf: 16, group: 3, misses: 1})
	work := func() {
		for i := range int64(300) {
			p.Reserve(p.EarliestFit(i, int32(1+i%40), 1+i%7), int32(1+i%40), 1+i%7)
		}
		p.Advance(1000)
		shown.Copy(p, 1100, 5000, 30)
		shown.Reserve(shown.EarliestFit(1100, 10, 20), 10, 20)
		p.Reset(64)
	}
	work()
	if n := testing.AllocsPerRun(10, work); n > 0 {
		t.Errorf("%.0f allocations", n)
	}
}
