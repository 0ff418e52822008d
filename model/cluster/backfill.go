// Backfilling: starting the waiting jobs that fit beside the booked pivots.

package cluster

import "slices"

// backfill starts, in the order of q from the cursor on, each job that fits beside the pivots:
// where the plan is one profile, the jobs within the limits. The pivots are not within them.
func (e *easy) backfill(q *queue, c cursor) {
	for {
		c = q.nextWithin(c, e.limits)
		w := q.at(c)
		if w == nil {
			return
		}
		e.limits.lower(w.procs, w.estimate)
		c = e.site.startFrom(q, c)
	}
}

// backfillExactly starts, in queue order from the cursor on, each job that fits beside the bookings
// of the others, and books those of toBook that do not. Here the plan need not be one profile, so
// limits are upper bounds: it tries the jobs within them, and those that findListed lists.
func (e *easy) backfillExactly(c cursor) {
	s := e.site
	e.findUpperLimits()
	listed := e.findListed(c)
	next := s.queue.nextWithin(c, e.limits)
	for {
		at, w := next, s.queue.at(next)
		isListed := len(listed) > 0 && (w == nil || s.compare(&listed[0], w) <= 0)
		if isListed {
			at = s.queue.find(&listed[0])
			w, listed = s.queue.at(at), listed[1:]
		}
		if w == nil {
			return
		}
		start, started := s.starts[w.number], false
		mayStart := e.mayStart(w, start)
		switch {
		case mayStart && start != Never:
			pivot := *w
			pivot.start = start
			var changed bool
			if c, started, changed = e.startPivot(&pivot, at, s.plan.total.FreeAt(s.now)); changed {
				e.findUpperLimits() // they counted its booking
				listed = e.findListed(c)
			}
		case mayStart && s.plan.fits(s.now, w.procs, w.estimate):
			e.limits.lower(w.procs, w.estimate)
			c, started = s.startFrom(&s.queue, at), true
		case start == Never && isListed:
			e.bookGuaranteed(w)
		}
		switch {
		case started:
			next = s.queue.nextWithin(c, e.limits)
		case at == next: // else next is behind a listed job
			next = s.queue.nextWithin(s.queue.after(at), e.limits)
		}
	}
}

// findListed lists, in queue order from the cursor on, the jobs to book, and the booked jobs that
// may start though nextWithin does not find them. A booked job needs processors of others only up
// to its start, so the limit for that time counts, not that for its estimate.
//
// Where the job starts after the times of all limits but the last, both are the same limit, and
// nextWithin finds it. (A load forecast books thousands of jobs: to try each in each pass takes
// over three times as long.)
func (e *easy) findListed(c cursor) []waiting {
	s := e.site
	e.listed = e.listed[:0]
	first := s.queue.at(c)
	if first == nil {
		return nil
	}
	add := func(number int32) {
		if w := s.waiting(number); s.compare(&w, first) >= 0 {
			e.listed = append(e.listed, w)
		}
	}
	for _, number := range e.toBook {
		if s.starts[number] == Never {
			add(number)
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
				continue // it has started, or its booking has moved
			}
			// limits only fall until the list is made again
			if w := s.waiting(number); e.mayStart(&w, start) {
				add(number)
			}
		}
	}
	slices.SortFunc(e.listed, func(a, b waiting) int { return s.compare(&a, &b) })
	e.listed = slices.CompactFunc(e.listed, func(a, b waiting) bool { return a.number == b.number })
	return e.listed
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
