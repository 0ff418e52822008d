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
// always have names: if the axis has none, the x values or labels of the points are taken.
func categoriesOf(figure analysis.Figure) []string {
	if len(figure.X.Labels) > 0 {
		return figure.X.Labels
	}
	if figure.Kind != language.Bar && figure.Kind != language.Heat {
		return nil
	}
	names := []string{}
	for _, x := range positionsOf(figure) {
		name := tickLabel(x, decimalsOf(math.Abs(x)))
		for _, p := range allPoints(figure.Panels) {
			if p.X == x && p.Label != "" {
				name = p.Label
				break
			}
		}
		names = append(names, name)
	}
	return names
}

// positionsOf returns the distinct x values of a figure, in order.
func positionsOf(figure analysis.Figure) []float64 {
	var positions []float64
	for _, p := range allPoints(figure.Panels) {
		if finite(p.X) {
			positions = append(positions, p.X)
		}
	}
	slices.Sort(positions)
	return slices.Compact(positions)
}

// positioner returns a function that gives the position of a point on the x axis.
func positioner(figure analysis.Figure) func(analysis.Point) float64 {
	if len(figure.X.Labels) > 0 || categoriesOf(figure) == nil {
		return func(p analysis.Point) float64 { return p.X }
	}
	positions := positionsOf(figure)
	return func(p analysis.Point) float64 { return float64(slices.Index(positions, p.X)) }
}

// seriesOf returns the series of all panels, the first of each label with the published numbers of
// all that have it.
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
	figure.RangeY = figure.LimitsY(shown)
	if figure.Kind == language.Gantt {
		x, y = rectangleScales(figure, alike)
		return x, y, scale{}
	}
	if names := categoriesOf(figure); names != nil {
		x = categoryScale(figure.X, names)
	} else {
		x = numberScale(figure.X, positionsOf(figure), figure.LogX, figure.RangeX, littleRoom)
		x = x.atLevels(positionsOf(figure))
	}
	if figure.Kind == language.Heat {
		rows := make([]string, len(shown.Series))
		for i, series := range shown.Series {
			rows[len(rows)-1-i] = series.Label
		}
		values := valuesOf(figure, pointsOn(alike, false), x)
		return x, categoryScale(figure.Rows, rows), numberScale(axis, values, false, figure.RangeY, anyRoom)
	}
	room := someRoom
	if figure.Kind == language.Bar {
		room = anyRoom
	}
	values := valuesOf(figure, pointsOn(alike, false), x)
	y = numberScale(axis, values, figure.LogY, figure.RangeY, room)
	if figure.Kind == language.Bar && figure.LogY && figure.RangeY == nil {
		y = y.fromPower(values)
	}
	return x, y, scale{}
}

// roomBeside widens a horizontal axis of a length so that the marks of its first and last position,
// side by side, lie within it.
func roomBeside(figure analysis.Figure, x scale, length vg.Length) scale {
	positions := positionsOf(figure)
	positions = slices.DeleteFunc(positions, func(p float64) bool { return !x.drawable(p) })
	if figure.Kind != language.Line && figure.Kind != language.Points || x.names != nil || figure.RangeX != nil ||
		len(positions) == 0 {
		return x
	}
	first, last := x.share(positions[0]), x.share(positions[len(positions)-1])
	room := func(gap float64) float64 {
		beside := vg.Length(0)
		for _, panel := range figure.Panels {
			if n := len(panel.Series); dodges(figure.Kind, panel.Series, x) {
				beside = max(beside, dodgeStep(vg.Length(gap)*length, n)*vg.Length(n-1)/2)
			}
		}
		return float64((publishedRadius + beside) / length)
	}
	from, to := room(last-first), room(last-first)
	if n := len(positions); n > 1 {
		from, to = room(x.share(positions[1])-first), room(last-x.share(positions[n-2]))
	}
	return x.between(min(0, first-from), max(1, last+to))
}

// rightScale returns the axis on the right of each panel of a figure that has one.
func rightScale(figure analysis.Figure, x scale) scale {
	return numberScale(*figure.Right, valuesOf(figure, pointsOn(figure.Panels, true), x), false, nil, someRoom)
}

// valuesOf returns every number that a y axis has to cover for the points: values and ends of
// intervals within the x axis.
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
