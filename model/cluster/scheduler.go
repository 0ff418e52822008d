package cluster

// scheduler is a policy at work on a site, with what it keeps between passes. A site calls it at
// the moments that docs/reference/scheduling.md defines. It sees all parts of the site; it starts
// and books jobs by the methods of booking.go and of this file.
//
// A new policy is a scheduler and a case of ParsePolicy.
type scheduler interface {
	// pass starts waiting jobs. Before its end each job of Site.arrivals is started or put into the
	// queue.
	pass()
	// compress may move bookings, after jobs have ended and before the next pass.
	compress()
	// changed notes that the free processors have changed by something other than a job that
	// started: so many that the plan had in use until a time are free from now on. If the time is
	// not after now, an end was as the plan had it; Never stands for any other change.
	changed(until int64, procs int32)
	// ended notes that a job has ended.
	ended(number int32)
	// startIsDue reports whether a waiting job is booked to start now and may not have had a pass.
	startIsDue() bool
}

// passOnly is a policy that keeps nothing between passes.
type passOnly struct {
	site *Site
	run  func(*Site)
}

func (p passOnly) pass()              { p.run(p.site) }
func (passOnly) compress()            {}
func (passOnly) changed(int64, int32) {}
func (passOnly) ended(int32)          {}
func (passOnly) startIsDue() bool     { return false }

// passFCFS starts jobs in queue order until one does not fit.
func passFCFS(s *Site) {
	s.startBeforeQueue()
	s.admit()
	c := s.queue.first()
	for w := s.queue.at(c); w != nil && s.plan.fits(s.now, w.procs, w.estimate); w = s.queue.at(c) {
		c = s.startAt(c)
	}
}

// startBeforeQueue starts, if the queue is empty, the arrivals that fit, up to the first that does
// not. They need not enter the queue.
func (s *Site) startBeforeQueue() {
	if s.queue.size > 0 {
		return
	}
	arrivals := s.inQueueOrder(s.arrivals)
	for len(arrivals) > 0 {
		number := arrivals[0]
		if job := &s.jobs[number]; !s.plan.fits(s.now, job.Procs, job.Estimate) {
			break
		}
		s.startNow(number)
		arrivals = arrivals[1:]
	}
	s.arrivals = append(s.arrivals[:0], arrivals...)
}

// admit puts the arrivals into the queue and sorts it, where scores change with time.
func (s *Site) admit() {
	for _, number := range s.arrivals {
		s.enqueue(s.waiting(number))
	}
	s.sortQueue()
}

// sortQueue sorts the queue where scores change with time.
func (s *Site) sortQueue() {
	if !s.config.Order.Changes {
		return
	}
	score := func(w *waiting) float64 { return s.score(w.number) }
	s.queue.sort(score)
	if s.shortest != nil {
		s.shortest.sort(score)
	}
}

// enqueue puts a job into the queue.
func (s *Site) enqueue(w waiting) {
	s.queue.insert(w)
	if s.shortest != nil {
		s.shortest.insert(w)
	}
	s.load.partitions[s.partition(w.number)].queued++
}

// dequeue takes the job at the cursor out of the queue. It returns the cursor of the next.
func (s *Site) dequeue(c cursor) cursor {
	w := s.queue.at(c)
	s.load.partitions[s.partition(w.number)].queued--
	if s.shortest != nil {
		s.shortest.remove(s.shortest.find(w))
	}
	return s.queue.remove(c)
}

// startAt starts the job at the cursor. It returns the cursor of the next.
func (s *Site) startAt(c cursor) cursor {
	s.startNow(s.queue.at(c).number)
	return s.dequeue(c)
}
