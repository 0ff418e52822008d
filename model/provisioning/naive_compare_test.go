// Comparison with the naive schedulers, fronts and choices: every task, cost and plan on drawn
// slots and workflows, and fronts against all plans.

package provisioning

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"gridsweep/model/rng"
)

// coreSchedule schedules a workflow on a plan with the scheduler under test, the core, which may
// have scheduled others before.
func coreSchedule(s *scheduler, p naiveProblem, plan []bool) naiveOutcome {
	tasks := make([]*naivePlaced, p.workflow.tasks())
	s.placed = func(task int32, start, end int64, allocations []allocation) {
		if tasks[task] != nil {
			panic("a task is placed twice")
		}
		at := &naivePlaced{Site: int(s.siteOf[task]), Start: start, End: end, Shares: make([]int32, len(p.slots))}
		for _, allocation := range allocations {
			at.Shares[allocation.slot] += allocation.procs
		}
		tasks[task] = at
		profiles := s.sites[at.Site].profiles
		for i := range profiles {
			checkProfile(&profiles[i])
		}
	}
	result, feasible := s.schedule(corePlan(plan))
	if !feasible {
		return naiveOutcome{}
	}
	return naiveOutcome{Feasible: true, Tasks: tasks, Makespan: result.makespan, Cost: result.cost}
}

// checkProfile panics unless a profile keeps the invariants of its type.
func checkProfile(r *slotProfile) {
	for i, s := range r.steps.list {
		ascends := i == 0 || r.steps.list[i-1].from < s.from && r.steps.list[i-1].free != s.free
		if !ascends || s.from > r.until || s.free < 0 || s.free > int64(r.procs) {
			panic(fmt.Sprintf("profile %+v is out of order at step %d", *r, i))
		}
	}
}

// corePlan converts a plan of the reference.
func corePlan(bits []bool) plan {
	p := newPlan(len(bits))
	for slot, in := range bits {
		if in {
			p.flip(slot)
		}
	}
	return p
}

// naiveBits converts a plan of the core.
func naiveBits(p plan, slots int) []bool {
	bits := make([]bool, slots)
	for slot := range bits {
		bits[slot] = p.has(slot)
	}
	return bits
}

// naivePoints converts plans of the core with their costs.
func naivePoints(all []solution, slots int) []naivePoint {
	var points []naivePoint
	for _, m := range all {
		points = append(points, naivePoint{naiveBits(m.plan, slots), m.makespan, m.cost})
	}
	return points
}

// Every task's site, start, end and processors of each slot, the makespan and the cost are those of
// the reference, or both find the plan infeasible: for each scheduler and both values of
// cross_slot, on several plans in the same memory. With -rapid.checks=10000 it compares more.
func TestSchedulersEqualNaive(t *testing.T) {
	forAllSchedulers(t, func(t *rapid.T, scheduler, cross string) {
		requireEqualSchedules(t, drawProblem(naiveSmall).Draw(t, "problem"), scheduler, cross, 4)
	})
}

// TestSchedulersEqualNaiveLarge compares larger problems, with many slots and tasks at a time.
func TestSchedulersEqualNaiveLarge(t *testing.T) {
	problems := drawProblem(naiveLarge)
	for _, scheduler := range schedulers {
		for i := range 10 {
			requireEqualLarge(t, problems.Example(i), scheduler)
		}
	}
}

// forAllSchedulers checks a property for each scheduler and both values of cross_slot.
func forAllSchedulers(t *testing.T, property func(t *rapid.T, scheduler, cross string)) {
	for _, scheduler := range schedulers {
		for _, cross := range []string{"always", "only_if_needed"} {
			t.Run(scheduler+" "+cross, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) { property(t, scheduler, cross) })
			})
		}
	}
}

func requireEqualSchedules(t *rapid.T, p naiveProblem, scheduler, cross string, plans int) {
	p.cross = cross
	core := newScheduler(scheduler, cross, p.slots, p.workflow)
	for range plans {
		plan := drawPlan(t, p)
		if diff := cmp.Diff(naiveSchedule(p, plan, scheduler), coreSchedule(core, p, plan)); diff != "" {
			t.Fatalf("%s on plan %v of\n%v(-reference +core):\n%s", scheduler, plan, p, diff)
		}
	}
}

// Times and fixed costs multiplied by 2^20 make a schedule whose times and cost are multiplied by
// 2^20.
func TestSchedulersScale(t *testing.T) {
	const factor = 1 << 20
	forAllSchedulers(t, func(t *rapid.T, scheduler, cross string) {
		p := drawProblem(naiveSmall).Draw(t, "problem")
		plan := drawPlan(t, p)
		p.cross = cross
		want := naiveSchedule(p, plan, scheduler)
		want.Makespan *= factor
		want.Cost *= factor
		for _, at := range want.Tasks {
			at.Start *= factor
			at.End *= factor
		}
		w := *p.workflow
		w.runs = slices.Clone(w.runs)
		for i := range w.runs {
			w.runs[i] *= factor
		}
		parents := make([][]edge, w.tasks())
		for task := range parents {
			for _, e := range w.parents.of(int32(task)) {
				parents[task] = append(parents[task], edge{task: e.task, transfer: e.transfer * factor})
			}
		}
		w.parents, w.children = edges{}, edges{}
		w.link(parents)
		p.slots, p.workflow = slices.Clone(p.slots), &w
		for i := range p.slots {
			s := &p.slots[i]
			s.start, s.end, s.fixed = s.start*factor, s.end*factor, s.fixed*factor
		}
		if diff := cmp.Diff(want, coreSchedule(newScheduler(scheduler, cross, p.slots, &w), p, plan)); diff != "" {
			t.Fatalf("%s on plan %v of\n%v(-reference, in long +core):\n%s", scheduler, plan, p, diff)
		}
	})
}

func requireEqualLarge(t *testing.T, p naiveProblem, scheduler string) {
	core := newScheduler(scheduler, p.cross, p.slots, p.workflow)
	plan := allOf(p.slots)
	for i := range 3 {
		if diff := cmp.Diff(naiveSchedule(p, plan, scheduler), coreSchedule(core, p, plan)); diff != "" {
			t.Fatalf("%s on plan %v of\n%v(-reference +core):\n%s", scheduler, plan, p, diff)
		}
		plan[i*len(plan)/3] = false
	}
}

func TestSchedulersWorkedExamples(t *testing.T) {
	for i, e := range workedExamples {
		p, plan, scheduler, want := worked(i)
		if diff := cmp.Diff(want, coreSchedule(newScheduler(scheduler, p.cross, p.slots, p.workflow), p, plan)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", e.name, diff)
		}
	}
	p := publishedExample()
	for _, scheduler := range schedulers {
		got := coreSchedule(newScheduler(scheduler, p.cross, p.slots, p.workflow), p, allOf(p.slots))
		if diff := cmp.Diff(naiveSchedule(p, allOf(p.slots), scheduler), got); diff != "" {
			t.Errorf("%s on HEFT's published example (-reference +core):\n%s", scheduler, diff)
		}
	}
}

// The front of all plans, added in any order: its plans, the choices of Equation 8, and its
// hypervolume.
func TestFrontEqualsNaive(t *testing.T) {
	forAllSchedulers(t, func(t *rapid.T, scheduler, cross string) {
		p := drawProblem(naiveSize{sites: 2, slots: 5, tasks: 5, procs: 3, longest: 5}).Draw(t, "problem")
		p.cross = cross
		points := naiveFeasible(p, scheduler)
		want := naiveFront(points)
		var got front
		if len(points) > 0 {
			for _, point := range rapid.Permutation(points).Draw(t, "order") {
				got.add(solution{corePlan(point.Plan), costs{point.SC, point.AC}})
			}
		}
		if diff := cmp.Diff(want, naivePoints(got, len(p.slots))); diff != "" {
			t.Fatalf("front of\n%v(-reference +core):\n%s", p, diff)
		}
		requireEqualChoices(t, p, got, want)
	})
}

// requireEqualChoices compares the choices of Equation 8 for all trade-off factors of the paper,
// and the hypervolume.
func requireEqualChoices(t *rapid.T, p naiveProblem, core front, want []naivePoint) {
	if len(want) == 0 {
		return
	}
	for tenths := range 11 {
		alpha := big.NewRat(int64(tenths), 10)
		got := core.choose(float64(tenths)/10, "makespan")
		if chosen := naiveChoice(want, alpha); !cmp.Equal(want[got], chosen) {
			t.Fatalf("α = %v chooses %v, want %v, of the front %v", alpha, want[got], chosen, want)
		}
	}
	last, all := naiveCorner(p)
	edge := corner(p.slots, p.workflow)
	if got, exact := core.hypervolume(edge), 100*naiveHypervolume(last, all, want); math.Abs(got-exact) > 1e-9 {
		t.Fatalf("hypervolume %v, want %v, of %v in %v of\n%v", got, exact, want, edge, p)
	}
}

// drawGenetics draws the settings of the genetic algorithm.
func drawGenetics(t *rapid.T) genetics {
	return genetics{
		population: rapid.IntRange(1, 12).Draw(t, "population"), generations: rapid.IntRange(0, 8).Draw(t, "generations"),
		crossover: rapid.IntRange(1, 3).Draw(t, "crossover"),
		mutation:  rapid.SampledFrom([]float64{0, 1, 1, 3, 1000}).Draw(t, "mutation"),
		breeding:  rapid.Bool().Draw(t, "breeding"),
	}
}

// Whenever the genetic algorithm schedules a plan, its archive is the front of all feasible plans
// met so far, with the costs of the reference. No plan is scheduled twice, and the plans met and
// counted are those scheduled.
func TestArchiveEqualsNaive(t *testing.T) {
	forAllSchedulers(t, func(t *rapid.T, scheduler, cross string) {
		p := drawProblem(naiveSize{sites: 3, slots: 8, tasks: 6, procs: 3, longest: 5}).Draw(t, "problem")
		p.cross = cross
		g := drawGenetics(t)
		s := newSearch(g, newScheduler(scheduler, cross, p.slots, p.workflow), drawSeed(t))
		var points []naivePoint // feasible plans, as they are met
		var plans [][]bool      // all that were scheduled
		requireFront := func() {
			if diff := cmp.Diff(naiveFront(points), naivePoints(s.front, len(p.slots))); diff != "" {
				t.Fatalf("after %d plans the archive is not the front of what was met (-reference +core):\n%s", len(plans), diff)
			}
		}
		schedule := s.schedule
		s.schedule = func(core plan) (costs, bool) {
			requireFront()
			bits := naiveBits(core, len(p.slots))
			if slices.ContainsFunc(plans, func(o []bool) bool { return slices.Equal(o, bits) }) {
				t.Fatalf("plan %v is scheduled twice", bits)
			}
			plans = append(plans, bits)
			if o := naiveSchedule(p, bits, scheduler); o.Feasible {
				points = append(points, naivePoint{bits, o.Makespan, o.Cost})
			}
			return schedule(core)
		}
		if err := s.run(context.Background()); err != nil {
			t.Fatal(err)
		}
		requireFront()
		requireEqualChoices(t, p, s.front, naiveFront(points))
		if diff := cmp.Diff(points, naivePoints(s.solutions, len(p.slots))); diff != "" {
			t.Fatalf("plans met (-reference +core):\n%s", diff)
		}
		if !slices.ContainsFunc(plans, func(o []bool) bool { return slices.Equal(o, allOf(p.slots)) }) {
			t.Fatalf("the plan of all slots is not among %v", plans)
		}
		if want := int64(g.population * (g.generations + 1)); s.evaluations != want || len(s.history) != g.generations+1 {
			t.Fatalf("%d evaluations and %d generations, want %d and %d", s.evaluations, len(s.history), want, g.generations+1)
		}
		last := s.history[g.generations]
		if last.plans != int64(len(s.front)) || (last.least == nil) != (len(s.front) == 0) {
			t.Fatalf("the last generation is %v, want %d plans in the archive", last, len(s.front))
		}
		if last.least != nil && (last.least.makespan != s.front[0].makespan ||
			last.least.cost != s.front[len(s.front)-1].cost) {
			t.Fatalf("the last generation has the least costs %v, want those of the archive %v", *last.least, s.front)
		}
	})
}

// A search of more generations begins like a shorter one, so the archive after each generation is
// that of a search that ends there.
func TestHistoryEqualsShorterSearches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(naiveSize{sites: 2, slots: 8, tasks: 5, procs: 3, longest: 5}).Draw(t, "problem")
		scheduler, seed := rapid.SampledFrom(schedulers).Draw(t, "scheduler"), drawSeed(t)
		g := drawGenetics(t)
		end, all := naiveCorner(p)
		var before []generation
		for g.generations = range 5 {
			s := newSearch(g, newScheduler(scheduler, p.cross, p.slots, p.workflow), seed)
			if err := s.run(context.Background()); err != nil {
				t.Fatal(err)
			}
			last := s.history[g.generations]
			same := cmp.Options{cmp.AllowUnexported(generation{}, costs{}), cmpopts.EquateEmpty()}
			if diff := cmp.Diff(before, s.history[:g.generations], same); diff != "" {
				t.Fatalf("generations before %d (-shorter search +longer):\n%s", g.generations, diff)
			}
			front := naiveFront(naivePoints(s.solutions, len(p.slots)))
			if last.plans != int64(len(front)) || math.Abs(last.hypervolume-100*naiveHypervolume(end, all, front)) > 1e-9 {
				t.Fatalf("after %d generations %v, want the front %v", g.generations, last, front)
			}
			before = s.history
		}
	})
}

// On up to eight slots the final archive is the true front of all 2^n plans. Problems and seeds are
// fixed. Half of the population or of the generations would suffice for all problems.
func TestArchiveIsTheTrueFront(t *testing.T) {
	problems := drawProblem(naiveSize{sites: 3, slots: 8, tasks: 6, procs: 3, longest: 5})
	several := 0 // fronts with more than one plan
	for i := range 100 {
		p, scheduler := problems.Example(i), schedulers[i%4]
		want := naiveFront(naiveFeasible(p, scheduler))
		g := genetics{population: 80, generations: 80, crossover: 1 + i%3, mutation: 1, breeding: i%8 >= 4}
		s := newSearch(g, newScheduler(scheduler, p.cross, p.slots, p.workflow), rng.New("true front"))
		if err := s.run(context.Background()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, naivePoints(s.front, len(p.slots))); diff != "" {
			t.Errorf("front of %s (-all plans +archive):\n%s%v", scheduler, diff, p)
		}
		if len(want) > 1 {
			several++
		}
	}
	if several < 30 {
		t.Errorf("only %d of 100 fronts have more than one plan", several)
	}
}
