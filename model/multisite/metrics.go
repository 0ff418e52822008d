package multisite

// Metrics: the records of jobs at the end of a run, and the outcome computed from them.

import (
	"iter"

	"gridsweep/model/metrics"
)

// evaluation compares a schedule with the base run.
type evaluation struct {
	*schedule
	p    Parameters
	base *starts
}

// record is a job at the end of a run, which is the last arrival.
type record struct {
	*job
	origin   origin
	home     int   // index of the provider of its user, for a local job
	provider int   // index of the provider that runs it, or rejected
	start    int64 // never if it has not started
	end      int64 // never if it has not ended
	base     int64 // start in the base run; never if it ends there after the last arrival
}

// origin identifies a job: the index of a Grid job, or of a local job of its provider.
type origin struct {
	grid  bool
	index int32
}

// records yields all jobs that have arrived: the Grid jobs, then the local jobs of each provider.
// Each record is overwritten by the next.
func (e *evaluation) records() iter.Seq[*record] {
	return func(yield func(*record) bool) {
		var r record
		fill := func(j *job, start, baseStart int64) {
			r.job, r.start, r.end, r.base = j, start, never, never
			if start < never && start+j.Run <= e.last {
				r.end = start + j.Run
			}
			if baseStart+j.Run <= e.last {
				r.base = baseStart
			}
		}
		for i := range e.placed {
			r.origin, r.provider = origin{grid: true, index: int32(i)}, int(e.placed[i].provider)
			fill(&e.jobs.grid[i], e.grid[i], e.base.grid[i])
			if !yield(&r) {
				return
			}
		}
		for i, local := range e.jobs.local {
			r.home, r.provider = i, i
			for k := range local {
				r.origin = origin{index: int32(k)}
				fill(&local[k], e.local[i][k], e.base.local[i][k])
				if !yield(&r) {
					return
				}
			}
		}
	}
}

// slowdown returns the bounded slowdown of the job if it starts then.
func (r *record) slowdown(start int64) float64 {
	return metrics.BoundedSlowdown(r.Submit, start, start+r.Run, metrics.Bound)
}

// late reports whether a Grid job has ended, and has started later than the gateway expected by
// more than the tolerance (Equation 3).
func (e *evaluation) late(r *record) bool {
	expected := e.placed[r.origin.index].expected
	return r.end < never && expected < never && r.start-expected > int64(e.p.Tolerance)
}

// tally has sums over a set of jobs, from which its metrics are computed.
type tally struct {
	jobs, ended        int64
	compared           int64   // jobs that have ended both here and in the base run
	work               int64   // processors × seconds of all jobs
	slowdown, wait     float64 // of the jobs that have ended
	ratio              float64 // improvement ratios of the compared jobs
	improved, worsened int64   // compared jobs with a ratio above, below 0
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

// outcome returns the measures of a run that has reached the last arrival.
func (e *evaluation) outcome() Outcome {
	o := Outcome{GridDropped: e.jobs.dropped, Republished: e.republished}
	var grid, local tally
	byProvider := make([]struct {
		grid, local tally
		busy        int64 // processors × seconds after the warm-up
	}, len(e.jobs.local))
	warmup := int64(e.p.Warmup)
	for r := range e.records() {
		if from := max(r.start, warmup); r.start < never && from < e.last {
			byProvider[r.provider].busy += int64(r.Procs) * max(0, min(r.start+r.Run, e.last)-from)
		}
		switch {
		case r.Submit < warmup:
		case !r.origin.grid:
			local.add(r)
			byProvider[r.home].local.add(r)
		default:
			grid.add(r)
			e.count(r, &o)
			if r.provider != rejected {
				byProvider[r.provider].grid.add(r)
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

	span, procs, busy := e.last-warmup, int64(0), int64(0)
	for i, size := range clusters(e.p) {
		sums, capacity := &byProvider[i], int64(size)*span // processors × seconds
		o.Providers = append(o.Providers, ProviderRow{
			Provider: int64(i) + 1, Procs: int64(size), LocalJobs: sums.local.jobs, GridJobs: sums.grid.jobs,
			LoadLocal: metrics.Percent(sums.local.work, capacity), LoadGrid: metrics.Percent(sums.grid.work, capacity),
			Utilisation:   metrics.Percent(sums.busy, capacity),
			SlowdownLocal: sums.local.meanSlowdown(), SlowdownGrid: sums.grid.meanSlowdown(),
		})
		procs += int64(size)
		busy += sums.busy
	}
	o.LoadGrid, o.LoadLocal = metrics.Percent(grid.work, procs*span), metrics.Percent(local.work, procs*span)
	o.Utilisation = metrics.Percent(busy, procs*span)
	for m, n := range e.messages {
		o.Messages += n
		o.MessageKinds = append(o.MessageKinds, MessageRow{Kind: messageNames[m], Count: n})
	}
	o.Jobs = e.rows()
	return o
}

// count adds a Grid job that was submitted after the warm-up to the counts of the outcome.
func (e *evaluation) count(r *record, o *Outcome) {
	placed := &e.placed[r.origin.index]
	late := e.late(r)
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
	if deadline := e.jobs.deadline(int(r.origin.index)); deadline < never {
		o.DeadlineJobs++
		if r.end < never && r.end > deadline {
			o.Missed++
		}
	}
}
