// Simulation tests: the tables of a run agree with each other and with separate simulations, and
// runs repeat.

package provisioning

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gridsweep/model"
	"gridsweep/model/metrics"
)

// allSchedulersAsRivals is the parameter rivals of Figure 3.
const allSchedulersAsRivals = "scheduler=heft; scheduler=greedy; scheduler=min-min; scheduler=max-min"

// small is a study of a small window of the site model's load, with a small genetic algorithm.
func small() Parameters {
	p := defaults
	p.Trace, p.Window, p.Warmup, p.Cooldown = model.TraceModel, 20*day, 5*day, 5*day
	p.Population, p.Generations = 12, 6
	return p
}

func run(t *testing.T, p Parameters, replication int) Outcome {
	t.Helper()
	if problems := validate(p); problems != nil {
		t.Fatalf("problems %q", problems)
	}
	o, err := simulate(t.Context(), p, model.New(Spec).Env(1, replication, nil))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// variants are settings that take different branches of the simulation.
var variants = map[string]func(*Parameters){
	"default":        func(*Parameters) {},
	"loaded":         func(p *Parameters) { p.Copy = 0.5 },
	"overloaded":     func(p *Parameters) { p.Copy, p.CopyDelay, p.Nodes = 0.5, 0, 338 },
	"wide tasks":     func(p *Parameters) { p.Processors = 200 },
	"serial tasks":   func(p *Parameters) { p.Processors = 1 },
	"one slot":       func(p *Parameters) { p.CrossSlot = "only_if_needed" },
	"no extension":   func(p *Parameters) { p.Extension, p.Horizon = false, 7*day },
	"booked":         func(p *Parameters) { p.Numbering = "booked" },
	"released tails": func(p *Parameters) { p.ReleaseTail, p.Overestimate = true, 50 },
	"held tails":     func(p *Parameters) { p.Overestimate = 20 },
	"greedy":         func(p *Parameters) { p.Scheduler = "greedy" },
	"min-min":        func(p *Parameters) { p.Scheduler = "min-min" },
	"max-min":        func(p *Parameters) { p.Scheduler = "max-min" },
	"breeding":       func(p *Parameters) { p.Elitism, p.Crossover = "breeding", 3 },
	"one plan":       func(p *Parameters) { p.Population, p.Generations = 1, 0 },
	"CyberShake":     func(p *Parameters) { p.Workflow = "cybershake" },
}

// The tables of a run agree with each other: the chart and the schedule have each task once, with
// its processors, in its plan's slots and after its parents. The cost is at least that of Equation
// 9, and follows from the schedule and the slots.
func TestOutcomeAgreesWithItself(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(variants)) {
		t.Run(name, func(t *testing.T) {
			p := small()
			p.Chart = true
			variants[name](&p)
			for replication := range 2 {
				o := run(t, p, replication)
				env := model.New(Spec).Env(1, replication, nil)
				checkExecutions(t, p, o)
				checkSchedule(t, o, workflowOf(p, env))
				checkChart(t, p, o)
				checkBackground(t, p, o, env)
				checkTables(t, o, workflowOf(p, env))
			}
		})
	}
}

func checkExecutions(t *testing.T, p Parameters, o Outcome) {
	t.Helper()
	if o.Evaluations != p.Population*(p.Generations+1) || o.FeasiblePlans > o.Evaluations || o.Front > o.FeasiblePlans {
		t.Errorf("%d plans evaluated, %d feasible, %d on the front", o.Evaluations, o.FeasiblePlans, o.Front)
	}
	if len(o.Generations) != int(p.Generations)+1 || o.Generations[p.Generations].Front != o.Front {
		t.Errorf("%d generations, %+v, with a front of %d", len(o.Generations), o.Generations, o.Front)
	}
	for i, g := range o.Generations[1:] {
		if g.Hypervolume < o.Generations[i].Hypervolume {
			t.Errorf("the front shrinks in generation %d: %v after %v", g.Generation, g, o.Generations[i])
		}
	}
	if (o.FeasiblePlans == 0) != (o.Shortest == nil) || p.Extension && o.FeasiblePlans == 0 {
		t.Errorf("%d feasible plans, shortest %v", o.FeasiblePlans, o.Shortest)
	}
	var makespan, cost float64
	for _, e := range o.Executions {
		switch {
		case e.Approach == "best effort":
			if *e.Makespan != o.BestEffort || *e.Cost != o.LeastCost || e.Slots != nil {
				t.Errorf("%+v, want %v h for %v SU", e, o.BestEffort, o.LeastCost)
			}
		case e.Makespan == nil:
			if o.FeasiblePlans > 0 {
				t.Errorf("%+v with %d feasible plans", e, o.FeasiblePlans)
			}
		default:
			if *e.Cost < o.LeastCost || *e.Makespan < *o.Shortest {
				t.Errorf("%+v below the least cost %v or the least makespan %v", e, o.LeastCost, *o.Shortest)
			}
			if e.Alpha > 0 && (*e.Makespan < makespan || *e.Cost > cost) {
				t.Errorf("%+v weighs cost more than %v h for %v SU", e, makespan, cost)
			}
			makespan, cost = *e.Makespan, *e.Cost
		}
	}
}

func checkSchedule(t *testing.T, o Outcome, w *workflow) {
	t.Helper()
	allocations := slices.Collect(o.Schedule)
	if o.FeasiblePlans == 0 {
		if len(allocations) > 0 {
			t.Errorf("%d allocations of no plan", len(allocations))
		}
		return
	}
	procs, starts, ends := make([]int32, w.tasks()), make([]int64, w.tasks()), make([]int64, w.tasks())
	used := make([]int64, len(o.Offers)) // processor-seconds
	for _, allocation := range allocations {
		offer := o.Offers[allocation.Slot-1]
		if !offer.Chosen || allocation.Start < offer.Start || !offer.Extensible && allocation.End > offer.End {
			t.Errorf("%+v in %+v", allocation, offer)
		}
		procs[allocation.Task-1] += int32(allocation.Procs)
		starts[allocation.Task-1], ends[allocation.Task-1] = int64(allocation.Start), int64(allocation.End)
		used[allocation.Slot-1] += allocation.Procs * int64(allocation.End-allocation.Start)
	}
	if diff := cmp.Diff(w.procs, procs); diff != "" {
		t.Errorf("processors of tasks differ:\n%s", diff)
	}
	for task := range int32(w.tasks()) {
		if ends[task]-starts[task] != w.run(task, 0) {
			t.Errorf("task %d runs from %d to %d", task+1, starts[task], ends[task])
		}
		for _, e := range w.parents.of(task) {
			if starts[task] < ends[e.task] {
				t.Errorf("task %d starts at %d, its parent %d ends at %d", task+1, starts[task], e.task+1, ends[e.task])
			}
		}
	}
	if !slices.IsSortedFunc(allocations, func(a, b TaskRow) int {
		if a.Task != b.Task {
			return int(a.Task - b.Task)
		}
		return int(a.Slot - b.Slot)
	}) {
		t.Errorf("%v are not by task, then slot", allocations)
	}
	paid := int64(0)
	for i, offer := range o.Offers {
		switch {
		case offer.Divisible:
			paid += used[i]
		case offer.Chosen:
			paid += offer.Procs * int64(offer.End-offer.Start)
		}
	}
	chosen := o.Executions[2*slices.Index(tradeOffs[:], middle)]
	if *chosen.Cost != float64(paid)/hour || *chosen.Makespan != float64(slices.Max(ends))/hour {
		t.Errorf("%v h for %v SU, the schedule ends at %d s and costs %d processor-seconds", *chosen.Makespan, *chosen.Cost,
			slices.Max(ends), paid)
	}
	checkShares(t, o, chosen, allocations, w)
}

// checkShares compares the shares of work in divisible slots with the schedule.
func checkShares(t *testing.T, o Outcome, chosen ExecutionRow, allocations []TaskRow, w *workflow) {
	t.Helper()
	var total, parallel work
	for _, allocation := range allocations {
		amount := allocation.Procs * int64(allocation.End-allocation.Start)
		divisible := int64(0)
		if o.Offers[allocation.Slot-1].Divisible {
			divisible = amount
		}
		total = work{total.amount + amount, total.divisible + divisible}
		if w.procs[allocation.Task-1] > 1 {
			parallel = work{parallel.amount + amount, parallel.divisible + divisible}
		}
	}
	want := []*float64{
		metrics.Percent(total.divisible, total.amount), metrics.Percent(parallel.divisible, parallel.amount),
	}
	if have := []*float64{chosen.DivisibleShare, chosen.ParallelDivisible}; !cmp.Equal(want, have) {
		t.Errorf("%+v with %+v in divisible slots, %+v of parallel tasks", chosen, total, parallel)
	}
}

// checkBackground compares the reported background and best effort with separate simulations.
func checkBackground(t *testing.T, p Parameters, o Outcome, env model.Env) {
	t.Helper()
	b := load(t, p, env)
	live, _ := b.schedule(int64(o.Submitted))
	if o.Reserved != int64(len(live)) || int64(o.LastEnd) != lastEnd(live) {
		t.Errorf("%d reservations until %d s, want %d until %d", o.Reserved, int64(o.LastEnd), len(live), lastEnd(live))
	}
	done, err := bestEffort(t.Context(), b, int64(o.Submitted), workflowOf(p, env))
	if err != nil || o.BestEffort != float64(done.makespan)/3600 {
		t.Errorf("best effort of %v h, want %d s (%v)", o.BestEffort, done.makespan, err)
	}
}

// checkTables compares the tables with the metrics of the run and with the workflow.
func checkTables(t *testing.T, o Outcome, w *workflow) {
	t.Helper()
	divisible := int64(0)
	for _, offer := range o.Offers {
		if offer.Divisible {
			divisible++
		}
	}
	if o.Slots != int64(len(o.Offers)) || o.Divisible != divisible {
		t.Errorf("%d slots with %d divisible, offered are %d with %d", o.Slots, o.Divisible, len(o.Offers), divisible)
	}
	plans := slices.Collect(o.Plans)
	if int64(len(plans)) != o.FeasiblePlans || int64(len(o.Fronts)) != o.Front {
		t.Errorf("%d plans, %d on the front, want %d and %d", len(plans), len(o.Fronts), o.FeasiblePlans, o.Front)
	}
	for i, row := range o.Fronts {
		if row.Number != int64(i+1) || !slices.ContainsFunc(plans, func(p PlanRow) bool {
			return p.Plan == row.Plan && p.Makespan == row.Makespan && p.Cost == row.Cost
		}) {
			t.Errorf("row %d of the front is %+v", i, row)
		}
	}
	for i, g := range o.Generations {
		if g.Generation != int64(i) {
			t.Errorf("generation %d is %+v", i, g)
		}
	}
	last := o.Generations[len(o.Generations)-1]
	if o.Hypervolume != last.Hypervolume {
		t.Errorf("hypervolume %v after %+v", o.Hypervolume, last)
	}
	if n := len(o.Fronts); n > 0 { // α = 0 chooses the first plan and α = 1 the last
		shortest, cheapest := o.Executions[0], o.Executions[len(o.Executions)-2]
		if *shortest.Makespan != o.Fronts[0].Makespan || *shortest.Makespan != *last.Makespan ||
			*cheapest.Cost != o.Fronts[n-1].Cost || *cheapest.Cost != *last.Cost {
			t.Errorf("%+v and %+v are chosen of %+v after %+v", shortest, cheapest, o.Fronts, last)
		}
	}
	tasks, runs, procs := int64(0), 0.0, 0.0
	for _, m := range o.Modules {
		tasks, runs, procs = tasks+m.Tasks, runs+m.Runtime*float64(m.Tasks), procs+m.Processors*float64(m.Tasks)
	}
	wantRuns, wantProcs := int64(0), int64(0)
	for i := range w.procs {
		wantRuns, wantProcs = wantRuns+w.run(int32(i), 0), wantProcs+int64(w.procs[i])
	}
	if tasks != int64(w.tasks()) || math.Round(runs) != float64(wantRuns) || math.Round(procs) != float64(wantProcs) {
		t.Errorf("modules have %d tasks of %v s on %v processors, want %d of %d on %d", tasks, runs, procs, w.tasks(),
			wantRuns, wantProcs)
	}
}

// checkChart checks that no processor has two slots or two tasks at once, and that tasks lie in
// slots of the plan.
func checkChart(t *testing.T, p Parameters, o Outcome) {
	t.Helper()
	type key struct {
		shows             string
		number, rectangle int64
	}
	areas, keys := map[string]int64{}, map[key]bool{}
	byProcessor := map[bool][][]ChartRow{true: make([][]ChartRow, p.Nodes+1),
		false: make([][]ChartRow, p.Nodes+1)} // of tasks, of slots
	for _, row := range o.Chart {
		keys[key{row.Shows, row.Number, row.Rectangle}] = true
		if row.Processor < 1 || row.Processor+row.Procs-1 > p.Nodes {
			t.Fatalf("%+v on a machine of %d", row, p.Nodes)
		}
		areas[row.Shows] += row.Procs * int64(row.End-row.Start)
		for n := row.Processor; n < row.Processor+row.Procs; n++ {
			rows := &byProcessor[row.Shows == "task"][n]
			*rows = append(*rows, row)
		}
	}
	if len(keys) != len(o.Chart) {
		t.Errorf("%d rows have %d keys", len(o.Chart), len(keys))
	}
	for _, processors := range byProcessor {
		for n, rows := range processors {
			slices.SortFunc(rows, func(a, b ChartRow) int { return int(a.Start - b.Start) })
			for i := 1; i < len(rows); i++ {
				if rows[i].Start < rows[i-1].End {
					t.Errorf("processor %d: %+v and %+v", n, rows[i-1], rows[i])
				}
			}
		}
	}
	for n, rows := range byProcessor[true] {
		for _, row := range rows {
			if !slices.ContainsFunc(byProcessor[false][n], func(s ChartRow) bool {
				return s.Shows == "chosen" && s.Start <= row.Start &&
					(row.End <= s.End || p.Extension && o.Offers[s.Number-1].Extensible)
			}) {
				t.Errorf("processor %d: %+v lies in no slot of the plan", n, row)
			}
		}
	}
	if o.FeasiblePlans > 0 && areas["task"] != int64(o.LeastCost*hour+0.5) {
		t.Errorf("tasks cover %d processor-seconds, want %v SU", areas["task"], o.LeastCost)
	}
}

// A run depends only on its parameters, seed and replication. All replications share one workflow
// and one load.
func TestSimulateRepeats(t *testing.T) {
	differ := func(a, b Outcome) string { return cmp.Diff(a, b, cmpopts.IgnoreFields(Outcome{}, "Plans", "Schedule")) }
	first, second := run(t, small(), 0), run(t, small(), 1)
	if diff := differ(first, run(t, small(), 0)); diff != "" {
		t.Errorf("a second run differs:\n%s", diff)
	}
	if first.Submitted == second.Submitted {
		t.Error("two replications submit at the same time")
	}
	if diff := cmp.Diff(first.Modules, second.Modules); diff != "" || first.Utilisation != second.Utilisation {
		t.Errorf("another replication has another workflow or load: %v, %v, %s", first.Utilisation, second.Utilisation, diff)
	}
	if first.Chart != nil {
		t.Error("a chart without the parameter chart")
	}
	other := small()
	other.WorkflowSeed++
	if cmp.Equal(first.Modules, run(t, other, 0).Modules) {
		t.Error("another seed gives the same workflow")
	}
}

// Figure 6 varies the processors of one workflow: run times and graph stay, and each task's
// processors grow with the mean.
func TestWorkflowsOfOtherSizesAreScaled(t *testing.T) {
	env := model.New(Spec).Env(1, 0, nil)
	p := defaults
	base := workflowOf(p, env)
	for _, processors := range []int64{1, 3, 10, 30} {
		p.Processors = processors
		w := workflowOf(p, env)
		if !cmp.Equal(w.runs, base.runs) || !cmp.Equal(w.parents, base.parents, cmp.AllowUnexported(edges{}, edge{})) {
			t.Fatalf("%d processors: other run times or parents", processors)
		}
		for i := range w.procs {
			share := float64(w.procs[i]) / float64(2*processors-1)
			want := float64(base.procs[i]) / float64(2*defaults.Processors-1)
			if share < want-1/43. || share > want+1/float64(2*processors-1) {
				t.Errorf("task %d: %d of %d processors, and %d of %d", i, w.procs[i], 2*processors-1, base.procs[i],
					2*defaults.Processors-1)
			}
		}
	}
}

// The four runs of a replication share the searches, and the counts of Figure 3 are of all four
// fronts together.
func TestSchedulersShareTheCombinedFront(t *testing.T) {
	p := slotsDefaults
	p.Population, p.Generations, p.Rivals = 20, 4, allSchedulersAsRivals
	combined, found := int64(0), int64(0)
	for _, p.Scheduler = range schedulers {
		o, err := simulateSlots(t.Context(), p, model.New(SlotsSpec).Env(1, 0, nil))
		if err != nil {
			t.Fatal(err)
		}
		if combined > 0 && *o.Combined != combined {
			t.Errorf("%s: %d on the combined front, others %d", p.Scheduler, *o.Combined, combined)
		}
		if *o.CombinedFound > o.Front || int64(len(o.Plans)) != o.Front {
			t.Errorf("%s: %d rows and %d found by a front of %d", p.Scheduler, len(o.Plans), *o.CombinedFound, o.Front)
		}
		combined, found = *o.Combined, found+*o.CombinedFound
		all := p
		all.AllPlans = true
		cloud, err := simulateSlots(t.Context(), all, model.New(SlotsSpec).Env(1, 0, nil))
		if err != nil || int64(len(cloud.Plans)) != o.FeasiblePlans || cloud.Front != o.Front {
			t.Errorf("%s: %d rows of %d feasible plans, a front of %d and %d (%v)", p.Scheduler, len(cloud.Plans),
				o.FeasiblePlans, cloud.Front, o.Front, err)
		}
	}
	if found < combined {
		t.Errorf("%d on the combined front, %d found", combined, found)
	}
}

// A later schedule does not change a layout.
func TestLayoutStays(t *testing.T) {
	slots := []slot{{procs: 1, end: 9, unit: 1}, {procs: 1, start: 2, end: 9, unit: 1}}
	s := newScheduler("heft", "always", slots, newWorkflow(1, []int64{5}, []int32{1}, [][]edge{nil}))
	second := newPlan(2)
	second.flip(1)
	layout := s.layout(planOfAll(2))
	if s.schedule(second); layout[0].start != 0 {
		t.Errorf("the task of the plan of all slots starts at %d after another plan", layout[0].start)
	}
}
