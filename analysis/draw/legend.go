// Legends: the entries below the axes and how they are laid out in lines.

package draw

import (
	"image/color"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gridsweep/analysis"
	"gridsweep/configs/language"
)

const (
	legendSize     = 9             // of text, in points
	legendLine     = vg.Length(13) // from line to line
	sampleWidth    = vg.Length(26) // of the sample of a series
	sampleGap      = vg.Length(4)  // between the sample and its text
	entryGap       = vg.Length(14) // between columns
	legendGap      = vg.Length(7)  // between the axes and the legend
	publishedLabel = "published"
	deviationLabel = "± standard deviation"
	onTheRight     = " (right axis)"
)

// legend names the series below the axes, in as many columns as fit.
type legend struct {
	entries []entry
	columns int
	step    vg.Length // distance from column to column
	height  vg.Length
	style   text.Style
}

type entry struct {
	label  string
	sample func(c draw.Canvas, at vg.Point) // draws around the middle of the sample
}

// newLegend lays out the entries of the series of all panels.
func newLegend(figure analysis.Figure, appearances Appearances, width vg.Length) legend {
	if figure.Kind == language.Heat {
		return legend{} // its rows are named on the axis
	}
	l := legend{style: textStyle(legendSize, draw.XLeft, draw.YCenter)}
	paints := paintsOf(figure)
	var mark *marker // of published numbers
	for _, series := range seriesOf(figure) {
		a, isPublished := appearanceOf(appearances[series.Label]), len(series.Published) > 0
		sample := sampleOf(figure.Kind, a, isPublished)
		if figure.Kind == language.Gantt {
			sample = rectangleSample(paints[series.Label])
		}
		if label := clean(series.Label); label != "" {
			if series.Right {
				label += onTheRight
			}
			l.entries = append(l.entries, entry{label, sample})
		}
		if isPublished && mark == nil {
			mark = &a.marker
		}
	}
	if figure.Whiskers == language.Deviation {
		l.entries = append(l.entries, entry{deviationLabel, func(c draw.Canvas, at vg.Point) {
			plotIntervals(c, []spot{{at: at, low: at.Y - 5, high: at.Y + 5, hasInterval: true}}, ink, capWidth)
		}})
	}
	if mark != nil {
		l.entries = append(l.entries, entry{publishedLabel, func(c draw.Canvas, at vg.Point) {
			mark.outline(c, at, publishedRadius, color.Black)
		}})
	}
	l.layOut(width)
	return l
}

func (l *legend) layOut(width vg.Length) {
	if len(l.entries) == 0 {
		return
	}
	widest := vg.Length(0)
	for i := range l.entries {
		l.entries[i].label = shorten(l.style, l.entries[i].label, width-sampleWidth-sampleGap)
		widest = max(widest, l.style.Width(l.entries[i].label))
	}
	l.step = sampleWidth + sampleGap + widest + entryGap
	l.columns = min(max(1, int((width+entryGap)/l.step)), len(l.entries))
	lines := (len(l.entries) + l.columns - 1) / l.columns
	l.columns = (len(l.entries) + lines - 1) / lines // fewest columns for these lines
	l.height = legendGap + vg.Length(lines)*legendLine
}

// sampleOf returns a function that draws a series as in the figure and, if it has published
// numbers, their hollow mark beside ours.
func sampleOf(kind language.FigureKind, a appearance, published bool) func(draw.Canvas, vg.Point) {
	return func(c draw.Canvas, at vg.Point) {
		switch kind {
		case language.Bar:
			a.drawBars(c, around(at, 16, 9))
			if published {
				a.marker.fill(c, at, publishedRadius, color.White)
				a.marker.outline(c, at, publishedRadius, ink)
			}
			return
		case language.Line:
			c.StrokeLine2(a.line(), at.X-sampleWidth/2, at.Y, at.X+sampleWidth/2, at.Y)
		}
		if published {
			const apart = sampleWidth / 4
			a.marker.outline(c, vg.Point{X: at.X + apart, Y: at.Y}, publishedRadius, a.color)
			at.X -= apart
		}
		a.marker.fill(c, at, ourRadius, a.color)
	}
}

// draw draws the legend at the top of the canvas, in the middle.
func (l legend) draw(c draw.Canvas) {
	left := c.Center().X - (l.step*vg.Length(l.columns)-entryGap)/2
	for i, entry := range l.entries {
		x := left + l.step*vg.Length(i%l.columns)
		y := c.Max.Y - legendGap - legendLine*(vg.Length(i/l.columns)+0.5)
		entry.sample(c, vg.Point{X: x + sampleWidth/2, Y: y})
		c.FillText(l.style, vg.Point{X: x + sampleWidth + sampleGap, Y: y + 1}, entry.label)
	}
}
