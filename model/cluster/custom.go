// Custom schedulers: running a Scheduler that a user wrote.

package cluster

import (
	"fmt"

	"gridsweep/model/des"
)

// custom runs a scheduler that a user wrote on a site, and collects the events for its next pass.
type custom struct {
	site      *Site
	scheduler Scheduler
	hasBegun  bool
	err       error // the first; no pass comes after it

	view         Pass
	ends         []int32                // jobs that have ended since the last pass
	reservations des.Queue[Reservation] // their future begins and ends
	idlePasses   int                    // see mostIdlePasses
}

// mostIdlePasses bounds consecutive requested passes without an event or a running job.
const mostIdlePasses = 1_000_000

func newCustom(s *Site, scheduler Scheduler) *custom {
	s.custom = &custom{site: s, scheduler: scheduler, view: Pass{site: s, wake: Never}}
	return s.custom
}

func (*custom) compress() {}
func (*custom) changed()  {}

func (c *custom) startIsDue() bool { return c.next() <= c.site.now }

// next returns the second of the requested pass, or Never. A nil custom has none.
func (c *custom) next() int64 {
	if c == nil || c.site.queue.size == 0 || c.err != nil {
		return Never
	}
	return c.view.wake
}

func (c *custom) ended(number int32, _ int64) { c.ends = append(c.ends, number) }

// noteReservation notes a new reservation. A nil custom ignores it.
func (c *custom) noteReservation(r Reservation) {
	if c != nil {
		c.reservations.Push(r.From, int(ReservationBegan), r)
		c.reservations.Push(r.To, int(ReservationEnded), r)
	}
}

func (c *custom) pass() {
	s := c.site
	s.admit()
	if c.err != nil {
		return
	}
	p := &c.view
	p.events, p.booked, p.wake = c.takeEvents(p.events[:0]), p.booked[:0], Never
	if !c.hasBegun {
		c.hasBegun = true
		if c.err = c.scheduler.Begin(s.config); c.err != nil {
			return
		}
	}
	c.err = c.scheduler.Schedule(p)
	for _, number := range p.booked {
		if s.ends[number] == Never {
			s.unbook(number)
		}
	}
	if c.idlePasses > mostIdlePasses && s.running.Time() == Never && c.err == nil {
		c.err = s.deadlock()
	}
}

// takeEvents appends the events since the last pass to a list, and counts idle passes.
func (c *custom) takeEvents(list []Event) []Event {
	s := c.site
	for _, number := range c.ends {
		list = append(list, Event{Type: Ended, Job: int(number)})
	}
	c.ends = c.ends[:0]
	for c.reservations.Time() <= s.now {
		_, class, r, _ := c.reservations.Peek()
		c.reservations.Drop()
		list = append(list, Event{Type: EventType(class), Job: NoJob, Reservation: r})
	}
	for _, number := range s.arrivals {
		list = append(list, Event{Type: Submitted, Job: int(number)})
	}
	c.idlePasses++
	if len(list) > 0 || s.running.Time() != Never {
		c.idlePasses = 0
	}
	if c.view.wake == s.now {
		list = append(list, Event{Type: Woken, Job: NoJob})
	}
	return list
}

// Err returns the error of a scheduler that a user wrote, after which no job starts; nil for all
// other policies.
func (s *Site) Err() error {
	if s.custom == nil {
		return nil
	}
	return s.custom.err
}

// deadlock returns the error of a policy that never starts the waiting jobs.
func (s *Site) deadlock() error {
	first := s.queue.at(s.queue.first()).number
	return &RuleError{Rule: Deadlock, Time: s.now, Job: int(first), Text: fmt.Sprintf(
		"it waits for ever: nothing runs, nothing is to come, and policy %s starts none of %d waiting jobs",
		s.config.Policy, s.queue.size)}
}
