package coallocation

// Calendar: the free gaps of one resource over time.

import (
	"slices"

	"gridsweep/model"
)

// gap is a time [begin, end) in which a resource is free.
type gap struct{ begin, end model.Seconds }

// forever ends the last gap of every resource.
const forever model.Seconds = 1 << 60

// calendar is the free time of one resource. Its gaps are in order, none is empty, and two never
// touch.
type calendar struct {
	gaps   []gap
	past   int           // gaps before this index have ended
	booked model.Seconds // in all, since the run began
}

func newCalendar() calendar { return calendar{gaps: append(make([]gap, 0, 32), gap{0, forever})} }

// dropBefore drops the gaps that end before now: no later request can use them.
func (c *calendar) dropBefore(now model.Seconds) {
	for c.gaps[c.past].end <= now {
		c.past++
	}
	if c.past >= 8 { // one copy for many steps
		c.gaps = c.gaps[:copy(c.gaps, c.gaps[c.past:])]
		c.past = 0
	}
}

// book takes [begin, end) out of the gap that holds it. It panics if none does: the caller chose
// the time from it.
func (c *calendar) book(begin, end model.Seconds) {
	c.booked += end - begin
	i := c.past
	for c.gaps[i].end < end {
		i++
	}
	g := &c.gaps[i]
	switch {
	case begin < g.begin:
		panic("coallocation: a resource is booked twice")
	case begin == g.begin && end == g.end:
		c.gaps = slices.Delete(c.gaps, i, i+1)
	case begin == g.begin:
		g.begin = end
	case end == g.end:
		g.end = begin
	default:
		rest := gap{end, g.end}
		g.end = begin
		c.gaps = slices.Insert(c.gaps, i+1, rest)
	}
}

// worked returns how long the resource was booked before now. Gaps that ended before now may be
// dropped, so it is what is booked in all less what is booked from now on.
func (c *calendar) worked(now model.Seconds) model.Seconds {
	last := c.gaps[len(c.gaps)-1]
	return c.booked - c.busy(now, max(now, last.begin))
}

// busy returns how long of [from, to) the resource is booked.
func (c *calendar) busy(from, to model.Seconds) model.Seconds {
	busy := to - from
	for _, g := range c.gaps[c.past:] {
		if g.begin >= to {
			break
		}
		if g.end > from {
			busy -= min(g.end, to) - max(g.begin, from)
		}
	}
	return busy
}
