// Naive front: plans that no other dominates, Equations 7 and 8 with exact fractions, and the
// hypervolume cell by cell.

package provisioning

import (
	"cmp"
	"math/big"
	"slices"
)

// naivePoint is a feasible plan with its two costs.
type naivePoint struct {
	Plan []bool
	SC   int64   // s
	AC   float64 // processor-seconds
}

// dominates reports whether a plan is no worse than another one in both costs, and better in one.
func (a naivePoint) dominates(b naivePoint) bool {
	return a.AC <= b.AC && a.SC <= b.SC && (a.AC < b.AC || a.SC < b.SC)
}

// naivePlans returns all plans of some slots, the empty one first, compared from slot 1 on.
func naivePlans(slots int) [][]bool {
	if slots == 0 {
		return [][]bool{nil}
	}
	var plans [][]bool
	for _, first := range []bool{false, true} {
		for _, rest := range naivePlans(slots - 1) {
			plans = append(plans, append([]bool{first}, rest...))
		}
	}
	return plans
}

// naiveFeasible returns all feasible plans, in the order of naivePlans.
func naiveFeasible(p naiveProblem, scheduler string) []naivePoint {
	var points []naivePoint
	for _, plan := range naivePlans(len(p.slots)) {
		if o := naiveSchedule(p, plan, scheduler); o.Feasible {
			points = append(points, naivePoint{plan, o.Makespan, o.Cost})
		}
	}
	return points
}

// naiveFront returns the plans that no other one dominates, by makespan; of equal costs the one
// whose slots come first.
func naiveFront(points []naivePoint) []naivePoint {
	var front []naivePoint
	for i, a := range points {
		left := false
		for j, b := range points {
			equal := a.SC == b.SC && a.AC == b.AC
			left = left || b.dominates(a) || i != j && equal && naiveComparePlans(b.Plan, a.Plan) < 0
		}
		if !left {
			front = append(front, a)
		}
	}
	slices.SortFunc(front, func(a, b naivePoint) int { return cmp.Compare(a.SC, b.SC) })
	return front
}

// naiveComparePlans compares from the first slot on; not having it comes first.
func naiveComparePlans(a, b []bool) int {
	for i := range a {
		switch {
		case !a[i] && b[i]:
			return -1
		case a[i] && !b[i]:
			return 1
		}
	}
	return 0
}

// naiveScores returns the exact score of each plan of a front, which Equation 8 minimises.
func naiveScores(front []naivePoint, alpha *big.Rat) []*big.Rat {
	var ac, sc []*big.Rat
	for _, p := range front {
		ac = append(ac, new(big.Rat).SetFloat64(p.AC))
		sc = append(sc, big.NewRat(p.SC, 1))
	}
	rest := new(big.Rat).Sub(big.NewRat(1, 1), alpha)
	scores := make([]*big.Rat, len(front))
	for i := range front {
		scores[i] = new(big.Rat).Mul(alpha, naiveScaled(ac, ac[i]))
		scores[i].Add(scores[i], new(big.Rat).Mul(rest, naiveScaled(sc, sc[i])))
	}
	return scores
}

// naiveScaled returns Equation 7 of a value: 0 for the least of all, 1 for the largest, 0 if they
// are all equal.
func naiveScaled(all []*big.Rat, value *big.Rat) *big.Rat {
	least := slices.MinFunc(all, (*big.Rat).Cmp)
	largest := slices.MaxFunc(all, (*big.Rat).Cmp)
	if least.Cmp(largest) == 0 {
		return new(big.Rat)
	}
	above := new(big.Rat).Sub(value, least)
	return above.Quo(above, new(big.Rat).Sub(largest, least))
}

// naiveChoice returns the plan of a front that Equation 8 chooses: of several with the least score
// the one with the lower makespan, then the lower cost.
func naiveChoice(front []naivePoint, alpha *big.Rat) naivePoint {
	scores := naiveScores(front, alpha)
	chosen := 0
	for i, p := range front {
		if cmp.Or(scores[i].Cmp(scores[chosen]), cmp.Compare(p.SC, front[chosen].SC),
			cmp.Compare(p.AC, front[chosen].AC)) < 0 {
			chosen = i
		}
	}
	return front[chosen]
}

// naiveCorner returns the last end of a slot and then the longest chain of tasks, by their run
// times at the first site (run times are equal at all sites in both studies), and the cost of all
// slots in full.
func naiveCorner(p naiveProblem) (last int64, all *big.Rat) {
	all = new(big.Rat)
	for task := range p.workflow.procs {
		all.Add(all, big.NewRat(int64(p.workflow.procs[task])*p.workflow.run(int32(task), 0), 1))
	}
	for _, s := range p.slots {
		last = max(last, s.end)
		whole := new(big.Rat).Mul(new(big.Rat).SetFloat64(s.unit), big.NewRat(int64(s.procs)*(s.end-s.start), 1))
		all.Add(all, whole.Add(whole, new(big.Rat).SetFloat64(s.fixed)))
	}
	longest, chains := int64(0), make([]int64, p.workflow.tasks()) // up to the end of each task
	for task := range chains {
		for _, parent := range p.workflow.parents.of(int32(task)) {
			chains[task] = max(chains[task], chains[parent.task])
		}
		chains[task] += p.workflow.run(int32(task), 0)
		longest = max(longest, chains[task])
	}
	return last + longest, all
}

// naiveHypervolume returns the share of [0, last] × [0, all] that a front dominates, the
// sum over the rectangles between all its coordinates; 0 where slots cost nothing.
func naiveHypervolume(last int64, all *big.Rat, front []naivePoint) float64 {
	if all.Sign() == 0 {
		return 0
	}
	right := big.NewRat(last, 1)
	xs, ys := []*big.Rat{new(big.Rat), right}, []*big.Rat{new(big.Rat), all}
	for _, p := range front {
		if x := big.NewRat(p.SC, 1); x.Cmp(right) < 0 {
			xs = append(xs, x)
		}
		if y := new(big.Rat).SetFloat64(p.AC); y.Cmp(all) < 0 {
			ys = append(ys, y)
		}
	}
	slices.SortFunc(xs, (*big.Rat).Cmp)
	slices.SortFunc(ys, (*big.Rat).Cmp)
	sum := new(big.Rat)
	for i := range len(xs) - 1 {
		for j := range len(ys) - 1 {
			dominated := slices.ContainsFunc(front, func(p naivePoint) bool {
				return big.NewRat(p.SC, 1).Cmp(xs[i]) <= 0 && new(big.Rat).SetFloat64(p.AC).Cmp(ys[j]) <= 0
			})
			if dominated {
				width, height := new(big.Rat).Sub(xs[i+1], xs[i]), new(big.Rat).Sub(ys[j+1], ys[j])
				sum.Add(sum, width.Mul(width, height))
			}
		}
	}
	share, _ := sum.Quo(sum, right.Mul(right, all)).Float64()
	return share
}
