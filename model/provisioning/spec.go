// Package provisioning is the system of Singh, Kesselman & Deelman, "A Provisioning Model and its
// Comparison with Best-Effort for Performance-Cost Optimization in Grids" (HPDC 2007): sites offer
// slots of their free processors, a genetic algorithm looks for the sets of slots, called plans, on
// which a workflow ends early and costs little, and a cluster runs the same workflow as jobs in its
// queue.
//
// A plan is evaluated by scheduling the whole workflow on it, which [scheduler] does fast.
// docs/explanation/papers/provisioning.md describes what is simulated. Where the paper leaves a
// choice open, a parameter has the alternative assumptions.
//
// There are two studies: [Spec] compares plans with best effort on a cluster with a log's load (the
// paper's sections 5 to 7), [SlotsSpec] studies the fronts of plans on slots drawn at random
// (section 3).
package provisioning

import (
	"fmt"
	"iter"

	"gridsweep/model"
	"gridsweep/model/cluster"
)

// paper is the citation of both studies.
const paper = "G. Singh, C. Kesselman and E. Deelman, A Provisioning Model and its Comparison with Best-Effort for " +
	"Performance-Cost Optimization in Grids, HPDC 2007, pp. 117-126, ACM, ISBN 978-1-59593-673-8"

const (
	day = 24 * 3600
	// longestChain bounds tasks that follow one another, in s: with the time that they wait they
	// fit the cluster's clock, which goes to 2^32.
	longestChain = 1e9
	// the trace of the background load, and the site model used where it is not available
	log = "ctc-sp2"
)

// Units of both studies' outcomes, in those of the simulation.
const (
	hour = 3600.0 // s, and processor-seconds in an SU
	kilo = 1000.0 // s
)

// Spec is the study of the paper's sections 5 to 7.
var Spec = model.Spec[Parameters, Outcome]{
	Name:     "provisioning",
	Title:    "Provisioned and best-effort execution of workflows on a loaded cluster",
	Paper:    paper,
	Version:  1,
	Defaults: defaults,
	Validate: validate,
	Traces:   func(Parameters) []string { return []string{log} },
	Cost:     cost,
	Simulate: simulate,
}

// defaults are those of section 5: one cluster of 430 nodes, 100 tasks of 22 processors and 1000 s
// on average.
var defaults = Parameters{
	Workflow: "synthetic", Tasks: 100, Levels: 10, Runtime: 1000, Processors: 22, WorkflowSeed: 1,
	Nodes: 430, Trace: model.TraceAuto, CopyDelay: 7 * day, Numbering: "at_query", Horizon: day, Extension: true,
	Warmup: 7 * day, Cooldown: 40 * day, Strata: 50,
	Scheduler: "heft", CrossSlot: "always",
	Population: 100, Generations: 20, Crossover: 2, Mutation: 1, Elitism: "archive", Ties: "makespan",
}

// Parameters are the workflow, the cluster with its load, and the genetic algorithm.
type Parameters struct {
	Workflow     string        `name:"workflow" range:"synthetic|cybershake"`
	_            model.Doc     `doc:"synthetic: drawn by tasks, levels, runtime, processors; cybershake: the seismic"`
	_            model.Doc     `doc:"hazard analysis of Table 1"`
	Tasks        int64         `name:"tasks" range:"[1,20000]" unit:"{task}" doc:"tasks of the synthetic workflow"`
	Levels       int64         `name:"levels" range:"[1,20000]" unit:"{level}"`
	_            model.Doc     `doc:"levels of the synthetic workflow, with equally many tasks"`
	Runtime      model.Seconds `name:"runtime" range:"[1,1e6]"`
	_            model.Doc     `doc:"mean run time of the synthetic workflow's tasks, uniform on the whole numbers from 1"`
	_            model.Doc     `doc:"s"`
	Processors   int64         `name:"processors" range:"[1,100000]" unit:"{processor}"`
	_            model.Doc     `doc:"processors per task: mean of the synthetic workflow's tasks, uniform on the whole"`
	_            model.Doc     `doc:"numbers from 1; the largest is twice that less one"`
	WorkflowSeed int64         `name:"workflow_seed" range:"[0,1e9]" unit:"1"`
	_            model.Doc     `doc:"which synthetic workflow is drawn; all replications have the same one"`

	Nodes        int64         `name:"nodes" range:"[1,100000]" unit:"{processor}"`
	_            model.Doc     `doc:"processors of the cluster: 430 in the paper, 338 batch nodes by the log's header"`
	Trace        string        `name:"trace"`
	_            model.Doc     `doc:"background jobs: auto, the log ctc-sp2 where it is found; a file with a trace; or"`
	_            model.Doc     `doc:"model, the CTC site model of docs/reference/workloads.md; the same in all"`
	_            model.Doc     `doc:"replications"`
	Begin        model.Seconds `name:"begin" range:"[0,1e9]"`
	_            model.Doc     `doc:"second 0 of the log, from its first submit; what is submitted before is left out"`
	Window       model.Seconds `name:"window" alias:"log_window" range:"[0,1e9]"`
	_            model.Doc     `doc:"length of the log used, from its second 0; 0 is all of it"`
	Copy         float64       `name:"copy" range:"[0,1]" unit:"1"`
	_            model.Doc     `doc:"probability with which each job of a second copy of the log is submitted too, which"`
	_            model.Doc     `doc:"raises the load (section 5)"`
	CopyDelay    model.Seconds `name:"copy_delay" range:"[0,1e8]"`
	_            model.Doc     `doc:"by how much the second copy of the log is later than the first: a week in the paper"`
	Overestimate float64       `name:"overestimate" range:"[0,1000]" unit:"%"`
	_            model.Doc     `doc:"by how much the background jobs' estimates are above their run times (section 7);"`
	_            model.Doc     `doc:"the workflow's are exact"`
	ReleaseTail  bool          `name:"release_tail"`
	_            model.Doc     `doc:"whether a background job that ends before its estimate gives back the rest of its"`
	_            model.Doc     `doc:"reservation; the paper's holds it (section 4)"`
	Numbering    string        `name:"numbering" range:"at_query|booked"`
	_            model.Doc     `doc:"which processors reservations have, on which the slots depend: at_query, numbered by"`
	_            model.Doc     `doc:"start when slots are requested; booked, the lowest free ones when the reservation is"`
	_            model.Doc     `doc:"made, kept to its end"`
	Horizon      model.Seconds `name:"horizon" range:"[60,1e8]"`
	_            model.Doc     `doc:"slot horizon: the first multiple of this from now that is after the last"`
	_            model.Doc     `doc:"reservation; 24 h in the paper"`
	Extension    bool          `name:"extension"`
	_            model.Doc     `doc:"whether slots that end at the horizon are extensible: tasks may run past it or start"`
	_            model.Doc     `doc:"after it"`

	Warmup   model.Seconds `name:"warmup" range:"[0,1e9]"`
	_        model.Doc     `doc:"warm-up: no submission of the workflow is earlier than this in the log"`
	Cooldown model.Seconds `name:"cooldown" range:"[0,1e9]"`
	_        model.Doc     `doc:"cool-down: no submission of the workflow is later than this before the log's last submit"`
	Strata   int64         `name:"strata" range:"[1,1e6]" unit:"{stratum}"`
	_        model.Doc     `doc:"strata into which the time for submissions is cut: as many consecutive replications"`
	_        model.Doc     `doc:"submit in one each, 50 in the paper"`

	Scheduler string    `name:"scheduler" range:"heft|greedy|min-min|max-min"`
	_         model.Doc `doc:"how tasks are scheduled on a plan's slots (section 3)"`
	CrossSlot string    `name:"cross_slot" range:"always|only_if_needed"`
	_         model.Doc `doc:"slots for a task: always, any that are free together at the earliest time; only_if_needed,"`
	_         model.Doc `doc:"one slot, and several only for a task that fits into none alone (section 5)"`

	Population  int64     `name:"population" range:"[1,10000]" unit:"{plan}"`
	_           model.Doc `doc:"population size of the genetic algorithm; the paper gives 10 for CyberShake only"`
	Generations int64     `name:"generations" range:"[0,10000]" unit:"{generation}"`
	_           model.Doc `doc:"iterations of the genetic algorithm after the first population; the paper gives 10 for"`
	_           model.Doc `doc:"CyberShake only"`
	Crossover   int64     `name:"crossover" range:"[1,3]" unit:"{point}" doc:"crossover points (section 3)"`
	Mutation    float64   `name:"mutation" range:"[0,1000]" unit:"{bit}"`
	_           model.Doc `doc:"mutation: expected number of bits that are flipped in a plan, at most half; 1 is the"`
	_           model.Doc `doc:"paper's probability of 1/n"`
	Elitism     string    `name:"elitism" range:"archive|breeding"`
	_           model.Doc `doc:"plans on the front: archive, kept apart; breeding, also selected as parents"`
	Ties        string    `name:"ties" range:"makespan|cost"`
	_           model.Doc `doc:"which of several plans that Equation 8 finds equal is chosen, such as both of a front of"`
	_           model.Doc `doc:"two with the trade-off factor 0.5: that of the lower makespan or cost"`

	Chart bool `name:"chart" doc:"whether the run writes the table chart"`
}

// Outcome is what a submission of the workflow reports.
type Outcome struct {
	Utilisation float64       `name:"utilisation" unit:"%"`
	_           model.Doc     `doc:"utilisation by background jobs: 100 x processor-seconds of their run times /"`
	_           model.Doc     `doc:"(processors x time), from the log's second 0 to its last submit"`
	Submitted   model.Seconds `name:"submitted" doc:"when the workflow was submitted, from the log's second 0"`
	Reserved    int64         `name:"reserved" doc:"background jobs with a reservation that had not ended then"`
	LastEnd     model.Seconds `name:"last_end" doc:"end of the last of these reservations, from the submission"`
	Slots       int64         `name:"slots" doc:"slots offered"`
	Divisible   int64         `name:"divisible" doc:"slots offered that end at the horizon"`

	Evaluations   int64     `name:"evaluations" doc:"plans that the genetic algorithm evaluated, repeated ones among them"`
	FeasiblePlans int64     `name:"feasible_plans"`
	_             model.Doc `doc:"different plans that the genetic algorithm met on which the workflow can be scheduled"`
	Infeasible    float64   `name:"infeasible" unit:"%"`
	_             model.Doc `doc:"infeasible: 100 if the workflow can be scheduled on none of the plans met, so that it"`
	_             model.Doc `doc:"has no makespan and cost; else 0"`
	Front         int64     `name:"front" doc:"front: plans that no other plan met dominates"`
	Hypervolume   float64   `name:"hypervolume" unit:"%"`
	_             model.Doc `doc:"hypervolume: share of all combinations of makespan, up to the slots' last end and the"`
	_             model.Doc `doc:"longest chain of tasks after it, and cost, up to that of all slots and tasks, that the"`
	_             model.Doc `doc:"front dominates"`
	BestEffort    float64   `name:"best_effort" unit:"h"`
	_             model.Doc `doc:"best-effort makespan: from the first submission of a task to the last end"`
	LeastCost     float64   `name:"least_cost" unit:"SU" doc:"best-effort cost: processor-hours of all tasks (Equation 9)"`
	Shortest      *float64  `name:"shortest" unit:"h" doc:"least makespan on the front"`

	Executions  []ExecutionRow    `table:"executions"`
	_           model.Doc         `doc:"the workflow as provisioned by each trade-off factor, and with best effort,"`
	_           model.Doc         `doc:"which is the same for all factors"`
	Modules     []ModuleRow       `table:"modules"`
	_           model.Doc         `doc:"the workflow: one row for each module of CyberShake, or for each level of a"`
	_           model.Doc         `doc:"synthetic workflow"`
	Generations []GenerationRow   `table:"generations" doc:"the front after each generation of the genetic algorithm"`
	Chart       []ChartRow        `table:"chart"`
	_           model.Doc         `doc:"rectangles of a Gantt chart of the plan chosen for the trade-off factor 0.5,"`
	_           model.Doc         `doc:"over the slots offered; only with the parameter chart"`
	Fronts      []PlanRow         `table:"fronts,optional" doc:"plans on the front"`
	Plans       iter.Seq[PlanRow] `table:"plans,optional"`
	_           model.Doc         `doc:"all different feasible plans that the genetic algorithm met"`
	Offers      []OfferRow        `table:"offers,optional"`
	_           model.Doc         `doc:"slots offered, with those chosen for the trade-off factor 0.5"`
	Schedule    iter.Seq[TaskRow] `table:"schedule,optional"`
	_           model.Doc         `doc:"schedule of tasks: one row for each task and slot under the plan chosen for the"`
	_           model.Doc         `doc:"trade-off factor 0.5"`
}

// ExecutionRow is the workflow executed in one way.
type ExecutionRow struct {
	Approach          string    `name:"approach" key:"" doc:"provisioned, or best effort"`
	Alpha             float64   `name:"alpha" key:"" symbol:"α"`
	_                 model.Doc `doc:"trade-off factor: weight of cost in the choice from the front (Equation 8)"`
	Makespan          *float64  `name:"makespan" unit:"h"`
	_                 model.Doc `doc:"makespan: from the submission to the last end of a task (Equation 5)"`
	Cost              *float64  `name:"cost" unit:"SU" doc:"allocation cost: processor-hours paid (Equations 4 and 9)"`
	Slots             *int64    `name:"slots" doc:"slots in the plan"`
	DivisibleShare    *float64  `name:"divisible_share" unit:"%"`
	_                 model.Doc `doc:"work in divisible slots: of the processor-seconds of all tasks"`
	ParallelDivisible *float64  `name:"parallel_divisible" unit:"%"`
	_                 model.Doc `doc:"parallel work in divisible slots: of the processor-seconds of tasks with more than"`
	_                 model.Doc `doc:"one processor"`
}

// ModuleRow is a module or level of the workflow.
type ModuleRow struct {
	Module     string  `name:"module" key:"" doc:"module of CyberShake, or level of a synthetic workflow, from 0"`
	Tasks      int64   `name:"tasks" doc:"tasks"`
	Runtime    float64 `name:"runtime" unit:"s" doc:"mean run time"`
	Processors float64 `name:"processors" doc:"mean processors"`
}

// GenerationRow is the archive at the end of a generation.
type GenerationRow struct {
	Generation  int64    `name:"generation" key:"" doc:"generation: 0 is the first population"`
	Front       int64    `name:"front" doc:"front: plans that no other plan met so far dominates"`
	Hypervolume float64  `name:"hypervolume" unit:"%" doc:"hypervolume: of this front, as in the table runs"`
	Makespan    *float64 `name:"makespan" unit:"h" doc:"least makespan so far"`
	Cost        *float64 `name:"cost" unit:"SU" doc:"least cost so far"`
}

// PlanRow is a plan on which the workflow can be scheduled.
type PlanRow struct {
	Number   int64   `name:"number" key:"" doc:"number of the plan, from 1, by makespan, then cost"`
	Makespan float64 `name:"makespan" unit:"h" doc:"makespan: from the submission to the last end of a task (Equation 5)"`
	Cost     float64 `name:"cost" unit:"SU" doc:"allocation cost: processor-hours paid (Equation 4)"`
	Slots    int64   `name:"slots" doc:"slots in the plan"`
	Plan     string  `name:"plan" doc:"numbers of its slots from 1, with commas between"`
}

// OfferRow is a slot on offer.
type OfferRow struct {
	Slot       int64         `name:"slot" key:"" doc:"number of the slot, from 1, by start, then end"`
	Procs      int64         `name:"procs" doc:"processors"`
	Start      model.Seconds `name:"start" doc:"start, from the submission"`
	End        model.Seconds `name:"end" doc:"end, from the submission"`
	Divisible  bool          `name:"divisible" doc:"whether some of its processors can be paid alone"`
	Extensible bool          `name:"extensible" doc:"whether tasks may run past its end"`
	Chosen     bool          `name:"chosen" doc:"whether it is in the plan chosen for the trade-off factor 0.5"`
}

// TaskRow has the processors that a task has in a slot.
type TaskRow struct {
	Task  int64         `name:"task" key:"" doc:"number of the task, from 1"`
	Slot  int64         `name:"slot" key:"" doc:"number of the slot, from 1"`
	Procs int64         `name:"procs" doc:"processors of the slot that the task has"`
	Start model.Seconds `name:"start" doc:"start, from the submission"`
	End   model.Seconds `name:"end" doc:"end, from the submission"`
}

// ChartRow is a rectangle of a Gantt chart: processors of a slot, or those that a task has in one.
type ChartRow struct {
	Shows     string        `name:"kind" key:"" doc:"offered or chosen, of a slot, or task"`
	Number    int64         `name:"number" key:"" doc:"number of the slot or task, from 1"`
	Rectangle int64         `name:"part" key:""`
	_         model.Doc     `doc:"number of the rectangle, from 1: a slot or task has one for each group of neighbouring"`
	_         model.Doc     `doc:"processors"`
	Processor int64         `name:"processor" doc:"lowest of its processors, from 1"`
	Procs     int64         `name:"procs" doc:"processors"`
	Start     model.Seconds `name:"start" doc:"start, from the submission"`
	End       model.Seconds `name:"end" doc:"end, from the submission"`
}

// validate reports parameters that contradict each other.
func validate(p Parameters) []model.Problem {
	var problems model.Problems
	report := problems.Report
	largest := int64(cyberShakeLargest)
	if p.Workflow == "synthetic" {
		largest = 2*p.Processors - 1
		if text := levelProblem(p.Tasks, p.Levels, p.Scheduler); text != "" {
			report("levels", "%s", text)
		}
	}
	if largest > p.Nodes {
		report("nodes", "%d are too few for tasks of up to %d processors", p.Nodes, largest)
	}
	if chain := p.Levels * (2*int64(p.Runtime) - 1); p.Workflow == "synthetic" && chain > longestChain {
		report("runtime", "%s: a chain of tasks may take %s in %d levels, the longest may be %s", p.Runtime,
			model.Seconds(chain), p.Levels, model.Seconds(longestChain))
	}
	if p.Numbering == "booked" {
		_, err := cluster.New(siteConfig(&p))
		problems.Add("nodes", err)
	}
	if p.Window > 0 && p.Warmup+p.Cooldown >= p.Window {
		report("window", "%s has no time for submissions after warmup %s and before cooldown %s",
			p.Window, p.Warmup, p.Cooldown)
	}
	return problems
}

// byLevel reports whether a scheduler looks at all tasks of a level for each of them.
func byLevel(scheduler string) bool { return scheduler == "min-min" || scheduler == "max-min" }

// levelProblem returns what is wrong with so many tasks in so many levels; empty if nothing is.
func levelProblem(tasks, levels int64, scheduler string) string {
	const most = 5000 // tasks in a level; as many take about a second for each plan
	switch {
	case levels > tasks:
		return fmt.Sprintf("%d for %d tasks: each level has a task or more", levels, tasks)
	case byLevel(scheduler) && tasks/levels > most:
		return fmt.Sprintf("%d for %d tasks: scheduler %s compares all tasks of a level, which may have %d at most",
			levels, tasks, scheduler, most)
	}
	return ""
}

// cost is in microseconds on the machine of docs/explanation/performance.md, roughly: that of
// scheduling the workflow for each plan.
func cost(p Parameters) float64 {
	perPlan := 0.5 * float64(p.Tasks)
	if p.Workflow == "cybershake" {
		perPlan = 400
	}
	if byLevel(p.Scheduler) {
		perPlan *= float64(4+p.Tasks/p.Levels) / 4
	}
	return 1000 + float64(perPlan*float64(p.Population)*float64(p.Generations+1))
}
