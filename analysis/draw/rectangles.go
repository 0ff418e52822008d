// Gantt charts: rows of a table as rectangles.

package draw

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gridsweep/analysis"
)

// fewRectangles is the largest number of rectangles of a panel that are drawn one by one. More are
// drawn as an image, which keeps the page fast.
const fewRectangles = 2000

// rectangles draws the points of a gantt, later series on top.
type rectangles struct {
	series []analysis.Series
	paints map[string]blockPaint
}

func (r rectangles) plot(c draw.Canvas, p *axes) {
	layers := make([][]block, len(r.series))
	for i, series := range r.series {
		for _, point := range series.Points {
			layers[i] = append(layers[i], block{
				left: point.X, right: point.X + point.Width, low: point.Y.Value, high: point.Y.Value + point.Height,
				paint: r.paints[series.Label],
			})
		}
	}
	all := slices.Concat(layers...)
	switch {
	case len(all) == 0:
		plotNothing(c)
	case len(all) > fewRectangles:
		paintBlocks(c, p, layers)
	default:
		drawBlocks(c, p, all)
	}
}

// paintsOf returns the colours of the series of a gantt: later series, which lie on top, are
// darker.
func paintsOf(figure analysis.Figure) map[string]blockPaint {
	all, paints := seriesOf(figure), map[string]blockPaint{}
	for i, series := range all {
		share := 0.7 // of a series alone
		if len(all) > 1 {
			share = 0.08 + 0.84*float64(i)/float64(len(all)-1)
		}
		edge := color.RGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
		if share < 0.5 {
			edge = heatColour(share + 0.4)
		}
		paints[series.Label] = blockPaint{heatColour(share), edge}
	}
	return paints
}

// rectangleScales returns the axes of a panel of a gantt. Each covers its limits; without limits x
// covers the rectangles of all panels, and y those of alike, the panels that share the y axis. The
// argument limits is that of y.
func rectangleScales(figure analysis.Figure, alike []analysis.Panel, limits *[2]float64) (x, y scale) {
	var xs, ys []float64
	for _, p := range allPoints(figure.Panels) {
		xs = append(xs, p.X, p.X+p.Width)
	}
	for _, p := range allPoints(alike) {
		ys = append(ys, p.Y.Value, p.Y.Value+p.Height)
	}
	return fittingScale(figure.X, xs, figure.RangeX, littleEmpty), fittingScale(figure.Y, ys, limits, 0)
}

// fittingScale covers exactly the limits or, without limits, the values without a margin. It starts
// at 0 if that leaves less than the share mostEmpty of the axis empty. Only equal values have a
// margin, on an axis that reaches 0.
func fittingScale(axis analysis.Axis, values []float64, limits *[2]float64, mostEmpty float64) scale {
	if limits == nil && len(values) > 0 {
		limits = &[2]float64{slices.Min(values), slices.Max(values)}
		if limits[0] > 0 && limits[0] < mostEmpty*limits[1] {
			limits[0] = 0
		}
	}
	return numberScale(axis, values, false, limits, fromZero)
}

// rectangleSample returns a function that draws a rectangle of a series for the legend.
func rectangleSample(paint blockPaint) func(draw.Canvas, vg.Point) {
	return func(c draw.Canvas, at vg.Point) { paint.draw(c, around(at, 16, 9)) }
}
