// Package scheduling is the model of one machine, one workload and one policy. Every study that
// replays logs or workload models under scheduling policies uses it. A study file names the
// parameters that it varies; docs/reference/scheduling-model.md explains them.
//
// Its one idea is that a workload is made before it is simulated. A log, or a workload model, is
// cut, cleaned, varied for the replication and scaled once, and all policies of the replication
// schedule the same jobs.
package scheduling

import (
	"gridsweep/model"
	"gridsweep/model/workload"
)

// Spec is the model.
var Spec = model.Spec[Parameters, Outcome]{
	Name:  "scheduling",
	Title: "One machine under a scheduling policy",
	Paper: "A. W. Mu'alem and D. G. Feitelson, Utilization, predictability, workloads, and user runtime estimates in " +
		"scheduling the IBM SP2 with backfilling, IEEE Transactions on Parallel and Distributed Systems 12(6), 2001, " +
		"https://doi.org/10.1109/71.932708",
	Version:  1,
	Defaults: defaults,
	Validate: validate,
	Traces:   traces,
	Workload: workloadModel,
	Program:  "policy",
	Check:    check,
	Cost:     cost,
	Simulate: simulate,
}

const (
	minute = 60
	hour   = 3600
)

var defaults = Parameters{
	Trace: model.TraceAuto, ScaleArrivals: 1, ScaleRuntimes: 1, Replication: "auto",
	Segments: 10, Shake: 10 * minute,
	Policy: "easy", Order: "arrival", Estimates: "exact", Overrun: "kill", Instant: "batch", Pivot: "replanned",
	Placement: "count", Bound: 10, Classes: "8 x 1h", Intervals: 100,
}

// defaultModel is the workload model of a point that names none.
const defaultModel = "lublin"

// Parameters are the workload, how replications vary it, the machine and its policy, and how the
// schedule is measured.
type Parameters struct {
	Trace string    `name:"trace"`
	_     model.Doc `doc:"workload: a log, by its name in the catalogue or its file, or a workload model such as"`
	_     model.Doc `doc:"lublin; LOG|MODEL is the model where the log is not found; auto is lublin"`
	Procs int64     `name:"procs" range:"[0,2.68435456e8]" unit:"{processor}"`
	_     model.Doc `doc:"processors of the machine; 0: as the header of the log or the workload model says"`

	From        model.Seconds `name:"from" alias:"window_from" range:"[0,1e12]"`
	_           model.Doc     `doc:"beginning of the window of the log, from its first submit on"`
	To          model.Seconds `name:"to" alias:"window_to" range:"[0,1e12]"`
	_           model.Doc     `doc:"end of the window of the log; 0: that of the log"`
	KeepPartial bool          `name:"keep_partial"`
	_           model.Doc     `doc:"whether records of partial executions, status 2 to 4, are taken as jobs"`
	Partition   string        `name:"partition"`
	_           model.Doc     `doc:"partitions of the log whose jobs are taken, as numbers with commas between; empty:"`
	_           model.Doc     `doc:"all"`
	Site        string        `name:"site"`
	_           model.Doc     `doc:"sites whose jobs are taken, as numbers; empty: all"`
	User        string        `name:"user" alias:"users_taken"`
	_           model.Doc     `doc:"users whose jobs are taken, as numbers; empty: all"`
	Queue       string        `name:"queue"`
	_           model.Doc     `doc:"queues whose jobs are taken, as numbers; empty: all"`
	Status      string        `name:"status"`
	_           model.Doc     `doc:"statuses of the jobs that are taken, as numbers; empty: all"`
	MaxJobs     int64         `name:"max_jobs" range:"[0,1e8]" unit:"{job}"`
	_           model.Doc     `doc:"first jobs of the log, 0: all; a workload model draws so many, 0: 10000"`

	Load          float64   `name:"load" range:"[0,100]" unit:"1"`
	_             model.Doc `doc:"offered load: the factor on the times between submits is such that the jobs offer it;"`
	_             model.Doc `doc:"0: they stay"`
	ScaleArrivals float64   `name:"scale_arrivals" range:"(0,1e6]" unit:"1"`
	_             model.Doc `doc:"factor on the times between submits; 1 beside a load"`
	ScaleRuntimes float64   `name:"scale_runtimes" range:"(0,1e6]" unit:"1"`
	_             model.Doc `doc:"factor on run times and requested times"`

	Replication string        `name:"replication" range:"auto|seeds|parts|shaking|weeks|users"`
	_           model.Doc     `doc:"what differs between replications of a log: auto, as shaking; seeds, random numbers"`
	_           model.Doc     `doc:"only; parts, the segment; shaking, the submits; weeks or users, which of them are"`
	_           model.Doc     `doc:"drawn from the log; a workload model always draws another workload in each"`
	Segments    int64         `name:"parts" range:"[1,10000]" unit:"1"`
	_           model.Doc     `doc:"segments of equal length that the log is divided into; a replication replays one"`
	Shake       model.Seconds `name:"shake" range:"[1,4294967296]"`
	_           model.Doc     `doc:"by how much shaking moves a submit at most"`
	Burst       model.Seconds `name:"burst" range:"[0,4294967296]"`
	_           model.Doc     `doc:"longest gap between jobs of a user that shaking moves together; 0: it moves each job"`
	_           model.Doc     `doc:"alone"`

	Policy       string    `name:"policy"`
	_            model.Doc `doc:"scheduling policy, such as fcfs, easy, easy:k or conservative"`
	_            model.Doc `doc:"(docs/reference/scheduling.md); exec:FILE is a program"`
	Order        string    `name:"order" alias:"queue_order"`
	_            model.Doc `doc:"queue order: keys with commas between, each a name, such as arrival or saf, or an"`
	_            model.Doc `doc:"expression of wait, estimate, procs and submit"`
	Estimates    string    `name:"estimates"`
	_            model.Doc `doc:"run times that the scheduler knows: exact, user, factor:F, uniform:F, tsafrir or"`
	_            model.Doc `doc:"tsafrir:LONGEST"`
	Overrun      string    `name:"overrun" range:"kill|run|raise"`
	_            model.Doc `doc:"what happens to a job at the end of its estimate: it ends, it runs on, or its estimate"`
	_            model.Doc `doc:"was raised before"`
	Instant      string    `name:"instant" range:"batch|each"`
	_            model.Doc `doc:"event order within one second: all ends, all submits and one pass, or a pass after each"`
	_            model.Doc `doc:"event"`
	Pivot        string    `name:"pivot" alias:"pivot_bookings" range:"replanned|kept"`
	_            model.Doc `doc:"bookings of the pivots of EASY backfilling: dropped after each pass, or kept"`
	Placement    string    `name:"placement" range:"count|fixed"`
	_            model.Doc `doc:"whether processors are counted, or a job gets particular ones when it is booked"`
	Partitions   string    `name:"partitions"`
	_            model.Doc `doc:"boundaries between partitions of the machine by estimate, such as 1000,10000 or"`
	_            model.Doc `doc:"15min,3h; empty: one partition"`
	Reservations string    `name:"reservations"`
	_            model.Doc `doc:"advance reservations FROM+DURATION:PROCS with commas between, such as 1d+2h:64; empty:"`
	_            model.Doc `doc:"none"`

	Warmup    model.Seconds `name:"warmup" range:"[0,1e12]"`
	_         model.Doc     `doc:"time after the first submit in which submitted jobs are simulated and not measured"`
	Cooldown  model.Seconds `name:"cooldown" range:"[0,1e12]"`
	_         model.Doc     `doc:"time before the last submit in which submitted jobs are simulated and not measured"`
	Bound     model.Seconds `name:"bound" range:"[1,1e9]"`
	_         model.Doc     `doc:"least run time that bounded slowdown divides by (10 s: Feitelson & Rudolph, JSSPP 1998)"`
	Classes   string        `name:"classes"`
	_         model.Doc     `doc:"bounds between classes of sizes and of run times, such as 1,8,64 x 1min,1h,10h"`
	Intervals int64         `name:"intervals" range:"[1,10000]" unit:"1"`
	_         model.Doc     `doc:"intervals of equal length that the table load divides the makespan into"`
}

// traces returns the log that a run of the point reads; nil if a workload model draws its jobs.
func traces(p Parameters) []string {
	name, _, _ := model.SplitStandIn(p.Trace)
	if _, isModel := ModelOf(name); isModel {
		return nil
	}
	return []string{model.TraceName(name)}
}

// workloadModel returns the name of the workload model that draws the jobs if a run of the point
// reads no log.
func workloadModel(p Parameters) string {
	name, standIn, _ := model.SplitStandIn(p.Trace)
	if found, isModel := ModelOf(name); isModel {
		return found
	}
	found, _ := ModelOf(standIn)
	return found
}

// ModelOf returns the workload model that a text of the parameter trace names. A scalable model,
// such as lublin, needs no prefix. A site model shares its name with a log: das2 is the log, and
// model:das2 is the site model.
func ModelOf(text string) (name string, isModel bool) {
	if text == model.TraceAuto || text == model.TraceModel {
		return defaultModel, true
	}
	if name, isModel = model.TraceWorkload(text); isModel {
		return name, true
	}
	m, err := workload.Find(text)
	return text, err == nil && m.Scalable
}

// jobsDrawn returns how many jobs a workload model draws, as max_jobs says.
func (p *Parameters) jobsDrawn() int64 {
	if p.MaxJobs == 0 {
		return 10_000
	}
	return p.MaxJobs
}
