// Figures of how a measure is distributed over the jobs of each policy.

package draw

import (
	"math"

	"gridsweep/analysis"
	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
	"gridsweep/model/metrics"
	"gridsweep/sweeps/study"
)

// Distributions is the empirical cumulative distribution functions of the waits and of the bounded
// slowdowns of policies.
type Distributions struct{ wait, slowdown analysis.Figure }

// Add adds the schedule of a policy. It returns the errors of metrics.Values.
func (d *Distributions) Add(policy string, s metrics.Schedule, window metrics.Window) error {
	waits, slowdowns, err := metrics.Values(s, window)
	if err != nil {
		return err
	}
	if len(d.wait.Panels) == 0 {
		seconds := study.Unit{Name: "s", Size: 1}
		d.wait = distribution("wait", "Wait", analysis.Axis{Title: "wait", Unit: "s", Shown: seconds})
		d.slowdown = distribution("bounded_slowdown", "Bounded slowdown", analysis.Axis{Title: "bounded slowdown"})
	}
	addSteps(&d.wait, policy, waits)
	addSteps(&d.slowdown, policy, slowdowns)
	return nil
}

// Figures returns a figure of each measure, with logarithmic axes and a line for each policy. It is
// called once, after the policies were added.
func (d *Distributions) Figures() []analysis.Figure {
	figures := []analysis.Figure{d.wait, d.slowdown}
	for _, f := range figures {
		series := f.Panels[0].Series
		for i := range series { // each to the right edge
			series[i].Points = append(series[i].Points, analysis.Point{X: f.RangeX[1], Y: statistics.Point(1)})
		}
	}
	return figures
}

func distribution(name, title string, x analysis.Axis) analysis.Figure {
	return analysis.Figure{
		Name: name, Title: title + ": share of the jobs with at most this value", Kind: language.Line, X: x,
		Y: analysis.Axis{Title: "share of the jobs"}, LogX: true, RangeX: &[2]float64{1, 10}, RangeY: &[2]float64{0, 1},
		Panels: make([]analysis.Panel, 1),
	}
}

// addSteps adds the steps of a distribution, whose values ascend. All values up to 1 are at 1, the
// left edge.
func addSteps(f *analysis.Figure, label string, values []float64) {
	var points []analysis.Point
	share := func(i int) statistics.Estimate { return statistics.Point(float64(i) / float64(len(values))) }
	for i := 0; i < len(values); {
		x := max(1, values[i])
		if x > 1 {
			points = append(points, analysis.Point{X: x, Y: share(i)})
		}
		for i < len(values) && values[i] <= x {
			i++
		}
		points = append(points, analysis.Point{X: x, Y: share(i)})
	}
	if points[0].X > 1 {
		points = append([]analysis.Point{{X: 1, Y: share(0)}}, points...)
	}
	f.RangeX[1] = max(f.RangeX[1], math.Nextafter(values[len(values)-1], math.Inf(1)))
	f.Panels[0].Series = append(f.Panels[0].Series, analysis.Series{Label: label, Points: points})
}
