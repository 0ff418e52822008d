// Subqueues: EASY over several queues, each of which changes its priority as a whole.

package cluster

import (
	"cmp"
	"math"
	"slices"
)

// subqueues is EASY backfilling where the waiting jobs are in several queues, each in an order that
// does not change, unless the scores of the queue order do. A pass merges the subqueues by
// priority. What changes the priority of all jobs of a subqueue alike therefore costs nothing for
// each job.
//
// Invariant: after a pass each job in the queue of the site is in one subqueue.
type subqueues struct {
	*easy
	rule     subqueueRule
	all      []*subqueue
	nonempty []*subqueue // in no order
}

// subqueue is one of the queues.
type subqueue struct {
	queue
	index     int
	rank      int     // jobs in subqueues of a lower rank are ahead
	offset    float64 // of equal rank, jobs with a larger offset − score are ahead
	available int32   // processors that its jobs may take now

	next    cursor // in a pass: jobs before it cannot start
	lowered limits // scratch of nextFrom
}

// subqueueRule is how a policy divides jobs into subqueues.
type subqueueRule interface {
	// subqueueOf returns the index of the subqueue of a job, and the job's score there.
	subqueueOf(number int32) (index int, score float64)
	// refresh updates offsets before a pass, and moves jobs whose subqueue has changed.
	refresh()
	// started notes a job of the subqueue that starts.
	started(q *subqueue, number int32)
	// ended notes a job that has ended.
	ended(number int32)
}

func newSubqueues(s *Site) *subqueues {
	m := &subqueues{easy: newEasy(s, 1)}
	s.queue.summarised = false
	return m
}

func (m *subqueues) ended(number int32, _ int64) { m.rule.ended(number) }

func (m *subqueues) pass() {
	s := m.site
	if s.config.Order.Changes {
		s.sortQueue()
		for _, q := range m.nonempty {
			q.sort(s.score)
		}
	}
	for _, number := range s.arrivals {
		s.enqueue(s.waiting(number))
		m.insert(number)
	}
	m.rule.refresh()
	m.forgetPivots()
	if len(m.nonempty) == 0 || s.plan.total.FreeAt(s.now) <= 0 {
		return
	}
	if m.startHeads() {
		m.findLimits()
		m.backfill()
		m.unbookPivots()
	}
}

// subqueue returns the subqueue with an index. Without another rule, it has the first rank and all
// processors.
func (m *subqueues) subqueue(index int) *subqueue {
	for len(m.all) <= index {
		q := queue{summarised: true, ties: m.site.queue.ties}
		m.all = append(m.all, &subqueue{queue: q, index: len(m.all), available: math.MaxInt32})
	}
	return m.all[index]
}

func (m *subqueues) insert(number int32) {
	index, score := m.rule.subqueueOf(number)
	q := m.subqueue(index)
	if q.size == 0 {
		m.nonempty = append(m.nonempty, q)
	}
	w := m.site.waiting(number)
	w.score = score
	q.insert(w)
}

// remove takes the job at the cursor out of a subqueue, and returns the cursor of the next.
func (m *subqueues) remove(q *subqueue, c cursor) cursor {
	c = q.remove(c)
	if q.size == 0 {
		i := slices.Index(m.nonempty, q)
		m.nonempty = slices.Delete(m.nonempty, i, i+1)
	}
	return c
}

// start starts the job at the cursor of a subqueue, and returns the cursor of the next.
func (m *subqueues) start(q *subqueue, c cursor) cursor {
	w := m.site.waiting(q.at(c).number)
	c = m.remove(q, c)
	m.site.startWaiting(&w)
	m.rule.started(q, w.number)
	return c
}

// startHeads starts the first job while it fits, then makes it the pivot. It passes over jobs that
// are larger than what is available to their subqueue. It reports whether there is a pivot.
func (m *subqueues) startHeads() bool {
	s := m.site
	m.limits = append(m.limits[:0], limit{unlimitedTime, math.MaxInt32})
	for q := m.firstOfAll(); q != nil; q = m.first() {
		w := q.at(q.next)
		if start := s.plan.earliest(s.now, w.procs, w.estimate); start > s.now {
			m.addPivot(0, w, start)
			return true
		}
		q.next = m.start(q, q.next)
	}
	return false
}

// backfill starts, in the order of priority, the jobs within the limits.
func (m *subqueues) backfill() {
	for q := m.firstOfAll(); q != nil; q = m.first() {
		w := q.at(q.next)
		m.limits.lower(w.procs, w.estimate)
		q.next = m.start(q, q.next)
	}
}

// firstOfAll returns the subqueue with the first job, in the order of priority, that is within the
// limits and what is available to its subqueue; nil if there is none.
func (m *subqueues) firstOfAll() *subqueue {
	for _, q := range m.nonempty {
		q.next = q.first()
	}
	return m.first()
}

// first returns the subqueue whose next job that may start has the highest priority, searching from
// the cursor of each.
func (m *subqueues) first() (first *subqueue) {
	var ahead *waiting // the next job of first
	for _, q := range m.nonempty {
		w := q.at(q.next)
		if w == nil || first != nil && compareSubqueues(first, ahead, q, w) < 0 {
			continue
		}
		if !w.within(m.limits) || w.procs > q.available {
			q.next = q.nextFrom(q.next, m.limits)
			w = q.at(q.next)
			if w == nil || first != nil && compareSubqueues(first, ahead, q, w) < 0 {
				continue
			}
		}
		first, ahead = q, w
	}
	return first
}

// compareSubqueues orders job a of subqueue p and job b of subqueue q by priority.
func compareSubqueues(p *subqueue, a *waiting, q *subqueue, b *waiting) int {
	if c := cmp.Compare(p.rank, q.rank); c != 0 {
		return c
	}
	if c := cmp.Compare(q.offset-b.score, p.offset-a.score); c != 0 {
		return c
	}
	return cmp.Compare(a.number, b.number)
}

// nextFrom returns the position of the first job from the cursor on that is within one of the
// limits and what is available to the subqueue.
func (q *subqueue) nextFrom(c cursor, limits limits) cursor {
	q.lowered = append(q.lowered[:0], limits...)
	for i := range q.lowered {
		q.lowered[i].procs = min(q.lowered[i].procs, q.available)
	}
	return q.nextWithin(c, q.lowered)
}
