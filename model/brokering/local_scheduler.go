// Local schedulers, to whose queues brokers submit jobs under SLOW (sections 4 and 5.1.3).

package brokering

import (
	"cmp"
	"slices"

	"gridsweep/model/brokering/pool"
)

// localScheduler is the local scheduler of a resource: EASY backfilling (Lifka, JSSPP 1995) or
// FCFS. Unlike the schedulers of package cluster it also reserves memory and disk.
type localScheduler struct {
	sys      *system
	resource *resource
	begin    func(number int32) // starts a job
	// queues of the jobs of the domain's own users, if they come first, and of all others
	queues  [2]localQueue
	running []ending // the jobs by their ends; those before the index ended have ended
	ended   int

	// The reservation of the pivot, which the last pass made. It is valid until a job ends.
	hasPivot bool        // whether the first job of the queue does not fit
	shadow   int64       // s, when it will start
	spare    pool.Amount // what is free then beside the pivot
}

// ending is a running job: when it ends, and what it holds until then.
type ending struct {
	end   int64 // s
	needs pool.Amount
}

// queued returns how many jobs wait.
func (l *localScheduler) queued() int { return l.queues[0].jobs + l.queues[1].jobs }

// submit adds a job to the queue and starts the jobs that can start. Behind others only the job
// itself can, by backfilling.
func (l *localScheduler) submit(number int32) {
	r := &l.sys.requests[number]
	j := queued{number: number, run: l.sys.job(r).run, needs: l.needs(r)}
	switch {
	case l.sys.originFirst() && r.origin == l.resource.Domain:
		l.queues[0].add(j)
		l.pass()
	case l.queued() == 0:
		l.queues[1].add(j)
		l.pass()
	case !l.fcfs() && l.backfills(&j):
		l.start(&j)
	default:
		l.queues[1].add(j)
	}
}

// finish removes the jobs that end now, and starts others.
func (l *localScheduler) finish() {
	for l.ended < len(l.running) && l.running[l.ended].end <= l.sys.now {
		l.ended++
	}
	if 2*l.ended > len(l.running) { // so that it moves fewer jobs than it deletes
		l.running, l.ended = slices.Delete(l.running, 0, l.ended), 0
	}
	l.pass()
}

func (l *localScheduler) fcfs() bool { return l.sys.p.Local == "fcfs" }

// needs returns what a job has to have to start: under local_needs cpus CPUs alone.
func (l *localScheduler) needs(r *request) pool.Amount {
	needs := l.sys.needs(r)
	if l.sys.p.LocalNeeds == "cpus" {
		return pool.Amount{CPUs: needs.CPUs}
	}
	return needs
}

// pass starts jobs in the order of the queue up to the first one that does not fit, the pivot.
// Under EASY it also starts each later job that does not delay the pivot.
func (l *localScheduler) pass() {
	l.hasPivot = false
	for i := range l.queues {
		if done := l.queues[i].each(l.passChunk); done {
			return
		}
	}
}

// passChunk is a pass over a chunk. It reports whether no later job can start.
func (l *localScheduler) passChunk(c *chunk) (done bool) {
	if l.hasPivot && !l.mayBackfill(&c.least, c.run) {
		return false
	}
	var started [perChunk]bool
	for i := 0; i < len(c.jobs) && !done; i++ {
		j := &c.jobs[i]
		switch {
		case !j.needs.Within(&l.resource.Free):
			if !l.hasPivot {
				l.hasPivot, done = true, l.fcfs() || l.resource.Free.CPUs == 0
				l.planPivot(&j.needs)
			}
		case !l.hasPivot || l.backfills(j):
			l.start(j)
			started[i], done = true, l.hasPivot && l.resource.Free.CPUs == 0
		}
	}
	if started != [perChunk]bool{} {
		c.remove(&started)
	}
	return done
}

// mayBackfill reports whether a job with these needs and this run time fits and does not delay the
// pivot: it ends before the pivot starts, or fits beside it.
func (l *localScheduler) mayBackfill(needs *pool.Amount, run int64) bool {
	return needs.Within(&l.resource.Free) && (l.sys.now+run <= l.shadow || needs.Within(&l.spare))
}

// backfills reports whether a job starts before the pivot. If it ends after the pivot's start, it
// takes its needs from the spare amount.
func (l *localScheduler) backfills(j *queued) bool {
	if !l.mayBackfill(&j.needs, j.run) {
		return false
	}
	if l.sys.now+j.run > l.shadow {
		l.spare.Add(&j.needs, -1)
	}
	return true
}

// planPivot finds when the pivot will start if no other job starts before it, and what is free then
// beside it.
func (l *localScheduler) planPivot(needs *pool.Amount) {
	used, running := l.resource.used, l.running[l.ended:]
	most := l.resource.total.CPUs - needs.CPUs // that may still be used
	for i := range running {
		e := &running[i]
		used.Add(&e.needs, -1)
		if used.CPUs > most || i+1 < len(running) && running[i+1].end == e.end {
			continue
		}
		if l.spare = l.resource.total.Without(&used); needs.Within(&l.spare) {
			l.spare.Add(needs, -1)
			l.shadow = e.end
			return
		}
	}
	panic("brokering: a job queues at a resource that cannot run it")
}

// start starts a job that fits.
func (l *localScheduler) start(j *queued) {
	end := l.sys.now + j.run
	byEnd := func(e ending, end int64) int { return cmp.Compare(e.end, end) }
	at, _ := slices.BinarySearchFunc(l.running[l.ended:], end, byEnd)
	l.running = slices.Insert(l.running, l.ended+at, ending{end, l.sys.needs(&l.sys.requests[j.number])})
	l.begin(j.number)
}
