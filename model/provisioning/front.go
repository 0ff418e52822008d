// Front: the plans that no other plan dominates, and the choice of one by Equation 8.

package provisioning

import (
	"slices"
	"sort"
)

// solution is a feasible plan with its costs.
type solution struct {
	plan plan
	costs
}

// A front has the plans that no other one met so far dominates, by ascending makespan and therefore
// descending cost. No two have the same costs.
type front []solution

// add puts a plan into the front unless another one dominates it, and takes out those that it
// dominates. Of two with the same costs the one that compares first stays. The front keeps the
// plan.
func (f *front) add(m solution) {
	list := *f
	at, same := list.find(m.makespan)
	switch {
	case same && list[at].cost == m.cost:
		if m.plan.compare(list[at].plan) < 0 {
			list[at] = m
		}
		return
	case same && list[at].cost < m.cost, at > 0 && list[at-1].cost <= m.cost: // dominated
		return
	}
	past := at
	for past < len(list) && list[past].cost >= m.cost {
		past++
	}
	*f = slices.Replace(list, at, past, m)
}

// find returns where a plan with this makespan is on the front or would be, and whether it is
// there.
func (f front) find(makespan int64) (int, bool) {
	at := sort.Search(len(f), func(i int) bool { return f[i].makespan >= makespan })
	return at, at < len(f) && f[at].makespan == makespan
}

// has reports whether a plan with these costs is on the front.
func (f front) has(c costs) bool {
	at, found := f.find(c.makespan)
	return found && f[at].cost == c.cost
}

// rounding bounds the rounding error of values that are at most 1.
const rounding = 1e-12

// choose returns the index of the plan with the least α·ACnr + (1 − α)·SCnr (Equation 8), both
// costs scaled to [0, 1] by their least and largest on the front (Equation 7); of several, by ties,
// that with the lowest makespan or that with the lowest cost. The front is not empty.
func (f front) choose(alpha float64, ties string) int {
	first, last := f[0], f[len(f)-1]
	best, least := 0, 0.0
	for i, m := range f {
		sc := scaled(float64(m.makespan), float64(first.makespan), float64(last.makespan))
		ac := scaled(m.cost, last.cost, first.cost)
		value := float64(alpha*ac) + float64((1-alpha)*sc)
		if i == 0 || value < least-rounding || ties == "cost" && value < least+rounding {
			best, least = i, value
		}
	}
	return best
}

// scaled returns where x lies between low and high, from 0 to 1; 0 if these are equal.
func scaled(x, low, high float64) float64 {
	if low == high {
		return 0
	}
	return (x - low) / (high - low)
}

// hypervolume returns the share in % of [0, makespan] × [0, cost] that the front dominates.
func (f front) hypervolume(corner costs) float64 {
	area, height := 0.0, corner.cost
	for _, m := range f {
		if width := float64(corner.makespan - m.makespan); width > 0 && m.cost < height {
			area += float64(width * (height - m.cost))
			height = m.cost
		}
	}
	return 100 * area / float64(float64(corner.makespan)*corner.cost)
}

// corner returns the reference point of the hypervolume: the last end of a slot and then the
// longest chain of tasks, and the cost of all slots in full and of the processor-seconds of all
// tasks, which may lie after the ends of slots.
func corner(slots []slot, w *workflow) costs {
	worst := costs{cost: float64(w.work())}
	for i := range slots {
		worst.makespan = max(worst.makespan, slots[i].end)
		worst.cost += slots[i].wholeCost()
	}
	worst.makespan += w.longest()
	return worst
}

// tradeOffs are the trade-off factors for which plans are chosen.
var tradeOffs = [...]float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}
