package draw

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gridsweep/analysis"
)

const (
	ourRadius       = vg.Length(2.6)
	publishedRadius = vg.Length(3.6) // ours can be seen inside
	smallRadius     = vg.Length(1.7) // where there are many points
	manyPoints      = 60
	capWidth        = vg.Length(4) // of the ends of an interval, less in a narrower bar
	barShare        = 0.8          // of a category's room that its bars take
)

// add puts the grid and the series on the panel.
func (p *panel) add(figure analysis.Figure, shown analysis.Panel, looks Looks) {
	if figure.Kind == kindHeat {
		p.plot.Add(heatMap{panel: *p, series: shown.Series, place: placer(figure)})
		return
	}
	p.plot.Add(gridLines{upright: p.x.names == nil})
	p.plot.Add(seriesPlotter{panel: *p, kind: figure.Kind, series: shown.Series, place: placer(figure), looks: looks})
}

// gridLines are faint lines at the labelled ticks.
type gridLines struct{ upright bool }

func (g gridLines) Plot(c draw.Canvas, p *plot.Plot) {
	style := draw.LineStyle{Color: pale, Width: vg.Points(0.5)}
	atX, atY := p.Transforms(&c)
	for _, tick := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if !tick.IsMinor() {
			c.StrokeLine2(style, c.Min.X, atY(tick.Value), c.Max.X, atY(tick.Value))
		}
	}
	if !g.upright {
		return
	}
	for _, tick := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		if !tick.IsMinor() {
			c.StrokeLine2(style, atX(tick.Value), c.Min.Y, atX(tick.Value), c.Max.Y)
		}
	}
}

// seriesPlotter draws all series of a panel: lines or bars first, then intervals, then our markers, and the paper's
// on top, so that nothing small is hidden.
type seriesPlotter struct {
	panel  panel
	kind   string
	series []analysis.Series
	place  func(analysis.Point) float64
	looks  Looks
}

// spot is a point of a series on the canvas.
type spot struct {
	at        vg.Point
	low, high vg.Length // ends of the interval, within the axes
	interval  bool
	goesOn    [2]bool // the interval goes on below, above the axes
	inside    bool    // the point itself is within the axes
}

func (s seriesPlotter) Plot(c draw.Canvas, p *plot.Plot) {
	if s.kind == kindBar {
		s.plotBars(c, p)
		return
	}
	ours := make([][]spot, len(s.series))
	for i, series := range s.series {
		ours[i] = s.spots(c, p, series.Points, 0)
		if s.kind == kindLine {
			s.plotLine(c, p, series)
		}
	}
	for i, series := range s.series {
		plotIntervals(c, ours[i], s.look(series).color, capWidth)
	}
	for i, series := range s.series {
		look := s.look(series)
		radius := ourRadius
		if len(series.Points) > manyPoints {
			radius = smallRadius
		}
		for _, spot := range ours[i] {
			if spot.inside {
				look.marker.fill(c, spot.at, radius, look.color)
			}
		}
	}
	drawn := 0
	for i, series := range s.series {
		s.plotPublished(c, p, series, 0)
		drawn += len(ours[i]) + len(series.Published)
	}
	if drawn == 0 {
		plotNothing(c)
	}
}

func plotNothing(c draw.Canvas) {
	style := typeface(titleSize)
	style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
	c.FillText(style, c.Center(), "no data")
}

func (s seriesPlotter) look(series analysis.Series) look { return lookOf(s.looks[series.Label]) }

// spots returns where the points are, each moved along the category axis by the shift. What has no place on the axes
// (no value, or none above 0 on a logarithmic axis) is left out.
func (s seriesPlotter) spots(c draw.Canvas, p *plot.Plot, points []analysis.Point, shift float64) []spot {
	atX, atY := p.Transforms(&c)
	var spots []spot
	for _, point := range points {
		x, y := s.place(point)+shift, point.Y.Value
		if !s.panel.x.drawable(x) || !s.panel.y.drawable(y) {
			continue
		}
		at := vg.Point{X: atX(s.panel.x.at(x)), Y: atY(s.panel.y.at(y))}
		spot := spot{at: at, inside: s.panel.x.contains(x) && s.panel.y.contains(y)}
		low, high := point.Y.Low, point.Y.High
		if finite(low) && finite(high) && low < high && s.panel.x.contains(x) {
			spot.goesOn = [2]bool{low < s.panel.y.low, high > s.panel.y.high}
			low, high = max(low, s.panel.y.low), min(high, s.panel.y.high)
			spot.interval = low < high
		}
		if spot.interval {
			spot.low, spot.high = atY(s.panel.y.at(low)), atY(s.panel.y.at(high))
		}
		spots = append(spots, spot)
	}
	return spots
}

// plotLine joins the points from left to right; where a value is missing the line has a hole.
func (s seriesPlotter) plotLine(c draw.Canvas, p *plot.Plot, series analysis.Series) {
	points := slices.Clone(series.Points)
	slices.SortStableFunc(points, func(a, b analysis.Point) int {
		switch xa, xb := s.place(a), s.place(b); {
		case xa < xb:
			return -1
		case xa > xb:
			return 1
		default:
			return 0
		}
	})
	atX, atY := p.Transforms(&c)
	var lines [][]vg.Point
	joined := false
	for _, point := range points {
		x, y := s.place(point), point.Y.Value
		if !s.panel.x.drawable(x) || !s.panel.y.drawable(y) {
			joined = false
			continue
		}
		if !joined {
			lines = append(lines, nil)
		}
		last := len(lines) - 1
		lines[last] = append(lines[last], vg.Point{X: atX(s.panel.x.at(x)), Y: atY(s.panel.y.at(y))})
		joined = true
	}
	c.StrokeLines(s.look(series).line(), c.ClipLinesXY(lines...)...)
}

// plotIntervals draws the intervals with ends of a width.
func plotIntervals(c draw.Canvas, spots []spot, paint color.Color, width vg.Length) {
	style := draw.LineStyle{Color: paint, Width: vg.Points(0.8)}
	for _, spot := range spots {
		if !spot.interval {
			continue
		}
		x := spot.at.X
		c.StrokeLine2(style, x, spot.low, x, spot.high)
		for i, end := range []vg.Length{spot.low, spot.high} {
			if !spot.goesOn[i] {
				c.StrokeLine2(style, x-width/2, end, x+width/2, end)
			}
		}
	}
}

func (s seriesPlotter) plotPublished(c draw.Canvas, p *plot.Plot, series analysis.Series, shift float64) {
	look := s.look(series)
	for _, spot := range s.spots(c, p, series.Published, shift) {
		if spot.inside {
			if s.kind == kindBar {
				look.marker.fill(c, spot.at, publishedRadius, color.White) // to stand out from the bar
			}
			look.marker.outline(c, spot.at, publishedRadius, look.color)
		}
	}
}

// plotBars draws a group of bars at each category, one for each series, from 0 or the axis.
func (s seriesPlotter) plotBars(c draw.Canvas, p *plot.Plot) {
	atX, atY := p.Transforms(&c)
	width := barShare / float64(max(len(s.series), 1))
	base := c.Min.Y
	if !s.panel.y.log {
		base = atY(min(max(0, s.panel.y.low), s.panel.y.high))
	}
	for i, series := range s.series {
		shift := (float64(i)+0.5)*width - barShare/2
		look := s.look(series)
		half := (atX(width) - atX(0)) / 2
		spots := s.spots(c, p, series.Points, shift)
		for _, spot := range spots {
			top := min(max(spot.at.Y, c.Min.Y), c.Max.Y)
			look.bar(c, vg.Rectangle{
				Min: vg.Point{X: spot.at.X - half, Y: min(base, top)}, Max: vg.Point{X: spot.at.X + half, Y: max(base, top)},
			})
		}
		ends := min(capWidth, 2*half)
		plotIntervals(c, spots, ink, ends)
		s.plotPublished(c, p, series, shift)
	}
	if s.panel.y.low < 0 && s.panel.y.high > 0 {
		c.StrokeLine2(draw.LineStyle{Color: ink, Width: vg.Points(0.5)}, c.Min.X, atY(0), c.Max.X, atY(0))
	}
}
