package cluster

// passBooked is one pass of conservative backfilling (Mu'alem & Feitelson, IEEE TPDS 2001): it
// books the new jobs and starts what is booked for now.
func (s *Site) passBooked() {
	if s.overrun.void && len(s.fresh) > 0 {
		s.replan()
	}
	for _, number := range s.inQueueOrder(s.fresh) {
		if w := s.waiting(number); w.start == Never {
			s.bookEarliest(s.queue.at(s.queue.place(&w)))
		}
	}
	s.startDue()
}

// bookEarliest books a waiting job at its earliest fit.
func (s *Site) bookEarliest(w *waiting) {
	w.start = s.plan.earliest(s.now, w.procs, w.estimate)
	s.book(w.number, w.start)
	s.due.Push(w.start, 0, w.number)
}

// startDue starts, in queue order, the jobs that are booked for now. Under RunOn, those whose
// processors are busy stay due until the second is over.
func (s *Site) startDue() {
	s.ready = s.ready[:0]
	for _, number := range s.overrun.late {
		if s.starts[number] == s.now {
			s.ready = append(s.ready, number)
		}
	}
	s.overrun.late = s.overrun.late[:0]
	for s.nextDue() == s.now {
		number, _ := s.due.Next()
		s.ready = append(s.ready, number)
	}
	for _, number := range s.inQueueOrder(s.ready) {
		if s.ends[number] != Never {
			continue // it was moved away and back, and stood there twice
		}
		if s.config.Overrun == RunOn && !s.overrun.free(s, number) {
			s.overrun.late = append(s.overrun.late, number)
			continue
		}
		w := s.waiting(number)
		s.queue.remove(s.queue.place(&w))
		s.begin(number)
	}
}

// compress moves waiting jobs, in queue order, each to its earliest fit with the others staying
// where they are booked. It is skipped where the last compression moved none and no end has freed
// anything in the plan since.
func (s *Site) compress() {
	if !s.config.Policy.books() {
		return
	}
	s.extend()
	s.resort()
	if s.overrun.void {
		s.replan()
		return
	}
	if s.settled || s.config.Policy.kind == fixed {
		return
	}
	s.settled = !s.plan.split() // else, where the start stays, the partitions that a job borrows from may change
	for _, b := range s.queue.blocks {
		for i := range b.jobs {
			if s.moveEarlier(&b.jobs[i]) {
				s.settled = false
			}
		}
	}
}

// moveEarlier moves a booked job to its earliest fit, and reports whether that is before where it
// was.
func (s *Site) moveEarlier(w *waiting) bool {
	if w.start == Never {
		return false
	}
	start := w.start
	if !s.plan.single() {
		s.hold(w.number, -1)
		start = s.plan.earliest(s.now, w.procs, w.estimate)
		// Later: a job runs on over its estimate. Else what has particular processors keeps them.
		if start > w.start || start == w.start && s.plan.places != nil {
			s.hold(w.number, 1)
			return false
		}
		s.book(w.number, start)
	} else if start > s.now {
		if start = s.plan.total.EarlierFit(s.now, w.procs, w.estimate, w.start); start < w.start {
			s.hold(w.number, -1)
			s.book(w.number, start)
		}
	}
	if start == w.start {
		return false
	}
	w.start = start
	s.due.Push(start, 0, w.number)
	return true
}
