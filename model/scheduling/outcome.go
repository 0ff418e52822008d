// Outcome: the measures and the tables that a run reports.

package scheduling

import (
	"iter"

	"gridsweep/model"
	"gridsweep/model/metrics"
)

// Outcome is what a run reports: the measures of gridsweep simulate under the same names, the
// workload, and the fairness of the schedule to users.
type Outcome struct {
	Machine     int64    `name:"machine" doc:"processors of the machine"`
	LeftOut     int64    `name:"left_out" doc:"jobs that cleaning leaves out, such as those larger than the machine"`
	Requested   int64    `name:"requested" doc:"jobs with a requested time; the estimate user of others is exact"`
	OfferedLoad *float64 `name:"offered_load" doc:"work of all jobs over processors times span"`
	Killed      int64    `name:"killed" doc:"jobs that ended at their estimates, before their run times"`

	All         int64         `name:"all" alias:"all_jobs" doc:"jobs simulated"`
	Jobs        int64         `name:"jobs" doc:"jobs measured: without warm-up and cool-down"`
	Span        model.Seconds `name:"span" doc:"last submit - first submit"`
	Makespan    model.Seconds `name:"makespan" doc:"last end - first submit"`
	Utilisation float64       `name:"utilisation" range:"[0,1]"`
	_           model.Doc     `doc:"share of processor-seconds within the makespan that jobs ran"`

	WaitMean              float64   `name:"wait_mean" unit:"s" doc:"wait, mean: start - submit"`
	WaitMedian            float64   `name:"wait_median" unit:"s" doc:"wait, median"`
	WaitP95               float64   `name:"wait_p95" unit:"s" doc:"wait, 95th percentile"`
	WaitMax               float64   `name:"wait_max" unit:"s" doc:"wait, maximum"`
	ResponseMean          float64   `name:"response_mean" unit:"s" doc:"response, mean: end - submit"`
	ResponseMedian        float64   `name:"response_median" unit:"s" doc:"response, median"`
	ResponseP95           float64   `name:"response_p95" unit:"s" doc:"response, 95th percentile"`
	ResponseMax           float64   `name:"response_max" unit:"s" doc:"response, maximum"`
	SlowdownMean          float64   `name:"slowdown_mean" doc:"slowdown, mean: response / run time"`
	SlowdownMedian        float64   `name:"slowdown_median" doc:"slowdown, median"`
	SlowdownP95           float64   `name:"slowdown_p95" doc:"slowdown, 95th percentile"`
	SlowdownMax           float64   `name:"slowdown_max" doc:"slowdown, maximum"`
	BoundedSlowdownMean   float64   `name:"bounded_slowdown_mean"`
	_                     model.Doc `doc:"bounded slowdown, mean: max(1, response / max(run time, bound))"`
	BoundedSlowdownMedian float64   `name:"bounded_slowdown_median" doc:"bounded slowdown, median"`
	BoundedSlowdownP95    float64   `name:"bounded_slowdown_p95" doc:"bounded slowdown, 95th percentile"`
	BoundedSlowdownMax    float64   `name:"bounded_slowdown_max" doc:"bounded slowdown, maximum"`
	Backfilled            int64     `name:"backfilled" doc:"jobs started before one that came earlier"`

	JainWait     *float64  `name:"jain_wait" range:"[0,1]"`
	_            model.Doc `doc:"fairness to users: Jain's index of their mean waits; 1 is equal"`
	GiniWait     *float64  `name:"gini_wait" range:"[0,1]"`
	_            model.Doc `doc:"unfairness to users: Gini coefficient of their mean waits; 0 is equal"`
	JainSlowdown *float64  `name:"jain_bounded_slowdown" range:"[0,1]"`
	_            model.Doc `doc:"fairness to users: Jain's index of their mean bounded slowdowns"`
	GiniSlowdown *float64  `name:"gini_bounded_slowdown" range:"[0,1]"`
	_            model.Doc `doc:"unfairness to users: Gini coefficient of their mean bounded slowdowns"`

	ByClass      []ClassRow         `table:"classes" doc:"one row for each class of sizes and run times"`
	ByUser       []UserRow          `table:"users,optional" doc:"one row for each user"`
	Distribution []metrics.Quantile `table:"distribution" doc:"quantiles over jobs, one row for each probability"`
	OverTime     []metrics.Interval `table:"load" doc:"the machine over time, one row for each interval of the makespan"`
	Each         iter.Seq[JobRow]   `table:"jobs,optional" doc:"one row for each job simulated"`
}

// ClassRow has the measures of a class of jobs.
type ClassRow struct {
	Size     string   `name:"size" key:"" doc:"class of processors, such as 1-8 or >8"`
	Run      string   `name:"run" key:"" doc:"class of run times, such as <=1h, 1h-10h (above 1h) or >10h"`
	Jobs     int64    `name:"jobs" doc:"jobs measured"`
	Share    float64  `name:"share" range:"[0,1]" doc:"share of the work of all jobs measured"`
	Wait     *float64 `name:"wait" unit:"s" doc:"wait, mean"`
	Response *float64 `name:"response" unit:"s" doc:"response, mean"`
	Slowdown *float64 `name:"slowdown" doc:"slowdown, mean"`
	Bounded  *float64 `name:"bounded_slowdown" doc:"bounded slowdown, mean"`
}

// UserRow has the measures of a user's jobs.
type UserRow struct {
	User     int64   `name:"user" key:"" doc:"number of the user; -1 where it is not known"`
	Jobs     int64   `name:"jobs" doc:"jobs measured"`
	Share    float64 `name:"share" range:"[0,1]" doc:"share of the work of all jobs measured"`
	Wait     float64 `name:"wait" unit:"s" doc:"wait, mean"`
	Slowdown float64 `name:"slowdown" doc:"slowdown, mean"`
	Bounded  float64 `name:"bounded_slowdown" doc:"bounded slowdown, mean"`
}

// JobRow is a job in its schedule.
type JobRow struct {
	Number   int64         `name:"number" key:"" doc:"position in the order of submits, from 1"`
	ID       int64         `name:"id" doc:"number in the log"`
	User     int64         `name:"user" doc:"number of the user; -1 where it is not known"`
	Procs    int64         `name:"procs" doc:"processors"`
	Submit   model.Seconds `name:"submit" doc:"submit, from the beginning of the workload"`
	Start    model.Seconds `name:"start" doc:"start"`
	End      model.Seconds `name:"end" doc:"end"`
	Estimate model.Seconds `name:"estimate" doc:"estimate of the run time"`
}
