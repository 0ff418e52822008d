// Cleaning: dropping the jobs that no simulation could run and sorting the others by submit time.

package trace

import (
	"cmp"
	"slices"
	"sort"
)

// Rules are the options of cleaning.
type Rules struct {
	Procs       int64 // processors of the machine: larger jobs are dropped; 0 where it is not known
	KeepPartial bool  // keep records of status 2 to 4, of partial executions
}

// Report lists the rules of cleaning or selection that applied to jobs of a trace, in their order.
type Report struct {
	Read    int    // jobs before
	Steps   []Step // only those that applied to a job
	Shifted int64  // s subtracted from all submit times
}

// Step is one rule and its effect on jobs, or on the lines that a lenient reader leaves out.
type Step struct {
	What    string `json:"what"`  // such as "no run time (0 s or less, or unknown): dropped"
	Count   int    `json:"count"` // jobs to which it applied, or lines
	Example int64  `json:"first"` // ID of the first of these jobs, or number of the first line
}

// The rules, first those that drop a job, in the order in which they are tried. keep is none of
// them.
const (
	dropPartial = iota
	dropPartialOnly
	dropSubmit
	dropRun
	dropProcs
	dropLarge
	moved
	repeated
	keep
)

var ruleTexts = [keep]string{
	dropPartial: "partial execution (status 2, 3 or 4) of a job that has a record of its own: dropped",
	dropPartialOnly: "partial execution (status 2, 3 or 4) of a job without a record of its own: dropped, and " +
		"its work with it; --keep-partial keeps it",
	dropSubmit: "submit time negative or unknown: dropped",
	dropRun:    "no run time (0 s or less, or unknown): dropped",
	dropProcs:  "no processors, allocated or requested: dropped",
	dropLarge:  "larger than the machine: dropped",
	moved:      "submitted before the job in front of it: sorted by submit time, equal ones in the trace's order",
	repeated:   "number of another job, too: kept, though compare cannot tell the two apart",
}

// Clean drops the jobs that no simulation could run and sorts the rest by submit time, equal ones
// in the order of the trace. Jobs with equal numbers are kept and counted. The result reuses the
// slice: the kept jobs are at its front. The report has each rule that applied, with its count and
// the first job it applied to; for repeated numbers, the lowest of them.
func Clean(jobs []Job, r Rules) ([]Job, Report) {
	report := Report{Read: len(jobs)}
	var steps [keep]Step
	count := func(rule int, job *Job) {
		if steps[rule].Count++; steps[rule].Count == 1 {
			steps[rule].What, steps[rule].Example = ruleTexts[rule], job.ID
		}
	}
	partialOnly := r.partialOnly(jobs)
	kept := 0
	rise := true // whether the numbers rise, as in most traces, so that none repeats
	for i := range jobs {
		if rule := r.judge(&jobs[i]); rule != keep {
			if rule == dropPartial && partialOnly[jobs[i].ID] {
				rule = dropPartialOnly
			}
			count(rule, &jobs[i])
			continue
		}
		if kept != i {
			jobs[kept] = jobs[i]
		}
		if kept > 0 && jobs[kept].Submit < jobs[kept-1].Submit {
			count(moved, &jobs[kept])
		}
		rise = rise && (kept == 0 || jobs[kept].ID > jobs[kept-1].ID)
		kept++
	}
	jobs = jobs[:kept]
	if !rise {
		steps[repeated] = repetitions(jobs)
	}
	if steps[moved].Count > 0 {
		slices.SortStableFunc(jobs, func(a, b Job) int { return cmp.Compare(a.Submit, b.Submit) })
	}
	for _, step := range steps {
		if step.Count > 0 {
			report.Steps = append(report.Steps, step)
		}
	}
	return jobs, report
}

// partialOnly returns the numbers of the jobs that have dropped partial executions and no record of
// the whole job, such as jobs that had not ended when the log ends, or those of a log whose
// statuses mean something else.
func (r Rules) partialOnly(jobs []Job) map[int64]bool {
	without := map[int64]bool{}
	for i := range jobs {
		if r.dropsPartial(&jobs[i]) {
			without[jobs[i].ID] = true
		}
	}
	if len(without) == 0 {
		return nil
	}
	for i := range jobs {
		if !r.dropsPartial(&jobs[i]) {
			delete(without, jobs[i].ID)
		}
	}
	return without
}

// repetitions counts the jobs with the number of another one, of each number all but one.
func repetitions(jobs []Job) Step {
	step := Step{What: ruleTexts[repeated]}
	ids := make([]int64, len(jobs))
	for i := range jobs {
		ids[i] = jobs[i].ID
	}
	slices.Sort(ids)
	for i := 1; i < len(ids); i++ {
		if ids[i] == ids[i-1] {
			if step.Count++; step.Count == 1 {
				step.Example = ids[i]
			}
		}
	}
	return step
}

// Order returns the indices of the jobs that Clean keeps, in the order of their submits. It leaves
// the jobs, which may be shared, as they are.
func Order(jobs []Job, r Rules) []int32 {
	order := make([]int32, 0, len(jobs))
	for i := range jobs {
		if r.judge(&jobs[i]) == keep {
			order = append(order, int32(i))
		}
	}
	bySubmit := func(a, b int32) int { return cmp.Compare(jobs[a].Submit, jobs[b].Submit) }
	if !slices.IsSortedFunc(order, bySubmit) {
		slices.SortStableFunc(order, bySubmit)
	}
	return order
}

// Within returns those indices of an Order whose jobs are submitted in [from, to) s after the first
// of them.
func Within(jobs []Job, order []int32, from, to int64) []int32 {
	before := func(s int64) int { // how many are submitted less than s seconds after the first
		return sort.Search(len(order), func(i int) bool { return jobs[order[i]].Submit-jobs[order[0]].Submit >= s })
	}
	past := before(to)
	return order[min(before(from), past):past] // none if to is before from
}

// Window returns copies of the jobs that Clean keeps and that are submitted in [from, to) s after
// the first submit that it keeps, with submits from second from on.
func Window(jobs []Job, r Rules, from, to int64) []Job {
	order := Order(jobs, r)
	within := Within(jobs, order, from, to)
	window := make([]Job, len(within))
	for k, i := range within {
		window[k] = jobs[i]
		window[k].Submit -= jobs[order[0]].Submit + from
	}
	return window
}

// dropsPartial reports whether a record is dropped as a partial execution.
func (r Rules) dropsPartial(job *Job) bool {
	return job.Status >= 2 && job.Status <= 4 && !r.KeepPartial
}

// judge returns the rule by which a job is dropped, or keep.
func (r Rules) judge(job *Job) int {
	switch {
	case r.dropsPartial(job):
		return dropPartial
	case job.Submit < 0:
		return dropSubmit
	case job.Run <= 0:
		return dropRun
	case job.Size() <= 0:
		return dropProcs
	case r.Procs > 0 && int64(job.Size()) > r.Procs:
		return dropLarge
	}
	return keep
}
