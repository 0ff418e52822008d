package cluster

import (
	"iter"
	"slices"
)

// Pass is what one's own policy sees of the machine during a pass, and how it acts. Jobs are named
// by their numbers: their place in the trace, from 0.
type Pass struct {
	site   *Site
	booked []int32
}

// Now returns the second of the pass.
func (p *Pass) Now() int64 { return p.site.now }

// Waiting returns the jobs that wait, in queue order, with their numbers. A job's Estimate is the
// one to plan with. Jobs may be started and booked meanwhile.
func (p *Pass) Waiting() iter.Seq2[int, Job] {
	queue := make([]int32, 0, p.site.queue.size) // as it is now: it may change meanwhile
	for _, b := range p.site.queue.blocks {
		for i := range b.jobs {
			queue = append(queue, b.jobs[i].number)
		}
	}
	return func(yield func(int, Job) bool) {
		for _, number := range queue {
			if p.site.ends[number] == Never && !yield(int(number), p.site.jobs[number]) {
				return
			}
		}
	}
}

// EarliestFit returns the first second from now on at which the job would fit into the plan: beside
// running jobs, reservations and bookings.
func (p *Pass) EarliestFit(number int) int64 {
	job := &p.site.jobs[number]
	return p.site.plan.earliest(p.site.now, job.Procs, job.Estimate)
}

// Start starts a waiting job that is not booked if it fits now, and reports whether it did. Like
// Book and EarliestFit, it panics on a number that is none of a job that has come.
func (p *Pass) Start(number int) bool {
	s, n := p.site, int32(number)
	if job := &s.jobs[n]; s.starts[n] != Never || !s.plan.fits(s.now, job.Procs, job.Estimate) {
		return false
	}
	w := s.waiting(n)
	s.startHere(s.queue.place(&w))
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

// passCustom is a pass of one's own policy.
func (s *Site) passCustom() {
	p := &Pass{site: s}
	s.config.Policy.pass(p)
	for _, number := range slices.Backward(p.booked) {
		s.unbook(number)
	}
}
