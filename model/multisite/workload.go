// Workload: the Grid jobs and local jobs of a replication, and the deadlines of Grid jobs.

package multisite

import (
	"context"
	"slices"
	"strconv"

	"gridsweep/model"
	"gridsweep/model/cluster"
	"gridsweep/model/trace"
	"gridsweep/model/workload"
)

// job is a rigid job with an exact estimate.
type job = workload.Job

// jobs is the workload of a replication. All lists are in the order of submits.
type jobs struct {
	gridJobs  []job
	localJobs [][]job // by provider
	dropped   int64   // Grid jobs left out, as they are larger than every cluster
	// deadlines of the Grid jobs; never for a job without one. Nil if no job has one.
	deadlines []int64
}

// never is the time of an event that does not occur.
const never = cluster.Never

// total returns how many jobs there are.
func (all *jobs) total() int {
	total := len(all.gridJobs)
	for _, local := range all.localJobs {
		total += len(local)
	}
	return total
}

// lastArrival returns the last submit of all jobs, which is the end of a run.
func (all *jobs) lastArrival() int64 {
	last := int64(0)
	for _, list := range append(slices.Clone(all.localJobs), all.gridJobs) {
		if len(list) > 0 {
			last = max(last, list[len(list)-1].Submit)
		}
	}
	return last
}

// span returns the length of the workloads in s.
func span(p Parameters) int64 { return workload.Months(p.Months) }

// draw returns the jobs of a replication, without deadlines. The Grid jobs are the same in all
// replications, whether of the trace or of the site model. Its errors are those of the trace, of
// the workload models and of ctx.
func draw(ctx context.Context, p Parameters, env model.Env) (*jobs, error) {
	gridJobs, err := workload.Window{
		Site: das2, Trace: p.Trace, Seed: env.Common().Seed.Child("grid"),
		From: (p.FirstMonth - 1) * trace.Month, Span: span(p),
		Largest: slices.Max(workload.Sizes(p.Sizes)), Parameters: "first_month or months",
	}.Read(ctx, env)
	if err != nil {
		return nil, err
	}
	localJobs, err := model.Memo(ctx, env, localKey{sizes: p.Sizes, span: span(p), load: p.LocalLoad}, drawLocalJobs)
	if err != nil {
		return nil, err
	}
	return &jobs{gridJobs: gridJobs.Jobs, dropped: gridJobs.Dropped, localJobs: localJobs}, nil
}

// localKey has the parameters on which local jobs depend.
type localKey struct {
	sizes string
	span  int64 // s
	load  float64
}

// drawLocalJobs draws the jobs of each provider from the Lublin–Feitelson model for a machine of
// its size.
func drawLocalJobs(ctx context.Context, k localKey, env model.Env) ([][]job, error) {
	m, err := workload.Find("lublin")
	if err != nil {
		return nil, err
	}
	sizes := workload.Sizes(k.sizes)
	local := make([][]job, len(sizes))
	for i, size := range sizes {
		drawn, err := m.Generate(ctx, workload.Options{Span: k.span, Procs: size, Load: k.load},
			env.Seed.Child("local "+strconv.Itoa(i+1)))
		if err != nil {
			return nil, err
		}
		local[i] = workload.Rigid(drawn)
	}
	return local, nil
}

// deadline returns the deadline of a Grid job; never if it has none.
func (all *jobs) deadline(index int) int64 {
	if all.deadlines == nil {
		return never
	}
	return all.deadlines[index]
}

// drawDeadlines draws which Grid jobs have deadlines. A deadline is the submit plus the stringency
// factor times the response in the base run (base.go), which has no deadlines.
func (all *jobs) drawDeadlines(p Parameters, base *baseStarts, env model.Env) {
	stream := env.Seed.Stream("deadlines")
	all.deadlines = make([]int64, len(all.gridJobs))
	for i := range all.gridJobs {
		all.deadlines[i] = never
		if stream.Float64() < p.DeadlineShare {
			j := &all.gridJobs[i]
			all.deadlines[i] = j.Submit + int64(float64(p.Stringency*float64(base.gridJobs[i]+j.Run-j.Submit))+0.5)
		}
	}
}
