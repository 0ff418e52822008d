package brokering

import (
	"math"
	"math/bits"
	"slices"
)

// waiting are the jobs that wait at brokers where later ones may pass. Which broker it is does not matter to them: every
// one ranks all.
//
// A pass tries all of them, but most attempts are known to fail: those of jobs that no resource fits; and those of jobs that
// go to a broker none of whose resources does. What failed attempts count is counted when it changes, for all passes since. So
// a crowd of jobs costs something only when a resource begins or ceases to fit it, and is tried only when it may start.
type waiting struct {
	s        *system
	crowds   []*crowd   // of each request that waits
	kinds    [][]*crowd // the crowds of each kind, in the order of what they have in common
	blocs    [][]*bloc  // which these make
	changes  []int32    // brokers about which something has changed since blocs were last reconsidered, each once
	isNew    []bool     // of each broker, whether it is among them
	homing   []*crowd   // to be tried at home, where a resource has begun to fit them, before the next pass
	choices  []choice   // of the bloc that is being reconsidered
	arriving likeness   // of the job that arrives, kept here since each would be an allocation
	spare    [][]waiter // jobs of crowds that were rejoined with others, for their memory
	passes   int64      // that have ended
	tried    int32      // the job tried last in the pass that goes on; absent outside of a pass, and before the first

	cancelled func() bool // whether the run is over before its end
}

func newWaiting(s *system, cancelled func() bool) *waiting {
	n := len(s.domains)
	return &waiting{
		s: s, crowds: make([]*crowd, len(s.requests)), kinds: make([][]*crowd, len(s.kinds)), blocs: make([][]*bloc, len(s.kinds)),
		isNew: make([]bool, n), tried: absent, cancelled: cancelled,
	}
}

// like returns a crowd that a job may join as it is, if there is one.
func (w *waiting) like(r *requirement) *crowd {
	for _, c := range w.alike(r) {
		if c.holds(r.need.disk) {
			return c
		}
	}
	return nil
}

// mayStart reports whether jobs of a crowd may start, as far as is known.
func (w *waiting) mayStart(c *crowd) bool {
	return (c.bloc.stale|c.bloc.may)&c.bit != 0 || w.concerned(c.bloc)
}

// join lets a job wait whose attempt has failed and met these conflicts. Of jobs alike in all but their disks, those that meet
// equally many conflicts of each kind meet them at the same resources: the more disk a job needs, the more lack it.
func (w *waiting) join(number int32, met *counts) {
	r := w.s.requirementOf(&w.s.requests[number])
	var c *crowd
	for _, other := range w.alike(&r) {
		if other.now == *met && (c == nil || other.holds(r.need.disk)) { // rather one that need not be extended
			c = other
		}
	}
	switch {
	case c == nil:
		c = &crowd{likeness: w.arriving, least: r.need.disk, most: r.need.disk, now: *met}
		w.insert(c)
	case !c.holds(r.need.disk):
		c.resize(min(c.least, r.need.disk), max(c.most, r.need.disk))
	}
	w.add(c, number)
	if w.s.localFirst() && w.attracts(c, c.origin) {
		w.homeward(c)
	}
}

// alike returns the crowds that differ from a job at most in their disks.
func (w *waiting) alike(r *requirement) []*crowd {
	l := &w.arriving
	*l = likeness{kind: r.kind, origin: r.origin, clock: r.clock, cpus: r.need.cpus, memory: r.need.memory}
	if w.s.p.Preference == "equal" {
		l.origin = absent
	}
	crowds := w.kinds[l.kind][w.search(l):]
	n := 0
	for n < len(crowds) && crowds[n].likeness == *l {
		n++
	}
	return crowds[:n]
}

// search returns the place of the first crowd with this in common among those of its kind, or where it would be.
func (w *waiting) search(l *likeness) int {
	crowds := w.kinds[l.kind]
	low, high := 0, len(crowds)
	for low < high {
		if middle := int(uint(low+high) / 2); crowds[middle].before(l) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// insert lists a crowd, behind those that are like it, and finds it a bloc.
func (w *waiting) insert(c *crowd) {
	i := w.search(&c.likeness)
	for i < len(w.kinds[c.kind]) && w.kinds[c.kind][i].likeness == c.likeness {
		i++
	}
	w.kinds[c.kind] = slices.Insert(w.kinds[c.kind], i, c)
	w.admit(c)
}

// changed looks again at a resource of which more or less is free than before.
func (w *waiting) changed(m *machine) {
	if !w.isNew[m.domain] {
		w.isNew[m.domain] = true
		w.changes = append(w.changes, m.domain)
	}
	for _, b := range w.blocs[m.kind] { // what a split adds behind these has not met anything else
		at := &b.met[m.index]
		is := b.divide(at.reach(), &m.free)
		w.move(b, m, at, is)
		if is[byDisk] == 0 {
			continue
		}
		if some := is[byDisk] & b.least.within(m.free.disk); some != 0 { // of which some jobs fit
			for crowds := some; crowds != 0; crowds &= crowds - 1 {
				w.split(b.one(crowds), m.free.disk)
			}
			is = b.divide(at.reach(), &m.free)
			w.move(b, m, at, is)
		}
	}
}

// move notes which crowds of a bloc meet another conflict than before at a resource that has changed.
func (w *waiting) move(b *bloc, m *machine, at *division, is division) {
	was := *at
	if was == is {
		return
	}
	*at = is
	for k := range was {
		moved := was[k] &^ is[k] & b.present
		for l := 0; moved != 0; l++ {
			if crowds := moved & is[l]; crowds != 0 {
				w.meet(b, m, crowds, conflict(k), conflict(l))
				moved &^= crowds
			}
		}
	}
}

// meet notes that crowds of a bloc meet another conflict at a resource that has changed.
func (w *waiting) meet(b *bloc, m *machine, crowds uint64, was, is conflict) {
	w.count(b, crowds, was, is)
	if was == noConflict {
		b.refit(crowds)
	}
	if is == noConflict {
		b.fit(crowds)
		if w.s.localFirst() {
			for left := crowds & b.origins[m.domain]; left != 0; left &= left - 1 {
				w.homeward(b.one(left))
			}
		}
	}
}

// pass tries the jobs in the order of arrival, each with what those before it have left. try makes an attempt and lets a
// job start that it can.
func (w *waiting) pass(try func(number int32) placement) {
	if w.passes%perRejoin == 0 {
		w.rejoinAll()
	}
	for !w.cancelled() {
		number := w.next()
		if number == absent {
			break
		}
		w.tried = number
		if made := try(number); made.resource == absent {
			w.uniform(number, made.score)
		}
	}
	w.passes++
	w.tried = absent
}

// next returns the next job that may start, in the order of arrival; absent if none of those whose turn is still to come does.
func (w *waiting) next() int32 {
	w.takeChanges()
	tried, next := w.tried, int32(math.MaxInt32)
	for _, blocs := range w.blocs {
		for _, b := range blocs {
			for crowds := b.may; crowds != 0; crowds &= crowds - 1 {
				number := b.leads[bits.TrailingZeros64(crowds)%64]
				if number <= tried {
					number = b.one(crowds).next(tried)
				}
				next = min(next, number)
			}
		}
	}
	if next == math.MaxInt32 {
		return absent
	}
	return next
}

// homeward lets the jobs of a crowd be tried at home.
func (w *waiting) homeward(c *crowd) {
	if !c.homing {
		c.homing = true
		w.homing = append(w.homing, c)
	}
}

// tryHome tries the jobs for which a resource at home has begun to fit, in the order of arrival, outside of a pass: nothing is
// counted.
func (w *waiting) tryHome(try func(number int32)) {
	var numbers []int32
	for _, c := range w.homing {
		c.homing = false
		for i := range c.jobs {
			numbers = append(numbers, c.jobs[i].number)
		}
	}
	w.homing = w.homing[:0]
	slices.Sort(numbers)
	for _, number := range numbers {
		try(number)
	}
}

// leave takes a job out that starts.
func (w *waiting) leave(number int32) {
	c := w.crowds[number]
	w.drop(c, number)
	if len(c.jobs) == 0 {
		w.remove(c)
	}
}

// remove forgets a crowd that has no jobs left.
func (w *waiting) remove(c *crowd) {
	c.dismiss()
	list := w.kinds[c.kind]
	i := w.search(&c.likeness)
	for list[i] != c {
		i++
	}
	w.kinds[c.kind] = slices.Delete(list, i, i+1)
}
