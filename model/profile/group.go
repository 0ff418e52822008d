package profile

import "slices"

// group is a range of neighbouring leaves with a summary of them all.
type group struct {
	first int // leaf; it reaches to the first of the next group
	summary
	trust
}

// trust is what a summary is worth. A summary is an upper bound of the lengths of runs. It stays
// one when processors are booked, when its levels are raised where processors are released, and,
// but for its head, when the past is cut off. So it is only made anew when it was missing, or too
// loose, so often that this costs less.
type trust struct {
	valid  bool  // with the lift it bounds what it sums up
	lift   int32 // to be added to its levels
	loose  bool  // it perhaps bounds by more than need be
	misses int8  // how often it did not help since it was made
}

// changed notes that a part of what is summed up has changed.
func (t *trust) changed(delta int32) {
	t.loose = true
	t.lifted(max(delta, 0))
}

// lifted adds to the levels of a summary. One that was raised by more processors than a machine has
// bounds nothing.
func (t *trust) lifted(delta int32) {
	if t.lift += delta; t.lift > MostProcs {
		t.valid, t.lift = false, 0
	}
}

// missed notes that a summary did not help, and reports whether that was often enough to make it
// anew.
func (t *trust) missed(enough int8) bool {
	if t.valid && !t.loose {
		return false
	}
	t.misses++
	return t.misses >= enough
}

// groupOf returns the place of the group of leaf k.
func (p *Profile) groupOf(k int) int {
	low := 0
	for n := len(p.groups); n > 1; {
		half := n / 2
		if p.groups[low+half].first <= k {
			low += half
		}
		n -= half
	}
	return low
}

// next returns the leaf after those of group g.
func (p *Profile) next(g int) int {
	if g+1 < len(p.groups) {
		return p.groups[g+1].first
	}
	return len(p.leaves)
}

// reshaped notes that leaf k begins or ends elsewhere, or holds other steps.
func (p *Profile) reshaped(k int) {
	p.leaves[k].valid, p.leaves[k].known = false, false
	p.groups[p.groupOf(k)].valid = false
}

// changedGroups notes that [from, to), which lies in the leaves from first to last, has changed by
// delta.
func (p *Profile) changedGroups(from, to int64, delta int32, first, last int) {
	if len(p.groups) == 1 {
		p.groups[0].valid = false // it is never asked
		return
	}
	for g := p.groupOf(first); g < len(p.groups) && p.groups[g].first <= last; g++ {
		if p.starts[p.groups[g].first] >= from && p.end(p.next(g)-1) <= to {
			p.groups[g].lifted(delta)
		} else {
			p.groups[g].changed(delta)
		}
	}
}

func (p *Profile) newGroup(first int) *group {
	last := len(p.spareGroups) - 1
	if last < 0 {
		return &group{first: first}
	}
	g := p.spareGroups[last]
	p.spareGroups = p.spareGroups[:last]
	g.first, g.trust = first, trust{}
	return g
}

// addedLeaf puts leaf k+1, which was inserted, into the group of leaf k.
func (p *Profile) addedLeaf(k int) {
	g := p.groupOf(k)
	for _, later := range p.groups[g+1:] {
		later.first++
	}
	p.groups[g].valid = false
	if size := p.next(g) - p.groups[g].first; size > p.sizes.group {
		p.groups = slices.Insert(p.groups, g+1, p.newGroup(p.groups[g].first+size/2))
	}
}

// removedLeaf takes leaf k, which was taken out, out of its group, and joins the group with the
// next if both are small.
func (p *Profile) removedLeaf(k int) {
	g := p.groupOf(k)
	for _, later := range p.groups[g+1:] {
		later.first--
	}
	p.groups[g].loose = true
	if k > 0 {
		p.groups[g].valid = false // else the past is cut off
	}
	switch size := p.next(g) - p.groups[g].first; {
	case size == 0:
		p.spareGroups = append(p.spareGroups, p.groups[g])
		p.groups = slices.Delete(p.groups, g, g+1)
	case g+1 < len(p.groups) && p.next(g+1)-p.groups[g].first <= p.sizes.group/2:
		p.groups[g].valid = false
		p.spareGroups = append(p.spareGroups, p.groups[g+1])
		p.groups = slices.Delete(p.groups, g+1, g+2)
	}
}

// summariseLeaf makes the summary of leaf k.
func (p *Profile) summariseLeaf(k int) {
	l := p.leaves[k]
	p.open = l.summarise(l.times, l.free, p.end(k), p.open[:0])
	l.trust = trust{valid: true}
}

// summariseGroup makes the summary of group g, and those of its leaves that have none or one that
// did not help.
func (p *Profile) summariseGroup(g int) {
	all, other := &p.joined[0], &p.joined[1]
	loose := false
	for k := p.groups[g].first; k < p.next(g); k++ {
		l := p.leaves[k]
		if !l.valid || l.misses > 0 {
			p.summariseLeaf(k)
		}
		loose = loose || l.loose
		if k == p.groups[g].first {
			*all = l.summary
			all.raise(p.shifts[k] + l.lift)
			continue
		}
		other.join(all, &l.summary, p.shifts[k]+l.lift)
		all, other = other, all
	}
	p.groups[g].summary, p.groups[g].trust = *all, trust{valid: true, loose: loose}
}
