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
	s        *system
	at       *resource
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
		s: s, at: at, site: site, begin: begin, queues: [2]localQueue{{spare: spare}, {spare: spare}},
		fcfs: s.p.Local == "fcfs", cpusOnly: s.p.LocalNeeds == "cpus",
	}
}

// queued returns how many jobs wait.
func (c *localScheduler) queued() int { return c.queues[0].jobs + c.queues[1].jobs }

// submit adds a job to the queue and starts what can start. Where others wait that is at most the
// job itself, which is the last one, unless it goes ahead of them.
func (c *localScheduler) submit(number int32) {
	r := &c.s.requests[number]
	j := queued{number: number, run: c.s.job(r).run, needs: c.needs(r)}
	switch {
	case c.s.originFirst() && r.origin == c.at.Domain:
		c.queues[0].add(j)
		c.pass()
	case c.queued() == 0:
		c.queues[1].add(j)
		c.pass()
	case !c.fcfs && c.backfills(&j):
		c.start(&j)
	default:
		c.queues[1].add(j)
	}
}

// finish ends the jobs that end now, and lets others start.
func (c *localScheduler) finish() {
	for c.ended < len(c.running) && c.running[c.ended].end <= c.s.now {
		c.ended++
	}
	if 2*c.ended > len(c.running) { // each is moved at most once for every one that has ended
		c.running, c.ended = slices.Delete(c.running, 0, c.ended), 0
	}
	c.site.Finish(c.s.now)
	c.pass()
}

// needs returns what the scheduler looks at when it starts a job.
func (c *localScheduler) needs(r *request) grid.Amount {
	needed := c.s.needs(r)
	if c.cpusOnly {
		return grid.Amount{CPUs: needed.CPUs}
	}
	return needed
}

// pass starts what can start: in the order of the queue up to the first job that does not fit, the
// pivot, and under EASY (Lifka, JSSPP 1995) each later one that does not delay it.
func (c *localScheduler) pass() {
	c.pivot = false
	for i := range c.queues {
		if done := c.queues[i].each(c.passChunk); done {
			return
		}
	}
}

// passChunk is a pass over a chunk. It returns how many jobs have started, and whether no later one
// can.
func (c *localScheduler) passChunk(k *chunk) (started int, done bool) {
	if c.pivot && !c.mayBackfill(&k.least, k.run) {
		return 0, false
	}
	var gone [perChunk]bool
	for i := 0; i < len(k.jobs) && !done; i++ {
		j := &k.jobs[i]
		switch {
		case !j.needs.Within(&c.at.Free):
			if !c.pivot {
				c.pivot, done = true, c.fcfs || c.at.Free.CPUs == 0
				c.plan(&j.needs)
			}
		case !c.pivot || c.backfills(j):
			c.start(j)
			gone[i], done = true, c.pivot && c.at.Free.CPUs == 0
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
func (c *localScheduler) mayBackfill(n *grid.Amount, run int64) bool {
	return n.Within(&c.at.Free) && (c.s.now+run <= c.shadow || n.Within(&c.spare))
}

// backfills reports whether a job passes the pivot. If so, it takes what the job needs of the
// spare.
func (c *localScheduler) backfills(j *queued) bool {
	if !c.mayBackfill(&j.needs, j.run) {
		return false
	}
	if c.s.now+j.run > c.shadow {
		c.spare.Add(&j.needs, -1)
	}
	return true
}

// plan finds when the pivot will start, if only the jobs that run now do, and what it then leaves
// over.
func (c *localScheduler) plan(n *grid.Amount) {
	used, running := c.at.used, c.running[c.ended:]
	most := c.at.total.CPUs - n.CPUs // that may still be used
	for i := range running {
		e := &running[i]
		used.Add(&e.needs, -1)
		if used.CPUs > most || i+1 < len(running) && running[i+1].end == e.end {
			continue
		}
		if c.spare = c.at.total.Without(&used); n.Within(&c.spare) {
			c.spare.Add(n, -1)
			c.shadow = e.end
			return
		}
	}
	panic("brokering: a job queues at a resource that cannot run it")
}

// start starts a job that fits.
func (c *localScheduler) start(j *queued) {
	end, err := c.site.Run(c.s.now, engine.Job{Run: j.run, Procs: int32(j.needs.CPUs)})
	if err != nil {
		panic(err) // its run time and size were checked when it was drawn, and the centre knows what is free
	}
	at, _ := slices.BinarySearchFunc(c.running[c.ended:], end, func(e ending, end int64) int { return cmp.Compare(e.end, end) })
	c.running = slices.Insert(c.running, c.ended+at, ending{end, c.s.needs(&c.s.requests[j.number])})
	c.begin(j.number)
}
