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
	own   split = iota // by how much of the resource itself is used
	each               // three times: by each of the CPU load, used memory and used disk of its computer
	joint              // by these three together
	whole              // not at all: SIMPLE
)

// extremes are an attribute's values in the resources that are put together.
type extremes struct{ min, max, total float64 }

// aggregated is a resource in aggregated form (Listings 3 and 5). Its classes are those of CPU load, memory and disk: under own
// only that of its category is not none, under each only one of the three, under joint none is.
type aggregated struct {
	category   category
	value      int32
	classes    [categories]class
	count      int32
	attributes [4]extremes
}

// aggregator computes aggregated forms. It keeps its memory from one call to the next.
type aggregator struct {
	seen          [categories][]int32 // by value: 1 + its place in groups, or 0
	groups        [categories][]group // one for each value, in the order of first appearance
	classes       [][categories]class // of each resource's computer, under each and joint
	members       []member            // of each resource one, under each three
	linked        []uint64            // a bit for each pair of aggregated resources: whether they have a relationship
	resources     []aggregated
	relationships []relationship
}

// group is what SIMPLE puts together: the resources with a value.
type group struct {
	value int32
	codes uint32 // a bit for each code that a member has
	first int32  // the place of its first aggregated resource; the others follow by codes
}

// member says where a resource belongs: to the group at a place and, by the code of its classes, to an aggregated resource. The
// code is then replaced by the place of that.
type member struct{ group, code int32 }

// simple returns the aggregated form of Listing 2: one resource for each value. It is valid until the next call.
func (a *aggregator) simple(info *information) ([]aggregated, []relationship) {
	return a.aggregate(info, whole)
}

// categorized returns the aggregated form of Listing 4: one resource for each value and class. It is valid until the next call.
func (a *aggregator) categorized(info *information, by split) ([]aggregated, []relationship) {
	return a.aggregate(info, by)
}

func (a *aggregator) aggregate(info *information, by split) ([]aggregated, []relationship) {
	a.forget()
	switch by {
	case whole:
		for i := range info.resources {
			a.join(&info.resources[i], 0)
		}
	case own:
		for i := range info.resources {
			r := &info.resources[i]
			a.join(r, r.class()-low)
		}
	case each:
		a.classify(info)
		for i, classes := range a.classes {
			for by, c := range classes {
				a.join(&info.resources[i], class(3*by)+c-low)
			}
		}
	case joint:
		a.classify(info)
		for i, c := range a.classes {
			a.join(&info.resources[i], 9*(c[computing]-low)+3*(c[operating]-low)+c[storage]-low)
		}
	}
	a.lay(by)
	parts := 1
	if by == each {
		parts = 3
	}
	a.fill(info, parts)
	a.link(info, parts)
	return a.resources, a.relationships
}

// forget empties what the last call left.
func (a *aggregator) forget() {
	for c := range a.groups {
		for _, g := range a.groups[c] {
			a.seen[c][g.value] = 0
		}
		a.groups[c] = a.groups[c][:0]
	}
	a.members, a.resources, a.relationships = a.members[:0], a.resources[:0], a.relationships[:0]
}

// join makes a resource a member of the group of its value.
func (a *aggregator) join(r *resource, code class) {
	if int(r.value) >= len(a.seen[r.category]) {
		a.seen[r.category] = append(a.seen[r.category], make([]int32, int(r.value)+1-len(a.seen[r.category]))...)
	}
	at := a.seen[r.category][r.value] - 1
	if at < 0 {
		at = int32(len(a.groups[r.category]))
		a.seen[r.category][r.value] = at + 1
		a.groups[r.category] = append(a.groups[r.category], group{value: r.value})
	}
	a.groups[r.category][at].codes |= 1 << code
	a.members = append(a.members, member{at, int32(code)})
}

// lay makes the aggregated resources, all empty, by category, value and code.
func (a *aggregator) lay(by split) {
	for c := range a.groups {
		for i := range a.groups[c] {
			g := &a.groups[c][i]
			g.first = int32(len(a.resources))
			for codes := g.codes; codes != 0; codes &= codes - 1 {
				a.resources = append(a.resources, aggregated{category: category(c), value: g.value,
					classes: by.classes(category(c), class(bits.TrailingZeros32(codes)))})
			}
		}
	}
}

// classes returns what the code of a resource's classes stands for.
func (by split) classes(c category, code class) (classes [categories]class) {
	switch by {
	case own:
		classes[c] = low + code
	case each:
		classes[code/3] = low + code%3
	case joint:
		classes = [categories]class{low + code/9, low + code/3%3, low + code%3}
	}
	return classes
}

// fill adds every resource to the aggregated ones to which it belongs.
func (a *aggregator) fill(info *information, parts int) {
	for i := range a.members {
		m := &a.members[i]
		r := &info.resources[i/parts]
		g := &a.groups[r.category][m.group]
		m.code = g.first + int32(bits.OnesCount32(g.codes&(1<<m.code-1)))
		a.resources[m.code].add(r)
	}
}

// attributes are how many a resource has, by category.
var attributes = [categories]int{computing: 4, operating: 2, storage: 2}

// add puts a resource together with the others.
func (a *aggregated) add(r *resource) {
	a.count++
	for i, value := range r.attributes[:attributes[r.category]] {
		e := &a.attributes[i]
		if a.count == 1 {
			*e = extremes{value, value, value}
			continue
		}
		if value < e.min {
			e.min = value
		}
		if value > e.max {
			e.max = value
		}
		e.total += value
	}
}

// link gives the aggregated resources the relationships of what they are made of, each once.
func (a *aggregator) link(info *information, parts int) {
	width := len(a.resources)
	words := (width*width + 63) / 64
	a.linked = slices.Grow(a.linked[:0], words)[:words]
	clear(a.linked)
	for _, rel := range info.relationships {
		for _, source := range a.members[parts*int(rel.source):][:parts] {
			for _, target := range a.members[parts*int(rel.target):][:parts] {
				pair := int(source.code)*width + int(target.code)
				if word, bit := &a.linked[pair/64], uint64(1)<<(pair%64); *word&bit == 0 {
					*word |= bit
					a.relationships = append(a.relationships, relationship{source.code, target.code})
				}
			}
		}
	}
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
	var used, size float64 // used is a hundredfold, so that whole numbers are compared with the thresholds
	switch r.category {
	case computing:
		used, size = r.attributes[cpuUtil], r.attributes[totalCPUs]
	default:
		used, size = 100*(r.attributes[ramSize]-r.attributes[ramAvailable]), r.attributes[ramSize]
	}
	switch {
	case size <= 0 || used <= 33*size:
		return low
	case used <= 66*size:
		return medium
	}
	return high
}
