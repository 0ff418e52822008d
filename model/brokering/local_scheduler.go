// Local schedulers, to whose queues brokers leave their jobs under SLOW.

package brokering

import (
	"cmp"
	"slices"

	"gridsweep/model/brokering/grid"
	engine "gridsweep/model/cluster"
)

// localScheduler is the local scheduler of a resource. Its queue looks at memory and disk as well
// as at CPUs. The jobs that it starts run on a site of the cluster engine, which starts none that
// does not fit.
type localScheduler struct {
	sys      *system
	resource *resource
	site     *engine.Site
	begin    func(number int32)
	fcfs     bool
	cpusOnly bool          // it does not look at memory and disk
	queues   [2]localQueue // the jobs of the domain's own users, if they come first, and all others
	running  []ending      // its jobs by their ends; those before the index ended have ended
	ended    int

	// What the last pass found, for as long as no job ends.
	pivot  bool        // whether a job that does not fit stands first
	shadow int64       // s, when it will start
	spare  grid.Amount // what it then leaves over
}

// ending is a job that runs: when it ends, and what it holds until then.
type ending struct {
	end   int64 // s
	needs grid.Amount
}

// newLocalScheduler returns the local scheduler of a resource. It shares spare with others and
// calls begin for each job that it starts.
func newLocalScheduler(s *system, at *resource, spare *[]chunk, begin func(number int32)) *localScheduler {
	policy, err := engine.ParsePolicy(s.p.Local)
	if err != nil {
		panic(err) // the parameter has no other levels
	}
	site, err := engine.New(engine.Config{Procs: int32(at.total.CPUs), Policy: policy})
	if err != nil {
		panic(err) // a resource has CPUs
	}
	return &localScheduler{
		sys: s, resource: at, site: site, begin: begin, queues: [2]localQueue{{spare: spare}, {spare: spare}},
		fcfs: s.p.Local == "fcfs", cpusOnly: s.p.LocalNeeds == "cpus",
	}
}

// queued returns how many jobs wait.
func (l *localScheduler) queued() int { return l.queues[0].jobs + l.queues[1].jobs }

// submit adds a job to the queue and starts what can start. Where others wait that is at most the
// job itself, which is the last one, unless it goes ahead of them.
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
	case !l.fcfs && l.backfills(&j):
		l.start(&j)
	default:
		l.queues[1].add(j)
	}
}

// finish ends the jobs that end now, and lets others start.
func (l *localScheduler) finish() {
	for l.ended < len(l.running) && l.running[l.ended].end <= l.sys.now {
		l.ended++
	}
	if 2*l.ended > len(l.running) { // each is moved at most once for every one that has ended
		l.running, l.ended = slices.Delete(l.running, 0, l.ended), 0
	}
	l.site.Finish(l.sys.now)
	l.pass()
}

// needs returns what the scheduler looks at when it starts a job.
func (l *localScheduler) needs(r *request) grid.Amount {
	needed := l.sys.needs(r)
	if l.cpusOnly {
		return grid.Amount{CPUs: needed.CPUs}
	}
	return needed
}

// pass starts what can start: in the order of the queue up to the first job that does not fit, the
// pivot, and under EASY (Lifka, JSSPP 1995) each later one that does not delay it.
func (l *localScheduler) pass() {
	l.pivot = false
	for i := range l.queues {
		if done := l.queues[i].each(l.passChunk); done {
			return
		}
	}
}

// passChunk is a pass over a chunk. It returns how many jobs have started, and whether no later one
// can.
func (l *localScheduler) passChunk(k *chunk) (started int, done bool) {
	if l.pivot && !l.mayBackfill(&k.least, k.run) {
		return 0, false
	}
	var gone [perChunk]bool
	for i := 0; i < len(k.jobs) && !done; i++ {
		j := &k.jobs[i]
		switch {
		case !j.needs.Within(&l.resource.Free):
			if !l.pivot {
				l.pivot, done = true, l.fcfs || l.resource.Free.CPUs == 0
				l.plan(&j.needs)
			}
		case !l.pivot || l.backfills(j):
			l.start(j)
			gone[i], done = true, l.pivot && l.resource.Free.CPUs == 0
			started++
		}
	}
	if started > 0 {
		k.remove(&gone)
	}
	return started, done
}

// mayBackfill reports whether a job fits that needs so much and runs so long, and does not delay
// the pivot.
func (l *localScheduler) mayBackfill(n *grid.Amount, run int64) bool {
	return n.Within(&l.resource.Free) && (l.sys.now+run <= l.shadow || n.Within(&l.spare))
}

// backfills reports whether a job passes the pivot. If so, it takes what the job needs of the
// spare.
func (l *localScheduler) backfills(j *queued) bool {
	if !l.mayBackfill(&j.needs, j.run) {
		return false
	}
	if l.sys.now+j.run > l.shadow {
		l.spare.Add(&j.needs, -1)
	}
	return true
}

// plan finds when the pivot will start, if only the jobs that run now do, and what it then leaves
// over.
func (l *localScheduler) plan(n *grid.Amount) {
	used, running := l.resource.used, l.running[l.ended:]
	most := l.resource.total.CPUs - n.CPUs // that may still be used
	for i := range running {
		e := &running[i]
		used.Add(&e.needs, -1)
		if used.CPUs > most || i+1 < len(running) && running[i+1].end == e.end {
			continue
		}
		if l.spare = l.resource.total.Without(&used); n.Within(&l.spare) {
			l.spare.Add(n, -1)
			l.shadow = e.end
			return
		}
	}
	panic("brokering: a job queues at a resource that cannot run it")
}

// start starts a job that fits.
func (l *localScheduler) start(j *queued) {
	end, err := l.site.Run(l.sys.now, engine.Job{Run: j.run, Procs: int32(j.needs.CPUs)})
	if err != nil {
		panic(err) // its run time and size were checked when it was drawn, and it fits
	}
	byEnd := func(e ending, end int64) int { return cmp.Compare(e.end, end) }
	at, _ := slices.BinarySearchFunc(l.running[l.ended:], end, byEnd)
	l.running = slices.Insert(l.running, l.ended+at, ending{end, l.sys.needs(&l.sys.requests[j.number])})
	l.begin(j.number)
}
