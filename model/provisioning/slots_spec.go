// Specification: the study of the paper's section 3, with its parameters and tables.

package provisioning

import (
	"gridsweep/model"
	"gridsweep/model/workload"
)

// SlotsSpec is the study of the paper's section 3: Figures 1 to 3 and the settings of the genetic
// algorithm.
var SlotsSpec = model.Spec[SlotsParameters, SlotsOutcome]{
	Name:     "provisioning-slots",
	Title:    "Fronts of resource plans on static slots of four sites",
	Paper:    paper,
	Version:  1,
	Defaults: slotsDefaults,
	Validate: validateSlots,
	Cost:     slotsCost,
	Simulate: simulateSlots,
}

// mostSlots bounds the slots on offer, since the evaluation of a plan looks at each.
const mostSlots = 100_000

// slotsDefaults are those of section 3.
var slotsDefaults = SlotsParameters{
	Sites: "10,20,30,40", SlotGap: 1000, SlotLength: 1000, Until: 30_000, UnitCost: 1,
	Tasks: 100, Levels: 10, Runtime: 100, Transfer: 100, WorkflowSeed: 1,
	Scheduler:  "heft",
	Population: 100, Generations: 20, Crossover: 2, Mutation: 1, Elitism: "archive", Ties: "makespan",
}

// SlotsParameters are the slots on offer, the workflow and the genetic algorithm.
type SlotsParameters struct {
	Sites      string        `name:"sites" doc:"processors of the sites, with commas between"`
	SlotGap    model.Seconds `name:"slot_gap" range:"[1,1e8]"`
	_          model.Doc     `doc:"mean time from the start of a site's slot to that of the next, exponential"`
	SlotLength model.Seconds `name:"slot_length" range:"[1,1e8]" doc:"mean duration of a slot, exponential"`
	Until      model.Seconds `name:"until" range:"[0,1e8]" symbol:"t" doc:"no slot starts after this"`
	UnitCost   float64       `name:"unit_cost" range:"[0,1e6]" unit:"SU/(processor h)" symbol:"ci"`
	_          model.Doc     `doc:"multiplicative cost of all slots, for each processor-hour"`
	FixedCost  float64       `name:"fixed_cost" range:"[0,1e9]" unit:"SU" symbol:"fi" doc:"additive cost of each slot"`

	Tasks        int64         `name:"tasks" range:"[1,20000]" unit:"{task}"`
	_            model.Doc     `doc:"tasks of the workflow, of one processor each"`
	Levels       int64         `name:"levels" range:"[1,20000]" unit:"{level}"`
	_            model.Doc     `doc:"levels of the workflow, with equally many tasks"`
	Runtime      model.Seconds `name:"runtime" range:"[1,1e6]"`
	_            model.Doc     `doc:"mean run time of the tasks, uniform on the whole numbers from 1 s"`
	Transfer     model.Seconds `name:"transfer" range:"[0,1e6]"`
	_            model.Doc     `doc:"mean time of a data transfer from a task to a child in another site, exponential"`
	WorkflowSeed int64         `name:"workflow_seed" range:"[0,1e9]" unit:"1"`
	_            model.Doc     `doc:"which workflow is drawn; all replications have the same one"`

	Scheduler string    `name:"scheduler" range:"heft|greedy|min-min|max-min"`
	_         model.Doc `doc:"scheduler: how tasks are put on a plan's slots"`

	Population  int64     `name:"population" range:"[1,10000]" unit:"{plan}"`
	_           model.Doc `doc:"population size of the genetic algorithm; the paper does not give it"`
	Generations int64     `name:"generations" range:"[0,10000]" unit:"{generation}"`
	_           model.Doc `doc:"iterations of the genetic algorithm after the first population; the paper does not give"`
	_           model.Doc `doc:"it"`
	Crossover   int64     `name:"crossover" range:"[1,3]" unit:"{point}" doc:"crossover points"`
	Mutation    float64   `name:"mutation" range:"[0,1000]" unit:"{bit}"`
	_           model.Doc `doc:"mutation: expected number of bits that are flipped in a plan, at most half; 1 is the"`
	_           model.Doc `doc:"paper's probability of 1/n"`
	Elitism     string    `name:"elitism" range:"archive|breeding"`
	_           model.Doc `doc:"plans on the front: archive, kept apart; breeding, also selected as parents"`
	Ties        string    `name:"ties" range:"makespan|cost"`
	_           model.Doc `doc:"which of several plans that Equation 8 finds equal is chosen, such as both of a front of"`
	_           model.Doc `doc:"two with the trade-off factor 0.5: that of the lower makespan or cost"`

	Rivals   string    `name:"rivals"`
	_        model.Doc `doc:"searches whose fronts are combined, to count how many of their plans this run finds"`
	_        model.Doc `doc:"(Figure 3): separated by semicolons, each as the settings in which it differs from the"`
	_        model.Doc `doc:"run, such as scheduler=heft; scheduler=greedy; empty: none"`
	AllPlans bool      `name:"all_plans"`
	_        model.Doc `doc:"whether the table plans has all feasible plans that were met, as in Figure 1, or those on"`
	_        model.Doc `doc:"the front"`
}

// SlotsOutcome is what a search for plans reports.
type SlotsOutcome struct {
	Slots         int64     `name:"slots" doc:"slots offered"`
	Evaluations   int64     `name:"evaluations" doc:"plans that the genetic algorithm evaluated, repeated ones among them"`
	FeasiblePlans int64     `name:"feasible_plans"`
	_             model.Doc `doc:"different plans that the genetic algorithm met on which the workflow can be scheduled"`
	Front         int64     `name:"front" doc:"front: plans that no other plan met dominates"`
	Hypervolume   float64   `name:"hypervolume" unit:"%"`
	_             model.Doc `doc:"hypervolume: share of all combinations of makespan, up to the slots' last end and the"`
	_             model.Doc `doc:"longest chain of tasks after it, and cost, up to that of all slots and tasks, that the"`
	_             model.Doc `doc:"front dominates"`
	Combined      *int64    `name:"combined"`
	_             model.Doc `doc:"combined front: plans on the fronts of all rivals together that none of these"`
	_             model.Doc `doc:"dominates, if there are rivals"`
	CombinedFound *int64    `name:"combined_found"`
	_             model.Doc `doc:"plans found: those of the combined front that are on the front of this scheduler"`
	LeastCost     float64   `name:"least_cost" unit:"SU" doc:"cost of all tasks alone: their processor-hours (Equation 9)"`
	Shortest      *float64  `name:"shortest" unit:"1000 s" doc:"least makespan on the front"`
	Cheapest      *float64  `name:"cheapest" unit:"SU" doc:"least cost on the front"`

	Plans       []SlotsPlanRow       `table:"plans"`
	_           model.Doc            `doc:"plans on the front; with the parameter all_plans all different feasible ones"`
	_           model.Doc            `doc:"that the genetic algorithm met"`
	Choices     []ChoiceRow          `table:"choices" doc:"the plan chosen from the front for each trade-off factor"`
	Generations []SlotsGenerationRow `table:"generations" doc:"the front after each generation of the genetic algorithm"`
}

// SlotsPlanRow is a plan on which the workflow can be scheduled.
type SlotsPlanRow struct {
	Pareto   string    `name:"pareto" key:"" doc:"front, if no other plan has a lower cost and makespan, or dominated"`
	Number   int64     `name:"number" key:""`
	_        model.Doc `doc:"number of the plan among those in the table, from 1, by makespan, then cost"`
	Makespan float64   `name:"makespan" unit:"1000 s"`
	_        model.Doc `doc:"makespan: from the submission to the last end of a task (Equation 5)"`
	Cost     float64   `name:"cost" unit:"SU" doc:"allocation cost: processor-hours paid (Equation 4)"`
	Slots    int64     `name:"slots" doc:"slots in the plan"`
	Plan     string    `name:"plan" doc:"numbers of its slots from 1, with commas between"`
}

// ChoiceRow is the plan chosen for a trade-off factor.
type ChoiceRow struct {
	Alpha    float64   `name:"alpha" key:"" symbol:"α"`
	_        model.Doc `doc:"trade-off factor: weight of cost in the choice from the front (Equation 8)"`
	Makespan *float64  `name:"makespan" unit:"1000 s"`
	_        model.Doc `doc:"makespan: from the submission to the last end of a task (Equation 5)"`
	Cost     *float64  `name:"cost" unit:"SU" doc:"allocation cost: processor-hours paid (Equation 4)"`
	Slots    *int64    `name:"slots" doc:"slots in the plan"`
}

// SlotsGenerationRow is the archive at the end of a generation.
type SlotsGenerationRow struct {
	Generation  int64    `name:"generation" key:"" doc:"generation: 0 is the first population"`
	Front       int64    `name:"front" doc:"front: plans that no other plan met so far dominates"`
	Hypervolume float64  `name:"hypervolume" unit:"%" doc:"hypervolume: of this front, as in the table runs"`
	Makespan    *float64 `name:"makespan" unit:"1000 s" doc:"least makespan so far"`
	Cost        *float64 `name:"cost" unit:"SU" doc:"least cost so far"`
}

// validateSlots reports parameters that contradict each other.
func validateSlots(p SlotsParameters) []model.Problem {
	var problems model.Problems
	report := problems.Report
	if sizes, err := workload.ParseSizes(p.Sites); err != nil {
		report("sites", "%v", err)
	} else if expected := int64(len(sizes)) * (1 + int64(p.Until)/int64(p.SlotGap)); expected > mostSlots {
		report("until", "%s at gaps of %s: some %d slots are expected, of which there may be %d",
			p.Until, p.SlotGap, expected, mostSlots)
	}
	all, err := rivals(p)
	problems.Add("rivals", err)
	for _, rival := range append(all, p) {
		if text := levelProblem(p.Tasks, p.Levels, rival.Scheduler); text != "" {
			report("levels", "%s", text)
			break
		}
	}
	return problems
}

// slotsCost is in microseconds on the machine of docs/explanation/performance.md, roughly: that of
// scheduling the workflow for each plan. Rivals share their searches.
func slotsCost(p SlotsParameters) float64 {
	perPlan := 0.5 * float64(p.Tasks)
	if byLevel(p.Scheduler) {
		perPlan *= float64(4+p.Tasks/p.Levels) / 4
	}
	return 1000 + float64(perPlan*float64(p.Population)*float64(p.Generations+1))
}
