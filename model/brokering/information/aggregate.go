// SIMPLE and CATEGORIZED, the aggregation algorithms (Listings 2 and 4), for any set of computers.

package information

import (
	"math"
	"math/bits"
	"slices"
)

// Extremes are the values of an attribute in the resources that are aggregated.
type Extremes struct{ Min, Max, Total float64 }

// Aggregated is a resource in aggregated form (Listings 3 and 5).
type Aggregated struct {
	Category   Category
	Value      int32
	levels     levels // that make its subcategory
	Count      int32  // resources that are aggregated
	Attributes [4]Extremes
}

// Aggregator computes aggregated forms. It keeps its memory from one call to the next.
type Aggregator struct {
	seen          [Categories][]uint32 // by value: 1 + its index in groups, or 0
	groups        [Categories][]group  // one for each value, in the order of first appearance
	levels        []levels             // of each resource's computer, where a split looks at them
	memberships   int                  // to how many aggregated resources each resource belongs
	members       []member             // so many of each resource
	linked        []uint64             // a bit for each pair of aggregated resources: whether they have a relationship
	resources     []Aggregated
	relationships []Relationship
}

// group is what SIMPLE aggregates: the resources with the same value.
type group struct {
	value         int32
	subcategories uint32 // that are not empty, a bit for each
	first         uint32 // index of its first aggregated resource; the others follow by subcategory
}

// member says where a resource belongs: to a group and one of its subcategories. The subcategory is
// later replaced by the index of the aggregated resource that is made of it.
type member struct{ group, at uint32 }

// Aggregate returns the aggregated form of the computers, which is valid until the next call.
// SIMPLE is the split Whole.
//
// The values and subcategories are found before the attributes are added up, so that resources
// stand in order and none moves.
func (a *Aggregator) Aggregate(cs *Computers, by Split) ([]Aggregated, []Relationship) {
	a.memberships = by.memberships()
	a.categorize(cs, by)
	a.groupByValue(cs)
	a.layOut(by)
	a.locate(cs)
	a.link(cs, by)
	a.sum(cs)
	return a.resources, a.relationships
}

// Inaccuracy returns how far the used share of a resource is from that of its aggregated resource,
// in percentage points, mean over the resources of the last call of Aggregate. Where a resource
// belongs to several, its own category decides.
func (a *Aggregator) Inaccuracy(cs *Computers) float64 {
	off := 0.0
	for i := range cs.Resources {
		r := &cs.Resources[i]
		m := a.membersOf(i)[0]
		if a.memberships > 1 {
			m = a.membersOf(i)[r.Category]
		}
		size, free := Capacity[r.Category], Available[r.Category]
		all := &a.resources[m.at].Attributes
		off += math.Abs(r.Attributes[free]/r.Attributes[size] - all[free].Total/all[size].Total)
	}
	return 100 * off / float64(len(cs.Resources))
}

// membersOf returns the members that stand for a resource.
func (a *Aggregator) membersOf(resource int) []member {
	return a.members[a.memberships*resource:][:a.memberships]
}

// categorize finds the subcategories of each resource.
func (a *Aggregator) categorize(cs *Computers, by Split) {
	n := a.memberships * len(cs.Resources)
	a.members = slices.Grow(a.members[:0], n)[:n]
	switch by {
	case Whole:
		clear(a.members)
		return
	case Own:
		for i := range cs.Resources {
			var of levels
			r := &cs.Resources[i]
			of[r.Category] = r.level()
			a.members[i].at = by.encode(r.Category, 0, &of)
		}
		return
	}
	a.findLevels(cs)
	for i := range cs.Resources {
		members := a.membersOf(i)
		for j := range members {
			members[j].at = by.encode(cs.Resources[i].Category, j, &a.levels[i])
		}
	}
}

// findLevels finds the levels of each resource's computer: that of the resource itself, and those
// of the first others that it has relationships with or, where it is a target, that its first
// source has. Of what a computer lacks nothing is used.
func (a *Aggregator) findLevels(cs *Computers) {
	a.levels = slices.Grow(a.levels[:0], len(cs.Resources))[:len(cs.Resources)]
	for i := range cs.Resources {
		r := &cs.Resources[i]
		a.levels[i] = levels{}
		a.levels[i][r.Category] = r.level()
	}
	for _, rel := range cs.Relationships {
		c := cs.Resources[rel.Target].Category
		if source := &a.levels[rel.Source]; source[c] == unsplit {
			source[c] = a.levels[rel.Target][c]
		}
	}
	for _, rel := range cs.Relationships {
		target := &a.levels[rel.Target]
		if target[CS] != unsplit {
			continue
		}
		for c, level := range a.levels[rel.Source] {
			if target[c] == unsplit {
				target[c] = level
			}
		}
	}
	for i := range a.levels {
		for c := range a.levels[i] {
			a.levels[i][c] = max(a.levels[i][c], low)
		}
	}
}

// groupByValue makes the resources members of the groups of their values.
func (a *Aggregator) groupByValue(cs *Computers) {
	for c := range a.groups {
		for _, g := range a.groups[c] {
			a.seen[c][g.value] = 0
		}
		a.groups[c] = a.groups[c][:0]
	}
	for i := range cs.Resources {
		r := &cs.Resources[i]
		seen, groups := a.seen[r.Category], a.groups[r.Category]
		if int(r.Value) >= len(seen) || seen[r.Value] == 0 {
			seen, groups = a.open(r)
		}
		at := seen[r.Value] - 1
		members := a.membersOf(i)
		for j := range members {
			groups[at].subcategories |= 1 << (members[j].at & 31)
			members[j].group = at
		}
	}
}

// open appends the group of a resource that is the first of its value. It returns what is seen of
// its category and its groups.
func (a *Aggregator) open(r *Resource) ([]uint32, []group) {
	c := r.Category
	if missing := int(r.Value) + 1 - len(a.seen[c]); missing > 0 {
		a.seen[c] = append(a.seen[c], make([]uint32, missing)...)
	}
	a.groups[c] = append(a.groups[c], group{value: r.Value})
	a.seen[c][r.Value] = uint32(len(a.groups[c]))
	return a.seen[c], a.groups[c]
}

// layOut makes the aggregated resources, all empty, by category, value and subcategory.
func (a *Aggregator) layOut(by Split) {
	a.resources = a.resources[:0]
	for c := range a.groups {
		for i := range a.groups[c] {
			g := &a.groups[c][i]
			g.first = uint32(len(a.resources))
			for left := g.subcategories; left != 0; left &= left - 1 {
				n := len(a.resources)
				a.resources = slices.Grow(a.resources, 1)[:n+1]
				r := &a.resources[n] // add overwrites the attributes
				r.Category, r.Value, r.Count = Category(c), g.value, 0
				r.levels = by.decode(r.Category, bits.TrailingZeros32(left))
			}
		}
	}
}

// locate finds the aggregated resources to which each resource belongs.
func (a *Aggregator) locate(cs *Computers) {
	for i := range cs.Resources {
		groups, members := a.groups[cs.Resources[i].Category], a.membersOf(i)
		for j := range members {
			m := &members[j]
			g := &groups[m.group]
			m.at = g.first + uint32(bits.OnesCount32(g.subcategories&(1<<(m.at&31)-1)))
		}
	}
}

// link gives the aggregated resources the relationships of what they are made of, each once.
//
// Whether a relationship is there already is hard to predict, so there is no branch: one that is
// gets overwritten by the next.
func (a *Aggregator) link(cs *Computers, by Split) {
	width := uint(len(a.resources))
	words := int(width*width+63) / 64
	a.linked = slices.Grow(a.linked[:0], words)[:words]
	clear(a.linked)
	most := a.memberships * a.memberships * len(cs.Relationships)
	links := slices.Grow(a.relationships[:0], most)[:most]
	n := 0
	for _, rel := range cs.Relationships {
		targets := a.membersOf(int(rel.Target))
		for i, source := range a.membersOf(int(rel.Source)) {
			for j, target := range targets {
				if by == Paired && i != j {
					continue
				}
				links[n] = Relationship{int32(source.at), int32(target.at)}
				pair := uint(source.at)*width + uint(target.at)
				word := &a.linked[pair/64]
				n += int(^*word >> (pair % 64) & 1)
				*word |= 1 << (pair % 64)
			}
		}
	}
	a.relationships = links[:n]
}

// sum adds each resource to the aggregated ones to which it belongs.
func (a *Aggregator) sum(cs *Computers) {
	for i := range cs.Resources {
		r := &cs.Resources[i]
		for _, m := range a.membersOf(i) {
			a.resources[m.at].add(r)
		}
	}
}

// add is computeAggregatedInfo of Listings 2 and 4.
func (r *Aggregated) add(one *Resource) {
	r.Count++
	if r.Count == 1 {
		for i, value := range one.Attributes {
			r.Attributes[i] = Extremes{value, value, value}
		}
		return
	}
	r.Attributes[0].add(one.Attributes[0])
	r.Attributes[1].add(one.Attributes[1])
	if r.Category == CS { // the others have two attributes
		r.Attributes[2].add(one.Attributes[2])
		r.Attributes[3].add(one.Attributes[3])
	}
}

func (e *Extremes) add(value float64) {
	if value < e.Min {
		e.Min = value
	}
	if value > e.Max {
		e.Max = value
	}
	e.Total += value
}
