// Rows: the table jobs of a run's outcome.

package multisite

import (
	"strconv"

	"gridsweep/model"
	"gridsweep/model/metrics"
)

// rows yields the rows of the table jobs: of jobs submitted after the warm-up.
func (w *world) rows(yield func(JobRow) bool) {
	for r := range w.records {
		if r.Submit >= int64(w.p.Warmup) && !yield(w.row(r)) {
			return
		}
	}
}

// row returns the row of a job in the table jobs.
func (w *world) row(r *record) JobRow {
	row := JobRow{
		Workload: "grid", Job: int64(r.index) + 1, Provider: int64(r.provider) + 1,
		Submit: model.Seconds(r.Submit), Procs: int64(r.Procs), Run: model.Seconds(r.Run),
		Start: known(r.start), End: known(r.end), BaseStart: known(r.base),
	}
	if r.decision != nil {
		row.Deadline, row.Expected = known(w.deadline(r.index)), known(r.decision.expected)
		row.Refusals, row.Late = int64(r.decision.refusals), w.late(r)
	} else {
		row.Workload = "local " + strconv.Itoa(r.provider+1)
	}
	if r.end < never {
		row.Slowdown = new(r.slowdown(r.start))
	}
	if r.base < never {
		row.BaseSlowdown = new(r.slowdown(r.base))
	}
	if r.end < never && r.base < never {
		row.Improvement = new(metrics.Improvement(*row.BaseSlowdown, *row.Slowdown))
	}
	return row
}

// known returns a time for a column: nil if it is never.
func known(t int64) *model.Seconds {
	if t == never {
		return nil
	}
	return new(model.Seconds(t))
}
