// Groups: the observations that one number of a query is computed from.

package analysis

import (
	"slices"

	"gridsweep/sweeps/study"
)

// group is the observations, with their bases, that one number is computed from.
type group struct {
	at      []int // indices of levels, by dimension; 0 for those of Query.Over
	members []member
	printed *study.PublishedNumber // published number of the first member; nil for ours
	ran     []bool                 // by replication: whether every member and its base was run
	// planned is the fewest replications planned for a member or base; 0 for published numbers.
	planned int
	runs    []int // the first run of each member and of its base, if it has one, alternating
}

// join adds an observation and its base to the group.
func (g *group) join(row, base *observation) {
	joined := member{row: row.values}
	g.runs = append(g.runs, row.run)
	g.ran, g.planned = both(g.ran, row.ran), fewer(g.planned, row.planned)
	if base != nil {
		joined.base = base.values
		g.runs = append(g.runs, base.run)
		g.ran, g.planned = both(g.ran, base.ran), fewer(g.planned, base.planned)
	}
	g.members = append(g.members, joined)
}

// both returns, by replication, whether both were run. A nil slice is ignored.
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

// groups returns the groups of all numbers, sorted by their levels.
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
			if base = bases[indexKey(q.without(o.at, q.isCompared))]; base == nil {
				base = q.noBase()
			}
		}
		at := slices.Clone(o.at)
		for _, d := range q.from.Over {
			at[d] = 0
		}
		g := byIndices[indexKey(at)]
		if g == nil {
			g = &group{at: at, printed: o.printed}
			byIndices[indexKey(at)] = g
			groups = append(groups, g)
		}
		g.join(o, base)
	}
	slices.SortFunc(groups, func(a, b *group) int { return slices.Compare(a.at, b.at) })
	return groups
}

// bases returns the observations at the level that the query compares with, by their levels along
// the other dimensions; nil if the query compares with nothing.
func (q *query) bases() map[string]*observation {
	if len(q.from.Against) == 0 {
		return nil
	}
	bases := map[string]*observation{}
	for _, o := range q.o.rows {
		if q.isBase(o.at) {
			bases[indexKey(q.without(o.at, q.isCompared))] = o
		}
	}
	return bases
}

// noBase returns a base without values, for an observation whose base does not exist. It counts as
// not run, unless the query compares with the level of a key, and with levels of factors that
// exist: then the runs exist but have no such row.
func (q *query) noBase() *observation {
	ofKey, lacksLevel := false, false
	for d, level := range q.against {
		isKey := q.o.dims[d].key
		ofKey = ofKey || isKey && q.isCompared(d)
		lacksLevel = lacksLevel || !isKey && level == len(q.o.dims[d].levels)
	}
	none := &observation{values: noValues(q.o.replications)}
	if !ofKey || lacksLevel {
		none.ran = make([]bool, q.o.replications)
	}
	return none
}

// isCompared reports whether the query compares with a level of a dimension.
func (q *query) isCompared(d int) bool { return q.against[d] >= 0 }

// isBase reports whether the levels are those that the query compares with.
func (q *query) isBase(at []int) bool {
	for d, level := range q.against {
		if q.isCompared(d) && at[d] != level {
			return false
		}
	}
	return true
}

// selects reports whether the query shows numbers at the levels. The base is not shown.
func (q *query) selects(at []int) bool {
	for d, level := range at {
		if !slices.Contains(q.allowed[d], level) {
			return false
		}
	}
	return len(q.from.Against) == 0 || !q.isBase(at)
}

// without returns the levels, set to 0 along the dimensions that are left out.
func (q *query) without(at []int, isLeftOut func(d int) bool) []int {
	at = slices.Clone(at)
	for d := range at {
		if isLeftOut(d) {
			at[d] = 0
		}
	}
	return at
}
