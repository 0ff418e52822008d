package cluster

import (
	"fmt"
	"slices"
)

// Reserve sets processors aside. It returns an error that names the first second in which they are
// not free.
func (s *Site) Reserve(r Reservation) error {
	switch {
	case r.Procs < 1 || r.Procs > s.config.Procs:
		return fmt.Errorf("%d processors, want 1 to the machine's %d", r.Procs, s.config.Procs)
	case r.From < s.now || r.To <= r.From || r.To-r.From > farthest:
		return fmt.Errorf("from %d to %d s, want a start at %d s or later, and an end after that, at most 2^32 s", r.From, r.To, s.now)
	}
	s.settled = false
	if !s.plan.reserve(r.From, r.To, r.Procs) {
		for slot := range s.Slots(r.From, r.To) {
			if slot.Free < r.Procs {
				return fmt.Errorf("%d processors from %d to %d s: at %d s only %d are left", r.Procs, r.From, r.To, slot.From, slot.Free)
			}
		}
		return fmt.Errorf("%d processors from %d to %d s: at each second as many are free, but not the same ones throughout", r.Procs, r.From, r.To)
	}
	at, _ := slices.BinarySearch(s.drops, r.From)
	s.drops = slices.Insert(s.drops, at, r.From)
	s.releases.Push(r.To, 0, struct{}{})
	return nil
}

// endReservations notes the reservations that end now, and reports whether there are any.
func (s *Site) endReservations() (any bool) {
	for {
		t, _, _, ok := s.releases.Peek()
		if !ok || t > s.now {
			return any
		}
		s.releases.Next()
		any = true
		if !s.config.Policy.books() {
			s.settled = false
		}
	}
}
