// Series of lines, bars and points with their intervals and published numbers.

package draw

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gridsweep/analysis"
	"gridsweep/configs/language"
)

const (
	ourRadius       = vg.Length(2.6)
	publishedRadius = vg.Length(3.6) // larger than ours, which stays visible inside
	smallRadius     = vg.Length(1.7) // where there are many points
	manyPoints      = 60
	// from mark to mark on a line with so many points that all marks would touch
	markDistance = vg.Length(30)
	capWidth     = vg.Length(4) // of the ends of an interval, less in a narrower bar
	barShare     = 0.8          // of a category's width that its bars take
)

// addSeries adds the lines at ticks and the series to the panel.
func (a *axes) addSeries(figure analysis.Figure, shown analysis.Panel, appearances Appearances) {
	if figure.Kind == language.Heat {
		a.add(heatMap{shown.Series, positioner(figure)})
		return
	}
	a.add(tickLines{upright: a.x.names == nil})
	if figure.Kind == language.Gantt {
		a.add(rectangles{shown.Series, paintsOf(figure)})
		return
	}
	if figure.Diagonal {
		a.add(diagonal{})
	}
	a.add(seriesPlotter{a, figure.Kind, shown.Series, positioner(figure), appearances})
}

// tickLines are faint lines at the labelled ticks.
type tickLines struct{ upright bool }

func (t tickLines) plot(c draw.Canvas, p *axes) {
	style := draw.LineStyle{Color: pale, Width: vg.Points(0.5)}
	atX, atY := p.transforms(&c)
	for _, tick := range labelled(p.y.marks) {
		c.StrokeLine2(style, c.Min.X, atY(tick.value), c.Max.X, atY(tick.value))
	}
	if !t.upright {
		return
	}
	for _, tick := range labelled(p.x.marks) {
		c.StrokeLine2(style, atX(tick.value), c.Min.Y, atX(tick.value), c.Max.Y)
	}
}

// diagonal is the line on which both axes have equal numbers.
type diagonal struct{}

func (diagonal) plot(c draw.Canvas, p *axes) {
	low, high := max(p.x.low, p.y.low), min(p.x.high, p.y.high)
	if low >= high {
		return
	}
	atX, atY := p.transforms(&c)
	c.StrokeLine2(draw.LineStyle{Color: grey, Width: vg.Points(1)}, atX(low), atY(low), atX(high), atY(high))
}

// seriesPlotter draws all series of a panel: lines or bars first, then intervals, then our
// markers, and the published ones on top, so that nothing small is hidden.
type seriesPlotter struct {
	panel       *axes
	kind        language.FigureKind
	series      []analysis.Series
	position    func(analysis.Point) float64
	appearances Appearances
}

// spot is a point of a series on the canvas.
type spot struct {
	at          vg.Point // its position, at the limit if the value lies beyond it
	point       analysis.Point
	low, high   vg.Length // ends of the interval, within the axes
	hasInterval bool      // within the axes
	goesOn      [2]bool   // whether the interval goes on below the axes, and above
	besideAxes  bool      // left or right of the axes
	beyond      int       // -1 or 1 if the value lies below or above the vertical axis; else 0
}

func (s spot) inside() bool { return !s.besideAxes && s.beyond == 0 }

// inward is the direction from the limit that a value exceeds into the axes: 1 is upwards.
func (s spot) inward() vg.Length { return vg.Length(-s.beyond) }

func (s seriesPlotter) plot(c draw.Canvas, _ *axes) {
	if s.kind == language.Bar {
		s.plotBars(c)
		return
	}
	limit := &limitMarks{canvas: c, unit: s.panel.y.unit.size}
	ours := make([][]spot, len(s.series))
	marked := make([][]spot, len(s.series)) // those of ours that have a mark and an interval
	dodged := s.dodgedPositions(c)
	for i, series := range s.series {
		alongX := s.alongX(c, i, dodged)
		ours[i] = s.spots(c, series, series.Points, alongX)
		marked[i] = ours[i]
		if s.kind == language.Line {
			limit.avoidLines(s.plotLine(c, series, alongX))
			marked[i] = thinned(ours[i], radiusIn(series), i)
		}
	}
	// the long intervals of values beyond the limits lie below the others
	for _, inside := range []bool{false, true} {
		for i, series := range s.series {
			plotIntervals(c, spotsWhere(marked[i], inside), s.appearance(series).color, capWidth)
		}
	}
	for i, series := range s.series {
		a := s.appearance(series)
		limit.avoidIntervals(marked[i])
		limit.avoidMarks(marked[i], ourRadius)
		for _, spot := range spotsWhere(marked[i], true) {
			a.marker.fill(c, spot.at, radiusIn(series), a.color)
		}
		addTooltips(c, series.Label, ours[i], false)
	}
	drawn := 0
	published := make([][]spot, len(s.series))
	for i, series := range s.series {
		published[i] = s.spots(c, series, series.Published, s.alongX(c, i, dodged))
		s.plotPublished(c, series, published[i])
		addTooltips(c, series.Label, published[i], true)
		limit.avoidMarks(published[i], publishedRadius)
		drawn += len(ours[i]) + len(published[i])
	}
	s.plotBeyond(c, ours, published, limit)
	if drawn == 0 {
		plotNothing(c)
	}
}

// spotsWhere returns the spots inside the axes, or those outside.
func spotsWhere(spots []spot, inside bool) []spot {
	return slices.DeleteFunc(slices.Clone(spots), func(s spot) bool { return s.inside() != inside })
}

// thinned returns the spots of the n-th line, in the order along x, that get a mark: all of them,
// or every k-th if marks of the radius would touch and hide the line. Each line begins 3/8 of k
// after the one before, so that lines on top of one another show their marks.
func thinned(spots []spot, radius vg.Length, n int) []spot {
	if len(spots) < 3 {
		return spots
	}
	apart := (spots[len(spots)-1].at.X - spots[0].at.X) / vg.Length(len(spots)-1)
	if apart >= 2*radius {
		return spots
	}
	every := max(1, int(math.Ceil(float64(markDistance/max(apart, 0.01)))))
	var some []spot
	for i := n * every * 3 / 8 % every; i < len(spots); i += every {
		some = append(some, spots[i])
	}
	return some
}

// radiusIn returns the radius of our marks in a series.
func radiusIn(series analysis.Series) vg.Length {
	if len(series.Points) > manyPoints {
		return smallRadius
	}
	return ourRadius
}

// plotBeyond draws the marks of values beyond the limits, without numbers if there are more than
// mostBeyond.
func (s seriesPlotter) plotBeyond(c draw.Canvas, ours, published [][]spot, limit *limitMarks) {
	isBeyond := func(spot spot) bool { return !spot.besideAxes && spot.beyond != 0 }
	count := 0
	for _, spot := range slices.Concat(slices.Concat(ours...), slices.Concat(published...)) {
		if isBeyond(spot) {
			count++
			limit.taken = append(limit.taken, spot.boxFrom(0))
		}
	}
	drawMarks := func(spots []spot, published bool, mark func(at vg.Point)) {
		for _, spot := range spots {
			if !isBeyond(spot) {
				continue
			}
			var texts []string
			if count <= mostBeyond {
				texts = limit.labels(spot.point.Y, published)
			}
			limit.point(spot, texts, mark)
		}
	}
	for i, series := range s.series {
		a := s.appearance(series)
		drawMarks(ours[i], false, func(at vg.Point) { a.marker.fill(c, at, radiusIn(series), a.color) })
		drawMarks(published[i], true, s.publishedMark(c, a))
	}
}

func plotNothing(c draw.Canvas) {
	c.FillText(textStyle(titleSize, draw.XCenter, draw.YCenter), c.Center(), "no values")
}

func (s seriesPlotter) appearance(series analysis.Series) appearance {
	return appearanceOf(s.appearances[series.Label])
}

// verticalOf returns the vertical axis of a series, and the function that maps its numbers to the
// canvas.
func (s seriesPlotter) verticalOf(c draw.Canvas, series analysis.Series) (y scale, at func(float64) vg.Length) {
	y = s.panel.y.scale
	if series.Right {
		y = *s.panel.right
	}
	return y, func(v float64) vg.Length { return c.Y(y.share(v)) }
}

// The distance between neighbouring series along x, which keeps their intervals and published
// marks apart, is at most widestDodge and a share of the distance to the nearest other position.
const (
	widestDodge = vg.Length(4.5)
	dodgeShare  = 0.7
)

// dodgeStep returns the distance between so many series where the nearest other position is as far
// as the gap.
func dodgeStep(gap vg.Length, series int) vg.Length {
	return min(widestDodge, dodgeShare*gap/vg.Length(series))
}

// dodges reports whether series are drawn side by side: if there are several, and some have
// intervals or published numbers. Points with numbers on both axes stay where they are.
func dodges(kind language.FigureKind, series []analysis.Series, x scale) bool {
	if len(series) < 2 || kind == language.Points && x.names == nil {
		return false
	}
	hasInterval := func(p analysis.Point) bool { return p.Y.HasInterval() }
	return slices.ContainsFunc(series, func(s analysis.Series) bool {
		return len(s.Published) > 0 || slices.ContainsFunc(s.Points, hasInterval)
	})
}

// dodgedPositions returns the positions of points along x on the canvas, in order, if series are
// drawn side by side at each; else none.
func (s seriesPlotter) dodgedPositions(c draw.Canvas) []vg.Length {
	if !dodges(s.kind, s.series, s.panel.x.scale) {
		return nil
	}
	at, _ := s.panel.transforms(&c)
	var positions []vg.Length
	for _, point := range allPoints([]analysis.Panel{{Series: s.series}}) {
		if x := s.position(point); s.panel.x.drawable(x) && s.panel.x.contains(x) {
			positions = append(positions, at(x))
		}
	}
	slices.Sort(positions)
	return slices.Compact(positions)
}

// alongX returns a function that gives the position on the canvas of a number along x for the
// series with an index, beside the other series at dodged positions.
func (s seriesPlotter) alongX(c draw.Canvas, series int, dodged []vg.Length) func(x float64) vg.Length {
	at, _ := s.panel.transforms(&c)
	side := vg.Length(series) - vg.Length(len(s.series)-1)/2
	return func(x float64) vg.Length {
		i, isDodged := slices.BinarySearch(dodged, at(x))
		if !isDodged {
			return at(x)
		}
		gap := vg.Length(math.Inf(1))
		if i > 0 {
			gap = at(x) - dodged[i-1]
		}
		if i+1 < len(dodged) {
			gap = min(gap, dodged[i+1]-at(x))
		}
		return at(x) + side*dodgeStep(gap, len(s.series))
	}
}

// spots returns the spots of points of a series, whose positions on the canvas alongX gives. It
// leaves out points without a value, and those of 0 or less on a logarithmic axis.
func (s seriesPlotter) spots(
	c draw.Canvas, series analysis.Series, points []analysis.Point, alongX func(x float64) vg.Length,
) []spot {
	axis, atY := s.verticalOf(c, series)
	var spots []spot
	for _, point := range points {
		x, y := s.position(point), point.Y.Value
		if !s.panel.x.drawable(x) || !axis.drawable(y) {
			continue
		}
		spot := spot{point: point, besideAxes: !s.panel.x.contains(x), beyond: axis.side(y)}
		spot.at = vg.Point{X: alongX(x), Y: atY(axis.clamp(y))}
		low, high := point.Y.Low, point.Y.High
		if finite(low) && finite(high) && low < high && !spot.besideAxes {
			spot.goesOn = [2]bool{low < axis.low, high > axis.high}
			low, high = max(low, axis.low), min(high, axis.high)
			spot.hasInterval = low < high
		}
		if spot.hasInterval {
			spot.low, spot.high = atY(low), atY(high)
		}
		spots = append(spots, spot)
	}
	return spots
}

// plotLine joins the points from left to right, with a gap at each missing value. It returns the
// lines that it drew within the axes.
func (s seriesPlotter) plotLine(
	c draw.Canvas, series analysis.Series, alongX func(x float64) vg.Length,
) [][]vg.Point {
	points := slices.Clone(series.Points)
	slices.SortStableFunc(points, func(a, b analysis.Point) int { return cmp.Compare(s.position(a), s.position(b)) })
	axis, atY := s.verticalOf(c, series)
	lines := [][]vg.Point{nil}
	for _, point := range points {
		x, y := s.position(point), point.Y.Value
		if !s.panel.x.drawable(x) || !axis.drawable(y) {
			lines = append(lines, nil)
			continue
		}
		last := &lines[len(lines)-1]
		*last = append(*last, vg.Point{X: alongX(x), Y: atY(y)})
	}
	lines = c.ClipLinesXY(lines...)
	c.StrokeLines(s.appearance(series).line(), lines...)
	return lines
}

// plotIntervals draws the intervals with ends of a width.
func plotIntervals(c draw.Canvas, spots []spot, paint color.Color, width vg.Length) {
	style := draw.LineStyle{Color: paint, Width: vg.Points(0.8)}
	var arrows [2][]vg.Point // at the lower and the upper limit
	for _, spot := range spots {
		if !spot.hasInterval {
			continue
		}
		x := spot.at.X
		endAt := func(i int, y vg.Length) {
			if spot.goesOn[i] {
				arrows[i] = append(arrows[i], vg.Point{X: x, Y: y})
			} else {
				c.StrokeLine2(style, x-width/2, y, x+width/2, y)
			}
		}
		endAt(0, spot.low)
		c.StrokeLine2(style, x, spot.low, x, spot.high)
		endAt(1, spot.high)
	}
	for i, tips := range arrows {
		for _, tip := range tips {
			arrowhead(c, tip, vg.Length(2*i-1), width, paint)
		}
	}
}

func (s seriesPlotter) plotPublished(c draw.Canvas, series analysis.Series, published []spot) {
	mark := s.publishedMark(c, s.appearance(series))
	for _, spot := range published {
		if spot.inside() {
			mark(spot.at)
		}
	}
}

// publishedMark returns a function that draws the mark of a published number.
func (s seriesPlotter) publishedMark(c draw.Canvas, a appearance) func(at vg.Point) {
	return func(at vg.Point) {
		paint := a.color
		if s.kind == language.Bar { // the mark contrasts with the bar
			a.marker.fill(c, at, publishedRadius, color.White)
			paint = ink
		}
		a.marker.outline(c, at, publishedRadius, paint)
	}
}

// plotBars draws a group of bars at each category, one for each series, from 0 or, on a
// logarithmic axis, from its bottom.
func (s seriesPlotter) plotBars(c draw.Canvas) {
	atX, atY := s.panel.transforms(&c)
	width := barShare / float64(max(len(s.series), 1))
	base := c.Min.Y
	if !s.panel.y.log {
		base = atY(min(max(0, s.panel.y.low), s.panel.y.high))
	}
	half := (atX(width) - atX(0)) / 2
	ours, published := make([][]spot, len(s.series)), make([][]spot, len(s.series))
	for i, series := range s.series {
		shift := (float64(i)+0.5)*width - barShare/2
		alongX := func(x float64) vg.Length { return atX(x + shift) }
		isBeside := func(spot spot) bool { return spot.besideAxes }
		ours[i] = slices.DeleteFunc(s.spots(c, series, series.Points, alongX), isBeside)
		published[i] = slices.DeleteFunc(s.spots(c, series, series.Published, alongX), isBeside)
		boxes := make([]vg.Rectangle, len(ours[i]))
		for k, spot := range ours[i] {
			boxes[k] = vg.Rectangle{
				Min: vg.Point{X: spot.at.X - half, Y: min(base, spot.at.Y)},
				Max: vg.Point{X: spot.at.X + half, Y: max(base, spot.at.Y)},
			}
		}
		s.appearance(series).drawBars(c, boxes...)
		plotIntervals(c, ours[i], ink, min(capWidth, 2*half))
		s.plotPublished(c, series, published[i])
		addTooltips(c, series.Label, ours[i], false)
		addTooltips(c, series.Label, published[i], true)
	}
	if s.panel.y.low < 0 && s.panel.y.high > 0 {
		c.StrokeLine2(axisLine, c.Min.X, atY(0), c.Max.X, atY(0))
	}
	for i, series := range s.series {
		s.cutBars(c, base, 2*half, series, ours[i], published[i])
	}
}

// cutBars cuts the bars of a series that reach beyond the limits, and draws published marks that
// lie beyond them at the limit.
func (s seriesPlotter) cutBars(c draw.Canvas, base, width vg.Length, series analysis.Series, ours, published []spot) {
	limit := &limitMarks{canvas: c, unit: s.panel.y.unit.size}
	limit.avoidMarks(published, publishedRadius)
	limit.avoidIntervals(spotsWhere(ours, true)) // the numbers of cut bars include their intervals
	for _, spot := range ours {
		if spot.beyond != 0 {
			limit.bar(spot, base, width)
		}
	}
	mark := s.publishedMark(c, s.appearance(series))
	for _, spot := range published {
		if spot.beyond != 0 {
			limit.barMark(spot, width, mark)
		}
	}
}
