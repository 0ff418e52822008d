// Sets tests: every query after drawn operations against the processors that are free in each
// second.

package profile

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// naiveSets has the processors that are free in each second up to a horizon; the last second stands
// for all time after it.
type naiveSets struct {
	now  int64
	free [][]bool
}

func newNaiveSets(procs int32, horizon int) *naiveSets {
	n := &naiveSets{}
	for range horizon {
		n.free = append(n.free, slices.Repeat([]bool{true}, int(procs)))
	}
	return n
}

// throughout returns the processors that are free at all seconds of [from, to).
func (n *naiveSets) throughout(from, to int64) (procs []int32) {
	for proc := range n.free[0] {
		free := true
		for t := max(from, n.now); t < to && t < int64(len(n.free)); t++ {
			free = free && n.free[t][proc]
		}
		if free {
			procs = append(procs, int32(proc))
		}
	}
	return procs
}

func (n *naiveSets) fit(from int64, procs int32, duration int64) int64 {
	from = max(from, n.now)
	for t := from; t < max(int64(len(n.free)), from+1); t++ {
		if len(n.throughout(t, later(t, duration))) >= int(procs) {
			return t
		}
	}
	return Never
}

func (n *naiveSets) set(procs []int32, from, to int64, free bool) {
	for t := max(from, n.now); t < min(to, int64(len(n.free))); t++ {
		for _, proc := range procs {
			n.free[t][proc] = free
		}
	}
}

// cut is Copy onto itself.
func (n *naiveSets) cut(from, to int64, last int32) (peak int32) {
	n.now = from
	for t := from; t < int64(len(n.free)); t++ {
		count := int32(0)
		for proc := range n.free[t] {
			n.free[t][proc] = n.free[t][proc] && t < to && proc >= len(n.free[t])-int(last)
			if n.free[t][proc] {
				count++
			}
		}
		peak = max(peak, count)
	}
	return peak
}

// counts returns the profile of the number of free processors.
func (n *naiveSets) counts() *naive {
	counts := &naive{now: n.now}
	for _, free := range n.free {
		count := int32(0)
		for _, is := range free {
			if is {
				count++
			}
		}
		counts.free = append(counts.free, count)
	}
	return counts
}

// numbers returns the processors of a set.
func (s Set) numbers() (procs []int32) {
	for proc := range int32(len(s) * 64) {
		if s[proc/64]>>(proc%64)&1 == 1 {
			procs = append(procs, proc)
		}
	}
	return procs
}

func (p *Sets) setOf(procs []int32) Set {
	set := p.NewSet()
	for _, proc := range procs {
		set[proc/64] |= 1 << (proc % 64)
	}
	return set
}

func TestSetsAgreeWithNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		procs := rapid.SampledFrom([]int32{1, 5, 64, 70, 130}).Draw(t, "processors")
		const horizon = 50
		fast, other, slow := NewSets(procs), NewSets(procs), newNaiveSets(procs, horizon)
		time := func(name string) int64 { return rapid.Int64Range(0, horizon-2).Draw(t, name) }
		end := func() int64 {
			return rapid.OneOf(rapid.Int64Range(0, horizon-1), rapid.Just(Forever)).Draw(t, "to")
		}
		compare := func(query string, got, want any) {
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("%s:\n%s", query, diff)
			}
		}
		book := func(t *rapid.T) {
			want := rapid.OneOf(rapid.Int32Range(1, procs), rapid.Int32Range(1, min(procs, 4))).Draw(t, "procs")
			duration := rapid.Int64Range(1, 12).Draw(t, "duration")
			from := fast.EarliestFit(time("from"), want, duration)
			if from > horizon-1-duration {
				return
			}
			free, set := fast.NewSet(), fast.NewSet()
			fast.Free(free, from, from+duration)
			low := rapid.Int32Range(0, procs-1).Draw(t, "own from")
			moved := free.Move(set, low, procs, want)
			moved += free.Move(set, 0, low, want-moved)
			compare("moved", moved, want)
			fast.Take(set, from, from+duration)
			slow.set(set.numbers(), from, from+duration, false)
		}
		t.Repeat(map[string]func(*rapid.T){
			"book": book, "book more": book, "book yet more": book,
			"take": func(t *rapid.T) { // as many as are free, a part of them, or none
				from, to := time("from"), end()
				if from = max(from, slow.now); from >= to {
					return
				}
				free := slow.throughout(from, to)
				free = free[:rapid.IntRange(0, len(free)).Draw(t, "taken")]
				fast.Take(fast.setOf(free), from, to)
				slow.set(free, from, to, false)
			},
			"give": func(t *rapid.T) {
				from, to := time("from"), end()
				var busy []int32
				for proc := range procs {
					is := true
					for t := max(from, slow.now); t < min(to, horizon); t++ {
						is = is && !slow.free[t][proc]
					}
					if is {
						busy = append(busy, proc)
					}
				}
				busy = busy[:rapid.IntRange(0, len(busy)).Draw(t, "returned")]
				fast.Give(fast.setOf(busy), from, to)
				slow.set(busy, from, to, true)
			},
			"advance": func(t *rapid.T) {
				now := slow.now + rapid.Int64Range(0, 5).Draw(t, "seconds")
				if now < horizon-1 {
					fast.Advance(now)
					slow.now = now
				}
			},
			"copy": func(t *rapid.T) { // into a profile with other steps, which replaces it
				from := rapid.Int64Range(slow.now, horizon-2).Draw(t, "from")
				to, last := end(), rapid.Int32Range(0, procs+1).Draw(t, "last")
				compare("peak", other.Copy(fast, from, to, last), slow.cut(from, to, last))
				fast, other = other, fast
			},
			"": func(t *rapid.T) {
				if err := fast.Check(); err != nil {
					t.Fatal(err)
				}
				from, procs := time("query from"), rapid.Int32Range(1, procs+1).Draw(t, "query procs")
				duration := rapid.OneOf(rapid.Int64Range(1, 20), rapid.Just(Forever)).Draw(t, "query duration")
				to := later(max(from, slow.now), duration)
				free := slow.throughout(from, to)
				set := fast.NewSet()
				fast.Free(set, from, to)
				compare("Free", set.numbers(), free)
				compare("FreeAt", fast.FreeAt(from), slow.counts().freeAt(from))
				compare("Fits", fast.Fits(from, procs, duration), len(free) >= int(procs))
				compare("EarliestFit", fast.EarliestFit(from, procs, duration), slow.fit(from, procs, duration))
				slots := slow.counts().slots(from, to)
				compare("Slots", slices.Collect(fast.Slots(from, to)), slots)
				compare("RunningMinimum", fast.RunningMinimum(nil, from, to, horizon), runningMinimum(slots, slots[0]))
			},
		})
	})
}

// A job does not fit where different processors are free one after the other, although their number
// would suffice.
func TestSetsAreNotCounts(t *testing.T) {
	sets, counts := NewSets(2), New(2)
	sets.Take(sets.setOf([]int32{0}), 0, 10)
	sets.Take(sets.setOf([]int32{1}), 10, 20)
	counts.Reserve(0, 1, 20)
	if got := counts.EarliestFit(0, 1, 15); got != 0 {
		t.Errorf("one of two fits at %d, want 0", got)
	}
	if got := sets.EarliestFit(0, 1, 15); got != 10 {
		t.Errorf("the same one fits at %d, want 10", got)
	}
}

func TestSetsPanicOnDoubleBookings(t *testing.T) {
	for name, change := range map[string]func(*Sets, Set){
		"taken twice": func(p *Sets, set Set) { p.Take(set, 5, 11) },
		"freed twice": func(p *Sets, set Set) { p.Give(set, 15, 25) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			p := NewSets(70)
			set := p.setOf([]int32{0, 69})
			p.Take(set, 10, 20)
			change(p, set)
		})
	}
}

func TestSetsAllocateNothing(t *testing.T) {
	p, shown := NewSets(70), NewSets(70)
	free, set := p.NewSet(), p.NewSet()
	now := int64(0)
	work := func() {
		for i := range int64(100) {
			procs, duration := int32(1+i%40), 1+i%7
			start := p.EarliestFit(now+i, procs, duration)
			p.Free(free, start, start+duration)
			clear(set)
			free.Move(set, 0, 70, procs)
			p.Take(set, start, start+duration)
		}
		shown.Copy(p, now+20, now+100, 30)
		now += 1000
		p.Advance(now)
	}
	for range 3 {
		work()
	}
	if n := testing.AllocsPerRun(10, work); n > 0 {
		t.Errorf("%.0f allocations", n)
	}
}

// BenchmarkSets finds a fit and books it on a busy machine whose sets have three words.
func BenchmarkSets(b *testing.B) {
	p := NewSets(144)
	free, set := p.NewSet(), p.NewSet()
	for i := int64(0); b.Loop(); i++ {
		procs, duration := int32(1+i*7%40), 1+i*131%1300
		start := p.EarliestFit(i*100, procs, duration)
		p.Free(free, start, start+duration)
		clear(set)
		free.Move(set, 0, 144, procs)
		p.Take(set, start, start+duration)
		p.Advance(i * 100)
	}
	b.ReportMetric(float64(len(p.times)), "steps")
}
