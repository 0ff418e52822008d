package cluster

import (
	"math"
	"slices"
)

// passEasy is one pass of EASY backfilling with as many pivots as the policy says (Lifka, JSSPP
// 1995, has one). With partitions, each has as many (Lawson & Smirni, JSSPP 2002).
func (s *Site) passEasy() {
	if s.onlyFreshCanStart() {
		s.startFresh()
		return
	}
	if s.config.Pivot == Kept && s.nothingHasChanged() && s.placeFresh() {
		return
	}
	s.startBeforeQueue()
	if s.queue.size == 0 && len(s.fresh) == 0 {
		s.settled = true // nobody waits
		return
	}
	s.admit()
	if s.config.Pivot == Replanned {
		s.pivots = s.pivots[:0]
		clear(s.booked)
	}
	s.dueNow = s.dueNow[:0]
	for s.nextDue() == s.now {
		number, _ := s.due.Next()
		s.dueNow = append(s.dueNow, number)
	}
	s.settled = true
	c := s.planPivots()
	if s.plan.single() {
		s.findLimits()
		s.backfill(c)
	} else {
		s.backfillExactly(c)
	}
	if s.config.Pivot == Replanned {
		for i := range s.pivots {
			if number := s.pivots[i].number; s.starts[number] != Never {
				s.unbook(number)
			}
		}
	}
}

// onlyFreshCanStart reports whether a pass needs to look at the new jobs alone, and only at whether
// they can start: since the last pass nothing has changed, and all stand behind the pivots, which
// stay what they are.
func (s *Site) onlyFreshCanStart() bool {
	if s.config.Pivot == Kept || !s.plan.single() || len(s.pivots) < s.config.Policy.pivots || !s.nothingHasChanged() {
		return false
	}
	last := &s.pivots[len(s.pivots)-1]
	for _, number := range s.fresh {
		if w := s.waiting(number); w.compare(last) < 0 || s.now+w.estimate > s.horizon {
			return false
		}
	}
	return true
}

// nothingHasChanged reports whether since the last pass nothing has ended and nothing is due, so
// that no job that waited then has more room.
func (s *Site) nothingHasChanged() bool {
	if !s.settled || s.config.Order.Changes || s.config.Overrun == RunOn {
		return false
	}
	if t, _, _, ok := s.running.Peek(); ok && t == s.now {
		return false
	}
	if t, _, _, ok := s.releases.Peek(); ok && t == s.now {
		return false
	}
	return s.config.Pivot == Replanned || s.nextDue() > s.now
}

// placeFresh starts, books or leaves waiting the new jobs where pivots are kept and nothing has
// changed for the others. It reports false where one of them takes a pivot's place: then its
// booking is free for others, and a whole pass has to go on with the jobs that are still new.
func (s *Site) placeFresh() bool {
	fresh := s.inQueueOrder(s.fresh)
	for i, number := range fresh {
		w := s.waiting(number)
		own := s.partition(number)
		at := place(s.pivots, &w)
		ahead := 0
		for k := 0; k < at && ahead < s.most[own]; k++ {
			if s.partition(s.pivots[k].number) == own {
				ahead++
			}
		}
		room := ahead < s.most[own]
		if room && s.booked[own] >= s.most[own] {
			s.fresh = append(s.fresh[:0], fresh[i:]...)
			return false
		}
		if s.plan.fits(s.now, w.procs, w.estimate) {
			s.startNow(number)
			continue
		}
		s.enter(w)
		if room {
			s.addPivot(at, &w, s.plan.earliest(s.now, w.procs, w.estimate))
			s.book(number, s.pivots[at].start)
		}
	}
	return true
}

// startFresh starts those of the new jobs that are within what the last pass left.
func (s *Site) startFresh() {
	for i := range s.limits {
		if l := &s.limits[i]; l.estimate != math.MaxInt64 {
			l.estimate -= s.now - s.limited
		}
	}
	s.limited = s.now
	for _, number := range s.inQueueOrder(s.fresh) {
		w := s.waiting(number)
		if !w.within(s.limits) {
			s.enter(w)
			continue
		}
		s.lowerLimits(w.procs, w.estimate)
		s.startNow(number)
	}
}

// lonePivot reports whether a pass has to find one pivot only, and nothing but its start makes the
// plan fuller. Then what it leaves is known without booking it.
func (s *Site) lonePivot() bool {
	return s.config.Policy.pivots == 1 && s.config.Pivot == Replanned && len(s.drops) == 0 && s.plan.single()
}

// backfillExactly starts, in queue order from the cursor on, each job that fits beside the pivots,
// and pivots that fit without their own booking, where the number of free processors alone does not
// say what fits. It does say what may: jobs within the limits, and pivots that are booked soon.
func (s *Site) backfillExactly(c cursor) {
	s.boundLimits()
	s.findSoon(c)
	next := s.queue.nextWithin(c, s.limits)
	for {
		at := next
		w := s.queue.at(at)
		if len(s.soon) > 0 && (w == nil || s.soon[0].compare(w) <= 0) {
			at = s.queue.place(&s.soon[0])
			w = s.queue.at(at)
			s.soon = s.soon[1:]
		}
		if w == nil {
			return
		}
		started := false
		switch start := s.starts[w.number]; {
		case !s.mayStart(w, start):
		case start == Never:
			if started = s.plan.fits(s.now, w.procs, w.estimate); started {
				s.lowerLimits(w.procs, w.estimate)
				c = s.startHere(at)
			}
		default:
			if c, started = s.startPivot(place(s.pivots, w), at, s.plan.freeAt(s.now)); started {
				s.boundLimits() // its booking no longer counts
				s.findSoon(c)
			}
		}
		switch {
		case started:
			next = s.queue.nextWithin(c, s.limits)
		case at == next:
			next = s.queue.nextWithin(s.queue.after(at), s.limits)
		}
	}
}

// findSoon lists, in queue order from the cursor on, the pivots that need others' processors for no
// longer than the limits tell of: those that are booked by then, or were before now.
func (s *Site) findSoon(c cursor) {
	s.soon = s.soonRoom[:0]
	first := s.queue.at(c)
	if first == nil {
		return
	}
	add := func(number int32) {
		if w := s.waiting(number); w.compare(first) >= 0 {
			s.soon = append(s.soon, w)
		}
	}
	for _, number := range s.dueNow {
		if s.ends[number] == Never && s.starts[number] == s.now {
			add(number)
		}
	}
	if s.config.Overrun == RunOn { // pivots whose processors were busy when they were due wait for the first pass in which they fit
		for i := range s.pivots {
			if p := &s.pivots[i]; p.start <= s.now {
				add(p.number)
			}
		}
	}
	if len(s.limits) > 1 {
		for start, number := range s.due.Until(s.now + s.limits[len(s.limits)-2].estimate) {
			if s.ends[number] == Never && s.starts[number] == start {
				add(number)
			}
		}
	}
	slices.SortFunc(s.soon, func(a, b waiting) int { return a.compare(&b) })
	s.soon = slices.CompactFunc(s.soon, func(a, b waiting) bool { return a.number == b.number })
	s.soonRoom = s.soon
}

// mayStart reports whether a waiting job is within the limits. One that is booked needs others'
// processors up to its start alone: from then on it has its own.
func (s *Site) mayStart(w *waiting, start int64) bool {
	if start <= s.now {
		return true
	}
	need := *w
	if start != Never {
		need.estimate = min(need.estimate, start-s.now)
	}
	return need.within(s.limits)
}

// boundLimits finds how many processors are free for how long, be they of one partition or of
// several, or the same ones or not: no job that fits needs more. It does not look far, so that a
// job may need less than that and yet not fit.
func (s *Site) boundLimits() {
	const pieces = 32
	s.limits = s.limits[:0]
	least, at := s.plan.freeAt(s.now), s.now
	for range pieces {
		free, until := s.plan.step(at)
		if free < least {
			s.limits = append(s.limits, limit{at - s.now, least})
			least = free
		}
		if at = until; least <= 0 || at-s.now >= s.longest {
			break
		}
	}
	s.limits = append(s.limits, limit{math.MaxInt64, least})
}

// backfill starts, in queue order from the cursor on, each job that fits beside the pivots.
func (s *Site) backfill(c cursor) {
	for c = s.queue.nextWithin(c, s.limits); ; c = s.queue.nextWithin(c, s.limits) {
		w := s.queue.at(c)
		if w == nil {
			return
		}
		s.lowerLimits(w.procs, w.estimate)
		c = s.startHere(c)
	}
}

// findLimits finds what fits now: how many processors are free for how long. The plan gets fuller
// only where a pivot or a reservation starts, so the least of what is free up to there is what is
// free now or was at an earlier one.
func (s *Site) findLimits() {
	s.limits, s.limited, s.horizon = s.limits[:0], s.now, Never
	least := s.plan.total.FreeAt(s.now)
	drop := func(at int64, free int32) {
		if free < least {
			s.limits = append(s.limits, limit{at - s.now, least})
			least = free
		}
	}
	if s.lonePivot() {
		for i := range s.pivots {
			p := &s.pivots[i]
			drop(p.start, s.plan.total.FreeAt(p.start)-p.procs)
		}
	} else {
		// No job that has come is longer than the longest: reservations after it do not matter to
		// them.
		near, _ := slices.BinarySearch(s.drops, s.now+s.longest)
		if near < len(s.drops) {
			s.horizon = s.drops[near]
		}
		s.times = append(s.times[:0], s.drops[:near]...)
		for i := range s.pivots {
			s.times = append(s.times, s.pivots[i].start)
		}
		slices.Sort(s.times)
		for _, at := range s.times {
			if least <= 0 {
				break
			}
			drop(at, s.plan.total.FreeAt(at))
		}
	}
	s.limits = append(s.limits, limit{math.MaxInt64, least})
}

// lowerLimits takes the processors of a job that starts now. What is left for a duration up to its
// estimate is that much less; for a longer one it is at most what is left for the estimate.
func (s *Site) lowerLimits(procs int32, estimate int64) {
	at := slices.IndexFunc(s.limits, func(l limit) bool { return l.estimate >= estimate })
	left := s.limits[at].procs - procs
	for i := range s.limits {
		if i < at {
			s.limits[i].procs -= procs
		} else {
			s.limits[i].procs = min(s.limits[i].procs, left)
		}
	}
}

// inQueueOrder sorts jobs that wait by their place in the queue.
func (s *Site) inQueueOrder(numbers []int32) []int32 {
	if s.config.Order.Score == nil {
		slices.Sort(numbers)
	} else {
		slices.SortFunc(numbers, func(a, b int32) int {
			v, w := s.waiting(a), s.waiting(b)
			return v.compare(&w)
		})
	}
	return numbers
}
