// The jobs of a run in the order of arrival, with the outcome of each.

package brokering

import (
	"gridsweep/model/brokering/pool"
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
func (s *system) mergeRequests(numbers map[pool.Platform]int32) {
	n, jobs := int64(len(s.domains)), 0
	next := make([]request, n) // of each domain
	// Domains by their next requests. Times n · submit + domain put equal submits in this order.
	var arrivals des.Queue[int32]
	push := func(d int32) {
		if own := s.domains[d].jobs; int(next[d].index) < len(own) {
			arrivals.Push(n*own[next[d].index].submit+int64(d), 0, d)
		}
	}
	for d := range s.domains {
		jobs += len(s.domains[d].jobs)
		next[d] = request{origin: int32(d), resource: absent}
		push(int32(d))
	}
	s.requests = make([]request, 0, jobs)
	for d, ok := arrivals.Next(); ok; d, ok = arrivals.Next() {
		r := &next[d]
		if platform := &s.job(r).platform; *platform != s.platforms[r.platform] {
			r.platform = numbers[*platform]
		}
		s.requests = append(s.requests, *r)
		r.index++
		push(d)
	}
}

// job returns the job of a request.
func (s *system) job(r *request) *job { return &s.domains[r.origin].jobs[r.index] }

// needs returns what a job holds while it runs.
func (s *system) needs(r *request) pool.Amount {
	j := s.job(r)
	return pool.Amount{CPUs: int64(j.cpus), Memory: j.memory, Disk: j.disk}
}

// requirement returns the requirement of a job.
func (s *system) requirement(r *request) pool.Requirement {
	return pool.Requirement{Platform: r.platform, Origin: r.origin, Clock: s.job(r).clock, Needs: s.needs(r)}
}

// waitOf returns how long a job that has started waited, in s.
func waitOf(j *job, r *request) float64 { return float64(r.start - j.submit) }

// slowdownOf returns the bounded slowdown of a job that has started (section 5.3).
func slowdownOf(j *job, r *request) float64 {
	const threshold = 60 // s
	return metrics.BoundedSlowdown(j.submit, r.start, r.start+j.run, threshold)
}
