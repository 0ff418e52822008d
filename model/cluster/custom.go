package cluster

// Own: schedulers that users write.

import (
	"fmt"

	"gridsweep/model/des"
)

// own runs a scheduler that a user wrote on a site, and collects the events for its next pass.
type own struct {
	site      *Site
	scheduler Scheduler
	hasBegun  bool
	err       error // the first; no pass comes after it

	view         Pass
	ends         []int32                // jobs that have ended since the last pass
	reservations des.Queue[Reservation] // their future begins and ends
	wake         int64                  // s, the requested pass; Never: none
	idle         int                    // consecutive requested passes without an event or a running job
}

// mostIdle bounds consecutive requested passes without an event or a running job.
const mostIdle = 1_000_000

func newOwn(s *Site, scheduler Scheduler) *own {
	s.own = &own{site: s, scheduler: scheduler, wake: Never}
	s.own.view.own = s.own
	return s.own
}

func (*own) compress()            {}
func (*own) changed(int64, int32) {}

// startIsDue reports whether the requested pass is due.
func (o *own) startIsDue() bool { return o.next() <= o.site.now }

// next returns the second of the requested pass, or Never. A nil own has none.
func (o *own) next() int64 {
	if o == nil || o.site.queue.size == 0 || o.err != nil {
		return Never
	}
	return o.wake
}

func (o *own) ended(number int32) { o.ends = append(o.ends, number) }

// isReserved notes a new reservation. A nil own ignores it.
func (o *own) isReserved(r Reservation) {
	if o != nil {
		o.reservations.Push(r.From, int(ReservationBegan), r)
		o.reservations.Push(r.To, int(ReservationEnded), r)
	}
}

func (o *own) pass() {
	s := o.site
	s.admit()
	if o.err != nil {
		return
	}
	p := &o.view
	p.events, p.booked = o.takeEvents(p.events[:0]), p.booked[:0]
	o.wake = Never
	if !o.hasBegun {
		o.hasBegun = true
		if o.err = o.scheduler.Begin(s.config); o.err != nil {
			return
		}
	}
	o.err = o.scheduler.Schedule(p)
	for _, number := range p.booked {
		if s.ends[number] == Never {
			s.unbook(number)
		}
	}
	if o.idle > mostIdle && o.err == nil {
		o.err = s.deadlock()
	}
}

// takeEvents appends the events since the last pass to a list.
func (o *own) takeEvents(list []Event) []Event {
	s := o.site
	for _, number := range o.ends {
		list = append(list, Event{Kind: Ended, Job: int(number)})
	}
	o.ends = o.ends[:0]
	for {
		at, kind, r, ok := o.reservations.Peek()
		if !ok || at > s.now {
			break
		}
		o.reservations.Drop()
		list = append(list, Event{Kind: EventKind(kind), Job: NoJob, Reservation: r})
	}
	for _, number := range s.arrivals {
		list = append(list, Event{Kind: Submitted, Job: int(number)})
	}
	o.idle++
	if len(list) > 0 || s.nextJobEnd() != Never {
		o.idle = 0
	}
	if o.wake == s.now {
		list = append(list, Event{Kind: Woken, Job: NoJob})
	}
	return list
}

// Err returns the error of a scheduler that a user wrote, after which no job starts; nil for all
// other policies.
func (s *Site) Err() error {
	if s.own == nil {
		return nil
	}
	return s.own.err
}

// deadlock returns the error of a policy that never starts the waiting jobs.
func (s *Site) deadlock() error {
	first := s.queue.at(s.queue.first()).number
	return &RuleError{Rule: Deadlock, Time: s.now, Job: int(first), Text: fmt.Sprintf(
		"it waits for ever: nothing runs, nothing is to come, and policy %s starts none of %d waiting jobs",
		s.config.Policy, s.queue.size)}
}
