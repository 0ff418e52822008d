// Vector pictures: the drawing operators and fonts that PDF and EPS files share.

package draw

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	plotfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// vector is a canvas without text and images that writes the operators of PDF (ISO 32000-1, Annex
// A). An EPS document defines the same operators in PostScript. gonum's canvases for these formats
// do not suffice: vgpdf writes the date, and text in the code page 1252, which lacks minus and
// Greek; vgeps has neither fonts nor images.
type vector struct {
	bytes.Buffer
	width, height vg.Length
	colours       []color.Color // the current one last, before it those of the saved states
}

func newVector(width, height vg.Length) vector {
	return vector{width: width, height: height, colours: []color.Color{nil}}
}

// Size returns the width and height of the picture.
func (v *vector) Size() (width, height vg.Length) { return v.width, v.height }

// operate writes an operator after its numbers, with three decimals: a thousandth of a point.
func (v *vector) operate(operator string, numbers ...float64) {
	for _, x := range numbers {
		v.WriteString(number(x))
		v.WriteByte(' ')
	}
	v.WriteString(operator)
	v.WriteByte('\n')
}

func number(x float64) string {
	x = math.Round(x*1000) / 1000
	if x == 0 {
		return "0" // not -0
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// SetLineWidth sets the width of lines.
func (v *vector) SetLineWidth(width vg.Length) { v.operate("w", width.Points()) }

// SetLineDash sets the lengths of dashes and gaps, and where in them a line begins.
func (v *vector) SetLineDash(dashes []vg.Length, offset vg.Length) {
	v.WriteString("[ ")
	for _, dash := range dashes {
		v.WriteString(number(dash.Points()) + " ")
	}
	v.WriteString("] ")
	v.operate("d", offset.Points())
}

// SetColor sets the colour of lines, areas and text.
func (v *vector) SetColor(paint color.Color) {
	current := &v.colours[len(v.colours)-1]
	if *current == paint {
		return
	}
	*current = paint
	r, g, b, _ := paint.RGBA()
	share := func(level uint32) float64 { return float64(level) / 0xffff }
	v.operate("RG", share(r), share(g), share(b))
	v.operate("rg", share(r), share(g), share(b))
}

// Rotate turns the axes by an angle in radians, counterclockwise.
func (v *vector) Rotate(angle float64) {
	sin, cos := math.Sincos(angle)
	v.operate("cm", cos, sin, -sin, cos, 0, 0)
}

// Translate moves the origin.
func (v *vector) Translate(to vg.Point) { v.operate("cm", 1, 0, 0, 1, to.X.Points(), to.Y.Points()) }

// Scale scales the axes.
func (v *vector) Scale(x, y float64) { v.operate("cm", x, 0, 0, y, 0, 0) }

// Push saves the state: axes, colour and style of lines.
func (v *vector) Push() {
	v.colours = append(v.colours, v.colours[len(v.colours)-1])
	v.operate("q")
}

// Pop restores the state that Push saved last.
func (v *vector) Pop() {
	v.colours = v.colours[:len(v.colours)-1]
	v.operate("Q")
}

// Stroke draws the line of a path.
func (v *vector) Stroke(path vg.Path) {
	v.writePath(path)
	v.operate("S")
}

// Fill fills the area of a path.
func (v *vector) Fill(path vg.Path) {
	v.writePath(path)
	v.operate("f")
}

// writePath writes the operators that construct a path, which has no Bézier curves.
func (v *vector) writePath(path vg.Path) {
	for _, segment := range path {
		switch segment.Type {
		case vg.MoveComp:
			v.operate("m", segment.Pos.X.Points(), segment.Pos.Y.Points())
		case vg.LineComp:
			v.operate("l", segment.Pos.X.Points(), segment.Pos.Y.Points())
		case vg.ArcComp:
			v.arc(segment)
		case vg.CloseComp:
			v.operate("h")
		}
	}
}

// arc draws an arc as Bézier curves of at most a quarter of a circle, which differ from it by less
// than 0.03 % of the radius.
func (v *vector) arc(segment vg.PathComp) {
	x, y, r := segment.Pos.X.Points(), segment.Pos.Y.Points(), segment.Radius.Points()
	pieces := math.Ceil(math.Abs(segment.Angle) / (math.Pi / 2))
	step := segment.Angle / pieces
	reach := 4.0 / 3 * math.Tan(step/4) * r
	sin, cos := math.Sincos(segment.Start)
	v.operate("l", x+r*cos, y+r*sin)
	for i := range int(pieces) {
		nextSin, nextCos := math.Sincos(segment.Start + step*float64(i+1))
		v.operate("c", x+r*cos-reach*sin, y+r*sin+reach*cos, x+r*nextCos+reach*nextSin, y+r*nextSin-reach*nextCos,
			x+r*nextCos, y+r*nextSin)
		sin, cos = nextSin, nextCos
	}
}

// samplesOf returns the pixels of an image on white, three bytes each.
func samplesOf(picture image.Image) []byte {
	bounds := picture.Bounds()
	var samples []byte
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			r, g, b, a := picture.At(x, y).RGBA()
			onWhite := func(level uint32) byte { return byte((level + 0xffff - a) >> 8) }
			samples = append(samples, onWhite(r), onWhite(g), onWhite(b))
		}
	}
	return samples
}

func deflated(data []byte) []byte {
	var compressed bytes.Buffer
	writer := zlib.NewWriter(&compressed) // writing to memory does not fail
	writer.Write(data)
	writer.Close()
	return compressed.Bytes()
}

// usedFont is a font with its glyphs that a picture uses.
type usedFont struct {
	name   string
	face   *sfnt.Font
	buffer sfnt.Buffer
	// Units of the font in an em. As a size of text it makes sfnt return lengths in these units.
	em    fixed.Int26_6
	runes map[sfnt.GlyphIndex]rune // of each glyph the first character that it shows
}

// usedFonts is the fonts of a picture in the order of their first use.
type usedFonts []*usedFont

// indexOf returns the index of the font of a face, which it adds if it is new.
func (f *usedFonts) indexOf(face plotfont.Face) int {
	name := face.Name()
	i := slices.IndexFunc(*f, func(used *usedFont) bool { return used.name == name })
	if i < 0 {
		i = len(*f)
		*f = append(*f, &usedFont{
			name: name, face: face.Face, em: fixed.Int26_6(face.Face.UnitsPerEm()), runes: map[sfnt.GlyphIndex]rune{},
		})
	}
	return i
}

// glyph is a glyph of a text; kern moves it towards the one before, in units of the font.
type glyph struct {
	index sfnt.GlyphIndex
	kern  float64
}

// glyphs returns the glyphs of a text and notes their use.
func (f *usedFont) glyphs(text string) []glyph {
	var glyphs []glyph
	for _, r := range text {
		index, err := f.face.GlyphIndex(&f.buffer, r)
		if err != nil {
			// a bug: the fonts are in the program
			panic(fmt.Sprintf("font %s: %v", f.name, err))
		}
		g := glyph{index: index}
		if n := len(glyphs); n > 0 {
			if kern, err := f.face.Kern(&f.buffer, glyphs[n-1].index, index, f.em, font.HintingNone); err == nil {
				g.kern = -float64(kern)
			}
		}
		if _, known := f.runes[index]; !known {
			f.runes[index] = r
		}
		glyphs = append(glyphs, g)
	}
	return glyphs
}

// advance returns the width of a glyph in units of the font.
func (f *usedFont) advance(index sfnt.GlyphIndex) float64 {
	width, err := f.face.GlyphAdvance(&f.buffer, index, f.em, font.HintingNone)
	if err != nil {
		panic(fmt.Sprintf("font %s: %v", f.name, err)) // a bug: the fonts are in the program
	}
	return float64(width)
}
