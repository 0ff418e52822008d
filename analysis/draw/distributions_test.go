// Cumulative distributions by policy: their steps and both ends.

package draw

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/analysis"
	"gridsweep/model/metrics"
)

// A distribution rises at each value by the share of the jobs that have it, from the left edge,
// where all waits up to a second are, to the right edge of the longest line.
func TestDistributions(t *testing.T) {
	var d Distributions
	easy := metrics.Schedule{
		Submit: []int64{0, 0, 0, 0}, Start: []int64{0, 1, 40, 40}, End: []int64{20, 21, 60, 60}, Procs: []int32{1, 1, 1, 1},
	}
	if err := d.Add("easy", easy, metrics.Window{}); err != nil {
		t.Fatal(err)
	}
	fcfs := metrics.Schedule{Submit: []int64{0}, Start: []int64{100}, End: []int64{120}, Procs: []int32{1}}
	if err := d.Add("fcfs", fcfs, metrics.Window{}); err != nil {
		t.Fatal(err)
	}
	if err := d.Add("none", metrics.Schedule{}, metrics.Window{}); err == nil {
		t.Error("a schedule without jobs is no error")
	}
	figures := d.Figures()
	type step struct{ X, Y float64 }
	steps := func(points []analysis.Point) (list []step) {
		for _, p := range points[:len(points)-1] {
			list = append(list, step{p.X, p.Y.Value})
		}
		last := points[len(points)-1]
		if last.Y.Value != 1 || last.X != figures[0].RangeX[1] && last.X != figures[1].RangeX[1] {
			t.Errorf("a line ends at %v", last)
		}
		return list
	}
	series := append(figures[0].Panels[0].Series, figures[1].Panels[0].Series[0])
	for i, want := range [][]step{
		{{1, 0.5}, {40, 0.5}, {40, 1}},
		{{1, 0}, {100, 0}, {100, 1}},
		{{1, 0.25}, {1.05, 0.25}, {1.05, 0.5}, {3, 0.5}, {3, 1}},
	} {
		if diff := cmp.Diff(want, steps(series[i].Points)); diff != "" {
			t.Errorf("%s: %s", series[i].Label, diff)
		}
	}
}
