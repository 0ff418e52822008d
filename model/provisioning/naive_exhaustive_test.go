// Exhaustive search: the least makespan of all schedules, which no scheduler may beat and HEFT must
// reach where it is optimal.

package provisioning

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// exhaustive is a search through all schedules: each task at each site and second, on each choice
// of slots.
type exhaustive struct {
	*naiveBoard
	tails []int64 // of each task: the least time from its start to the last end
	found int64   // least makespan found; before that, the bound
}

// naiveOptimum returns the least makespan of all schedules on all slots, if there is one that is
// below a bound.
func naiveOptimum(p naiveProblem, bound int64) (makespan int64, found bool) {
	e := exhaustive{naiveBoard: &naiveBoard{naiveProblem: p, plan: allOf(p.slots)}, found: min(bound, p.horizon()+1)}
	bound = e.found
	e.placed = make([]*naivePlaced, p.workflow.tasks())
	for i := range p.slots {
		e.free = append(e.free, slices.Repeat([]int32{p.slots[i].procs}, int(p.horizon())))
	}
	e.tails = make([]int64, p.workflow.tasks())
	for task := p.workflow.tasks() - 1; task >= 0; task-- {
		shortest := slices.Min(p.workflow.runs[task*p.workflow.sites : (task+1)*p.workflow.sites])
		for _, child := range p.workflow.children.of(int32(task)) {
			e.tails[task] = max(e.tails[task], e.tails[child.task])
		}
		e.tails[task] += shortest
	}
	e.search(0, 0)
	return e.found, e.found < bound
}

// search tries all sites, times and slots of a task and of those after it; the tasks before it end
// at last.
func (e *exhaustive) search(task int, last int64) {
	if task == e.workflow.tasks() {
		e.found = min(e.found, last)
		return
	}
	for site := range e.workflow.sites {
		run := e.workflow.run(int32(task), site)
		for at := e.ready(task, site); at+run < e.found && at+e.tails[task] < e.found; at++ {
			placed := &naivePlaced{Site: site, Start: at, End: at + run, Shares: make([]int32, len(e.slots))}
			e.placed[task] = placed
			e.share(task, placed, 0, e.workflow.procs[task], max(last, placed.End))
			e.placed[task] = nil
		}
	}
}

// share tries all ways to take a task's missing processors from the slots from one on.
func (e *exhaustive) share(task int, at *naivePlaced, slot int, missing int32, last int64) {
	if missing == 0 {
		e.search(task+1, last)
		return
	}
	if slot == len(e.slots) {
		return
	}
	most := int32(0)
	if int(e.slots[slot].site) == at.Site {
		most = min(missing, e.least(slot, at.Start, at.End-at.Start))
	}
	for share := most; share >= 0; share-- {
		e.take(at, slot, share)
		e.share(task, at, slot+1, missing-share, last)
		e.take(at, slot, -share)
	}
}

// take takes processors of a slot for a task, or gives them back.
func (e *exhaustive) take(at *naivePlaced, slot int, share int32) {
	at.Shares[slot] += share
	for second := at.Start; second < at.End; second++ {
		e.free[slot][second] -= share
	}
}

// naiveTiny are problems whose schedules can all be tried.
var naiveTiny = naiveSize{sites: 2, slots: 3, tasks: 4, procs: 2, longest: 3}

// No scheduler beats the best schedule, and where a scheduler finds one the search does too.
func TestSchedulersNeverBeatExhaustiveSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(naiveTiny).Draw(t, "problem")
		// which equal the reference by TestSchedulersEqualNaive
		for _, scheduler := range schedulers {
			outcome := coreSchedule(newScheduler(scheduler, p.cross, p.slots, p.workflow), p, allOf(p.slots))
			if !outcome.Feasible {
				continue
			}
			if best, found := naiveOptimum(p, outcome.Makespan+1); !found {
				t.Fatalf("%s ends at %d, which no schedule does of\n%v(bound %d)", scheduler, outcome.Makespan, p, best)
			}
		}
	})
}

// On these graphs HEFT finds the best schedule, or none where none exists.
func TestHEFTIsOptimal(t *testing.T) {
	for _, graph := range []struct {
		name string
		draw func(t *rapid.T) naiveProblem
	}{{
		// Each task takes the earliest time that is left, and all tasks are equal.
		"independent equal tasks of one processor", func(t *rapid.T) naiveProblem {
			p := drawProblem(naiveTiny).Draw(t, "problem")
			p.workflow = newWorkflow(p.workflow.sites, slices.Repeat([]int64{rapid.Int64Range(1, 3).Draw(t, "run time")}, 4),
				[]int32{1, 1, 1, 1}, make([][]edge, 4))
			return p
		},
	}, {
		// The earlier a task ends, the earlier the next one can.
		"a chain in one site", func(t *rapid.T) naiveProblem {
			p := drawProblem(naiveSize{sites: 1, slots: 3, tasks: 4, procs: 2, longest: 3}).Draw(t, "problem")
			p.cross = "always"
			parents := make([][]edge, p.workflow.tasks())
			for task := 1; task < len(parents); task++ {
				parents[task] = []edge{{task: int32(task - 1), transfer: 5}}
			}
			p.workflow = newWorkflow(1, p.workflow.runs, p.workflow.procs, parents)
			return p
		},
	}, {
		// The processor is never idle.
		"one processor without end", func(t *rapid.T) naiveProblem {
			p := drawProblem(naiveSize{sites: 1, slots: 1, tasks: 5, procs: 1, longest: 3}).Draw(t, "problem")
			p.slots[0].extensible = true
			p.workflow.procs = slices.Repeat([]int32{1}, p.workflow.tasks())
			return p
		},
	}} {
		t.Run(graph.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p := graph.draw(t)
				outcome := coreSchedule(newScheduler("heft", p.cross, p.slots, p.workflow), p, allOf(p.slots))
				best, found := naiveOptimum(p, math.MaxInt64)
				if found != outcome.Feasible || found && best != outcome.Makespan {
					t.Fatalf("HEFT: feasible %t, makespan %d; the best schedule: %t, %d, of\n%v",
						outcome.Feasible, outcome.Makespan, found, best, p)
				}
			})
		})
	}
}
