// The numbers of a figure in the units and limits in which they are drawn.

package draw

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"gridsweep/analysis"
	"gridsweep/configs/language"
)

// categoriesOf returns the names along the x axis; nil for an axis of numbers. Bars and heat maps
// have names even if the axis has none: the labels of the points or, without these, their x values.
// Without points they are empty, not nil.
func categoriesOf(figure analysis.Figure) []string {
	if len(figure.X.Labels) > 0 {
		return figure.X.Labels
	}
	if figure.Kind != language.Bar && figure.Kind != language.Heat {
		return nil
	}
	names, points := []string{}, allPoints(figure.Panels)
	for _, x := range xValuesOf(figure) {
		name := tickLabel(x, decimalsOf(math.Abs(x)))
		hasName := func(p analysis.Point) bool { return p.X == x && p.Label != "" }
		if i := slices.IndexFunc(points, hasName); i >= 0 {
			name = points[i].Label
		}
		names = append(names, name)
	}
	return names
}

// xValuesOf returns the distinct x values of a figure, in order.
func xValuesOf(figure analysis.Figure) []float64 {
	var values []float64
	for _, p := range allPoints(figure.Panels) {
		if finite(p.X) {
			values = append(values, p.X)
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// positioner returns a function that gives the position of a point on the x axis: its x value,
// which is an index where the axis has labels, or the index of its name from categoriesOf.
func positioner(figure analysis.Figure) func(analysis.Point) float64 {
	if len(figure.X.Labels) > 0 || categoriesOf(figure) == nil {
		return func(p analysis.Point) float64 { return p.X }
	}
	values := xValuesOf(figure)
	return func(p analysis.Point) float64 { return float64(slices.Index(values, p.X)) }
}

// seriesOf returns the first series of each label in the panels, with the published numbers of all
// series of the label.
func seriesOf(figure analysis.Figure) []analysis.Series {
	var found []analysis.Series
	for _, panel := range figure.Panels {
		for _, series := range panel.Series {
			i := slices.IndexFunc(found, func(other analysis.Series) bool { return other.Label == series.Label })
			if i < 0 {
				found = append(found, series)
				continue
			}
			found[i].Published = slices.Concat(found[i].Published, series.Published)
		}
	}
	return found
}

func allPoints(panels []analysis.Panel) []analysis.Point {
	return append(pointsOn(panels, false), pointsOn(panels, true)...)
}

// pointsOn returns the points of the series on the right axis, or of those on the left.
func pointsOn(panels []analysis.Panel, right bool) []analysis.Point {
	var points []analysis.Point
	for _, panel := range panels {
		for _, series := range panel.Series {
			if series.Right == right {
				points = append(append(points, series.Points...), series.Published...)
			}
		}
	}
	return points
}

// axisOf returns the y axis of a panel: its own, or else that of the figure.
func axisOf(figure analysis.Figure, panel analysis.Panel) analysis.Axis {
	if panel.Y.Name == "" && panel.Y.Title == "" {
		return figure.Y
	}
	return panel.Y
}

// scalesOf returns the axes of a panel. Panels of the same quantity share one range, so that they
// can be compared; panels with limits of their own do not. A heat map has its series on the y axis,
// the first at the top, and the scale of its colours is value.
func scalesOf(figure analysis.Figure, shown analysis.Panel) (x, y, value scale) {
	axis := axisOf(figure, shown)
	var alike []analysis.Panel
	for _, panel := range figure.Panels {
		if axisOf(figure, panel).Name == axis.Name && (panel.RangeY == nil) == (shown.RangeY == nil) {
			alike = append(alike, panel)
		}
	}
	limits := figure.LimitsY(shown)
	if figure.Kind == language.Gantt {
		x, y = rectangleScales(figure, alike, limits)
		return x, y, scale{}
	}
	if names := categoriesOf(figure); names != nil {
		x = categoryScale(figure.X, names)
	} else {
		x = numberScale(figure.X, xValuesOf(figure), figure.LogX, figure.RangeX, littleEmpty)
		x = x.atLevels(xValuesOf(figure))
	}
	values := valuesOf(figure, pointsOn(alike, false), x)
	if figure.Kind == language.Heat {
		rows := make([]string, len(shown.Series))
		for i, series := range shown.Series {
			rows[len(rows)-1-i] = series.Label
		}
		return x, categoryScale(figure.Rows, rows), numberScale(axis, values, false, limits, fromZero)
	}
	if figure.Kind != language.Bar {
		return x, numberScale(axis, values, figure.LogY, limits, someEmpty), scale{}
	}
	y = numberScale(axis, values, figure.LogY, limits, fromZero)
	if figure.LogY && limits == nil {
		y = y.fromPower(values)
	}
	return x, y, scale{}
}

// widenForMarks widens a horizontal axis of a length so that the marks at its first and last x
// value, side by side, lie within it.
func widenForMarks(figure analysis.Figure, x scale, length vg.Length) scale {
	var shares []float64 // of the axis, before each x value
	for _, value := range xValuesOf(figure) {
		if x.drawable(value) {
			shares = append(shares, x.share(value))
		}
	}
	n := len(shares)
	if figure.Kind != language.Line && figure.Kind != language.Points || x.names != nil || figure.RangeX != nil || n == 0 {
		return x
	}
	reach := func(gap float64) float64 { // of the marks to one side, as a share of the axis
		beside := vg.Length(0)
		for _, panel := range figure.Panels {
			if count := len(panel.Series); dodges(figure.Kind, panel.Series, x) {
				beside = max(beside, dodgeStep(vg.Length(gap)*length, count)*vg.Length(count-1)/2)
			}
		}
		return float64((publishedRadius + beside) / length)
	}
	firstGap, lastGap := math.Inf(1), math.Inf(1) // a single x value has no neighbours
	if n > 1 {
		firstGap, lastGap = shares[1]-shares[0], shares[n-1]-shares[n-2]
	}
	return x.between(min(0, shares[0]-reach(firstGap)), max(1, shares[n-1]+reach(lastGap)))
}

// rightScale returns the axis on the right of each panel of a figure that has one.
func rightScale(figure analysis.Figure, x scale) scale {
	return numberScale(*figure.Right, valuesOf(figure, pointsOn(figure.Panels, true), x), false, nil, someEmpty)
}

// valuesOf returns every number that a y axis, or the colours of a heat map, have to cover for the
// points within the x axis: their values and, except in a heat map, the ends of their intervals.
func valuesOf(figure analysis.Figure, points []analysis.Point, x scale) []float64 {
	position := positioner(figure)
	var values []float64
	for _, p := range points {
		if !x.contains(position(p)) {
			continue
		}
		values = append(values, p.Y.Value)
		if figure.Kind == language.Heat {
			continue
		}
		values = append(values, p.Y.High)
		// An interval to nearly 0 ends in an arrow instead of adding decades to a logarithmic axis.
		if !figure.LogY || p.Y.Low >= p.Y.Value/10 {
			values = append(values, p.Y.Low)
		}
	}
	return values
}
