// The axis on the right, for the series of a second column.

package draw

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gridsweep/analysis"
)

// Sizes of an axis on the right.
const (
	rightTickLength = vg.Length(3)
	rightLabelGap   = vg.Length(5) // from the axis to its numbers
	rightTitleGap   = vg.Length(8) // from the axis to its title, beside the numbers
	rightGap        = vg.Length(2) // from the data to the axis, as on the left
)

// labelRight draws the ticks, numbers and title of an axis to the right of its line at x, along the
// height of the canvas.
func (s scale) labelRight(c draw.Canvas, x vg.Length, ticks []tick, paint color.Color) {
	style := textStyle(tickSize, draw.XLeft, draw.YCenter)
	style.Color = paint
	height := c.Max.Y - c.Min.Y
	for _, tick := range labelled(ticks) {
		y := c.Y(s.share(tick.value))
		c.StrokeLine2(axisLine, x, y, x+rightTickLength, y)
		c.FillText(style, vg.Point{X: x + rightLabelGap, Y: y + 1}, tick.label)
	}
	title := rightTitleStyle()
	title.Rotation, title.Color = math.Pi/2, paint
	at := vg.Point{X: x + rightTitleGap + widestLabel(ticks), Y: c.Center().Y}
	c.FillText(title, at, s.rightTitle(height))
}

// rightTitle returns the title broken into lines for an axis of the height.
func (s scale) rightTitle(height vg.Length) string {
	return wrap(rightTitleStyle(), s.title, height, 2)
}

func rightTitleStyle() text.Style { return textStyle(titleSize, draw.XCenter, draw.YTop) }

func widestLabel(ticks []tick) vg.Length {
	style := textStyle(tickSize, draw.XLeft, draw.YCenter)
	widest := vg.Length(0)
	for _, tick := range ticks {
		widest = max(widest, style.Width(tick.label))
	}
	return widest
}

// rightWidth returns the width of the right axis of a figure beside each panel.
func rightWidth(figure analysis.Figure, height vg.Length) vg.Length {
	x, _, _ := scalesOf(figure, analysis.Panel{})
	right := rightScale(figure, x)
	return rightGap + rightTitleGap + widestLabel(right.ticks(ticksIn(height))) +
		rightTitleStyle().Height(right.rightTitle(height))
}

// ticksIn returns the approximate number of ticks for a vertical axis of the height.
func ticksIn(height vg.Length) int { return int(height / vg.Points(26)) }

// drawRightAxis draws the right axis beside the data of the panel.
func (a *axes) drawRightAxis(data draw.Canvas) {
	x := data.Max.X + rightGap
	data.StrokeLine2(axisLine, x, data.Min.Y, x, data.Max.Y)
	a.right.labelRight(data, x, a.right.ticks(ticksIn(data.Max.Y-data.Min.Y)), a.rightPaint)
}

// sidePaint returns the colour of the left or right axis: that of its series if it has only one, so
// that a reader sees which of two axes belongs to a line.
func sidePaint(figure analysis.Figure, appearances Appearances, right bool) color.Color {
	var paints []color.Color
	for _, series := range seriesOf(figure) {
		if series.Right == right {
			paints = append(paints, appearanceOf(appearances[series.Label]).color)
		}
	}
	if figure.Right == nil || len(paints) != 1 {
		return ink
	}
	return paints[0]
}
