package cluster

import "slices"

// jobTable holds the jobs of a site by number. Numbers count the jobs in the order in which they
// came.
//
// Invariants: the columns have one length; a job with an end has a start; a waiting job has no end.
type jobTable struct {
	jobs   []Job   // Estimate is the one that the scheduler plans with
	starts []int64 // when a job started or is booked to start, else Never
	ends   []int64 // when a job that has started ends or will end, else Never
	ended  int     // number of jobs that have ended

	longest int64 // longest estimate of all jobs, in s
}

// Grow makes room for so many more jobs: without it, their table is copied many times as they come.
func (s *Site) Grow(jobs int) {
	t := &s.jobTable
	t.jobs, t.starts, t.ends = slices.Grow(t.jobs, jobs), slices.Grow(t.starts, jobs), slices.Grow(t.ends, jobs)
}

// add adds a waiting job with the estimate to plan with, and returns its number.
func (t *jobTable) add(job *Job, estimate int64) int32 {
	number := int32(len(t.jobs))
	t.jobs, t.starts, t.ends = append(t.jobs, *job), append(t.starts, Never), append(t.ends, Never)
	t.jobs[number].Estimate = estimate
	t.longest = max(t.longest, estimate)
	return number
}
