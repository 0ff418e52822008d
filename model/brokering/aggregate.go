package brokering

import (
	"math/bits"
	"slices"
)

// class is how much of something is used, by the thresholds of Listing 4.
type class uint8

const (
	none   class = iota // not split by this
	low                 // at most 0.33
	medium              // at most 0.66
	high
)

// split is how resources with the same value are split into classes.
type split uint8

const (
	own    split = iota // by how much of the resource itself is used
	each                // three times: by each of the CPU load, used memory and used disk of its computer
	paired              // as each, but relationships join only what is split by the same of the three
	joint               // by these three together
	whole               // not at all: SIMPLE
)

// extremes are an attribute's values in the resources that are put together.
type extremes struct{ min, max, total float64 }

// aggregated is a resource in aggregated form (Listings 3 and 5). Its classes are those of CPU load, memory and disk: under own
// only that of its category is not none, under each and paired only one of the three, under joint none is.
type aggregated struct {
	category   category
	value      int32
	classes    [categories]class
	count      int32
	attributes [4]extremes
}

// aggregator computes aggregated forms. It keeps its memory from one call to the next.
type aggregator struct {
	seen          [categories][]uint32 // by value: 1 + its place in groups, or 0
	groups        [categories][]group  // one for each value, in the order of first appearance
	classes       [][categories]class  // of each resource's computer, unless under own and whole
	parts         int                  // as how many members each resource is added: one, under each and paired three
	members       []member             // so many of each resource
	linked        []uint64             // a bit for each pair of aggregated resources: whether they have a relationship
	resources     []aggregated
	relationships []relationship
}

// group is what SIMPLE puts together: the resources with a value.
type group struct {
	value int32
	codes uint32 // a bit for each code that a member has
	first uint32 // the place of its first aggregated resource; the others follow by codes
}

// member says where a resource belongs: to the group at a place and, by the code of its classes, to an aggregated resource. The
// code is then replaced by the place of that.
type member struct{ group, code uint32 }

// simple returns the aggregated form of Listing 2: one resource for each value. It is valid until the next call.
func (a *aggregator) simple(info *information) ([]aggregated, []relationship) {
	return a.aggregate(info, whole)
}

// categorized returns the aggregated form of Listing 4: one resource for each value and class. It is valid until the next call.
func (a *aggregator) categorized(info *information, by split) ([]aggregated, []relationship) {
	return a.aggregate(info, by)
}

// aggregate finds which values and classes there are before it fills what has them: so they stand in order and nothing moves.
func (a *aggregator) aggregate(info *information, by split) ([]aggregated, []relationship) {
	a.arrange(info, by)
	a.fill(info)
	return a.resources, a.relationships
}

// arrange finds the aggregated form but for what the resources count and their attributes.
func (a *aggregator) arrange(info *information, by split) {
	a.parts = 1
	if by == each || by == paired {
		a.parts = int(categories)
	}
	a.encode(info, by)
	a.join(info)
	a.lay(by)
	a.place(info)
	a.link(info, by)
}

// partsOf returns the members as which a resource is added.
func (a *aggregator) partsOf(resource int) []member {
	return a.members[a.parts*resource:][:a.parts]
}

// encode gives every member the code of its classes.
func (a *aggregator) encode(info *information, by split) {
	n := a.parts * len(info.resources)
	a.members = slices.Grow(a.members[:0], n)[:n]
	switch by {
	case whole:
		clear(a.members)
	case own:
		for i := range info.resources {
			a.members[i].code = uint32(info.resources[i].class() - low)
		}
	case each, paired:
		a.classify(info)
		for i, classes := range a.classes {
			for c, class := range classes {
				a.members[a.parts*i+c].code = uint32(3*c) + uint32(class-low)
			}
		}
	case joint:
		a.classify(info)
		for i, c := range a.classes {
			a.members[i].code = uint32(9*(c[computing]-low) + 3*(c[operating]-low) + c[storage] - low)
		}
	}
}

// join makes all resources members of the groups of their values.
func (a *aggregator) join(info *information) {
	for c := range a.groups {
		for _, g := range a.groups[c] {
			a.seen[c][g.value] = 0
		}
		a.groups[c] = a.groups[c][:0]
	}
	for i := range info.resources {
		r := &info.resources[i]
		seen, groups := a.seen[r.category], a.groups[r.category]
		if int(r.value) >= len(seen) || seen[r.value] == 0 {
			seen, groups = a.open(r)
		}
		at := seen[r.value] - 1
		members := a.partsOf(i)
		for j := range members {
			groups[at].codes |= 1 << (members[j].code & 31)
			members[j].group = at
		}
	}
}

// open appends the group of a resource that is the first of its value, and returns what is seen of its category and its groups.
func (a *aggregator) open(r *resource) ([]uint32, []group) {
	c := r.category
	if missing := int(r.value) + 1 - len(a.seen[c]); missing > 0 {
		a.seen[c] = append(a.seen[c], make([]uint32, missing)...)
	}
	a.groups[c] = append(a.groups[c], group{value: r.value})
	a.seen[c][r.value] = uint32(len(a.groups[c]))
	return a.seen[c], a.groups[c]
}

// lay makes the aggregated resources, all empty, by category, value and code.
func (a *aggregator) lay(by split) {
	a.resources = a.resources[:0]
	for c := range a.groups {
		for i := range a.groups[c] {
			g := &a.groups[c][i]
			g.first = uint32(len(a.resources))
			for codes := g.codes; codes != 0; codes &= codes - 1 {
				n := len(a.resources)
				a.resources = slices.Grow(a.resources, 1)[:n+1]
				r := &a.resources[n] // add overwrites the attributes
				r.category, r.value, r.count = category(c), g.value, 0
				by.classify(r, class(bits.TrailingZeros32(codes)))
			}
		}
	}
}

// classify gives an aggregated resource the classes for which a code stands.
func (by split) classify(r *aggregated, code class) {
	r.classes = [categories]class{}
	switch by {
	case own:
		r.classes[r.category] = low + code
	case each, paired:
		r.classes[code/3] = low + code%3
	case joint:
		r.classes[computing], r.classes[operating], r.classes[storage] = low+code/9, low+code/3%3, low+code%3
	}
}

// place finds the aggregated resources to which every resource belongs.
func (a *aggregator) place(info *information) {
	for i := range info.resources {
		groups, members := a.groups[info.resources[i].category], a.partsOf(i)
		for j := range members {
			g := &groups[members[j].group]
			members[j].code = g.first + uint32(bits.OnesCount32(g.codes&(1<<(members[j].code&31)-1)))
		}
	}
}

// fill adds every resource to these.
func (a *aggregator) fill(info *information) {
	for i := range info.resources {
		r := &info.resources[i]
		for _, m := range a.partsOf(i) {
			a.resources[m.code].add(r)
		}
	}
}

// add puts a resource together with the others.
func (r *aggregated) add(part *resource) {
	r.count++
	if r.count == 1 {
		for i, value := range part.attributes {
			r.attributes[i] = extremes{value, value, value}
		}
		return
	}
	r.attributes[0].add(part.attributes[0])
	r.attributes[1].add(part.attributes[1])
	if r.category == computing { // the others have two attributes
		r.attributes[2].add(part.attributes[2])
		r.attributes[3].add(part.attributes[3])
	}
}

func (e *extremes) add(value float64) {
	if value < e.min {
		e.min = value
	}
	if value > e.max {
		e.max = value
	}
	e.total += value
}

// link gives the aggregated resources the relationships of what they are made of, each once. What is written of one that is there
// already is overwritten by the next: whether it is there can hardly be predicted, so there is no branch.
func (a *aggregator) link(info *information, by split) {
	width := uint(len(a.resources))
	words := int(width*width+63) / 64
	a.linked = slices.Grow(a.linked[:0], words)[:words]
	clear(a.linked)
	most := a.parts * a.parts * len(info.relationships)
	links := slices.Grow(a.relationships[:0], most)[:most]
	n := 0
	for _, rel := range info.relationships {
		targets := a.partsOf(int(rel.target))
		for i, source := range a.partsOf(int(rel.source)) {
			for j, target := range targets {
				if by == paired && i != j {
					continue
				}
				links[n] = relationship{int32(source.code), int32(target.code)}
				pair := uint(source.code)*width + uint(target.code)
				word := &a.linked[pair/64]
				n += int(^*word >> (pair % 64) & 1)
				*word |= 1 << (pair % 64)
			}
		}
	}
	a.relationships = links[:n]
}

// classify finds the classes of each resource's computer: the class of the resource itself, and those of the first others that
// it has relationships with or, where it is the target, that the first source has. What is not there is low: nothing of it is used.
func (a *aggregator) classify(info *information) {
	a.classes = slices.Grow(a.classes[:0], len(info.resources))[:len(info.resources)]
	for i := range info.resources {
		r := &info.resources[i]
		a.classes[i] = [categories]class{}
		a.classes[i][r.category] = r.class()
	}
	for _, rel := range info.relationships {
		c := info.resources[rel.target].category
		if source := &a.classes[rel.source]; source[c] == none {
			source[c] = a.classes[rel.target][c]
		}
	}
	for _, rel := range info.relationships {
		target := &a.classes[rel.target]
		if target[computing] != none {
			continue
		}
		for c, class := range a.classes[rel.source] {
			if target[c] == none {
				target[c] = class
			}
		}
	}
	for i := range a.classes {
		for c := range a.classes[i] {
			a.classes[i][c] = max(a.classes[i][c], low)
		}
	}
}

// class returns how much of the resource itself is used: of CPUs, memory or disk.
func (r *resource) class() class {
	var used, size float64
	switch r.category {
	case computing:
		used, size = r.attributes[cpuUtil], r.attributes[totalCPUs] // of which this is hundredfold already
	case operating:
		used, size = 100*(r.attributes[ramSize]-r.attributes[ramAvailable]), r.attributes[ramSize]
	case storage:
		used, size = 100*(r.attributes[sizeMB]-r.attributes[freeMB]), r.attributes[sizeMB]
	}
	if size <= 0 {
		return low
	}
	return low + class(thresholds(used, size))
}

// thresholds returns how many thresholds the share of a size is above of which this is used, hundredfold. Hundredfold shares are
// compared so that whole numbers are. How many it is can hardly be predicted, so there is no branch.
func thresholds(used, size float64) (above uint32) {
	if used > 33*size {
		above++
	}
	if used > 66*size {
		above++
	}
	return above
}
