// Conservative: the policy that books each job when it arrives.

package cluster

import "errors"

// conservative is conservative backfilling (Mu'alem & Feitelson, IEEE TPDS 2001): each job is
// booked at its earliest fit when it arrives.
//
// Invariants: after a pass each job in the queue is booked. Its entry there has its start.
type conservative struct {
	site       *Site
	compresses bool // bookings move to earlier starts when jobs end

	// compression would move nothing: nothing has been freed in the plan since the last one
	compressed bool
	// freed finds earlier fits. It is nil where bookings do not move or may overlap, and where the
	// plan is not one profile.
	freed *freedHoles

	// Under RunOn the processors of a job may be busy at its booked start.
	late   []int32 // such jobs, booked for lateAt
	lateAt int64   // s
	missed bool    // one did not start in its second: all bookings are to be made anew

	due []int32 // scratch
}

// parseConservative reads whether starts are fixed at arrival.
func parseConservative(argument string) (Policy, error) {
	if argument != "" && argument != "fixed" {
		return Policy{}, errors.New("it is conservative or conservative:fixed")
	}
	return Policy{scheduler: func(s *Site) scheduler {
		c := &conservative{site: s, compresses: argument == ""}
		if c.compresses && s.plan.single() && s.config.Overrun != RunOn {
			c.freed = newFreedHoles(s)
		}
		return c
	}}, nil
}

func (c *conservative) ended(number int32, planned int64) {
	if planned <= c.site.now {
		return // the plan has its processors free from now on already
	}
	c.compressed = false
	if c.freed != nil {
		c.freed.add(c.site.now, planned, c.site.jobs[number].Procs)
	}
}

func (c *conservative) changed() {
	c.compressed = false
	if c.freed != nil {
		c.freed.addAll()
	}
}

// pass books the arrivals and starts the jobs that are booked for now.
func (c *conservative) pass() {
	s := c.site
	c.noteMissed()
	c.due = c.due[:0]
	if c.missed && len(s.arrivals) > 0 { // without arrivals, bookings stand until a job ends
		s.admit()
		c.replan()
		s.arrivals = s.arrivals[:0]
	}
	s.sortQueue()
	for _, number := range s.inQueueOrder(s.arrivals) {
		w := s.waiting(number)
		if w.start == Never { // else it was adopted with its booking
			if c.book(&w) == s.now {
				c.due = append(c.due, number)
				continue
			}
			s.noteBooking(number)
		}
		s.enqueue(w)
	}
	c.startDue()
}

// book books a job at its earliest fit, which it returns.
func (c *conservative) book(w *waiting) int64 {
	s := c.site
	w.start = s.plan.earliest(s.now, w.procs, w.estimate)
	s.book(w.number, w.start)
	return w.start
}

// startDue starts, in queue order, the jobs that are booked for now, of which arrivals need not be
// in the queue. Under RunOn, those whose processors are busy stay due until the second is over.
func (c *conservative) startDue() {
	s := c.site
	for _, number := range c.late {
		if s.starts[number] == s.now {
			c.due = append(c.due, number)
		}
	}
	c.late, c.lateAt = c.late[:0], s.now
	c.due = s.takeBookedNow(c.due)
	for _, number := range s.inQueueOrder(c.due) {
		if s.ends[number] != Never {
			continue // it has just started: it was listed twice
		}
		w := s.waiting(number)
		at := s.queue.find(&w)
		found := s.queue.at(at)
		isQueued := found != nil && found.number == number
		switch {
		case s.config.Overrun == RunOn && !s.overruns.idle(s, number):
			c.late = append(c.late, number)
			if !isQueued {
				s.enqueue(w)
			}
			continue
		case isQueued:
			s.dequeue(&s.queue, at)
		}
		s.begin(number)
	}
}

// noteMissed notes whether a booked start was missed in an earlier second.
func (c *conservative) noteMissed() {
	if len(c.late) > 0 && c.lateAt < c.site.now {
		c.missed, c.late = true, c.late[:0]
	}
}

func (c *conservative) startIsDue() bool {
	c.noteMissed()
	return len(c.late) > 0 || c.site.nextBooking() == c.site.now
}

// compress moves waiting jobs, in queue order, each to its earliest fit while the others stay where
// they are booked. After a missed start it books all anew instead.
func (c *conservative) compress() {
	s := c.site
	c.noteMissed()
	s.planOverruns()
	s.sortQueue()
	switch {
	case c.missed:
		c.replan()
	case c.compresses && !c.compressed:
		// A job that stays where it is may still borrow from other partitions than before, which
		// another compression would use.
		c.compressed = !s.plan.partitioned()
		if c.freed != nil {
			c.freed.beginCompression()
			defer c.freed.endCompression()
		}
		for w := range s.queue.all() {
			if c.moveEarlier(w) {
				c.compressed = false
			}
		}
		c.dropMovedBookings()
	}
}

// dropMovedBookings makes Site.bookings anew where most of them have moved away.
func (c *conservative) dropMovedBookings() {
	s := c.site
	if s.bookings.Len() <= 2*s.queue.size+64 {
		return
	}
	s.bookings.Reset()
	for w := range s.queue.all() {
		if w.start >= s.now {
			s.noteBooking(w.number)
		}
	}
}

// moveEarlier moves a booked job to its earliest fit, and reports whether that is before its
// booking.
func (c *conservative) moveEarlier(w *waiting) bool {
	s := c.site
	var start int64
	if !s.plan.single() {
		s.release(w.number)
		start = s.plan.earliest(s.now, w.procs, w.estimate)
		// It is later where another job runs on over its estimate. Where it is the same, a job with
		// particular processors keeps them.
		if start > w.start || start == w.start && s.plan.numbered != nil {
			s.restore(w.number)
			return false
		}
		s.book(w.number, start)
	} else if start = c.earlierFit(w); start < w.start {
		// changes only what differs: in a deep queue most bookings move by less than their length
		s.plan.sum.Move(w.start, start, w.procs, w.estimate)
		s.starts[w.number] = start
		if c.freed != nil {
			c.freed.add(max(w.start, start+w.estimate), w.start+w.estimate, w.procs)
		}
	}
	if start == w.start {
		return false
	}
	w.start = start
	s.noteBooking(w.number)
	return true
}

// earlierFit returns the earliest fit of a booked job without its booking, where the plan is one
// profile.
func (c *conservative) earlierFit(w *waiting) int64 {
	if c.freed != nil {
		return c.freed.earlierFit(c.site.now, w)
	}
	return c.site.plan.sum.EarlierFit(c.site.now, w.procs, w.estimate, w.start)
}

// replan drops all bookings and books all jobs anew, in queue order.
func (c *conservative) replan() {
	s := c.site
	for w := range s.queue.all() {
		if w.start != Never {
			s.unbook(w.number)
		}
	}
	for w := range s.queue.all() {
		c.book(w)
		s.noteBooking(w.number)
	}
	c.missed, c.compressed = false, false
}
