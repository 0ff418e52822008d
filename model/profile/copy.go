// Copies: replacing a profile by another one in an interval.

package profile

// Copy replaces the profile by another one's in [from, to), at each time limited to 0 to most
// processors. From `to` on nothing is free. It returns the largest number of processors that are
// free at once. It reuses the memory: repeated copies allocate nothing in steady state.
func (p *Profile) Copy(other *Profile, from, to int64, most int32) (peak int32) {
	from = max(from, other.now)
	p.empty(from)
	last := int32(-1) // free processors of the last step
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

// empty removes all steps. The next call must push the first step, at now.
func (p *Profile) empty(now int64) {
	p.spare = append(p.spare, p.leaves...)
	p.now, p.starts, p.shifts, p.leaves, p.groups = now, p.starts[:0], p.shifts[:0], p.leaves[:0], p.groups[:0]
}

// push adds a step after all others. It fills leaves to three quarters: later bookings need room.
func (p *Profile) push(t int64, free int32) {
	k := len(p.leaves) - 1
	if k < 0 || len(p.leaves[k].times) >= (p.sizes.leaf+1)*3/4 {
		k++
		p.starts, p.shifts, p.leaves = append(p.starts, t), append(p.shifts, 0), append(p.leaves, p.newLeaf())
		if g := len(p.groups) - 1; g < 0 || k-p.groups[g].first == p.sizes.group {
			p.groups = append(p.groups, group{first: k})
		}
	}
	l := p.leaves[k]
	l.times, l.free = append(l.times, t), append(l.free, free)
}
