// Naive profile: the free processors of each second.

package profile

import (
	"cmp"
	"slices"
)

// naive has the free processors of each second up to a horizon; the last second stands for all time
// after it.
type naive struct {
	now  int64
	free []int32
}

func newNaive(procs int32, horizon int) *naive {
	return &naive{free: slices.Repeat([]int32{procs}, horizon)}
}

func (n *naive) horizon() int64 { return int64(len(n.free)) }

func (n *naive) freeAt(t int64) int32 { return n.free[min(max(t, n.now), n.horizon()-1)] }

func (n *naive) minFree(from, to int64) int32 {
	from = max(from, n.now)
	least := n.freeAt(from)
	for t := from; t < min(to, n.horizon()); t++ {
		least = min(least, n.freeAt(t))
	}
	return least
}

// fit is EarliestFit where before is Never, and EarlierFit where it is the start.
func (n *naive) fit(from int64, procs int32, duration, before int64) int64 {
	from = max(from, n.now)
	for t := from; t < min(before, max(n.horizon(), from+1)); t++ {
		if n.minFree(t, min(later(t, duration), before)) >= procs {
			return t
		}
	}
	return before
}

// freeSince is FreeSince.
func (n *naive) freeSince(procs int32, until int64) int64 {
	for until > n.now && n.freeAt(until-1) >= procs {
		until--
	}
	return until
}

// opened is Opened, ordered by the beginnings, longer runs first.
func (n *naive) opened(from, to int64, procs int32) []Slot {
	if from = max(from, n.now); from >= to {
		return nil
	}
	// the runs with at least so many that overlap [from, to)
	inside := func(level int32) (runs []Slot) {
		for t := n.now; t < n.horizon(); t++ {
			begin := t
			for t < n.horizon() && n.free[t] >= level {
				t++
			}
			end := t
			if t == n.horizon() {
				end = Forever
			}
			if begin < t && begin < to && end > from {
				runs = append(runs, Slot{begin, end, n.minFree(begin, t)})
			}
		}
		return runs
	}
	var list []Slot
	for level := slices.Max(n.free); level > n.minFree(from, to)-procs; level-- {
		for _, run := range inside(level) {
			if run.Free == level {
				list = append(list, run)
			}
		}
	}
	slices.SortFunc(list, compareRuns)
	return list
}

func compareRuns(a, b Slot) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To)) }

func (n *naive) add(from, to int64, delta int32) {
	for t := max(from, n.now); t < min(to, n.horizon()); t++ {
		n.free[t] += delta
	}
}

// cut is Copy onto itself: it limits the free processors in [from, to) to 0 to most, sets them to 0
// from to on, and returns the peak.
func (n *naive) cut(from, to int64, most int32) (peak int32) {
	n.now = from
	for t := from; t < n.horizon(); t++ {
		n.free[t] = max(0, min(n.free[t], most))
		if t >= to {
			n.free[t] = 0
		}
		peak = max(peak, n.free[t])
	}
	return peak
}

// slots joins the seconds of [from, to) that are equally free.
func (n *naive) slots(from, to int64) []Slot {
	var list []Slot
	for t := max(from, n.now); t < to; t++ {
		end := t + 1
		if end >= n.horizon() {
			end = to
		}
		if last := len(list) - 1; last >= 0 && list[last].Free == n.freeAt(t) {
			list[last].To = end
		} else {
			list = append(list, Slot{From: t, To: end, Free: n.freeAt(t)})
		}
		t = end - 1
	}
	return list
}
