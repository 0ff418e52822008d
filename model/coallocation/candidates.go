// Candidates: the intervals in which a resource could run a task of the request at hand.

package coallocation

import (
	"cmp"
	"slices"

	"gridsweep/model"
)

// candidate is an interval in which one resource could run one of the request's tasks: a free gap
// of the resource clipped to [t_EST, t_D], at least t_ET long.
type candidate struct {
	resourceGap
	rank int64 // set by sort: the lowest comes first in the list, unless settleTies reorders it
}

// resourceBits are the low bits of a rank, which have the resource; the others have the key of the
// start rule. There are at most 1000 resources of a type, and times are below 2^52.
const resourceBits = 10

// key returns the key of the start rule by which the list is sorted.
func (c *candidate) key() model.Seconds { return model.Seconds(c.rank >> resourceBits) }

// candidates are the resources of one type and their intervals for the request at hand (section
// 3.1, steps 1 and 2), which are the same for all the request's tasks of the type.
type candidates struct {
	calendar calendar
	tasks    int // of the request at hand that need the type; 0: the list is of an earlier request
	first    int // the lowest index of these tasks
	list     []candidate

	listing  int64           // serial number of the list
	listedIn []int64         // by resource: the last list with an interval of it
	usedIn   []int64         // by resource: the last attempt that used it
	loads    []model.Seconds // by resource: what 1G and 1H compare
	loaded   bool            // loads are those of the request at hand
}

func newCandidates(resources int) candidates {
	return candidates{
		calendar: newCalendar(resources), listedIn: make([]int64, resources), usedIn: make([]int64, resources),
		loads: make([]model.Seconds, resources),
	}
}

// collect lists the intervals of every type that the request needs, unsorted, and reports whether
// every task has one.
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

// fill lists the intervals that the gaps leave the request, those of a resource in descending order
// of time. Each gap is written where the next interval belongs, and kept by counting it. A branch
// around that would be mispredicted often.
func (c *candidates) fill(r *request, unit model.Seconds) {
	open, gaps := c.calendar.open, c.calendar.gaps
	list := slices.Grow(c.list[:0], len(open)+len(gaps))[:len(open)+len(gaps)]
	n := 0
	for resource, begin := range open {
		begin = max(begin, r.earliest)
		list[n].resourceGap = resourceGap{gap{begin, r.deadline}, resource}
		if r.deadline-begin >= r.service {
			n++
		}
	}
	for i := len(gaps) - 1; i >= 0 && gaps[i].end >= r.earliest+r.service+unit; i-- {
		g := gaps[i]
		g.begin, g.end = max(g.begin, r.earliest), min(g.end-unit, r.deadline)
		list[n].resourceGap = g
		if g.end-g.begin >= r.service {
			n++
		}
	}
	c.list = list[:n]
	c.loaded = false
}

// resources returns how many resources are in the list.
func (c *candidates) resources() int {
	n := 0
	c.listing++ // so that listedIn counts each resource once
	for i := range c.list {
		resource := c.list[i].resource
		if c.listedIn[resource] != c.listing {
			n++
		}
		c.listedIn[resource] = c.listing
	}
	return n
}

// sort sorts the list, which is as fill made it, by the keys of the rule, then by resource, then by
// begin.
func (c *candidates) sort(rule startRule) {
	list := c.list
	for i := range list {
		list[i].rank = int64(rule.key(list[i].gap))<<resourceBits | int64(list[i].resource)
	}
	if len(list) > 64 {
		slices.SortFunc(list, func(x, y candidate) int {
			return cmp.Or(cmp.Compare(x.rank, y.rank), cmp.Compare(x.begin, y.begin))
		})
		return
	}
	// insertion: short, and often nearly sorted; >=, since fill lists the last of a resource first
	for i := 1; i < len(list); i++ {
		moved, j := list[i], i
		for ; j > 0 && list[j-1].rank >= moved.rank; j-- {
			list[j] = list[j-1]
		}
		list[j] = moved
	}
}

// settleTies puts intervals with equal keys in the order of a second rule, which leaves the order
// of those that are equal by it too.
func (c *candidates) settleTies(rule startRule) {
	for rest := c.list; len(rest) > 1; {
		tied := len(rest) - len(afterKey(rest))
		slices.SortStableFunc(rest[:tied], func(x, y candidate) int { return cmp.Compare(rule.key(x.gap), rule.key(y.gap)) })
		rest = rest[tied:]
	}
}
