package provisioning

// Profiles: the free processors of the slots of a plan while tasks are placed on them.

import "math"

// never is the time of an event that does not occur, and the end of an extensible slot.
const never = math.MaxInt64

// A slotProfile is the availability profile of a slot: the processors that the tasks placed so far
// leave free.
type slotProfile struct {
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

// open sets the profile to that of a slot without tasks.
func (p *slotProfile) open(number int32, s *slot) {
	p.slot, p.procs = number, s.procs
	p.from, p.until = s.start, s.end
	if s.extensible {
		p.until = never
	}
	p.steps = append(p.steps[:0], step{from: s.start, free: s.procs})
	p.work, p.last = 0, 0
}

// at returns the index of the step at a time, which is not before the slot's start.
func (p *slotProfile) at(t int64) int {
	low, high := 0, len(p.steps) // steps[low].from <= t < steps[high].from
	for high-low > 1 {
		if mid := int(uint(low+high) >> 1); p.steps[mid].from <= t {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// free returns how many processors are free throughout [from, to), a part of [p.from, p.until).
func (p *slotProfile) free(from, to int64) int32 {
	i := p.at(from)
	least := p.steps[i].free
	for i++; i < len(p.steps) && p.steps[i].from < to; i++ {
		least = min(least, p.steps[i].free)
	}
	return least
}

// take places processors of a task in [from, to), which are free.
func (p *slotProfile) take(from, to int64, procs int32) {
	first := p.at(from)
	if p.steps[first].from < from {
		first++
		p.insert(first, from, p.steps[first-1].free)
	}
	past := first + 1
	for past < len(p.steps) && p.steps[past].from < to {
		past++
	}
	if (past == len(p.steps) || p.steps[past].from > to) && to < p.until {
		p.insert(past, to, p.steps[past-1].free)
	}
	for i := first; i < past; i++ {
		p.steps[i].free -= procs
	}
	if past < len(p.steps) {
		p.join(past)
	}
	if first > 0 {
		p.join(first)
	}
	if p.steps[0].free == 0 {
		p.from = p.until
		if len(p.steps) > 1 {
			p.from = p.steps[1].from
		}
	}
	p.work += int64(procs) * (to - from)
	p.last = max(p.last, to)
}

// insert adds a step.
func (p *slotProfile) insert(at int, from int64, free int32) {
	p.steps = append(p.steps, step{})
	copy(p.steps[at+1:], p.steps[at:])
	p.steps[at] = step{from: from, free: free}
}

// join removes a step that is equal to the one before.
func (p *slotProfile) join(at int) {
	if p.steps[at].free == p.steps[at-1].free {
		copy(p.steps[at:], p.steps[at+1:])
		p.steps = p.steps[:len(p.steps)-1]
	}
}

// earliest returns the earliest time from ready on at which so many processors are free for so
// long, or never.
func (p *slotProfile) earliest(ready, run int64, procs int32) int64 {
	start := max(ready, p.from)
	if start >= p.until {
		return never
	}
	for i := p.at(start); i < len(p.steps); i++ {
		if p.steps[i].free < procs {
			if i+1 < len(p.steps) {
				start = p.steps[i+1].from
			} else {
				return never
			}
		} else if i+1 == len(p.steps) || p.steps[i+1].from >= start+run {
			break
		}
	}
	if start+run > p.until {
		return never
	}
	return start
}
