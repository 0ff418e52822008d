// EASY: the backfilling policy with any number of pivots, and the passes that it can shorten.

package cluster

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"

	"gridsweep/model/profile"
)

// easy is EASY backfilling (Lifka, JSSPP 1995) with any number of pivots: the first jobs in queue
// order that do not fit are booked, and the others start if they fit beside these. With partitions,
// each has so many pivots (Lawson & Smirni, JSSPP 2002).
//
// Most passes follow an event that changes little. Shortcuts for these look at the arrivals alone.
//
// Invariants: pivots are in queue order, and each is in the queue; during a pass, and under Kept
// always, each has a booking, unless pivotNeedsNoBooking.
type easy struct {
	site           *Site
	pivotsOfPolicy int  // of each partition
	kept           bool // pivots, or jobs with a guarantee, keep their bookings between passes

	pivots    []waiting
	quotas    []quota  // of the partitions
	packing   *packing // of lookahead; nil: backfilled jobs are tried one after the other
	unchanged bool     // since the last pass nothing has changed by which a waiting job could start

	// What fits beside the pivots: after findLimits exactly, at limitsAt, if the job ends by the
	// horizon, by its estimate; after findUpperLimits an upper bound.
	limits   limits
	limitsAt int64 // s
	horizon  int64 // s
	steps    int   // of the plan that findUpperLimits looks ahead

	// Of policies with guarantees alone:
	toBook         []int32        // jobs that get a booking in this pass unless they start
	bookGuaranteed func(*waiting) // books such a job

	// Scratch of a pass.
	due     []int32        // jobs that are booked for now
	listed  []waiting      // see findListed
	minimum []profile.Slot // see findUpperLimits
	times   []int64
}

// quota counts the pivots of a partition.
type quota struct {
	allowed int
	booked  int // pivots that it has
	passed  int // in planPivots: those before the cursor
	left    int // in planPivots: other waiting jobs at and after the cursor
}

// unlimited is the number of pivots of easy:all.
const unlimited = math.MaxInt

// parseEASY reads a number of pivots, or all; "" is 1.
func parseEASY(argument string) (Policy, error) {
	k := 1
	if argument == "all" {
		k = unlimited
	} else if argument != "" {
		var err error
		if k, err = strconv.Atoi(argument); err != nil || k < 1 {
			return Policy{}, errors.New("the number of pivots is a whole number from 1 on, or all")
		}
	}
	return Policy{scheduler: func(s *Site) scheduler { return newEasy(s, k) }}, nil
}

func newEasy(s *Site, pivots int) *easy {
	s.queue.summarised = true // for backfilling, which searches it for jobs within the limits
	e := &easy{
		site: s, pivotsOfPolicy: pivots, kept: s.config.Pivot == Kept, quotas: make([]quota, len(s.plan.shares)),
		steps: 32,
	}
	for q := range e.quotas {
		e.quotas[q].allowed = pivots
	}
	return e
}

// newShortest returns EASY whose backfilled jobs are tried by their estimates, shortest first
// (SJBF of Tsafrir, Etsion & Feitelson, IEEE TPDS 2007).
func newShortest(s *Site) *easy {
	e := newEasy(s, 1)
	s.queue.summarised = false // backfilling searches shortest instead
	s.shortest = &queue{summarised: true, byEstimate: true, ties: s.queue.ties}
	return e
}

// allow lets the partitions have so many pivots. Those that are booked beyond that stay.
func (e *easy) allow(pivots int, partitions ...int) {
	for _, q := range partitions {
		e.quotas[q].allowed = pivots
	}
	e.unchanged = false
}

func (e *easy) ended(int32, int64) { e.unchanged = false }

func (e *easy) changed() { e.unchanged = false }

// compress does nothing: bookings are made anew in each pass, or kept.
func (*easy) compress() {}

func (e *easy) startIsDue() bool {
	return e.kept && slices.ContainsFunc(e.pivots, func(p waiting) bool { return p.start == e.site.now })
}

func (e *easy) pass() {
	s := e.site
	if e.onlyArrivalsCanStart() {
		e.startArrivals()
		return
	}
	if e.kept && e.nothingHasChanged() && e.placeArrivals() {
		return
	}
	s.startBeforeQueue()
	e.unchanged = true
	if s.queue.size == 0 && len(s.arrivals) == 0 {
		return
	}
	s.admit()
	if e.kept {
		e.sortPivots()
	} else {
		e.forgetPivots()
	}
	e.due = s.takeBookedNow(e.due[:0])
	c := e.planPivots()
	switch {
	case e.packing != nil:
		e.findLimits()
		e.backfillPacked(c)
	case s.shortest != nil:
		e.findLimits()
		e.backfill(s.shortest, s.shortest.first())
	case s.plan.single():
		e.findLimits()
		e.backfill(&s.queue, c)
	default:
		e.backfillExactly(c)
	}
	if !e.kept {
		e.unbookPivots()
	}
}

// startBeforeQueue starts, if the queue is empty, the arrivals that fit, up to the first that does
// not. They need not enter the queue.
func (s *Site) startBeforeQueue() {
	if s.queue.size > 0 {
		return
	}
	arrivals := s.inQueueOrder(s.arrivals)
	for len(arrivals) > 0 {
		number := arrivals[0]
		if job := &s.jobs[number]; !s.plan.fits(s.now, job.Procs, job.Estimate) {
			break
		}
		s.startNow(number)
		arrivals = arrivals[1:]
	}
	s.arrivals = append(s.arrivals[:0], arrivals...)
}

// onlyArrivalsCanStart reports whether only arrivals can start, and the limits say which: nothing
// has changed since the last pass, and all arrivals stand behind the pivots, which stay the same.
func (e *easy) onlyArrivalsCanStart() bool {
	s := e.site
	if e.kept || e.packing != nil || !s.plan.single() || len(e.pivots) < e.pivotsOfPolicy || !e.nothingHasChanged() {
		return false
	}
	last := &e.pivots[len(e.pivots)-1]
	for _, number := range s.arrivals {
		if w := s.waiting(number); s.compare(&w, last) < 0 || s.now+w.estimate > e.horizon {
			return false
		}
	}
	return true
}

// startArrivals starts the arrivals that are within the limits.
func (e *easy) startArrivals() {
	s := e.site
	e.moveLimits()
	arrivals := s.inQueueOrder(s.arrivals)
	if s.shortest != nil {
		slices.SortStableFunc(arrivals, func(a, b int32) int {
			return cmp.Compare(s.jobs[a].Estimate, s.jobs[b].Estimate)
		})
	}
	for _, number := range arrivals {
		w := s.waiting(number)
		if !w.within(e.limits) {
			s.enqueue(w)
			continue
		}
		e.limits.lower(w.procs, w.estimate)
		s.startNow(number)
	}
}

// nothingHasChanged reports whether since the last pass nothing has ended and nothing is due, so
// that no job that waited then can start now.
func (e *easy) nothingHasChanged() bool {
	s := e.site
	if !e.unchanged || s.config.Order.Changes || s.config.Overrun == RunOn {
		return false
	}
	if s.running.Time() == s.now || s.reservations.ends.Time() == s.now {
		return false
	}
	return !e.kept || s.nextBooking() > s.now
}

// placeArrivals starts the arrivals that fit, books those that become pivots, and leaves the others
// waiting, where pivots are kept and nothing has changed. It stops and reports false where an
// arrival takes the place of a pivot, whose booking is then free for others: a whole pass has to
// go on with the remaining arrivals.
func (e *easy) placeArrivals() bool {
	s := e.site
	arrivals := s.inQueueOrder(s.arrivals)
	for i, number := range arrivals {
		w := s.waiting(number)
		own := s.partition(number)
		quota := &e.quotas[own]
		at := s.position(e.pivots, &w)
		ahead := 0
		for k := 0; k < at && ahead < quota.allowed; k++ {
			if s.partition(e.pivots[k].number) == own {
				ahead++
			}
		}
		becomesPivot := ahead < quota.allowed
		if becomesPivot && quota.booked >= quota.allowed {
			s.arrivals = append(s.arrivals[:0], arrivals[i:]...)
			return false
		}
		if s.plan.fits(s.now, w.procs, w.estimate) {
			s.startNow(number)
			continue
		}
		s.enqueue(w)
		if becomesPivot {
			e.addPivot(at, &w, s.plan.earliest(s.now, w.procs, w.estimate))
		}
	}
	return true
}
