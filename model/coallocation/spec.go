// Package coallocation is the system of Thirukailayanathan's thesis on co-allocation in Grids: a
// broker receives requests for several resources at once, all in one window of time, and books them
// ahead of time or rejects them.
//
// Its one idea: a resource is its list of free gaps. Every algorithm chooses among the gaps that
// can hold a task between the request's earliest start and its deadline; booking splits the chosen
// ones.
//
// [Spec] is the study. The 16 stepwise algorithms combine a start-task rule (1A to 1D) and a
// next-task rule (1E to 1H); algorithm "random" is RAN/RAN, a uniform choice among all combinations
// of resources. Where the thesis leaves a choice open, a parameter has the alternative assumptions.
package coallocation

import (
	"gridsweep/model"
)

// Spec is the study of the thesis' chapters 3 and 4.
var Spec = model.Spec[Parameters, Outcome]{
	Name:  "coallocation",
	Title: "Co-allocation of resources for advance reservation requests",
	Paper: "Kirushananth Thirukailayanathan, Techniques for Co-Allocation of Resources in Grids Processing Advance " +
		"Reservation Requests, MASc thesis, Carleton University, 2011, ISBN 978-0-494-83031-4",
	Version:   1,
	Defaults:  defaults,
	Validate:  validate,
	Cost:      cost,
	Canonical: canonical,
	Simulate:  simulate,
}

var defaults = Parameters{
	Algorithm: "stepwise", Start: "1C", Next: "1G",
	Lambda: 0.4, Requests: 5000, Delay: 10 * 3600, ServiceMin: 10 * 60, ServiceMax: 90 * 60, Laxity: 5,
	TasksMin: 2, TasksMax: 6,
	ResourceTypes: 6, Resources: 15, Types: "nested",
	Window: "fixed", WindowStart: "earliest", StartTask: "lexicographic", NextOrder: "given",
	Leftover: "window", LoadOver: "window", LatestBy: "end", Ties: "list",
	Slack: "with", EarliestTask: "earliest", IntervalTies: "resource", Ends: "open", Granularity: 1,
}

// Parameters are those of Table 4-1, the algorithm, and the assumptions where the thesis leaves a
// choice open.
//
// Deviation: the default laxity is 5 and not the 2 of Table 4-1, since the default rows of Tables
// A.2, A.4 and A.6 are one and the same run, that of L = 5.
//
// Deviation: the default window is fixed, whereas section 3.1, step 4 lets the window be the whole
// interval and cuts it by that of each next task. Then 1E and 1F differ by 0.7 points of blocking
// on average and 3.9 at most over Tables A.1 and A.2; in the tables it is 0.1 and 0.7. A fixed
// window leaves nothing of itself, so 1E and 1F are one.
//
// Deviation: section 3.1.1.4 selects for 1D the task "that has the latest interval", against its
// own name and the sentences around it; the default selects the earliest.
//
// Deviation: ties of the next-task rule go to the interval that the start rule lists first. Section
// 3.1.2 compares the next leftover times for 1E and 1F, which are all 0 in a fixed window too, and
// draws for 1G and 1H, which would let the comparison of algorithms depend on numbers that they do
// not share.
type Parameters struct {
	Algorithm string    `name:"algorithm" range:"stepwise|random"`
	_         model.Doc `doc:"stepwise places the tasks one by one by the rules start and next (section 3.1); random is"`
	_         model.Doc `doc:"RAN/RAN: one of all feasible combinations of resources, uniformly, at its earliest common"`
	_         model.Doc `doc:"start (section 4.2.6)"`
	Start     string    `name:"start" range:"1A|1B|1C|1D"`
	_         model.Doc `doc:"start-task rule: 1A largest, 1B smallest, 1C latest, 1D earliest interval (section 3.1.1)"`
	Next      string    `name:"next" alias:"next_rule" range:"1E|1F|1G|1H"`
	_         model.Doc `doc:"next-task rule: 1E smallest, 1F largest leftover time, 1G busiest, 1H idlest resource"`
	_         model.Doc `doc:"(section 3.1.2; the headings of 1G and 1H swap, its conclusions settle which is which)"`

	Lambda     float64       `name:"lambda" alias:"arrival_rate" unit:"1/min" range:"[1e-6,1e6]" symbol:"λ"`
	_          model.Doc     `doc:"arrival rate: of the Poisson process of requests"`
	Requests   int64         `name:"requests" range:"[1,1e7]" unit:"{request}" symbol:"N"`
	_          model.Doc     `doc:"requests of a run, all of them reported: 5000 in Table 4-1, 6000 in section 4.1"`
	Delay      model.Seconds `name:"delay" range:"[0,1e8]" symbol:"D"`
	_          model.Doc     `doc:"start-time delay: upper bound of the uniform time, from 0, between a request's arrival"`
	_          model.Doc     `doc:"and its earliest start"`
	ServiceMin model.Seconds `name:"service_min" range:"[1,1e8]" doc:"lower bound of the uniform execution time t_ET"`
	ServiceMax model.Seconds `name:"service_max" range:"[1,1e8]" doc:"upper bound of the uniform execution time t_ET"`
	Laxity     float64       `name:"laxity" range:"[1,1000]" unit:"1" symbol:"L"`
	_          model.Doc     `doc:"laxity: time from earliest start to deadline over the execution time (Equation 3.7); 1"`
	_          model.Doc     `doc:"leaves no slack"`
	TasksMin   int64         `name:"tasks_min" range:"[1,100]" unit:"{task}"`
	_          model.Doc     `doc:"lower bound of the uniform number of tasks I of a request"`
	TasksMax   int64         `name:"tasks_max" range:"[1,100]" unit:"{task}"`
	_          model.Doc     `doc:"upper bound of the uniform number of tasks I of a request"`

	ResourceTypes int64     `name:"resource_types" range:"[1,100]" unit:"{type}" symbol:"J" doc:"types of resources"`
	Resources     int64     `name:"resources" range:"[1,1000]" unit:"{resource}" symbol:"M_J" doc:"resources of each type"`
	Types         string    `name:"types" range:"nested|random|distinct|first"`
	_             model.Doc `doc:"types of a request's tasks: nested, task i needs type i modulo the number of types;"`
	_             model.Doc `doc:"random, each any type; distinct, a prefix of a random permutation of the types; first,"`
	_             model.Doc `doc:"task 1 needs type 1, the others a prefix of a random permutation of the other types"`

	Window      string    `name:"window" alias:"window_rule" range:"fixed|shrinking|sliding"`
	_           model.Doc `doc:"the window in the start task's interval: fixed, t_ET at its beginning; shrinking, the"`
	_           model.Doc `doc:"interval, cut by that of each next task (Figure 3-1); sliding, the first t_ET in it in"`
	_           model.Doc `doc:"which every task has a free resource"`
	WindowStart string    `name:"window_start" range:"earliest|latest|rule"`
	_           model.Doc `doc:"the end of the interval from which a fixed or sliding window is tried, and of a shrunken"`
	_           model.Doc `doc:"window at which the tasks start; rule, latest for 1C and earliest for the others"`
	StartTask   string    `name:"start_task" range:"lexicographic|distinct|first|fewest"`
	_           model.Doc `doc:"the start task: lexicographic, whose sorted intervals come first by the start rule;"`
	_           model.Doc `doc:"distinct, the same without repeated keys; first, by the first interval only; fewest, the"`
	_           model.Doc `doc:"one with the fewest intervals; then the lowest task index"`
	NextOrder   string    `name:"next_order" range:"given|random|fewest"`
	_           model.Doc `doc:"order of the tasks after the start task: by index, random once a request, or by the"`
	_           model.Doc `doc:"number of their intervals"`
	Leftover    string    `name:"leftover" range:"window|gap"`
	_           model.Doc `doc:"leftover time of 1E and 1F: of the window after the interval has cut it (Equation 3.1;"`
	_           model.Doc `doc:"always 0 if the window is fixed), or of the resource's gap"`
	LoadOver    string    `name:"load_over" range:"window|history|past"`
	_           model.Doc `doc:"1G and 1H compare the time a resource is booked: window, between the request's earliest"`
	_           model.Doc `doc:"start and deadline; history, in all since the run began; past, from then to the arrival"`
	LatestBy    string    `name:"latest_by" range:"end|start" doc:"which end of an interval makes it the latest for 1C"`
	Ties        string    `name:"ties" range:"list|index|random|thesis"`
	_           model.Doc `doc:"ties of the next-task rule: list, order of the start rule; index, lowest resource;"`
	_           model.Doc `doc:"random; thesis, for 1E and 1F the resources' next leftover times, for 1G and 1H random"`
	_           model.Doc `doc:"(section 3.1.2)"`

	Slack        string        `name:"slack" range:"with|beyond"`
	_            model.Doc     `doc:"the time L t_ET from the earliest start to the deadline: with, it includes the"`
	_            model.Doc     `doc:"execution (Equation 3.6); beyond, the execution time is added (the definition that"`
	_            model.Doc     `doc:"opens chapter 3)"`
	EarliestTask string        `name:"earliest_task" range:"earliest|latest"`
	_            model.Doc     `doc:"the start task of 1D: whose earliest interval is the earliest, by its name, or the"`
	_            model.Doc     `doc:"latest, by the sentence that defines it (section 3.1.1.4)"`
	IntervalTies string        `name:"interval_ties" range:"resource|shortest|longest"`
	_            model.Doc     `doc:"order of the intervals of a task with equal keys of the start rule: lowest resource,"`
	_            model.Doc     `doc:"shortest or longest interval first; then resource, then begin"`
	Ends         string        `name:"ends" range:"open|closed"`
	_            model.Doc     `doc:"reservations of a resource: open, one may start when another ends; closed, at the"`
	_            model.Doc     `doc:"earliest one unit of granularity later"`
	Granularity  model.Seconds `name:"granularity" range:"[1,3600]"`
	_            model.Doc     `doc:"granularity: all times are rounded to multiples of it, execution times to at least"`
	_            model.Doc     `doc:"one"`
}

// Outcome is what a run reports: the metrics of section 3.2.4 and what figures need.
type Outcome struct {
	Blocking     float64   `name:"blocking" unit:"%" symbol:"B"`
	_            model.Doc `doc:"blocking ratio: 100 x requests rejected / requests (Equation 3.3)"`
	Utilisation  float64   `name:"utilisation" unit:"%" symbol:"U"`
	_            model.Doc `doc:"utilisation: 100 x booked time of all resources / (observation time x resources)"`
	_            model.Doc `doc:"(Equation 3.4)"`
	WorkRejected float64   `name:"work_rejected" unit:"%" symbol:"W_R"`
	_            model.Doc `doc:"work rejected: 100 x work of the requests rejected / work of all requests; work is t_ET"`
	_            model.Doc `doc:"x tasks (Equation 3.2)"`
	// Fairness and FairnessRejecting differ only in what they are when nothing is rejected.
	Fairness          float64   `name:"fairness" symbol:"Q_R"`
	_                 model.Doc `doc:"fairness: mean work of a rejected request / mean work of a request (Equation 3.5);"`
	_                 model.Doc `doc:"1 when nothing is rejected (section 4.2.1.1)"`
	FairnessRejecting *float64  `name:"fairness_rejecting" symbol:"Q_R"`
	_                 model.Doc `doc:"fairness where something is rejected: as fairness (Equation 3.5), undefined when"`
	_                 model.Doc `doc:"nothing is rejected"`
	Unfairness        *float64  `name:"unfairness" symbol:"|Q_R - 1|"`
	_                 model.Doc `doc:"unfairness: distance of the fairness from 1, the measure by which section 4.2.1.1"`
	_                 model.Doc `doc:"calls an algorithm the fairer; undefined when nothing is rejected"`

	CandidateResources float64   `name:"candidate_resources"`
	_                  model.Doc `doc:"mean over all tasks of all requests of the resources that could run the task"`
	_                  model.Doc `doc:"(section 3.1, step 1)"`
	CandidateIntervals float64   `name:"candidate_intervals"`
	_                  model.Doc `doc:"mean over all tasks of all requests of the intervals in which the task could run"`
	_                  model.Doc `doc:"(section 3.1, step 2)"`

	MeanTasks   float64       `name:"mean_tasks" symbol:"E[I]"`
	_           model.Doc     `doc:"mean number of tasks: of its distribution, the x of Figures 4-23 to 4-26"`
	MeanService float64       `name:"mean_service" unit:"min" symbol:"E[t_ET]"`
	_           model.Doc     `doc:"mean service time: of the distribution of the execution time, the x of Figures 4-27"`
	_           model.Doc     `doc:"to 4-30"`
	Rejected    int64         `name:"rejected" doc:"requests rejected"`
	Observation model.Seconds `name:"observation"`
	_           model.Doc     `doc:"observation time: from 0 to the end of the last accepted reservation; 0 if there is"`
	_           model.Doc     `doc:"none"`
}

// validate reports the bounds that contradict each other and requests that no system could place.
func validate(p Parameters) []model.Problem {
	var problems model.Problems
	report := problems.Report
	if p.ServiceMin > p.ServiceMax {
		report("service_min", "%s is above service_max %s: the lower bound must not exceed the upper",
			p.ServiceMin, p.ServiceMax)
	}
	if p.TasksMin > p.TasksMax {
		report("tasks_min", "%d is above tasks_max %d: the lower bound must not exceed the upper", p.TasksMin, p.TasksMax)
	}
	if (p.Types == "distinct" || p.Types == "first") && p.TasksMax > p.ResourceTypes {
		report("tasks_max", "%d tasks of distinct types need at least as many resource_types, not %d",
			p.TasksMax, p.ResourceTypes)
	}
	if most := p.ResourceTypes * p.Resources; p.TasksMax > most {
		report("tasks_max", "%d tasks can never run at once on %d resource_types of %d resources: at most %d can",
			p.TasksMax, p.ResourceTypes, p.Resources, most)
	}
	return problems
}

// cost is in microseconds on the machine of docs/explanation/performance.md, roughly: a request
// costs a search for gaps in every resource of its tasks' types, RAN/RAN about twice as much.
func cost(p Parameters) float64 {
	types := min(float64(p.TasksMin+p.TasksMax)/2, float64(p.ResourceTypes))
	perResource := 0.025
	if p.Algorithm == "random" {
		perResource = 0.055
	}
	return float64(p.Requests) * types * float64(p.Resources) * perResource
}
