package brokering

import (
	"cmp"
	"slices"

	engine "gridsweep/model/cluster"
)

// centre is a resource's local scheduler, to which brokers leave their jobs under SLOW: a machine of the cluster engine
// whose policy knows of memory and disk as well.
type centre struct {
	s       *system
	m       *machine
	site    *engine.Site
	begin   func(number int32)
	fcfs    bool
	narrow  bool     // knows of CPUs alone
	lines   [2]line  // its queue: the jobs of the domain's own users, if they come first, and all others
	joining queued   // the job that joins in the next pass
	joins   bool     // whether one does
	running []ending // of its jobs, by their ends

	// What the last pass found, for as long as no job ends.
	shadow int64 // s, when the pivot will start
	spare  need  // what it then leaves over
}

// ending is when a job ends.
type ending struct {
	end    int64 // s
	number int32 // of the request
}

// newCentre returns the centre of a resource, which tells begin of each job that it starts. Its error is the cluster
// engine's.
func newCentre(s *system, m *machine, begin func(number int32)) (*centre, error) {
	c := &centre{s: s, m: m, begin: begin, fcfs: s.p.Local == "fcfs", narrow: s.p.LocalNeeds == "cpus"}
	var err error
	c.site, err = engine.New(engine.Config{Procs: int32(m.total.cpus), Policy: engine.NewPolicy(s.p.Local, c.pass)})
	return c, err
}

// queued returns how many jobs wait.
func (c *centre) queued() int { return c.lines[0].jobs + c.lines[1].jobs }

// submit lets a job join the queue, and what can start then start.
func (c *centre) submit(now int64, number int32) error {
	r := &c.s.requests[number]
	local, err := c.site.Submit(now, engine.Job{Run: r.run, Procs: int32(r.need.cpus)})
	if err != nil {
		return err
	}
	c.joining, c.joins = queued{local: int32(local), number: number, run: r.run, need: c.needs(r)}, true
	c.site.Pass(now)
	return nil
}

// finish ends the jobs that end now, and lets others start.
func (c *centre) finish(now int64) {
	ended := 0
	for ended < len(c.running) && c.running[ended].end <= now {
		ended++
	}
	c.running = slices.Delete(c.running, 0, ended)
	c.site.Finish(now)
	c.site.Pass(now)
}

// needs returns what the centre looks at when it starts a job.
func (c *centre) needs(r *request) need {
	if c.narrow {
		return need{cpus: r.need.cpus}
	}
	return r.need
}

// pass starts what can start: in the order of the queue up to the first job that does not fit, the pivot, and under EASY
// (Lifka, JSSPP 1995) each later one that does not delay it.
func (c *centre) pass(p *engine.Pass) {
	if j := &c.joining; c.joins {
		c.joins = false
		own := c.s.localFirst() && c.s.requests[j.number].origin == c.m.domain
		if !own && c.queued() > 0 { // what waits cannot start, and it stands last
			if c.fcfs || !c.backfills(j, p.Now()) {
				c.lines[1].add(*j)
			} else {
				c.start(p, j)
			}
			return
		}
		if own {
			c.lines[0].add(*j)
		} else {
			c.lines[1].add(*j)
		}
	}
	pivot := false
	for i := range c.lines {
		if pivot && c.fcfs {
			return
		}
		c.lines[i].each(
			func(all *chunk) bool { return pivot && !c.mayBackfill(&all.least, all.run, p.Now()) },
			func(j *queued) (started, done bool) {
				switch {
				case pivot:
					started = c.backfills(j, p.Now())
				case j.need.within(&c.m.free):
					started = true
				default:
					pivot = true
					c.plan(&j.need)
				}
				if started {
					c.start(p, j)
				}
				return started, pivot && (c.fcfs || c.m.free.cpus == 0)
			})
	}
}

// mayBackfill reports whether a job that needs so much and runs so long fits and does not delay the pivot.
func (c *centre) mayBackfill(n *need, run, now int64) bool {
	return n.within(&c.m.free) && (now+run <= c.shadow || n.within(&c.spare))
}

// backfills reports whether a job passes the pivot, and takes what it needs of what that one leaves over.
func (c *centre) backfills(j *queued, now int64) bool {
	if !c.mayBackfill(&j.need, j.run, now) {
		return false
	}
	if now+j.run > c.shadow {
		c.spare.add(&j.need, -1)
	}
	return true
}

// plan finds when the pivot will start, as far as the jobs go that run, and what it then leaves over.
func (c *centre) plan(n *need) {
	used := c.m.used
	for i, e := range c.running {
		used.add(&c.s.requests[e.number].need, -1)
		if i+1 < len(c.running) && c.running[i+1].end == e.end {
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
func (c *centre) start(p *engine.Pass, j *queued) {
	if !p.Start(int(j.local)) {
		panic("brokering: a centre and the cluster engine differ on what is free")
	}
	e := ending{p.Now() + j.run, j.number}
	at, _ := slices.BinarySearchFunc(c.running, e, func(a, b ending) int { return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.number, b.number)) })
	c.running = slices.Insert(c.running, at, e)
	c.begin(j.number)
}
