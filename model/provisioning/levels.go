// Levels: min-min and max-min, which place the tasks of a workflow level by level.

package provisioning

import "slices"

// levelOrder is the order of min-min and max-min. Of the tasks of a level that are not placed yet,
// min-min places the one that can end first, max-min the one whose earliest end is the latest. Both
// place it at the site where it ends first.
type levelOrder struct {
	tasks   [][]int32 // of each level
	maxMin  bool
	left    []int32  // tasks of the level that are not placed yet
	options []option // of task i at site s at [i·sites+s]
}

// option is the earliest fit of a task at a site. As long as its processors stay free it does not
// change, since placed tasks leave nothing more free than before.
type option struct {
	ready      int64
	start, end int64 // never if the task does not fit
	profile    int32 // which has all its processors; several if they are in more than one
}

// several is the profile of an option with more than one.
const several = -1

// newLevelOrder returns the order of min-min, or max-min, for a workflow.
func newLevelOrder(w *workflow, maxMin bool) levelOrder {
	l := levelOrder{
		maxMin: maxMin, tasks: make([][]int32, slices.Max(w.levels)+1), options: make([]option, len(w.runs)),
	}
	for task, level := range w.levels {
		l.tasks[level] = append(l.tasks[level], int32(task))
	}
	return l
}

// placeLevel places the tasks of a level. It reports false if one of them fits nowhere.
func (s *scheduler) placeLevel(tasks []int32) bool {
	for _, task := range tasks {
		parents := s.workflow.parents.of(task)
		for site := range s.sites {
			s.option(task, site).ready = s.ready(parents, site)
			s.trial = s.findOption(task, site, s.trial)
		}
	}
	for s.left = append(s.left[:0], tasks...); len(s.left) > 0; {
		next, site, end := 0, 0, int64(never)
		for i, task := range s.left {
			if at, first := s.firstEnd(task); i == 0 || s.maxMin && first > end || !s.maxMin && first < end {
				next, site, end = i, at, first
			}
		}
		if end == never {
			return false
		}
		task := s.left[next]
		s.left = slices.Delete(s.left, next, next+1)
		s.allocations = s.findOption(task, site, s.allocations)
		s.place(task, site, s.option(task, site).start)
		s.updateOptions(site, s.option(task, site))
	}
	return true
}

// option returns the option of a task at a site.
func (s *scheduler) option(task int32, site int) *option {
	return &s.options[int(task)*len(s.sites)+site]
}

// findOption finds the option of a task at a site. It returns its allocations, in the given memory.
func (s *scheduler) findOption(task int32, site int, memory []allocation) []allocation {
	o, run := s.option(task, site), s.workflow.run(task, site)
	o.start, memory = s.sites[site].earliest(o.ready, run, s.workflow.procs[task], memory[:0])
	o.end, o.profile = never, several
	if o.start < never {
		o.end = o.start + run
	}
	if len(memory) == 1 {
		o.profile = memory[0].profile
	}
	return memory
}

// firstEnd returns the site at which a task can end first, the first of equal ones, and that end,
// never if the task fits nowhere.
func (s *scheduler) firstEnd(task int32) (site int, end int64) {
	end = never
	for i := range s.sites {
		if o := s.option(task, i); o.end < end {
			site, end = i, o.end
		}
	}
	return site, end
}

// updateOptions finds the options again that a task, placed at a site with s.allocations, may have
// changed: those at its time that share a profile with it.
func (s *scheduler) updateOptions(site int, placed *option) {
	for _, task := range s.left {
		o := s.option(task, site)
		if o.start >= placed.end || o.end <= placed.start {
			continue
		}
		shares := func(a allocation) bool { return a.profile == o.profile }
		if o.profile == several || slices.ContainsFunc(s.allocations, shares) {
			s.trial = s.findOption(task, site, s.trial)
		}
	}
}
