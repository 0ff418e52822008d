package cluster

// Lanes: EASY over several queues, whose priorities change as wholes.

import (
	"cmp"
	"math"
)

// lanes is EASY backfilling where the waiting jobs are in several queues, each in an order that
// does not change. The pass merges them by priority, so what changes the priority of all jobs of a
// lane alike costs nothing for each of them.
//
// Invariant: after a pass each job in the queue of the site is in one lane.
type lanes struct {
	*easy
	rule laneRule
	all  []*lane
	busy []*lane // lanes with waiting jobs, in no order
}

// lane is one of the queues.
type lane struct {
	queue
	index  int
	rank   int     // jobs of a lower rank are ahead
	offset float64 // of one rank, jobs with the larger difference of offset and score are ahead
	room   int32   // processors that jobs of the lane may take now

	next   cursor // in a pass: jobs before it cannot start
	within limits // scratch
}

// laneRule puts jobs into lanes.
type laneRule interface {
	// laneOf returns the index of the lane of a job, and its score there.
	laneOf(number int32) (index int, score float64)
	// makeLane sets what is constant in a new lane.
	makeLane(l *lane)
	// refresh sets, before a pass, the offsets and the room of the lanes, and moves jobs.
	refresh()
	// started notes a job of the lane that starts.
	started(l *lane, number int32)
	// ended notes a job that has ended.
	ended(number int32)
}

func newLanes(s *Site) *lanes {
	l := &lanes{easy: newEasy(s, 1)}
	s.queue.summarised = false
	return l
}

func (l *lanes) ended(number int32) { l.rule.ended(number) }

func (l *lanes) pass() {
	s := l.site
	l.sortLanes()
	for _, number := range s.arrivals {
		s.enqueue(s.waiting(number))
		l.insert(number)
	}
	l.rule.refresh()
	if l.forgetPivots(); len(l.busy) == 0 || s.plan.total.FreeAt(s.now) <= 0 {
		return
	}
	if l.startHeads() {
		l.findLimits()
		l.backfill()
		if pivot := l.pivots[0].number; s.starts[pivot] != Never {
			s.unbook(pivot)
		}
	}
}

// sortLanes sorts the queues where scores change with time.
func (l *lanes) sortLanes() {
	s := l.site
	if !s.config.Order.Changes {
		return
	}
	s.sortQueue()
	for _, lane := range l.busy {
		lane.sort(func(w *waiting) float64 { return s.score(w.number) })
	}
}

// insert puts a waiting job into its lane.
func (l *lanes) insert(number int32) {
	index, score := l.rule.laneOf(number)
	for len(l.all) <= index {
		lane := &lane{queue: queue{summarised: true, ties: l.site.queue.ties}, index: len(l.all), room: math.MaxInt32}
		l.rule.makeLane(lane)
		l.all = append(l.all, lane)
	}
	lane := l.all[index]
	if lane.size == 0 {
		l.busy = append(l.busy, lane)
	}
	w := l.site.waiting(number)
	w.score = score
	lane.insert(w)
}

// remove takes the job at the cursor out of a lane, and returns the cursor of the next.
func (l *lanes) remove(lane *lane, c cursor) cursor {
	c = lane.remove(c)
	if lane.size == 0 {
		for i := range l.busy {
			if l.busy[i] == lane {
				last := len(l.busy) - 1
				l.busy[i], l.busy = l.busy[last], l.busy[:last]
				break
			}
		}
	}
	return c
}

// start starts the job at the cursor of a lane, and returns the cursor of the next.
func (l *lanes) start(lane *lane, c cursor) cursor {
	s := l.site
	number := lane.at(c).number
	c = l.remove(lane, c)
	s.startNow(number)
	w := s.waiting(number)
	s.dequeue(s.queue.find(&w))
	l.rule.started(lane, number)
	return c
}

// startHeads starts the first job while it fits, then makes it the pivot. Jobs for which a lane has
// no room are passed over. It reports whether there is a pivot.
func (l *lanes) startHeads() bool {
	s := l.site
	l.limits = append(l.limits[:0], limit{unlimitedTime, math.MaxInt32})
	for lane := l.firstOfAll(); lane != nil; lane = l.first() {
		w := lane.at(lane.next)
		if start := s.plan.earliest(s.now, w.procs, w.estimate); start > s.now {
			l.addPivot(0, w, start, !l.pivotNeedsNoBooking())
			return true
		}
		lane.next = l.start(lane, lane.next)
	}
	return false
}

// backfill starts, in the order of priority, the jobs within the limits.
func (l *lanes) backfill() {
	for lane := l.firstOfAll(); lane != nil; lane = l.first() {
		w := lane.at(lane.next)
		l.limits.lower(w.procs, w.estimate)
		lane.next = l.start(lane, lane.next)
	}
}

// firstOfAll returns the lane whose first job that may start is ahead of those of the others, or
// nil.
func (l *lanes) firstOfAll() *lane {
	for _, lane := range l.busy {
		lane.next = lane.first()
	}
	return l.first()
}

// first is firstOfAll of the jobs from the cursors on.
func (l *lanes) first() (first *lane) {
	var ahead *waiting
	for _, lane := range l.busy {
		w := lane.at(lane.next)
		if w == nil || first != nil && compareLanes(first, ahead, lane, w) < 0 {
			continue
		}
		if !w.within(l.limits) || w.procs > lane.room {
			lane.next = lane.nextFrom(lane.next, l.limits)
			w = lane.at(lane.next)
			if w == nil || first != nil && compareLanes(first, ahead, lane, w) < 0 {
				continue
			}
		}
		first, ahead = lane, w
	}
	return first
}

// compareLanes orders two jobs of different lanes.
func compareLanes(l *lane, a *waiting, m *lane, b *waiting) int {
	if c := cmp.Compare(l.rank, m.rank); c != 0 {
		return c
	}
	if c := cmp.Compare(m.offset-b.score, l.offset-a.score); c != 0 {
		return c
	}
	return cmp.Compare(a.number, b.number)
}

// nextFrom returns the position of the first job from the cursor on that is within one of the
// limits and for which the lane has room.
func (l *lane) nextFrom(c cursor, limits limits) cursor {
	l.within = append(l.within[:0], limits...)
	for i := range l.within {
		l.within[i].procs = min(l.within[i].procs, l.room)
	}
	return l.nextWithin(c, l.within)
}
