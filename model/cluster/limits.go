package cluster

// Limits: how many processors are free now and for how long, as a Pareto staircase.

import (
	"math"
	"slices"
)

// limit says that a job fits now that takes at most so many processors for at most so long.
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

// lower takes the processors of a job that starts now. A duration up to its estimate has that many
// fewer; a longer one has at most what is left for the estimate.
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

// findLimits finds what fits now beside the pivots, where the plan is one profile. The plan gets
// fuller only where a pivot or a reservation starts, so the least that is free up to such a start
// is what is free now or at an earlier one.
func (e *easy) findLimits() {
	s := e.site
	e.limits, e.limitsAt, e.horizon = e.limits[:0], s.now, Never
	least := s.plan.total.FreeAt(s.now)
	from := func(at int64, free int32) { // at least so many are free up to at, and free from there on
		if free < least {
			e.limits = append(e.limits, limit{at - s.now, least})
			least = free
		}
	}
	if e.pivotNeedsNoBooking() {
		for i := range e.pivots {
			p := &e.pivots[i]
			from(p.start, s.plan.total.FreeAt(p.start)-p.procs)
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
			from(at, s.plan.total.FreeAt(at))
		}
	}
	e.limits = append(e.limits, limit{unlimitedTime, least})
}

// findUpperLimits finds how many processors are free for how long in sum: of one partition or of
// several, the same processors or not. No job that fits needs more; a job within them may still not
// fit. It looks only so many steps ahead.
func (e *easy) findUpperLimits() {
	s := e.site
	e.limits = e.limits[:0]
	least, steps := s.plan.total.FreeAt(s.now), 0
	for slot := range s.plan.total.Slots(s.now, Never) {
		if slot.Free < least {
			e.limits = append(e.limits, limit{slot.From - s.now, least})
			least = slot.Free
		}
		if steps++; steps == e.steps || least <= 0 || slot.To-s.now >= s.longest {
			break
		}
	}
	e.limits = append(e.limits, limit{unlimitedTime, least})
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
