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
	order []int32 // in which tasks are placed; nil where each level decides it
	// Without an order: the tasks by level; last is max-min, which first places the task of a level
	// that ends last, min-min the one that ends first.
	byLevel [][]int32
	last    bool

	ends    []int64 // of the tasks that are placed
	at      []int32 // their sites
	pieces  []piece // of the task that is being placed
	other   []piece
	waiting []int32
	// Called with the placement of each task; may be nil.
	placed func(task int32, start, end int64, rooms []room, pieces []piece)
}

// newScheduler returns one of the schedulers of section 3, by its name in the parameters.
func newScheduler(name string, crossSlot string, slots []slot, flow *workflow) *scheduler {
	s := &scheduler{slots: slots, flow: flow, sites: make([]site, flow.sites),
		ends: make([]int64, flow.tasks()), at: make([]int32, flow.tasks())}
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
		s.last = name == "max-min"
		for i, level := range flow.levels {
			for len(s.byLevel) <= int(level) {
				s.byLevel = append(s.byLevel, nil)
			}
			s.byLevel[level] = append(s.byLevel[level], int32(i))
		}
	}
	return s
}

// newSite returns a site with the slots that it offers.
func newSite(number int, slots []slot, cross bool) site {
	s := site{cross: cross}
	for i := range slots {
		slot := &slots[i]
		if slot.site != int32(number) {
			continue
		}
		s.slots = append(s.slots, int32(i))
		s.changes = append(s.changes, change{time: slot.start, procs: slot.procs, slot: int32(i)})
		if !slot.extensible {
			s.changes = append(s.changes, change{time: slot.end, procs: -slot.procs, slot: int32(i)})
		}
	}
	slices.SortFunc(s.changes, func(a, b change) int { return cmp.Compare(a.time, b.time) })
	slices.SortStableFunc(s.slots, func(a, b int32) int {
		switch {
		case slots[a].divisible == slots[b].divisible:
			return 0
		case slots[b].divisible:
			return -1
		}
		return 1
	})
	s.all = make([]room, len(s.slots))
	return s
}

// schedule places all tasks on the plan's slots. It reports false if the plan is infeasible.
func (s *scheduler) schedule(p plan) (result, bool) {
	for i := range s.sites {
		s.sites[i].open(s.slots, p)
	}
	ok := true
	if s.order != nil {
		for _, task := range s.order {
			if ok = s.put(task); !ok {
				break
			}
		}
	} else {
		for _, level := range s.byLevel {
			if ok = s.putLevel(level); !ok {
				break
			}
		}
	}
	if !ok {
		return result{}, false
	}
	return result{makespan: slices.Max(s.ends), cost: s.cost()}, true
}

// put places a task at the site where it ends first.
func (s *scheduler) put(task int32) bool {
	best, in := int64(never), 0
	for i := range s.sites {
		start, pieces := s.fit(task, i, s.other[:0])
		s.other = pieces
		if run := s.flow.run(task, i); start < never && start+run < best {
			best, in = start+run, i
			s.pieces, s.other = s.other, s.pieces
		}
	}
	if best == never {
		return false
	}
	start := best - s.flow.run(task, in)
	s.sites[in].place(start, best, s.pieces)
	s.ends[task], s.at[task] = best, int32(in)
	if s.placed != nil {
		s.placed(task, start, best, s.sites[in].rooms, s.pieces)
	}
	return true
}

// fit returns the earliest start of a task at a site, or never, and appends its pieces.
func (s *scheduler) fit(task int32, site int, pieces []piece) (int64, []piece) {
	ready := int64(0)
	for _, e := range s.flow.parents.of(task) {
		end := s.ends[e.task]
		if s.at[e.task] != int32(site) {
			end += e.transfer
		}
		ready = max(ready, end)
	}
	return s.sites[site].earliest(ready, s.flow.run(task, site), s.flow.procs[task], pieces)
}

// putLevel places the tasks of a level, one at a time: under min-min the one whose earliest end is
// the least, under max-min the one whose earliest end is the largest.
func (s *scheduler) putLevel(tasks []int32) bool {
	s.waiting = append(s.waiting[:0], tasks...)
	for len(s.waiting) > 0 {
		chosen, of := 0, s.end(s.waiting[0])
		for i, task := range s.waiting[1:] {
			if end := s.end(task); end != of && (end > of) == s.last {
				chosen, of = i+1, end
			}
		}
		if !s.put(s.waiting[chosen]) {
			return false
		}
		s.waiting = slices.Delete(s.waiting, chosen, chosen+1)
	}
	return true
}

// end returns the earliest end of a task over all sites, or never.
func (s *scheduler) end(task int32) int64 {
	best := int64(never)
	for i := range s.sites {
		var start int64
		if start, s.other = s.fit(task, i, s.other[:0]); start < never {
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
		for j := range s.sites[i].rooms {
			r := &s.sites[i].rooms[j]
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

// topological returns an order in which parents stand before their children: the tasks' own, see
// workflow.
func (w *workflow) topological() []int32 {
	order := make([]int32, w.tasks())
	for i := range order {
		order[i] = int32(i)
	}
	return order
}
