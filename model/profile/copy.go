package profile

import "math"

// Copy makes the profile what another one has free in [from, to), at each time at most so many
// processors and at least none; from `to` on nothing is free. It returns the most that is free at
// once. It keeps the memory, so that a profile that is made anew again and again, as a site's free
// slots at a gateway, allocates nothing in steady state.
func (p *Profile) Copy(other *Profile, from, to int64, most int32) (peak int32) {
	from = max(from, other.now)
	p.empty(from)
	last := int32(math.MinInt32) // unlike all
	for slot := range other.Slots(from, to) {
		if free := max(0, min(slot.Free, most)); free != last {
			p.push(slot.From, free)
			peak, last = max(peak, free), free
		}
	}
	if last != 0 && to < Forever || len(p.leaves) == 0 {
		p.push(max(from, to), 0)
	}
	return peak
}

// empty takes out all steps. The profile begins at a time, where the first step has to be pushed
// next.
func (p *Profile) empty(now int64) {
	p.spareLeaves = append(p.spareLeaves, p.leaves...)
	p.spareGroups = append(p.spareGroups, p.groups...)
	p.now, p.starts, p.shifts, p.leaves, p.groups = now, p.starts[:0], p.shifts[:0], p.leaves[:0], p.groups[:0]
}

// push adds a step after all others. A leaf is filled to three quarters, so that it has room for
// what is booked later.
func (p *Profile) push(t int64, free int32) {
	k := len(p.leaves) - 1
	if k < 0 || len(p.leaves[k].times) >= (p.sizes.leaf+1)*3/4 {
		k++
		p.starts, p.shifts, p.leaves = append(p.starts, t), append(p.shifts, 0), append(p.leaves, p.newLeaf())
		if g := len(p.groups) - 1; g < 0 || k-p.groups[g].first == p.sizes.group {
			p.groups = append(p.groups, p.newGroup(k))
		}
	}
	l := p.leaves[k]
	l.times, l.free = append(l.times, t), append(l.free, free)
}
