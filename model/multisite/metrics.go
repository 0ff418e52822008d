// Metrics: the records of jobs at the end of a run, and the outcome computed from them.

package multisite

import "gridsweep/model/metrics"

// record is a job at the end of a run, which is the last arrival.
type record struct {
	*job
	index    int       // in its workload
	decision *decision // nil for a local job
	provider int       // index of the provider that runs it, or rejected
	start    int64     // never if it has not started
	end      int64     // never if it has not ended
	base     int64     // start in the base run; never if it ends there after the last arrival
}

// records yields all jobs that have arrived: the Grid jobs, then the local jobs of each provider.
// Each record is overwritten by the next.
func (w *world) records(yield func(*record) bool) {
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
	for i := range w.gridJobs {
		r.index, r.decision, r.provider = i, &w.decisions[i], int(w.decisions[i].provider)
		fill(&w.gridJobs[i], w.gridStart(i), w.base.gridJobs[i])
		if !yield(&r) {
			return
		}
	}
	r.decision = nil
	for i, local := range w.localJobs {
		r.provider = i
		for k := range local {
			r.index = k
			fill(&local[k], w.localStart(i, k), w.base.localJobs[i][k])
			if !yield(&r) {
				return
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
func (w *world) late(r *record) bool {
	expected := r.decision.expected
	return r.end < never && expected < never && r.start-expected > int64(w.p.Tolerance)
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
func (w *world) outcome() Outcome {
	o := Outcome{GridDropped: w.dropped, Republished: w.republished}
	var grid, local tally
	byProvider := make([]struct {
		grid, local tally
		busy        int64 // processors × seconds after the warm-up
	}, len(w.providers))
	warmup := int64(w.p.Warmup)
	for r := range w.records {
		if from := max(r.start, warmup); r.start < never && from < w.last {
			byProvider[r.provider].busy += int64(r.Procs) * max(0, min(r.start+r.Run, w.last)-from)
		}
		if r.Submit < warmup {
			continue
		}
		if r.decision == nil {
			local.add(r)
			byProvider[r.provider].local.add(r)
			continue
		}
		grid.add(r)
		w.addGridJob(r, &o)
		if r.provider != rejected {
			byProvider[r.provider].grid.add(r)
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
	for i := range byProvider {
		sums, size := &byProvider[i], int64(w.providers[i].procs)
		capacity := size * span // processors × seconds
		o.Providers = append(o.Providers, ProviderRow{
			Provider: int64(i) + 1, Procs: size, LocalJobs: sums.local.jobs, GridJobs: sums.grid.jobs,
			LoadLocal: metrics.Percent(sums.local.work, capacity), LoadGrid: metrics.Percent(sums.grid.work, capacity),
			Utilisation:   metrics.Percent(sums.busy, capacity),
			SlowdownLocal: sums.local.meanSlowdown(), SlowdownGrid: sums.grid.meanSlowdown(),
		})
		procs += size
		busy += sums.busy
	}
	o.LoadGrid, o.LoadLocal = metrics.Percent(grid.work, procs*span), metrics.Percent(local.work, procs*span)
	o.Utilisation = metrics.Percent(busy, procs*span)
	for m, n := range w.messages {
		o.Messages += n
		o.MessagesByName = append(o.MessagesByName, MessageRow{Name: messageNames[m], Count: n})
	}
	o.Jobs = w.rows
	return o
}

// addGridJob adds a Grid job that was submitted after the warm-up to the counts of the outcome.
func (w *world) addGridJob(r *record, o *Outcome) {
	late := w.late(r)
	if late {
		o.Violations++
	}
	if late || r.decision.refusals > 0 {
		o.ViolatedJobs++
	}
	o.Refusals += int64(r.decision.refusals)
	if r.provider == rejected {
		o.Rejected++
	}
	if r.decision.withoutSlot {
		o.WithoutSlot++
	}
	if deadline := w.deadline(r.index); deadline < never {
		o.DeadlineJobs++
		if r.end < never && r.end > deadline {
			o.Missed++
		}
	}
}
