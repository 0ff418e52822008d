// Availability: a gateway's copy of a site's availability profile, and what a site shows of it.

package cluster

import (
	"fmt"
	"iter"

	"gridsweep/model/profile"
)

// Availability is a gateway's copy of a site's availability profile: as the site showed it last,
// less the gateway's own bookings since. These do not change the site.
type Availability struct {
	plan plan // of one partition
	most int32
}

// NewAvailability returns an availability without free processors, for Show.
func (s *Site) NewAvailability() *Availability {
	a := &Availability{plan: newPlan(s.config.Procs, []int32{s.config.Procs}, s.config.Placement)}
	a.plan.copyFrom(&s.plan, 0, 0, 0)
	return a
}

// Show replaces the availability by what the plan has free in [now, until), at each time at most so
// many processors, under Fixed the highest-numbered. From until on, which may be Never, nothing is
// free. The site must have processed all events before now.
func (s *Site) Show(a *Availability, now, until int64, procs int32) {
	s.advance(now)
	a.most = a.plan.copyFrom(&s.plan, now, until, procs)
}

// Most returns the largest number of processors that are free at once in what the site last showed.
// Bookings do not lower it.
func (a *Availability) Most() int32 { return a.most }

// EarliestFit returns the first second from `from` on at which so many processors are free
// throughout the duration, or Never. Both are at least 1.
func (a *Availability) EarliestFit(from int64, procs int32, duration int64) int64 {
	return a.plan.earliest(from, procs, duration)
}

// Book takes so many processors in [from, from+duration), under Fixed the lowest-numbered. It
// panics if they are not free.
func (a *Availability) Book(from int64, procs int32, duration int64) {
	to := Never
	if duration < Never-from {
		to = from + duration
	}
	if !a.plan.reserve(from, to, procs) {
		panic(fmt.Sprintf("cluster: %d processors are not free for %d s from %d s on", procs, duration, from))
	}
}

// EarliestFit returns the first second from `from` on at which so many processors, of whichever
// partitions, are free throughout the duration, or Never.
func (s *Site) EarliestFit(from int64, procs int32, duration int64) int64 {
	return s.plan.total.EarliestFit(from, procs, duration)
}

// Free returns the number of processors that no running job, booking or reservation holds at now.
func (s *Site) Free(now int64) int32 { return s.plan.total.FreeAt(now) }

// Wanted returns the sum of the processors of the jobs that wait.
func (s *Site) Wanted() int64 { return s.load.wanted }

// Slots returns the maximal intervals in [from, to) in which a constant number of processors is
// held by no running job, booking or reservation.
func (s *Site) Slots(from, to int64) iter.Seq[profile.Slot] { return s.plan.total.Slots(from, to) }
