package cluster

import (
	"context"
	"fmt"
	"slices"
)

// Schedule is when each job, in the order of the trace, started and ended, in s.
type Schedule struct{ Start, End []int64 }

// JobError is what is wrong with a job, by its place among the jobs from 0.
type JobError struct {
	Job int
	Err error
}

func (e *JobError) Error() string { return fmt.Sprintf("job %d: %v", e.Job+1, e.Err) }

func (e *JobError) Unwrap() error { return e.Err }

// between is how much work is done between two looks at the context: a pass is the more, the longer
// the queue is.
const between = 4096

// Simulate runs the jobs to the last end. It returns an error for a config or a job that breaks the
// rules of docs/reference/scheduling.md, of a job a *JobError, and the context's where that ends
// first.
func Simulate(ctx context.Context, config Config, jobs []Job) (Schedule, error) {
	s, err := New(config)
	if err != nil {
		return Schedule{}, err
	}
	for i := range jobs {
		err := s.check(&jobs[i])
		if err == nil && i > 0 && jobs[i].Submit < jobs[i-1].Submit {
			err = fmt.Errorf("submitted at %d s, before the previous job's %d s", jobs[i].Submit, jobs[i-1].Submit)
		}
		if err != nil {
			return Schedule{}, &JobError{Job: i, Err: err}
		}
	}
	s.jobs, s.starts, s.ends = slices.Grow(s.jobs, len(jobs)), slices.Grow(s.starts, len(jobs)), slices.Grow(s.ends, len(jobs))
	second := s.batch
	if config.Instant == Each {
		second = s.each
	}
	work := between
	look := func() error {
		if work += 1 + s.queue.size/64; work < between {
			return nil
		}
		work = 0
		if config.Progress != nil {
			config.Progress(s.ended)
		}
		return ctx.Err()
	}
	rest := jobs
	for {
		now := s.Next()
		if len(rest) > 0 {
			now = min(now, rest[0].Submit)
		}
		if now == Never {
			break
		}
		submits := 0
		for submits < len(rest) && rest[submits].Submit == now {
			submits++
		}
		s.turn(now)
		if err := second(rest[:submits], look); err != nil {
			return Schedule{}, err
		}
		rest = rest[submits:]
	}
	if s.ended < len(jobs) {
		return Schedule{}, fmt.Errorf("policy %s never starts %d of the jobs", config.Policy, len(jobs)-s.ended)
	}
	return Schedule{s.starts, s.ends}, nil
}

// batch is one second: what ends, what is submitted, one pass.
func (s *Site) batch(submits []Job, look func() error) error {
	s.Finish(s.now)
	for i := range submits {
		s.enqueue(submits[i])
	}
	s.Pass(s.now)
	return look()
}

// each is one second with a pass after each submit, after each end, and for what is booked to
// start.
func (s *Site) each(submits []Job, look func() error) error {
	for i := range submits {
		s.enqueue(submits[i])
		s.Pass(s.now)
		if err := look(); err != nil {
			return err
		}
	}
	for s.finishOne() {
		s.compress()
		s.Pass(s.now)
		if err := look(); err != nil {
			return err
		}
	}
	if s.endReservations() || s.startIsDue() {
		s.Pass(s.now)
	}
	return look()
}
