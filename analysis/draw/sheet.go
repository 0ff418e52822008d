package draw

// The layout of a figure: panels in rows and columns, the legend below them.

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gridsweep/analysis"
	"gridsweep/configs/language"
)

const (
	margin    = vg.Length(6)
	gap       = vg.Length(14) // between panels
	tickSize  = 8.5           // of text, in points
	titleSize = 9.5
)

// sheet is a figure laid out: panels in rows and columns, the legend below them.
type sheet struct {
	width, height vg.Length
	columns, rows int
	panels        []panel
	legend        legend
	beside        vg.Length // what a colour bar or right axis takes beside each panel
	heat          bool
}

// panel is one set of axes and what is drawn on it.
type panel struct {
	plot  *plot.Plot
	x, y  scale
	value scale // of the colours of a heat map

	right      *scale // nil where there is no axis on the right
	rightPaint color.Color
}

func newSheet(figure analysis.Figure, looks Looks, width vg.Length) (*sheet, error) {
	if !slices.Contains(language.FigureKinds, figure.Kind) {
		return nil, fmt.Errorf("draw figure %s: unknown kind %q: it must be one of %s",
			figure.Name, figure.Kind, strings.Join(language.Strings(language.FigureKinds), ", "))
	}
	s := &sheet{width: width, columns: columnsFor(figure, width), heat: figure.Kind == language.Heat}
	s.rows = max(1, (len(figure.Panels)+s.columns-1)/s.columns)
	s.legend = newLegend(figure, looks, s.width-2*margin)
	dataHeight := dataHeightFor(figure, s.columns, width)
	s.beside = besideWidth(figure, dataHeight)
	panelWidth := (s.width-2*margin-gap*vg.Length(s.columns-1))/vg.Length(s.columns) - s.beside
	axisHeight := vg.Length(0)
	for i := range max(1, len(figure.Panels)) {
		p, height := newPanel(figure, i, looks, panelWidth, dataHeight)
		s.panels = append(s.panels, p)
		axisHeight = max(axisHeight, height)
	}
	s.height = vg.Length(s.rows)*(dataHeight+axisHeight) + gap*vg.Length(s.rows-1) + s.legend.height + 2*margin
	return s, nil
}

// columnsFor returns the number of panels side by side. Panels are at least 2 inches wide, or 1.6
// where more than four of them would otherwise stand below one another.
func columnsFor(figure analysis.Figure, width vg.Length) int {
	n := len(figure.Panels)
	fitting := func(least vg.Length) int { return max(1, int(width/least)) }
	switch {
	case n <= 1:
		return 1
	case figure.Kind == language.Bar && (len(categoriesOf(figure)) > 10 || barsOf(figure) > 40):
		return 1
	case n == 3:
		if fitting(2*vg.Inch) < n { // two columns would leave a hole
			return 1
		}
		return n
	case n <= 4:
		return min(2, fitting(2*vg.Inch))
	default:
		most := min(3, fitting(1.6*vg.Inch))
		if holes := func(columns int) int { return (columns - n%columns) % columns }; most == 3 && holes(2) < holes(3) {
			return 2
		}
		return most
	}
}

// barsOf returns how many bars stand side by side in a panel.
func barsOf(figure analysis.Figure) int {
	series := 0
	for _, panel := range figure.Panels {
		series = max(series, len(panel.Series))
	}
	return series * len(categoriesOf(figure))
}

// dataHeightFor returns the height of the axes of a panel: it grows with the square root of the
// width of the panels.
func dataHeightFor(figure analysis.Figure, columns int, width vg.Length) vg.Length {
	inches := float64(width/vg.Inch) / float64(columns)
	height := vg.Length(1.15*math.Sqrt(inches)) * vg.Inch
	if figure.Kind == language.Bar && len(figure.Panels) > 1 && columns == 1 {
		height = min(height, 2.1*vg.Inch)
	}
	if figure.Kind == language.Heat {
		for _, p := range figure.Panels {
			height = max(height, vg.Length(len(p.Series))*vg.Points(tickSize+4))
		}
	}
	return height
}

// besideWidth is the room that the colour bar of a heat map or a right axis takes beside each
// panel.
func besideWidth(figure analysis.Figure, height vg.Length) vg.Length {
	switch {
	case figure.Kind == language.Heat:
		return vg.Points(70)
	case figure.Right != nil:
		return rightWidth(figure, height)
	default:
		return 0
	}
}

func (s *sheet) size() (width, height vg.Length) { return s.width, s.height }

// draw draws the sheet on a white canvas of its size.
func (s *sheet) draw(c draw.Canvas) {
	tiles := draw.Tiles{Rows: s.rows, Cols: s.columns, PadX: gap + s.beside, PadY: gap}
	grid := make([][]*plot.Plot, s.rows)
	for i := range s.panels {
		grid[i/s.columns] = append(grid[i/s.columns], s.panels[i].plot)
	}
	for len(grid[s.rows-1]) < s.columns {
		grid[s.rows-1] = append(grid[s.rows-1], nil)
	}
	area := draw.Crop(c, margin, -margin-s.beside, margin+s.legend.height, -margin)
	canvases := plot.Align(grid, tiles, area)
	for i, p := range s.panels {
		at := canvases[i/s.columns][i%s.columns]
		p.plot.Draw(at)
		if s.heat {
			drawColourBar(p.plot.DataCanvas(at), p.value)
		}
		if p.right != nil {
			p.drawRightAxis(p.plot.DataCanvas(at))
		}
	}
	s.legend.draw(draw.Crop(c, margin, -margin, margin, s.legend.height+margin-(c.Max.Y-c.Min.Y)))
}

// newPlot makes axes without a background: the page is white, and blending a background into it
// takes as long as drawing everything else.
func newPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	return p
}

// newPanel makes the axes of the i-th panel for a width that includes the vertical axis, and
// returns the height that its title and horizontal axis take beside the data.
func newPanel(figure analysis.Figure, i int, looks Looks, width, dataHeight vg.Length) (panel, vg.Length) {
	var shown analysis.Panel
	if i < len(figure.Panels) {
		shown = figure.Panels[i]
	}
	p := panel{plot: newPlot()}
	p.x, p.y, p.value = scalesOf(figure, shown)
	yTicks := p.y.ticks(ticksIn(dataHeight))
	if isEmpty(shown) {
		yTicks = nil
	}
	p.setAxis(&p.plot.Y, p.y, yTicks, dataHeight)
	if figure.Right != nil {
		right := rightScale(figure, p.x)
		p.right, p.rightPaint = &right, sidePaint(figure, looks, true)
		left := sidePaint(figure, looks, false)
		p.plot.Y.Tick.Label.Color, p.plot.Y.Label.TextStyle.Color = left, left
	}
	data := width - axisWidth(p.plot, yTicks)
	ticks := p.fitTicks(data)
	if isEmpty(shown) {
		ticks = nil
	}
	p.setAxis(&p.plot.X, p.x, ticks, data)
	p.setTitle(shown.Label, data, 3)
	p.add(figure, shown, looks)
	return p, axisHeight(p.plot, ticks)
}

// isEmpty reports whether no series of a panel has a value. Its axes would be invented.
func isEmpty(shown analysis.Panel) bool {
	hasValue := func(p analysis.Point) bool { return finite(p.Y.Value) }
	return !slices.ContainsFunc(allPoints([]analysis.Panel{shown}), hasValue)
}

// setTitle writes a title, unless it is empty, above the axes in at most so many lines of the
// length.
func (p *panel) setTitle(title string, length vg.Length, lines int) {
	if title != "" {
		style := bold(typeface(titleSize, draw.XCenter, draw.YTop))
		p.plot.Title.TextStyle, p.plot.Title.Padding = style, vg.Points(4)
		p.plot.Title.Text = wrap(style, title, length, lines)
	}
}

// setAxis gives the axis its range, ticks and title, broken into lines of the length.
func (p *panel) setAxis(axis *plot.Axis, s scale, ticks []plot.Tick, length vg.Length) {
	axis.Min, axis.Max = s.at(s.low), s.at(s.high)
	axis.Padding = vg.Points(2)
	axis.Color, axis.Tick.Color = ink, ink
	axis.Tick.Length = vg.Points(4)
	axis.Tick.Marker = plot.ConstantTicks(ticks)
	if axis == &p.plot.Y {
		axis.Tick.Label = typeface(tickSize, draw.XRight, draw.YCenter)
	}
	style := typeface(titleSize, draw.XCenter, draw.YBottom)
	axis.Label.TextStyle = style
	axis.Label.Padding = vg.Points(3)
	axis.Label.Text = wrap(style, s.title, length, 3)
}

// fitTicks returns the ticks of the horizontal axis: those at the levels of the data, as many
// numbers as fit side by side, or all names.
func (p *panel) fitTicks(width vg.Length) []plot.Tick {
	style := typeface(tickSize, draw.XCenter, draw.YTop)
	p.plot.X.Tick.Label = style
	if p.x.names != nil {
		ticks := p.x.ticks(0)
		fitNames(&p.plot.X.Tick.Label, ticks, width)
		return ticks
	}
	if p.x.levels != nil {
		return p.x.levelTicks(func(label string) float64 { return float64((style.Width(label) + vg.Points(5)) / width) })
	}
	for about := 11; ; about-- {
		ticks := p.x.ticks(about)
		needed := vg.Length(0)
		for _, tick := range ticks {
			if !tick.IsMinor() {
				needed += style.Width(tick.Label) + vg.Points(10)
			}
		}
		if needed <= width || about <= 2 {
			return ticks
		}
	}
}

// axisWidth returns the width of the vertical axis with its numbers and title.
func axisWidth(p *plot.Plot, ticks []plot.Tick) vg.Length {
	labels := vg.Length(0)
	for _, tick := range ticks {
		labels = max(labels, p.Y.Tick.Label.Width(tick.Label))
	}
	return labels + p.Y.Tick.Label.Width(" ") + p.Y.Tick.Length + p.Y.Padding + p.Y.Width +
		p.Y.Label.Padding + p.Y.Label.TextStyle.Height(p.Y.Label.Text)
}

// axisHeight returns the height of the horizontal axis and of the panel's title.
func axisHeight(p *plot.Plot, ticks []plot.Tick) vg.Length {
	labels := vg.Length(0)
	for _, tick := range ticks {
		if !tick.IsMinor() {
			box := p.X.Tick.Label.Rectangle(tick.Label)
			labels = max(labels, box.Max.Y-box.Min.Y)
		}
	}
	height := labels + p.X.Tick.Length + p.X.Padding + p.X.Label.Padding + p.X.Label.TextStyle.Height(p.X.Label.Text)
	if p.Title.Text != "" {
		height += p.Title.TextStyle.Height(p.Title.Text) + p.Title.Padding
	}
	return height
}
