// Limits: how many processors are free now and for how long, as a Pareto staircase.

package cluster

import (
	"math"
	"slices"
)

// limit is a bound: a job fits now if it takes at most procs processors for at most estimate.
type limit struct {
	estimate int64 // s
	procs    int32
}

// limits are the Pareto staircase of what fits now: a job fits if it is within one of them.
//
// Invariants: estimates ascend and the last is unlimited; processors do not ascend. They may be
// negative.
type limits []limit

// unlimitedTime is the estimate of the last limit.
const unlimitedTime = math.MaxInt64

// within reports whether the job is within one of the limits.
func (w *waiting) within(limits limits) bool {
	for _, l := range limits {
		if w.procs <= l.procs && w.estimate <= l.estimate {
			return true
		}
	}
	return false
}

// lower updates the limits after the start of a job. Limits with an estimate below that of the job
// lose its processors. The others are at most what the first of them has left.
func (l limits) lower(procs int32, estimate int64) {
	at := slices.IndexFunc(l, func(l limit) bool { return l.estimate >= estimate })
	left := l[at].procs - procs
	for i := range l {
		if i < at {
			l[i].procs -= procs
		} else {
			l[i].procs = min(l[i].procs, left)
		}
	}
}

// findLimits finds what fits now beside the pivots, in a plan of one profile. Processors become
// fewer only at the start of a pivot or reservation. So the minimum up to such a start is that over
// now and the earlier starts.
func (e *easy) findLimits() {
	s := e.site
	e.limits, e.limitsAt, e.horizon = e.limits[:0], s.now, Never
	least := s.plan.total.FreeAt(s.now)
	// addStep adds the limit up to a time if fewer processors are free from then on.
	addStep := func(at int64, free int32) {
		if free < least {
			e.limits = append(e.limits, limit{at - s.now, least})
			least = free
		}
	}
	if e.pivotNeedsNoBooking() {
		for i := range e.pivots { // at most one
			p := &e.pivots[i]
			addStep(p.start, s.plan.total.FreeAt(p.start)-p.procs)
		}
	} else {
		// Reservations that start after the end of the longest job do not matter to any job so far.
		starts := s.reservations.starts
		near, _ := slices.BinarySearch(starts, s.now+s.longest)
		if near < len(starts) {
			e.horizon = starts[near]
		}
		e.times = append(e.times[:0], starts[:near]...)
		for i := range e.pivots {
			e.times = append(e.times, e.pivots[i].start)
		}
		slices.Sort(e.times)
		for _, at := range e.times {
			if least <= 0 {
				break
			}
			addStep(at, s.plan.total.FreeAt(at))
		}
	}
	e.limits = append(e.limits, limit{unlimitedTime, least})
}

// findUpperLimits finds upper bounds of what fits now: how many processors of all partitions
// together are free for how long. They may be other processors at other times, so a job within the
// limits may still not fit. It visits at most e.steps steps of the profile.
func (e *easy) findUpperLimits() {
	s := e.site
	e.minimum = s.plan.total.RunningMinimum(e.minimum[:0], s.now, s.now+s.longest, e.steps)
	e.limits = e.limits[:0]
	for _, slot := range e.minimum {
		estimate := int64(unlimitedTime)
		if slot.To < Never {
			estimate = slot.To - s.now
		}
		e.limits = append(e.limits, limit{estimate, slot.Free})
	}
}

// moveLimits moves the limits from the second that they were found for to now, while nothing has
// changed.
func (e *easy) moveLimits() {
	for i := range e.limits {
		if l := &e.limits[i]; l.estimate != unlimitedTime {
			l.estimate -= e.site.now - e.limitsAt
		}
	}
	e.limitsAt = e.site.now
}
