// Simulation: the search for plans on slots drawn for the replication.

package provisioning

import (
	"context"
	"strconv"

	"gridsweep/model"
	"gridsweep/model/rng"
	"gridsweep/model/workload"
)

// schedulers are the four of Figure 3.
var schedulers = []string{"heft", "greedy", "min-min", "max-min"}

// simulateSlots searches for plans on slots that are drawn for the replication.
func simulateSlots(ctx context.Context, p SlotsParameters, env model.Env) (SlotsOutcome, error) {
	own, err := sharedSearch(ctx, p, env)
	if err != nil {
		return SlotsOutcome{}, err
	}
	o := SlotsOutcome{
		Slots: int64(own.slots), Evaluations: own.evaluations,
		FeasiblePlans: int64(len(own.solutions)), Front: int64(len(own.front)),
		Hypervolume: own.front.hypervolume(own.corner), LeastCost: float64(slotsWorkflow(p, env).work()) / hour,
		Plans: slotsPlans(own, p.AllPlans),
	}
	if o.Combined, o.CombinedFound, err = combine(ctx, p, env, own); err != nil {
		return SlotsOutcome{}, err
	}
	for i, g := range own.history {
		row := SlotsGenerationRow{Generation: int64(i), Front: g.plans, Hypervolume: g.hypervolume}
		if g.least != nil {
			row.Makespan, row.Cost = new(float64(g.least.makespan)/kilo), new(g.least.cost/hour)
			o.Shortest, o.Cheapest = row.Makespan, row.Cost
		}
		o.Generations = append(o.Generations, row)
	}
	for _, alpha := range tradeOffs {
		row := ChoiceRow{Alpha: alpha}
		if len(own.front) > 0 {
			m := &own.front[own.front.choose(alpha, p.Ties)]
			row.Makespan, row.Cost = new(float64(m.makespan)/kilo), new(m.cost/hour)
			row.Slots = new(m.plan.count())
		}
		o.Choices = append(o.Choices, row)
	}
	return o, nil
}

// combine returns how many plans are on the front of all rivals' fronts together, and how many of
// them are on the run's own; nil where there are no rivals. The rivals' own runs share the
// searches.
func combine(ctx context.Context, p SlotsParameters, env model.Env, own *search) (plans, found *int64, err error) {
	all, err := rivals(p)
	if err != nil || all == nil {
		return nil, nil, err
	}
	var combined front
	for _, rival := range all {
		s, err := sharedSearch(ctx, rival, env)
		if err != nil {
			return nil, nil, err
		}
		for _, m := range s.front {
			combined.add(m)
		}
	}
	plans, found = new(int64(len(combined))), new(int64)
	for _, m := range combined {
		if own.front.has(m.costs) {
			*found++
		}
	}
	return plans, found, nil
}

// sharedSearch returns the search of a run, shared by all runs that differ only in which plans they
// report.
func sharedSearch(ctx context.Context, p SlotsParameters, env model.Env) (*search, error) {
	p.Rivals, p.AllPlans, p.Ties = "", false, ""
	return model.Memo(ctx, env, p, searchSlots)
}

// slotsPlans returns the rows of plans on the front, or of all feasible ones that were met.
func slotsPlans(s *search, all bool) []SlotsPlanRow {
	plans := []solution(s.front)
	if all {
		plans = s.inOrder()
	}
	var rows []SlotsPlanRow
	for i, m := range plans {
		row := SlotsPlanRow{Pareto: "dominated", Number: int64(i + 1),
			Makespan: float64(m.makespan) / kilo, Cost: m.cost / hour,
			Slots: m.plan.count(), Plan: m.plan.list()}
		if s.front.has(m.costs) {
			row.Pareto = "front"
		}
		rows = append(rows, row)
	}
	return rows
}

// searchSlots runs the genetic algorithm with one scheduler. Runs share the result.
func searchSlots(ctx context.Context, p SlotsParameters, env model.Env) (*search, error) {
	slots := drawSlots(p, env.Seed.Child("slots"))
	s := newSearch(genetics{population: int(p.Population), generations: int(p.Generations), crossover: int(p.Crossover),
		mutation: p.Mutation, breeding: p.Elitism == "breeding"},
		newScheduler(p.Scheduler, "always", slots, slotsWorkflow(p, env)), env.Seed)
	return s, s.run(ctx)
}

// slotsWorkflow draws the workflow, the same in all replications.
func slotsWorkflow(p SlotsParameters, env model.Env) *workflow {
	return synthesise(synthesis{
		sites: len(workload.Sizes(p.Sites)), tasks: p.Tasks, levels: p.Levels, runtime: int64(p.Runtime), processors: 1,
		transfer: int64(p.Transfer),
	}, workflowSeed(p.WorkflowSeed, env))
}

// drawSlots draws the slots of all sites.
func drawSlots(p SlotsParameters, seed rng.Source) []slot {
	var slots []slot
	for i, procs := range workload.Sizes(p.Sites) {
		s := seed.Stream("site " + strconv.Itoa(i+1))
		for start := int64(0); start <= int64(p.Until); start += nearest(float64(p.SlotGap), s.Exp()) {
			slots = append(slots, slot{site: int32(i), procs: 1 + int32(s.Intn(int(procs))), start: start,
				end: start + max(1, nearest(float64(p.SlotLength), s.Exp())), unit: p.UnitCost, fixed: p.FixedCost * hour})
		}
	}
	return slots
}
