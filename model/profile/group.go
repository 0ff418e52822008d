// Groups: ranges of neighbouring leaves with a summary, so that searches skip them, and when
// summaries are made.

package profile

import (
	"slices"
	"sort"
)

// group is a range of neighbouring leaves with a summary of them all.
type group struct {
	first int // index of its first leaf; it reaches to the first of the next group
	summary
	validity
}

// groupOf returns the index of the group of leaf k.
func (p *Profile) groupOf(k int) int {
	return sort.Search(len(p.groups), func(g int) bool { return p.groups[g].first > k }) - 1
}

// next returns the index of the leaf after group g.
func (p *Profile) next(g int) int {
	if g+1 < len(p.groups) {
		return p.groups[g+1].first
	}
	return len(p.leaves)
}

// invalidate makes the summaries with leaf k invalid: its beginning, end or steps have changed.
func (p *Profile) invalidate(k int) {
	p.leaves[k].valid = false
	p.groups[p.groupOf(k)].valid = false
}

// changeGroups adapts the summaries of groups to a change by delta in [from, to), which lies in the
// leaves from first to last.
func (p *Profile) changeGroups(from, to int64, delta int32, first, last int) {
	if len(p.groups) == 1 {
		p.groups[0].valid = false // no summary is made of an only group
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

// addToGroup adds leaf k+1, which was inserted, to the group of leaf k, and splits a group that is
// too large.
func (p *Profile) addToGroup(k int) {
	g := p.groupOf(k)
	for h := g + 1; h < len(p.groups); h++ {
		p.groups[h].first++
	}
	p.groups[g].valid = false
	if size := p.next(g) - p.groups[g].first; size > p.sizes.group {
		p.groups = slices.Insert(p.groups, g+1, group{first: p.groups[g].first + size/2})
	}
}

// removeFromGroup removes leaf k, which was deleted, from its group, and joins the group with the
// next if both are small.
func (p *Profile) removeFromGroup(k int) {
	g := p.groupOf(k)
	for h := g + 1; h < len(p.groups); h++ {
		p.groups[h].first--
	}
	p.groups[g].inexact = true
	if k > 0 {
		p.groups[g].valid = false // for leaf 0, which Advance removes, the bounds hold
	}
	switch size := p.next(g) - p.groups[g].first; {
	case size == 0:
		p.groups = slices.Delete(p.groups, g, g+1)
	case g+1 < len(p.groups) && p.next(g+1)-p.groups[g].first <= p.sizes.group/2:
		p.groups[g].valid = false
		p.groups = slices.Delete(p.groups, g+1, g+2)
	}
}

// summariseLeaf makes the summary of leaf k.
func (p *Profile) summariseLeaf(k int) {
	l := p.leaves[k]
	p.open = l.summarise(l.times, l.free, p.end(k), p.open[:0])
	l.validity = validity{valid: true}
}

// summariseGroup makes the summary of group g, and those of its leaves that are invalid or have
// allowed no skip in some search.
func (p *Profile) summariseGroup(g int) {
	all, other := &p.joined[0], &p.joined[1]
	inexact := false
	for k := p.groups[g].first; k < p.next(g); k++ {
		l := p.leaves[k]
		if !l.valid || l.misses > 0 {
			p.summariseLeaf(k)
		}
		inexact = inexact || l.inexact
		if k == p.groups[g].first {
			*all = l.summary
			all.raise(p.shifts[k] + l.lift)
			continue
		}
		other.join(all, &l.summary, p.shifts[k]+l.lift)
		all, other = other, all
	}
	p.groups[g].summary, p.groups[g].validity = *all, validity{valid: true, inexact: inexact}
}
