// The aggregation algorithms SIMPLE and CATEGORIZED (Listings 2 and 4) for any set of computers.

package information

import (
	"math"
	"slices"
)

// Extremes are the values of an attribute in the resources that are aggregated.
type Extremes struct{ Min, Max, Total float64 }

// Aggregated is what brokers publish of an aggregated resource (Listings 3 and 5).
type Aggregated struct {
	Category   Category
	Value      int32
	levels     levels // of its subcategory
	Count      int32  // resources that are aggregated
	Attributes [4]Extremes
}

// Aggregator computes aggregated forms. It keeps its memory from one call to the next.
type Aggregator struct {
	levels        []levels           // of each resource's computer, where a split depends on them
	memberships   int                // how many aggregated resources each resource belongs to
	members       []uint32           // for each resource, the indices of so many aggregated resources
	first         [Categories]uint32 // slot of value 0 and subcategory 0; slots follow by value, then subcategory
	slots         []uint32           // of each subcategory of a value: its aggregated resource
	linked        []uint64           // a bit for each pair of aggregated resources: whether they have a relationship
	resources     []Aggregated
	relationships []Relationship
}

// Aggregate returns the aggregated form of the computers (Listing 4), which is valid until the next
// call. SIMPLE (Listing 2) is the split Whole.
func (a *Aggregator) Aggregate(cs *Computers, by Split) ([]Aggregated, []Relationship) {
	a.memberships = by.memberships()
	if by != Whole && by != Own {
		a.findLevels(cs)
	}
	a.categorize(cs, by)
	a.cleanVector(cs, by)
	a.link(cs, by)
	for i := range cs.Resources {
		for _, m := range a.membersOf(i) {
			a.resources[m].add(&cs.Resources[i])
		}
	}
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
		all := &a.resources[m].Attributes
		off += math.Abs(r.Attributes[free]/r.Attributes[size] - all[free].Total/all[size].Total)
	}
	return 100 * off / float64(len(cs.Resources))
}

// membersOf returns the members of a resource.
func (a *Aggregator) membersOf(resource int) []uint32 {
	return a.members[a.memberships*resource:][:a.memberships]
}

// categorize finds the slots that each resource belongs to.
func (a *Aggregator) categorize(cs *Computers, by Split) {
	subcategories, slots := uint32(by.Subcategories()), uint32(0)
	for c := range a.first {
		a.first[c] = slots
		slots += uint32(len(cs.Names[c])) * subcategories
	}
	a.slots = slices.Grow(a.slots[:0], int(slots))[:slots]
	n := a.memberships * len(cs.Resources)
	a.members = slices.Grow(a.members[:0], n)[:n]
	for i := range cs.Resources {
		r := &cs.Resources[i]
		var of levels
		switch by {
		case Whole:
		case Own:
			of[r.Category] = r.level()
		default:
			of = a.levels[i]
		}
		value := a.first[r.Category] + uint32(r.Value)*subcategories
		members := a.membersOf(i)
		for j := range members {
			members[j] = value + by.encode(r.Category, j, &of)
		}
	}
}

// cleanVector makes an aggregated resource, still without attributes, of each slot that a resource
// belongs to. The members become indices of these.
func (a *Aggregator) cleanVector(cs *Computers, by Split) {
	clear(a.slots)
	for _, slot := range a.members {
		a.slots[slot] = 1
	}
	a.resources = a.resources[:0]
	subcategories := by.Subcategories()
	for c, names := range cs.Names {
		slots := a.slots[a.first[c]:][:len(names)*subcategories]
		for i := range slots {
			if slots[i] == 0 {
				continue
			}
			slots[i] = uint32(len(a.resources))
			of := by.decode(Category(c), i%subcategories)
			a.resources = append(a.resources, Aggregated{Category: Category(c), Value: int32(i / subcategories), levels: of})
		}
	}
	for i, slot := range a.members {
		a.members[i] = a.slots[slot]
	}
}

// findLevels finds the levels of each resource's computer: the level of the resource itself, and
// those of the first others that it, or the first source of it, has relationships with. What a
// computer lacks counts as not used.
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

// link makes the relationships of the aggregated resources, each once: those of their members.
//
// Whether a relationship exists already is hard to predict, so there is no branch: one that does is
// overwritten by the next.
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
				links[n] = Relationship{int32(source), int32(target)}
				pair := uint(source)*width + uint(target)
				word := &a.linked[pair/64]
				n += int(^*word >> (pair % 64) & 1)
				*word |= 1 << (pair % 64)
			}
		}
	}
	a.relationships = links[:n]
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
