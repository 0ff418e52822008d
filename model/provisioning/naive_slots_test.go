// Comparison of the study of static slots with naive schedulers, fronts and choices.

package provisioning

import (
	"cmp"
	"context"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gridsweep/model"
	"gridsweep/model/workload"
)

// drawSlotsParameters draws a small study of static slots, in seconds and processors.
func drawSlotsParameters(t *rapid.T) SlotsParameters {
	seconds := func(least, most int64, name string) model.Seconds {
		return model.Seconds(rapid.Int64Range(least, most).Draw(t, name))
	}
	p := slotsDefaults
	p.Sites = rapid.SampledFrom([]string{"3", "1,2", "2,3,1"}).Draw(t, "sites")
	p.SlotGap, p.SlotLength, p.Until = seconds(2, 5, "gap"), seconds(4, 16, "length"), seconds(0, 20, "until")
	p.UnitCost = rapid.SampledFrom([]float64{0, 0.5, 1, 1}).Draw(t, "unit cost")
	p.FixedCost = rapid.SampledFrom([]float64{0, 0, 0.25}).Draw(t, "fixed cost")
	p.Tasks = rapid.Int64Range(1, 8).Draw(t, "tasks")
	p.Levels = rapid.Int64Range(1, p.Tasks).Draw(t, "levels")
	p.Runtime, p.Transfer = seconds(1, 3, "run time"), seconds(0, 3, "transfer")
	p.WorkflowSeed = rapid.Int64Range(1, 1000).Draw(t, "workflow seed")
	p.Population = rapid.SampledFrom([]int64{1, 2, 15, 30}).Draw(t, "population")
	p.Generations = rapid.Int64Range(0, 8).Draw(t, "generations")
	p.Elitism = rapid.SampledFrom([]string{"archive", "breeding"}).Draw(t, "elitism")
	p.AllPlans = true
	return p
}

// The reference computes the report of the study of static slots from the plans that it met: their
// costs, the front, the choices, the hypervolume, and the combined front of all four schedulers.
func TestSlotsStudyEqualsNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		requireSlotsStudy(t, drawSlotsParameters(t), rapid.IntRange(0, 1000).Draw(t, "replication"))
	})
}

// TestPublishedSlotsStudyEqualsNaive has as many slots and tasks as the paper, with a hundredth of
// its times.
func TestPublishedSlotsStudyEqualsNaive(t *testing.T) {
	p := slotsDefaults
	p.SlotGap, p.SlotLength, p.Until, p.Runtime, p.Transfer = 10, 10, 300, 2, 2
	p.Population, p.Generations, p.AllPlans = 5, 2, true
	requireSlotsStudy(t, p, 0)
}

// requireSlotsStudy compares the four runs of a replication.
func requireSlotsStudy(t rapid.TB, p SlotsParameters, replication int) {
	env := model.New(SlotsSpec).Env(1, replication, nil)
	problem := naiveProblem{slots: drawSlots(p, env.Seed.Child("slots")), workflow: slotsWorkflow(p, env), cross: "always"}
	requireStaticSlots(t, p, problem.slots)
	var outcomes []SlotsOutcome
	var fronts [][]naivePoint
	p.Rivals = allSchedulersAsRivals
	for _, p.Scheduler = range schedulers {
		o, err := simulateSlots(context.Background(), p, env)
		if err != nil {
			t.Fatal(err)
		}
		outcomes = append(outcomes, o)
		fronts = append(fronts, requireSlotsOutcome(t, p, problem, o))
	}
	// the same plan may come from several
	combined := slices.CompactFunc(naiveFront(slices.Concat(fronts...)), sameCosts)
	for i, o := range outcomes {
		found := int64(0)
		for _, pair := range combined {
			if slices.ContainsFunc(fronts[i], func(own naivePoint) bool { return sameCosts(own, pair) }) {
				found++
			}
		}
		if *o.Combined != int64(len(combined)) || *o.CombinedFound != found {
			t.Fatalf("%s found %d of %d, want %d of %v", schedulers[i], *o.CombinedFound, *o.Combined, found, combined)
		}
	}
}

func sameCosts(a, b naivePoint) bool { return a.SC == b.SC && a.AC == b.AC }

// requireStaticSlots checks the rules of docs/explanation/papers/provisioning.md for static slots.
func requireStaticSlots(t rapid.TB, p SlotsParameters, slots []slot) {
	for i, procs := range workload.Sizes(p.Sites) {
		last := int64(0)
		offered := slices.DeleteFunc(slices.Clone(slots), func(s slot) bool { return int(s.site) != i })
		for _, s := range offered {
			if s.start < last || s.start > int64(p.Until) || s.procs < 1 || s.procs > procs || s.end <= s.start ||
				s.divisible || s.extensible || s.unit != p.UnitCost || s.fixed != p.FixedCost*3600 {
				t.Fatalf("site %d of %d processors offers %+v after one that starts at %d", i, procs, s, last)
			}
			last = s.start
		}
		if len(offered) == 0 || offered[0].start != 0 {
			t.Fatalf("site %d offers %v, none from 0 on", i, offered)
		}
	}
	if !slices.IsSortedFunc(slots, func(a, b slot) int { return int(a.site - b.site) }) {
		t.Fatalf("slots %v are not in the order of sites", slots)
	}
}

// requireSlotsOutcome compares the report of one scheduler's run with the reference, and returns
// the front.
func requireSlotsOutcome(t rapid.TB, p SlotsParameters, problem naiveProblem, o SlotsOutcome) []naivePoint {
	var points []naivePoint
	for i, row := range o.Plans {
		plan := make([]bool, len(problem.slots))
		for number := range strings.SplitSeq(row.Plan, ",") {
			slot, err := strconv.Atoi(number)
			if err != nil {
				t.Fatal(err)
			}
			plan[slot-1] = true
		}
		want := naiveSchedule(problem, plan, p.Scheduler)
		if !want.Feasible || row.Makespan != float64(want.Makespan)/1000 || row.Cost != want.Cost/3600 ||
			row.Number != int64(i+1) {
			t.Fatalf("%s: row %d is %+v, want %+v", p.Scheduler, i, row, want)
		}
		points = append(points, naivePoint{plan, want.Makespan, want.Cost})
	}
	byCosts := func(a, b naivePoint) int { return cmp.Or(cmp.Compare(a.SC, b.SC), cmp.Compare(a.AC, b.AC)) }
	if !slices.IsSortedFunc(points, byCosts) {
		t.Fatalf("%s: rows are not by makespan, then cost: %v", p.Scheduler, points)
	}
	front := naiveFront(points)
	for i, row := range o.Plans {
		on := slices.ContainsFunc(front, func(best naivePoint) bool { return sameCosts(best, points[i]) })
		if on != (row.Pareto == "front") {
			t.Fatalf("%s: %+v, on the front %t", p.Scheduler, row, on)
		}
	}
	end, all := naiveCorner(problem)
	last := o.Generations[p.Generations]
	exact := 100 * naiveHypervolume(end, all, front)
	if o.FeasiblePlans != int64(len(points)) || o.Front != int64(len(front)) || last.Front != o.Front ||
		o.Evaluations != p.Population*(p.Generations+1) || o.Slots != int64(len(problem.slots)) ||
		math.Abs(o.Hypervolume-exact) > 1e-9 || last.Hypervolume != o.Hypervolume {
		t.Fatalf("%s: %+v, want the front %v of %d plans with hypervolume %v", p.Scheduler, o, front, len(points), exact)
	}
	requireSlotsChoices(t, o, front)
	return front
}

// requireSlotsChoices checks that each trade-off factor has a plan of the front with the least
// score, up to rounding, and that the shortest and cheapest plans are the ends of the front.
func requireSlotsChoices(t rapid.TB, o SlotsOutcome, front []naivePoint) {
	if len(front) == 0 {
		for _, row := range o.Choices {
			if row.Makespan != nil || row.Cost != nil || row.Slots != nil {
				t.Fatalf("%+v is chosen from an empty front", row)
			}
		}
		return
	}
	for i, row := range o.Choices {
		scores := naiveScores(front, big.NewRat(int64(i), 10))
		least, _ := slices.MinFunc(scores, (*big.Rat).Cmp).Float64()
		at := slices.IndexFunc(front, func(p naivePoint) bool {
			return *row.Makespan == float64(p.SC)/1000 && *row.Cost == p.AC/3600
		})
		if at < 0 || row.Alpha != float64(i)/10 {
			t.Fatalf("choice %d is %+v of the front %v", i, row, front)
		}
		if score, _ := scores[at].Float64(); score > least+rounding {
			t.Fatalf("α = %v chooses %+v with score %v, the least is %v", row.Alpha, row, score, least)
		}
	}
	if *o.Shortest != float64(front[0].SC)/1000 || *o.Cheapest != front[len(front)-1].AC/3600 || len(o.Choices) != 11 {
		t.Fatalf("shortest %v and cheapest %v of the front %v, %d choices", *o.Shortest, *o.Cheapest, front, len(o.Choices))
	}
}
