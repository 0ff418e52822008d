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
	numbers []int32  // of the requests, by the site's number of them
	queued  int      // jobs that wait
	running []ending // of its jobs, by their ends
	fcfs    bool
	narrow  bool // knows of CPUs alone
	begin   func(number int32)
}

// ending is when a job ends.
type ending struct {
	end    int64 // s
	number int32 // of the request
}

// newCentre returns the centre of a resource, which tells begin of each job that it starts. Its error is the cluster engine's.
func newCentre(s *system, m *machine, begin func(number int32)) (*centre, error) {
	c := &centre{s: s, m: m, begin: begin, fcfs: s.p.Local == "fcfs", narrow: s.p.LocalNeeds == "cpus"}
	order := engine.Order{}
	if s.localFirst() {
		var err error
		if order, err = engine.ParseOrder("priority"); err != nil {
			return nil, err
		}
	}
	var err error
	c.site, err = engine.New(engine.Config{Procs: int32(m.total.cpus), Policy: engine.NewPolicy(s.p.Local, c.pass), Order: order})
	return c, err
}

// submit adds a job to the queue.
func (c *centre) submit(now int64, number int32) error {
	r := &c.s.requests[number]
	j := engine.Job{Run: r.run, Estimate: r.run, Procs: int32(r.need.cpus)}
	if r.origin == c.m.domain {
		j.Priority = 1
	}
	if _, err := c.site.Submit(now, j); err != nil {
		return err
	}
	c.numbers = append(c.numbers, number)
	c.queued++
	return nil
}

// finish ends the jobs that end now.
func (c *centre) finish(now int64) {
	for len(c.running) > 0 && c.running[0].end <= now {
		c.running = slices.Delete(c.running, 0, 1)
	}
	c.site.Finish(now)
}

// needs returns what the centre looks at when it starts a job.
func (c *centre) needs(r *request) need {
	if c.narrow {
		return need{cpus: r.need.cpus}
	}
	return r.need
}

// free returns what the centre has of it now.
func (c *centre) free() need {
	if c.narrow {
		return need{cpus: c.m.free.cpus}
	}
	return c.m.free
}

// pass starts what can start: in the order of the queue up to the first job that does not fit, the pivot, and under EASY
// (Lifka, JSSPP 1995) each later one that does not delay it.
func (c *centre) pass(p *engine.Pass) {
	now := p.Now()
	pivot := false
	var shadow int64 // when the pivot will start
	var spare need   // what it then leaves over
	for local := range p.Waiting() {
		if c.m.free.cpus == 0 && pivot {
			return
		}
		number := c.numbers[local]
		r := &c.s.requests[number]
		n, free := c.needs(r), c.free()
		switch fits := n.within(&free); {
		case pivot && fits && (now+r.run <= shadow || n.within(&spare)):
			if now+r.run > shadow {
				spare.add(&n, -1)
			}
			c.start(p, local, now)
		case pivot:
		case fits:
			c.start(p, local, now)
		case c.fcfs:
			return
		default:
			pivot = true
			shadow, spare = c.plan(n)
		}
	}
}

// plan returns when a job that does not fit now will, as far as the jobs go that run, and what is then left over.
func (c *centre) plan(n need) (shadow int64, spare need) {
	spare = c.free()
	for i, e := range c.running {
		held := c.needs(&c.s.requests[e.number])
		spare.add(&held, 1)
		last := i+1 == len(c.running) || c.running[i+1].end > e.end
		if last && n.within(&spare) {
			spare.add(&n, -1)
			return e.end, spare
		}
	}
	panic("brokering: a job queues at a resource that cannot hold it")
}

// start starts a job that fits.
func (c *centre) start(p *engine.Pass, local int, now int64) {
	if !p.Start(local) {
		panic("brokering: a centre and the cluster engine differ on what is free")
	}
	number := c.numbers[local]
	e := ending{now + c.s.requests[number].run, number}
	at, _ := slices.BinarySearchFunc(c.running, e, func(a, b ending) int { return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.number, b.number)) })
	c.running = slices.Insert(c.running, at, e)
	c.queued--
	c.begin(number)
}
