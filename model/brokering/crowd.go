package brokering

import (
	"cmp"
	"slices"
)

// likeness is what the jobs of a crowd have in common.
type likeness struct {
	kind   int32
	origin int32 // absent where all brokers are alike: then it decides only between equal scores
	clock  int64 // MHz
	cpus   int64
	memory int64 // MB
}

// compare orders the crowds of a kind, those that need fewer CPUs first.
func (l *likeness) compare(other *likeness) int {
	return cmp.Or(cmp.Compare(l.cpus, other.cpus), cmp.Compare(l.memory, other.memory),
		cmp.Compare(l.clock, other.clock), cmp.Compare(l.origin, other.origin))
}

// crowd are jobs that wait and differ in nothing but their disks, and in these not so much that a resource would fit one and
// not the other. What is true of one is true of all, so that they cost no more than one.
type crowd struct {
	likeness
	least, most int64    // MB of disk: none needs less or more
	jobs        []waiter // in the order of arrival
	now         counts   // what an attempt would meet now
	since       int64    // the first pass that met these
	met         counts   // in all passes before that
	late        counts   // the sum of that of all jobs
	homing      bool     // to be tried at home before the next pass
	bloc        *bloc    // to which it belongs
	place       int      // there
}

// waiter is a job that waits.
type waiter struct {
	number int32
	joined int64  // the first pass that had it
	before counts // what the crowd had met when it joined, with what was late
	late   counts // what it met besides, as do all behind it: changes in a pass in which its turn was still to come
}

// after returns the place of the first job with a higher number.
func (c *crowd) after(number int32) int {
	if c.jobs[0].number > number {
		return 0
	}
	i, found := c.find(number)
	if found {
		i++
	}
	return i
}

func (c *crowd) find(number int32) (int, bool) {
	return slices.BinarySearchFunc(c.jobs, number, func(j waiter, number int32) int { return cmp.Compare(j.number, number) })
}

// holds reports whether no job of the crowd needs less disk than this one, or more.
func (c *crowd) holds(disk int64) bool { return c.least <= disk && disk <= c.most }

// lacks returns the conflict of those jobs that need least where so much is there.
func (c *crowd) lacks(there *need) conflict {
	n := need{c.cpus, c.memory, c.least}
	return n.lacks(there)
}

// settle counts what the attempts met that met what they would meet now.
func (w *waiting) settle(c *crowd) {
	until := w.over()
	c.met.add(&c.now, until-c.since)
	c.since = until
}

// over returns how many passes there have been, with the one that goes on.
func (w *waiting) over() int64 {
	if w.tried == absent {
		return w.passes
	}
	return w.passes + 1
}

// meets notes that a resource of one conflict now is of another. Jobs whose turn in a pass is still to come meet it in this one.
func (w *waiting) meets(c *crowd, was, is conflict) {
	w.settle(c)
	c.now.move(was, is)
	if w.tried == absent {
		return
	}
	if i := c.after(w.tried); i < len(c.jobs) {
		c.jobs[i].late.move(was, is)
		c.late.move(was, is)
	}
}

// add lets a job join the crowd, behind all others.
func (w *waiting) add(c *crowd, number int32) {
	w.settle(c)
	j := waiter{number: number, joined: w.passes, before: c.met}
	j.before.add(&c.late, 1)
	c.jobs = append(c.jobs, j)
	w.crowds[number] = c
}

// drop takes a job out of its crowd and counts what it has met there. Nearly always it is the first.
func (w *waiting) drop(c *crowd, number int32) {
	w.settle(c)
	i, _ := c.find(number)
	j := c.jobs[i]
	met := c.met
	for k := range c.jobs[:i+1] {
		met.add(&c.jobs[k].late, 1)
	}
	met.add(&j.before, -1)
	w.s.requests[number].tally.include(&tally{attempts: w.over() - j.joined, conflicts: [3]int64(met[:noConflict])})
	if i+1 < len(c.jobs) {
		c.jobs[i+1].late.add(&j.late, 1)
	} else {
		c.late.add(&j.late, -1)
	}
	if i == 0 {
		c.jobs = c.jobs[1:]
	} else {
		c.jobs = slices.Delete(c.jobs, i, i+1)
	}
	w.crowds[number] = nil
}

// flatten makes what every job has met besides part of what it is counted from, so that jobs may be taken from between others.
func (w *waiting) flatten(c *crowd) {
	w.settle(c)
	var late counts
	for i := range c.jobs {
		j := &c.jobs[i]
		late.add(&j.late, 1)
		j.before.add(&late, -1)
		j.late = counts{}
	}
	c.late = counts{}
}

// split leaves in a crowd the jobs that need no more disk than this and makes another one of the others, if there are both.
// What was to be done with the crowd is to be done with both.
func (w *waiting) split(c *crowd, disk int64) {
	more := func(j waiter) bool { return w.s.requests[j.number].need.disk > disk }
	switch first := more(c.jobs[0]); {
	case slices.ContainsFunc(c.jobs, func(j waiter) bool { return more(j) != first }):
	case first:
		c.resize(disk+1, c.most)
		return
	default:
		c.resize(c.least, disk)
		return
	}
	w.flatten(c)
	rest := *c
	rest.least, rest.jobs = disk+1, nil
	for _, j := range c.jobs {
		if more(j) {
			rest.jobs = append(rest.jobs, j)
			w.crowds[j.number] = &rest
		}
	}
	c.jobs = slices.DeleteFunc(c.jobs, more)
	c.resize(c.least, disk)
	w.insert(&rest)
	if rest.homing {
		w.homing = append(w.homing, &rest)
	}
}

// perRejoin is after how many passes crowds are looked at that may be one again: much more often than that, what is to be split
// again soon would be rejoined.
const perRejoin = 64

// rejoinAll makes neighbours one that nothing tells apart any more.
func (w *waiting) rejoinAll() {
	for kind := range w.kinds {
		for i := 1; i < len(w.kinds[kind]); {
			if !w.rejoin(w.kinds[kind][i-1], w.kinds[kind][i]) {
				i++
			}
		}
	}
}

// rejoin makes crowds one if nothing tells them apart any more: neither resources nor the brokers that matter to them now. It
// reports whether it has, and is not to be called in a pass.
func (w *waiting) rejoin(c, other *crowd) bool {
	if c.likeness != other.likeness || c.now != other.now {
		return false
	}
	least, most := min(c.least, other.least), max(c.most, other.most)
	if w.apart(c, least, most) || other.bloc != c.bloc && w.apart(other, least, most) {
		return false
	}
	w.flatten(c)
	w.flatten(other)
	for i := range other.jobs {
		j := &other.jobs[i]
		j.before.add(&other.met, -1)
		j.before.add(&c.met, 1)
		w.crowds[j.number] = c
	}
	c.jobs = merge(c.jobs, other.jobs)
	c.resize(least, most)
	if other.homing {
		w.homeward(c)
	}
	other.jobs = nil
	w.remove(other)
	return true
}

// merge adds jobs to others and returns all in the order of arrival.
func merge(jobs, others []waiter) []waiter {
	at := len(jobs)
	jobs = append(jobs, others...)
	for i := len(jobs) - 1; len(others) > 0; i-- { // from behind, where there is room
		last := len(others) - 1
		if at > 0 && jobs[at-1].number > others[last].number {
			at--
			jobs[i] = jobs[at]
		} else {
			jobs[i], others = others[last], others[:last]
		}
	}
	return jobs
}
