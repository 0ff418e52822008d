package provisioning

// Queue: the rooms of a site by the time at which a task of one processor may start in them.

// A queue is a heap of the rooms of a site by a lower bound of the time at which a task of one
// processor and a given run time can start. Only the first entry is made exact. The bounds stay
// valid for a later task that is ready no earlier and runs as long, since rooms only fill.
// Thousands of equal tasks are placed so without searching all rooms for each.
type queue struct {
	ready, run int64 // of the last task
	filled     bool
	entries    []entry
}

// reset makes the queue empty.
func (q *queue) reset() { q.run, q.filled = 0, false }

// entry is a room of the queue; of equal times the room that tasks take first comes first.
type entry struct {
	time int64
	room int32
}

func (e entry) before(o entry) bool { return e.time < o.time || e.time == o.time && e.room < o.room }

// serial returns the earliest start of a task of one processor, or never, and appends its piece.
func (s *site) serial(ready, run int64, pieces []piece) (int64, []piece) {
	q := &s.single
	if run != q.run || ready < q.ready {
		q.ready, q.run, q.filled = ready, run, false
		return s.alone(ready, run, 1, pieces)
	}
	if q.ready = ready; !q.filled {
		q.fill(s.rooms, ready)
	}
	for len(q.entries) > 0 {
		top := q.entries[0]
		start := s.rooms[top.room].earliest(max(ready, top.time), run, 1)
		if start == top.time {
			return start, append(pieces, piece{room: top.room, procs: 1})
		}
		if q.entries[0].time = start; start == never {
			last := len(q.entries) - 1
			q.entries[0] = q.entries[last]
			q.entries = q.entries[:last]
		}
		q.sink(0)
	}
	return never, pieces
}

// fill puts all rooms into the queue.
func (q *queue) fill(rooms []room, ready int64) {
	q.entries, q.filled = q.entries[:0], true
	for i := range rooms {
		q.entries = append(q.entries, entry{time: max(ready, rooms[i].from), room: int32(i)})
	}
	for i := len(q.entries)/2 - 1; i >= 0; i-- {
		q.sink(i)
	}
}

// sink moves an entry down to restore the heap.
func (q *queue) sink(at int) {
	for {
		child := 2*at + 1
		if child >= len(q.entries) {
			return
		}
		if right := child + 1; right < len(q.entries) && q.entries[right].before(q.entries[child]) {
			child = right
		}
		if !q.entries[child].before(q.entries[at]) {
			return
		}
		q.entries[at], q.entries[child] = q.entries[child], q.entries[at]
		at = child
	}
}
