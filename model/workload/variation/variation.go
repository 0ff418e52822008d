// Package variation makes several similar logs from one, one for each replication of a study: its
// equal segments, the log with shaken arrivals, and logs whose weeks or users are drawn from it. It
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

// Segment returns the jobs of one of several disjoint segments of the log, from 0 on, with submits
// from the beginning of the segment on. The segments have equal lengths in time: with a last submit
// s seconds after the first, each is (s+1)/segments seconds long, rounded up, and the first one
// begins with the first submit.
//
// It returns an error for a segment that is not in [0, segments), and where the log has jobs in
// fewer segments.
func Segment(jobs []trace.Job, segments, segment int) ([]trace.Job, error) {
	if segments < 1 || segment < 0 || segment >= segments {
		return nil, fmt.Errorf("segment %d of %d: segments are numbered from 0", segment, segments)
	}
	if segments > len(jobs) {
		return nil, fmt.Errorf("%d segments of a log of %d jobs: give at most as many as it has jobs", segments, len(jobs))
	}
	first, last := jobs[0].Submit, jobs[len(jobs)-1].Submit
	length := (last-first)/int64(segments) + 1
	bounds := make([]int, segments+1) // segment i has the jobs [bounds[i], bounds[i+1])
	filled := 0
	for at := range segments {
		bounds[at+1] = before(jobs, first+int64(at+1)*length)
		if bounds[at+1] > bounds[at] {
			filled++
		}
	}
	if filled < segments {
		return nil, fmt.Errorf("%d segments of %d s: the log has jobs in only %d: give fewer", segments, length, filled)
	}
	taken := slices.Clone(jobs[bounds[segment]:bounds[segment+1]])
	for i := range taken {
		taken[i].Submit -= first + int64(segment)*length
	}
	return taken, nil
}

// before returns how many of the jobs are submitted before a time.
func before(jobs []trace.Job, time int64) int {
	return sort.Search(len(jobs), func(i int) bool { return jobs[i].Submit >= time })
}
