package analysis

// Groups: the observations that one number of a query is made of.

import (
	"slices"

	"gridsweep/sweeps/study"
)

// group is the members that make one number, at a place where the dimensions of over have level 0.
type group struct {
	at      []int
	members []pair
	print   *study.Print // of the one published number that makes it; else nil
	ran     []bool       // by round: whether every member and what it is compared with was run
	rounds  int          // the fewest that are planned for one of these; 0 for published numbers
}

// join adds an observation, and the one that it is compared with, to those that make the number.
func (g *group) join(row, base *observation) {
	p := pair{row: row.values}
	g.ran, g.rounds = both(g.ran, row.ran), fewer(g.rounds, row.rounds)
	if base != nil {
		p.base = base.values
		g.ran, g.rounds = both(g.ran, base.ran), fewer(g.rounds, base.rounds)
	}
	g.members = append(g.members, p)
}

// both returns in which rounds both were run; the other where one is nil.
func both(a, b []bool) []bool {
	if a == nil || b == nil {
		return slices.Concat(a, b)
	}
	and := make([]bool, len(a))
	for k := range a {
		and[k] = a[k] && b[k]
	}
	return and
}

// groups returns the members of every number in the order of their places.
func (q *query) groups() []*group {
	bases := q.bases()
	byIndices := map[string]*group{}
	var groups []*group
	for _, o := range q.o.rows {
		if !q.selects(o.at) {
			continue
		}
		var base *observation
		if bases != nil {
			if base = bases[indexKey(q.without(o.at, q.against))]; base == nil {
				base = q.noBase()
			}
		}
		at := slices.Clone(o.at)
		for d := range at {
			if q.over[d] {
				at[d] = 0
			}
		}
		g := byIndices[indexKey(at)]
		if g == nil {
			g = &group{at: at, print: o.print}
			byIndices[indexKey(at)] = g
			groups = append(groups, g)
		}
		g.join(o, base)
	}
	slices.SortFunc(groups, func(a, b *group) int { return slices.Compare(a.at, b.at) })
	return groups
}

// bases returns the observations at the level compared with, by the rest of their place; nil where
// the query compares with nothing.
func (q *query) bases() map[string]*observation {
	if len(q.from.Against) == 0 {
		return nil
	}
	bases := map[string]*observation{}
	for _, o := range q.o.rows {
		if q.isBase(o.at) {
			bases[indexKey(q.without(o.at, q.against))] = o
		}
	}
	return bases
}

// noBase returns what stands for an observation that is to be compared with and is not there: one
// of no round that was run, or for a key without a value in any.
func (q *query) noBase() *observation {
	none, ofKey := &observation{values: nothing(q.o.rounds)}, false
	for d, level := range q.against {
		if level >= 0 && q.o.dims[d].key {
			ofKey = true
		} else if level == len(q.o.dims[d].levels) {
			ofKey = false
			break
		}
	}
	if !ofKey {
		none.ran = make([]bool, q.o.rounds)
	}
	return none
}

func (q *query) isBase(at []int) bool {
	for d, level := range q.against {
		if level >= 0 && at[d] != level {
			return false
		}
	}
	return true
}

// selects reports whether a place is asked for: what the others are compared with is not.
func (q *query) selects(at []int) bool {
	for d, level := range at {
		if !slices.Contains(q.allowed[d], level) {
			return false
		}
	}
	return len(q.from.Against) == 0 || !q.isBase(at)
}

// without returns a place without its level in the dimensions that have one in levels.
func (q *query) without(at, levels []int) []int {
	at = slices.Clone(at)
	for d, level := range levels {
		if level >= 0 {
			at[d] = 0
		}
	}
	return at
}
