// Values outside the limits of the vertical axis: marks at the limit with arrows, and cut bars.

package draw

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gridsweep/analysis/statistics"
	"gridsweep/analysis/tabulate"
)

// Sizes of what stands at the limits of the vertical axis for values beyond them.
const (
	numberSize    = 7.5            // of the text of numbers, in points; less in narrow bars
	leastSize     = 5              // of the text of numbers; what is smaller is illegible
	numberPadding = vg.Length(1.5) // around a number
	breakFrom     = vg.Length(2)   // from the limit to the gap in a cut bar
	breakHeight   = vg.Length(2.5) // of the gap
	breakSlant    = vg.Length(3)   // by how much its right end is farther from the limit
	shortestBar   = vg.Length(12)  // of those that have a gap
	chevronWidth  = vg.Length(5)
	rowHeight     = vg.Length(11) // of a mark with its arrow, or of a number
	mostRows      = 6             // of numbers beside marks at one position
	mostBeyond    = 24            // marks at the limits of a panel that still get numbers
)

// limitMarks draws the values beyond the limits of the vertical axis: cut bars and marks at the
// limit, with their numbers. It records what is drawn, so that no number covers anything.
type limitMarks struct {
	canvas draw.Canvas
	unit   float64        // unit of the axis, in that of the values
	taken  []vg.Rectangle // where marks, intervals, lines and numbers are
}

// numberStyle is the style of a number.
func numberStyle() text.Style { return textStyle(numberSize, draw.XCenter, draw.YCenter) }

// avoidMarks keeps numbers off the marks of spots.
func (m *limitMarks) avoidMarks(spots []spot, radius vg.Length) {
	for _, spot := range spots {
		if spot.inside() {
			m.taken = append(m.taken, around(spot.at, 2*radius, 2*radius))
		}
	}
}

// avoidIntervals keeps numbers off the intervals of spots.
func (m *limitMarks) avoidIntervals(spots []spot) {
	for _, spot := range spots {
		if spot.hasInterval {
			m.taken = append(m.taken, vg.Rectangle{
				Min: vg.Point{X: spot.at.X - capWidth/2, Y: spot.low}, Max: vg.Point{X: spot.at.X + capWidth/2, Y: spot.high},
			})
		}
	}
}

// avoidLines keeps numbers off lines: small boxes along them are taken.
func (m *limitMarks) avoidLines(lines [][]vg.Point) {
	const step = vg.Length(3)
	for _, line := range lines {
		for i := 1; i < len(line); i++ {
			way := line[i].Sub(line[i-1])
			steps := max(1, math.Ceil(float64(max(way.X, -way.X, way.Y, -way.Y)/step)))
			for k := 0.0; k <= steps; k++ {
				m.taken = append(m.taken, around(line[i-1].Add(way.Scale(vg.Length(k/steps))), 2, 2))
			}
		}
	}
}

// free reports whether the box of a number lies within the axes and overlaps nothing.
func (m *limitMarks) free(box vg.Rectangle) bool {
	const slack = 0.01
	return box.Min.X >= m.canvas.Min.X-slack && box.Max.X <= m.canvas.Max.X+slack &&
		box.Min.Y >= m.canvas.Min.Y-slack && box.Max.Y <= m.canvas.Max.Y+slack && !onAny(box, m.taken)
}

func onAny(box vg.Rectangle, others []vg.Rectangle) bool {
	return slices.ContainsFunc(others, func(other vg.Rectangle) bool {
		return box.Min.X < other.Max.X && other.Min.X < box.Max.X && box.Min.Y < other.Max.Y && other.Min.Y < box.Max.Y
	})
}

// labels returns the texts for a value in the unit of the axis, the longer first: with its interval
// and without. Published numbers stand in brackets, as in tables.
func (m *limitMarks) labels(value statistics.Estimate, published bool) []string {
	value.Value, value.Low, value.High = value.Value/m.unit, value.Low/m.unit, value.High/m.unit
	decimals := tabulate.Decimals(value)
	texts := []string{tabulate.Estimate(value), tabulate.Number(value.Value, decimals)}
	for i := range texts {
		if published {
			texts[i] = "(" + texts[i] + ")"
		}
	}
	return texts
}

// write writes a number on white, upright or horizontally, and keeps its box free from then on.
func (m *limitMarks) write(style text.Style, label string, box vg.Rectangle) {
	fillBox(m.canvas, box, color.White)
	sin, cos := math.Sincos(style.Rotation)
	const up = 0.6 // digits have nothing below the line
	m.canvas.FillText(style, middle(box).Add(vg.Point{X: -up * vg.Length(sin), Y: up * vg.Length(cos)}), label)
	m.taken = append(m.taken, box)
}

// bar cuts a bar of a width, from base to the spot at the limit, by a slanted gap and writes its
// number along it. A bar too short for a gap has an arrow.
func (m *limitMarks) bar(spot spot, base, width vg.Length) {
	inward := spot.inward()
	if length := (base - spot.at.Y) * inward; length < shortestBar {
		chevron(m.canvas, spot.at, -inward, ink)
	} else {
		left, right := spot.at.X-width/2, spot.at.X+width/2
		near, far := spot.at.Y+inward*breakFrom, spot.at.Y+inward*(breakFrom+breakHeight)
		corners := []vg.Point{{X: left, Y: near}, {X: right, Y: near + inward*breakSlant},
			{X: right, Y: far + inward*breakSlant}, {X: left, Y: far}}
		m.canvas.FillPolygon(color.White, corners)
		m.canvas.StrokeLines(draw.LineStyle{Color: ink, Width: vg.Points(0.8)}, corners[:2], corners[2:])
	}
	m.alongBar(spot, breakFrom+breakHeight+breakSlant+2, width, m.labels(spot.point.Y, false))
}

// barMark draws the published mark of a bar where it lies beyond the limit, clear of the number of
// our bar, and its own number along the bar.
func (m *limitMarks) barMark(spot spot, width vg.Length, mark func(at vg.Point)) {
	from := vg.Length(0)
	for onAny(spot.boxFrom(from), m.taken) {
		from += 2
	}
	m.mark(spot.boxFrom(from), spot.inward(), mark)
	m.alongBar(spot, from+rowHeight+1, width, m.labels(spot.point.Y, true))
}

// alongBar writes the first of the texts that fits within the width, from a distance to the limit
// inwards: horizontally if it is narrow enough, else upright.
func (m *limitMarks) alongBar(spot spot, from, width vg.Length, texts []string) {
	for _, label := range texts {
		style := numberStyle()
		wide, high := style.Width(label)+2*numberPadding, vg.Points(numberSize)+numberPadding
		if wide > width {
			size := min(vg.Points(numberSize), width-numberPadding)
			if size < vg.Points(leastSize) {
				return
			}
			style.Font.Size, style.Rotation = size, math.Pi/2
			wide, high = size+numberPadding, style.Width(label)+2*numberPadding
		}
		for away := from; away+high <= m.canvas.Max.Y-m.canvas.Min.Y; away += 2 {
			box := around(vg.Point{X: spot.at.X, Y: spot.at.Y + spot.inward()*(away+high/2)}, wide, high)
			if m.free(box) {
				m.write(style, label, box)
				return
			}
		}
	}
}

// point draws the mark of a value beyond the limit: at the limit, with an arrow outwards, and the
// first of the texts that has room beside it. Numbers of marks at the same position stand in rows.
func (m *limitMarks) point(spot spot, texts []string, mark func(at vg.Point)) {
	atLimit := spot.boxFrom(0)
	m.mark(atLimit, spot.inward(), mark)
	for _, label := range texts {
		style := numberStyle()
		wide := style.Width(label) + 2*numberPadding
		for row := range mostRows {
			for _, side := range []vg.Length{1, -1} {
				beside := middle(atLimit).Add(vg.Point{
					X: side * (publishedRadius + 1 + wide/2), Y: spot.inward() * rowHeight * vg.Length(row),
				})
				if box := around(beside, wide, vg.Points(numberSize)+numberPadding); m.free(box) {
					m.write(style, label, box)
					return
				}
			}
		}
	}
}

// boxFrom returns the box of the mark of a value beyond the limit, from a distance to it inwards.
func (s spot) boxFrom(from vg.Length) vg.Rectangle {
	return around(vg.Point{X: s.at.X, Y: s.at.Y + s.inward()*(from+rowHeight/2)}, 2*publishedRadius, rowHeight)
}

// mark draws a mark with its arrow outwards in a box, and keeps numbers off the box.
func (m *limitMarks) mark(box vg.Rectangle, inward vg.Length, mark func(at vg.Point)) {
	at := middle(box)
	mark(at)
	chevron(m.canvas, vg.Point{X: at.X, Y: at.Y - inward*rowHeight/2}, -inward, ink)
	m.taken = append(m.taken, box)
}

// arrowhead fills the end of an interval that goes on beyond the axes, upwards (1) or downwards
// (−1).
func arrowhead(c draw.Canvas, tip vg.Point, up, width vg.Length, paint color.Color) {
	c.FillPolygon(paint, []vg.Point{
		tip, {X: tip.X - width/2, Y: tip.Y - up*width}, {X: tip.X + width/2, Y: tip.Y - up*width},
	})
}

// chevron draws an arrow with its tip at a point. Up is 1 for one that points upwards and -1 for
// one downwards.
func chevron(c draw.Canvas, tip vg.Point, up vg.Length, paint color.Color) {
	arm := tip.Y - up*chevronWidth/2
	c.StrokeLines(draw.LineStyle{Color: paint, Width: vg.Points(1)}, []vg.Point{
		{X: tip.X - chevronWidth/2, Y: arm}, tip, {X: tip.X + chevronWidth/2, Y: arm},
	})
}

func middle(box vg.Rectangle) vg.Point {
	return vg.Point{X: (box.Min.X + box.Max.X) / 2, Y: (box.Min.Y + box.Max.Y) / 2}
}
