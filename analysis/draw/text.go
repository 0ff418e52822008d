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

// sizedPiece is a piece of a line in one size.
type sizedPiece struct {
	text string
	sub  bool
}

// subscripts finds an underscore after a single letter, with letters or digits behind it;
// bounded_slowdown has none.
var subscripts = regexp.MustCompile(`(?:^|[^\pL\p{Nd}_])\pL_([\pL\p{Nd}]+)`)

// sizedPieces splits a line into pieces in one size each.
func sizedPieces(line string) []sizedPiece {
	var pieces []sizedPiece
	from := 0
	for _, at := range subscripts.FindAllStringSubmatchIndex(line, -1) {
		pieces = append(pieces, sizedPiece{text: line[from : at[2]-len("_")]}, sizedPiece{line[at[2]:at[3]], true})
		from = at[3]
	}
	if from < len(line) {
		pieces = append(pieces, sizedPiece{text: line[from:]})
	}
	return pieces
}

func (s symbols) faceOf(p sizedPiece, font plotfont.Font) plotfont.Face {
	if p.sub {
		font.Size *= subscriptSize
	}
	return s.Fonts.Lookup(font, font.Size)
}

// Box returns the width of a line, and its height above and depth below the baseline. A subscript
// lies within the depth of the font.
func (s symbols) Box(line string, font plotfont.Font) (width, height, depth vg.Length) {
	_, height, depth = s.Plain.Box("", font)
	for _, p := range sizedPieces(line) {
		face := s.faceOf(p, font)
		width += face.Width(p.text)
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
	sin, cos := math.Sincos(style.Rotation) // at is in the turned axes from here on
	at = vg.Point{X: at.Y*vg.Length(sin) + at.X*vg.Length(cos), Y: at.Y*vg.Length(cos) - at.X*vg.Length(sin)}
	extents := s.Extents(style.Font)
	at.Y += style.Height(lines)*vg.Length(style.YAlign) - extents.Ascent
	all := s.Lines(lines)
	for i, line := range all {
		width, _, _ := s.Box(line, style.Font)
		from := at.Add(vg.Point{X: vg.Length(style.XAlign) * width, Y: vg.Length(len(all)-i) * style.Font.Size})
		for _, p := range sizedPieces(line) {
			face, start := s.faceOf(p, style.Font), from
			if p.sub {
				start.Y -= subscriptDrop * style.Font.Size
			}
			c.FillString(face, start, p.text)
			from.X += face.Width(p.text)
		}
	}
}
