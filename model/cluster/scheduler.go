// Scheduler: what a policy is to a site, the simplest policy, and steps that policies share.

package cluster

// scheduler is a policy at work on a site, with what it keeps between passes. A site calls it at
// the moments that docs/reference/scheduling.md defines. It sees all of the site; it starts
// and books jobs by the methods of booking.go and of this file.
//
// A new policy is a scheduler and a case of ParsePolicy.
type scheduler interface {
	// pass starts waiting jobs. Before its end each job of Site.arrivals is started or put into the
	// queue.
	pass()
	// compress may move bookings, after jobs have ended and before the next pass.
	compress()
	// ended notes that a job has ended, for which the plan held processors until a time, in s.
	ended(number int32, planned int64)
	// changed notes that the plan has changed by something other than jobs that start or end.
	changed()
	// startIsDue reports whether the passes of this second may have missed a job that is booked to
	// start now, or a pass that the policy requests for now.
	startIsDue() bool
}

// fcfs is first come, first served: it starts jobs in queue order until one does not fit.
type fcfs struct{ site *Site }

func (fcfs) compress()          {}
func (fcfs) ended(int32, int64) {}
func (fcfs) changed()           {}
func (fcfs) startIsDue() bool   { return false }

func (f fcfs) pass() {
	s := f.site
	s.admit()
	c := s.queue.first()
	for w := s.queue.at(c); w != nil && s.plan.fits(s.now, w.procs, w.estimate); w = s.queue.at(c) {
		c = s.startFrom(&s.queue, c)
	}
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
	s.queue.sort(s.score)
	if s.shortest != nil {
		s.shortest.sort(s.score)
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

// dequeue takes the job at the cursor of q, which is Site.queue or Site.shortest, out of both. It
// returns the cursor of the next job of q.
func (s *Site) dequeue(q *queue, c cursor) cursor {
	w := q.at(c)
	s.load.partitions[s.partition(w.number)].queued--
	if s.shortest != nil {
		other := s.shortest
		if q == other {
			other = &s.queue
		}
		other.remove(other.find(w))
	}
	return q.remove(c)
}

// startFrom starts the job at the cursor of q. It returns the cursor of the next.
func (s *Site) startFrom(q *queue, c cursor) cursor {
	s.startNow(q.at(c).number)
	return s.dequeue(q, c)
}

// startWaiting starts a job in the queue.
func (s *Site) startWaiting(w *waiting) { s.startFrom(&s.queue, s.queue.find(w)) }
