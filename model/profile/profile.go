// Package profile is the availability profile of a machine: how many of its processors are free at each time from now
// on. Schedulers find in it the earliest time at which a job fits, and book the job there.
package profile

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"
)

// Forever is the end of the last step, and Never the start of a job that fits nowhere.
const (
	Forever int64 = math.MaxInt64
	Never   int64 = math.MaxInt64
)

// Slot is a time [From, To) in s in which some processors are free.
type Slot struct {
	From, To int64
	Free     int32
}

// Profile is the number of free processors as a function of time, from now on to infinity.
type Profile struct {
	times []int64
	free  []int32
}

// New returns the profile of a machine of that many processors that are all free from time 0 on.
func New(procs int32) *Profile {
	p := &Profile{}
	p.Reset(procs)
	return p
}

// Reset makes the profile that of a machine of that many processors, all free from time 0 on. It keeps the memory.
func (p *Profile) Reset(procs int32) {
	p.times, p.free = append(p.times[:0], 0), append(p.free[:0], procs)
}

// at returns the step that holds a time.
func (p *Profile) at(t int64) int {
	return sort.Search(len(p.times), func(i int) bool { return p.times[i] > t }) - 1
}

// end returns where step i ends.
func (p *Profile) end(i int) int64 {
	if i+1 < len(p.times) {
		return p.times[i+1]
	}
	return Forever
}

// Advance forgets what lies before now. A time before the profile's beginning changes nothing.
func (p *Profile) Advance(now int64) {
	if now <= p.times[0] {
		return
	}
	i := p.at(now)
	p.times, p.free = slices.Delete(p.times, 0, i), slices.Delete(p.free, 0, i)
	p.times[0] = now
}

// FreeAt returns the free processors at a time; before the profile's beginning, those at its beginning.
func (p *Profile) FreeAt(t int64) int32 { return p.free[p.at(max(t, p.times[0]))] }

// MinFree returns the least number of free processors in [from, to).
func (p *Profile) MinFree(from, to int64) int32 {
	from = max(from, p.times[0])
	i := p.at(from)
	least := p.free[i]
	for i++; i < len(p.times) && p.times[i] < to; i++ {
		least = min(least, p.free[i])
	}
	return least
}

// Fits reports whether processors are free throughout [from, from+duration).
func (p *Profile) Fits(from int64, procs int32, duration int64) bool {
	return p.MinFree(from, later(from, duration)) >= procs
}

// EarliestFit returns the earliest time from `from` on at which so many processors are free for the duration, or Never.
func (p *Profile) EarliestFit(from int64, procs int32, duration int64) int64 {
	return p.fit(from, procs, duration, Forever)
}

// EarlierFit returns the earliest time in [from, start) at which a job that is booked at [start, start+duration) would
// fit if its own booking were taken out, or start. Nothing needs to be released: within the own booking the job's
// processors are its own, so they need to be free up to start only.
func (p *Profile) EarlierFit(from int64, procs int32, duration, start int64) int64 {
	return p.fit(from, procs, duration, start)
}

// fit returns the earliest t in [from, before) such that the processors are free in [t, min(t+duration, before)), or
// before.
func (p *Profile) fit(from int64, procs int32, duration, before int64) int64 {
	from = max(from, p.times[0])
	if from >= before {
		return before
	}
	start := int64(-1)
	for i := p.at(from); i < len(p.times) && p.times[i] < before; i++ {
		if p.free[i] < procs {
			start = -1
			continue
		}
		if start < 0 {
			start = max(from, p.times[i])
		}
		if later(start, duration) <= p.end(i) {
			return start
		}
	}
	if start < 0 {
		return before
	}
	return start
}

// Reserve books processors in [from, from+duration).
func (p *Profile) Reserve(from int64, procs int32, duration int64) {
	p.Add(from, later(from, duration), -procs)
}

// Release takes back what Reserve booked, or a part of it.
func (p *Profile) Release(from int64, procs int32, duration int64) {
	p.Add(from, later(from, duration), procs)
}

// Add changes the number of free processors in [from, to) by delta.
func (p *Profile) Add(from, to int64, delta int32) {
	from = max(from, p.times[0])
	if from >= to || delta == 0 {
		return
	}
	first := p.split(from)
	last := len(p.times)
	if to < Forever {
		last = p.split(to)
	}
	for i := first; i < last; i++ {
		p.free[i] += delta
	}
	p.merge(last)
	p.merge(first)
}

// split makes a step begin at t and returns it.
func (p *Profile) split(t int64) int {
	i := p.at(t)
	if p.times[i] == t {
		return i
	}
	p.times = slices.Insert(p.times, i+1, t)
	p.free = slices.Insert(p.free, i+1, p.free[i])
	return i + 1
}

// merge joins step i with the one before if they are equally free.
func (p *Profile) merge(i int) {
	if i > 0 && i < len(p.times) && p.free[i] == p.free[i-1] {
		p.times, p.free = slices.Delete(p.times, i, i+1), slices.Delete(p.free, i, i+1)
	}
}

// Slots returns the pieces of [from, to) in which the number of free processors is constant, as long as possible and
// in order. Pieces without a free processor are among them.
func (p *Profile) Slots(from, to int64) iter.Seq[Slot] {
	return func(yield func(Slot) bool) {
		from := max(from, p.times[0])
		if from >= to {
			return
		}
		for i := p.at(from); i < len(p.times) && p.times[i] < to; i++ {
			if !yield(Slot{max(from, p.times[i]), min(to, p.end(i)), p.free[i]}) {
				return
			}
		}
	}
}

// Check returns an error if the profile breaks its invariants.
func (p *Profile) Check() error {
	for i := 1; i < len(p.times); i++ {
		if p.times[i] <= p.times[i-1] || p.free[i] == p.free[i-1] {
			return fmt.Errorf("step %d does not follow the one before", i)
		}
	}
	return nil
}

// later returns the time t+duration, Forever if it lies beyond that.
func later(t, duration int64) int64 {
	if t > Forever-duration {
		return Forever
	}
	return t + duration
}
