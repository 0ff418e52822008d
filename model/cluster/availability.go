package cluster

import (
	"fmt"
	"iter"

	"gridsweep/model/profile"
)

// Availability is what a gateway knows of a site's free processors: what the site showed last, less
// what the gateway has booked since. The site does not know of it.
type Availability struct {
	counts *profile.Profile
	places *places // of a site under Fixed, in place of counts
	most   int32
}

// NewAvailability returns what somebody knows to whom the site has shown nothing: no free
// processor.
func (s *Site) NewAvailability() *Availability {
	if s.plan.places == nil {
		return &Availability{counts: profile.New(0)}
	}
	a := &Availability{places: newPlaces(s.config.Procs, s.shares[:0])}
	a.places.sets.Copy(s.plan.places.sets, 0, 0, 0)
	return a
}

// Show makes the availability what the plan has free at now in [now, until), with at most so many
// processors at any time: under Fixed, the last of the machine, which for a load forecast are the
// Grid's. After that nothing is free; until may be Never. What was shown and booked before is
// forgotten. The site must have done all that it had to do before now.
func (s *Site) Show(a *Availability, now, until int64, procs int32) {
	s.turn(now)
	if a.places != nil {
		a.most = a.places.sets.Copy(s.plan.places.sets, now, until, procs)
	} else {
		a.most = a.counts.Copy(s.plan.total, now, until, procs)
	}
}

// Most returns the largest number of processors that were free at once when the site last showed
// them. Bookings do not lower it.
func (a *Availability) Most() int32 { return a.most }

// EarliestFit returns the first second from `from` on at which so many processors are free
// throughout the duration, or Never. Both are at least 1.
func (a *Availability) EarliestFit(from int64, procs int32, duration int64) int64 {
	if a.places != nil {
		return a.places.sets.EarliestFit(from, procs, duration)
	}
	return a.counts.EarliestFit(from, procs, duration)
}

// Book takes processors that are free in [from, from+duration), as EarliestFit says; it panics if
// they are not. Under Fixed it takes the lowest-numbered.
func (a *Availability) Book(from int64, procs int32, duration int64) {
	free := false
	if a.places != nil {
		to := Never
		if duration < Never-from {
			to = from + duration
		}
		free = a.places.reserve(from, to, procs)
	} else if free = a.counts.Fits(from, procs, duration); free {
		a.counts.Reserve(from, procs, duration)
	}
	if !free {
		panic(fmt.Sprintf("cluster: %d processors are not free for %d s from %d s on", procs, duration, from))
	}
}

// EarliestSlot is EarliestFit of what the site would show now without bounds.
func (s *Site) EarliestSlot(from int64, procs int32, duration int64) int64 {
	if s.plan.places != nil {
		return s.plan.places.sets.EarliestFit(from, procs, duration)
	}
	return s.plan.total.EarliestFit(from, procs, duration)
}

// Free returns the number of processors that no job has at now and that neither a booking nor a
// reservation holds then.
func (s *Site) Free(now int64) int32 { return s.plan.freeAt(now) }

// Wanted returns the processors of the jobs that wait, together.
func (s *Site) Wanted() int64 { return s.wanted }

// Slots returns the pieces of [from, to) in which the number of processors that are neither
// running, booked nor reserved is constant.
func (s *Site) Slots(from, to int64) iter.Seq[profile.Slot] { return s.plan.slots(from, to) }
