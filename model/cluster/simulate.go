// Simulation: the event loop of one site that runs a list of jobs to the last end.

package cluster

import (
	"context"
	"fmt"
)

// Schedule is when each job, in the order of the trace, started and ended, in s.
type Schedule struct{ Start, End []int64 }

// JobError is an error about one job.
type JobError struct {
	Job int // index, from 0
	Err error
}

func (e *JobError) Error() string { return fmt.Sprintf("job %d: %v", e.Job+1, e.Err) }

func (e *JobError) Unwrap() error { return e.Err }

// checkInterval is the work between two checks of the context: a pass counts 1, and 1 more for each
// 64 waiting jobs.
const checkInterval = 4096

// Simulate simulates the jobs up to the last end. It returns an error for a config or a job that
// breaks the rules of docs/reference/scheduling.md, for a job a *JobError; the error of a
// Scheduler, where it breaks a rule a *RuleError; and the context's error if it is done before.
func Simulate(ctx context.Context, config Config, jobs []Job) (Schedule, error) {
	s, err := New(config)
	if err != nil {
		return Schedule{}, err
	}
	for i := range jobs {
		err := s.checkJob(&jobs[i])
		if err == nil && i > 0 && jobs[i].Submit < jobs[i-1].Submit {
			err = fmt.Errorf("submitted at %d s, before the previous job's %d s", jobs[i].Submit, jobs[i-1].Submit)
		}
		if err != nil {
			return Schedule{}, &JobError{Job: i, Err: err}
		}
	}
	s.Grow(len(jobs))
	second := s.batch
	if config.Instant == Each {
		second = s.each
	}
	work := checkInterval
	check := func() error {
		if work += 1 + s.queue.size/64; work < checkInterval {
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
		s.advance(now)
		if err := second(rest[:submits], check); err != nil {
			return Schedule{}, err
		}
		if err := s.Err(); err != nil {
			return Schedule{}, err
		}
		rest = rest[submits:]
	}
	if s.ended < len(jobs) {
		return Schedule{}, s.deadlock()
	}
	return Schedule{s.starts, s.ends}, nil
}

// batch processes one second: all ends, all submits, one pass.
func (s *Site) batch(submits []Job, check func() error) error {
	s.Finish(s.now)
	for i := range submits {
		s.arrive(submits[i])
	}
	s.Pass(s.now)
	return check()
}

// each processes one second with a pass after each submit, after each end, and for what else is
// due: ends of reservations, booked starts and requested passes.
func (s *Site) each(submits []Job, check func() error) error {
	for i := range submits {
		s.arrive(submits[i])
		s.Pass(s.now)
		if err := check(); err != nil {
			return err
		}
	}
	for s.finishOne() {
		s.scheduler.compress()
		s.Pass(s.now)
		if err := check(); err != nil {
			return err
		}
	}
	if s.endReservations() || s.scheduler.startIsDue() {
		s.Pass(s.now)
	}
	return check()
}
