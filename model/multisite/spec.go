// Package multisite is the system of de Assunção & Buyya, "Performance Analysis of Multiple Site
// Resource Provisioning" (HiPC 2008): clusters with local users and a gateway that sends them the
// jobs of a Grid, by its information about their free time slots.
//
// A provider's plan and the gateway's information about it are two things: a provider is a
// [gridsweep/model/cluster.Site], the gateway's information a
// [gridsweep/model/cluster.Availability] that is stale between two messages.
// docs/explanation/papers/multisite.md describes the messages and the order of events.
//
// [Spec] is the study. Where the paper leaves a choice open, a parameter has the alternative
// assumptions.
package multisite

import (
	"iter"

	"gridsweep/model"
	"gridsweep/model/cluster"
	"gridsweep/model/workload"
)

// Spec is the study of the paper's section 6.
var Spec = model.Spec[Parameters, Outcome]{
	Name:  "multisite",
	Title: "Precision of availability information in multiple site provisioning",
	Paper: "M. Dias de Assunção and R. Buyya, Performance Analysis of Multiple Site Resource Provisioning: Effects of " +
		"the Precision of Availability Information, HiPC 2008, LNCS 5374, https://doi.org/10.1007/978-3-540-89894-8_17",
	Version:   1,
	Defaults:  defaults,
	Validate:  validate,
	Traces:    func(Parameters) []string { return []string{das2} },
	Cost:      cost,
	Canonical: canonical,
	Simulate:  simulate,
}

// defaults are those of Table 1, for conservative providers that publish every two hours.
var defaults = Parameters{
	Provider: "ArCb", Gateway: "earliest-partial", Interval: 2 * 3600, Horizon: "unlimited",
	Sizes: workload.DAS2Sizes, FirstMonth: 9, Months: 4, Trace: model.TraceAuto,
	Warmup: 14 * day, Training: 7 * day,
	DeadlineShare: 0.2, Stringency: 5, Deadline: "as_printed", Tolerance: 20, ReportInterval: 600,
	Pivot: "kept", Placement: "count", Shares: "1,1,1",
	ForecastLoad: "demand", Forecast: "average", NoShare: "silent", Line8: "forecast", Underestimate: "republish",
	Checks: 4,
}

const (
	das2 = "das2" // the trace of the Grid's jobs, and the site model used where it is not available
	day  = 24 * 3600
)

// Parameters are the policies of providers and gateway, the parameters of section 6.1 and Table 1,
// and the assumptions where the paper leaves a choice open.
//
// Deviation: line 8 of Algorithm 1 takes the smaller of 0 and 1 - load, which is never above 0, so
// that providers would never publish a slot. Here it takes the larger one.
type Parameters struct {
	Provider string        `name:"provider" range:"ArEb|ArCb|ArEbM|ArCbM|ArEbMf"`
	_        model.Doc     `doc:"policy of all providers, by the paper's acronym: Ar advance reservations, Eb EASY"`
	_        model.Doc     `doc:"backfilling, Cb conservative backfilling, M partitions by run time, Mf partitions by"`
	_        model.Doc     `doc:"load forecast (section 4)"`
	Gateway  string        `name:"gateway" range:"least-load|earliest-ask|earliest-partial"`
	_        model.Doc     `doc:"policy of the gateway: least-load, the provider that was least loaded when it last"`
	_        model.Doc     `doc:"reported; earliest-ask, the earliest start among the free slots that it asks of every"`
	_        model.Doc     `doc:"provider for every job; earliest-partial, the same among those that providers publish"`
	_        model.Doc     `doc:"every interval (section 5)"`
	Interval model.Seconds `name:"interval" range:"[60,1e7]"`
	_        model.Doc     `doc:"interval of publication: every how many seconds providers publish their free slots under"`
	_        model.Doc     `doc:"earliest-partial"`
	Horizon  string        `name:"horizon" range:"unlimited|interval"`
	_        model.Doc     `doc:"planning horizon: how far ahead published slots reach; unlimited in Table 1"`

	Sizes      string    `name:"sizes"`
	_          model.Doc `doc:"processors of the providers' clusters, with commas between; the default has DAS-2's"`
	_          model.Doc `doc:"CPUs, and 72,32,32,32,32 its nodes"`
	FirstMonth int64     `name:"first_month" range:"[1,1200]" unit:"{month}"`
	_          model.Doc `doc:"first month of the Grid trace, from 1, of which months are taken"`
	Months     float64   `name:"months" range:"[0.01,24]" unit:"mo"`
	_          model.Doc `doc:"months of both workloads, each a twelfth of a year"`
	Trace      string    `name:"trace"`
	_          model.Doc `doc:"workload of Grid jobs: auto, the trace das2 where it is found; a file with a trace; or"`
	_          model.Doc `doc:"model, the DAS-2 site model of docs/reference/workloads.md; the same in all replications"`
	LocalLoad  float64   `name:"local_load" range:"[0,10]" unit:"1"`
	_          model.Doc `doc:"offered load of each provider's local jobs, which the Lublin-Feitelson model's gaps are"`
	_          model.Doc `doc:"scaled to; 0 leaves them as they are"`

	Warmup   model.Seconds `name:"warmup" range:"[0,1e8]"`
	_        model.Doc     `doc:"warm-up: jobs submitted and messages sent before this second are left out of every"`
	_        model.Doc     `doc:"metric (two weeks, section 6.1)"`
	Training model.Seconds `name:"training" range:"[0,1e8]"`
	_        model.Doc     `doc:"how long before the end of the warm-up the load forecast begins to learn (the second"`
	_        model.Doc     `doc:"week, section 6.1); until then ArEbMf has equal partitions"`

	DeadlineShare float64       `name:"deadline_share" range:"[0,1]" unit:"1"`
	_             model.Doc     `doc:"share of Grid jobs with a deadline, drawn once per replication; 0.2 in Table 1,"`
	_             model.Doc     `doc:"none where policies are compared (section 6.2)"`
	Stringency    float64       `name:"stringency" range:"[1,1000]" unit:"1"`
	_             model.Doc     `doc:"stringency factor: a deadline is the submit plus this times the time that the job"`
	_             model.Doc     `doc:"takes in the base run, ArEb+least-load (section 6.1)"`
	Deadline      string        `name:"deadline" range:"as_printed|reject_late"`
	_             model.Doc     `doc:"Algorithm 2 as printed never looks at the deadline; reject_late rejects a job whose"`
	_             model.Doc     `doc:"earliest slot would miss it"`
	Tolerance     model.Seconds `name:"tolerance" range:"[0,1e6]" symbol:"T"`
	_             model.Doc     `doc:"tolerance: a job that starts more than this after the start that the gateway"`
	_             model.Doc     `doc:"expected is a violation (Equation 3)"`

	ReportInterval model.Seconds `name:"report_interval" range:"[1,1e7]"`
	_              model.Doc     `doc:"every how many seconds providers report their load under least-load (every ten"`
	_              model.Doc     `doc:"minutes, section 5)"`
	CountsWaiting  bool          `name:"counts_waiting"`
	_              model.Doc     `doc:"whether a reported load counts the processors of waiting jobs beside those in use"`

	Pivot     string    `name:"pivot" alias:"pivot_bookings" range:"kept|replanned"`
	_         model.Doc `doc:"bookings of EASY's pivots: kept from pass to pass, as in the simulator of the authors, or"`
	_         model.Doc `doc:"planned anew in each; those of ArEbMf are always kept (docs/reference/scheduling.md)"`
	Placement string    `name:"placement" range:"count|fixed"`
	_         model.Doc `doc:"processors are counted, or a job gets particular ones when it is booked, as in the"`
	_         model.Doc `doc:"simulator of the authors (docs/reference/scheduling.md)"`
	Shares    string    `name:"partition_shares"`
	_         model.Doc `doc:"shares of the three partitions by run time under ArEbM and ArCbM, as weights; what does not"`
	_         model.Doc `doc:"divide goes to the first"`

	ForecastLoad  string    `name:"forecast_load" range:"demand|running"`
	_             model.Doc `doc:"local load that ArEbMf measures and forecasts: demand, of jobs that wait or run (line 6"`
	_             model.Doc `doc:"of Algorithm 1); running, of those that run, at most 1"`
	Forecast      string    `name:"forecast" range:"average|oracle"`
	_             model.Doc `doc:"forecast of ArEbMf: the weighted moving average of the last 25 intervals (section 6.1),"`
	_             model.Doc `doc:"or what the local load of the coming interval is in the base run"`
	Line8         string    `name:"line8" range:"forecast|actual"`
	_             model.Doc `doc:"what line 8 of Algorithm 1 leaves to local jobs: the forecast, or as printed the actual"`
	_             model.Doc `doc:"load, that of the last interval"`
	NoShare       string    `name:"no_share" range:"silent|empty"`
	_             model.Doc `doc:"publication where the forecast leaves no processor to the Grid: silent, none, and the"`
	_             model.Doc `doc:"gateway keeps its old view (lines 11 to 13); empty, one without slots"`
	Underestimate string    `name:"underestimate" range:"republish|resize|ignore"`
	_             model.Doc `doc:"effect of a load above its forecast: republish, lines 20 to 26 of Algorithm 1; resize,"`
	_             model.Doc `doc:"the same without the publication; ignore, none"`
	Checks        int64     `name:"checks" range:"[1,1000]" unit:"{interval}"`
	_             model.Doc `doc:"steps of an interval at whose ends, but the last, ArEbMf compares the load with the"`
	_             model.Doc `doc:"forecast"`
}

// Outcome is what a run reports. It counts jobs submitted after the warm-up: Grid jobs, and the
// local jobs of all providers.
type Outcome struct {
	Messages          int64     `name:"messages"`
	_                 model.Doc `doc:"messages: all that gateway and providers send each other after the warm-up"`
	Violations        int64     `name:"violations"`
	_                 model.Doc `doc:"violations: Grid jobs that have ended and started later than the gateway expected"`
	_                 model.Doc `doc:"by more than T (Equation 3), and reservations refused"`
	ViolationsPercent *float64  `name:"violations_percent" unit:"%" doc:"violations: 100 x violations / Grid jobs"`
	Refusals          int64     `name:"refusals" doc:"reservations that a provider refused"`
	ViolatedJobs      int64     `name:"violated_jobs" doc:"Grid jobs with one violation or more"`

	SlowdownGrid  *float64  `name:"slowdown_grid"`
	_             model.Doc `doc:"bounded slowdown, Grid jobs: mean over those that end within the run of max(1, response"`
	_             model.Doc `doc:"/ max(run time, 10 s))"`
	SlowdownLocal *float64  `name:"slowdown_local"`
	_             model.Doc `doc:"bounded slowdown, local jobs: mean over those that end within the run of max(1,"`
	_             model.Doc `doc:"response / max(run time, 10 s))"`
	WaitGrid      *float64  `name:"wait_grid" unit:"s"`
	_             model.Doc `doc:"wait, Grid jobs: mean time from submit to start of those that end within the run"`
	WaitLocal     *float64  `name:"wait_local" unit:"s"`
	_             model.Doc `doc:"wait, local jobs: mean time from submit to start of those that end within the run"`

	ImprovementGrid  *float64  `name:"improvement_grid" symbol:"R"`
	_                model.Doc `doc:"improvement ratio, Grid jobs: mean of (s_base - s_new) / min(s_base, s_new) over"`
	_                model.Doc `doc:"those that end by the last arrival in both this run and the base run, s their"`
	_                model.Doc `doc:"bounded slowdown (Equation 2)"`
	ImprovementLocal *float64  `name:"improvement_local" symbol:"R"`
	_                model.Doc `doc:"improvement ratio, local jobs: mean of (s_base - s_new) / min(s_base, s_new) over"`
	_                model.Doc `doc:"those that end by the last arrival in both this run and the base run, s their"`
	_                model.Doc `doc:"bounded slowdown (Equation 2)"`
	ImprovedGrid     *float64  `name:"improved_grid" unit:"%"`
	_                model.Doc `doc:"improved Grid jobs: of those compared, the ones with a ratio above 0"`
	WorsenedGrid     *float64  `name:"worsened_grid" unit:"%"`
	_                model.Doc `doc:"worsened Grid jobs: of those compared, the ones with a ratio below 0"`
	ImprovedLocal    *float64  `name:"improved_local" unit:"%"`
	_                model.Doc `doc:"improved local jobs: of those compared, the ones with a ratio above 0"`
	WorsenedLocal    *float64  `name:"worsened_local" unit:"%"`
	_                model.Doc `doc:"worsened local jobs: of those compared, the ones with a ratio below 0"`

	GridJobs        int64     `name:"grid_jobs" doc:"Grid jobs submitted after the warm-up"`
	LocalJobs       int64     `name:"local_jobs" doc:"local jobs submitted after the warm-up"`
	GridUnfinished  int64     `name:"grid_unfinished"`
	_               model.Doc `doc:"Grid jobs that were neither rejected nor at their end when the last job arrived"`
	LocalUnfinished int64     `name:"local_unfinished"`
	_               model.Doc `doc:"local jobs that were not at their end when the last job arrived"`
	GridDropped     int64     `name:"grid_dropped"`
	_               model.Doc `doc:"jobs of the Grid workload that are larger than every cluster, never submitted"`
	DeadlineJobs    int64     `name:"deadline_jobs" doc:"Grid jobs with a deadline"`
	Rejected        int64     `name:"rejected" doc:"Grid jobs that the gateway rejected"`
	Missed          int64     `name:"missed" doc:"Grid jobs with a deadline that were accepted and end after it"`
	WithoutSlot     int64     `name:"without_slot"`
	_               model.Doc `doc:"Grid jobs for which the gateway knew no slot that is large enough; those without a"`
	_               model.Doc `doc:"deadline go to the provider with the most processors in a published slot"`
	Republished     int64     `name:"republished"`
	_               model.Doc `doc:"publications within an interval, after a load was above its forecast"`

	LoadGrid    *float64  `name:"load_grid" unit:"%"`
	_           model.Doc `doc:"offered load of Grid jobs: 100 x processors x run time of those submitted after the"`
	_           model.Doc `doc:"warm-up / (all processors x time from then to the last arrival)"`
	LoadLocal   *float64  `name:"load_local" unit:"%"`
	_           model.Doc `doc:"offered load of local jobs: 100 x processors x run time of those submitted after the"`
	_           model.Doc `doc:"warm-up / (all processors x time from then to the last arrival)"`
	Utilisation *float64  `name:"utilisation" unit:"%"`
	_           model.Doc `doc:"utilisation: 100 x processors in use after the warm-up and before the last arrival / all"`
	_           model.Doc `doc:"processors, over that time"`

	MessagesByName []MessageRow     `table:"messages" doc:"messages after the warm-up by name"`
	Providers      []ProviderRow    `table:"providers" doc:"one row for each provider"`
	Jobs           iter.Seq[JobRow] `table:"jobs,optional" doc:"one row for each job submitted after the warm-up"`
}

// MessageRow counts the messages of a name.
type MessageRow struct {
	Name  string `name:"kind" key:"" doc:"name of the message"`
	Count int64  `name:"count" doc:"messages sent"`
}

// ProviderRow has the metrics of a provider.
type ProviderRow struct {
	Provider      int64     `name:"provider" key:"" doc:"number of the provider, from 1"`
	Procs         int64     `name:"procs" doc:"processors"`
	LocalJobs     int64     `name:"local_jobs" doc:"local jobs submitted after the warm-up"`
	GridJobs      int64     `name:"grid_jobs" doc:"Grid jobs submitted after the warm-up that it got"`
	LoadLocal     *float64  `name:"load_local" unit:"%"`
	_             model.Doc `doc:"offered load of its local jobs: as in the table runs, over its processors"`
	LoadGrid      *float64  `name:"load_grid" unit:"%"`
	_             model.Doc `doc:"offered load of the Grid jobs that it got: as in the table runs, over its processors"`
	Utilisation   *float64  `name:"utilisation" unit:"%" doc:"utilisation of its processors: as in the table runs"`
	SlowdownLocal *float64  `name:"slowdown_local" doc:"bounded slowdown, local jobs: as in the table runs"`
	SlowdownGrid  *float64  `name:"slowdown_grid" doc:"bounded slowdown, Grid jobs: as in the table runs"`
}

// JobRow is a job of a run.
type JobRow struct {
	Workload     string         `name:"workload" key:"" doc:"grid, or local 1, local 2 … by provider"`
	Job          int64          `name:"job" key:"" doc:"number within its workload, from 1"`
	Provider     int64          `name:"provider"`
	_            model.Doc      `doc:"number of the provider where it was submitted, from 1; 0 if it was rejected"`
	Submit       model.Seconds  `name:"submit" doc:"when it arrived"`
	Procs        int64          `name:"procs" doc:"processors"`
	Run          model.Seconds  `name:"run" doc:"run time, and its estimate"`
	Deadline     *model.Seconds `name:"deadline" doc:"by when it should end, if it has a deadline"`
	Expected     *model.Seconds `name:"expected" doc:"start that the gateway expected, if it knew a slot"`
	Start        *model.Seconds `name:"start" doc:"start, if it started within the run"`
	End          *model.Seconds `name:"end" doc:"end, if it ended within the run"`
	BaseStart    *model.Seconds `name:"base_start" doc:"start in the base run, if it ended there by the last arrival"`
	Slowdown     *float64       `name:"slowdown" doc:"bounded slowdown, if it ended"`
	BaseSlowdown *float64       `name:"base_slowdown"`
	_            model.Doc      `doc:"bounded slowdown in the base run, if it ended there by the last arrival"`
	Improvement  *float64       `name:"improvement" symbol:"R"`
	_            model.Doc      `doc:"improvement ratio, if it ended in both by the last arrival (Equation 2)"`
	Refusals     int64          `name:"refusals" doc:"reservations refused"`
	Late         bool           `name:"late"`
	_            model.Doc      `doc:"whether it has ended and started later than the gateway expected by more than T"`
	_            model.Doc      `doc:"(Equation 3)"`
}

// validate reports parameters that contradict each other and clusters that cannot be simulated.
func validate(p Parameters) []model.Problem {
	var problems model.Problems
	report := problems.Report
	if p.Provider == "ArEbMf" && p.Gateway != "earliest-partial" {
		report("gateway", "%s: provider ArEbMf resizes its partitions when it publishes: take earliest-partial", p.Gateway)
	}
	if p.Gateway == "least-load" && p.DeadlineShare > 0 {
		report("deadline_share", "%v under gateway least-load, which knows no slots to reserve: "+
			"deadlines need earliest-ask or earliest-partial", p.DeadlineShare)
	}
	if p.Training > p.Warmup {
		report("training", "%s is longer than warmup %s, at whose end it lies", p.Training, p.Warmup)
	}
	if span := span(p); int64(p.Warmup) >= span {
		report("warmup", "%s leaves nothing of months %v: take less than %s", p.Warmup, p.Months, model.Seconds(span))
	}
	if int64(p.Interval) < p.Checks {
		report("checks", "%d in an interval of %s: there is at most one a second", p.Checks, p.Interval)
	}
	sizes, err := workload.ParseSizes(p.Sizes)
	if err != nil {
		report("sizes", "%v", err)
		return problems
	}
	if p.LocalLoad > 0 && p.LocalLoad < 0.001 {
		report("local_load", "%v: give 0.001 or more, or 0 for the model's own", p.LocalLoad)
	}
	for i, size := range sizes {
		if size > workload.MostProcs {
			report("sizes", "provider %d: %d processors; local jobs are drawn for at most %d", i+1, size, workload.MostProcs)
			break
		}
		config, err := siteConfig(p, size)
		if err != nil {
			report("partition_shares", "%v", err)
			break
		}
		if _, err := cluster.New(config); err != nil {
			report("sizes", "provider %d: %v", i+1, err)
		}
	}
	return problems
}

// canonical returns the parameters with defaults in place of those that have no effect. Those of
// the base run have an effect under every policy, since improvement ratios depend on that run.
func canonical(p Parameters) Parameters {
	if p.DeadlineShare == 0 {
		p.Stringency, p.Deadline = defaults.Stringency, defaults.Deadline
	}
	if p.Gateway != "earliest-partial" {
		p.Interval, p.Horizon = defaults.Interval, defaults.Horizon
	}
	if p.Provider != "ArEbM" && p.Provider != "ArCbM" {
		p.Shares = defaults.Shares
	}
	if p.Provider != "ArEbMf" {
		p.Training, p.ForecastLoad, p.Forecast = defaults.Training, defaults.ForecastLoad, defaults.Forecast
		p.NoShare, p.Line8, p.Underestimate = defaults.NoShare, defaults.Line8, defaults.Underestimate
	}
	if p.Provider != "ArEbMf" || p.Underestimate == "ignore" {
		p.Checks = defaults.Checks
	}
	return p
}

// cost is the time of a run in microseconds, roughly, on the machine of
// docs/explanation/performance.md. The time of a job depends on the passes of the queue of its
// provider.
func cost(p Parameters) float64 {
	const jobsPerMonth = 72_000 // local and of the Grid, at DAS-2's sizes
	perJob := 1.3
	switch p.Provider {
	case "ArCbM":
		perJob = 1.9
	case "ArEbM":
		perJob = 2.4
	case "ArEbMf":
		perJob = 5
	}
	return p.Months * jobsPerMonth * perJob
}
