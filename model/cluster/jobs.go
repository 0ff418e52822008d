package cluster

// jobTable holds the jobs of a site by number. Numbers count the jobs in the order in which they
// came; a recycling table gives a new job the number of one that has ended, so that it is no longer
// than the most jobs that run at once.
//
// Invariants: the columns have one length; a job with an end has a start; a waiting job has no end.
type jobTable struct {
	jobs   []Job   // Estimate is the one that the scheduler plans with
	starts []int64 // when a job started or is booked to start, else Never
	ends   []int64 // when a job that has started ends or will end, else Never
	ended  int     // number of jobs that have ended

	longest  int64 // longest estimate of all jobs, in s
	recycles bool
	unused   []int32 // numbers of ended jobs, where the table recycles
}

// add adds a waiting job with the estimate to plan with, and returns its number.
func (t *jobTable) add(job *Job, estimate int64) int32 {
	number := int32(len(t.jobs))
	if last := len(t.unused) - 1; last >= 0 {
		number = t.unused[last]
		t.unused = t.unused[:last]
		t.jobs[number], t.starts[number], t.ends[number] = *job, Never, Never
	} else {
		t.jobs, t.starts, t.ends = append(t.jobs, *job), append(t.starts, Never), append(t.ends, Never)
	}
	t.jobs[number].Estimate = estimate
	t.longest = max(t.longest, estimate)
	return number
}

// end notes that a job has ended.
func (t *jobTable) end(number int32) {
	t.ended++
	if t.recycles {
		t.unused = append(t.unused, number)
	}
}
