// The axes of a panel with their ticks and titles, and the layout of panels side by side. They
// replace those of gonum's package plot, which would add every font and file format that it knows
// to the program.

package draw

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	tickLength   = vg.Length(4)
	titlePadding = vg.Length(3) // between the title of an axis and its numbers
	abovePadding = vg.Length(4) // between the axes and the title above them
)

var axisLine = draw.LineStyle{Color: ink, Width: vg.Points(0.5)}

// axes are a panel: its axes, the title above them and what is drawn between them.
type axes struct {
	title      string
	titleStyle text.Style
	x, y       axis
	plotters   []plotter
	value      scale // scale of the colours of a heat map

	right      *scale // nil where there is no axis on the right
	rightPaint color.Color
}

// plotter draws data on the canvas between the axes.
type plotter interface {
	plot(c draw.Canvas, a *axes)
}

// axis is a horizontal or vertical axis, whose title is broken into lines.
type axis struct {
	scale
	titleStyle text.Style
	marks      []tick
	labelStyle text.Style
	padding    vg.Length // between the axis and the data
}

// tick is a mark on an axis.
type tick struct {
	value float64
	label string // empty for a minor tick
}

func (t tick) isMinor() bool { return t.label == "" }

// labelled returns the ticks that have a label.
func labelled(ticks []tick) []tick { return slices.DeleteFunc(slices.Clone(ticks), tick.isMinor) }

// start returns by how much the tick is shorter than tickLength: half of it for a minor one.
func (t tick) start() vg.Length {
	if t.isMinor() {
		return tickLength / 2
	}
	return 0
}

// transforms returns functions from numbers to positions on the canvas between the axes.
func (a *axes) transforms(c *draw.Canvas) (x, y func(float64) vg.Length) {
	x = func(value float64) vg.Length { return c.X(a.x.share(value)) }
	y = func(value float64) vg.Length { return c.Y(a.y.share(value)) }
	return x, y
}

// draw draws all on a canvas.
func (a *axes) draw(c draw.Canvas) {
	if a.title != "" {
		c.FillText(a.titleStyle, vg.Point{X: c.Center().X, Y: c.Max.Y + descent(a.titleStyle)}, a.title)
	}
	data := a.data(c)
	c = a.belowTitle(c)
	a.x.drawHorizontal(a.x.within(draw.Crop(c, a.y.width(), 0, 0, 0)))
	a.y.drawVertical(a.y.below(draw.Crop(c, 0, 0, a.x.height(), 0)))
	for _, p := range a.plotters {
		p.plot(data, a)
	}
}

// add adds what is drawn between the axes, later ones on top.
func (a *axes) add(plotters ...plotter) { a.plotters = append(a.plotters, plotters...) }

// data returns the canvas between the axes of a canvas.
func (a *axes) data(c draw.Canvas) draw.Canvas {
	return a.y.below(a.x.within(draw.Crop(a.belowTitle(c), a.y.width(), 0, a.x.height(), 0)))
}

func (a *axes) belowTitle(c draw.Canvas) draw.Canvas {
	if a.title != "" {
		c.Max.Y -= a.titleStyle.Rectangle(a.title).Size().Y + abovePadding
	}
	return c
}

// height returns what a horizontal axis takes below the data.
func (a axis) height() vg.Length {
	height := axisLine.Width/2 + a.padding
	if a.title != "" {
		height += a.titleStyle.Height(a.title) + titlePadding
	}
	if len(a.marks) > 0 {
		height += tickLength + a.largestLabel().Y
	}
	return height
}

// width returns what a vertical axis takes to the left of the data.
func (a axis) width() vg.Length {
	width := axisLine.Width/2 + a.padding
	if a.title != "" {
		width += descent(a.titleStyle) + a.titleStyle.Height(a.title) + titlePadding
	}
	if len(a.marks) > 0 {
		width += tickLength
		if labels := a.largestLabel().X; labels > 0 {
			width += labels + a.titleStyle.Width(" ")
		}
	}
	return width
}

// largestLabel returns the width of the widest label and the height of the highest.
func (a axis) largestLabel() vg.Point {
	var largest vg.Point
	for _, t := range labelled(a.marks) {
		size := a.labelStyle.Rectangle(t.label).Size()
		largest = vg.Point{X: max(largest.X, size.X), Y: max(largest.Y, size.Y)}
	}
	return largest
}

func descent(style text.Style) vg.Length { return style.FontExtents().Descent }

// within returns the canvas narrowed until the texts of a horizontal axis lie in it.
func (a axis) within(c draw.Canvas) draw.Canvas {
	texts := []overhang{{0.5, a.titleStyle.Rectangle(a.title).Max.X}}
	for _, t := range labelled(a.marks) {
		texts = append(texts, overhang{a.share(t.value), a.labelStyle.Rectangle(t.label).Max.X})
	}
	c.Max.X = endWithin(c.Min.X, c.Max.X, texts)
	return c
}

// below returns the canvas lowered until the texts of a vertical axis lie in it.
func (a axis) below(c draw.Canvas) draw.Canvas {
	upright := a.titleStyle
	upright.Rotation += math.Pi / 2
	texts := []overhang{{0.5, upright.Rectangle(a.title).Max.Y}}
	font := a.labelStyle.FontExtents()
	for _, t := range labelled(a.marks) {
		reach := a.labelStyle.Rectangle(t.label).Max.Y + font.Height - font.Ascent
		texts = append(texts, overhang{a.share(t.value), reach})
	}
	c.Max.Y = endWithin(c.Min.Y, c.Max.Y, texts)
	return c
}

// overhang is how far a text reaches beyond its position on an axis.
type overhang struct {
	share float64 // the share of the axis before its position
	reach vg.Length
}

// endWithin returns where an axis that begins at low has to end so that the text that would reach
// furthest beyond high ends at high.
func endWithin(low, high vg.Length, texts []overhang) vg.Length {
	last, furthest := overhang{share: 1}, high // the end of the axis itself
	for _, t := range texts {
		if end := low + vg.Length(t.share)*(high-low) + t.reach; end > furthest && t.share <= 1 {
			last, furthest = t, end
		}
	}
	return low + (high-low-last.reach)/vg.Length(last.share)
}

// drawHorizontal draws the axis at the lower edge of a canvas, along its width.
func (a axis) drawHorizontal(c draw.Canvas) {
	y := c.Min.Y
	if a.title != "" {
		c.FillText(a.titleStyle, vg.Point{X: c.Center().X, Y: y + descent(a.titleStyle)}, a.title)
		y += a.titleStyle.Height(a.title) + titlePadding
	}
	if len(a.marks) == 0 {
		y += axisLine.Width / 2
	} else {
		y += a.largestLabel().Y
		for _, t := range labelled(a.marks) {
			if x := c.X(a.share(t.value)); c.ContainsX(x) {
				c.FillText(a.labelStyle, vg.Point{X: x, Y: y + descent(a.labelStyle)}, t.label)
			}
		}
		for _, t := range a.marks {
			if x := c.X(a.share(t.value)); c.ContainsX(x) {
				c.StrokeLine2(axisLine, x, y+t.start(), x, y+tickLength)
			}
		}
		y += tickLength
	}
	c.StrokeLine2(axisLine, c.Min.X, y, c.Max.X, y)
}

// drawVertical draws the axis at the left edge of a canvas, along its height.
func (a axis) drawVertical(c draw.Canvas) {
	x := c.Min.X
	if a.title != "" {
		upright := a.titleStyle
		upright.Rotation += math.Pi / 2
		x += a.titleStyle.Height(a.title)
		c.FillText(upright, vg.Point{X: x - descent(a.titleStyle), Y: c.Center().Y}, a.title)
		x += descent(a.titleStyle) + titlePadding
	}
	if len(a.marks) > 0 {
		if labels := a.largestLabel().X; labels > 0 {
			x += labels
			for _, t := range labelled(a.marks) {
				if y := c.Y(a.share(t.value)); c.ContainsY(y) {
					c.FillText(a.labelStyle, vg.Point{X: x, Y: y + descent(a.labelStyle)}, t.label)
				}
			}
			x += a.labelStyle.Width(" ")
		}
		for _, t := range a.marks {
			if y := c.Y(a.share(t.value)); c.ContainsY(y) {
				c.StrokeLine2(axisLine, x+t.start(), y, x+tickLength, y)
			}
		}
		x += tickLength
	}
	c.StrokeLine2(axisLine, x, c.Min.Y, x, c.Max.Y)
}

// align returns the canvases of panels in rows of so many columns, such that their data are equally
// large and aligned.
func align(panels []*axes, columns int, padX, padY vg.Length, c draw.Canvas) []draw.Canvas {
	rows := (len(panels) + columns - 1) / columns
	tiles := draw.Tiles{Rows: rows, Cols: columns, PadX: padX, PadY: padY}
	canvases := make([]draw.Canvas, rows*columns)
	type beforeAfter struct{ before, after vg.Length }
	// First, what axes and titles take at most in each column and row.
	beside, above := make([]beforeAfter, columns), make([]beforeAfter, rows)
	for i := range canvases {
		canvases[i] = tiles.At(c, i%columns, i/columns)
		if i >= len(panels) {
			continue
		}
		tile, data := canvases[i], panels[i].data(canvases[i])
		x, y := &beside[i%columns], &above[i/columns]
		x.before, x.after = max(x.before, data.Min.X-tile.Min.X), max(x.after, tile.Max.X-data.Max.X)
		y.before, y.after = max(y.before, data.Min.Y-tile.Min.Y), max(y.after, tile.Max.Y-data.Max.Y)
	}
	size := c.Size().Sub(vg.Point{X: padX * vg.Length(columns-1), Y: padY * vg.Length(rows-1)})
	for _, x := range beside {
		size.X -= x.before + x.after
	}
	for _, y := range above {
		size.Y -= y.before + y.after
	}
	size.X, size.Y = size.X/vg.Length(columns), size.Y/vg.Length(rows)

	// Then each tile is cropped to these and moved by what its neighbours have grown. Its data are
	// measured again, as it depends on the size how far the last label reaches beyond them.
	up := make([]vg.Length, columns) // what the panels below in each column have grown by
	for row := rows - 1; row >= 0; row-- {
		right := vg.Length(0) // what the panels to the left in this row have grown by
		for column := range columns {
			i, x, y := row*columns+column, beside[column], above[row]
			tile := canvases[i]
			grown := size.Sub(tile.Size()).Add(vg.Point{X: x.before + x.after, Y: y.before + y.after})
			if i < len(panels) {
				data := panels[i].data(tile)
				tile = draw.Crop(tile,
					x.before-(data.Min.X-tile.Min.X), tile.Max.X-data.Max.X-x.after,
					y.before-(data.Min.Y-tile.Min.Y), tile.Max.Y-data.Max.Y-y.after)
				grown = size.Sub(panels[i].data(tile).Size())
			}
			canvases[i] = draw.Crop(tile, right, right+grown.X, up[column], up[column]+grown.Y)
			right += grown.X
			up[column] += grown.Y
		}
	}
	return canvases[:len(panels)]
}
