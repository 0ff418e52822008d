package provisioning

// Rooms: the processors that the tasks placed so far leave free in a slot of a plan.

import "math"

// never is the time of an event that does not occur, and the end of an extensible slot.
const never = math.MaxInt64

// A room is a slot of a plan with its processors that are free beside the tasks placed so far.
type room struct {
	slot  int32
	procs int32
	// Nothing is free before from, nor in [until, never).
	from, until int64
	// steps are the processors free from each step on to the next, the last to until. The first is
	// at the slot's start; no two neighbours are equal.
	steps []step
	work  int64 // processor-seconds of the tasks in it
	last  int64 // end of the last of them
}

type step struct {
	from int64
	free int32
}

// open makes the room that of a slot without tasks.
func (r *room) open(number int32, s *slot) {
	r.slot, r.procs = number, s.procs
	r.from, r.until = s.start, s.end
	if s.extensible {
		r.until = never
	}
	r.steps = append(r.steps[:0], step{from: s.start, free: s.procs})
	r.work, r.last = 0, 0
}

// at returns the index of the step at a time, which is not before the slot's start.
func (r *room) at(t int64) int {
	low, high := 0, len(r.steps) // steps[low].from <= t < steps[high].from
	for high-low > 1 {
		if mid := int(uint(low+high) >> 1); r.steps[mid].from <= t {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// free returns how many processors are free throughout [from, to), a part of [r.from, r.until).
func (r *room) free(from, to int64) int32 {
	i := r.at(from)
	least := r.steps[i].free
	for i++; i < len(r.steps) && r.steps[i].from < to; i++ {
		least = min(least, r.steps[i].free)
	}
	return least
}

// take places processors of a task in [from, to), which are free.
func (r *room) take(from, to int64, procs int32) {
	first := r.at(from)
	if r.steps[first].from < from {
		first++
		r.insert(first, from, r.steps[first-1].free)
	}
	past := first + 1
	for past < len(r.steps) && r.steps[past].from < to {
		past++
	}
	if (past == len(r.steps) || r.steps[past].from > to) && to < r.until {
		r.insert(past, to, r.steps[past-1].free)
	}
	for i := first; i < past; i++ {
		r.steps[i].free -= procs
	}
	if past < len(r.steps) {
		r.join(past)
	}
	if first > 0 {
		r.join(first)
	}
	if r.steps[0].free == 0 {
		r.from = r.until
		if len(r.steps) > 1 {
			r.from = r.steps[1].from
		}
	}
	r.work += int64(procs) * (to - from)
	r.last = max(r.last, to)
}

// insert adds a step.
func (r *room) insert(at int, from int64, free int32) {
	r.steps = append(r.steps, step{})
	copy(r.steps[at+1:], r.steps[at:])
	r.steps[at] = step{from: from, free: free}
}

// join removes a step that is equal to the one before.
func (r *room) join(at int) {
	if r.steps[at].free == r.steps[at-1].free {
		copy(r.steps[at:], r.steps[at+1:])
		r.steps = r.steps[:len(r.steps)-1]
	}
}

// earliest returns the earliest time from ready on at which so many processors are free for so
// long, or never.
func (r *room) earliest(ready, run int64, procs int32) int64 {
	start := max(ready, r.from)
	if start >= r.until {
		return never
	}
	for i := r.at(start); i < len(r.steps); i++ {
		if r.steps[i].free < procs {
			if i+1 < len(r.steps) {
				start = r.steps[i+1].from
			} else {
				return never
			}
		} else if i+1 == len(r.steps) || r.steps[i+1].from >= start+run {
			break
		}
	}
	if start+run > r.until {
		return never
	}
	return start
}
