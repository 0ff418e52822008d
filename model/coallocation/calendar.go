// Calendar: the free gaps of the resources of one type over time.

package coallocation

import (
	"slices"

	"gridsweep/model"
)

// gap is a time [begin, end) in which a resource is free.
type gap struct{ begin, end model.Seconds }

func (g gap) length() model.Seconds { return g.end - g.begin }

// cut returns the intersection of the gap and the window; its length is 0 or less if there is none.
func (g gap) cut(window gap) gap { return gap{max(g.begin, window.begin), min(g.end, window.end)} }

// forever is later than any time.
const forever model.Seconds = 1 << 60

// resourceGap is a gap of one resource.
type resourceGap struct {
	gap
	resource int // its index among those of its type
}

// calendar is the free time of the resources of one type: the gap of each resource that has no end,
// and the gaps before them. The latter are in one list of all resources, by end: a request reads it
// from the back and stops where the gaps end too early. None is empty, and two of a resource never
// touch.
type calendar struct {
	open   []model.Seconds // by resource: the begin of its gap without end
	gaps   []resourceGap   // all others, by end
	booked []model.Seconds // by resource: in all, since the run began
}

func newCalendar(resources int) calendar {
	return calendar{
		open: make([]model.Seconds, resources), gaps: make([]resourceGap, 0, 8*resources),
		booked: make([]model.Seconds, resources),
	}
}

// book takes [begin, end) out of the gap of the resource that holds it. It panics if no gap holds
// the time: the caller chose it from one. now is the arrival of the request, for insert.
func (c *calendar) book(resource int, begin, end, now model.Seconds) {
	c.booked[resource] += end - begin
	if free := c.open[resource]; free <= begin {
		c.open[resource] = end
		c.insert(resourceGap{gap{free, begin}, resource}, now)
		return
	}
	i := len(c.gaps) - 1
	for i >= 0 && (c.gaps[i].resource != resource || c.gaps[i].begin > begin) {
		i--
	}
	if i < 0 || c.gaps[i].end < end {
		panic("coallocation: a resource is booked twice")
	}
	before := resourceGap{gap{c.gaps[i].begin, begin}, resource}
	c.gaps[i].begin = end
	if c.gaps[i].length() == 0 {
		c.gaps = slices.Delete(c.gaps, i, i+1)
	}
	c.insert(before, now)
}

// insert puts a gap, unless it is empty, into the list. When the list is full, it first drops the
// gaps that have ended, which no later request can use.
func (c *calendar) insert(g resourceGap, now model.Seconds) {
	if g.length() == 0 {
		return
	}
	if len(c.gaps) == cap(c.gaps) {
		ended := 0
		for ended < len(c.gaps) && c.gaps[ended].end <= now {
			ended++
		}
		c.gaps = slices.Delete(c.gaps, 0, ended)
	}
	i := len(c.gaps)
	for i > 0 && c.gaps[i-1].end > g.end {
		i--
	}
	c.gaps = slices.Insert(c.gaps, i, g)
}

// busy sets for each resource how long of [from, to) it is booked.
func (c *calendar) busy(from, to model.Seconds, times []model.Seconds) {
	for resource, begin := range c.open {
		times[resource] = min(max(begin, from), to) - from
	}
	for i := len(c.gaps) - 1; i >= 0 && c.gaps[i].end > from; i-- {
		g := c.gaps[i]
		times[g.resource] -= max(0, min(g.end, to)-max(g.begin, from))
	}
}
