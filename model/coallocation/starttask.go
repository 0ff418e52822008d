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

// intervalTiesOf returns the second key of an interval, by interval_ties; nil if there is none.
func intervalTiesOf(p Parameters) startRule {
	switch p.IntervalTies {
	case "shortest":
		return func(g gap) model.Seconds { return g.end - g.begin }
	case "longest":
		return func(g gap) model.Seconds { return g.begin - g.end }
	default:
		return nil
	}
}

// rank sorts every needed list by the start rule. Both sorts are stable, so interval_ties orders
// only what the start rule leaves equal.
func (b *broker) rank() {
	for _, t := range b.needed {
		c := &b.byType[t]
		if b.intervalTies != nil {
			c.sort(b.intervalTies)
		}
		c.sort(b.startRule)
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
type compareTasks func(x, y []candidate) int

func compareTasksOf(p Parameters) compareTasks {
	compare := compareTasks(compareKeys)
	switch p.StartTask {
	case "distinct":
		compare = compareDistinctKeys
	case "first":
		compare = func(x, y []candidate) int { return cmp.Compare(x[0].key, y[0].key) }
	case "fewest":
		return func(x, y []candidate) int { return len(x) - len(y) }
	}
	if p.Start == "1D" && p.EarliestTask == "latest" {
		return func(x, y []candidate) int { return compare(y, x) }
	}
	return compare
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

// compareDistinctKeys compares two sorted lists as compareKeys does, each key taken once.
func compareDistinctKeys(x, y []candidate) int {
	for len(x) > 0 && len(y) > 0 && x[0].key == y[0].key {
		x, y = afterKey(x), afterKey(y)
	}
	if len(x) > 0 && len(y) > 0 {
		return cmp.Compare(x[0].key, y[0].key)
	}
	return cmp.Compare(len(x), len(y))
}

// afterKey returns a sorted list without the intervals of its first key.
func afterKey(list []candidate) []candidate {
	i := 1
	for i < len(list) && list[i].key == list[0].key {
		i++
	}
	return list[i:]
}
