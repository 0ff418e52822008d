// Profiles: the free processors of the slots of a plan while tasks are placed on them.

package provisioning

// A slotProfile is the availability profile of a slot: the processors that the tasks placed so far
// leave free.
type slotProfile struct {
	slot  int32
	procs int32
	// nothing is free before from, nor from until on, which is never if the slot is extensible
	from, until int64
	// the earliest start of this slot and of those after it in site.slots, among the divisible ones
	// if it is divisible, else among the others
	firstStart int64

	steps steps // from the slot's start to until; no two neighbours are equal
	work  int64 // processor-seconds of the tasks in it
	last  int64 // end of the last of them
}

// reset sets the profile to that of a slot without tasks.
func (p *slotProfile) reset(number int32, s *slot, firstStart int64) {
	// field by field, which is faster than to copy a struct with the same steps
	p.slot, p.procs, p.from, p.until, p.firstStart = number, s.procs, s.start, s.end, firstStart
	p.work, p.last = 0, 0
	if s.extensible {
		p.until = never
	}
	p.steps.clear()
	p.steps.list = append(p.steps.list, step{from: s.start, free: int64(s.procs)})
}

// free returns how many processors are free throughout [from, to), which lies within [p.from,
// p.until).
func (p *slotProfile) free(from, to int64) int32 {
	i := p.steps.at(from)
	least := p.steps.list[i].free
	for i++; i < len(p.steps.list) && p.steps.list[i].from < to; i++ {
		least = min(least, p.steps.list[i].free)
	}
	return int32(least)
}

// take places processors of a task in [from, to), which are free.
func (p *slotProfile) take(from, to int64, procs int32) {
	first, past := p.steps.take(from, to, int64(procs))
	p.steps.join(past)
	p.steps.join(first)
	if p.steps.list[0].free == 0 {
		p.from = p.until
		if len(p.steps.list) > 1 {
			p.from = p.steps.list[1].from
		}
	}
	p.work += int64(procs) * (to - from)
	p.last = max(p.last, to)
}

// earliest returns the earliest time from ready on at which so many processors are free for so
// long, or never.
func (p *slotProfile) earliest(ready, run int64, procs int32) int64 {
	start, _ := p.steps.earliest(max(ready, p.from), run, int64(procs))
	if start > p.until-run {
		return never
	}
	return start
}
