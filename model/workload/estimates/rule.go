// Rules for estimates by their names, and the jobs of a machine with them.

package estimates

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gridsweep/model"
	"gridsweep/model/cluster"
	"gridsweep/model/rng"
	"gridsweep/model/trace"
)

// Rule is a rule for the estimates of run times that a scheduler plans with; Parse returns it by
// its name. The zero Rule is exact.
type Rule struct {
	source  source
	number  float64 // F of factor and uniform
	longest int64   // s, of tsafrir; 0: see longestOf
}

type source int

const (
	exact source = iota
	user
	factor
	uniform
	tsafrir
)

var sources = []string{exact: "exact", user: "user", factor: "factor", uniform: "uniform", tsafrir: "tsafrir"}

// largestFactor bounds F.
const largestFactor = 1e6

// Names lists the names that Parse accepts; F stands for a number, LONGEST for a time.
func Names() []string {
	return []string{"exact", "user", "factor:F", "uniform:F", "tsafrir", "tsafrir:LONGEST"}
}

// Parse accepts exact (the run time), user (the trace's requested time), factor:F (the run time
// times F, 0 < F ≤ 10⁶), uniform:F (the run time times a number uniform in [1, F], a new draw for
// each job: the f-model, with F = f+1, of Mu'alem & Feitelson, Utilization, predictability,
// workloads, and user runtime estimates in scheduling the IBM SP2 with backfilling, TPDS 2001) and
// tsafrir (the model of Draw up to the longest requested time of the jobs or, where none has one,
// the longest run time, rounded up to hours and at least 2 h) or tsafrir:LONGEST (up to a time in
// seconds, or with a unit such as 18h).
func Parse(name string) (Rule, error) {
	word, text, hasValue := strings.Cut(name, ":")
	r := Rule{source: source(slices.Index(sources, word))}
	needsValue := r.source == factor || r.source == uniform
	if r.source < 0 || hasValue != needsValue && r.source != tsafrir {
		return Rule{}, fmt.Errorf("unknown estimates %q: write exact, user, factor:F, uniform:F, tsafrir or tsafrir:LONGEST",
			name)
	}
	var err error
	switch {
	case !hasValue:
		return r, nil
	case r.source == tsafrir:
		if r.longest, err = model.ParseTime(text); err != nil || r.longest < Shortest || r.longest > Longest {
			return Rule{}, fmt.Errorf("estimates %q: write a longest estimate from 100min to 2^32 s, such as tsafrir:18h", name)
		}
		return r, nil
	}
	if r.number, err = strconv.ParseFloat(text, 64); err != nil || !(r.number > 0 && r.number <= largestFactor) {
		return Rule{}, fmt.Errorf("estimates %q: F must be a number above 0, at most a million", name)
	}
	if r.source == uniform && r.number < 1 {
		return Rule{}, fmt.Errorf("estimates %q: F must be at least 1, since the draw is from 1 to F", name)
	}
	return r, nil
}

// String returns the name that Parse accepts.
func (r Rule) String() string {
	switch name := sources[r.source]; {
	case r.longest > 0:
		return name + ":" + model.Seconds(r.longest).String()
	case r.number > 0:
		return name + ":" + strconv.FormatFloat(r.number, 'g', -1, 64)
	default:
		return name
	}
}

// Jobs returns the jobs of a machine for those of a trace, with estimates by the rule, and with
// priorities that put queues of a low number ahead. Exact, user and factor draw nothing, uniform
// one number for each job in the order of the trace. The error is that of Draw.
func (r Rule) Jobs(list []trace.Job, draws *rng.Stream) ([]cluster.Job, error) {
	jobs := make([]cluster.Job, len(list))
	for i := range list {
		job := &list[i]
		jobs[i] = cluster.Job{Submit: job.Submit, Run: job.Run, Procs: job.Size(), Priority: priority(job), User: job.User}
	}
	if r.source == tsafrir {
		return jobs, r.draw(jobs, list, draws)
	}
	for i := range list {
		jobs[i].Estimate = r.of(list[i].Run, list[i].ReqTime, draws)
	}
	return jobs, nil
}

// priority puts queues of a low number ahead: 0 is interactive by the convention of the Standard
// Workload Format. Jobs of an unknown queue come last.
func priority(job *trace.Job) int32 {
	if job.Queue < 0 {
		return math.MinInt32
	}
	return -job.Queue
}

// draw gives the jobs of a machine, which are those of the list, the estimates of tsafrir.
func (r Rule) draw(jobs []cluster.Job, list []trace.Job, draws *rng.Stream) error {
	runs := make([]int64, len(list))
	for i := range list {
		runs[i] = list[i].Run
	}
	longest := r.longest
	if longest == 0 {
		longest = longestOf(list)
	}
	drawn, err := Draw(runs, longest, draws)
	for i, estimate := range drawn {
		jobs[i].Estimate = estimate
	}
	return err
}

// longestOf returns the longest estimate, in s, of a rule tsafrir without a time.
func longestOf(list []trace.Job) int64 {
	requested, longest := int64(0), int64(0)
	for i := range list {
		requested, longest = max(requested, list[i].ReqTime), max(longest, list[i].Run)
	}
	if requested > 0 {
		longest = requested
	}
	hours := (min(longest, Longest) + hour - 1) / hour
	return min(max(hours, 2)*hour, Longest)
}

// of returns the estimate of a job, in s, from its run time, at least 1 s, and its requested time,
// -1 or 0 if there is none: then user is exact. Products are rounded to the nearest second, halves
// up, and at least 1.
func (r Rule) of(run, requested int64, draws *rng.Stream) int64 {
	switch r.source {
	case user:
		if requested > 0 {
			return min(requested, Longest)
		}
		return run
	case factor:
		return multiplied(run, r.number)
	case uniform:
		return multiplied(run, draws.Uniform(1, r.number))
	default:
		return run
	}
}

func multiplied(run int64, by float64) int64 {
	product := math.Floor(float64(float64(run)*by) + 0.5)
	return int64(min(max(product, 1), Longest))
}
