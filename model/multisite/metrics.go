package multisite

// Metrics: the records of jobs at the end of a run and the outcome that is computed from them.

import (
	"iter"

	"gridsweep/model/metrics"
)

// record is a job of a run as it stands at the last arrival.
type record struct {
	*job
	origin   origin
	home     int   // the local job's provider
	provider int   // index of the provider that runs it; rejected
	start    int64 // never if it has not started
	end      int64 // never if it has not ended
	base     int64 // start in the base run; never if it has not ended there
}

// origin identifies a job: the Grid job of that index, or a local one.
type origin struct {
	grid  bool
	index int32
}

// records yields all jobs that have arrived: first the Grid's, then those of each provider.
func (w *world) records(base *baseRun) iter.Seq[*record] {
	return func(yield func(*record) bool) {
		var r record
		fill := func(j *job, start, baseStart int64) {
			r.job, r.start, r.end, r.base = j, start, never, never
			if start < never && start+j.Run <= w.last {
				r.end = start + j.Run
			}
			if baseStart+j.Run <= w.last {
				r.base = baseStart
			}
		}
		for i := range w.placed {
			r.origin, r.provider = origin{grid: true, index: int32(i)}, int(w.placed[i].provider)
			fill(&w.jobs.grid[i], w.gridStart(i), base.grid[i])
			if !yield(&r) {
				return
			}
		}
		for i := range w.providers {
			r.home, r.provider = i, i
			for k := range w.providers[i].local {
				r.origin = origin{index: int32(k)}
				fill(&w.providers[i].local[k], w.localStart(i, k), base.local[i][k])
				if !yield(&r) {
					return
				}
			}
		}
	}
}

// slowdown returns the bounded slowdown of the job with this start.
func (r *record) slowdown(start int64) float64 {
	return metrics.BoundedSlowdown(r.Submit, start, start+r.Run, metrics.Bound)
}

// late reports whether a Grid job has ended and started after its expected start by more than the
// tolerance (Equation 3).
func (w *world) late(r *record) bool {
	expected := w.placed[r.origin.index].expected
	return r.end < never && expected < never && r.start-expected > int64(w.p.Tolerance)
}

// tally has the sums from which the metrics of a set of jobs are computed.
type tally struct {
	jobs, ended, compared int64
	work                  int64 // processors × seconds of all of them
	slowdown, wait        float64
	ratio                 float64
	improved, worsened    int64
}

func (t *tally) add(r *record) {
	t.jobs++
	t.work += int64(r.Procs) * r.Run
	if r.end == never {
		return
	}
	t.ended++
	slowdown := r.slowdown(r.start)
	t.slowdown += slowdown
	t.wait += float64(r.start - r.Submit)
	if r.base == never {
		return
	}
	t.compared++
	ratio := metrics.Improvement(r.slowdown(r.base), slowdown)
	t.ratio += ratio
	switch {
	case ratio > 0:
		t.improved++
	case ratio < 0:
		t.worsened++
	}
}

func (t *tally) meanSlowdown() *float64 { return metrics.Mean(t.slowdown, t.ended) }

// outcome measures the run, which has reached the last arrival.
func (w *world) outcome(base *baseRun) Outcome {
	o := Outcome{GridDropped: w.jobs.dropped, Republished: w.republished}
	var grid, local tally
	providers := make([]struct {
		grid, local tally
		busy        int64 // processors × seconds after the warm-up
	}, len(w.providers))
	warmup := int64(w.p.Warmup)
	for r := range w.records(base) {
		if from := max(r.start, warmup); r.start < never && from < w.last {
			providers[r.provider].busy += int64(r.Procs) * max(0, min(r.start+r.Run, w.last)-from)
		}
		switch {
		case r.Submit < warmup:
		case !r.origin.grid:
			local.add(r)
			providers[r.home].local.add(r)
		default:
			grid.add(r)
			w.count(r, &o)
			if r.provider != rejected {
				providers[r.provider].grid.add(r)
			}
		}
	}
	o.GridJobs, o.LocalJobs = grid.jobs, local.jobs
	o.GridUnfinished, o.LocalUnfinished = grid.jobs-grid.ended-o.Rejected, local.jobs-local.ended
	o.Violations += o.Refusals
	o.ViolationsPercent = metrics.Percent(o.Violations, grid.jobs)
	o.SlowdownGrid, o.SlowdownLocal = grid.meanSlowdown(), local.meanSlowdown()
	o.WaitGrid, o.WaitLocal = metrics.Mean(grid.wait, grid.ended), metrics.Mean(local.wait, local.ended)
	o.ImprovementGrid = metrics.Mean(grid.ratio, grid.compared)
	o.ImprovementLocal = metrics.Mean(local.ratio, local.compared)
	o.ImprovedGrid = metrics.Percent(grid.improved, grid.compared)
	o.ImprovedLocal = metrics.Percent(local.improved, local.compared)
	o.WorsenedGrid = metrics.Percent(grid.worsened, grid.compared)
	o.WorsenedLocal = metrics.Percent(local.worsened, local.compared)

	span, procs, busy := w.last-warmup, int64(0), int64(0)
	for i := range w.providers {
		v, of := &w.providers[i], &providers[i]
		capacity := int64(v.procs) * span // processors × seconds
		o.Providers = append(o.Providers, ProviderRow{
			Provider: int64(i) + 1, Procs: int64(v.procs), LocalJobs: of.local.jobs, GridJobs: of.grid.jobs,
			LoadLocal: metrics.Percent(of.local.work, capacity), LoadGrid: metrics.Percent(of.grid.work, capacity),
			Utilisation:   metrics.Percent(of.busy, capacity),
			SlowdownLocal: of.local.meanSlowdown(), SlowdownGrid: of.grid.meanSlowdown(),
		})
		procs += int64(v.procs)
		busy += of.busy
	}
	o.LoadGrid, o.LoadLocal = metrics.Percent(grid.work, procs*span), metrics.Percent(local.work, procs*span)
	o.Utilisation = metrics.Percent(busy, procs*span)
	for m, n := range w.messages {
		o.Messages += n
		o.MessageKinds = append(o.MessageKinds, MessageRow{Kind: messageNames[m], Count: n})
	}
	o.Jobs = w.rows(base)
	return o
}

// count adds a Grid job that was submitted after the warm-up to the outcome.
func (w *world) count(r *record, o *Outcome) {
	placed := &w.placed[r.origin.index]
	late := w.late(r)
	if late {
		o.Violations++
	}
	if late || placed.refusals > 0 {
		o.ViolatedJobs++
	}
	o.Refusals += int64(placed.refusals)
	if placed.provider == rejected {
		o.Rejected++
	}
	if placed.withoutSlot {
		o.WithoutSlot++
	}
	if deadline := w.jobs.deadline(int(r.origin.index)); deadline < never {
		o.DeadlineJobs++
		if r.end < never && r.end > deadline {
			o.Missed++
		}
	}
}
