package brokering

import (
	"cmp"
	"slices"
)

// waiting are the jobs that wait at brokers where later ones may pass. Which broker it is does not matter to them: every
// one ranks all. So they are listed by kind, each with the conflicts that it would meet now. When a resource changes, only
// jobs of its kind have to look at it again, and only at it; a pass tries those alone that some resource fits, since all
// others would fail.
//
// What failed attempts count is not counted pass by pass but when it changes, for all passes since: a pass of thousands of
// jobs of which none can start costs nothing.
type waiting struct {
	s      *system
	lists  [][]waiter // of each kind, in the order of arrival
	ready  []int32    // jobs that a resource fits, or fitted when they were put here
	passes int64      // that have ended
}

// waiter is a job that waits.
type waiter struct {
	number int32
	ready  bool // among the ready
	clock  int64
	need   need
	now    counts
	since  int64 // the first pass that met these
}

func newWaiting(s *system) *waiting {
	return &waiting{s: s, lists: make([][]waiter, len(s.kinds))}
}

// join lets a job wait whose attempt has failed and met these conflicts. Jobs join in the order of arrival.
func (w *waiting) join(number int32, met *counts) {
	k := w.s.requests[number].kind
	r := &w.s.requests[number]
	w.lists[k] = append(w.lists[k], waiter{number: number, clock: r.clock, need: r.need, now: *met, since: w.passes})
	w.enlist(&w.lists[k][len(w.lists[k])-1])
}

// enlist puts a job among the ready if a resource fits it.
func (w *waiting) enlist(j *waiter) {
	if j.now[noConflict] > 0 && !j.ready {
		j.ready = true
		w.ready = append(w.ready, j.number)
	}
}

// changed looks at a resource again of which so much was free before. Jobs up to `tried` have had their attempt of the
// pass that goes on.
func (w *waiting) changed(m *machine, before *need, tried int32) {
	list := w.lists[m.kind]
	for i := range list {
		j := &list[i]
		if j.clock > m.clock || !w.s.reaches(w.s.requests[j.number].origin, m) {
			continue
		}
		was, is := j.need.lacks(before), j.need.lacks(&m.free)
		if was == is {
			continue
		}
		w.settle(j, tried)
		j.now[was]--
		j.now[is]++
		w.enlist(j)
	}
}

// settle counts the attempts of a job that met what it would meet now.
func (w *waiting) settle(j *waiter, tried int32) {
	until := w.passes
	if j.number <= tried {
		until++
	}
	w.s.requests[j.number].tally.count(&j.now, until-j.since)
	j.since = until
}

// find returns the place of a job in its list.
func (w *waiting) find(number int32) (k int32, at int) {
	k = w.s.requests[number].kind
	at, _ = slices.BinarySearchFunc(w.lists[k], number, func(j waiter, number int32) int { return cmp.Compare(j.number, number) })
	return k, at
}

// pass tries the jobs in the order of arrival, each with what those before it have left. try reports whether a job has
// started; it is called for those that a resource fits.
func (w *waiting) pass(try func(number int32) bool) {
	slices.Sort(w.ready)
	kept := w.ready[:0]
	for _, number := range w.ready {
		k, at := w.find(number)
		j := &w.lists[k][at]
		switch {
		case j.now[noConflict] == 0:
			j.ready = false
		case try(number):
		default:
			kept = append(kept, number)
		}
	}
	w.ready = kept
	w.passes++
}

// tryHome tries the jobs that a resource fits, in the order of arrival, outside of a pass: nothing is counted.
func (w *waiting) tryHome(try func(number int32) bool) {
	slices.Sort(w.ready)
	w.ready = slices.DeleteFunc(w.ready, try)
}

// leave takes a job out that starts. Jobs up to `tried` have had their attempt of the pass that goes on.
func (w *waiting) leave(number, tried int32) {
	k, at := w.find(number)
	w.settle(&w.lists[k][at], tried)
	w.lists[k] = slices.Delete(w.lists[k], at, at+1)
}
