// Encapsulated PostScript. Glyphs are outlines, defined once each, so that no font is needed to
// print the file.

package draw

import (
	"bytes"
	"encoding/ascii85"
	"fmt"
	"image"
	"math"
	"strings"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	plotfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// epsCanvas is a canvas of an EPS document.
type epsCanvas struct {
	vector
	fonts    usedFonts
	outlines vector // procedures that draw glyphs, in units of the font
	defined  map[string]bool
}

// operators defines the operators of PDF that a canvas writes. PostScript has one colour for lines
// and areas: rg sets it, and RG, which comes with the same one, drops its numbers.
const operators = `/m{moveto}bind def /l{lineto}bind def /c{curveto}bind def /h{closepath}bind def
/f{fill}bind def /S{stroke}bind def /q{gsave}bind def /Q{grestore}bind def
/w{setlinewidth}bind def /d{setdash}bind def /rg{setrgbcolor}bind def /RG{pop pop pop}bind def
/cm{6 array astore concat}bind def
`

// renderEPS returns the layout as an EPS document of level 3 with a title.
func renderEPS(l layout, title string, _ Size) []byte {
	width, height := l.size()
	canvas := &epsCanvas{vector: newVector(width, height), defined: map[string]bool{}}
	vg.Initialize(canvas)
	l.draw(draw.New(canvas))
	var file bytes.Buffer
	file.WriteString("%!PS-Adobe-3.0 EPSF-3.0\n")
	fmt.Fprintf(&file, "%%%%BoundingBox: 0 0 %.0f %.0f\n", math.Ceil(width.Points()), math.Ceil(height.Points()))
	fmt.Fprintf(&file, "%%%%HiResBoundingBox: 0 0 %s %s\n", number(width.Points()), number(height.Points()))
	fmt.Fprintf(&file, "%%%%Title: %.200s\n%%%%LanguageLevel: 3\n%%%%EndComments\n", ascii(clean(title)))
	file.WriteString("50 dict begin gsave\n" + operators)
	fmt.Fprintf(&file, "%d dict begin\n", len(canvas.defined)+1)
	file.Write(canvas.outlines.Bytes())
	file.Write(canvas.Bytes())
	file.WriteString("end grestore end\nshowpage\n%%EOF\n")
	return file.Bytes()
}

// ascii replaces what a comment of PostScript cannot hold by question marks.
func ascii(text string) string {
	return strings.Map(func(r rune) rune {
		if r > '~' {
			return '?'
		}
		return r
	}, text)
}

// FillString draws a text from a point of its baseline on.
func (c *epsCanvas) FillString(face plotfont.Face, at vg.Point, text string) {
	i := c.fonts.indexOf(face)
	f := c.fonts[i]
	scale := face.Font.Size.Points() / float64(f.em)
	c.Push()
	fmt.Fprintf(c, "%.6f 0 0 %.6f %s %s cm\n", scale, scale, number(at.X.Points()), number(at.Y.Points()))
	for _, g := range f.glyphs(text) {
		name := fmt.Sprintf("G%d.%d", i, g.index)
		if !c.defined[name] {
			c.defined[name] = true
			c.outlines.WriteString("/" + name + "{\n")
			c.outline(f, g.index)
			c.outlines.WriteString("}bind def\n")
		}
		if g.kern != 0 {
			c.Translate(vg.Point{X: vg.Length(-g.kern)})
		}
		c.operate(name)
		c.Translate(vg.Point{X: vg.Length(f.advance(g.index))})
	}
	c.Pop()
}

// outline writes the outline of a glyph, which has quadratic curves as in TrueType, and fills it.
func (c *epsCanvas) outline(f *usedFont, index sfnt.GlyphIndex) {
	segments, err := f.face.LoadGlyph(&f.buffer, index, f.em, nil)
	if err != nil {
		panic(fmt.Sprintf("font %s: %v", f.name, err)) // a bug: the fonts are in the program
	}
	if len(segments) == 0 {
		return // a space
	}
	// y of sfnt's segments grows downwards
	point := func(p fixed.Point26_6) (x, y float64) { return float64(p.X), -float64(p.Y) }
	var x, y float64
	for i, s := range segments {
		ax, ay := point(s.Args[0])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				c.outlines.operate("h")
			}
			c.outlines.operate("m", ax, ay)
			x, y = ax, ay
		case sfnt.SegmentOpLineTo:
			c.outlines.operate("l", ax, ay)
			x, y = ax, ay
		case sfnt.SegmentOpQuadTo:
			bx, by := point(s.Args[1])
			c.outlines.operate("c", x+2*(ax-x)/3, y+2*(ay-y)/3, bx+2*(ax-bx)/3, by+2*(ay-by)/3, bx, by)
			x, y = bx, by
		}
	}
	c.outlines.operate("h")
	c.outlines.operate("f")
}

// DrawImage draws an image stretched to a rectangle, on white.
func (c *epsCanvas) DrawImage(box vg.Rectangle, picture image.Image) {
	size, dots := box.Size(), picture.Bounds().Size()
	c.Push()
	c.operate("cm", size.X.Points(), 0, 0, size.Y.Points(), box.Min.X.Points(), box.Min.Y.Points())
	fmt.Fprintf(c, "/DeviceRGB setcolorspace\n<</ImageType 1/Width %d/Height %d/BitsPerComponent 8/Decode[0 1 0 1 0 1]\n"+
		"/ImageMatrix[%d 0 0 %d 0 %d]/DataSource currentfile/ASCII85Decode filter/FlateDecode filter>>image\n",
		dots.X, dots.Y, dots.X, -dots.Y, dots.Y)
	var encoded bytes.Buffer
	encoder := ascii85.NewEncoder(&encoded) // writing to memory does not fail
	encoder.Write(deflated(samplesOf(picture)))
	encoder.Close()
	for text := encoded.Bytes(); len(text) > 0; {
		line := text[:min(100, len(text))]
		text = text[len(line):]
		if line[0] == '%' {
			c.WriteByte(' ') // readers of the document's comments might take the line for one
		}
		c.Write(line)
		c.WriteByte('\n')
	}
	c.WriteString("~>\n")
	c.Pop()
}
