// Lookahead of the reference scheduler: the table of Shmueli & Feitelson with an entry for each job
// and each pair of capacities.

package cluster_test

// passLookahead starts the head while it fits, then books it, and packs so many of the others.
func (r *reference) passLookahead(depth int) {
	order := r.inOrder()
	for i, j := range order {
		if takes, fits := r.fitAt(j, r.now); fits {
			r.start(j, takes)
			continue
		}
		j.booking = r.earliest(j)
		r.pivots = append(r.pivots, pivot{int64(j.number), j.booking.from})
		rest := order[i+1:]
		rest = rest[:min(depth, len(rest))]
		for _, other := range r.pack(rest, r.freeAt(r.now), r.freeAt(j.booking.from), j.booking.from) {
			takes, fits := r.fitAt(other, r.now)
			if !fits {
				panic("what is packed does not fit")
			}
			r.start(other, takes)
		}
		j.booking = nil
		return
	}
}

// freeAt counts the processors that the plan has free at a second.
func (r *reference) freeAt(second int64) int {
	free := 0
	for _, procs := range r.least(r.plan(), second, second+1) {
		free += procs
	}
	return free
}

// pack returns the jobs that use the most of so many processors that are free now, while those that
// run on at a second, the start of the pivot, use at most extra of them.
func (r *reference) pack(jobs []*job, free, extra int, second int64) []*job {
	// utilisation[i][n][m] is the most that the first i jobs can use of n processors, m of them for
	// long jobs.
	utilisation := make([][][]int, len(jobs)+1)
	long := func(j *job) int {
		if r.now+j.planned > second {
			return j.procs
		}
		return 0
	}
	for i := range utilisation {
		utilisation[i] = make([][]int, free+1)
		for n := range utilisation[i] {
			utilisation[i][n] = make([]int, extra+1)
			for m := range utilisation[i][n] {
				if i == 0 {
					continue
				}
				best := utilisation[i-1][n][m]
				if j := jobs[i-1]; j.procs <= n && long(j) <= m {
					best = max(best, j.procs+utilisation[i-1][n-j.procs][m-long(j)])
				}
				utilisation[i][n][m] = best
			}
		}
	}
	// A job is selected only if the jobs before it cannot use as many without it.
	var selected []*job
	n, m := free, extra
	for i := len(jobs); i > 0; i-- {
		if j := jobs[i-1]; utilisation[i][n][m] > utilisation[i-1][n][m] {
			selected = append([]*job{j}, selected...)
			n, m = n-j.procs, m-long(j)
		}
	}
	return selected
}
