package coallocation

// Candidates: the intervals in which a resource could run a task of the request at hand.

import (
	"cmp"
	"slices"

	"gridsweep/model"
)

// candidate is an interval in which one resource could run one of the request's tasks: a free gap
// of the resource clipped to [t_EST, t_D], at least t_ET long.
type candidate struct {
	gap
	key      model.Seconds // of the rule that the list is sorted by: the lowest comes first
	resource int32         // its index among all resources, type by type
}

// candidates are the intervals of one resource type for the request at hand (section 3.1, steps 1
// and 2). They are the same for all the request's tasks of the type.
type candidates struct {
	tasks     int // of the request that need the type; 0 if the list is stale
	first     int // the lowest index of these tasks
	resources int // in the list
	list      []candidate
}

// collect lists the intervals of every type that the request needs, by resource and begin, and
// reports whether every task has one.
func (b *broker) collect(r *request) bool {
	for _, t := range b.needed {
		b.byType[t].tasks = 0
	}
	b.needed = b.needed[:0]
	for i, t := range r.types {
		c := &b.byType[t]
		if c.tasks++; c.tasks == 1 {
			c.first = i
			b.needed = append(b.needed, t)
		}
	}
	complete := true
	for _, t := range b.needed {
		c := &b.byType[t]
		c.fill(r, b.calendars, int(t)*b.resources, b.resources, b.last)
		complete = complete && c.resources > 0
		b.listedResources += int64(c.tasks * c.resources)
		b.listedIntervals += int64(c.tasks * len(c.list))
	}
	return complete
}

// fill lists the intervals of n resources from the first on. A reservation books the unit after its
// end too.
func (c *candidates) fill(r *request, calendars []calendar, first, n int, unit model.Seconds) {
	list, resources := c.list[:0], 0
	last := r.deadline - r.service
	for i := first; i < first+n; i++ {
		calendar := &calendars[i]
		calendar.dropBefore(r.arrival)
		before := len(list)
		for _, g := range calendar.gaps[calendar.past:] {
			if g.begin > last {
				break
			}
			begin, end := max(g.begin, r.earliest), min(g.end-unit, r.deadline)
			if end-begin >= r.service {
				list = append(list, candidate{gap: gap{begin, end}, resource: int32(i)})
			}
		}
		if len(list) > before {
			resources++
		}
	}
	c.list, c.resources = list, resources
}

// sort puts the list in the order of the rule. It is stable, so a list by resource and begin keeps
// this order among equal keys.
func (c *candidates) sort(rule startRule) {
	list := c.list
	for i := range list {
		list[i].key = rule(list[i].gap)
	}
	if len(list) > 64 {
		slices.SortStableFunc(list, func(x, y candidate) int { return cmp.Compare(x.key, y.key) })
		return
	}
	for i := 1; i < len(list); i++ { // insertion: short, often nearly sorted, and stable
		moved, j := list[i], i
		for ; j > 0 && list[j-1].key > moved.key; j-- {
			list[j] = list[j-1]
		}
		list[j] = moved
	}
}
