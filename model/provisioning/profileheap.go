// Profile heap: the profiles of a site by when a task of one processor may start in them.

package provisioning

// A profileHeap is a heap of the profiles of a site by a lower bound of the time at which a task of
// one processor and one run time can start. Only the first entry is made exact. The bounds stay
// valid for a later task that is ready no earlier and runs as long, since processors only become
// fewer. So thousands of equal tasks are placed without searching all profiles for each.
type profileHeap struct {
	ready, run int64 // of the last task
	filled     bool
	entries    []entry
}

// reset forgets the last task, so that the next one searches all profiles.
func (h *profileHeap) reset() { h.run, h.filled = 0, false }

// entry is a profile of the heap; of equal times the profile that tasks take first comes first.
type entry struct {
	time    int64
	profile int32
}

func (e entry) before(o entry) bool {
	return e.time < o.time || e.time == o.time && e.profile < o.profile
}

// earliestSingle returns the earliest start of a task of one processor, or never, and appends its
// allocation. The first task of a run time searches all profiles; only a second one fills the heap.
func (s *site) earliestSingle(ready, run int64, allocations []allocation) (int64, []allocation) {
	h := &s.single
	if run != h.run || ready < h.ready {
		h.ready, h.run, h.filled = ready, run, false
		return s.inOneSlot(ready, run, 1, allocations)
	}
	h.ready = ready
	if !h.filled {
		h.fill(s.profiles, ready)
	}
	for len(h.entries) > 0 {
		top := h.entries[0]
		start := s.profiles[top.profile].earliest(max(ready, top.time), run, 1)
		if start == top.time {
			return start, append(allocations, s.allocation(int(top.profile), 1))
		}
		h.entries[0].time = start
		if start == never {
			last := len(h.entries) - 1
			h.entries[0] = h.entries[last]
			h.entries = h.entries[:last]
		}
		h.sink(0)
	}
	return never, allocations
}

// fill puts all profiles into the heap.
func (h *profileHeap) fill(profiles []slotProfile, ready int64) {
	h.entries, h.filled = h.entries[:0], true
	for i := range profiles {
		h.entries = append(h.entries, entry{time: max(ready, profiles[i].from), profile: int32(i)})
	}
	for i := len(h.entries)/2 - 1; i >= 0; i-- {
		h.sink(i)
	}
}

// sink moves an entry down to restore the heap.
func (h *profileHeap) sink(at int) {
	for {
		child := 2*at + 1
		if child >= len(h.entries) {
			return
		}
		if right := child + 1; right < len(h.entries) && h.entries[right].before(h.entries[child]) {
			child = right
		}
		if !h.entries[child].before(h.entries[at]) {
			return
		}
		h.entries[at], h.entries[child] = h.entries[child], h.entries[at]
		at = child
	}
}
