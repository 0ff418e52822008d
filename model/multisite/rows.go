package multisite

// Rows: the table jobs of a run's outcome.

import (
	"iter"
	"strconv"

	"gridsweep/model"
	"gridsweep/model/metrics"
)

// rows yields the rows of the table jobs: of jobs submitted after the warm-up.
func (e *evaluation) rows() iter.Seq[JobRow] {
	return func(yield func(JobRow) bool) {
		for r := range e.records() {
			if r.Submit >= int64(e.p.Warmup) && !yield(e.row(r)) {
				return
			}
		}
	}
}

// row returns the row of a job in the table jobs.
func (e *evaluation) row(r *record) JobRow {
	row := JobRow{
		Workload: "grid", Job: int64(r.origin.index) + 1, Provider: int64(r.provider) + 1,
		Submit: model.Seconds(r.Submit), Procs: int64(r.Procs), Run: model.Seconds(r.Run),
		Start: known(r.start), End: known(r.end), BaseStart: known(r.base),
	}
	if r.origin.grid {
		placed := &e.placed[r.origin.index]
		row.Deadline, row.Expected = known(e.jobs.deadline(int(r.origin.index))), known(placed.expected)
		row.Refusals, row.Late = int64(placed.refusals), e.late(r)
	} else {
		row.Workload = "local " + strconv.Itoa(r.home+1)
	}
	if r.end < never {
		slowdown := r.slowdown(r.start)
		row.Slowdown = &slowdown
	}
	if r.base < never {
		slowdown := r.slowdown(r.base)
		row.BaseSlowdown = &slowdown
	}
	if r.end < never && r.base < never {
		ratio := metrics.Improvement(*row.BaseSlowdown, *row.Slowdown)
		row.Improvement = &ratio
	}
	return row
}

// known returns a time for a column: nil if it is never.
func known(t int64) *model.Seconds {
	if t == never {
		return nil
	}
	seconds := model.Seconds(t)
	return &seconds
}
