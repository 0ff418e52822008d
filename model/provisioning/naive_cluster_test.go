// Comparison with the naive schedulers on the slots of a cluster and small workflows of
// CyberShake's shape.

package provisioning

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawCluster draws the slots of a cluster with reservations: free intervals of equal start
// and end are one slot, and those that last to the horizon are divisible and extensible.
func drawCluster(t *rapid.T, nodes int, horizon int64) []slot {
	type window struct{ start, end int64 }
	procs := map[window]int32{}
	for range nodes {
		free := int64(0) // from when on the node is free
		for range rapid.IntRange(0, 2).Draw(t, "reservations of a node") {
			start := min(free+10*rapid.Int64Range(0, 3).Draw(t, "gap"), horizon-10)
			if start > free {
				procs[window{free, start}]++
			}
			free = min(start+10*rapid.Int64Range(1, 4).Draw(t, "reservation"), horizon-10)
		}
		procs[window{free, horizon}]++
	}
	var slots []slot
	for w, n := range procs {
		last := w.end == horizon
		slots = append(slots, slot{procs: n, start: w.start, end: w.end, unit: 1, divisible: last, extensible: last})
	}
	slices.SortFunc(slots, func(a, b slot) int {
		if a.start != b.start {
			return int(a.start - b.start)
		}
		return int(a.end - b.end)
	})
	return slots
}

// smallCyberShake returns a workflow of CyberShake's shape with fewer, shorter and narrower tasks.
func smallCyberShake(wide int32, many int) *workflow {
	runs, procs := []int64{1, 3, 21, 60, 60}, []int32{1, 1, wide, wide, wide}
	parents := [][]edge{nil, {{task: 0}}, {{task: 0}}, {{task: 1}, {task: 2}}, {{task: 1}, {task: 2}}}
	for range many {
		runs, procs, parents = append(runs, 5), append(procs, 1), append(parents, []edge{{task: 3}, {task: 4}})
	}
	for i := range many {
		runs, procs, parents = append(runs, 1), append(procs, 1), append(parents, []edge{{task: int32(5 + i)}})
	}
	return newWorkflow(1, runs, procs, parents)
}

// Schedulers and reference agree on the slots of a loaded cluster, for tasks that need most of it
// and many small ones. The plan of all extensible slots, which together become the whole cluster,
// is feasible and costs as much as Equation 9.
func TestSchedulersEqualNaiveOnACluster(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.IntRange(2, 30).Draw(t, "nodes")
		p := naiveProblem{slots: drawCluster(t, nodes, 120)}
		wide := rapid.Int32Range(1, int32(nodes)).Draw(t, "processors of the large tasks")
		p.workflow = smallCyberShake(wide, rapid.IntRange(1, 12).Draw(t, "small tasks of a level"))
		p.cross = rapid.SampledFrom([]string{"always", "only_if_needed"}).Draw(t, "cross_slot")
		scheduler := rapid.SampledFrom(schedulers).Draw(t, "scheduler")
		core := newScheduler(scheduler, p.cross, p.slots, p.workflow)
		extensible, some := make([]bool, len(p.slots)), drawPlan(t, p)
		for i, s := range p.slots {
			extensible[i] = s.extensible
			some[i] = some[i] || s.extensible
		}
		for _, plan := range [][]bool{allOf(p.slots), some, extensible} {
			got := coreSchedule(core, p, plan)
			if diff := cmp.Diff(naiveSchedule(p, plan, scheduler), got); diff != "" {
				t.Fatalf("%s on plan %v of\n%v(-reference +core):\n%s", scheduler, plan, p, diff)
			}
			if !got.Feasible || got.Cost < float64(p.workflow.work()) {
				t.Fatalf("plan %v with all extensible slots: feasible %t, cost %v, least cost %d",
					plan, got.Feasible, got.Cost, p.workflow.work())
			}
		}
		if got := coreSchedule(core, p, extensible); got.Cost != float64(p.workflow.work()) {
			t.Fatalf("all extensible slots cost %v, want %d (Equation 9)", got.Cost, p.workflow.work())
		}
	})
}
