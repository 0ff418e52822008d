package draw

// Legends: the entries below the axes and how they are laid out in lines.

import (
	"image/color"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gridsweep/analysis"
	"gridsweep/configs/language"
)

const (
	legendSize = 9             // of text, in points
	legendLine = vg.Length(13) // from line to line
	thumbWidth = vg.Length(26) // of the sample of a series
	entryGap   = vg.Length(14) // between columns
	legendGap  = vg.Length(7)  // between the axes and the legend
	published  = "published"
	deviation  = "± standard deviation"
	onTheRight = " (right axis)"
)

// legend names the series below the axes, in as many columns as fit.
type legend struct {
	entries []entry
	columns int
	step    vg.Length // from column to column
	height  vg.Length
	style   text.Style
}

type entry struct {
	label  string
	sample func(c draw.Canvas, at vg.Point) // draws around the middle of the sample
}

// newLegend lays out the entries of the series of all panels.
func newLegend(figure analysis.Figure, looks Looks, width vg.Length) legend {
	if figure.Kind == language.Heat {
		return legend{} // its rows are named on the axis
	}
	l := legend{style: typeface(legendSize, draw.XLeft, draw.YCenter)}
	paints := paintsOf(figure)
	for _, name := range seriesLabels(figure) {
		sample := sampleOf(figure.Kind, lookOf(looks[name]))
		if figure.Kind == language.Gantt {
			sample = rectangleSample(paints[name])
		}
		if label := clean(name); label != "" {
			if isRight(figure, name) {
				label += onTheRight
			}
			l.entries = append(l.entries, entry{label, sample})
		}
	}
	if figure.Deviations {
		l.entries = append(l.entries, entry{deviation, func(c draw.Canvas, at vg.Point) {
			plotIntervals(c, []spot{{at: at, low: at.Y - 5, high: at.Y + 5, interval: true}}, ink, capWidth)
		}})
	}
	if marks := publishedMarkers(figure, looks); len(marks) > 0 {
		l.entries = append(l.entries, entry{published, publishedSample(marks)})
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
		l.entries[i].label = shorten(l.style, l.entries[i].label, width-thumbWidth-4)
		widest = max(widest, l.style.Width(l.entries[i].label))
	}
	l.step = thumbWidth + 4 + widest + entryGap
	l.columns = min(max(1, int((width+entryGap)/l.step)), len(l.entries))
	lines := (len(l.entries) + l.columns - 1) / l.columns
	l.columns = (len(l.entries) + lines - 1) / lines // fewest columns for these lines
	l.height = legendGap + vg.Length(lines)*legendLine
}

func sampleOf(kind language.FigureKind, look look) func(draw.Canvas, vg.Point) {
	return func(c draw.Canvas, at vg.Point) {
		switch kind {
		case language.Bar:
			look.bar(c, around(at, 16, 9))
			return
		case language.Line:
			c.StrokeLine2(look.line(), at.X-thumbWidth/2, at.Y, at.X+thumbWidth/2, at.Y)
		}
		look.marker.fill(c, at, ourRadius, look.color)
	}
}

// publishedSample draws hollow marks of published numbers side by side, up to three: each series
// has its own.
func publishedSample(marks []marker) func(draw.Canvas, vg.Point) {
	const most = 3 // that fit
	marks = marks[:min(len(marks), most)]
	return func(c draw.Canvas, at vg.Point) {
		if len(marks) == 1 {
			marks[0].outline(c, at, publishedRadius, color.Black)
			return
		}
		const step = thumbWidth / most
		at.X -= step * vg.Length(len(marks)-1) / 2
		for _, m := range marks {
			m.outline(c, at, ourRadius, color.Black) // the larger ones would touch
			at.X += step
		}
	}
}

// draw draws the legend at the top of the canvas, in the middle.
func (l legend) draw(c draw.Canvas) {
	if len(l.entries) == 0 {
		return
	}
	left := c.Center().X - (l.step*vg.Length(l.columns)-entryGap)/2
	for i, entry := range l.entries {
		x := left + l.step*vg.Length(i%l.columns)
		y := c.Max.Y - legendGap - legendLine*(vg.Length(i/l.columns)+0.5)
		entry.sample(c, vg.Point{X: x + thumbWidth/2, Y: y})
		c.FillText(l.style, vg.Point{X: x + thumbWidth + 4, Y: y + 1}, entry.label)
	}
}
