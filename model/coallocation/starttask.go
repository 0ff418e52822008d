// Start-task rules: sub-algorithms 1A to 1D, which choose the first task and order its intervals.

package coallocation

import (
	"cmp"

	"gridsweep/model"
)

// startRule gives an interval its key, a weighted sum of its begin and end: the intervals of a task
// are tried from the lowest key on.
type startRule struct{ begin, end model.Seconds } // weights

func (w startRule) key(g gap) model.Seconds { return w.begin*g.begin + w.end*g.end }

// Rules by the length of an interval, named by what comes first.
var (
	longest  = startRule{1, -1}
	shortest = startRule{-1, 1}
)

// startRuleOf returns sub-algorithm 1A, 1B, 1C or 1D (section 3.1.1).
func startRuleOf(p Parameters) startRule {
	switch {
	case p.Start == "1A":
		return longest
	case p.Start == "1B":
		return shortest
	case p.Start == "1C" && p.LatestBy == "end":
		return startRule{end: -1}
	case p.Start == "1C":
		return startRule{begin: -1}
	default: // 1D
		return startRule{begin: 1}
	}
}

// sortLists sorts every needed list by the start rule.
func (b *broker) sortLists() {
	for _, t := range b.needed {
		c := &b.byType[t]
		c.sort(b.startRule)
		switch b.point.IntervalTies {
		case "shortest":
			c.settleTies(shortest)
		case "longest":
			c.settleTies(longest)
		}
	}
}

// startTask returns the task to begin with (section 3.1, step 3).
func (b *broker) startTask() int {
	best := &b.byType[b.needed[0]]
	for _, t := range b.needed[1:] { // in order of their first task, which settles ties
		if c := &b.byType[t]; b.compareTasks(c.list, best.list) < 0 {
			best = c
		}
	}
	return best.first
}

// compareTasks compares the sorted intervals of two tasks: the task whose list compares lower is
// the start task.
func (b *broker) compareTasks(x, y []candidate) int {
	var order int
	switch b.point.StartTask {
	case "fewest":
		return len(x) - len(y)
	case "first":
		order = cmp.Compare(x[0].key(), y[0].key())
	case "distinct":
		order = compareDistinctKeys(x, y)
	default: // lexicographic
		order = compareKeys(x, y)
	}
	if b.point.Start == "1D" && b.point.EarliestTask == "latest" {
		return -order
	}
	return order
}

// compareKeys compares two sorted lists by the first keys that differ, since a tie is broken by the
// next interval; a list that is the beginning of the other comes first.
func compareKeys(x, y []candidate) int {
	for i := range min(len(x), len(y)) {
		if k, l := x[i].key(), y[i].key(); k != l {
			return cmp.Compare(k, l)
		}
	}
	return cmp.Compare(len(x), len(y))
}

// compareDistinctKeys compares two sorted lists as compareKeys does, each key taken once.
func compareDistinctKeys(x, y []candidate) int {
	for len(x) > 0 && len(y) > 0 && x[0].key() == y[0].key() {
		x, y = afterKey(x), afterKey(y)
	}
	if len(x) > 0 && len(y) > 0 {
		return cmp.Compare(x[0].key(), y[0].key())
	}
	return cmp.Compare(len(x), len(y))
}

// afterKey returns a sorted list without the intervals of its first key.
func afterKey(list []candidate) []candidate {
	i := 1
	for i < len(list) && list[i].key() == list[0].key() {
		i++
	}
	return list[i:]
}
