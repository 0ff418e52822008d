package provisioning

import "slices"

// A site is a plan's slots at one site, in the order in which tasks take them: indivisible ones first, then by number.
type site struct {
	slots   []int32 // all of the site that are offered, in that order
	byStart []int32 // the same by their starts

	all   []room  // as many as slots, for the memory of their steps
	rooms []room  // the first of them: the plan's slots
	times []int64 // ascending, none twice: when slots start and tasks end, which is when more may be free
	cross bool    // a task may always be in several slots
	// The last fit, and of what: one that is ready no earlier and needs no less fits no earlier, since rooms only fill.
	bound fit
}

// fit is where a task fits first.
type fit struct {
	ready, run int64
	procs      int32
	start      int64
}

// piece is the part of a task that is in one room.
type piece struct {
	room  int32
	procs int32
}

// open makes the rooms those of a plan, without tasks.
func (s *site) open(slots []slot, p plan) {
	n := 0
	for _, number := range s.slots {
		if p.has(int(number)) {
			s.all[n].open(number, &slots[number])
			n++
		}
	}
	s.rooms = s.all[:n]
	s.times = s.times[:0]
	for _, number := range s.byStart {
		if start := slots[number].start; p.has(int(number)) && (len(s.times) == 0 || s.times[len(s.times)-1] < start) {
			s.times = append(s.times, start)
		}
	}
	s.bound = fit{start: 0, run: never}
}

// earliest returns the earliest start of a task, or never, and appends to pieces where it is then.
func (s *site) earliest(ready, run int64, procs int32, pieces []piece) (int64, []piece) {
	if !s.cross {
		if start, pieces := s.alone(ready, run, procs, pieces); start < never {
			return start, pieces
		}
	}
	t := ready
	if b := &s.bound; ready >= b.ready && run >= b.run && procs >= b.procs {
		t = max(t, b.start)
	}
	if t < never {
		next, found := slices.BinarySearch(s.times, t)
		if found {
			next++
		}
		for {
			var ok bool
			if pieces, ok = s.together(t, run, procs, pieces); ok {
				break
			}
			if next == len(s.times) {
				t = never
				break
			}
			t = s.times[next]
			next++
		}
	}
	s.bound = fit{ready: ready, run: run, procs: procs, start: t}
	return t, pieces
}

// together appends the pieces of a task that starts at t, if there is room for it.
func (s *site) together(t, run int64, procs int32, pieces []piece) ([]piece, bool) {
	n := len(pieces)
	for i := range s.rooms {
		r := &s.rooms[i]
		if r.from > t || t+run > r.until {
			continue
		}
		if free := min(procs, r.free(t, t+run)); free > 0 {
			pieces = append(pieces, piece{room: int32(i), procs: free})
			if procs -= free; procs == 0 {
				return pieces, true
			}
		}
	}
	return pieces[:n], false
}

// alone returns the earliest start of a task that is in one slot, or never.
func (s *site) alone(ready, run int64, procs int32, pieces []piece) (int64, []piece) {
	best, in := int64(never), 0
	for i := range s.rooms {
		if r := &s.rooms[i]; r.procs >= procs {
			if start := r.earliest(ready, run, procs); start < best {
				best, in = start, i
			}
		}
	}
	if best < never {
		pieces = append(pieces, piece{room: int32(in), procs: procs})
	}
	return best, pieces
}

// place puts a task where earliest found that it fits.
func (s *site) place(start, end int64, pieces []piece) {
	for _, p := range pieces {
		s.rooms[p.room].take(start, end, p.procs)
	}
	if at, found := slices.BinarySearch(s.times, end); !found {
		s.times = slices.Insert(s.times, at, end)
	}
}
