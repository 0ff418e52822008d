package provisioning

// Schedulers: placing the tasks of a workflow on the slots of a plan (section 3).

import (
	"cmp"
	"slices"
)

// A scheduler schedules a workflow on plans of the slots on offer. It reuses its memory: in steady
// state it allocates nothing.
type scheduler struct {
	slots []slot
	flow  *workflow
	sites []site
	order []int32 // of the tasks, for heft and greedy
	// For min-min and max-min: the tasks of each level. Min-min first places the task of a level
	// that ends first, max-min the one that ends last.
	levels [][]int32
	maxMin bool

	ends        []int64      // of the tasks that are placed
	siteOf      []int32      // of the tasks that are placed
	allocations []allocation // of the task that is being placed, at the best site so far
	trial       []allocation // scratch: its allocations at another site
	unplaced    []int32      // scratch: the tasks of a level that are not placed yet
	// Called with the placement of each task; may be nil.
	placed func(task int32, start, end int64, allocations []allocation)
}

// newScheduler returns one of the schedulers of section 3, by its name in the parameters.
func newScheduler(name string, crossSlot string, slots []slot, flow *workflow) *scheduler {
	s := &scheduler{slots: slots, flow: flow, sites: make([]site, flow.sites),
		ends: make([]int64, flow.tasks()), siteOf: make([]int32, flow.tasks())}
	for i := range s.sites {
		s.sites[i] = newSite(i, slots, crossSlot == "always")
	}
	switch name {
	case "heft":
		ranks := flow.ranks()
		s.order = flow.topological()
		slices.SortStableFunc(s.order, func(a, b int32) int { return cmp.Compare(ranks[b], ranks[a]) })
	case "greedy":
		s.order = flow.topological()
	default:
		s.maxMin = name == "max-min"
		s.levels = make([][]int32, slices.Max(flow.levels)+1)
		for i, level := range flow.levels {
			s.levels[level] = append(s.levels[level], int32(i))
		}
	}
	return s
}

// newSite returns a site with the slots that it offers.
func newSite(number int, slots []slot, crossSlot bool) site {
	s := site{crossSlot: crossSlot}
	var divisible []int32
	for i := range slots {
		slot := &slots[i]
		if slot.site != int32(number) {
			continue
		}
		if slot.divisible {
			divisible = append(divisible, int32(i))
		} else {
			s.slots = append(s.slots, int32(i))
		}
		s.changes = append(s.changes, change{time: slot.start, procs: slot.procs, slot: int32(i)})
		if !slot.extensible {
			s.changes = append(s.changes, change{time: slot.end, procs: -slot.procs, slot: int32(i)})
		}
	}
	s.slots = append(s.slots, divisible...)
	slices.SortFunc(s.changes, func(a, b change) int { return cmp.Compare(a.time, b.time) })
	s.reserve = make([]slotProfile, len(s.slots))
	return s
}

// schedule places all tasks on the plan's slots. It reports false if the plan is infeasible.
func (s *scheduler) schedule(p plan) (result, bool) {
	for i := range s.sites {
		s.sites[i].open(s.slots, p)
	}
	if !s.placeAll() {
		return result{}, false
	}
	return result{makespan: slices.Max(s.ends), cost: s.cost()}, true
}

// placeAll places all tasks, and reports false at the first that fits nowhere.
func (s *scheduler) placeAll() bool {
	for _, task := range s.order {
		if !s.place(task) {
			return false
		}
	}
	for _, tasks := range s.levels {
		if !s.placeLevel(tasks) {
			return false
		}
	}
	return true
}

// place places a task at the site where it ends first, and reports false if it fits nowhere.
func (s *scheduler) place(task int32) bool {
	end, site := int64(never), 0
	for i := range s.sites {
		var start int64
		start, s.trial = s.earliest(task, i, s.trial[:0])
		if run := s.flow.run(task, i); start < never && start+run < end {
			end, site = start+run, i
			s.allocations, s.trial = s.trial, s.allocations
		}
	}
	if end == never {
		return false
	}
	start := end - s.flow.run(task, site)
	s.sites[site].place(start, end, s.allocations)
	s.ends[task], s.siteOf[task] = end, int32(site)
	if s.placed != nil {
		s.placed(task, start, end, s.allocations)
	}
	return true
}

// earliest returns the earliest start of a task at a site, or never, and appends its allocations.
func (s *scheduler) earliest(task int32, site int, allocations []allocation) (int64, []allocation) {
	ready := int64(0)
	for _, e := range s.flow.parents.of(task) {
		end := s.ends[e.task]
		if s.siteOf[e.task] != int32(site) {
			end += e.transfer
		}
		ready = max(ready, end)
	}
	return s.sites[site].earliest(ready, s.flow.run(task, site), s.flow.procs[task], allocations)
}

// placeLevel places the tasks of a level, one at a time: under min-min the one whose earliest end
// is the least, under max-min the one whose earliest end is the largest.
func (s *scheduler) placeLevel(tasks []int32) bool {
	s.unplaced = append(s.unplaced[:0], tasks...)
	for len(s.unplaced) > 0 {
		next, nextEnd := 0, s.earliestEnd(s.unplaced[0])
		for i, task := range s.unplaced[1:] {
			if end := s.earliestEnd(task); end != nextEnd && (end > nextEnd) == s.maxMin {
				next, nextEnd = i+1, end
			}
		}
		if !s.place(s.unplaced[next]) {
			return false
		}
		s.unplaced = slices.Delete(s.unplaced, next, next+1)
	}
	return true
}

// earliestEnd returns the earliest end of a task over all sites, or never.
func (s *scheduler) earliestEnd(task int32) int64 {
	best := int64(never)
	for i := range s.sites {
		var start int64
		if start, s.trial = s.earliest(task, i, s.trial[:0]); start < never {
			best = min(best, start+s.flow.run(task, i))
		}
	}
	return best
}

// cost returns the allocation cost of the plan with the tasks that are placed (Equation 4), in
// processor-seconds.
func (s *scheduler) cost() float64 {
	sum := 0.0
	for i := range s.sites {
		for j := range s.sites[i].profiles {
			r := &s.sites[i].profiles[j]
			switch slot := &s.slots[r.slot]; {
			case slot.divisible:
				sum += slot.costOf(r.work)
			case slot.extensible:
				sum += slot.costUntil(max(slot.end, r.last))
			default:
				sum += slot.cost()
			}
		}
	}
	return sum
}

// ranks returns the upward ranks of HEFT (Topcuoglu, Hariri & Wu, IEEE TPDS 2002, Equation 5) times
// the number of sites: a task's mean run time plus the maximum over its children of the transfer
// time and the child's rank. They are whole numbers, since rounded means would swap tasks of that
// paper's own example.
func (w *workflow) ranks() []int64 {
	ranks := make([]int64, w.tasks())
	for i := w.tasks() - 1; i >= 0; i-- {
		for _, e := range w.children.of(int32(i)) {
			ranks[i] = max(ranks[i], e.transfer*int64(w.sites)+ranks[e.task])
		}
		for s := range w.sites {
			ranks[i] += w.run(int32(i), s)
		}
	}
	return ranks
}

// topological returns the tasks by their numbers, which is an order in which parents come before
// their children.
func (w *workflow) topological() []int32 {
	order := make([]int32, w.tasks())
	for i := range order {
		order[i] = int32(i)
	}
	return order
}
