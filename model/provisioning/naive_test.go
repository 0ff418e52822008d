// Tests of the naive schedulers, fronts and choices themselves: a published example, examples
// worked out by hand, and validity.

package provisioning

import (
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// allOf returns the plan of all slots.
func allOf(slots []slot) []bool { return slices.Repeat([]bool{true}, len(slots)) }

// publishedExample is HEFT's example on its three processors.
func publishedExample() naiveProblem {
	slots, w := topcuoglu()
	return naiveProblem{slots: slots, workflow: w, cross: "always"}
}

// The reference has the ranks and the schedule of the example's Table 3 and Figure 3.
func TestNaivePublishedExample(t *testing.T) {
	p := publishedExample()
	var ranks []string
	for _, rank := range naiveRanks(p.workflow) {
		ranks = append(ranks, rank.FloatString(3))
	}
	wantRanks := []string{"108.000", "77.000", "80.000", "80.000", "69.000", "63.333", "42.667", "35.667", "44.333",
		"14.667"}
	if diff := cmp.Diff(wantRanks, ranks); diff != "" {
		t.Errorf("upward ranks (-want +got):\n%s", diff)
	}
	outcome := naiveSchedule(p, allOf(p.slots), "heft")
	type at struct{ site, start, end int64 }
	want := []at{{2, 0, 9}, {0, 27, 40}, {2, 9, 28}, {1, 18, 26}, {2, 28, 38},
		{1, 26, 42}, {2, 38, 49}, {0, 57, 62}, {1, 56, 68}, {1, 73, 80}}
	var got []at
	for _, task := range outcome.Tasks {
		got = append(got, at{int64(task.Site), task.Start, task.End})
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(at{})); diff != "" || outcome.Makespan != 80 {
		t.Errorf("makespan %d, want 80 (-want +got):\n%s", outcome.Makespan, diff)
	}
}

// workedExamples are schedules on one site that are worked out by hand, for each rule of
// docs/explanation/papers/provisioning.md.
var workedExamples = []struct {
	name     string
	cross    string
	slots    []slot
	runs     []int64
	procs    []int32
	parents  [][]edge
	starts   []int64 // nil: infeasible
	shares   [][]int32
	cost     float64
	schedule string // heft unless it is another one
}{{
	name: "a task goes over several slots at the earliest time, and pays for whole ones", cross: "always",
	slots: []slot{{procs: 2, end: 10, unit: 1, fixed: 5}, {procs: 2, start: 2, end: 20, unit: 1, divisible: true},
		{procs: 2, start: 4, end: 20, unit: 1}},
	runs: []int64{3}, procs: []int32{3}, parents: [][]edge{nil},
	starts: []int64{2}, shares: [][]int32{{2, 1, 0}}, cost: 20 + 5 + 3 + 32,
}, {
	name: "under only_if_needed a task waits for a slot that can hold it", cross: "only_if_needed",
	slots: []slot{{procs: 2, end: 10, unit: 1}, {procs: 2, start: 2, end: 20, unit: 1},
		{procs: 3, start: 15, end: 20, unit: 1}},
	runs: []int64{3}, procs: []int32{3}, parents: [][]edge{nil},
	starts: []int64{15}, shares: [][]int32{{0, 0, 3}}, cost: 20 + 36 + 15,
}, {
	name: "under only_if_needed a task takes several slots if none can hold it", cross: "only_if_needed",
	slots: []slot{{procs: 2, end: 10, unit: 1}, {procs: 2, start: 2, end: 20, unit: 1},
		{procs: 3, start: 15, end: 17, unit: 1}},
	runs: []int64{3}, procs: []int32{3}, parents: [][]edge{nil},
	starts: []int64{2}, shares: [][]int32{{2, 1, 0}}, cost: 20 + 36 + 6,
}, {
	name:  "indivisible slots are filled before divisible ones of lower number, and unused divisible ones are free",
	cross: "always",
	slots: []slot{{procs: 4, end: 10, unit: 1, fixed: 9, divisible: true}, {procs: 4, end: 10, unit: 2, fixed: 1}},
	runs:  []int64{3}, procs: []int32{3}, parents: [][]edge{nil},
	starts: []int64{0}, shares: [][]int32{{0, 3}}, cost: 81,
}, {
	name: "a later task goes before an earlier one", cross: "always",
	slots: []slot{{procs: 1, end: 2, unit: 1}, {procs: 1, start: 3, end: 9, unit: 1}},
	runs:  []int64{6, 2}, procs: []int32{1, 1}, parents: [][]edge{nil, nil},
	starts: []int64{3, 0}, shares: [][]int32{{0, 1}, {1, 0}}, cost: 8,
}, {
	name: "no task ends or starts after the end of a slot that is not extensible", cross: "always",
	slots: []slot{{procs: 1, end: 5, unit: 1}},
	runs:  []int64{3, 3}, procs: []int32{1, 1}, parents: [][]edge{nil, nil},
}, {
	name: "an extended slot is paid to the last end, a divisible one for what is used", cross: "always",
	slots: []slot{{procs: 2, end: 5, unit: 0.5, extensible: true},
		{procs: 1, end: 5, unit: 2, fixed: 3, divisible: true, extensible: true}},
	runs: []int64{7, 7}, procs: []int32{3, 1}, parents: [][]edge{nil, {{task: 0, transfer: 9}}},
	starts: []int64{0, 7}, shares: [][]int32{{2, 1}, {1, 0}}, cost: 14 + 17,
}, {
	name: "the shortest of a level first", cross: "always", schedule: "min-min",
	slots: []slot{{procs: 1, end: 1, unit: 1, divisible: true, extensible: true}},
	runs:  []int64{3, 1, 2, 1}, procs: []int32{1, 1, 1, 1}, parents: [][]edge{nil, nil, nil, nil},
	starts: []int64{4, 0, 2, 1}, shares: [][]int32{{1}, {1}, {1}, {1}}, cost: 7,
}, {
	name: "the longest of a level first", cross: "always", schedule: "max-min",
	slots: []slot{{procs: 1, end: 1, unit: 1, divisible: true, extensible: true}},
	runs:  []int64{3, 1, 2, 1}, procs: []int32{1, 1, 1, 1}, parents: [][]edge{nil, nil, nil, nil},
	starts: []int64{0, 5, 3, 6}, shares: [][]int32{{1}, {1}, {1}, {1}}, cost: 7,
}, {
	name: "topological order by number, though the last task is the longest", cross: "always", schedule: "greedy",
	slots: []slot{{procs: 1, end: 1, unit: 1, divisible: true, extensible: true}},
	runs:  []int64{1, 2, 9}, procs: []int32{1, 1, 1}, parents: [][]edge{nil, {{task: 0}}, nil},
	starts: []int64{0, 1, 3}, shares: [][]int32{{1}, {1}, {1}}, cost: 12,
}}

// worked returns a worked example as a problem, the plan of all slots, the scheduler and the
// outcome.
func worked(i int) (p naiveProblem, plan []bool, scheduler string, want naiveOutcome) {
	e := workedExamples[i]
	p = naiveProblem{slots: e.slots, workflow: newWorkflow(1, e.runs, e.procs, e.parents), cross: e.cross}
	want.Feasible, want.Cost = e.starts != nil, e.cost
	for task, start := range e.starts {
		placed := &naivePlaced{Start: start, End: start + e.runs[task], Shares: e.shares[task]}
		want.Tasks = append(want.Tasks, placed)
		want.Makespan = max(want.Makespan, placed.End)
	}
	if e.schedule == "" {
		e.schedule = "heft"
	}
	return p, allOf(e.slots), e.schedule, want
}

func TestNaiveWorkedExamples(t *testing.T) {
	for i, e := range workedExamples {
		p, plan, scheduler, want := worked(i)
		if diff := cmp.Diff(want, naiveSchedule(p, plan, scheduler)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", e.name, diff)
		}
	}
}

// Under each scheduler no task starts before its parents' ends or runs outside of its slots or at
// two sites, and each has its processors from start to end.
func TestNaiveIsValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(naiveSmall).Draw(t, "problem")
		plan := drawPlan(t, p)
		for _, scheduler := range schedulers {
			if outcome := naiveSchedule(p, plan, scheduler); outcome.Feasible {
				requireValid(t, p, plan, outcome)
			}
		}
	})
}

// requireValid requires that a schedule can be carried out.
func requireValid(t *rapid.T, p naiveProblem, plan []bool, outcome naiveOutcome) {
	t.Helper()
	w := p.workflow
	for task, at := range outcome.Tasks {
		if at.Start < 0 || at.End != at.Start+w.run(int32(task), at.Site) {
			t.Fatalf("task %d runs in [%d, %d), not for its run time from 0 on", task, at.Start, at.End)
		}
		for _, parent := range w.parents.of(int32(task)) {
			from := outcome.Tasks[parent.task]
			if from.End > at.Start || from.Site != at.Site && from.End+parent.transfer > at.Start {
				t.Fatalf("task %d starts at %d, before the transfer from %d has ended", task, at.Start, parent.task)
			}
		}
		sum := int32(0)
		for i, share := range at.Shares {
			s := p.slots[i]
			sum += share
			if share > 0 && (!plan[i] || int(s.site) != at.Site || at.Start < s.start || !s.extensible && at.End > s.end) {
				t.Fatalf("task %d has processors of slot %d, which cannot hold it", task, i)
			}
		}
		if sum != w.procs[task] {
			t.Fatalf("task %d has %d processors instead of %d", task, sum, w.procs[task])
		}
	}
	for i := range p.slots {
		requireProcessors(t, p, outcome, i)
	}
}

// requireProcessors assigns the tasks in a slot, in the order of starts, the lowest free processors
// and requires that there are enough.
func requireProcessors(t *rapid.T, p naiveProblem, outcome naiveOutcome, slot int) {
	t.Helper()
	var tasks []*naivePlaced
	for _, at := range outcome.Tasks {
		if at.Shares[slot] > 0 {
			tasks = append(tasks, at)
		}
	}
	slices.SortStableFunc(tasks, func(a, b *naivePlaced) int { return int(a.Start - b.Start) })
	busy := make([]int64, p.slots[slot].procs) // until when each processor is
	for _, at := range tasks {
		missing := at.Shares[slot]
		for number := range busy {
			if missing > 0 && busy[number] <= at.Start {
				busy[number] = at.End
				missing--
			}
		}
		if missing > 0 {
			t.Fatalf("slot %d has %d processors too few at %d", slot, missing, at.Start)
		}
	}
}

// Equation 8 and its ties, worked out by hand.
func TestNaiveChoice(t *testing.T) {
	front := []naivePoint{{SC: 10, AC: 50}, {SC: 20, AC: 30}, {SC: 30, AC: 10}}
	for alpha, want := range map[int64]int64{0: 10, 4: 10, 5: 10, 6: 30, 10: 30} {
		if got := naiveChoice(front, big.NewRat(alpha, 10)); got.SC != want {
			t.Errorf("α = %d/10 chooses makespan %d, want %d; on a line all score the same at 0.5", alpha, got.SC, want)
		}
	}
	bent := []naivePoint{{SC: 10, AC: 50}, {SC: 12, AC: 20}, {SC: 30, AC: 10}}
	half := big.NewRat(1, 2)
	if got := naiveScores(bent, half); got[1].Cmp(big.NewRat(7, 40)) != 0 || naiveChoice(bent, half).SC != 12 {
		t.Errorf("scores %v, want the second to be (1/4 + 1/10)/2, and chosen", got)
	}
	if got := naiveChoice(front[:1], big.NewRat(3, 10)); got.SC != 10 {
		t.Errorf("of a front of one plan %v is chosen", got)
	}
}

// The share of a rectangle of 100 s by 200 processor-seconds, worked out by hand.
func TestNaiveHypervolume(t *testing.T) {
	p := naiveProblem{slots: []slot{{procs: 1, end: 80, unit: 1}, {procs: 2, end: 40, unit: 1, fixed: 19}}}
	p.workflow = newWorkflow(1, []int64{9, 11, 1}, []int32{1, 1, 1}, [][]edge{nil, {{task: 0, transfer: 5}}, {{task: 0}}})
	for _, test := range []struct {
		front []naivePoint
		want  float64
	}{
		{nil, 0},
		{[]naivePoint{{SC: 0, AC: 0}}, 1},
		{[]naivePoint{{SC: 50, AC: 100}}, 0.25},
		{[]naivePoint{{SC: 50, AC: 100}, {SC: 75, AC: 50}}, 0.25 + 0.0625},
		{[]naivePoint{{SC: 50, AC: 100}, {SC: 120, AC: 0}, {SC: 10, AC: 200}, {SC: 5, AC: 900}}, 0.25},
	} {
		last, all := naiveCorner(p)
		if got := naiveHypervolume(last, all, test.front); got != test.want {
			t.Errorf("front %v dominates %v, want %v", test.front, got, test.want)
		}
	}
}

// No plan of the front is dominated, and every other plan is dominated by one of the front or equal
// to an earlier one.
func TestNaiveFront(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var points []naivePoint
		for _, plan := range naivePlans(4) {
			sc, ac := rapid.Int64Range(0, 6).Draw(t, "SC"), rapid.IntRange(0, 6).Draw(t, "AC")
			points = append(points, naivePoint{plan, sc, float64(ac)})
		}
		front := naiveFront(points)
		for i, a := range points {
			on := slices.ContainsFunc(front, func(b naivePoint) bool { return cmp.Equal(a, b) })
			left := slices.ContainsFunc(points[:i], func(b naivePoint) bool { return b.SC == a.SC && b.AC == a.AC }) ||
				slices.ContainsFunc(front, func(b naivePoint) bool { return b.dominates(a) })
			if on == left {
				t.Fatalf("%v of %v: on the front %t, to be left out %t", a, points, on, left)
			}
		}
	})
}
