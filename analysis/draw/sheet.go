// The layout of a figure: panels in rows and columns, the legend below them.

package draw

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/text"
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
	panels        []*axes
	legend        legend
	beside        vg.Length // width of a colour bar or right axis beside each panel
	heat          bool
}

func newSheet(figure analysis.Figure, appearances Appearances, width vg.Length) (*sheet, error) {
	if !slices.Contains(language.FigureKinds, figure.Kind) {
		return nil, fmt.Errorf("draw figure %s: unknown kind %q: it must be one of %s",
			figure.Name, figure.Kind, strings.Join(language.Strings(language.FigureKinds), ", "))
	}
	views := viewsOf(figure, width)
	s := &sheet{width: width, columns: columnsFor(figure, len(views), width), heat: figure.Kind == language.Heat}
	s.rows = (len(views) + s.columns - 1) / s.columns
	s.legend = newLegend(figure, appearances, s.width-2*margin)
	dataHeight := dataHeightFor(figure, len(views), s.columns, width)
	s.beside = besideWidth(figure, dataHeight)
	panelWidth := (s.width-2*margin-gap*vg.Length(s.columns-1))/vg.Length(s.columns) - s.beside
	axisHeight := vg.Length(0)
	for _, view := range views {
		p, height := newPanel(figure, view, appearances, panelWidth, dataHeight)
		s.panels = append(s.panels, p)
		axisHeight = max(axisHeight, height)
	}
	s.height = vg.Length(s.rows)*(dataHeight+axisHeight) + gap*vg.Length(s.rows-1) + s.legend.height + 2*margin
	return s, nil
}

// view is what a set of axes shows: a panel of a figure or, where its bars would be too narrow to
// be told apart, those of some categories.
type view struct {
	analysis.Panel
	from, to int // categories; 0 and 0 for all
}

// viewsOf returns the views of a figure; one if it has no panel.
func viewsOf(figure analysis.Figure, width vg.Length) []view {
	if len(figure.Panels) == 0 {
		return make([]view, 1)
	}
	perPanel, categories := 1, len(categoriesOf(figure))
	if figure.Kind == language.Bar && len(figure.Panels) == 1 {
		const narrowestBar = vg.Length(4)
		const beside = vg.Length(55) // about the width of the axis beside the data
		bars := barShare * (width - beside)
		needed := int(math.Ceil(float64(narrowestBar * vg.Length(barsOf(figure)) / bars)))
		perPanel = max(1, min(categories, needed))
	}
	var views []view
	for _, panel := range figure.Panels {
		for i := range perPanel {
			v := view{Panel: panel}
			if perPanel > 1 {
				v.from, v.to = i*categories/perPanel, (i+1)*categories/perPanel
			}
			views = append(views, v)
		}
	}
	return views
}

// columnsFor returns the number of n panels side by side. Panels are at least 2 inches wide, or 1.6
// if there are more than four.
func columnsFor(figure analysis.Figure, n int, width vg.Length) int {
	fitting := func(least vg.Length) int { return max(1, int(width/least)) }
	switch {
	case n <= 1 || n > len(figure.Panels): // rows of one panel's bars
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
		holes := func(columns int) int { return (columns - n%columns) % columns }
		if most == 3 && holes(2) < holes(3) {
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

// dataHeightFor returns the height of the axes of each of n panels: it grows with the square root
// of their width.
func dataHeightFor(figure analysis.Figure, n, columns int, width vg.Length) vg.Length {
	inches := float64(width/vg.Inch) / float64(columns)
	height := vg.Length(1.15*math.Sqrt(inches)) * vg.Inch
	if figure.Kind == language.Bar && n > 1 && columns == 1 {
		height = min(height, 2.1*vg.Inch)
	}
	if figure.Kind == language.Heat {
		for _, p := range figure.Panels {
			height = max(height, vg.Length(len(p.Series))*vg.Points(tickSize+4))
		}
	}
	return height
}

// besideWidth is the width that the colour bar of a heat map or a right axis takes beside each
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
	area := draw.Crop(c, margin, -margin-s.beside, margin+s.legend.height, -margin)
	canvases := align(s.panels, s.columns, gap+s.beside, gap, area)
	holes := vg.Length(s.rows*s.columns - len(s.panels))
	for i, p := range s.panels {
		at := canvases[i]
		if i/s.columns == s.rows-1 { // the panels of the last row stand in the middle
			shift := holes / 2 * (area.Max.X - area.Min.X + gap + s.beside) / vg.Length(s.columns)
			at.Min.X, at.Max.X = at.Min.X+shift, at.Max.X+shift
		}
		p.draw(at)
		if s.heat {
			drawColourBar(p.data(at), p.value)
		}
		if p.right != nil {
			p.drawRightAxis(p.data(at))
		}
	}
	s.legend.draw(draw.Crop(c, margin, -margin, margin, s.legend.height+margin-(c.Max.Y-c.Min.Y)))
}

// newPanel makes the axes of a view for a width that includes the vertical axis, and returns the
// height that its title and horizontal axis take beside the data.
func newPanel(
	figure analysis.Figure, view view, appearances Appearances, width, dataHeight vg.Length,
) (*axes, vg.Length) {
	shown := view.Panel
	x, y, value := scalesOf(figure, shown)
	a := &axes{value: value}
	if view.to > 0 {
		x.low, x.high = float64(view.from)-0.5, float64(view.to)-0.5
	}
	a.y = y.vertical(y.ticks(ticksIn(dataHeight)), dataHeight)
	if isEmpty(shown) {
		a.y.marks = nil
	}
	if figure.Right != nil {
		right := rightScale(figure, x)
		a.right, a.rightPaint = &right, sidePaint(figure, appearances, true)
		left := sidePaint(figure, appearances, false)
		a.y.labelStyle.Color, a.y.titleStyle.Color = left, left
	}
	data := width - axisWidth(a.y)
	a.x = widenForMarks(figure, x, data).horizontal(data)
	if isEmpty(shown) {
		a.x.marks = nil
	}
	a.setTitle(shown.Label, data, 3)
	a.addSeries(figure, shown, appearances)
	return a, axisHeight(a, a.x.marks)
}

// isEmpty reports whether no series of a panel has a value: its axes then get no ticks.
func isEmpty(shown analysis.Panel) bool {
	hasValue := func(p analysis.Point) bool { return finite(p.Y.Value) }
	return !slices.ContainsFunc(allPoints([]analysis.Panel{shown}), hasValue)
}

// setTitle writes a title, unless it is empty, above the axes in at most so many lines of the
// length.
func (a *axes) setTitle(title string, length vg.Length, lines int) {
	if title != "" {
		style := bold(textStyle(titleSize, draw.XCenter, draw.YTop))
		a.title, a.titleStyle = wrap(style, title, length, lines), style
	}
}

// vertical returns a vertical axis of a length with ticks.
func (s scale) vertical(ticks []tick, length vg.Length) axis {
	return s.axis(ticks, textStyle(tickSize, draw.XRight, draw.YCenter), length)
}

// horizontal returns a horizontal axis with ticks and a title that fit the width.
func (s scale) horizontal(width vg.Length) axis {
	ticks, style := s.fitTicks(width)
	return s.axis(ticks, style, width)
}

// axis returns an axis with ticks and its title broken into lines of the length.
func (s scale) axis(ticks []tick, labels text.Style, length vg.Length) axis {
	title := textStyle(titleSize, draw.XCenter, draw.YBottom)
	s.title = wrap(title, s.title, length, 3)
	return axis{s, title, ticks, labels, vg.Points(2)}
}

// fitTicks returns the ticks of a horizontal axis and the style of their labels: ticks at the
// levels of the data, as many numbers as fit side by side, or all names.
func (s scale) fitTicks(width vg.Length) ([]tick, text.Style) {
	style := textStyle(tickSize, draw.XCenter, draw.YTop)
	if s.names != nil {
		ticks := s.ticks(0)
		fitNames(&style, ticks, width)
		return ticks, style
	}
	if s.levels != nil {
		share := func(label string) float64 { return float64((style.Width(label) + vg.Points(5)) / width) }
		return s.levelTicks(share), style
	}
	for about := 11; ; about-- {
		ticks := s.ticks(about)
		needed := vg.Length(0)
		for _, tick := range labelled(ticks) {
			needed += style.Width(tick.label) + vg.Points(10)
		}
		if needed <= width || about <= 2 {
			return ticks, style
		}
	}
}

// axisWidth returns about the width of a vertical axis with its numbers and title, for fitting the
// horizontal axis beside it; axis.width is exact.
func axisWidth(y axis) vg.Length {
	labels := vg.Length(0)
	for _, tick := range y.marks {
		labels = max(labels, y.labelStyle.Width(tick.label))
	}
	return labels + y.labelStyle.Width(" ") + tickLength + y.padding + axisLine.Width +
		titlePadding + y.titleStyle.Height(y.title)
}

// axisHeight returns about the height of the horizontal axis with these ticks and of the title
// above the panel, for the height of the sheet; axis.height is exact.
func axisHeight(a *axes, ticks []tick) vg.Length {
	labels := vg.Length(0)
	for _, tick := range labelled(ticks) {
		labels = max(labels, a.x.labelStyle.Rectangle(tick.label).Size().Y)
	}
	height := labels + tickLength + a.x.padding + titlePadding + a.x.titleStyle.Height(a.x.title)
	if a.title != "" {
		height += a.titleStyle.Height(a.title) + abovePadding
	}
	return height
}
