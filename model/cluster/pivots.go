// Pivots: choosing and booking the first waiting jobs that do not fit, by queue order and
// partition.

package cluster

import "slices"

// planPivots goes through the queue, starts what fits and books what does not until each partition
// has its pivots, or no job is left that could become one. It returns where it stopped: jobs from
// there on do not become pivots.
func (e *easy) planPivots() cursor {
	s := e.site
	for q := range e.quotas {
		quota := &e.quotas[q]
		quota.passed, quota.left = 0, s.load.partitions[q].queued-quota.booked
	}
	passed := 0 // pivots before the cursor
	c, free := s.queue.first(), s.plan.total.FreeAt(s.now)
	for w := s.queue.at(c); w != nil && !e.pivotsComplete(); w = s.queue.at(c) {
		own := s.partition(w.number)
		quota := &e.quotas[own]
		started := false
		isPivot := passed < len(e.pivots) && e.pivots[passed].number == w.number
		mayBecome := !isPivot && quota.passed < quota.allowed
		if !isPivot {
			quota.left--
		}
		switch {
		case isPivot:
			c, started, _ = e.startPivot(&e.pivots[passed], c, free)
		case (e.kept || !mayBecome) && w.procs <= free && s.plan.fits(s.now, w.procs, w.estimate):
			c, started = s.startFrom(&s.queue, c), true
		case mayBecome: // without kept, the earliest fit also tells whether it fits now
			if e.replaceLastPivot(own, passed) {
				free = s.plan.total.FreeAt(s.now)
			}
			if start := s.plan.earliest(s.now, w.procs, w.estimate); start == s.now {
				c, started = s.startFrom(&s.queue, c), true
			} else {
				e.addPivot(passed, w, start)
				isPivot = true
			}
		}
		if started {
			free = s.plan.total.FreeAt(s.now)
			continue
		}
		if isPivot {
			passed++
			quota.passed++
		}
		c = s.queue.after(c)
	}
	return c
}

// pivotNeedsNoBooking reports whether a pass has one pivot only, and nothing but its start makes
// the plan fuller. Then findLimits computes what the pivot leaves without its booking.
func (e *easy) pivotNeedsNoBooking() bool {
	return e.pivotsOfPolicy == 1 && !e.kept && len(e.site.reservations.starts) == 0 && e.site.plan.single()
}

// pivotsComplete reports whether no job at or after the cursor of planPivots can become a pivot. In
// one profile there are then no pivots there either.
func (e *easy) pivotsComplete() bool {
	if e.site.plan.single() {
		return e.quotas[0].passed >= e.quotas[0].allowed
	}
	for _, quota := range e.quotas {
		if quota.passed < quota.allowed && quota.left > 0 {
			return false
		}
	}
	return true
}

// startPivot starts a pivot, which is at the cursor, if it fits now without its own booking, or is
// booked for now; free processors are free now. It reports whether it has started the pivot, and
// whether that has changed the plan, and returns the cursor of the next job.
func (e *easy) startPivot(pivot *waiting, c cursor, free int32) (next cursor, started, changed bool) {
	s, p := e.site, *pivot
	if p.start > s.now {
		// Up to its booked start, its booking holds none of the processors that are missing.
		upTo := min(p.estimate, p.start-s.now)
		if p.procs > free || s.plan.single() && s.config.Overrun != RunOn && !s.plan.fits(s.now, p.procs, upTo) {
			return c, false, false
		}
	}
	if p.start != s.now || s.config.Overrun == RunOn || !s.keepsProcessors(p.number) {
		s.release(p.number)
		if s.plan.fits(s.now, p.procs, p.estimate) {
			e.removePivot(&p)
			// Its booking may have held processors at other times or of other partitions. With
			// these a job may start that the pass has already gone by.
			e.unchanged = e.unchanged && p.start == s.now && !s.plan.partitioned()
			return s.startFrom(&s.queue, c), true, true
		}
		s.restore(p.number)
	}
	if p.start != s.now || s.config.Overrun == RunOn {
		return c, false, false
	}
	// It starts with the processors of its booking: the same ones that it would get anew, or under
	// Fixed those that it keeps, or in resized partitions the only ones with which it fits.
	e.removePivot(&p)
	e.unchanged = e.unchanged && !s.plan.partitioned()
	s.begin(p.number)
	return s.dequeue(&s.queue, c), true, false
}

// addPivot inserts a waiting job into the pivots at an index, and books it where it needs that.
func (e *easy) addPivot(at int, w *waiting, start int64) {
	s := e.site
	pivot := *w
	pivot.start = start
	e.pivots = slices.Insert(e.pivots, at, pivot)
	e.quotas[s.partition(w.number)].booked++
	if !e.pivotNeedsNoBooking() {
		s.book(w.number, start)
	}
	if e.kept {
		s.noteBooking(w.number)
	}
}

// removePivot makes a pivot an ordinary job. The caller has dropped its booking, or starts it.
func (e *easy) removePivot(p *waiting) {
	if len(e.pivots) == 0 {
		return // it is booked by a guarantee
	}
	at := e.site.position(e.pivots, p)
	e.quotas[e.site.partition(p.number)].booked--
	if at < len(e.pivots)/2 { // there may be thousands, and most that leave are among the first
		copy(e.pivots[1:at+1], e.pivots[:at])
		e.pivots = e.pivots[1:]
	} else {
		e.pivots = slices.Delete(e.pivots, at, at+1)
	}
}

// replaceLastPivot makes room for a pivot of a partition: if that has as many as it is allowed, the
// last of them in the queue loses its booking, unless it is among the pivots that the pass has gone
// by. It reports whether one has lost its booking.
func (e *easy) replaceLastPivot(own int32, passed int) bool {
	s, quota := e.site, &e.quotas[own]
	if quota.booked < quota.allowed {
		return false
	}
	for i := len(e.pivots) - 1; i >= passed; i-- {
		if s.partition(e.pivots[i].number) == own {
			s.unbook(e.pivots[i].number)
			e.removePivot(&e.pivots[i])
			quota.left++
			// with its processors a job may start that the pass has already gone by
			e.unchanged = false
			return true
		}
	}
	return false
}

func (e *easy) unbookPivots() {
	for i := range e.pivots {
		if number := e.pivots[i].number; e.site.starts[number] != Never {
			e.site.unbook(number)
		}
	}
}

// forgetPivots removes all pivots. They have no bookings.
func (e *easy) forgetPivots() {
	e.pivots = e.pivots[:0]
	for q := range e.quotas {
		e.quotas[q].booked = 0
	}
}

// sortPivots sorts the pivots by their scores, where these change with time.
func (e *easy) sortPivots() {
	s := e.site
	if !s.config.Order.Changes {
		return
	}
	for i := range e.pivots {
		e.pivots[i] = s.waiting(e.pivots[i].number)
	}
	slices.SortFunc(e.pivots, func(a, b waiting) int { return s.compare(&a, &b) })
}
