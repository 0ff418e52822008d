// Package profile is the availability profile of a machine: the number of free processors at each
// time from now on. Schedulers find in it the earliest fit of a job and book the job there.
//
// The profile is a step function, in leaves of some hundred steps; most profiles have one or two. A
// scan takes about a nanosecond a step.
//
// The one idea is the summary of a leaf or of a group of leaves: for each number of processors, how
// long its longest run with at least so many free is, and how long those at its two ends are, which
// continue in its neighbours. A search for a fit skips the leaves and groups in which no fit can
// end. The most that is free in a leaf would not tell, as holes may be a second too short.
//
// Summaries are upper bounds: bookings leave them valid and releases raise them. A summary is made
// again when the searches that it failed to shorten have cost as much as making it.
//
// [Sets] is the profile of a machine whose processors are not interchangeable.
//
// Times are in seconds and not negative; intervals that would end after [Forever] end at Forever.
// Jobs have at least one processor and one second.
package profile

import (
	"fmt"
	"math"
)

const (
	// Forever is the end of the last step.
	Forever int64 = math.MaxInt64
	// Never is the earliest fit of a job that does not fit at any time.
	Never int64 = math.MaxInt64
	// MostProcs is the largest number of processors of a machine: sums of a few such numbers are
	// int32.
	MostProcs int32 = 1 << 28
)

// Profile is the number of free processors as a function of time, from now to Forever. Neighbouring
// steps have different numbers. In steady state no operation allocates.
type Profile struct {
	now int64 // s
	// The leaves in order, each with its beginning and a number that is added to the free
	// processors of all its steps.
	starts []int64
	shifts []int32
	leaves []*leaf
	groups []group // each a range of leaves, in order, none empty

	sizes  sizes
	spare  []*leaf    // removed, for newLeaf
	open   []openRun  // scratch of summarise
	joined [2]summary // scratch of summariseGroup
}

// sizes are the bounds of leaves, groups and misses; tests make them small.
type sizes struct {
	leaf   int  // most steps of a leaf, even
	group  int  // most leaves of a group
	plain  int  // a profile of up to so many leaves is scanned without summaries
	misses int8 // searches that a summary fails to shorten before it is made again
}

// New returns the profile of a machine with that many processors, all free from time 0 on.
func New(procs int32) *Profile {
	return newSized(procs, sizes{leaf: 256, group: 16, plain: 2, misses: 16})
}

func newSized(procs int32, sizes sizes) *Profile {
	p := &Profile{sizes: sizes}
	p.Reset(procs)
	return p
}

// Reset makes the profile that of a machine with that many processors, all free from time 0 on. It
// keeps the memory.
func (p *Profile) Reset(procs int32) {
	p.empty(0)
	p.push(0, procs)
}

// Advance drops the past before now, in s. Later queries begin at now at the earliest, and changes
// before it are ignored. A time before the last now has no effect.
func (p *Profile) Advance(now int64) {
	if now <= p.now {
		return
	}
	p.now = now
	for len(p.starts) > 1 && p.starts[1] <= now {
		p.removeLeaf(0)
	}
	l := p.leaves[0]
	for len(l.times) > 1 && l.times[1] <= now {
		l.times, l.free = l.times[1:], l.free[1:]
	}
	l.times[0], p.starts[0] = now, now
}

// FreeAt returns the number of free processors at a time.
func (p *Profile) FreeAt(t int64) int32 {
	k, i := p.locate(max(t, p.now))
	return p.leaves[k].free[i] + p.shifts[k]
}

// Step returns the number of free processors at a time, and the end of the step.
func (p *Profile) Step(t int64) (free int32, until int64) {
	k, i := p.locate(max(t, p.now))
	l, until := p.leaves[k], p.end(k)
	if i+1 < len(l.times) {
		until = l.times[i+1]
	}
	return l.free[i] + p.shifts[k], until
}

// LastStep returns the beginning of the last step: from then on the number of free processors stays
// the same.
func (p *Profile) LastStep() int64 {
	last := p.leaves[len(p.leaves)-1]
	return last.times[len(last.times)-1]
}

// MinFree returns the least number of free processors in [from, to). It panics if that is empty.
func (p *Profile) MinFree(from, to int64) int32 {
	from = max(from, p.now)
	if from >= to {
		panic(fmt.Sprintf("profile: the least of [%d, %d) at %d", from, to, p.now))
	}
	k, i := p.locate(from)
	return p.minFree(k, i, to, math.MinInt32)
}

// minFree returns the least number of free processors from step i of leaf k up to a time, or, as
// soon as it finds one, a number below enough.
func (p *Profile) minFree(k, i int, to int64, enough int32) int32 {
	least := int32(math.MaxInt32)
	for ; least >= enough && k < len(p.starts) && p.starts[k] < to; k, i = k+1, 0 {
		l, shift := p.leaves[k], p.shifts[k]
		times := l.times[i:]
		free := l.free[i:][:len(times)]
		for j, t := range times {
			if t >= to || least < enough {
				break
			}
			least = min(least, free[j]+shift)
		}
	}
	return least
}

// Fits reports whether so many processors are free throughout [from, from+duration).
func (p *Profile) Fits(from int64, procs int32, duration int64) bool {
	from = max(from, p.now)
	k, i := p.locate(from)
	return p.minFree(k, i, later(from, duration), procs) >= procs
}

// EarliestFit returns the earliest time t ≥ from such that so many processors are free throughout
// [t, t+duration), or Never.
func (p *Profile) EarliestFit(from int64, procs int32, duration int64) int64 {
	return p.fit(from, procs, duration, Never)
}

// EarlierFit returns the earliest time in [from, start) at which a job that is booked in [start,
// start+duration) would fit without its own booking, or start. The booking may stay in the profile:
// within it the job has its own processors, so it needs free ones only up to start.
func (p *Profile) EarlierFit(from int64, procs int32, duration, start int64) int64 {
	return p.fit(from, procs, duration, start)
}

// Reserve books processors in [from, from+duration). It does not check that they are free.
func (p *Profile) Reserve(from int64, procs int32, duration int64) {
	requirePositive(procs, duration)
	p.Add(from, later(from, duration), -procs)
}

// Release frees processors in [from, from+duration).
func (p *Profile) Release(from int64, procs int32, duration int64) {
	requirePositive(procs, duration)
	p.Add(from, later(from, duration), procs)
}

// Move moves a booking of some duration from one start to an earlier one. Where the old and the new
// booking overlap, nothing changes.
func (p *Profile) Move(from, to int64, procs int32, duration int64) {
	requirePositive(procs, duration)
	p.Add(max(from, later(to, duration)), later(from, duration), procs)
	p.Add(to, min(from, later(to, duration)), -procs)
}

// requirePositive panics unless a job has a processor and a second.
func requirePositive(procs int32, duration int64) {
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
