// Advance reservations: processors that a site sets aside for a time.

package cluster

import (
	"fmt"
	"slices"

	"gridsweep/model/des"
)

// reservations are the starts and ends, in s, of the advance reservations of a site. The plan holds
// their processors.
type reservations struct {
	starts []int64             // after now, or reserved at now for now; ascending
	ends   des.Queue[struct{}] // from now on
}

// advance drops the starts up to now.
func (r *reservations) advance(now int64) {
	for len(r.starts) > 0 && r.starts[0] <= now {
		r.starts = r.starts[1:]
	}
}

// Reserve sets processors aside. If they are not free, the error names the first second in which
// too few are.
func (s *Site) Reserve(r Reservation) error {
	switch {
	case r.Procs < 1 || r.Procs > s.config.Procs:
		return fmt.Errorf("%d processors, want 1 to the machine's %d", r.Procs, s.config.Procs)
	case r.From < s.now || r.To <= r.From || r.To-r.From > MaxSeconds:
		return fmt.Errorf("from %d to %d s, want a start at %d s or later and a later end, by at most 2^32 s",
			r.From, r.To, s.now)
	}
	if !s.plan.reserve(r.From, r.To, r.Procs) {
		wanted := fmt.Sprintf("%d processors from %d to %d s", r.Procs, r.From, r.To)
		for slot := range s.Slots(r.From, r.To) {
			if slot.Free < r.Procs {
				return fmt.Errorf("%s: at %d s only %d are left", wanted, slot.From, slot.Free)
			}
		}
		return fmt.Errorf("%s: at each second as many are free, but not the same ones throughout", wanted)
	}
	at, _ := slices.BinarySearch(s.reservations.starts, r.From)
	s.reservations.starts = slices.Insert(s.reservations.starts, at, r.From)
	s.reservations.ends.Push(r.To, 0, struct{}{})
	s.scheduler.changed()
	s.custom.noteReservation(r)
	return nil
}

// endReservations removes the reservations that end now, and reports whether there are any.
func (s *Site) endReservations() (found bool) {
	for s.reservations.ends.Time() <= s.now {
		s.reservations.ends.Next()
		s.scheduler.changed()
		found = true
	}
	return found
}
