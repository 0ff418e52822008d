// The jobs of a domain as they are submitted: two weeks of a trace, or of a site model.

package brokering

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gridsweep/model"
	"gridsweep/model/trace"
	"gridsweep/model/workload"
)

// twoWeeks, in s, is the time from which the jobs of a domain are taken, before its span is fitted
// to it (section 5.2).
const twoWeeks = 14 * day

// longest bounds run times, in s: 136 years, as in docs/reference/scheduling.md.
const longest = 1 << 32

// mostUnits bounds the CPU·s of the jobs of a log together, so that they are an int64.
const mostUnits = 1 << 60

// submission is a job of the log.
type submission struct {
	submit, run int64 // s, the submit from the beginning of the two weeks
	procs       int32
}

// log is all that two weeks of recorded jobs, or of jobs of a site model, depend on.
type log struct {
	of    int    // type of domain, an index in types
	seed  string // whose random numbers a site model takes
	trace string // as resolved, or model
	skip  int64  // jobs of the trace that are left out
	jobs  int64  // how many there are to be
}

// submitted returns the jobs of the log in the order of their submits. Runs share them, and all
// rounds share those of a trace.
func (l log) submitted(ctx context.Context, env model.Env) ([]submission, error) {
	if l.trace == model.TraceModel {
		return model.Memo(ctx, env, l, generate)
	}
	l.seed = ""
	return model.Memo(ctx, env.Common(), l, readWindow)
}

// generate draws the jobs of the site model. The last may be submitted after the two weeks.
func generate(ctx context.Context, l log, env model.Env) ([]submission, error) {
	m, err := workload.Find(workloads[l.of])
	if err != nil {
		return nil, err
	}
	jobs, err := m.Generate(ctx, workload.Options{Jobs: l.jobs, Span: twoWeeks}, env.Seed.Child(l.seed).Child("jobs"))
	if err != nil {
		return nil, err
	}
	return submissions(jobs, 0), nil
}

// submissions returns the jobs with submits counted from a time on.
func submissions(jobs []trace.Job, from int64) []submission {
	taken := make([]submission, len(jobs))
	for i := range jobs {
		taken[i] = submission{submit: jobs[i].Submit - from, run: jobs[i].Run, procs: jobs[i].Size()}
	}
	return taken
}

// readWindow reads the trace and takes its two weeks.
func readWindow(ctx context.Context, l log, env model.Env) ([]submission, error) {
	whole, err := env.Trace(ctx, workloads[l.of])
	if err != nil {
		return nil, err
	}
	recorded := whole.Jobs
	order := cleaned(recorded)
	switch kept := int64(len(order)); {
	case kept == 0:
		return nil, fmt.Errorf("trace %s has no job with a run time and processors: take another", model.TraceName(l.trace))
	case kept <= l.skip:
		return nil, fmt.Errorf("trace %s has %d jobs and skip leaves out %d: set skip to less than %d", model.TraceName(l.trace), kept, l.skip, kept)
	}
	order = nearest(recorded, order[l.skip:], l.jobs)
	window := make([]trace.Job, len(order))
	units := 0.0
	for i, k := range order {
		j := recorded[k]
		if j.Run > longest {
			return nil, fmt.Errorf("trace %s: job %d has a run time of %d s, want at most %d", model.TraceName(l.trace), j.ID, j.Run, int64(longest))
		}
		if units += float64(float64(j.Run) * float64(j.Size())); units > mostUnits {
			return nil, fmt.Errorf("trace %s: up to job %d its jobs take %.3g CPU seconds together, want at most %.3g",
				model.TraceName(l.trace), j.ID, units, float64(mostUnits))
		}
		window[i] = j
	}
	return submissions(window, window[0].Submit), nil
}

// cleaned returns the indices of the jobs that cleaning keeps, in the order of their submits. It
// changes no job, since runs share them.
func cleaned(jobs []trace.Job) []int32 {
	if len(jobs) > math.MaxInt32 {
		panic("brokering: a trace of more than 2^31 jobs")
	}
	order := make([]int32, 0, len(jobs))
	sorted := true
	for i := range jobs {
		if !(trace.Rules{}).Keeps(&jobs[i]) {
			continue
		}
		sorted = sorted && (len(order) == 0 || jobs[order[len(order)-1]].Submit <= jobs[i].Submit)
		order = append(order, int32(i))
	}
	if !sorted {
		slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(jobs[a].Submit, jobs[b].Submit) })
	}
	return order
}

// nearest returns the jobs of two weeks, which begin with one of these jobs. Of all such windows it
// is the first whose number of jobs is nearest to want. There is at least one job.
func nearest(jobs []trace.Job, order []int32, want int64) []int32 {
	var best []int32
	least := int64(math.MaxInt64)
	for from, to := 0, 0; from < len(order); from++ {
		begin := jobs[order[from]].Submit
		if from > 0 && begin == jobs[order[from-1]].Submit {
			continue // the same two weeks, which the job in front began
		}
		for to < len(order) && jobs[order[to]].Submit-begin < twoWeeks {
			to++
		}
		if off := max(int64(to-from)-want, want-int64(to-from)); off < least {
			best, least = order[from:to], off
		}
	}
	return best
}
