package cluster

import (
	"errors"
	"fmt"

	"gridsweep/model/profile"
)

// Adopt adds a job with the booking that it has on another machine, so that a simulation can go on
// from the middle of another one, and returns its number. Start, at or after now, is where it is
// booked; a job that runs is adopted with start = now and with what is left of its run time and its
// estimate, in s. It starts in the pass of that second. Under Fixed it keeps the processors given,
// else they are nil. Jobs adopted and submitted so far stand in the queue in the order in which
// they came.
//
// It returns an error for a job that breaks the rules of docs/reference/scheduling.md, for a policy
// that does not book each job when it arrives, for jobs that run on past their estimates, of which
// nothing may be left, for several partitions whose processors are counted, since the booking does
// not say whose it has, for processors that are not the job's number of the machine's, and for ones
// that are not free throughout the booking.
func (s *Site) Adopt(now int64, job Job, start int64, processors profile.Set) (number int, err error) {
	job.Submit = now
	if err := s.check(&job); err != nil {
		return 0, err
	}
	if err := s.checkQueue(); err != nil {
		return 0, err
	}
	s.turn(now)
	if err := s.checkAdoption(&job, start, processors); err != nil {
		return 0, err
	}
	s.enqueue(job)
	number = len(s.jobs) - 1
	if s.plan.places != nil {
		copy(s.plan.places.holds(int32(number)), processors)
		s.starts[number] = start
		s.hold(int32(number), 1)
	} else {
		s.book(int32(number), start)
	}
	s.due.Push(start, 0, int32(number))
	s.settled = false
	return number, nil
}

// checkAdoption returns an error that says what of the booking cannot be.
func (s *Site) checkAdoption(job *Job, start int64, processors profile.Set) error {
	estimate := job.planned(s.config.Overrun)
	switch {
	case !s.config.Policy.books():
		return fmt.Errorf("policy %s does not book jobs when they arrive: only conservative and conservative:fixed adopt bookings",
			s.config.Policy)
	case s.config.Overrun == RunOn:
		return errors.New("jobs run on past their estimates: what one is booked for then is not adopted; have an overrun of kill or raise")
	case s.plan.split():
		return fmt.Errorf("%d partitions of processors that are counted: a booking does not say whose it has; "+
			"have one partition or fixed placement", len(s.shares))
	case start < s.now || start > Never-farthest-1:
		return fmt.Errorf("booked to start at %d s, want %d s or later", start, s.now)
	case s.plan.places != nil:
		return s.plan.places.checkFree(processors, start, start+estimate, job.Procs)
	case len(processors) > 0:
		return fmt.Errorf("%d processors are named, but the machine only counts them: name none", processors.Count())
	case !s.plan.fits(start, job.Procs, estimate):
		return fmt.Errorf("%d processors are not free from %d to %d s", job.Procs, start, start+estimate)
	}
	return nil
}

// Booked returns when a job started or is booked to start, and Never while it has no booking. Only
// under conservative:fixed does a booking never change.
func (s *Site) Booked(number int) int64 { return s.starts[number] }

// Processors returns which processors a job has that is booked, runs or has ended, under Fixed; nil
// under Count and for a job without a booking. It is the site's: it may be read until the next job
// comes, and must not be changed.
func (s *Site) Processors(number int) profile.Set {
	if s.plan.places == nil || s.starts[number] == Never {
		return nil
	}
	return s.plan.places.holds(int32(number))
}
