package brokering

import (
	"cmp"
	"math"
	"math/bits"
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

// before orders the crowds of a kind, those that need fewer CPUs first.
func (l *likeness) before(other *likeness) bool {
	switch {
	case l.cpus != other.cpus:
		return l.cpus < other.cpus
	case l.memory != other.memory:
		return l.memory < other.memory
	case l.clock != other.clock:
		return l.clock < other.clock
	}
	return l.origin < other.origin
}

// crowd are jobs that wait and differ in nothing but their disks, and in these not so much that a resource would fit one and
// not the other. What is true of one is true of all, so that they cost no more than one.
type crowd struct {
	now         counts   // what an attempt would meet now
	met         counts   // what was met in all passes so far, less the product of these and now: so it changes only when now does
	late        []late   // what only some have met besides, by the first of these
	bloc        *bloc    // to which it belongs
	bit         uint64   // of its place there
	homing      bool     // to be tried at home before the next pass
	least, most int64    // MB of disk: none needs less or more
	jobs        []waiter // in the order of arrival
	likeness
}

// waiter is a job that waits. What its crowd had met when it joined is taken off its tally, to which is added what that has met
// when the job leaves.
type waiter struct {
	number int32
	joined int32 // the first pass that had it
	disk   int64 // MB
}

// late is what the jobs from a number on have met besides: changes in a pass in which their turn was still to come.
type late struct {
	from int32
	met  conflicts
}

// next returns the first job with a higher number; the highest of all numbers if there is none.
func (c *crowd) next(number int32) int32 {
	if i := c.find(number + 1); i < len(c.jobs) {
		return c.jobs[i].number
	}
	return math.MaxInt32
}

// find returns the place of the first job with this number or a higher one.
func (c *crowd) find(number int32) int {
	low, high := 0, len(c.jobs)
	for low < high {
		if middle := int(uint(low+high) / 2); c.jobs[middle].number < number {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// holds reports whether no job of the crowd needs less disk than this one, or more.
func (c *crowd) holds(disk int64) bool { return c.least <= disk && disk <= c.most }

// over returns how many passes there have been, with the one that goes on.
func (w *waiting) over() int64 {
	if w.tried == absent {
		return w.passes
	}
	return w.passes + 1
}

// count notes that a resource of one conflict now is of another to some crowds. Jobs whose turn in a pass is still to come meet it
// in this one.
func (w *waiting) count(b *bloc, crowds uint64, was, is conflict) {
	was, is = was&noConflict, is&noConflict // changes neither, and spares checking the bounds of counts for every crowd
	for ; crowds != 0; crowds &= crowds - 1 {
		place, passes := bits.TrailingZeros64(crowds)%64, w.passes
		c := b.crowds[place]
		if b.leads[place] <= w.tried {
			passes++
			if next := c.next(w.tried); next < math.MaxInt32 {
				c.lateFrom(next).move(was, is)
			}
		}
		c.now.move(was, is)
		c.met[was] += passes
		c.met[is] -= passes
	}
}

// lateFrom returns what jobs from a number on have met besides.
func (c *crowd) lateFrom(number int32) *conflicts {
	i, found := slices.BinarySearchFunc(c.late, number, func(l late, number int32) int { return cmp.Compare(l.from, number) })
	if !found {
		c.late = slices.Insert(c.late, i, late{from: number})
	}
	return &c.late[i].met
}

// metBy returns what a job would have met by now had it waited all the time.
func (w *waiting) metBy(c *crowd, number int32) conflicts {
	met := *c.met.conflicts()
	met.add(c.now.conflicts(), w.over())
	for i := range c.late {
		if c.late[i].from > number {
			break
		}
		met.add(&c.late[i].met, 1)
	}
	return met
}

// trim takes together what by now all jobs have met.
func (c *crowd) trim() {
	n := 0
	for n < len(c.late) && c.late[n].from <= c.jobs[0].number {
		c.met.conflicts().add(&c.late[n].met, 1)
		n++
	}
	if n > 0 {
		c.late = slices.Delete(c.late, 0, n)
	}
}

// add lets a job join the crowd, behind all others.
func (w *waiting) add(c *crowd, number int32) {
	r := &w.s.requests[number]
	met := w.metBy(c, number)
	r.tally.conflicts.add(&met, -1)
	c.jobs = append(c.jobs, waiter{number, int32(w.passes), w.s.job(r).disk})
	c.lead()
	w.crowds[number] = c
}

// drop takes a job out of its crowd and counts what it has met there. Nearly always it is the first.
func (w *waiting) drop(c *crowd, number int32) {
	i := c.find(number)
	w.s.requests[number].tally.include(&tally{attempts: w.over() - int64(c.jobs[i].joined), conflicts: w.metBy(c, number)})
	w.crowds[number] = nil
	if i > 0 {
		c.jobs = slices.Delete(c.jobs, i, i+1)
	} else if c.jobs = c.jobs[1:]; len(c.jobs) > 0 {
		c.trim()
		c.lead()
	}
}

// flatten counts what only some jobs have met.
func (w *waiting) flatten(c *crowd) {
	if len(c.late) == 0 {
		return
	}
	var met conflicts
	taken := 0
	for i := c.find(c.late[0].from); i < len(c.jobs); i++ {
		number := c.jobs[i].number
		for ; taken < len(c.late) && c.late[taken].from <= number; taken++ {
			met.add(&c.late[taken].met, 1)
		}
		w.s.requests[number].tally.conflicts.add(&met, 1)
	}
	c.late = c.late[:0]
}

// split leaves in a crowd the jobs that need no more disk than this and makes another one of the others, if there are both.
// What was to be done with the crowd is to be done with both.
func (w *waiting) split(c *crowd, disk int64) {
	more := 0
	for i := range c.jobs {
		if c.jobs[i].disk > disk {
			more++
		}
	}
	switch more {
	case 0:
		c.resize(c.least, disk)
		return
	case len(c.jobs):
		c.resize(disk+1, c.most)
		return
	}
	rest := *c
	rest.least, rest.jobs, rest.late = disk+1, slices.Grow(w.takeSpare(), more), slices.Clone(c.late)
	kept := c.jobs[:0]
	for _, j := range c.jobs {
		if j.disk > disk {
			rest.jobs = append(rest.jobs, j)
			w.crowds[j.number] = &rest
		} else {
			kept = append(kept, j)
		}
	}
	c.jobs = kept
	c.resize(c.least, disk)
	c.trim()
	rest.trim()
	w.insert(&rest)
	c.lead()
	rest.lead()
	if rest.homing {
		w.homing = append(w.homing, &rest)
	}
}

// perRejoin is after how many passes crowds are looked at that may be one again: much more often than that, what is to be split
// again soon would be rejoined.
const perRejoin = 256

// rejoinAll makes neighbours one that nothing tells apart any more.
func (w *waiting) rejoinAll() {
	for kind, crowds := range w.kinds {
		if len(crowds) == 0 {
			continue
		}
		kept := crowds[:1]
		for _, c := range crowds[1:] {
			if !w.rejoin(kept[len(kept)-1], c) {
				kept = append(kept, c)
			}
		}
		clear(crowds[len(kept):])
		w.kinds[kind] = kept
		w.gather(int32(kind))
	}
}

// rejoin makes crowds one if nothing tells them apart any more: neither resources nor the brokers that matter to them now. It
// reports whether it has, and is not to be called in a pass, nor when something is to be tried at home.
func (w *waiting) rejoin(c, other *crowd) bool {
	if c.likeness != other.likeness || c.now != other.now {
		return false
	}
	least, most := min(c.least, other.least), max(c.most, other.most)
	if w.apart(c, least, most) {
		return false
	}
	w.flatten(c)
	w.flatten(other)
	more := *other.met.conflicts() // now is the same
	more.add(c.met.conflicts(), -1)
	for i := range other.jobs {
		number := other.jobs[i].number
		w.s.requests[number].tally.conflicts.add(&more, 1)
		w.crowds[number] = c
	}
	c.jobs = merge(c.jobs, other.jobs)
	c.lead()
	c.resize(least, most)
	w.spare = append(w.spare, other.jobs[:0])
	other.jobs = nil
	other.dismiss()
	return true
}

// takeSpare returns the memory of the jobs of a crowd that was rejoined with another one.
func (w *waiting) takeSpare() []waiter {
	last := len(w.spare) - 1
	if last < 0 {
		return nil
	}
	jobs := w.spare[last]
	w.spare = w.spare[:last]
	return jobs
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
