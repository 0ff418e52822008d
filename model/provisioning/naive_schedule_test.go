// Naive schedulers: a table of the processors that are free in each slot in each second.

package provisioning

import (
	"cmp"
	"math/big"
	"slices"
)

// The reference implements docs/explanation/papers/provisioning.md in the plainest way. It shares
// only the slots and the graph with the schedulers under test.

// naiveProblem is a workflow and the slots that sites offer.
type naiveProblem struct {
	slots    []slot
	workflow *workflow
	cross    string // as the parameter cross_slot
}

// naivePlaced is the site, time and processors of a task.
type naivePlaced struct {
	Site       int
	Start, End int64
	Shares     []int32 // its processors in each slot offered
}

// naiveOutcome is the schedule of a workflow on a plan; of an infeasible one all fields are zero.
type naiveOutcome struct {
	Feasible bool
	Tasks    []*naivePlaced
	Makespan int64
	Cost     float64
}

// naiveBoard is a partial schedule.
type naiveBoard struct {
	naiveProblem
	plan   []bool
	free   [][]int32      // of each slot in each second
	placed []*naivePlaced // of each task; nil until it is placed
}

// naiveSchedule schedules the workflow on a plan.
func naiveSchedule(p naiveProblem, plan []bool, scheduler string) naiveOutcome {
	b := &naiveBoard{naiveProblem: p, plan: plan, placed: make([]*naivePlaced, p.workflow.tasks())}
	horizon := p.horizon()
	for i, s := range p.slots {
		b.free = append(b.free, make([]int32, horizon))
		for second := range horizon {
			if plan[i] && b.covers(&s, second, 1) {
				b.free[i][second] = s.procs
			}
		}
	}
	var feasible bool
	switch scheduler {
	case "heft":
		feasible = b.heft()
	case "greedy":
		feasible = b.greedy()
	case "min-min":
		feasible = b.byLevel(func(end, chosen int64) bool { return end < chosen })
	case "max-min":
		feasible = b.byLevel(func(end, chosen int64) bool { return end > chosen })
	default:
		panic("no scheduler " + scheduler)
	}
	if !feasible {
		return naiveOutcome{}
	}
	outcome := naiveOutcome{Feasible: true, Tasks: b.placed, Cost: naiveCost(p, plan, b.placed)}
	for _, placed := range b.placed {
		outcome.Makespan = max(outcome.Makespan, placed.End)
	}
	return outcome
}

// horizon returns a time that no task can end after: all of them after all slots, one after the
// other.
func (p *naiveProblem) horizon() int64 {
	horizon := int64(1)
	for _, s := range p.slots {
		horizon = max(horizon, s.end)
	}
	for task := range p.workflow.tasks() {
		longest := int64(0)
		for site := range p.workflow.sites {
			longest = max(longest, p.workflow.run(int32(task), site))
		}
		horizon += longest
		for _, parent := range p.workflow.parents.of(int32(task)) {
			horizon += parent.transfer
		}
	}
	return horizon
}

// covers reports whether a slot covers [at, at + run).
func (b *naiveBoard) covers(s *slot, at, run int64) bool {
	return s.start <= at && (s.extensible || at+run <= s.end)
}

// least returns the processors of a slot that are free throughout [at, at + run); none if it does
// not cover that.
func (b *naiveBoard) least(slot int, at, run int64) int32 {
	if !b.plan[slot] || !b.covers(&b.slots[slot], at, run) {
		return 0
	}
	return slices.Min(b.free[slot][at : at+run])
}

// order returns the plan's slots of a site in the order in which processors are taken from them.
func (b *naiveBoard) order(site int) []int {
	var order []int
	for _, divisible := range []bool{false, true} {
		for i, s := range b.slots {
			if b.plan[i] && int(s.site) == site && s.divisible == divisible {
				order = append(order, i)
			}
		}
	}
	return order
}

// ready returns when a task can begin at a site. Its parents have been placed.
func (b *naiveBoard) ready(task, site int) int64 {
	ready := int64(0)
	for _, parent := range b.workflow.parents.of(int32(task)) {
		at := b.placed[parent.task]
		if at.Site == site {
			ready = max(ready, at.End)
		} else {
			ready = max(ready, at.End+parent.transfer)
		}
	}
	return ready
}

// fit returns the earliest fit of a task at a site, nil if there is none.
func (b *naiveBoard) fit(task, site int) *naivePlaced {
	run, procs, ready := b.workflow.run(int32(task), site), b.workflow.procs[task], b.ready(task, site)
	last := int64(len(b.free[0])) - run
	fit := &naivePlaced{Site: site, Shares: make([]int32, len(b.slots))}
	if b.cross == "only_if_needed" {
		for at := ready; at <= last; at++ {
			for _, slot := range b.order(site) {
				if b.least(slot, at, run) >= procs {
					fit.Start, fit.End, fit.Shares[slot] = at, at+run, procs
					return fit
				}
			}
		}
	}
	for at := ready; at <= last; at++ {
		together := int32(0)
		for _, slot := range b.order(site) {
			together += b.least(slot, at, run)
		}
		if together < procs {
			continue
		}
		fit.Start, fit.End = at, at+run
		missing := procs
		for _, slot := range b.order(site) {
			fit.Shares[slot] = min(missing, b.least(slot, at, run))
			missing -= fit.Shares[slot]
		}
		return fit
	}
	return nil
}

// best returns the earliest fit of a task at the site where it ends first, nil if it fits nowhere.
func (b *naiveBoard) best(task int) *naivePlaced {
	var best *naivePlaced
	for site := range b.workflow.sites {
		fit := b.fit(task, site)
		if fit != nil && (best == nil || fit.End < best.End) {
			best = fit
		}
	}
	return best
}

// place adds a placed task and reports true; for nil it does nothing and reports false.
func (b *naiveBoard) place(task int, at *naivePlaced) bool {
	if at == nil {
		return false
	}
	b.placed[task] = at
	for slot, share := range at.Shares {
		for second := at.Start; second < at.End; second++ {
			b.free[slot][second] -= share
		}
	}
	return true
}

// heft reports whether all tasks can be placed, the one of largest rank first.
func (b *naiveBoard) heft() bool {
	ranks := naiveRanks(b.workflow)
	order := make([]int, len(ranks))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(ranks[j].Cmp(ranks[i]), cmp.Compare(i, j)) })
	return b.inOrder(order)
}

// naiveRanks returns the upward ranks of all tasks.
func naiveRanks(w *workflow) []*big.Rat {
	ranks := make([]*big.Rat, w.tasks())
	for task := w.tasks() - 1; task >= 0; task-- { // children come after their parents
		largest := new(big.Rat)
		for _, child := range w.children.of(int32(task)) {
			through := new(big.Rat).Add(big.NewRat(child.transfer, 1), ranks[child.task])
			if through.Cmp(largest) > 0 {
				largest = through
			}
		}
		mean := new(big.Rat)
		for site := range w.sites {
			mean.Add(mean, big.NewRat(w.run(int32(task), site), int64(w.sites)))
		}
		ranks[task] = mean.Add(mean, largest)
	}
	return ranks
}

// greedy reports whether all tasks can be placed, always the one of lowest number whose parents
// are.
func (b *naiveBoard) greedy() bool {
	var order []int
	for range b.workflow.tasks() {
		for task := range b.workflow.tasks() {
			listed := func(parent edge) bool { return slices.Contains(order, int(parent.task)) }
			missing := func(parent edge) bool { return !listed(parent) }
			if !slices.Contains(order, task) && !slices.ContainsFunc(b.workflow.parents.of(int32(task)), missing) {
				order = append(order, task)
				break
			}
		}
	}
	return b.inOrder(order)
}

// inOrder reports whether all tasks can be placed in an order.
func (b *naiveBoard) inOrder(order []int) bool {
	for _, task := range order {
		if !b.place(task, b.best(task)) {
			return false
		}
	}
	return true
}

// byLevel reports whether all tasks can be placed, level by level, each time the one whose end is
// better than the others'.
func (b *naiveBoard) byLevel(better func(end, chosen int64) bool) bool {
	levels := naiveLevels(b.workflow)
	for level := range b.workflow.tasks() {
		for {
			chosen, at := -1, (*naivePlaced)(nil)
			for task := range b.workflow.tasks() {
				if levels[task] != level || b.placed[task] != nil {
					continue
				}
				fit := b.best(task)
				if fit == nil {
					return false // tasks placed before it free no processors
				}
				if chosen < 0 || better(fit.End, at.End) {
					chosen, at = task, fit
				}
			}
			if chosen < 0 {
				break
			}
			b.place(chosen, at)
		}
	}
	return true
}

// naiveLevels returns the level of each task.
func naiveLevels(w *workflow) []int {
	levels := make([]int, w.tasks())
	for task := range levels {
		for _, parent := range w.parents.of(int32(task)) {
			levels[task] = max(levels[task], levels[parent.task]+1)
		}
	}
	return levels
}

// naiveCost returns what a plan costs (Equation 4), in processor-seconds.
func naiveCost(p naiveProblem, plan []bool, tasks []*naivePlaced) float64 {
	sum := new(big.Rat)
	for i, s := range p.slots {
		if !plan[i] {
			continue
		}
		// paid processor-seconds if divisible, end of the paid time if not
		work, end := int64(0), s.end
		for _, t := range tasks {
			if t.Shares[i] > 0 {
				work += int64(t.Shares[i]) * (t.End - t.Start)
				if s.extensible {
					end = max(end, t.End)
				}
			}
		}
		if s.divisible && work == 0 {
			continue
		}
		if !s.divisible {
			work = int64(s.procs) * (end - s.start)
		}
		unit, fixed := new(big.Rat).SetFloat64(s.unit), new(big.Rat).SetFloat64(s.fixed)
		sum.Add(sum, unit.Mul(unit, big.NewRat(work, 1)))
		sum.Add(sum, fixed)
	}
	cost, _ := sum.Float64()
	return cost
}
