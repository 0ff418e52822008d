package cluster

import "slices"

// planPivots goes through the queue, starts what fits and books what does not until each partition
// has as many pivots as it may have, or none waits that could become one. It returns where it
// stopped: from there on jobs can only start.
func (s *Site) planPivots() cursor {
	clear(s.ahead)
	lone := s.lonePivot()
	passed := 0 // pivots before the cursor
	for q := range s.left {
		s.left[q] = s.waits[q] - s.booked[q]
	}
	free := s.plan.freeAt(s.now)
	c := s.queue.first()
	for w := s.queue.at(c); w != nil && !s.allBooked(); w = s.queue.at(c) {
		own := s.partition(w.number)
		if passed < len(s.pivots) && s.pivots[passed].number == w.number {
			if next, started := s.startPivot(passed, c, free); started {
				c, free = next, s.plan.freeAt(s.now)
				continue
			}
			passed++
			s.ahead[own]++
			c = s.queue.after(c)
			continue
		}
		s.left[own]--
		room := s.ahead[own] < s.most[own]
		if (!room || s.config.Pivot == Kept) && w.procs <= free && s.plan.fits(s.now, w.procs, w.estimate) {
			c, free = s.startHere(c), s.plan.freeAt(s.now)
			continue
		}
		if room {
			s.replaceLastPivot(own, passed)
			start := s.plan.earliest(s.now, w.procs, w.estimate)
			if start == s.now {
				c, free = s.startHere(c), s.plan.freeAt(s.now)
				continue
			}
			free = s.plan.freeAt(s.now) // of the pivot that was replaced too
			s.addPivot(passed, w, start)
			if !lone {
				s.book(w.number, start)
			}
			passed++
			s.ahead[own]++
		}
		c = s.queue.after(c)
	}
	return c
}

// allBooked reports whether no job behind the cursor can become a pivot. In a single plan there are
// then no pivots behind it either.
func (s *Site) allBooked() bool {
	if s.plan.single() {
		return s.ahead[0] >= s.most[0]
	}
	for q, ahead := range s.ahead {
		if ahead < s.most[q] && s.left[q] > 0 {
			return false
		}
	}
	return true
}

// startPivot starts a pivot, which is under the cursor, if it fits now without its own booking, or
// is booked for now; at most so many processors are free. It reports whether, and returns the
// cursor of the next.
func (s *Site) startPivot(at int, c cursor, free int32) (next cursor, started bool) {
	if p := &s.pivots[at]; p.start > s.now && p.procs > free {
		return c, false // its own booking takes nothing of what is free now
	}
	p := s.pivots[at]
	if s.plan.places == nil || p.start != s.now {
		s.hold(p.number, -1)
		if s.plan.fits(s.now, p.procs, p.estimate) {
			s.removePivot(at, s.partition(p.number))
			// What it leaves where it was booked, or in partitions that it no longer borrows from,
			// may let a job start that the pass has passed.
			s.settled = s.settled && p.start == s.now && !s.plan.split()
			return s.startHere(c), true
		}
		s.hold(p.number, 1)
	}
	if p.start != s.now || s.config.Overrun == RunOn {
		return c, false
	}
	// It keeps its processors: particular ones, or those of partitions that were resized, where
	// others that are booked would have to stand in.
	s.removePivot(at, s.partition(p.number))
	s.begin(p.number)
	return s.leave(c), true
}

// addPivot makes a waiting job a pivot, with so many pivots before it.
func (s *Site) addPivot(at int, w *waiting, start int64) {
	pivot := *w
	pivot.start = start
	s.pivots = slices.Insert(s.pivots, at, pivot)
	s.booked[s.partition(w.number)]++
	if s.config.Pivot == Kept {
		s.due.Push(start, 0, w.number)
	}
}

// removePivot makes a pivot of a partition an ordinary job, which is no longer booked.
func (s *Site) removePivot(at int, own int32) {
	if at < len(s.pivots)/2 { // there may be thousands, and most that leave are among the first
		copy(s.pivots[1:at+1], s.pivots[:at])
		s.pivots = s.pivots[1:]
	} else {
		s.pivots = slices.Delete(s.pivots, at, at+1)
	}
	s.booked[own]--
}

// replaceLastPivot makes room for a pivot of a partition: if it has as many as the policy allows,
// the last of them in the queue loses its booking. The first so many pivots stand before the one to
// come.
func (s *Site) replaceLastPivot(own int32, passed int) {
	if s.booked[own] < s.most[own] {
		return
	}
	for i := len(s.pivots) - 1; i >= passed; i-- {
		if s.partition(s.pivots[i].number) == own {
			s.unbook(s.pivots[i].number)
			s.removePivot(i, own)
			s.left[own]++
			s.settled = false // what it leaves may let a job start that the pass has passed
			return
		}
	}
}
