package provisioning

// Sites: where a task fits first in the slots of a plan at one site.

// A site has a plan's slots at one site, in the order in which tasks take them: indivisible ones
// first, then by number.
type site struct {
	slots   []int32  // all of the site that are offered, in that order
	changes []change // their starts and ends, by time

	all   []room // as many as slots, for the memory of their steps
	rooms []room // the first of them: the plan's slots
	total total
	cross bool // a task may always be in several slots
	// The last fit. A task that is ready no earlier and needs no less fits no earlier, since rooms
	// only fill.
	bound  fit
	single queue // of tasks of one processor
}

// fit is the earliest start of a task with these needs.
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
	s.total.open(s.changes, p)
	s.bound = fit{run: never}
	s.single.reset()
}

// earliest returns the earliest start of a task, or never, and appends its pieces.
func (s *site) earliest(ready, run int64, procs int32, pieces []piece) (int64, []piece) {
	if procs == 1 {
		return s.serial(ready, run, pieces)
	}
	if !s.cross {
		if start, pieces := s.alone(ready, run, procs, pieces); start < never {
			return start, pieces
		}
	}
	t := ready
	if b := &s.bound; ready >= b.ready && run >= b.run && procs >= b.procs {
		t = max(t, b.start)
	}
	for step := 0; t < never; t = s.total.times[step+1] { // from the last time on all slots are constant, and it fits
		if t, step = s.total.from(t, run, int64(procs)); t == never {
			break
		}
		var ok bool
		if pieces, ok = s.together(t, run, procs, pieces); ok {
			break
		}
	}
	s.bound = fit{ready: ready, run: run, procs: procs, start: t}
	return t, pieces
}

// together appends the pieces of a task that starts at t, and reports whether it fits.
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
		if r := &s.rooms[i]; r.procs >= procs && r.from < best {
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

// place books the pieces that earliest found for a task.
func (s *site) place(start, end int64, pieces []piece) {
	procs := int32(0)
	for _, p := range pieces {
		s.rooms[p.room].take(start, end, p.procs)
		procs += p.procs
	}
	s.total.pending = append(s.total.pending, placed{from: start, to: end, procs: procs})
}
