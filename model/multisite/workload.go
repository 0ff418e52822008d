package multisite

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"gridsweep/model"
	"gridsweep/model/cluster"
	"gridsweep/model/trace"
	"gridsweep/model/workload"
)

// job is a rigid job whose run time is known to all.
type job struct {
	submit, run int64 // s
	procs       int32
}

// jobs is all that arrives at a simulation.
type jobs struct {
	grid    []job   // in the order of their submits, as are all
	local   [][]job // of each provider
	dropped int64   // Grid jobs larger than every cluster, which are not among the jobs
	// deadlines, by Grid job: by when it should have ended; never for one without. Nil where none
	// has one.
	deadlines []int64
}

// never is the time of what does not happen.
const never = cluster.Never

// last returns the submit of the last job of any workload: the end of a run.
func (all *jobs) last() int64 {
	last := int64(0)
	for _, list := range append(slices.Clone(all.local), all.grid) {
		if len(list) > 0 {
			last = max(last, list[len(list)-1].submit)
		}
	}
	return last
}

// span returns the length of the workloads in s.
func span(p Parameters) int64 { return int64(float64(p.Months*trace.Month) + 0.5) }

// clusters returns the processors of the providers, which validate has checked.
func clusters(p Parameters) []int32 {
	sizes, err := workload.ParseSizes(p.Sizes)
	if err != nil {
		panic("multisite: " + err.Error())
	}
	return sizes
}

// draw returns the jobs of a round, without deadlines. Its errors are those of the trace, of the
// models and of ctx.
func draw(ctx context.Context, p Parameters, env model.Env) (*jobs, error) {
	sizes := clusters(p)
	grid, err := model.Memo(ctx, env.Common(),
		gridKey{trace: p.Trace, from: (p.FirstMonth - 1) * trace.Month, span: span(p), largest: slices.Max(sizes)}, gridJobs)
	if err != nil {
		return nil, err
	}
	local, err := model.Memo(ctx, env, localKey{sizes: p.Sizes, span: span(p), load: p.LocalLoad}, localJobs)
	if err != nil {
		return nil, err
	}
	return &jobs{grid: grid.jobs, dropped: grid.dropped, local: local}, nil
}

// gridKey names what Grid jobs depend on.
type gridKey struct {
	trace      string
	from, span int64 // s, the part of the trace
	largest    int32 // processors of the largest cluster
}

type gridWorkload struct {
	jobs    []job
	dropped int64
}

// gridJobs reads the trace, or draws from the site model: once for all rounds, like the trace that
// it stands in for.
func gridJobs(ctx context.Context, k gridKey, env model.Env) (gridWorkload, error) {
	var all []trace.Job
	if k.trace == model.TraceModel {
		m, err := workload.Find(das2)
		if err != nil {
			return gridWorkload{}, err
		}
		all, err = m.Generate(ctx, workload.Options{Span: k.span}, env.Seed.Child("grid"))
		if err != nil {
			return gridWorkload{}, err
		}
	} else {
		recorded, err := env.Trace(ctx, das2)
		if err != nil {
			return gridWorkload{}, err
		}
		if all = trace.Window(recorded.Jobs, trace.Rules{}, k.from, k.from+k.span); len(all) == 0 {
			return gridWorkload{}, fmt.Errorf("trace %s has no job in the %.4g months from month %d on, but %d whole months: "+
				"set first_month and months to some that it has", model.TraceName(k.trace), float64(k.span)/trace.Month,
				k.from/trace.Month+1, recorded.Parts(trace.Rules{}, trace.Month))
		}
	}
	var w gridWorkload
	for i := range all {
		if all[i].Size() > k.largest {
			w.dropped++
		}
	}
	w.jobs = rigid(all, k.largest)
	return w, nil
}

// localKey names what local jobs depend on.
type localKey struct {
	sizes string
	span  int64 // s
	load  float64
}

// localJobs draws the jobs of each provider from the Lublin–Feitelson model of a machine of its
// size.
func localJobs(ctx context.Context, k localKey, env model.Env) ([][]job, error) {
	m, err := workload.Find("lublin")
	if err != nil {
		return nil, err
	}
	sizes, err := workload.ParseSizes(k.sizes)
	if err != nil {
		return nil, err
	}
	local := make([][]job, len(sizes))
	for i, size := range sizes {
		drawn, err := m.Generate(ctx, workload.Options{Span: k.span, Procs: size, Load: k.load},
			env.Seed.Child("local "+strconv.Itoa(i+1)))
		if err != nil {
			return nil, err
		}
		local[i] = rigid(drawn, size)
	}
	return local, nil
}

// rigid keeps of jobs what a simulation needs, of those with at most so many processors.
func rigid(all []trace.Job, most int32) []job {
	kept := make([]job, 0, len(all))
	for i := range all {
		if size := all[i].Size(); size <= most {
			kept = append(kept, job{submit: all[i].Submit, run: all[i].Run, procs: size})
		}
	}
	return kept
}

// deadline returns by when a Grid job should have ended; never where it has no deadline.
func (all *jobs) deadline(index int) int64 {
	if all.deadlines == nil {
		return never
	}
	return all.deadlines[index]
}

// drawDeadlines gives a share of the Grid jobs, drawn once a round, deadlines after the time that
// they take in the base run.
func (all *jobs) drawDeadlines(p Parameters, base *baseRun, env model.Env) {
	stream := env.Seed.Stream("deadlines")
	all.deadlines = make([]int64, len(all.grid))
	for i := range all.grid {
		all.deadlines[i] = never
		if stream.Float64() < p.DeadlineShare {
			j := &all.grid[i]
			all.deadlines[i] = j.submit + int64(float64(p.Stringency*float64(base.grid[i]+j.run-j.submit))+0.5)
		}
	}
}
