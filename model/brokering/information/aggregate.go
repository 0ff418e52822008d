// The aggregation algorithms SIMPLE and CATEGORIZED (Listings 2 and 4) for any set of computers.

package information

import (
	"math"
	"math/bits"
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
	members []member // of each resource
	slots   []uint32 // the aggregated resource of each subcategory, by category, value, subcategory
	// whether aggregated resources have a relationship: a bit for each pair
	linked        []uint64
	resources     []Aggregated
	relationships []Relationship
}

// member is what a resource belongs to: the slot of the first subcategory of its value, and
// subcategories of this value, a bit for each.
type member struct{ firstSlot, subcategories uint32 }

// Aggregate returns the aggregated form of the computers (Listing 4), which is valid until the next
// call. SIMPLE (Listing 2) is the split Whole.
func (a *Aggregator) Aggregate(cs *Computers, by Split) ([]Aggregated, []Relationship) {
	a.categorize(cs, by)
	a.cleanVector(cs, by)
	a.link(by)
	for i := range a.members {
		m, one := a.members[i], &cs.List[i/int(Categories)][i%int(Categories)]
		for ; m.subcategories != 0; m.subcategories &= m.subcategories - 1 {
			a.resources[a.first(m)].add(one)
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
			m := a.members[int(Categories)*i+int(c)]
			if bits.OnesCount32(m.subcategories) > 1 {
				m.subcategories &= 7 << (3 * c)
			}
			size, free := capacity[c], available[c]
			one, all := &cs.List[i][c].Attributes, &a.resources[a.first(m)].Attributes
			off += math.Abs(one[free]/one[size] - all[free].Total/all[size].Total)
		}
	}
	return 100 * off / float64(int(Categories)*len(cs.List))
}

// first returns the first aggregated resource that a resource belongs to.
func (a *Aggregator) first(m member) uint32 {
	return a.slots[m.firstSlot+uint32(bits.TrailingZeros32(m.subcategories))]
}

// categorize finds the subcategories that each resource belongs to.
func (a *Aggregator) categorize(cs *Computers, by Split) {
	subcategories := uint32(by.subcategories())
	a.members = slices.Grow(a.members[:0], int(Categories)*len(cs.List))
	for i := range cs.List {
		computer := &cs.List[i]
		var used levels
		if by != Whole {
			used = computer.levels()
		}
		slot := uint32(0)
		for c, set := range by.subcategoriesOf(&used) {
			a.members = append(a.members, member{slot + uint32(computer[c].Value)*subcategories, set})
			slot += uint32(len(cs.Names[c])) * subcategories
		}
	}
}

// cleanVector (of Listing 4) makes an aggregated resource, still without attributes, of each
// subcategory of a value that a resource belongs to.
func (a *Aggregator) cleanVector(cs *Computers, by Split) {
	subcategories, slot := by.subcategories(), 0
	values := len(cs.Names[CS]) + len(cs.Names[OS]) + len(cs.Names[FS])
	a.slots = slices.Grow(a.slots[:0], values*subcategories)[:values*subcategories]
	clear(a.slots)
	for _, m := range a.members {
		a.slots[m.firstSlot] |= m.subcategories // all that are used of a value, until the next loop
	}
	a.resources = a.resources[:0]
	for c, names := range cs.Names {
		for value := range names {
			for left := a.slots[slot]; left != 0; left &= left - 1 {
				subcategory := bits.TrailingZeros32(left)
				a.slots[slot+subcategory] = uint32(len(a.resources))
				a.resources = append(a.resources,
					Aggregated{Category: Category(c), Value: int32(value), levels: by.decode(Category(c), subcategory)})
			}
			slot += subcategories
		}
	}
}

// link makes the relationships of the aggregated resources, each once: those of their members.
//
// Whether a relationship exists already is hard to predict, so there is no branch: each is written,
// and one that exists already is overwritten by the next.
func (a *Aggregator) link(by Split) {
	width := uint(len(a.resources))
	words := int(width*width+63) / 64
	a.linked = slices.Grow(a.linked[:0], words)[:words]
	clear(a.linked)
	most := 2 * len(a.members) / int(Categories) // two of each computer; equal ones become one
	if by == Each || by == Paired {
		most *= 9
	}
	links, n := slices.Grow(a.relationships[:0], most)[:most], 0
	for i := 0; i < len(a.members); i += int(Categories) {
		source := a.members[i]
		for _, target := range a.members[i+1 : i+int(Categories)] {
			slots := a.slots[target.firstSlot:]
			for left := source.subcategories; left != 0; left &= left - 1 {
				subcategory := bits.TrailingZeros32(left)
				from, related := a.slots[int(source.firstSlot)+subcategory], target.subcategories
				if by == Paired {
					related &= 7 << (subcategory / 3 * 3)
				}
				for ; related != 0; related &= related - 1 {
					to := slots[bits.TrailingZeros32(related)]
					links[n] = Relationship{int32(from), int32(to)}
					pair := uint(from)*width + uint(to)
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
