package coallocation

// Calendar: the free gaps of the resources of one type over time.

import (
	"slices"

	"gridsweep/model"
)

// gap is a time [begin, end) in which a resource is free.
type gap struct{ begin, end model.Seconds }

func (g gap) length() model.Seconds { return g.end - g.begin }

// cut returns the intersection of the gap and the window; its length is negative if there is none.
func (g gap) cut(window gap) gap { return gap{max(g.begin, window.begin), min(g.end, window.end)} }

// forever ends the last gap of every resource.
const forever model.Seconds = 1 << 60

// resourceGap is a gap of one resource.
type resourceGap struct {
	gap
	resource int // its index among those of its type
}

// calendar is the free time of the resources of one type. Their gaps are in one list, by resource
// and begin, so that a request goes through all of them in one loop. None is empty, and two of a
// resource never touch.
type calendar struct {
	gaps   []resourceGap
	first  []int           // by resource: the index of its first gap; then the number of gaps
	booked []model.Seconds // by resource: in all, since the run began
}

func newCalendar(resources int) calendar {
	c := calendar{
		gaps:  make([]resourceGap, 0, 16*resources),
		first: make([]int, resources+1), booked: make([]model.Seconds, resources),
	}
	for i := range resources {
		c.gaps = append(c.gaps, resourceGap{gap{0, forever}, i})
		c.first[i+1] = i + 1
	}
	return c
}

// book takes [begin, end) out of the gap of the resource that holds it, and drops the resource's
// gaps that have ended, which no later request can use. It panics if no gap holds the time: the
// caller chose it from one.
func (c *calendar) book(resource int, begin, end, now model.Seconds) {
	c.booked[resource] += end - begin
	open := c.first[resource] // the first gap that has not ended
	for c.gaps[open].end <= now {
		open++
	}
	i := open
	for c.gaps[i].end < end {
		i++
	}
	g := c.gaps[i]
	if begin < g.begin {
		panic("coallocation: a resource is booked twice")
	}
	rest := make([]resourceGap, 0, 2)
	if g.begin < begin {
		rest = append(rest, resourceGap{gap{g.begin, begin}, resource})
	}
	if end < g.end {
		rest = append(rest, resourceGap{gap{end, g.end}, resource})
	}
	before := len(c.gaps)
	c.gaps = slices.Replace(c.gaps, i, i+1, rest...)
	c.gaps = slices.Delete(c.gaps, c.first[resource], open)
	for later := resource + 1; later < len(c.first); later++ {
		c.first[later] += len(c.gaps) - before
	}
}

// busy sets for each resource how long of [from, to) it is booked.
func (c *calendar) busy(from, to model.Seconds, times []model.Seconds) {
	for resource := range times {
		times[resource] = to - from
	}
	for _, g := range c.gaps {
		times[g.resource] -= max(0, min(g.end, to)-max(g.begin, from))
	}
}
