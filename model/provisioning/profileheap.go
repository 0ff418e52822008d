package provisioning

// Queue: the profiles of a site by the time at which a task of one processor may start in them.

// A queue is a heap of the profiles of a site by a lower bound of the time at which a task of one
// processor and one run time can start. Only the first entry is made exact. The bounds stay
// valid for a later task that is ready no earlier and runs as long, since processors only become
// fewer. So thousands of equal tasks are placed without searching all profiles for each.
type queue struct {
	ready, run int64 // of the last task
	filled     bool
	entries    []entry
}

// reset makes the queue empty.
func (q *queue) reset() { q.run, q.filled = 0, false }

// entry is a profile of the queue; of equal times the profile that tasks take first comes first.
type entry struct {
	time    int64
	profile int32
}

func (e entry) before(o entry) bool {
	return e.time < o.time || e.time == o.time && e.profile < o.profile
}

// serial returns the earliest start of a task of one processor, or never, and appends its
// allocation. The first task of a run time searches all profiles; only a second one fills the
// queue.
func (s *site) serial(ready, run int64, allocations []allocation) (int64, []allocation) {
	q := &s.single
	if run != q.run || ready < q.ready {
		q.ready, q.run, q.filled = ready, run, false
		return s.inOneSlot(ready, run, 1, allocations)
	}
	if q.ready = ready; !q.filled {
		q.fill(s.profiles, ready)
	}
	for len(q.entries) > 0 {
		top := q.entries[0]
		start := s.profiles[top.profile].earliest(max(ready, top.time), run, 1)
		if start == top.time {
			return start, append(allocations, s.allocation(int(top.profile), 1))
		}
		if q.entries[0].time = start; start == never {
			last := len(q.entries) - 1
			q.entries[0] = q.entries[last]
			q.entries = q.entries[:last]
		}
		q.sink(0)
	}
	return never, allocations
}

// fill puts all profiles into the queue.
func (q *queue) fill(profiles []slotProfile, ready int64) {
	q.entries, q.filled = q.entries[:0], true
	for i := range profiles {
		q.entries = append(q.entries, entry{time: max(ready, profiles[i].from), profile: int32(i)})
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
