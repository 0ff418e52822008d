// Simulation: one workflow on the cluster of the log, on chosen plans and as best-effort jobs.

package provisioning

import (
	"context"
	"iter"
	"slices"

	"gridsweep/model"
	"gridsweep/model/metrics"
)

// middle is the trade-off factor whose plan is shown slot by slot: that of Figures 7 and 9.
const middle = 0.5

// simulate submits the workflow to the cluster once: as a search for a plan of its slots, and as
// best-effort jobs.
func simulate(ctx context.Context, p Parameters, env model.Env) (Outcome, error) {
	b, err := loadBackground(ctx, p, env)
	if err != nil {
		return Outcome{}, err
	}
	at, err := drawSubmission(p, env, b)
	if err != nil {
		return Outcome{}, err
	}
	w := workflowOf(p, env)
	live, _ := b.schedule(at)
	slots, processors := offers(live, int32(p.Nodes), int64(p.Horizon), p.Extension)
	end := env.Span("moga", int(p.Population*(p.Generations+1)))
	found, err := searchOffers(ctx, p, env, slots, w)
	end()
	if err != nil {
		return Outcome{}, err
	}
	end = env.Span("best effort", w.tasks())
	asJobs, err := bestEffort(ctx, b, at, w)
	end()
	if err != nil {
		return Outcome{}, err
	}
	o := Outcome{
		Utilisation: b.utilisation, Submitted: model.Seconds(at),
		Reserved: int64(len(live)), LastEnd: model.Seconds(lastEnd(live)),
		Slots: int64(len(slots)), Evaluations: found.evaluations, FeasiblePlans: int64(len(found.solutions)),
		Front: int64(len(found.front)), Hypervolume: found.front.hypervolume(found.corner),
		BestEffort: float64(asJobs.makespan) / hour, LeastCost: float64(w.work()) / hour,
		Modules: moduleRows(w), Fronts: slices.Collect(planRows(found.front)),
		// sorted only if the table is written
		Plans: func(yield func(PlanRow) bool) { planRows(found.inOrder())(yield) },
	}
	for _, s := range slots {
		if s.divisible {
			o.Divisible++
		}
	}
	if len(found.solutions) == 0 {
		o.Infeasible = 100
	}
	o.Generations = generationRows(found.history)
	o.Shortest = o.Generations[len(o.Generations)-1].Makespan
	planner := newScheduler(p.Scheduler, p.CrossSlot, slots, w)
	for _, row := range provisionedRows(found, planner, p.Ties) {
		o.Executions = append(o.Executions, row,
			ExecutionRow{Approach: "best effort", Alpha: row.Alpha, Makespan: new(o.BestEffort), Cost: new(o.LeastCost)})
	}
	chosen := newPlan(found.slots) // none, where no plan is feasible
	if len(found.front) > 0 {
		chosen = found.front[found.front.choose(middle, p.Ties)].plan
	}
	o.Offers = offerRows(slots, chosen)
	o.Schedule = taskRows(planner, chosen)
	if p.Chart {
		o.Chart = chart(slots, processors, chosen, planner.layout(chosen))
	}
	return o, nil
}

// workflowOf returns the workflow of a run, the same in all replications.
func workflowOf(p Parameters, env model.Env) *workflow {
	if p.Workflow == "cybershake" {
		return cyberShake()
	}
	return synthesise(synthesis{
		sites: 1, tasks: p.Tasks, levels: p.Levels, runtime: int64(p.Runtime), processors: p.Processors,
	}, workflowSeed(p.WorkflowSeed, env))
}

// searchOffers runs the genetic algorithm on the slots that the cluster offers.
func searchOffers(ctx context.Context, p Parameters, env model.Env, slots []slot, w *workflow) (*search, error) {
	s := newSearch(genetics{population: int(p.Population), generations: int(p.Generations), crossover: int(p.Crossover),
		mutation: p.Mutation, breeding: p.Elitism == "breeding"},
		newScheduler(p.Scheduler, p.CrossSlot, slots, w), env.Seed)
	return s, s.run(ctx)
}

// provisionedRows returns the execution of the workflow on the plans chosen for all trade-off
// factors, ties as in Parameters.
func provisionedRows(found *search, planner *scheduler, ties string) []ExecutionRow {
	var rows []ExecutionRow
	row, chosen := ExecutionRow{Approach: "provisioned"}, -1
	for _, alpha := range tradeOffs {
		if len(found.front) > 0 {
			// Neighbouring factors often choose the same plan, which is laid out once.
			if i := found.front.choose(alpha, ties); i != chosen {
				row, chosen = provisioned(found.front[i], planner), i
			}
		}
		row.Alpha = alpha
		rows = append(rows, row)
	}
	return rows
}

// provisioned returns the execution of the workflow on a plan, without a trade-off factor.
func provisioned(m solution, planner *scheduler) ExecutionRow {
	row := ExecutionRow{Approach: "provisioned", Makespan: new(float64(m.makespan) / hour), Cost: new(m.cost / hour),
		Slots: new(m.plan.count())}
	var total, parallel work
	for _, t := range planner.layout(m.plan) {
		for _, allocation := range t.allocations {
			amount := int64(allocation.procs) * (t.end - t.start)
			divisible := planner.slots[allocation.slot].divisible
			total.add(amount, divisible)
			if planner.workflow.procs[t.task] > 1 {
				parallel.add(amount, divisible)
			}
		}
	}
	row.DivisibleShare = metrics.Percent(total.divisible, total.amount)
	row.ParallelDivisible = metrics.Percent(parallel.divisible, parallel.amount)
	return row
}

// work is processor-seconds of tasks, and those of them in divisible slots.
type work struct{ amount, divisible int64 }

func (w *work) add(amount int64, divisible bool) {
	w.amount += amount
	if divisible {
		w.divisible += amount
	}
}

func generationRows(all []generation) []GenerationRow {
	var rows []GenerationRow
	for i, g := range all {
		row := GenerationRow{Generation: int64(i), Front: g.plans, Hypervolume: g.hypervolume}
		if g.least != nil {
			row.Makespan, row.Cost = new(float64(g.least.makespan)/hour), new(g.least.cost/hour)
		}
		rows = append(rows, row)
	}
	return rows
}

func moduleRows(w *workflow) []ModuleRow {
	var rows []ModuleRow
	for _, m := range w.modules {
		runs, procs := int64(0), int64(0)
		for i := m.first; i < m.past; i++ {
			runs += w.run(int32(i), 0)
			procs += int64(w.procs[i])
		}
		n := float64(m.past - m.first)
		rows = append(rows, ModuleRow{
			Module: m.name, Tasks: int64(n), Runtime: float64(runs) / n, Processors: float64(procs) / n,
		})
	}
	return rows
}

// planRows makes the rows of plans, which are in order.
func planRows(plans []solution) iter.Seq[PlanRow] {
	return func(yield func(PlanRow) bool) {
		for i, m := range plans {
			if !yield(PlanRow{Number: int64(i + 1), Makespan: float64(m.makespan) / hour, Cost: m.cost / hour,
				Slots: m.plan.count(), Plan: m.plan.list()}) {
				return
			}
		}
	}
}

func offerRows(slots []slot, chosen plan) []OfferRow {
	var rows []OfferRow
	for i := range slots {
		s := &slots[i]
		rows = append(rows, OfferRow{Slot: int64(i + 1), Procs: int64(s.procs),
			Start: model.Seconds(s.start), End: model.Seconds(s.end),
			Divisible: s.divisible, Extensible: s.extensible, Chosen: chosen.has(i)})
	}
	return rows
}

// taskRows makes the rows of the schedule of tasks on a plan, by task, then slot.
func taskRows(planner *scheduler, chosen plan) iter.Seq[TaskRow] {
	return func(yield func(TaskRow) bool) {
		for _, t := range planner.layout(chosen) {
			for _, allocation := range t.allocations {
				if !yield(TaskRow{Task: int64(t.task) + 1, Slot: int64(allocation.slot) + 1, Procs: int64(allocation.procs),
					Start: model.Seconds(t.start), End: model.Seconds(t.end)}) {
					return
				}
			}
		}
	}
}
