// The naive simulator: the event loop and attempts.

package brokering

import (
	"cmp"
	"math"
	"slices"
)

// naive is a second implementation of the study, from docs/explanation/papers/brokering.md alone:
// it counts free resources and waiting or finished jobs from the list of jobs whenever it needs
// them. It shares only the parameters, domains and types of rows with the simulator.
type naive struct {
	p       Parameters
	domains []domain
	jobs    []*naiveJob // in the order of arrival: submit, domain, number
	running []*naiveJob // those of them that run
	now     int64
	begun   int // jobs that were started or joined a queue

	branches map[string]int // how often each branch was taken
}

type naiveJob struct {
	job
	origin, number int // number from 1
	// to come, waiting (at a broker), queued (at a resource), running or ended
	state       string
	broker      int // where it waits, or runs
	cluster     int // at that broker
	begun       int // position in the order of joining a queue, then of starting
	start       int64
	attempts    int64
	conflicts   [3]int64 // by CPUs, memory and disk
	rescheduled bool
}

func (j *naiveJob) end() int64 { return j.start + j.run }

// naiveRun simulates the domains and returns the outcome and the rows of jobs.
func naiveRun(p Parameters, domains []domain) (Outcome, []JobRow) {
	n := newNaive(p, domains)
	n.run()
	return n.outcome(), n.jobRows()
}

func newNaive(p Parameters, domains []domain) *naive {
	n := &naive{p: p, domains: domains, branches: map[string]int{}}
	for d, own := range domains {
		for i, j := range own.jobs {
			n.jobs = append(n.jobs, &naiveJob{job: j, origin: d, number: i + 1, state: "to come", broker: d})
		}
	}
	slices.SortStableFunc(n.jobs, func(a, b *naiveJob) int { return cmp.Compare(a.submit, b.submit) })
	return n
}

// run simulates one second after another.
func (n *naive) run() {
	for n.proceed() {
		n.second()
	}
}

// proceed goes to the next second with an event and reports whether there is one.
func (n *naive) proceed() bool {
	n.now = math.MaxInt64
	for _, j := range n.jobs {
		switch j.state {
		case "to come":
			n.now = min(n.now, j.submit)
		case "running":
			n.now = min(n.now, j.end())
		}
	}
	return n.now < math.MaxInt64
}

// second is one second.
func (n *naive) second() {
	stopped := n.stop()
	if n.p.Strategy == "SLOW" {
		n.passWhere(stopped)
	}
	if len(stopped) > 0 {
		n.retry()
	}
	for _, j := range n.jobs {
		if j.state == "to come" && j.submit == n.now {
			n.arrive(j)
		}
	}
}

// stop ends jobs and returns them.
func (n *naive) stop() []*naiveJob {
	var stopped []*naiveJob
	for _, j := range n.jobs {
		if j.state == "running" && j.end() == n.now {
			j.state = "ended"
			stopped = append(stopped, j)
			n.running = slices.DeleteFunc(n.running, func(other *naiveJob) bool { return other == j })
		}
	}
	return stopped
}

// retry tries the jobs that wait at brokers.
func (n *naive) retry() {
	list := n.list(func(j *naiveJob) bool { return j.state == "waiting" })
	if n.ownQueue() {
		for _, j := range list {
			if best, ok := n.bestFitting(j, j.origin); ok {
				n.branches["local job first"]++
				n.begin(j, j.origin, best)
			}
		}
	}
	blocked := make([]bool, len(n.domains))
	for _, j := range list {
		if j.state != "waiting" {
			continue
		}
		if blocked[j.broker] {
			n.branches["blocked"]++
			continue
		}
		if !n.attempt(j) && n.p.BrokerQueue == "fcfs" {
			blocked[j.broker] = true
		}
	}
}

func (n *naive) arrive(j *naiveJob) {
	j.state = "waiting"
	if n.p.BrokerQueue == "fcfs" {
		for _, other := range n.jobs {
			if other != j && other.state == "waiting" && other.broker == j.origin {
				n.branches["joins without being tried"]++
				return
			}
		}
	}
	n.attempt(j)
}

func (n *naive) ownQueue() bool { return n.p.Preference == "own" && n.p.OwnAs == "queue" }

// list returns the jobs for which is returns true, in the order of arrival.
func (n *naive) list(is func(*naiveJob) bool) []*naiveJob {
	var list []*naiveJob
	for _, j := range n.jobs {
		if is(j) {
			list = append(list, j)
		}
	}
	return list
}

// free returns what running jobs leave free of a resource.
func (n *naive) free(d, c int) (cpus, memory, disk int64) {
	resource := n.domains[d].clusters[c]
	cpus, memory, disk = int64(resource.cpus), resource.memory, resource.disk
	for _, j := range n.running {
		if j.broker == d && j.cluster == c {
			cpus, memory, disk = cpus-int64(j.cpus), memory-j.memory, disk-j.disk
		}
	}
	return cpus, max(0, memory), max(0, disk)
}

// matches reports whether vendor, operating system and clock of a resource are right.
func (n *naive) matches(j *naiveJob, d, c int) bool {
	resource := n.domains[d].clusters[c]
	return resource.platform == j.platform && resource.clock >= j.clock
}

func (n *naive) couldHold(j *naiveJob, d, c int) bool {
	resource := n.domains[d].clusters[c]
	return n.matches(j, d, c) && resource.cpus >= j.cpus && resource.memory >= j.memory && resource.disk >= j.disk
}

func (n *naive) fits(j *naiveJob, d, c int) bool {
	if !n.couldHold(j, d, c) {
		return false
	}
	cpus, memory, disk := n.free(d, c)
	return cpus >= int64(j.cpus) && memory >= j.memory && disk >= j.disk
}

func (n *naive) begin(j *naiveJob, d, c int) {
	n.begun++
	j.state, j.broker, j.cluster, j.start, j.begun = "running", d, c, n.now, n.begun
	n.running = append(n.running, j)
}

// attempt tries to place a job and reports whether it left the brokers.
func (n *naive) attempt(j *naiveJob) bool {
	j.attempts++
	n.countConflicts(j)
	for _, d := range n.ranked(j) {
		could := false
		for c := range n.domains[d].clusters {
			could = could || n.couldHold(j, d, c)
		}
		if !could {
			n.branches["handed back"]++
			j.rescheduled = true
			continue
		}
		if n.p.Strategy == "SLOW" {
			n.join(j, d)
			return true
		}
		if c, ok := n.bestFitting(j, d); ok {
			n.begin(j, d, c)
			return true
		}
		if d != j.broker {
			n.branches["waits elsewhere"]++
		}
		j.broker, j.rescheduled = d, true
		return false
	}
	n.branches["no broker keeps it"]++
	j.rescheduled = true
	return false
}

// bestFitting returns the broker's resource of highest rank of those that fit.
func (n *naive) bestFitting(j *naiveJob, d int) (best int, ok bool) {
	highest := math.Inf(-1)
	for c := range n.domains[d].clusters {
		if n.fits(j, d, c) && n.resourceRank(j, d, c) > highest {
			best, highest, ok = c, n.resourceRank(j, d, c), true
		}
	}
	return best, ok
}

// countConflicts counts the resources of the right platform and clock that lack something.
func (n *naive) countConflicts(j *naiveJob) {
	for d := range n.domains {
		if n.p.Preference == "none" && d != j.origin {
			continue
		}
		for c, resource := range n.domains[d].clusters {
			cpus, memory, disk := n.free(d, c)
			if n.p.Strategy == "SLOW" {
				cpus, memory, disk = int64(resource.cpus), resource.memory, resource.disk
			}
			switch {
			case !n.matches(j, d, c):
			case cpus < int64(j.cpus):
				j.conflicts[0]++
			case memory < j.memory:
				j.conflicts[1]++
			case disk < j.disk:
				j.conflicts[2]++
			}
		}
	}
}
