// Naive simulator: the event loop, written from docs/explanation/papers/multisite.md alone.

package multisite

import (
	"strconv"
	"strings"
)

// naiveWorld is the slow, obvious simulator. It is written from
// docs/explanation/papers/multisite.md and docs/reference/scheduling.md alone and keeps plain
// lists, which it scans. It shares only the parameters and the jobs with the real one.
type naiveWorld struct {
	p         Parameters
	jobs      *jobs
	base      *naiveWorld // of the oracle
	providers []*naiveProvider
	until     int64
	gridJobs  []naiveGridJob
	messages  map[string]int64
	published int64 // in the middle of an interval, after the warm-up
	every     int64 // seconds between load reports or publications; 0 where there are none
}

// naiveGridJob is the outcome of a Grid job.
type naiveGridJob struct {
	provider    int // -1 for one that was rejected
	expected    int64
	refusals    int
	refused     [][2]int64 // providers and starts
	withoutSlot bool
	job         *naiveJob
}

func newNaiveWorld(p Parameters, w *jobs, base *naiveWorld) *naiveWorld {
	n := &naiveWorld{
		p: p, jobs: w, base: base, messages: map[string]int64{}, gridJobs: make([]naiveGridJob, len(w.gridJobs)),
	}
	for i, procs := range naiveNumbers(p.Sizes) {
		n.providers = append(n.providers, newNaiveProvider(n, i, procs))
	}
	switch p.Gateway {
	case "least-load":
		n.every = int64(p.ReportInterval)
	case "earliest-partial":
		n.every = int64(p.Interval)
	}
	return n
}

// naiveBase runs the base run of a workload, to its last end.
func naiveBase(p Parameters, w *jobs) *naiveWorld {
	p.Provider, p.Gateway, p.DeadlineShare = "ArEb", "least-load", 0
	without := *w
	without.deadlines = nil
	n := newNaiveWorld(p, &without, nil)
	n.run(never)
	return n
}

func naiveNumbers(list string) []int {
	var numbers []int
	for _, field := range strings.Split(list, ",") {
		number, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil {
			panic(err)
		}
		numbers = append(numbers, number)
	}
	return numbers
}

// run goes through all seconds with events, up to until inclusively.
func (n *naiveWorld) run(until int64) {
	n.until = until
	for now := int64(0); now <= until && now != never; now = n.next(now) {
		n.second(now)
	}
}

// second follows docs/explanation/papers/multisite.md, "Event order".
func (n *naiveWorld) second(now int64) {
	for _, s := range n.providers {
		if s.isEvent(now) {
			s.pass(now)
		}
	}
	for i, s := range n.providers {
		for number, j := range n.jobs.localJobs[i] {
			if j.Submit == now {
				s.local[number] = s.submit(now, j, true)
			}
		}
	}
	for _, s := range n.providers {
		n.due(now, s)
	}
	for i := range n.jobs.gridJobs {
		if n.jobs.gridJobs[i].Submit == now {
			n.decide(now, i)
		}
	}
}

// due is step 3 of a second for one provider.
func (n *naiveWorld) due(now int64, s *naiveProvider) {
	if now > n.jobs.lastArrival() || n.every == 0 {
		return
	}
	if now%n.every != 0 {
		if s.checking && s.isCheck(now) {
			n.check(now, s)
		}
		return
	}
	switch {
	case n.p.Gateway == "least-load":
		s.reported = s.load(now, n.p.CountsWaiting)
		n.send(now, "load report")
	case n.p.Provider == "ArEbMf":
		n.publishForecast(now, s)
	default:
		n.publish(now, s)
	}
}

// publish sends the gateway the slots of a provider.
func (n *naiveWorld) publish(now int64, s *naiveProvider) {
	s.show(now, n.horizon(now))
	n.send(now, "slots")
}

// horizon returns up to when slots reach that are sent now.
func (n *naiveWorld) horizon(now int64) int64 {
	if n.p.Horizon == "interval" {
		return now + int64(n.p.Interval)
	}
	return never
}

// send counts messages.
func (n *naiveWorld) send(now int64, names ...string) {
	for _, name := range names {
		if now >= int64(n.p.Warmup) {
			n.messages[name]++
		}
	}
}

// next returns the next second after now in which something may happen, or never.
func (n *naiveWorld) next(now int64) int64 {
	next := int64(never)
	consider := func(at int64) {
		if at > now {
			next = min(next, at)
		}
	}
	for _, list := range append([][]job{n.jobs.gridJobs}, n.jobs.localJobs...) {
		for _, j := range list {
			consider(j.Submit)
		}
	}
	for _, s := range n.providers {
		for _, j := range s.jobs {
			if j.held != nil {
				consider(j.held.from)
				consider(j.held.to)
			}
		}
	}
	if n.every > 0 {
		last := now / n.every * n.every
		times := []int64{last + n.every}
		for k := int64(1); k < n.p.Checks; k++ {
			times = append(times, last+n.every*k/n.p.Checks)
		}
		for _, at := range times {
			if at <= n.jobs.lastArrival() {
				consider(at)
			}
		}
	}
	return next
}

// started returns the start of a job, or never if that is not within the run.
func (n *naiveWorld) started(j *naiveJob) int64 {
	if j == nil || j.start > n.until {
		return never
	}
	return j.start
}
