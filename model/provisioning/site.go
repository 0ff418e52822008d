// Sites: where a task fits first in the slots of a plan at one site.

package provisioning

import (
	"cmp"
	"slices"
)

// site is the slots that a site offers, and the profiles of those in a plan. Both are in the order
// in which tasks take slots: indivisible ones first, then by number.
type site struct {
	slots       []int32
	firstStarts []int64 // of each slot: slotProfile.firstStart
	crossSlot   bool    // a task may be split over several slots even if it fits into one

	profiles    []slotProfile // of the plan's slots: the first elements of memory
	indivisible int           // how many of the profiles; they come first
	memory      []slotProfile // a profile of each slot of the site
	total       total         // of the profiles
	// Of the last task of several processors. Free processors only become fewer while tasks are
	// placed, so a task that is ready no earlier and needs no less cannot start earlier.
	last   earliestFit
	single profileHeap // of tasks of one processor
}

// newSite returns a site with the slots that it offers.
func newSite(number int, slots []slot, crossSlot bool) site {
	s := site{crossSlot: crossSlot}
	var divisible []int32
	for i := range slots {
		slot := &slots[i]
		if slot.site != int32(number) {
			continue
		}
		if slot.divisible {
			divisible = append(divisible, int32(i))
		} else {
			s.slots = append(s.slots, int32(i))
		}
		s.total.changes = append(s.total.changes, change{time: slot.start, procs: slot.procs, slot: int32(i)})
		if !slot.extensible {
			s.total.changes = append(s.total.changes, change{time: slot.end, procs: -slot.procs, slot: int32(i)})
		}
	}
	s.firstStarts = append(firstStarts(slots, s.slots), firstStarts(slots, divisible)...)
	s.slots = append(s.slots, divisible...)
	slices.SortFunc(s.total.changes, func(a, b change) int { return cmp.Compare(a.time, b.time) })
	s.memory = make([]slotProfile, len(s.slots))
	return s
}

// firstStarts returns for each of these slots the earliest start of it and of those after it.
func firstStarts(slots []slot, numbers []int32) []int64 {
	first, all := int64(never), make([]int64, len(numbers))
	for i, number := range slices.Backward(numbers) {
		first = min(first, slots[number].start)
		all[i] = first
	}
	return all
}

// earliestFit is the earliest start of a task with these needs.
type earliestFit struct {
	ready, run int64
	procs      int32
	start      int64
}

// allocation is the processors of a task in one slot.
type allocation struct {
	profile int32 // index in the profiles of the site
	slot    int32
	procs   int32
}

// reset sets the profiles to those of a plan's slots, without tasks.
func (s *site) reset(slots []slot, p plan) {
	n := 0
	s.indivisible = 0
	for i, number := range s.slots {
		if !p.has(int(number)) {
			continue
		}
		s.memory[n].reset(number, &slots[number], s.firstStarts[i])
		n++
		if !slots[number].divisible {
			s.indivisible = n
		}
	}
	s.profiles = s.memory[:n]
	s.total.reset(p)
	s.last = earliestFit{run: never} // no task needs so much
	s.single.reset()
}

// earliest returns the earliest start of a task, or never, and appends its allocations.
func (s *site) earliest(ready, run int64, procs int32, allocations []allocation) (int64, []allocation) {
	if procs == 1 {
		return s.earliestSingle(ready, run, allocations)
	}
	if !s.crossSlot {
		if start, allocations := s.inOneSlot(ready, run, procs, allocations); start < never {
			return start, allocations
		}
	}
	t := ready
	if l := &s.last; ready >= l.ready && run >= l.run && procs >= l.procs {
		t = max(t, l.start)
	}
	for t < never {
		var step int
		if t, step = s.total.earliest(t, run, int64(procs)); t == never {
			break
		}
		var fits bool
		if allocations, fits = s.inSlots(t, run, procs, allocations); fits {
			break
		}
		// step+1 exists: a task that fits the total in its last step fits the slots
		t = s.total.steps.list[step+1].from
	}
	s.last = earliestFit{ready: ready, run: run, procs: procs, start: t}
	return t, allocations
}

// inSlots appends the allocations of a task that starts at t in any slots, and reports whether it
// fits.
func (s *site) inSlots(t, run int64, procs int32, allocations []allocation) ([]allocation, bool) {
	n := len(allocations)
	for i := range s.profiles {
		p := &s.profiles[i]
		if p.from > t || t+run > p.until {
			continue
		}
		if free := min(procs, p.free(t, t+run)); free > 0 {
			allocations = append(allocations, s.allocation(i, free))
			if procs -= free; procs == 0 {
				return allocations, true
			}
		}
	}
	return allocations[:n], false
}

// inOneSlot returns the earliest start of a task with all processors in one slot, or never, and
// appends its allocation.
func (s *site) inOneSlot(ready, run int64, procs int32, allocations []allocation) (int64, []allocation) {
	best, in := int64(never), 0
	for i := 0; i < len(s.profiles) && best > ready; i++ {
		p := &s.profiles[i]
		if p.firstStart >= best {
			i = s.lastAlike(i)
			continue
		}
		if from := max(ready, p.from); p.procs < procs || from >= best || from > p.until-run {
			continue
		}
		if start := p.earliest(ready, run, procs); start < best {
			best, in = start, i
		}
	}
	if best < never {
		allocations = append(allocations, s.allocation(in, procs))
	}
	return best, allocations
}

// lastAlike returns the index of the last profile that is divisible like profile i, or indivisible
// like it.
func (s *site) lastAlike(i int) int {
	if i < s.indivisible {
		return s.indivisible - 1
	}
	return len(s.profiles) - 1
}

// allocation returns the allocation of processors in a slot of the plan.
func (s *site) allocation(profile int, procs int32) allocation {
	return allocation{profile: int32(profile), slot: s.profiles[profile].slot, procs: procs}
}

// place books the allocations that earliest found for a task.
func (s *site) place(start, end int64, allocations []allocation) {
	procs := int64(0)
	for _, a := range allocations {
		s.profiles[a.profile].take(start, end, a.procs)
		procs += int64(a.procs)
	}
	s.total.pending = append(s.total.pending, use{from: start, to: end, procs: procs})
}
