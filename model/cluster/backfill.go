package cluster

// Backfilling: starting the waiting jobs that fit beside the booked pivots.

import "slices"

// backfill starts, in queue order from the cursor on, each job that fits beside the pivots: where
// the plan is one profile, the jobs within the limits.
func (e *easy) backfill(c cursor) {
	s := e.site
	for c = s.queue.nextWithin(c, e.limits); ; c = s.queue.nextWithin(c, e.limits) {
		w := s.queue.at(c)
		if w == nil {
			return
		}
		e.limits.lower(w.procs, w.estimate)
		c = s.startAt(c)
	}
}

// backfillShortest starts, shortest estimate first, each job that fits beside the pivots, where the
// plan is one profile. The pivots themselves are not within the limits.
func (e *easy) backfillShortest() {
	s := e.site
	q := s.shortest
	for c := q.nextWithin(q.first(), e.limits); ; c = q.nextWithin(c, e.limits) {
		at := q.at(c)
		if at == nil {
			return
		}
		w := *at
		e.limits.lower(w.procs, w.estimate)
		s.startNow(w.number)
		s.load.partitions[0].queued--
		s.queue.remove(s.queue.find(&w))
		c = q.remove(c)
	}
}

// backfillExactly starts, in queue order from the cursor on, each job that fits beside the pivots,
// and pivots that fit without their own booking, where the plan is not one profile. Limits are then
// upper bounds: it tries jobs within them, and pivots that are booked soon.
func (e *easy) backfillExactly(c cursor) {
	s := e.site
	e.findUpperLimits()
	e.findSoon(c)
	next := s.queue.nextWithin(c, e.limits)
	for {
		at := next
		w := s.queue.at(at)
		var from *[]waiting
		for _, list := range [...]*[]waiting{&e.soon, &e.guaranteed} {
			if len(*list) > 0 && (w == nil || s.compare(&(*list)[0], w) <= 0) {
				at, from = s.queue.find(&(*list)[0]), list
				w = s.queue.at(at)
			}
		}
		if from != nil {
			*from = (*from)[1:]
		}
		if w == nil {
			return
		}
		started := false
		switch start := s.starts[w.number]; {
		case !e.mayStart(w, start):
		case start == Never:
			if started = s.plan.fits(s.now, w.procs, w.estimate); started {
				e.limits.lower(w.procs, w.estimate)
				c = s.startAt(at)
			}
		default:
			pivot := *w
			pivot.start = start
			if c, started = e.startPivot(&pivot, at, s.plan.total.FreeAt(s.now)); started {
				e.findUpperLimits() // they counted its booking
				e.findSoon(c)
			}
		}
		if !started && from == &e.guaranteed {
			e.guarantee(w)
		}
		switch {
		case started:
			next = s.queue.nextWithin(c, e.limits)
		case at == next:
			next = s.queue.nextWithin(s.queue.after(at), e.limits)
		}
	}
}

// findSoon lists, in queue order from the cursor on, pivots that may start though nextWithin does
// not find them. A pivot needs processors of others only up to its booked start, so its limit is
// one for that time, not for its estimate. For a pivot that is booked later than all limits but the
// last, both are the last limit. (A load forecast books thousands of pivots: trying each of them in
// each pass takes more than three times as long.)
func (e *easy) findSoon(c cursor) {
	s := e.site
	e.soon = e.soonRoom[:0]
	first := s.queue.at(c)
	if first == nil {
		return
	}
	add := func(number int32) {
		if w := s.waiting(number); s.compare(&w, first) >= 0 {
			e.soon = append(e.soon, w)
		}
	}
	for _, number := range e.due {
		if s.ends[number] == Never && s.starts[number] == s.now {
			add(number)
		}
	}
	if s.config.Overrun == RunOn {
		// Pivots whose processors were busy when they were due wait for the first pass in which
		// they fit.
		for i := range e.pivots {
			if p := &e.pivots[i]; p.start <= s.now {
				add(p.number)
			}
		}
	}
	if len(e.limits) > 1 {
		for start, number := range s.bookings.Until(s.now + e.limits[len(e.limits)-2].estimate) {
			if s.ends[number] != Never || s.starts[number] != start {
				continue // a reminder of a start that has passed or moved
			}
			// limits only fall until the list is made again
			if w := s.waiting(number); e.mayStart(&w, start) {
				add(number)
			}
		}
	}
	slices.SortFunc(e.soon, func(a, b waiting) int { return s.compare(&a, &b) })
	e.soon = slices.CompactFunc(e.soon, func(a, b waiting) bool { return a.number == b.number })
	e.soonRoom = e.soon
}

// mayStart reports whether a waiting job is within the limits: one that is booked, for the time up
// to its start.
func (e *easy) mayStart(w *waiting, start int64) bool {
	if start <= e.site.now {
		return true
	}
	need := *w
	if start != Never {
		need.estimate = min(need.estimate, start-e.site.now)
	}
	return need.within(e.limits)
}
