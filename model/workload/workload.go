// Package workload draws jobs from models: the Lublin–Feitelson model of parallel machines, and
// models of the papers' sites, which are used where a site's trace is not available. A model has
// one type of jobs or several; each type draws gaps between arrivals, sizes and run times from
// distributions, and a daily cycle stretches the gaps. The means of these distributions are known
// in closed form, so a workload of a chosen load is drawn at once, without iteration.
package workload

import (
	"context"
	"fmt"
	"math"
	"strings"

	"gridsweep/model"
	"gridsweep/model/rng"
	"gridsweep/model/trace"
)

// Model is a workload model.
type Model struct {
	Name   string
	Title  string
	Source string // where its numbers come from
	// processors of its clusters, for ParseSizes; of a scalable model those of its authors' machine
	Sizes    string
	Scalable bool // whether it makes workloads for machines of any size

	jobs        int64 // in the log of a site; 0 if the model is scalable
	populations func(procs int32) []population
}

// Models returns all models, in the order in which they are listed to people.
func Models() []Model {
	models := lublinModels()
	for _, site := range Sites() {
		models = append(models, site.model())
	}
	return models
}

// Find returns the model of that name. Its error lists the known ones.
func Find(name string) (Model, error) {
	var known []string
	for _, m := range Models() {
		if m.Name == name {
			return m, nil
		}
		known = append(known, m.Name)
	}
	return Model{}, fmt.Errorf("there is no workload model %q; known are %s", name, strings.Join(known, ", "))
}

// Procs returns the processors of all clusters of the model together.
func (m Model) Procs() int32 {
	sum := int32(0)
	for _, size := range Sizes(m.Sizes) {
		sum += size
	}
	return sum
}

// Options say how much of a workload is drawn. Of Jobs and Span one may be 0. With both, exactly so
// many jobs are drawn, with gaps scaled so that the last is expected at the end of the span.
type Options struct {
	Jobs int64 // jobs, at most 1e9; 0: all that are submitted in [0, Span)
	Span int64 // s, at most 1e11; 0: until there are Jobs
	// processors of the machine, at most 2^24, if the model is scalable; 0: the model's own
	Procs int32
	Load  float64 // offered load, 0.001 to 1000, which scales the gaps; 0: the model's own
}

// MostProcs bounds the machines of scalable models, which have a probability for each size of jobs.
const MostProcs = 1 << 24

// validate returns an error for invalid options of a model.
func (m Model) validate(o Options) error {
	switch {
	case o.Jobs < 0 || o.Jobs > 1e9:
		return fmt.Errorf("%d jobs: give 1 to 1000000000, or 0 for all of a span", o.Jobs)
	case o.Span < 0 || o.Span > 1e11:
		return fmt.Errorf("a span of %d s: give 1 to 100000000000, or 0 for a number of jobs", o.Span)
	case o.Jobs == 0 && o.Span == 0:
		return fmt.Errorf("neither a number of jobs nor a span is set")
	case o.Procs < 0:
		return fmt.Errorf("%d processors: give 1 or more, or 0 for the %d of the model", o.Procs, m.Procs())
	case o.Procs > 0 && !m.Scalable && o.Procs != m.Procs():
		return fmt.Errorf("%d processors: %s is a model of one site, which has %d", o.Procs, m.Name, m.Procs())
	case o.Procs > MostProcs:
		return fmt.Errorf("%d processors: give at most %d", o.Procs, MostProcs)
	case o.Load != 0 && !(o.Load >= 0.001 && o.Load <= 1000):
		return fmt.Errorf("load %v: give 0.001 to 1000, or 0 for the model's own", o.Load)
	case o.Load != 0 && o.Jobs > 0 && o.Span > 0:
		return fmt.Errorf("load %v, %d jobs and a span of %d s: gaps can meet the load or the number, not both",
			o.Load, o.Jobs, o.Span)
	}
	return nil
}

// Generate draws jobs in the order of their submits, from midnight at 0 on, with IDs from 1. Their
// times are whole seconds, the estimate is the run time, and batch and interactive jobs have
// queues. Equal options and seed give equal jobs. Its errors are those of the options and of ctx.
func (m Model) Generate(ctx context.Context, o Options, seed rng.Source) ([]trace.Job, error) {
	if err := m.validate(o); err != nil {
		return nil, fmt.Errorf("generate %s: %w", m.Name, err)
	}
	procs := o.Procs
	if procs == 0 {
		procs = m.Procs()
	}
	populations := m.populations(procs)
	rate, work := flow(populations)
	factor := 1.0
	switch {
	case o.Load > 0:
		factor = work / (float64(procs) * o.Load)
	case o.Jobs > 0 && o.Span > 0:
		factor = rate * float64(o.Span) / float64(o.Jobs)
	}
	jobs, span := o.Jobs, o.Span
	if jobs == 0 {
		jobs = math.MaxInt64
	} else {
		span = math.MaxInt64
	}
	expected := min(float64(jobs), float64(span)*rate/factor)
	drawn := make([]trace.Job, 0, int(min(float64(expected*1.02)+64, 1<<24))) // rarely too few
	return draw(ctx, drawn, start(populations, factor, seed), jobs, span)
}

// population is one type of jobs of a model: the distributions of its jobs.
type population struct {
	name  string
	queue int32                            // -1: the model has no queues
	gap   func(*rng.Stream) float64        // s between two arrivals without the daily cycle
	size  func(*rng.Stream) int32          // processors
	run   func(*rng.Stream, int32) float64 // s of a job of that size
	cycle []float64                        // weights of half hours from midnight on, with mean 1

	meanGap  float64 // s
	meanWork float64 // processor·s of a job
}

// flow returns the jobs and the processor·seconds that arrive per second.
func flow(populations []population) (rate, work float64) {
	for _, p := range populations {
		rate += 1 / p.meanGap
		work += p.meanWork / p.meanGap
	}
	return rate, work
}

// drawing is a population being drawn. Each of its quantities has a stream of its own, so workloads
// that differ in load or machine share the draws.
type drawing struct {
	population
	factor                float64 // of gaps
	clock                 clock
	arrivals, sizes, runs *rng.Stream
	next                  int64 // s, submit of the next job
}

// start returns the populations, each with its first submit drawn.
func start(populations []population, factor float64, seed rng.Source) []drawing {
	drawings := make([]drawing, len(populations))
	for i, p := range populations {
		source := seed.Child(p.name)
		drawings[i] = drawing{
			population: p, factor: factor, clock: clock{cycle: p.cycle},
			arrivals: source.Stream("arrivals"), sizes: source.Stream("sizes"), runs: source.Stream("run times"),
		}
		drawings[i].arrive()
	}
	return drawings
}

// arrive draws the submit of the next job.
func (d *drawing) arrive() { d.next = d.clock.advance(float64(d.factor * d.gap(d.arrivals))) }

// draw appends jobs of all populations to drawn until there are so many or the next is submitted at
// span or later: of several populations the job that arrives first is next, of equal ones that of
// the first.
func draw(ctx context.Context, drawn []trace.Job, drawings []drawing, jobs, span int64) ([]trace.Job, error) {
	for int64(len(drawn)) < jobs {
		if model.Cancelled(ctx, len(drawn)) {
			return nil, ctx.Err()
		}
		first := &drawings[0]
		for i := range drawings[1:] {
			if other := &drawings[i+1]; other.next < first.next {
				first = other
			}
		}
		if first.next >= span {
			break
		}
		size := first.size(first.sizes)
		run := int64(first.run(first.runs, size))
		drawn = append(drawn, trace.Job{
			ID: int64(len(drawn)) + 1, Submit: first.next, Wait: -1, Run: run, Procs: size, CPU: -1, Memory: -1,
			ReqProcs: size, ReqTime: run, ReqMemory: -1, Status: 1, User: -1, Group: -1, App: -1, Queue: first.queue,
			Partition: -1, After: -1, Think: -1, Site: -1,
		})
		first.arrive()
	}
	return drawn, nil
}
