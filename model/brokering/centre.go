package brokering

import (
	"cmp"
	"slices"

	engine "gridsweep/model/cluster"
)

// centre is a resource's local scheduler, to which brokers leave their jobs under SLOW. Its queue knows of memory and disk
// as well as of CPUs; what it starts runs on a machine of the cluster engine, which starts nothing that does not fit.
type centre struct {
	s       *system
	m       *machine
	site    *engine.Site
	begin   func(number int32)
	fcfs    bool
	narrow  bool     // knows of CPUs alone
	lines   [2]line  // its queue: the jobs of the domain's own users, if they come first, and all others
	running []ending // of its jobs, by their ends; those before ended have ended
	ended   int

	// What the last pass found, for as long as no job ends.
	pivot  bool  // whether a job that does not fit stands first
	shadow int64 // s, when it will start
	spare  need  // what it then leaves over
}

// ending is when a job ends, and what it then no longer holds.
type ending struct {
	end  int64 // s
	need need
}

// newCentre returns the centre of a resource, which shares spare with others and tells begin of each job that it starts.
func newCentre(s *system, m *machine, spare *[]chunk, begin func(number int32)) *centre {
	policy, err := engine.ParsePolicy(s.p.Local)
	if err != nil {
		panic(err) // the parameter has no other levels
	}
	site, err := engine.New(engine.Config{Procs: int32(m.total.cpus), Policy: policy})
	if err != nil {
		panic(err) // a resource has CPUs
	}
	lines := [2]line{{spare: spare}, {spare: spare}}
	return &centre{s: s, m: m, site: site, begin: begin, lines: lines, fcfs: s.p.Local == "fcfs", narrow: s.p.LocalNeeds == "cpus"}
}

// queued returns how many jobs wait.
func (c *centre) queued() int { return c.lines[0].jobs + c.lines[1].jobs }

// submit lets a job join the queue, and what can start then start: where others wait, that is at most the job itself, which
// stands last, unless it goes ahead of them.
func (c *centre) submit(number int32) {
	r := &c.s.requests[number]
	j := queued{number: number, run: c.s.job(r).run, need: c.needs(r)}
	switch {
	case c.s.localFirst() && r.origin == c.m.domain:
		c.lines[0].add(j)
		c.pass()
	case c.queued() == 0:
		c.lines[1].add(j)
		c.pass()
	case !c.fcfs && c.backfills(&j):
		c.start(&j)
	default:
		c.lines[1].add(j)
	}
}

// finish ends the jobs that end now, and lets others start.
func (c *centre) finish() {
	for c.ended < len(c.running) && c.running[c.ended].end <= c.s.now {
		c.ended++
	}
	if 2*c.ended > len(c.running) { // each is moved at most once for every one that has ended
		c.running, c.ended = slices.Delete(c.running, 0, c.ended), 0
	}
	c.site.Finish(c.s.now)
	c.pass()
}

// needs returns what the centre looks at when it starts a job.
func (c *centre) needs(r *request) need {
	needed := c.s.needOf(r)
	if c.narrow {
		return need{cpus: needed.cpus}
	}
	return needed
}

// pass starts what can start: in the order of the queue up to the first job that does not fit, the pivot, and under EASY
// (Lifka, JSSPP 1995) each later one that does not delay it.
func (c *centre) pass() {
	c.pivot = false
	for i := range c.lines {
		if done := c.lines[i].each(c.passChunk); done {
			return
		}
	}
}

// passChunk does that with the jobs of a chunk. It returns how many have started, and whether no later one can.
func (c *centre) passChunk(k *chunk) (started int, done bool) {
	if c.pivot && !c.mayBackfill(&k.least, k.run) {
		return 0, false
	}
	var gone [perChunk]bool
	for i := 0; i < len(k.jobs) && !done; i++ {
		j := &k.jobs[i]
		switch {
		case !j.need.within(&c.m.free):
			if !c.pivot {
				c.pivot, done = true, c.fcfs || c.m.free.cpus == 0
				c.plan(&j.need)
			}
		case !c.pivot || c.backfills(j):
			c.start(j)
			gone[i], done = true, c.pivot && c.m.free.cpus == 0
			started++
		}
	}
	if started > 0 {
		k.remove(&gone)
	}
	return started, done
}

// mayBackfill reports whether a job that needs so much and runs so long fits and does not delay the pivot.
func (c *centre) mayBackfill(n *need, run int64) bool {
	return n.within(&c.m.free) && (c.s.now+run <= c.shadow || n.within(&c.spare))
}

// backfills reports whether a job passes the pivot, and takes what it needs of what that one leaves over.
func (c *centre) backfills(j *queued) bool {
	if !c.mayBackfill(&j.need, j.run) {
		return false
	}
	if c.s.now+j.run > c.shadow {
		c.spare.add(&j.need, -1)
	}
	return true
}

// plan finds when the pivot will start, as far as the jobs go that run, and what it then leaves over.
func (c *centre) plan(n *need) {
	used, running := c.m.used, c.running[c.ended:]
	most := c.m.total.cpus - n.cpus // that may still be used
	for i := range running {
		e := &running[i]
		used.add(&e.need, -1)
		if used.cpus > most || i+1 < len(running) && running[i+1].end == e.end {
			continue
		}
		if c.spare = c.m.total.without(&used); n.within(&c.spare) {
			c.spare.add(n, -1)
			c.shadow = e.end
			return
		}
	}
	panic("brokering: a job queues at a resource that cannot hold it")
}

// start starts a job that fits.
func (c *centre) start(j *queued) {
	end, err := c.site.Run(c.s.now, engine.Job{Run: j.run, Procs: int32(j.need.cpus)})
	if err != nil {
		panic(err) // its run time and size were checked when it was drawn, and the centre knows what is free
	}
	at, _ := slices.BinarySearchFunc(c.running[c.ended:], end, func(e ending, end int64) int { return cmp.Compare(e.end, end) })
	c.running = slices.Insert(c.running, c.ended+at, ending{end, c.s.needOf(&c.s.requests[j.number])})
	c.begin(j.number)
}
