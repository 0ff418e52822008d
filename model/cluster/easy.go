package cluster

import (
	"math"
	"slices"
)

// passEasy is one pass of EASY backfilling with as many pivots as the policy says (Lifka, JSSPP 1995, has one). With
// partitions, each has as many (Lawson & Smirni, JSSPP 2002).
func (s *Site) passEasy() {
	if s.onlyFreshCanStart() {
		s.startFresh()
		return
	}
	s.startBeforeQueue()
	s.admit()
	if s.config.Pivot == Replanned {
		s.pivots = s.pivots[:0]
	}
	for s.nextDue() == s.now {
		s.due.Next() // a pivot whose processors are busy now waits for the first pass in which it fits
	}
	c := s.planPivots()
	if !s.plan.split() {
		s.findLimits()
		s.backfill(c)
	}
	if s.config.Pivot == Replanned {
		for i := range s.pivots {
			if number := s.pivots[i].number; s.starts[number] != Never {
				s.unbook(number)
			}
		}
	}
	s.settled = true
}

// onlyFreshCanStart reports whether a pass needs to look at the new jobs alone: since the last pass nothing has ended,
// so that no other has more room, and all stand behind the pivots, which stay what they are.
func (s *Site) onlyFreshCanStart() bool {
	if !s.settled || s.config.Pivot == Kept || s.config.Order.Changes || s.config.Overrun == RunOn || s.plan.split() ||
		len(s.pivots) < s.config.Policy.pivots {
		return false
	}
	if t, _, _, ok := s.running.Peek(); ok && t == s.now {
		return false
	}
	if t, _, _, ok := s.releases.Peek(); ok && t == s.now {
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
			s.queue.insert(w)
			continue
		}
		s.lowerLimits(w.procs, w.estimate)
		s.startNow(number)
	}
}

// lonePivot reports whether a pass has to find one pivot only, and nothing but its start makes the plan fuller. Then what
// it leaves is known without booking it.
func (s *Site) lonePivot() bool {
	return s.config.Policy.pivots == 1 && s.config.Pivot == Replanned && len(s.drops) == 0 && !s.plan.split()
}

// planPivots goes through the queue, starts what fits and books what does not until there are as many pivots as the
// policy has. It returns where it stopped: from there on jobs can only start. With partitions it goes through it all.
func (s *Site) planPivots() cursor {
	clear(s.ahead)
	lone := s.lonePivot()
	passed := 0 // pivots before the cursor
	c := s.queue.first()
	for w := s.queue.at(c); w != nil; w = s.queue.at(c) {
		own := int32(0)
		if s.plan.split() {
			own = s.partition(w.number)
		} else if s.ahead[0] == s.most[0] {
			return c
		}
		if passed < len(s.pivots) && s.pivots[passed].number == w.number {
			s.hold(w.number, -1)
			if s.plan.fits(s.now, w.procs, w.estimate) {
				s.pivots = slices.Delete(s.pivots, passed, passed+1)
				c = s.startHere(c)
				continue
			}
			s.hold(w.number, 1)
			if s.starts[w.number] == s.now && s.config.Overrun != RunOn {
				// Partitions were resized, and other bookings are of processors that would have to stand in.
				s.begin(w.number)
				s.pivots = slices.Delete(s.pivots, passed, passed+1)
				c = s.queue.remove(c)
				continue
			}
			passed++
			s.ahead[own]++
			c = s.queue.after(c)
			continue
		}
		room := s.ahead[own] < s.most[own]
		if (!room || s.config.Pivot == Kept) && s.plan.fits(s.now, w.procs, w.estimate) {
			c = s.startHere(c)
			continue
		}
		if room {
			s.replaceLastPivot(own, passed)
			start := s.plan.earliest(s.now, w.procs, w.estimate)
			if start == s.now {
				c = s.startHere(c)
				continue
			}
			pivot := *w
			pivot.start = start
			s.pivots = slices.Insert(s.pivots, passed, pivot)
			if !lone {
				s.book(w.number, start)
			}
			if s.config.Pivot == Kept {
				s.due.Push(start, 0, w.number)
			}
			passed++
			s.ahead[own]++
		}
		c = s.queue.after(c)
	}
	return c
}

// replaceLastPivot makes room for a pivot of a partition: if it has as many as the policy allows, the last of them in
// the queue loses its booking. The first so many pivots stand before the one to come.
func (s *Site) replaceLastPivot(own int32, passed int) {
	count, last := s.ahead[own], -1
	for i := passed; i < len(s.pivots); i++ {
		if !s.plan.split() || s.partition(s.pivots[i].number) == own {
			count, last = count+1, i
		}
	}
	if last >= 0 && count >= s.most[own] {
		s.unbook(s.pivots[last].number)
		s.pivots = slices.Delete(s.pivots, last, last+1)
	}
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

// findLimits finds what fits now: how many processors are free for how long. The plan gets fuller only where a pivot or a
// reservation starts, so the least of what is free up to there is what is free now or was at an earlier one.
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
		// No job that has come is longer than the longest: reservations after it do not matter to them.
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

// lowerLimits takes the processors of a job that starts now. What is left for a duration up to its estimate is that much
// less; for a longer one it is at most what is left for the estimate.
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
