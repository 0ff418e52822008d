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
	resourceGap
	key model.Seconds // of the rule that the list is sorted by: the lowest comes first
}

// candidates are the resources of one type and their intervals for the request at hand (section
// 3.1, steps 1 and 2), which are the same for all the request's tasks of the type.
type candidates struct {
	calendar calendar
	tasks    int // of the request that need the type; 0 if the list is stale
	first    int // the lowest index of these tasks
	list     []candidate

	usedIn []int64         // by resource: the last attempt that used it
	loads  []model.Seconds // by resource: what 1G and 1H compare
	loaded bool            // loads are those of the request at hand
}

func newCandidates(resources int) candidates {
	return candidates{
		calendar: newCalendar(resources), usedIn: make([]int64, resources), loads: make([]model.Seconds, resources),
	}
}

// collect lists the intervals of every type that the request needs, by resource and begin, and
// reports whether every task has one.
func (b *broker) collect() bool {
	for _, t := range b.needed {
		b.byType[t].tasks = 0
	}
	b.needed = b.needed[:0]
	for i, t := range b.request.types {
		c := &b.byType[t]
		if c.tasks++; c.tasks == 1 {
			c.first = i
			b.needed = append(b.needed, t)
		}
	}
	complete := true
	for _, t := range b.needed {
		c := &b.byType[t]
		c.fill(b.request, b.unit)
		complete = complete && len(c.list) > 0
		b.listedResources += int64(c.tasks * c.resources())
		b.listedIntervals += int64(c.tasks * len(c.list))
	}
	return complete
}

// fill lists the intervals that the gaps leave the request. A reservation books the unit after its
// end too. Each gap is written where the next interval belongs, and kept by counting it. A branch
// around that would be mispredicted often, since a request can use one gap in seven or so.
func (c *candidates) fill(r *request, unit model.Seconds) {
	gaps := c.calendar.gaps
	list := slices.Grow(c.list[:0], len(gaps))[:len(gaps)]
	n := 0
	for _, g := range gaps {
		g.begin, g.end = max(g.begin, r.earliest), min(g.end-unit, r.deadline)
		list[n].resourceGap = g
		if g.end-g.begin >= r.service {
			n++
		}
	}
	c.list = list[:n]
	c.loaded = false
}

// resources returns how many resources are in the list, which is by resource.
func (c *candidates) resources() int {
	n, last := 0, -1
	for i := range c.list {
		if c.list[i].resource != last {
			n++
		}
		last = c.list[i].resource
	}
	return n
}

// sort puts the list in the order of the rule. It is stable, so a list by resource and begin keeps
// this order among equal keys.
func (c *candidates) sort(rule startRule) {
	list := c.list
	for i := range list {
		list[i].key = rule.key(list[i].gap)
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
