// Schedulers: placing the tasks of a workflow on the slots of a plan (section 3).

package provisioning

import (
	"cmp"
	"slices"
)

// A scheduler schedules a workflow on plans of the slots on offer. It reuses its memory: in steady
// state it allocates nothing.
type scheduler struct {
	slots      []slot
	workflow   *workflow
	sites      []site
	order      []int32 // of the tasks, for heft and greedy
	levelOrder         // for min-min and max-min

	ends        []int64      // of the tasks that are placed
	siteOf      []int32      // of the tasks that are placed
	allocations []allocation // of the task that is being placed, at the best site so far
	trial       []allocation // scratch: its allocations at another site
	// Called with the placement of each task; may be nil.
	placed func(task int32, start, end int64, allocations []allocation)
}

// newScheduler returns one of the schedulers of section 3, by its name in the parameters.
func newScheduler(name, crossSlot string, slots []slot, w *workflow) *scheduler {
	s := &scheduler{slots: slots, workflow: w, sites: make([]site, w.sites),
		ends: make([]int64, w.tasks()), siteOf: make([]int32, w.tasks())}
	for i := range s.sites {
		s.sites[i] = newSite(i, slots, crossSlot == "always")
	}
	if byLevel(name) {
		s.levelOrder = newLevelOrder(w, name == "max-min")
		return s
	}
	for task := range int32(w.tasks()) { // by number: parents come before their children
		s.order = append(s.order, task)
	}
	if name == "heft" {
		ranks := w.ranks()
		slices.SortStableFunc(s.order, func(a, b int32) int { return cmp.Compare(ranks[b], ranks[a]) })
	}
	return s
}

// schedule places all tasks on the plan's slots. It reports false if the plan is infeasible.
func (s *scheduler) schedule(p plan) (costs, bool) {
	for i := range s.sites {
		s.sites[i].reset(s.slots, p)
	}
	for _, task := range s.order {
		if !s.placeAtBest(task) {
			return costs{}, false
		}
	}
	for _, tasks := range s.levelOrder.tasks {
		if !s.placeLevel(tasks) {
			return costs{}, false
		}
	}
	return costs{makespan: slices.Max(s.ends), cost: s.cost()}, true
}

// placeAtBest places a task at the site where it ends first, the first of equal ones. It reports
// false if the task fits nowhere.
func (s *scheduler) placeAtBest(task int32) bool {
	end, best := int64(never), 0
	parents := s.workflow.parents.of(task)
	for i := range s.sites {
		ready, run := s.ready(parents, i), s.workflow.run(task, i)
		if ready >= end-run {
			continue // it ends no earlier there than at the best site so far
		}
		var start int64
		start, s.trial = s.sites[i].earliest(ready, run, s.workflow.procs[task], s.trial[:0])
		if start < end-run {
			end, best = start+run, i
			s.allocations, s.trial = s.trial, s.allocations
		}
	}
	if end == never {
		return false
	}
	s.place(task, best, end-s.workflow.run(task, best))
	return true
}

// place places a task with s.allocations, which are free from its start on.
func (s *scheduler) place(task int32, site int, start int64) {
	end := start + s.workflow.run(task, site)
	s.sites[site].place(start, end, s.allocations)
	s.ends[task], s.siteOf[task] = end, int32(site)
	if s.placed != nil {
		s.placed(task, start, end, s.allocations)
	}
}

// ready returns when the data of a task's parents, which are placed, are at a site.
func (s *scheduler) ready(parents []edge, site int) int64 {
	ready := int64(0)
	for _, parent := range parents {
		end := s.ends[parent.task]
		if s.siteOf[parent.task] != int32(site) {
			end += parent.transfer
		}
		ready = max(ready, end)
	}
	return ready
}

// cost returns the allocation cost of the plan with the tasks that are placed (Equation 4), in
// processor-seconds.
func (s *scheduler) cost() float64 {
	sum := 0.0
	for i := range s.sites {
		for j := range s.sites[i].profiles {
			p := &s.sites[i].profiles[j]
			sum += s.slots[p.slot].cost(p.work, p.last)
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
