// The jobs of a run in the order of arrival, with the outcome of each.

package brokering

import (
	"slices"

	"gridsweep/model/brokering/grid"
	"gridsweep/model/des"
	"gridsweep/model/metrics"
)

// request is a job of a run with its outcome. Its number is its index among the jobs of all domains
// in the order of arrival. There may be millions, and domains share their jobs, so a request only
// refers to its job.
type request struct {
	platform int32
	origin   int32 // domain of the user who submitted it
	index    int32 // among the jobs of that domain
	resource int32 // that runs it; absent before its start
	start    int64 // s
}

// absent stands for no resource, no domain and no job.
const absent = -1

// mergeRequests merges the jobs of all domains in the order of arrival: submit, domain, number.
// Platforms are looked up by name only where a job has another one than the job before it in its
// domain.
func (s *system) mergeRequests(numbers map[grid.Platform]int32) {
	count := 0
	var next des.Queue[int32] // domains by the submit of their first job that is not yet taken
	for d := range s.domains {
		count += len(s.domains[d].jobs)
		if jobs := s.domains[d].jobs; len(jobs) > 0 {
			next.Push(jobs[0].submit, 0, int32(d))
		}
	}
	s.requests = make([]request, 0, count)
	at := make([]int, len(s.domains))          // the next job of each
	platforms := make([]int32, len(s.domains)) // of the last job of each
	var due []int32                            // domains with a job of the same second
	for {
		submit, _, _, ok := next.Peek()
		if !ok {
			return
		}
		due = due[:0]
		for time := submit; ok && time == submit; time, _, _, ok = next.Peek() {
			d, _ := next.Next()
			due = append(due, d)
		}
		slices.Sort(due)
		for _, d := range due {
			jobs := s.domains[d].jobs
			for ; at[d] < len(jobs) && jobs[at[d]].submit == submit; at[d]++ {
				if j := &jobs[at[d]]; j.platform != s.platforms[platforms[d]] {
					platforms[d] = numbers[j.platform]
				}
				s.requests = append(s.requests, request{platform: platforms[d], origin: d, index: int32(at[d]), resource: absent})
			}
			if at[d] < len(jobs) {
				next.Push(jobs[at[d]].submit, 0, d)
			}
		}
	}
}

// job returns the job of a request.
func (s *system) job(r *request) *job { return &s.domains[r.origin].jobs[r.index] }

// needs returns what a job holds while it runs.
func (s *system) needs(r *request) grid.Amount {
	j := s.job(r)
	return grid.Amount{CPUs: int64(j.cpus), Memory: j.memory, Disk: j.disk}
}

// requirement returns the requirement of a job.
func (s *system) requirement(r *request) grid.Requirement {
	return grid.Requirement{Platform: r.platform, Origin: r.origin, Clock: s.job(r).clock, Needs: s.needs(r)}
}

// waitOf returns how long a job that has started waited, in s.
func waitOf(j *job, r *request) float64 { return float64(r.start - j.submit) }

// slowdownOf returns the bounded slowdown of a job that has started (section 5.3).
func slowdownOf(j *job, r *request) float64 {
	const threshold = 60 // s
	return metrics.BoundedSlowdown(j.submit, r.start, r.start+j.run, threshold)
}
