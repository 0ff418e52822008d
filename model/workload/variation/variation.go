// Package variation makes several similar logs from one, one for each replication of a study: its
// equal parts, the log with shaken arrivals, and logs whose weeks or users are drawn from it. It
// also scales a log to an offered load.
//
// All functions take jobs sorted by submit time, as trace.Clean leaves them, do not change these
// and return sorted jobs. Equal arguments and streams give equal jobs. Only the fields of a job
// change that the doc comment of a function names.
package variation

import (
	"fmt"
	"slices"
	"sort"

	"gridsweep/model/trace"
)

// Part returns the jobs of one of several disjoint parts of the log, from 0 on, with submits from
// the beginning of the part on. The parts have equal lengths in time: with a last submit s seconds
// after the first, each is (s+1)/parts seconds long, rounded up, and the first one begins with the
// first submit.
//
// It returns an error where the log has jobs in fewer parts.
func Part(jobs []trace.Job, parts, part int) ([]trace.Job, error) {
	if parts < 1 || part < 0 || part >= parts {
		return nil, fmt.Errorf("part %d of %d: parts are numbered from 0", part, parts)
	}
	if parts > len(jobs) {
		return nil, fmt.Errorf("%d parts of a log of %d jobs: give at most as many parts as it has jobs", parts, len(jobs))
	}
	first, last := jobs[0].Submit, jobs[len(jobs)-1].Submit
	length := (last-first)/int64(parts) + 1
	bounds := make([]int, parts+1) // between the jobs of the parts
	filled := 0
	for at := range parts {
		bounds[at+1] = before(jobs, first+int64(at+1)*length)
		if bounds[at+1] > bounds[at] {
			filled++
		}
	}
	if filled < parts {
		return nil, fmt.Errorf("%d parts of %d s: the log has jobs in only %d of them: give fewer", parts, length, filled)
	}
	taken := slices.Clone(jobs[bounds[part]:bounds[part+1]])
	for i := range taken {
		taken[i].Submit -= first + int64(part)*length
	}
	return taken, nil
}

// before returns how many of the jobs are submitted before a time.
func before(jobs []trace.Job, time int64) int {
	return sort.Search(len(jobs), func(i int) bool { return jobs[i].Submit >= time })
}
