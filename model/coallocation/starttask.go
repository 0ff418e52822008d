package coallocation

// Start-task rules: sub-algorithms 1A to 1D, which choose the first task and order its intervals.

import (
	"cmp"

	"gridsweep/model"
)

// startRule gives an interval its key: the intervals of a task are tried from the lowest key on.
type startRule func(gap) model.Seconds

// startRuleOf returns sub-algorithm 1A, 1B, 1C or 1D (section 3.1.1).
func startRuleOf(p Parameters) startRule {
	switch {
	case p.Start == "1A":
		return func(g gap) model.Seconds { return g.begin - g.end }
	case p.Start == "1B":
		return func(g gap) model.Seconds { return g.end - g.begin }
	case p.Start == "1C" && p.LatestBy == "end":
		return func(g gap) model.Seconds { return -g.end }
	case p.Start == "1C":
		return func(g gap) model.Seconds { return -g.begin }
	default: // 1D
		return func(g gap) model.Seconds { return g.begin }
	}
}

// rank sorts every needed list by the start rule.
func (b *broker) rank() {
	for _, t := range b.needed {
		c := &b.byType[t]
		for i := range c.list {
			c.list[i].key = b.startRule(c.list[i].gap)
		}
		c.sort()
	}
}

// startTask returns the task to begin with (section 3.1, step 3).
//
// Deviation: section 3.1.1.4 selects for 1D the task "that has the latest interval", against its
// own name and the sentences around it; 1D here is the earliest.
func (b *broker) startTask() int {
	best := &b.byType[b.needed[0]]
	for _, t := range b.needed[1:] { // in order of their first task, which settles ties
		c := &b.byType[t]
		if b.fewestFirst && len(c.list) < len(best.list) || !b.fewestFirst && compareKeys(c.list, best.list) < 0 {
			best = c
		}
	}
	return best.first
}

// compareKeys compares two sorted lists by the first keys that differ, since a tie is broken by the
// next interval; a list that is the beginning of the other comes first.
func compareKeys(x, y []candidate) int {
	for i := range min(len(x), len(y)) {
		if x[i].key != y[i].key {
			return cmp.Compare(x[i].key, y[i].key)
		}
	}
	return cmp.Compare(len(x), len(y))
}
