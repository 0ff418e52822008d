// Text with subscripts: of a symbol such as Q_R or E[t_ET], what follows the underscore is lower
// and smaller, as in the papers.

package draw

import (
	"math"
	"regexp"
	"strings"

	plotfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

const (
	subscriptSize = 0.75 // of the size of the text
	subscriptDrop = 0.2  // below the line, of the size of the text
)

// symbols is a text handler that sets the subscripts of symbols.
type symbols struct{ text.Plain }

// run is a piece of a line in one size.
type run struct {
	text string
	sub  bool
}

// subscripts finds an underscore after a single letter, with letters or digits behind it;
// bounded_slowdown has none.
var subscripts = regexp.MustCompile(`(?:^|[^\pL\p{Nd}_])\pL_([\pL\p{Nd}]+)`)

// runsOf splits a line into its runs.
func runsOf(line string) []run {
	var runs []run
	from := 0
	for _, at := range subscripts.FindAllStringSubmatchIndex(line, -1) {
		runs = append(runs, run{text: line[from : at[2]-len("_")]}, run{line[at[2]:at[3]], true})
		from = at[3]
	}
	if from < len(line) {
		runs = append(runs, run{text: line[from:]})
	}
	return runs
}

func (s symbols) faceOf(r run, font plotfont.Font) plotfont.Face {
	if r.sub {
		font.Size *= subscriptSize
	}
	return s.Fonts.Lookup(font, font.Size)
}

// Box returns the width of a line, and its height above and depth below the baseline. A subscript
// lies within the depth of the font.
func (s symbols) Box(line string, font plotfont.Font) (width, height, depth vg.Length) {
	_, height, depth = s.Plain.Box("", font)
	for _, r := range runsOf(line) {
		face := s.faceOf(r, font)
		width += face.Width(r.text)
	}
	return width, height, depth
}

// Draw draws lines of text as text.Plain does, with subscripts.
func (s symbols) Draw(c vg.Canvas, lines string, style text.Style, at vg.Point) {
	lines = strings.TrimRight(lines, "\n")
	c.SetColor(style.Color)
	if style.Rotation != 0 {
		c.Push()
		defer c.Pop()
		c.Rotate(style.Rotation)
	}
	sin, cos := math.Sincos(style.Rotation)
	at = vg.Point{X: at.Y*vg.Length(sin) + at.X*vg.Length(cos), Y: at.Y*vg.Length(cos) - at.X*vg.Length(sin)}
	extents := s.Extents(style.Font)
	at.Y += style.Height(lines)*vg.Length(style.YAlign) - extents.Ascent
	all := s.Lines(lines)
	for i, line := range all {
		width, _, _ := s.Box(line, style.Font)
		from := at.Add(vg.Point{X: vg.Length(style.XAlign) * width, Y: vg.Length(len(all)-i) * style.Font.Size})
		for _, r := range runsOf(line) {
			face, start := s.faceOf(r, style.Font), from
			if r.sub {
				start.Y -= subscriptDrop * style.Font.Size
			}
			c.FillString(face, start, r.text)
			from.X += face.Width(r.text)
		}
	}
}
