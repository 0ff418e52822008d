// Adoption: adding a job with a booking from another machine, to continue its simulation here.

package cluster

import (
	"errors"
	"fmt"

	"gridsweep/model/profile"
)

// Adopt adds a job with a booking from another machine, so that a simulation can continue another
// one from its middle, and returns the job's number. The job is booked to start at a second from
// now on and starts in the pass of that second. A running job is adopted with start = now, and with
// the rest of its run time and estimate, in s. Under Fixed it keeps its processors; else these are
// nil. The queue order by arrival is that of the calls of Adopt and Submit.
//
// It returns an error for a job that breaks the rules of docs/reference/scheduling.md, and for
// processors that are not as many as the job's or not free throughout the booking. It does so too
// under policies other than conservative and conservative:fixed, under RunOn, where the rest of an
// estimate may be 0, and with several partitions of counted processors.
func (s *Site) Adopt(now int64, job Job, start int64, processors profile.Set) (number int, err error) {
	job.Submit = now
	if err := s.checkJob(&job); err != nil {
		return 0, err
	}
	s.advance(now)
	if err := s.checkAdoption(&job, start, processors); err != nil {
		return 0, err
	}
	n := s.arrive(job)
	if s.plan.numbered != nil {
		copy(s.plan.numbered.heldBy(n), processors)
		s.starts[n] = start
		s.restore(n)
	} else {
		s.book(n, start)
	}
	s.noteBooking(n)
	s.scheduler.changed()
	return int(n), nil
}

// checkAdoption returns an error that names the first rule that the booking breaks.
func (s *Site) checkAdoption(job *Job, start int64, processors profile.Set) error {
	estimate := job.planned(s.config.Overrun)
	_, booksArrivals := s.scheduler.(*conservative)
	switch {
	case !booksArrivals:
		return fmt.Errorf("policy %s does not book jobs when they arrive: only conservative and conservative:fixed "+
			"adopt bookings", s.config.Policy)
	case s.config.Overrun == RunOn:
		return errors.New("bookings of jobs that run on are not adopted: use an overrun of kill or raise")
	case s.plan.partitioned():
		return fmt.Errorf("%d partitions of counted processors: a booking does not name their shares in it; "+
			"use one partition or fixed placement", len(s.plan.shares))
	case start < s.now || start > Never-MaxSeconds-1:
		return fmt.Errorf("booked to start at %d s, want %d to %d s", start, s.now, Never-MaxSeconds-1)
	case s.plan.numbered != nil:
		return s.plan.numbered.checkFree(processors, start, start+estimate, job.Procs)
	case len(processors) > 0:
		return fmt.Errorf("%d processors are named, but the machine only counts them: name none", processors.Count())
	case !s.plan.fits(start, job.Procs, estimate):
		return fmt.Errorf("%d processors are not free from %d to %d s", job.Procs, start, start+estimate)
	}
	return nil
}

// Booked returns when a job started or is booked to start, or Never if it has no booking. Only
// under conservative:fixed a booking never changes, if no job runs on over its estimate.
func (s *Site) Booked(number int) int64 { return s.starts[number] }

// Processors returns the processors of a job that is booked, runs or has ended, under Fixed; nil
// under Count and for a job without a booking. The caller must not change the set, and may read it
// until the next job is submitted.
func (s *Site) Processors(number int) profile.Set {
	if s.plan.numbered == nil || s.starts[number] == Never {
		return nil
	}
	return s.plan.numbered.heldBy(int32(number))
}
