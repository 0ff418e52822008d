package cluster

// Pass: the interface through which a user's own policy starts and books jobs.

import "iter"

// Pass is what a policy of your own sees of the machine during a pass, and how it acts. Jobs are
// named by their numbers: their index in the trace.
type Pass struct {
	site   *Site
	booked []int32
}

// Now returns the second of the pass.
func (p *Pass) Now() int64 { return p.site.now }

// Waiting returns the jobs that wait, in queue order, with their numbers. A job's Estimate is the
// one to plan with. The loop may start and book jobs.
func (p *Pass) Waiting() iter.Seq2[int, Job] {
	queue := make([]int32, 0, p.site.queue.size) // a copy: starts change the queue
	for w := range p.site.queue.all() {
		queue = append(queue, w.number)
	}
	return func(yield func(int, Job) bool) {
		for _, number := range queue {
			if p.site.ends[number] == Never && !yield(int(number), p.site.jobs[number]) {
				return
			}
		}
	}
}

// EarliestFit returns the first second from now on at which the job fits into the plan: beside
// running jobs, reservations and bookings.
func (p *Pass) EarliestFit(number int) int64 {
	job := &p.site.jobs[number]
	return p.site.plan.earliest(p.site.now, job.Procs, job.Estimate)
}

// Start starts a waiting job that is not booked if it fits now, and reports whether it did. Like
// Book and EarliestFit, it panics for a number that no job has.
func (p *Pass) Start(number int) bool {
	s, n := p.site, int32(number)
	if job := &s.jobs[n]; s.starts[n] != Never || !s.plan.fits(s.now, job.Procs, job.Estimate) {
		return false
	}
	w := s.waiting(n)
	s.startAt(s.queue.find(&w))
	return true
}

// Book enters a waiting job into the plan at its earliest fit until the pass ends, and returns that
// second. A job that is booked keeps its booking.
func (p *Pass) Book(number int) int64 {
	s, n := p.site, int32(number)
	if s.starts[n] == Never {
		s.book(n, p.EarliestFit(number))
		p.booked = append(p.booked, n)
	}
	return s.starts[n]
}

// runPass is one pass of a policy of the user's own.
func runPass(s *Site, pass func(*Pass)) {
	s.admit()
	p := &Pass{site: s}
	pass(p)
	for _, number := range p.booked {
		s.unbook(number)
	}
}
