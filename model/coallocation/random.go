// RAN/RAN: a combination of resources drawn uniformly from all feasible ones.

package coallocation

import (
	"slices"

	"gridsweep/model"
	"gridsweep/model/rng"
)

// random is what RAN/RAN needs.
type random struct {
	stream *rng.Stream
	sweeps []sweep      // by position in needed
	starts []startPoint // ascending
	// by position in needed: indices of the intervals that cover the start drawn
	covering [][]int
	position []int // by type: in needed
	taken    []int // by position in needed: tasks that have drawn
	cursor   []int // by task, in the search for the earliest common start
}

func newRandom(types int, seed rng.Source) random {
	return random{
		stream: seed.Stream("ran"), sweeps: make([]sweep, types),
		covering: make([][]int, types), position: make([]int, types), taken: make([]int, types),
	}
}

// sweep counts, for a start time that moves forward, the resources of one type that could run a
// task from it on.
type sweep struct {
	tasks int
	// of all intervals, each in order; the last start is t_ET before the end
	begins, lastStarts []model.Seconds
	opened, closed     int // of them so far
}

// startPoint is a time at which a combination could begin, one of whose intervals begins there.
type startPoint struct {
	at    model.Seconds
	total float64 // how many such combinations there are at this point and the earlier ones
}

// placeAtRandom is RAN/RAN: a combination of resources drawn uniformly from all feasible ones, at
// its earliest common start, which is the begin of one of its intervals.
//
// Deviation: section 4.2.6 lists all combinations, of which there may be 15^6 a request. To draw a
// start point by its number of combinations, then one of these, and to try again unless the point
// is the earliest start of the combination gives each combination the same chance without listing
// any.
func (b *broker) placeAtRandom() (model.Seconds, bool) {
	for _, t := range b.needed {
		b.byType[t].sort(startRule{}) // by resource and begin
	}
	b.countStarts()
	if len(b.starts) == 0 {
		return 0, false
	}
	for {
		at := b.drawStart()
		b.drawCombination(at)
		if b.earliestCommonStart() == at {
			return at, true
		}
	}
}

// countStarts finds every time at which an interval begins and a combination could start with it:
// the combinations of the resources that cover it less those in which every interval began before.
func (b *broker) countStarts() {
	sweeps := b.openSweeps()
	b.starts = b.starts[:0]
	total := 0.0
	for {
		at := forever
		for i := range sweeps {
			if s := &sweeps[i]; s.opened < len(s.begins) {
				at = min(at, s.begins[s.opened])
			}
		}
		if at == forever {
			return
		}
		all, earlier := 1.0, 1.0
		for i := range sweeps {
			covering, before := sweeps[i].advance(at)
			all = float64(all * arrangements(covering, sweeps[i].tasks))
			earlier = float64(earlier * arrangements(before, sweeps[i].tasks))
		}
		if all > earlier {
			total += all - earlier
			b.starts = append(b.starts, startPoint{at, total})
		}
	}
}

// openSweeps returns one sweep for each needed type, at the beginning.
func (b *broker) openSweeps() []sweep {
	for i, t := range b.needed {
		s, c := &b.sweeps[i], &b.byType[t]
		s.tasks, s.opened, s.closed = c.tasks, 0, 0
		s.begins, s.lastStarts = s.begins[:0], s.lastStarts[:0]
		for j := range c.list {
			s.begins = append(s.begins, c.list[j].begin)
			s.lastStarts = append(s.lastStarts, c.list[j].end-b.request.service)
		}
		slices.Sort(s.begins)
		slices.Sort(s.lastStarts)
	}
	return b.sweeps[:len(b.needed)]
}

// advance moves the start time to at and returns how many intervals cover it, and how many of these
// begin earlier.
func (s *sweep) advance(at model.Seconds) (covering, before int) {
	before = s.opened
	for s.opened < len(s.begins) && s.begins[s.opened] == at {
		s.opened++
	}
	for s.closed < len(s.lastStarts) && s.lastStarts[s.closed] < at {
		s.closed++
	}
	return s.opened - s.closed, before - s.closed
}

// arrangements returns n(n-1)…(n-k+1): the ways to give k tasks different ones of n resources. With
// at most 1000 resources of a type and 100 tasks no product of them overflows.
func arrangements(n, k int) float64 {
	product := 1.0
	for i := range k {
		product = float64(product * float64(max(n-i, 0)))
	}
	return product
}

// drawStart draws a start point in proportion to its combinations.
func (b *broker) drawStart() model.Seconds {
	last := len(b.starts) - 1
	x := float64(b.stream.Float64() * b.starts[last].total)
	i := 0
	for i < last && b.starts[i].total <= x {
		i++
	}
	return b.starts[i].at
}

// drawCombination draws for every task a different resource that covers the start, again until an
// interval begins there.
func (b *broker) drawCombination(at model.Seconds) {
	b.cover(at)
	for begins := false; !begins; {
		clear(b.taken)
		for task, t := range b.request.types {
			position := b.position[t]
			covering, n := b.covering[position], b.taken[position]
			j := n + b.stream.Intn(len(covering)-n)
			covering[n], covering[j] = covering[j], covering[n]
			b.taken[position]++
			b.chosen[task] = covering[n]
			begins = begins || b.byType[t].list[covering[n]].begin == at
		}
	}
}

// cover lists for every needed type the intervals that cover a start.
func (b *broker) cover(at model.Seconds) {
	for position, t := range b.needed {
		b.position[t] = position
		covering := b.covering[position][:0]
		for i := range b.byType[t].list {
			if c := &b.byType[t].list[i]; c.begin <= at && c.end-b.request.service >= at {
				covering = append(covering, i)
			}
		}
		b.covering[position] = covering
	}
}

// earliestCommonStart returns the first time at which all chosen resources are free for t_ET, be it
// in other intervals than the chosen ones, which have such a time in common. A time moves forward
// from t_EST until no task moves it. The lists are by resource and begin.
func (b *broker) earliestCommonStart() model.Seconds {
	r := b.request
	b.cursor = b.cursor[:0]
	for task, t := range r.types {
		list, i := b.byType[t].list, b.chosen[task]
		for i > 0 && list[i-1].resource == list[i].resource {
			i--
		}
		b.cursor = append(b.cursor, i)
	}
	at := r.earliest
	for agreed, task := 0, 0; agreed < len(r.types); task = (task + 1) % len(r.types) {
		list := b.byType[r.types[task]].list
		for list[b.cursor[task]].end-r.service < at {
			b.cursor[task]++
		}
		if begin := list[b.cursor[task]].begin; begin > at {
			at, agreed = begin, 0
		}
		agreed++
	}
	return at
}
