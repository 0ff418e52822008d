package cluster

import (
	"errors"
	"fmt"
)

// Run starts a job at now, whatever its Submit says, and returns when it will end. It is for a
// driver that keeps the queue itself: such a site has no passes, and forgets jobs that have ended,
// so that it holds no more than those that run.
//
// It returns an error for a job that breaks the rules of docs/reference/scheduling.md, for one that
// does not fit now, and where jobs were submitted or adopted.
func (s *Site) Run(now int64, job Job) (end int64, err error) {
	job.Submit = now
	if err := s.check(&job); err != nil {
		return 0, err
	}
	if len(s.jobs) > 0 && !s.driven {
		return 0, errors.New("the site has a queue of its own: submit the job")
	}
	s.turn(now)
	s.extend()
	if estimate := job.planned(s.config.Overrun); !s.plan.fits(now, job.Procs, estimate) {
		return 0, fmt.Errorf("%d processors are not free from %d to %d s", job.Procs, now, now+estimate)
	}
	s.driven = true
	number := s.number(job)
	s.take(number)
	s.startNow(number)
	return s.ends[number], nil
}

// number gives a job that Run starts a number that no job has which still runs.
func (s *Site) number(job Job) int32 {
	if last := len(s.spare) - 1; last >= 0 {
		number := s.spare[last]
		s.spare = s.spare[:last]
		s.jobs[number] = job
		return number
	}
	s.jobs, s.starts, s.ends = append(s.jobs, job), append(s.starts, Never), append(s.ends, Never)
	return int32(len(s.jobs) - 1)
}

// checkQueue returns an error if jobs that are submitted or adopted would meet others of whom the
// queue does not know.
func (s *Site) checkQueue() error {
	if s.driven {
		return errors.New("the site runs jobs whose queue its driver keeps: run the job when it is to start")
	}
	return nil
}
