// Drawn problems: slots, workflows and plans for the comparison with the naive schedulers.

package provisioning

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"gridsweep/model/rng"
)

// naiveSize says how large drawn problems may be.
type naiveSize struct {
	sites, slots, tasks int
	procs               int32 // of a slot
	longest             int64 // s, of most run times and gaps
}

var (
	naiveSmall = naiveSize{sites: 3, slots: 8, tasks: 10, procs: 4, longest: 6}
	naiveLarge = naiveSize{sites: 4, slots: 40, tasks: 40, procs: 20, longest: 20}
)

// drawProblem draws slots of all forms and a workflow. Times and processors are small so that ties
// are frequent, and costs are multiples of a quarter so that their sums are exact in any order.
func drawProblem(size naiveSize) *rapid.Generator[naiveProblem] {
	return rapid.Custom(func(t *rapid.T) naiveProblem {
		sites := rapid.IntRange(1, size.sites).Draw(t, "sites")
		return naiveProblem{
			slots:    drawOffers(t, size, sites),
			workflow: drawGraph(t, size, sites),
			cross:    rapid.SampledFrom([]string{"always", "only_if_needed"}).Draw(t, "cross_slot"),
		}
	})
}

// drawCount draws a number from 1 on. Rapid prefers small ones, so half of the draws are from the
// upper half.
func drawCount(t *rapid.T, most int, what string) int {
	least := 1
	if rapid.Bool().Draw(t, "many "+what) {
		least = (most + 1) / 2
	}
	return rapid.IntRange(least, most).Draw(t, what)
}

// drawOffers draws slots in the order of their sites.
func drawOffers(t *rapid.T, size naiveSize, sites int) []slot {
	// Slots of a cluster, static slots of several sites, or a mixture.
	form := rapid.SampledFrom([]string{"mixed", "mixed", "cluster", "static"}).Draw(t, "form of slots")
	priced := rapid.Bool().Draw(t, "priced apart")
	slots := make([]slot, drawCount(t, size.slots, "slots"))
	for i := range slots {
		s := &slots[i]
		s.site = int32(rapid.IntRange(0, sites-1).Draw(t, "site"))
		s.procs = rapid.Int32Range(1, size.procs).Draw(t, "processors")
		s.start = rapid.Int64Range(0, 2*size.longest).Draw(t, "start")
		s.end = s.start + rapid.Int64Range(1, rapid.SampledFrom([]int64{2, 8}).Draw(t, "length")*size.longest).Draw(t,
			"duration")
		s.unit = 1
		if priced {
			s.unit = rapid.SampledFrom([]float64{0, 0.25, 1, 3.5}).Draw(t, "unit cost")
			s.fixed = rapid.SampledFrom([]float64{0, 0, 0.75, 20}).Draw(t, "fixed cost")
		}
		switch form {
		case "mixed":
			s.divisible, s.extensible = rapid.Bool().Draw(t, "divisible"), rapid.Bool().Draw(t, "extensible")
		case "cluster":
			s.divisible = rapid.Bool().Draw(t, "last")
			s.extensible = s.divisible
		}
	}
	slices.SortStableFunc(slots, func(a, b slot) int { return int(a.site - b.site) })
	return slots
}

// drawGraph draws a graph with run times, on each site or the same on all.
func drawGraph(t *rapid.T, size naiveSize, sites int) *workflow {
	tasks := drawCount(t, size.tasks, "tasks")
	uniform := rapid.Bool().Draw(t, "same run times on all sites")
	mostProcs := rapid.SampledFrom([]int32{1, size.procs, 2 * size.procs}).Draw(t, "most processors")
	mostParents := rapid.SampledFrom([]int{0, 1, 3, 3}).Draw(t, "most parents")
	mostTransfer := rapid.SampledFrom([]int64{0, 2, size.longest}).Draw(t, "longest transfer")
	runs, serial := []int64{rapid.Int64Range(1, size.longest).Draw(t, "frequent run time")}, rapid.Bool().Draw(t,
		"mostly serial")
	if !rapid.Bool().Draw(t, "equal run times") {
		for run := range size.longest {
			runs = append(runs, run+1)
		}
	}
	w := &workflow{sites: sites, procs: make([]int32, tasks), levels: make([]int32, tasks)}
	parents := make([][]edge, tasks)
	for i := range parents {
		w.procs[i] = 1
		if !serial || rapid.IntRange(0, 4).Draw(t, "serial") == 0 {
			w.procs[i] = rapid.Int32Range(1, mostProcs).Draw(t, "processors")
		}
		run := rapid.SampledFrom(runs)
		for site := range sites {
			if site > 0 && uniform {
				w.runs = append(w.runs, w.runs[i*sites])
				continue
			}
			w.runs = append(w.runs, run.Draw(t, "run time"))
		}
		for range rapid.IntRange(0, min(i, mostParents)).Draw(t, "parents") {
			e := edge{task: int32(rapid.IntRange(0, i-1).Draw(t, "parent"))}
			e.transfer = rapid.Int64Range(0, mostTransfer).Draw(t, "transfer")
			if !slices.ContainsFunc(parents[i], func(o edge) bool { return o.task == e.task }) {
				parents[i] = append(parents[i], e)
			}
		}
	}
	w.link(parents)
	return w
}

// drawPlan draws some of the slots, mostly many, since few slots seldom make a feasible plan.
func drawPlan(t *rapid.T, p naiveProblem) []bool {
	plan := make([]bool, len(p.slots))
	// slots in the plan for each that is left out; 0: none is left out
	ratio := rapid.SampledFrom([]int{0, 1, 1, 3, 7}).Draw(t, "left out: none, or one of")
	for i := range plan {
		plan[i] = ratio == 0 || rapid.IntRange(0, ratio).Draw(t, "in the plan") != 0
	}
	return plan
}

// String lists the slots and tasks for failure messages.
func (p naiveProblem) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "cross_slot %s\n", p.cross)
	for i, s := range p.slots {
		fmt.Fprintf(&b, "slot %d: site %d, %d processors, [%d, %d), costs %v and %v, divisible %t, extensible %t\n",
			i, s.site, s.procs, s.start, s.end, s.unit, s.fixed, s.divisible, s.extensible)
	}
	for i := range p.workflow.tasks() {
		fmt.Fprintf(&b, "task %d: runs %v, %d processors, parents %v\n", i,
			p.workflow.runs[i*p.workflow.sites:(i+1)*p.workflow.sites], p.workflow.procs[i], p.workflow.parents.of(int32(i)))
	}
	return b.String()
}

// drawSeed draws a node of the tree of seeds.
func drawSeed(t *rapid.T) rng.Source {
	return rng.New("genetic algorithm").Child(strconv.Itoa(rapid.IntRange(0, 1_000_000).Draw(t, "seed")))
}
