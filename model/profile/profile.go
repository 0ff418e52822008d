// Package profile is the availability profile of a machine: how many of its processors are free at
// each time from now on. Schedulers find in it the earliest time at which a job fits, and book the
// job there.
//
// The profile is a step function in flat leaves of some hundred steps, which a scan goes through at
// about a step a nanosecond; most profiles are one or two leaves. Its one idea is what a leaf, or a
// group of leaves, says about itself: neither its least nor its most free, which a comb of holes a
// second too short defeats, but how long its longest run with at least so many free processors is,
// for every number, and how long those at its two ends are, which join their neighbours. A fit
// passes over the groups and leaves in which no window can end. These summaries are upper bounds:
// bookings leave them valid, releases raise them, and one is only made anew when it has cost more
// than that.
//
// [Sets] is the same of a machine whose processors are not interchangeable.
//
// Times are in seconds and not negative; what would end after [Forever] ends at Forever. Jobs have
// at least one processor and one second.
package profile

import (
	"fmt"
	"math"
)

const (
	// Forever is the end of the last step.
	Forever int64 = math.MaxInt64
	// Never is when a job starts that fits nowhere.
	Never int64 = math.MaxInt64
	// MostProcs is how many processors a machine may have, so that sums of a few of their numbers
	// are int32.
	MostProcs int32 = 1 << 28
)

// Profile is the number of free processors as a function of time, from now on to Forever. Two
// neighbouring steps are never equally free. In steady state no operation allocates.
type Profile struct {
	now int64
	// The leaves in order, each with its beginning and what is added to the free processors of all
	// its steps.
	starts []int64
	shifts []int32
	leaves []*leaf
	groups []*group // each a range of leaves, in order, none empty

	sizes       sizes
	spareLeaves []*leaf
	spareGroups []*group
	open        []openRun // for summarise
	joined      [2]summary
}

// sizes are the bounds of the parts; tests make them small.
type sizes struct {
	leaf  int // steps of a leaf, even
	group int // leaves of a group
	plain int // a profile of up to so many leaves is scanned without summaries
	// A summary is made anew after so many misses, which cost about as much as making it does.
	misses int8
}

// New returns the profile of a machine of that many processors that are all free from time 0 on.
func New(procs int32) *Profile {
	return newSized(procs, sizes{leaf: 256, group: 16, plain: 2, misses: 16})
}

func newSized(procs int32, sizes sizes) *Profile {
	p := &Profile{sizes: sizes}
	p.Reset(procs)
	return p
}

// Reset makes the profile that of a machine of that many processors, all free from time 0 on. It
// keeps the memory.
func (p *Profile) Reset(procs int32) {
	p.empty(0)
	p.push(0, procs)
}

// Advance forgets what lies before now, in s. From then on queries begin at now at the earliest and
// changes before it are ignored. A time before the last one changes nothing.
func (p *Profile) Advance(now int64) {
	if now <= p.now {
		return
	}
	p.now = now
	for len(p.starts) > 1 && p.starts[1] <= now {
		p.removeLeaf(0)
	}
	// Steps go some at a time: until then they lie before every query.
	if l := p.leaves[0]; len(l.times) > 16 && l.times[16] <= now {
		l.drop(search(l.times, now))
		p.starts[0], l.known = l.times[0], false
	}
}

// FreeAt returns the number of free processors at a time.
func (p *Profile) FreeAt(t int64) int32 {
	k, i := p.locate(max(t, p.now))
	return p.leaves[k].free[i] + p.shifts[k]
}

// Step returns the number of free processors at a time, and until when at least it stays the same.
func (p *Profile) Step(t int64) (free int32, until int64) {
	k, i := p.locate(max(t, p.now))
	l, until := p.leaves[k], p.end(k)
	if i+1 < len(l.times) {
		until = l.times[i+1]
	}
	return l.free[i] + p.shifts[k], until
}

// Settled returns the time from which on the number of free processors stays the same for ever, at
// most now if it does already. Of a machine without reservations that is when its last booking
// ends.
func (p *Profile) Settled() int64 {
	last := p.leaves[len(p.leaves)-1]
	return last.times[len(last.times)-1]
}

// MinFree returns the least number of free processors in [from, to), which must not be empty.
func (p *Profile) MinFree(from, to int64) int32 {
	from = max(from, p.now)
	if from >= to {
		panic(fmt.Sprintf("profile: the least of [%d, %d) at %d", from, to, p.now))
	}
	k, i := p.locate(from)
	least := int32(math.MaxInt32)
	for ; k < len(p.starts) && p.starts[k] < to; k, i = k+1, 0 {
		l := p.leaves[k]
		if i == 0 && p.end(k) <= to {
			least = min(least, l.least()+p.shifts[k])
			continue
		}
		for ; i < len(l.times) && l.times[i] < to; i++ {
			least = min(least, l.free[i]+p.shifts[k])
		}
	}
	return least
}

// Fits reports whether so many processors are free throughout [from, from+duration).
func (p *Profile) Fits(from int64, procs int32, duration int64) bool {
	from = max(from, p.now)
	to := later(from, duration)
	k, i := p.locate(from)
	for ; k < len(p.starts) && p.starts[k] < to; k, i = k+1, 0 {
		l, need := p.leaves[k], procs-p.shifts[k]
		if i == 0 && p.end(k) <= to {
			if l.least() < need {
				return false
			}
			continue
		}
		times, free := l.times[i:], l.free[i:]
		for j, t := range times {
			if t >= to {
				break
			}
			if free[j] < need {
				return false
			}
		}
	}
	return true
}

// EarliestFit returns the earliest time t of at least `from` such that so many processors are free
// throughout [t, t+duration), or Never if there is none.
func (p *Profile) EarliestFit(from int64, procs int32, duration int64) int64 {
	return p.fit(from, procs, duration, Never)
}

// EarlierFit returns the earliest time in [from, start) at which a job that is booked at [start,
// start+duration) would fit if its own booking were taken out, or start. Nothing has to be released
// for it: within its booking the job's processors are its own, so a window needs free ones only up
// to start.
func (p *Profile) EarlierFit(from int64, procs int32, duration, start int64) int64 {
	return p.fit(from, procs, duration, start)
}

// Reserve books processors in [from, from+duration).
func (p *Profile) Reserve(from int64, procs int32, duration int64) {
	positive(procs, duration)
	p.Add(from, later(from, duration), -procs)
}

// Release takes back what Reserve booked, or a part of it.
func (p *Profile) Release(from int64, procs int32, duration int64) {
	positive(procs, duration)
	p.Add(from, later(from, duration), procs)
}

// positive panics unless a job has a processor and a second.
func positive(procs int32, duration int64) {
	if procs < 1 || duration < 1 {
		panic("profile: a job of no processors or no duration")
	}
}

// later returns the time t+duration, Forever if it lies beyond that.
func later(t, duration int64) int64 {
	if t > Forever-duration {
		return Forever
	}
	return t + duration
}
