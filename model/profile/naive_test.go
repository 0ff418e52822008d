package profile

// Naive profile: the free processors of each second.

import (
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
