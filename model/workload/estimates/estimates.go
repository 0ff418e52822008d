// Package estimates draws user estimates of run times, for logs and workload models without
// estimates: the model of Tsafrir, Etsion & Feitelson, Modeling user runtime estimates, JSSPP 2005.
// Most jobs use one of a few estimates, most often the longest, and estimates are poor predictions
// of run times.
//
// The model follows the authors' program in the version of the Parallel Workloads Archive
// (est_model.cc and est_model.hh), with its constants. Three things are ours: a stream of package
// rng in place of drand48, the rounding to whole numbers of jobs (see apportion), and that a run
// time above the longest estimate stays as it is. The program cuts it there, which is what a
// scheduler does that kills jobs at the end of their estimates. The program's hints, popular
// estimates of a site with their numbers of jobs, are left out.
//
// A Rule is the choice of a study among this model and simpler ones; it makes the jobs of a machine
// from those of a trace.
package estimates

import (
	"cmp"
	"fmt"
	"slices"

	"gridsweep/model/cluster"
	"gridsweep/model/rng"
)

// Shortest is the least that the longest estimate may be, in s: below 100 minutes there are fewer
// than 20 multiples of 5 minutes.
const Shortest = 6000

// Longest bounds the longest estimate, in s, to the limit of the simulation of a machine.
const Longest = cluster.MaxSeconds

// mostJobs bounds the jobs, whose positions are counted by an int32.
const mostJobs = 1 << 30

// Draw returns an estimate in s for each run time in s. longest is the longest estimate of the
// model, in s; on a real machine that is the limit of its longest queue. Each estimate is at least
// the run time, or the longest estimate if the job runs longer than that. Equal arguments and
// streams give equal estimates.
//
// It returns an error for a longest estimate outside [Shortest, Longest], and where too many jobs
// are long: if the k longest jobs need more long estimates than the model has, no assignment is
// possible.
func Draw(runs []int64, longest int64, draws *rng.Stream) ([]int64, error) {
	switch {
	case longest < Shortest || longest > Longest:
		return nil, fmt.Errorf("a longest estimate of %d s: give %d (100 minutes) to %d s", longest, Shortest, int64(Longest))
	case len(runs) > mostJobs:
		return nil, fmt.Errorf("%d jobs: give at most %d", len(runs), mostJobs)
	}
	return assign(distribution(len(runs), longest, draws), runs, longest, draws)
}

// assign gives each job one of the estimates, at random among those that are long enough: the jobs
// are taken from the longest to the shortest run time, and each draws from all estimates that are
// left and no shorter than its run time.
func assign(values []value, runs []int64, longest int64, draws *rng.Stream) ([]int64, error) {
	slices.SortFunc(values, func(a, b value) int { return cmp.Compare(b.estimate, a.estimate) })
	left := make([]int64, 0, len(runs)) // estimates, the longest first
	for _, v := range values {
		for range v.jobs {
			left = append(left, v.estimate)
		}
	}
	order := make([]int32, len(runs)) // jobs, the longest first
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(runs[b], runs[a]), cmp.Compare(a, b))
	})
	for k, job := range order {
		if run := min(runs[job], longest); run > left[k] { // the k estimates before are not shorter
			return nil, fmt.Errorf("%d jobs run for %d s or longer, but of the %d estimates up to %d s the model has only %d"+
				" so long: give a longest estimate above %d s", k+1, run, len(runs), longest, k, longest)
		}
	}
	estimates := make([]int64, len(runs))
	end := 0 // estimates before it are no shorter than the job's run time
	for k, job := range order {
		for end < len(left) && left[end] >= min(runs[job], longest) {
			end++
		}
		// The estimate at k takes the place of the drawn one: it is long enough for those to come.
		drawn := k + draws.Intn(end-k)
		estimates[job] = left[drawn]
		left[drawn] = left[k]
	}
	return estimates, nil
}
