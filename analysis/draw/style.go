package draw

// Looks: colours, markers, dashes and text.

import (
	"image/color"
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/image/font"
	"gonum.org/v1/plot"
	plotfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gridsweep/analysis"
	"gridsweep/configs/language"
)

var (
	ink     = color.Gray{Y: 0x22}
	pale    = color.Gray{Y: 0xdd}
	nothing = color.Gray{Y: 0xf2} // a cell of a heat map that has no value
	black   = color.RGBA{A: 0xff}
	grey    = color.Gray{Y: 0x88}
)

// look is how a series is told from others: any one of colour, marker and dash suffices for the
// first seven. Bars have neither marker nor dash, so that the next seven have stripes.
type look struct {
	color   color.Color
	marker  marker
	dashes  []vg.Length
	stripes int // how close those of a bar are; 0 for none
}

// colours are those of Okabe and Ito, which people with the common kinds of colour blindness tell
// apart; their yellow is left out because it is too faint on white.
var colours = []color.Color{
	color.RGBA{R: 0x00, G: 0x72, B: 0xb2, A: 0xff}, // blue
	color.RGBA{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff}, // vermillion
	color.RGBA{R: 0x00, G: 0x9e, B: 0x73, A: 0xff}, // bluish green
	color.RGBA{R: 0xcc, G: 0x79, B: 0xa7, A: 0xff}, // reddish purple
	color.RGBA{R: 0xe6, G: 0x9f, B: 0x00, A: 0xff}, // orange
	color.RGBA{R: 0x56, G: 0xb4, B: 0xe9, A: 0xff}, // sky blue
	black,
}

// marker is a regular polygon or star around a point: corners, the angle of the first, and how deep
// it is cut in between. No corners is a circle.
type marker struct {
	corners int
	turn    float64
	inner   float64 // radius of the corners of a star that point inwards, as a share; 0 for a polygon
	size    float64 // so that all markers look equally large
}

var markers = []marker{
	{size: 1},
	{corners: 4, turn: math.Pi / 4, size: 1.25},
	{corners: 3, turn: math.Pi / 2, size: 1.35},
	{corners: 4, turn: math.Pi / 2, size: 1.3},
	{corners: 3, turn: -math.Pi / 2, size: 1.35},
	{corners: 5, turn: math.Pi / 2, inner: 0.45, size: 1.5},
	{corners: 6, turn: 0, size: 1.1},
}

var dashes = [][]vg.Length{nil, {6, 2.5}, {2, 2}, {7, 2, 1.5, 2}, {4, 1.5}, {8, 2, 1.5, 2, 1.5, 2}, {1, 1.5}}

// lookOf returns the look of the i-th series.
func lookOf(i int) look {
	turn := i / len(colours) // later rounds of colours meet other markers and dashes
	return look{
		color:   colours[i%len(colours)],
		marker:  markers[(i+turn)%len(markers)],
		dashes:  dashes[(i+2*turn)%len(dashes)],
		stripes: turn,
	}
}

// Looks numbers the looks of series by their labels.
type Looks map[string]int

// LooksOf gives every label one look in all of the figures, so that a reader who knows a policy
// from one figure knows it in the next, and the labels of each figure different ones. It takes as
// few looks as come easily: the first are the easiest to tell apart.
func LooksOf(figures []analysis.Figure) Looks {
	looks := Looks{}
	labels := make([][]string, 0, len(figures))
	for _, figure := range figures {
		if figure.Kind != language.Heat && figure.Kind != language.Gantt { // which have colours of their own
			labels = append(labels, seriesLabels(figure))
		}
	}
	for _, beside := range labels {
		for _, label := range beside {
			if _, known := looks[label]; !known {
				looks[label] = looks.free(label, labels)
			}
		}
	}
	return looks
}

// free returns the first look that no label beside this one has, in any figure.
func (l Looks) free(label string, figures [][]string) int {
	taken := map[int]bool{}
	for _, beside := range figures {
		if !slices.Contains(beside, label) {
			continue
		}
		for _, other := range beside {
			if look, known := l[other]; known {
				taken[look] = true
			}
		}
	}
	look := 0
	for taken[look] {
		look++
	}
	return look
}

func (l look) line() draw.LineStyle {
	return draw.LineStyle{Color: l.color, Width: vg.Points(1.3), Dashes: l.dashes}
}

func (m marker) path(at vg.Point, radius vg.Length) vg.Path {
	var p vg.Path
	r := radius * vg.Length(m.size)
	if m.corners == 0 {
		p.Move(vg.Point{X: at.X + r, Y: at.Y})
		p.Arc(at, r, 0, 2*math.Pi)
		p.Close()
		return p
	}
	steps := m.corners
	if m.inner > 0 {
		steps *= 2
	}
	for i := range steps {
		reach := r
		if m.inner > 0 && i%2 == 1 {
			reach *= vg.Length(m.inner)
		}
		sin, cos := math.Sincos(m.turn + 2*math.Pi*float64(i)/float64(steps))
		corner := vg.Point{X: at.X + reach*vg.Length(cos), Y: at.Y + reach*vg.Length(sin)}
		if i == 0 {
			p.Move(corner)
		} else {
			p.Line(corner)
		}
	}
	p.Close()
	return p
}

// fillBox paints a rectangle, drawBar one with an outline.
func fillBox(c draw.Canvas, box vg.Rectangle, paint color.Color) {
	c.SetColor(paint)
	c.Fill(box.Path())
}

func drawBar(c draw.Canvas, box vg.Rectangle, paint color.Color) {
	fillBox(c, box, paint)
	c.SetLineStyle(draw.LineStyle{Color: ink, Width: vg.Points(0.5)})
	c.Stroke(box.Path())
}

// bar draws a bar of the look, with its stripes.
func (l look) bar(c draw.Canvas, box vg.Rectangle) {
	drawBar(c, box, l.barColor())
	if l.stripes == 0 {
		return
	}
	apart := vg.Length(4.5) / vg.Length(l.stripes)
	style := draw.LineStyle{Color: color.White, Width: min(vg.Points(1.2), apart/2)}
	for y := box.Min.Y + apart/2; y < box.Max.Y; y += apart {
		c.StrokeLine2(style, box.Min.X+vg.Points(0.25), y, box.Max.X-vg.Points(0.25), y)
	}
}

// barColor is the look's colour, but for black, on which the line of an interval could not be seen.
func (l look) barColor() color.Color {
	if l.color == black {
		return grey
	}
	return l.color
}

// around returns the rectangle of a size with its middle at a point.
func around(middle vg.Point, wide, high vg.Length) vg.Rectangle {
	half := vg.Point{X: wide / 2, Y: high / 2}
	return vg.Rectangle{Min: middle.Sub(half), Max: middle.Add(half)}
}

// fill draws our number, outline one of the paper's.
func (m marker) fill(c draw.Canvas, at vg.Point, radius vg.Length, paint color.Color) {
	c.SetColor(paint)
	c.Fill(m.path(at, radius))
}

func (m marker) outline(c draw.Canvas, at vg.Point, radius vg.Length, paint color.Color) {
	c.SetLineStyle(draw.LineStyle{Color: paint, Width: vg.Points(1)})
	c.Stroke(m.path(at, radius))
}

// typeface returns the style of text of a size in points.
func typeface(size float64) text.Style {
	return text.Style{
		Color:   ink,
		Font:    plotfont.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(size)},
		Handler: plot.DefaultTextHandler,
	}
}

func bold(style text.Style) text.Style {
	style.Font.Weight = font.WeightBold
	return style
}

// clean makes text one line without control characters, which XML forbids.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\ufffe' || r == '\uffff' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	return strings.Join(strings.Fields(s), " ")
}

// wrap breaks text at spaces into at most so many lines of the width; what does not fit ends in an
// ellipsis.
func wrap(style text.Style, s string, width vg.Length, most int) string {
	return fill(style, strings.SplitAfter(clean(s), " "), width, most)
}

// fill puts pieces of text into at most so many lines of the width; what does not fit ends in an
// ellipsis.
func fill(style text.Style, pieces []string, width vg.Length, most int) string {
	var lines []string
	line := ""
	for _, piece := range pieces {
		if line == "" || len(lines) == most-1 || style.Width(strings.TrimRight(line+piece, " ")) <= width {
			line += piece
			continue
		}
		lines, line = append(lines, line), piece
	}
	lines = append(lines, line)
	for i := range lines {
		lines[i] = shorten(style, strings.TrimRight(lines[i], " "), width)
	}
	return strings.Join(lines, "\n")
}

func shorten(style text.Style, s string, width vg.Length) string {
	if style.Width(s) <= width {
		return s
	}
	runes := []rune(s)
	for len(runes) > 1 && style.Width(string(runes)+"…") > width {
		runes = runes[:len(runes)-1]
	}
	return strings.TrimRight(string(runes), " ") + "…"
}
