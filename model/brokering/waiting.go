package brokering

import (
	"cmp"
	"slices"
)

// waiting are the jobs that wait at brokers where later ones may pass. Which broker it is does not matter to them: every
// one ranks all.
//
// A pass tries all of them, but most attempts are known to fail: those of jobs that no resource fits; and those of jobs
// that went to a broker which nothing has changed since, while no other one has become better. What failed attempts count
// is counted when it changes, for all passes since. So a job costs something only when a resource begins or ceases to fit
// it, or when a broker that matters to it changes.
type waiting struct {
	s       *system
	slab    []waiter
	unused  []int32   // places in the slab
	places  []int32   // of each request, in the slab
	kinds   []ordered // the jobs of each kind
	stuck   []stuck   // of each kind and broker, the jobs that some resource fits but that go to this broker
	changes []int32   // brokers about which something has changed since the last pass, each once
	isNew   []bool    // of each broker, whether it is among them
	next    []int32   // jobs to be tried in the next pass, or in the one that goes on, by their numbers
	at      int       // place in next of the job after the one whose turn it is
	gained  []gain    // fits since the last pass
	passes  int64     // that have ended
	tried   int32     // the job whose turn it is in the pass that goes on; absent outside of a pass
}

// waiter is a job that waits.
type waiter struct {
	number int32
	kind   int32
	origin int32
	clock  int64
	need   need
	now    counts  // what an attempt would meet now
	since  int64   // the first pass that met these
	met    tally   // before that, since it joined
	queued bool    // among the jobs to be tried
	broker int32   // that it went to when it was tried last; absent if it is not among the stuck
	score  float64 // of this broker
	lost   bool    // whether this broker no longer matches
	index  int32   // among those stuck there
}

// gain is a resource that has begun to fit a stuck job.
type gain struct{ at, number, broker int32 }

// ordered are the jobs of a kind, as places in the slab, by each thing they need.
type ordered struct{ cpus, memory, disk []int32 }

func newWaiting(s *system) *waiting {
	n := len(s.domains)
	return &waiting{
		s: s, places: make([]int32, len(s.requests)), kinds: make([]ordered, len(s.kinds)), stuck: make([]stuck, len(s.kinds)*n),
		isNew: make([]bool, n), tried: absent,
	}
}

// join lets a job wait whose attempt has failed and met these conflicts.
func (w *waiting) join(number int32, met *counts, made *placement) {
	r := &w.s.requests[number]
	j := waiter{number: number, kind: r.kind, origin: r.origin, clock: r.clock, need: r.need, now: *met, since: w.passes, broker: absent}
	var at int32
	if last := len(w.unused) - 1; last >= 0 {
		at, w.unused = w.unused[last], w.unused[:last]
		w.slab[at] = j
	} else {
		at = int32(len(w.slab))
		w.slab = append(w.slab, j)
	}
	w.places[number] = at
	k := &w.kinds[r.kind]
	k.cpus = w.insert(k.cpus, at, cpusOf)
	k.memory = w.insert(k.memory, at, memoryOf)
	k.disk = w.insert(k.disk, at, diskOf)
	if met[noConflict] > 0 {
		w.stick(at, made)
	}
}

func cpusOf(n *need) int64   { return n.cpus }
func memoryOf(n *need) int64 { return n.memory }
func diskOf(n *need) int64   { return n.disk }

// insert adds a job to a list that is sorted by something they need, equal ones by their places.
func (w *waiting) insert(list []int32, at int32, of func(*need) int64) []int32 {
	i, _ := w.search(list, at, of)
	return slices.Insert(list, i, at)
}

func (w *waiting) search(list []int32, at int32, of func(*need) int64) (int, bool) {
	key := of(&w.slab[at].need)
	return slices.BinarySearchFunc(list, at, func(a, b int32) int {
		return cmp.Or(cmp.Compare(of(&w.slab[a].need), key), cmp.Compare(a, b))
	})
}

// between returns the part of a sorted list whose jobs need more than the one and no more than the other.
func (w *waiting) between(list []int32, above, upTo int64, of func(*need) int64) []int32 {
	compare := func(a int32, key int64) int {
		if of(&w.slab[a].need) <= key {
			return -1
		}
		return 1
	}
	from, _ := slices.BinarySearchFunc(list, above, compare)
	to, _ := slices.BinarySearchFunc(list[from:], upTo, compare)
	return list[from : from+to]
}

// changed looks at a resource again of which so much was free before: at the jobs that need more than it had or has of
// something, and no more than the other.
func (w *waiting) changed(m *machine, before *need) {
	if !w.isNew[m.domain] {
		w.isNew[m.domain] = true
		w.changes = append(w.changes, m.domain)
	}
	k := &w.kinds[m.kind]
	low, high := *before, m.free
	if high.cpus < low.cpus {
		low, high = high, low
	}
	for _, at := range w.between(k.cpus, low.cpus, high.cpus, cpusOf) {
		w.look(at, m, before)
	}
	for _, at := range w.between(k.memory, low.memory, high.memory, memoryOf) {
		if n := &w.slab[at].need; n.cpus <= low.cpus {
			w.look(at, m, before)
		}
	}
	for _, at := range w.between(k.disk, low.disk, high.disk, diskOf) {
		if n := &w.slab[at].need; n.cpus <= low.cpus && n.memory <= low.memory {
			w.look(at, m, before)
		}
	}
}

// look notes what a job would now meet at a resource that has changed.
func (w *waiting) look(at int32, m *machine, before *need) {
	j := &w.slab[at]
	if j.clock > m.clock || !w.s.reaches(j.origin, m) {
		return
	}
	was, is := j.need.lacks(before), j.need.lacks(&m.free)
	if was == is {
		return
	}
	w.settle(j)
	j.now[was]--
	j.now[is]++
	switch {
	case is == noConflict && j.broker == absent:
		w.queue(j)
	case is == noConflict:
		w.gained = append(w.gained, gain{at, j.number, m.domain})
	case j.now[noConflict] == 0 && j.broker != absent:
		w.unstick(at)
	}
}

// queue lets a job be tried in the next pass, or in the one that goes on if its turn is still to come. It reports whether
// the job will be.
func (w *waiting) queue(j *waiter) bool {
	if !j.queued && j.number > w.tried {
		j.queued = true
		if w.tried == absent { // they are sorted when the pass begins
			w.next = append(w.next, j.number)
			return true
		}
		i, _ := slices.BinarySearch(w.next[w.at:], j.number)
		w.next = slices.Insert(w.next, w.at+i, j.number)
	}
	return j.queued
}

// settle counts the attempts of a job that met what it would meet now.
func (w *waiting) settle(j *waiter) {
	until := w.passes
	if j.number <= w.tried {
		until++
	}
	j.met.count(&j.now, until-j.since)
	j.since = until
}

// pass tries the jobs in the order of arrival, each with what those before it have left. try makes an attempt and lets a
// job start that it can.
func (w *waiting) pass(try func(number int32) placement) {
	for _, d := range w.changes {
		w.isNew[d] = false
		w.reconsider(d)
	}
	w.changes = w.changes[:0]
	w.takeGains()
	slices.Sort(w.next)
	for w.at = 0; w.at < len(w.next); {
		number := w.next[w.at]
		w.at++
		at := w.places[number]
		j := &w.slab[at]
		j.queued = false
		if j.now[noConflict] == 0 || j.broker != absent && !j.lost && !w.passedBy(j, j.score) {
			continue
		}
		if j.broker != absent {
			w.unstick(at)
		}
		w.tried = number
		if made := try(number); made.resource == absent {
			w.stick(at, &made)
		} else {
			w.reconsider(made.keeper)
		}
	}
	w.next, w.at = w.next[:0], 0
	w.passes++
	w.tried = absent
}

// takeGains lets the stuck jobs be tried that a resource has begun to fit at a broker that may be the best.
func (w *waiting) takeGains() {
	for _, g := range w.gained {
		j := &w.slab[g.at]
		w.s.knownOf(g.broker)
		if j.number == g.number && j.broker != absent && (j.broker == g.broker || j.score <= w.s.most(j.kind, g.broker)) {
			w.queue(j)
		}
	}
	w.gained = w.gained[:0]
}

// tryHome tries every job that a resource fits, in the order of arrival, outside of a pass: nothing is counted.
func (w *waiting) tryHome(try func(number int32)) {
	var fitting []int32
	for k := range w.kinds {
		for _, at := range w.kinds[k].cpus {
			if j := &w.slab[at]; j.now[noConflict] > 0 {
				fitting = append(fitting, j.number)
			}
		}
	}
	slices.Sort(fitting)
	for _, number := range fitting {
		try(number)
	}
}

// leave takes a job out that starts.
func (w *waiting) leave(number int32) {
	at := w.places[number]
	j := &w.slab[at]
	w.settle(j)
	if j.broker != absent {
		w.unstick(at)
	}
	if j.queued { // it starts at home, before the pass
		i := slices.Index(w.next, number)
		w.next = slices.Delete(w.next, i, i+1)
	}
	w.s.requests[number].tally.include(&j.met)
	k := &w.kinds[j.kind]
	k.cpus = w.remove(k.cpus, at, cpusOf)
	k.memory = w.remove(k.memory, at, memoryOf)
	k.disk = w.remove(k.disk, at, diskOf)
	w.unused = append(w.unused, at)
}

func (w *waiting) remove(list []int32, at int32, of func(*need) int64) []int32 {
	i, _ := w.search(list, at, of)
	return slices.Delete(list, i, i+1)
}
