// The aggregation algorithms SIMPLE and CATEGORIZED (Listings 2 and 4) for any set of computers.

package information

import (
	"math"
	"slices"
)

// Extremes are the least and the most of an attribute among aggregated resources, and their sum.
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
	perResource int // how many aggregated resources each resource belongs to
	// what each resource belongs to: slots, from cleanVector on indices of aggregated resources
	memberships []uint32
	// the first slot of each category; the others follow by value, then subcategory
	firstSlot [Categories]uint32
	slots     []uint32 // the aggregated resource of each slot, a subcategory of a value
	// whether aggregated resources have a relationship: a bit for each pair
	linked        []uint64
	resources     []Aggregated
	relationships []Relationship
}

// Aggregate returns the aggregated form of the computers (Listing 4), which is valid until the next
// call. SIMPLE (Listing 2) is the split Whole.
func (a *Aggregator) Aggregate(cs *Computers, by Split) ([]Aggregated, []Relationship) {
	a.perResource = by.membershipCount()
	a.categorize(cs, by)
	a.cleanVector(cs, by)
	a.link(cs, by)
	for i := range cs.List {
		for c := range Categories {
			for _, m := range a.membershipsOf(i, c) {
				a.resources[m].add(&cs.List[i][c])
			}
		}
	}
	return a.resources, a.relationships
}

// Inaccuracy returns how far the used share of a resource is from that of its aggregated resource,
// in percentage points, mean over the resources of the last call of Aggregate. Where a resource
// belongs to several, its own category decides.
func (a *Aggregator) Inaccuracy(cs *Computers) float64 {
	off := 0.0
	for i := range cs.List {
		for c := range Categories {
			m := a.membershipsOf(i, c)[0]
			if a.perResource > 1 {
				m = a.membershipsOf(i, c)[c]
			}
			size, free := Capacity[c], Available[c]
			one, all := &cs.List[i][c].Attributes, &a.resources[m].Attributes
			off += math.Abs(one[free]/one[size] - all[free].Total/all[size].Total)
		}
	}
	return 100 * off / float64(int(Categories)*len(cs.List))
}

// membershipsOf returns the memberships of a resource, by its computer and category.
func (a *Aggregator) membershipsOf(computer int, c Category) []uint32 {
	return a.memberships[a.perResource*(int(Categories)*computer+int(c)):][:a.perResource]
}

// categorize finds the slots that each resource belongs to.
func (a *Aggregator) categorize(cs *Computers, by Split) {
	subcategories, slots := uint32(by.Subcategories()), uint32(0)
	for c := range a.firstSlot {
		a.firstSlot[c] = slots
		slots += uint32(len(cs.Names[c])) * subcategories
	}
	a.slots = slices.Grow(a.slots[:0], int(slots))[:slots]
	n := a.perResource * int(Categories) * len(cs.List)
	a.memberships = slices.Grow(a.memberships[:0], n)[:n]
	for i := range cs.List {
		computer := &cs.List[i]
		var utilisation levels
		if by != Whole {
			utilisation = computer.levels()
		}
		for c := range Categories {
			first := a.firstSlot[c] + uint32(computer[c].Value)*subcategories
			memberships := a.membershipsOf(i, c)
			for j := range memberships {
				memberships[j] = first + by.encode(c, j, &utilisation)
			}
		}
	}
}

// cleanVector (of Listing 4) makes an aggregated resource, still without attributes, of each slot
// that a resource belongs to. The memberships become indices of these.
func (a *Aggregator) cleanVector(cs *Computers, by Split) {
	clear(a.slots)
	for _, slot := range a.memberships {
		a.slots[slot] = 1
	}
	a.resources = a.resources[:0]
	subcategories := by.Subcategories()
	for c, names := range cs.Names {
		slots := a.slots[a.firstSlot[c]:][:len(names)*subcategories]
		for i := range slots {
			if slots[i] == 0 {
				continue
			}
			slots[i] = uint32(len(a.resources))
			utilisation := by.decode(Category(c), i%subcategories)
			value := int32(i / subcategories)
			a.resources = append(a.resources, Aggregated{Category: Category(c), Value: value, levels: utilisation})
		}
	}
	for i, slot := range a.memberships {
		a.memberships[i] = a.slots[slot]
	}
}

// link makes the relationships of the aggregated resources, each once: those of their members.
//
// Whether a relationship exists already is hard to predict, so there is no branch: each is written,
// and one that exists already is overwritten by the next.
func (a *Aggregator) link(cs *Computers, by Split) {
	width := uint(len(a.resources))
	words := int(width*width+63) / 64
	a.linked = slices.Grow(a.linked[:0], words)[:words]
	clear(a.linked)
	most := a.perResource * a.perResource * 2 * len(cs.List)
	links := slices.Grow(a.relationships[:0], most)[:most]
	n := 0
	for computer := range cs.List {
		for c := OS; c <= FS; c++ {
			targets := a.membershipsOf(computer, c)
			for i, source := range a.membershipsOf(computer, CS) {
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
	}
	a.relationships = links[:n]
}

// add adds a resource to the extremes (computeAggregatedInfo of Listings 2 and 4).
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
