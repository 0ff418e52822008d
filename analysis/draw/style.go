// The appearance of series (colour, marker, dash, hatch), basic shapes and text styles.

package draw

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	plotfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gridsweep/analysis"
	"gridsweep/configs/language"
)

var (
	ink       = color.Gray{Y: 0x22}
	pale      = color.Gray{Y: 0xdd}
	emptyCell = color.Gray{Y: 0xf2} // of a heat map
	black     = color.RGBA{A: 0xff}
	grey      = color.Gray{Y: 0x88}
)

// appearance is that of a series. Each of colour, marker and dash identifies a series among the
// first seven. Bars have neither marker nor dash but hatches.
type appearance struct {
	color  color.Color
	marker marker
	dashes []vg.Length
	hatch  hatch
}

// hatch is the white lines on a bar, by which bars differ without colour.
type hatch struct {
	angles string // angles of the lines: any of - | / \
	apart  vg.Length
}

// hatches are the lines of the first series: neighbours differ.
var hatches = []string{"", "/", "-", "\\", "|", "/\\", "-|"}

// colours are those of Okabe and Ito, which can be distinguished with the common forms of colour
// blindness, without their yellow, which is too faint on white.
var colours = []color.Color{
	color.RGBA{R: 0x00, G: 0x72, B: 0xb2, A: 0xff}, // blue
	color.RGBA{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff}, // vermillion
	color.RGBA{R: 0x00, G: 0x9e, B: 0x73, A: 0xff}, // bluish green
	color.RGBA{R: 0xcc, G: 0x79, B: 0xa7, A: 0xff}, // reddish purple
	color.RGBA{R: 0xe6, G: 0x9f, B: 0x00, A: 0xff}, // orange
	color.RGBA{R: 0x56, G: 0xb4, B: 0xe9, A: 0xff}, // sky blue
	black,
}

// marker is a circle, a regular polygon or a star around a point.
type marker struct {
	corners int     // 0 for a circle
	turn    float64 // angle of the first corner, in radians
	// inner is the radius of the inner corners of a star, as a share of the outer; 0 for a polygon.
	inner float64
	size  float64 // factor of the radius that makes all markers look equally large
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

// appearanceOf returns the appearance of the i-th series.
func appearanceOf(i int) appearance {
	cycle := i / len(colours) // each has other markers and dashes with the colours
	return appearance{
		color:  colours[i%len(colours)],
		marker: markers[(i+cycle)%len(markers)],
		dashes: dashes[(i+2*cycle)%len(dashes)],
		hatch:  hatch{hatches[(i+cycle)%len(hatches)], 5 / vg.Length(1+cycle)},
	}
}

// Appearances numbers the appearances of series by their labels.
type Appearances map[string]int

// AppearancesOf gives every label one appearance in all figures, so that a reader recognises a
// policy in each, and the labels of one figure different appearances. A label takes the first free
// one, since the first ones are the easiest to distinguish.
func AppearancesOf(figures []analysis.Figure) Appearances {
	appearances := Appearances{}
	all := make([][]analysis.Series, 0, len(figures))
	for _, figure := range figures {
		// heat maps and Gantt charts have colours of their own
		if figure.Kind != language.Heat && figure.Kind != language.Gantt {
			all = append(all, seriesOf(figure))
		}
	}
	for _, inFigure := range all {
		for _, series := range inFigure {
			if _, known := appearances[series.Label]; !known {
				appearances[series.Label] = appearances.free(series.Label, all)
			}
		}
	}
	return appearances
}

// free returns the first appearance that no other label has in the figures with this label.
func (a Appearances) free(label string, figures [][]analysis.Series) int {
	taken := map[int]bool{}
	for _, inFigure := range figures {
		if !slices.ContainsFunc(inFigure, func(s analysis.Series) bool { return s.Label == label }) {
			continue
		}
		for _, other := range inFigure {
			if i, known := a[other.Label]; known {
				taken[i] = true
			}
		}
	}
	first := 0
	for taken[first] {
		first++
	}
	return first
}

func (a appearance) line() draw.LineStyle {
	return draw.LineStyle{Color: a.color, Width: vg.Points(1.3), Dashes: a.dashes}
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

// fillBox fills a rectangle.
func fillBox(c draw.Canvas, box vg.Rectangle, paint color.Color) {
	c.SetColor(paint)
	c.Fill(box.Path())
}

// drawBoxes fills rectangles and draws their outlines.
func drawBoxes(c draw.Canvas, paint color.Color, boxes ...vg.Rectangle) {
	for _, box := range boxes {
		fillBox(c, box, paint)
	}
	c.SetLineStyle(draw.LineStyle{Color: ink, Width: vg.Points(0.5)})
	for _, box := range boxes {
		c.Stroke(box.Path())
	}
}

// drawBars draws bars of the appearance, which do not overlap, with hatches inside their outlines.
func (a appearance) drawBars(c draw.Canvas, boxes ...vg.Rectangle) {
	drawBoxes(c, a.barColor(), boxes...)
	const outline = vg.Length(0.25)
	style := draw.LineStyle{Color: color.White, Width: min(vg.Points(1.1), a.hatch.apart/2)}
	inside := c
	for _, box := range boxes {
		inside.Min, inside.Max = box.Min.Add(vg.Point{X: outline, Y: outline}), box.Max.Sub(vg.Point{X: outline, Y: outline})
		if inside.Min.X < inside.Max.X && inside.Min.Y < inside.Max.Y {
			inside.StrokeLines(style, inside.ClipLinesXY(a.hatch.lines(inside.Rectangle)...)...)
		}
	}
}

// lines returns the lines of the hatch over a box; they may reach beyond it.
func (h hatch) lines(box vg.Rectangle) [][]vg.Point {
	var lines [][]vg.Point
	add := func(from, to vg.Point) { lines = append(lines, []vg.Point{from, to}) }
	size := box.Size()
	for _, angle := range h.angles {
		switch angle {
		case '-':
			for y := box.Min.Y + h.apart/2; y < box.Max.Y; y += h.apart {
				add(vg.Point{X: box.Min.X, Y: y}, vg.Point{X: box.Max.X, Y: y})
			}
		case '|':
			for x := box.Min.X + h.apart/2; x < box.Max.X; x += h.apart {
				add(vg.Point{X: x, Y: box.Min.Y}, vg.Point{X: x, Y: box.Max.Y})
			}
		default: // at 45 degrees, where lines √2 apart along x are 1 apart
			for x := box.Min.X - size.Y; x < box.Max.X; x += h.apart * math.Sqrt2 {
				low, high := vg.Point{X: x, Y: box.Min.Y}, vg.Point{X: x + size.Y, Y: box.Max.Y}
				if angle == '\\' {
					low.X, high.X = high.X, low.X
				}
				add(low, high)
			}
		}
	}
	return lines
}

// barColor is the appearance's colour, or grey instead of black, on which intervals are invisible.
func (a appearance) barColor() color.Color {
	if a.color == black {
		return grey
	}
	return a.color
}

// around returns the rectangle of a size with its middle at a point.
func around(middle vg.Point, wide, high vg.Length) vg.Rectangle {
	half := vg.Point{X: wide / 2, Y: high / 2}
	return vg.Rectangle{Min: middle.Sub(half), Max: middle.Add(half)}
}

// fill draws the marker of one of our numbers.
func (m marker) fill(c draw.Canvas, at vg.Point, radius vg.Length, paint color.Color) {
	c.SetColor(paint)
	c.Fill(m.path(at, radius))
}

// outline draws the hollow marker of a published number.
func (m marker) outline(c draw.Canvas, at vg.Point, radius vg.Length, paint color.Color) {
	c.SetLineStyle(draw.LineStyle{Color: paint, Width: vg.Points(1)})
	c.Stroke(m.path(at, radius))
}

// fonts returns the fonts of all figures. Of gonum/plot's twelve, the program has these two.
var fonts = sync.OnceValue(func() *plotfont.Cache {
	regular := plotfont.Font{Typeface: "Liberation", Variant: "Sans"}
	heavy := regular
	heavy.Weight = font.WeightBold
	return plotfont.NewCache(plotfont.Collection{
		{Font: regular, Face: parsed(liberationsansregular.TTF)}, {Font: heavy, Face: parsed(liberationsansbold.TTF)},
	})
})

func parsed(data []byte) *opentype.Font {
	face, err := opentype.Parse(data)
	if err != nil {
		panic(fmt.Sprintf("parse font: %v", err)) // a bug: the fonts are in the program
	}
	return face
}

// textStyle returns the style of text of a size in points, aligned to its position by x and y.
func textStyle(size float64, x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{
		XAlign: x, YAlign: y, Color: ink,
		Font:    plotfont.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(size)},
		Handler: symbols{text.Plain{Fonts: fonts()}},
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

// wrap breaks text at spaces into at most the number of lines, each of at most the width; a line
// that does not fit ends in an ellipsis.
func wrap(style text.Style, s string, width vg.Length, most int) string {
	return linesOf(style, strings.SplitAfter(clean(s), " "), width, most)
}

// linesOf joins pieces of text into lines, as wrap does.
func linesOf(style text.Style, pieces []string, width vg.Length, most int) string {
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
