package cluster

import (
	"fmt"

	"gridsweep/model/profile"
)

// Availability is what a gateway knows of a site's free processors: what the site showed last, less what the gateway has
// booked since. The site does not know of it.
type Availability struct {
	free *profile.Profile
	most int32
}

// NewAvailability returns what somebody knows to whom the site has shown nothing: no free processor.
func (s *Site) NewAvailability() *Availability { return &Availability{free: profile.New(0)} }

// Show makes the availability what the plan has free at now in [now, until), with at most so many processors at any time.
// After that nothing is free; until may be Never. What was shown and booked before is forgotten.
func (s *Site) Show(a *Availability, now, until int64, procs int32) {
	s.turn(now)
	a.most = a.free.Copy(s.plan.total, now, until, procs)
}

// Most returns the largest number of processors that were free at once when the site last showed them. Bookings do not
// lower it.
func (a *Availability) Most() int32 { return a.most }

// EarliestFit returns the first second from `from` on at which so many processors are free throughout the duration, or
// Never. Both are at least 1.
func (a *Availability) EarliestFit(from int64, procs int32, duration int64) int64 {
	return a.free.EarliestFit(from, procs, duration)
}

// Book takes processors that are free in [from, from+duration), as EarliestFit says; it panics if they are not.
func (a *Availability) Book(from int64, procs int32, duration int64) {
	if !a.free.Fits(from, procs, duration) {
		panic(fmt.Sprintf("cluster: %d processors are not free for %d s from %d s on", procs, duration, from))
	}
	a.free.Reserve(from, procs, duration)
}

// EarliestSlot is EarliestFit of what the site would show now without bounds.
func (s *Site) EarliestSlot(from int64, procs int32, duration int64) int64 {
	return s.plan.total.EarliestFit(from, procs, duration)
}
