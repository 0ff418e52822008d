package cluster

import (
	"iter"

	"gridsweep/model/profile"
)

// plan is what the scheduler knows of the time to come: the free processors of each partition. Most
// machines have one partition and count its processors, and then the plan is its profile.
type plan struct {
	places *places // under Fixed, in place of all that follows
	parts  []*profile.Profile
	total  *profile.Profile // of all partitions together; parts[0] where that is all
	held   []int32          // of several partitions: processors of booked or running job n in partition q, at [n·len(parts)+q]
	least  []int32          // scratch: each partition's least free
}

func newPlan(procs int32, shares []int32, placement Placement) plan {
	if placement == Fixed {
		return plan{places: newPlaces(procs, shares)}
	}
	p := plan{least: make([]int32, len(shares))}
	for _, share := range shares {
		p.parts = append(p.parts, profile.New(share))
	}
	p.total = p.parts[0]
	if p.split() {
		p.total = profile.New(procs)
	}
	return p
}

// split reports whether there are several partitions of processors that are counted.
func (p *plan) split() bool { return len(p.parts) > 1 }

// single reports whether the plan is one number of free processors at each time. There are
// shortcuts for it.
func (p *plan) single() bool { return len(p.parts) == 1 }

// advance forgets what lies before now.
func (p *plan) advance(now int64) {
	if p.places != nil {
		p.places.sets.Advance(now)
		return
	}
	p.total.Advance(now)
	if p.split() {
		for _, part := range p.parts {
			part.Advance(now)
		}
	}
}

// freeAt returns the number of processors that are free at a time.
func (p *plan) freeAt(t int64) int32 {
	if p.places != nil {
		return p.places.sets.FreeAt(t)
	}
	return p.total.FreeAt(t)
}

// step returns the number of processors that are free at a time, and until when at least it stays
// the same.
func (p *plan) step(t int64) (free int32, until int64) {
	if p.places != nil {
		return p.places.sets.Step(t)
	}
	return p.total.Step(t)
}

// fits reports whether the processors are free throughout [t, t+duration), borrowed ones among
// them.
func (p *plan) fits(t int64, procs int32, duration int64) bool {
	if p.places != nil {
		return p.places.sets.Fits(t, procs, duration)
	}
	if !p.split() {
		return p.total.Fits(t, procs, duration)
	}
	if p.total.FreeAt(t) < procs {
		return false // as most that wait: this is what costs least to see
	}
	sum := int64(0)
	for q, part := range p.parts {
		p.least[q] = part.MinFree(t, t+duration)
		sum += int64(p.least[q])
	}
	return sum >= int64(procs)
}

// earliest returns the earliest fit from t on.
func (p *plan) earliest(t int64, procs int32, duration int64) int64 {
	if p.places != nil {
		return p.places.sets.EarliestFit(t, procs, duration)
	}
	for {
		// The least of the sums is at least the sum of the least: where the whole does not fit, its
		// parts do not.
		t = p.total.EarliestFit(t, procs, duration)
		if !p.split() || t == profile.Never || p.fits(t, procs, duration) {
			return t
		}
		next := profile.Never
		for _, part := range p.parts {
			for slot := range part.Slots(t, profile.Forever) {
				next = min(next, slot.To)
				break
			}
		}
		t = next
	}
}

// book takes the processors of a job in [from, from+duration), of its own partition first, then of
// the others in their order.
func (p *plan) book(number, own int32, from int64, procs int32, duration int64) {
	if p.places != nil {
		p.places.book(number, own, from, from+duration, procs)
		return
	}
	p.total.Reserve(from, procs, duration)
	if !p.split() {
		return
	}
	to := from + duration
	take := func(q int32) {
		taken := max(0, min(procs, p.parts[q].MinFree(from, to)))
		p.parts[q].Add(from, to, -taken)
		p.holds(number)[q] = taken
		procs -= taken
	}
	take(own)
	for q := range int32(len(p.parts)) {
		if q != own {
			take(q)
		}
	}
}

// holds returns the numbers of processors of a job in each partition.
func (p *plan) holds(number int32) []int32 {
	n := len(p.parts)
	for len(p.held) < (int(number)+1)*n {
		p.held = append(p.held, 0)
	}
	return p.held[int(number)*n:][:n]
}

// add changes what is free in [from, to) by what the job holds: sign 1 frees it, -1 takes it.
func (p *plan) add(number int32, from, to int64, procs int32, sign int32) {
	if p.places != nil {
		p.places.add(number, from, to, sign)
		return
	}
	p.total.Add(from, to, sign*procs)
	if p.split() {
		for q, held := range p.holds(number) {
			p.parts[q].Add(from, to, sign*held)
		}
	}
}

// reserve takes processors in [from, to) from the partitions in their order. It reports false and
// takes none if they are not free.
func (p *plan) reserve(from, to int64, procs int32) bool {
	if p.places != nil {
		return p.places.reserve(from, to, procs)
	}
	if !p.fits(from, procs, to-from) {
		return false
	}
	p.total.Add(from, to, -procs)
	if p.split() {
		for q, part := range p.parts {
			taken := max(0, min(procs, p.least[q]))
			part.Add(from, to, -taken)
			procs -= taken
		}
	}
	return true
}

// slots returns the pieces of [from, to) in which the number of free processors is constant.
func (p *plan) slots(from, to int64) iter.Seq[profile.Slot] {
	if p.places != nil {
		return p.places.sets.Slots(from, to)
	}
	return p.total.Slots(from, to)
}

// resize changes the shares of the partitions from now on.
func (p *plan) resize(now int64, old, shares []int32) {
	if p.places != nil {
		p.places.resize(shares)
		return
	}
	for q := range shares {
		p.parts[q].Add(now, Never, shares[q]-old[q])
	}
}
