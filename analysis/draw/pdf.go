// PDF documents of one page (ISO 32000-1), with the used glyphs of their fonts.

package draw

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"

	"golang.org/x/image/font/sfnt"
	plotfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// pdfCanvas is the canvas of the only page.
type pdfCanvas struct {
	vector
	fonts  usedFonts
	images []string // objects
}

// renderPDF returns the layout as a PDF document with a title and without a date.
func renderPDF(l layout, title string, _ Size) []byte {
	width, height := l.size()
	canvas := &pdfCanvas{vector: newVector(width, height)}
	vg.Initialize(canvas)
	l.draw(draw.New(canvas))
	file := &pdfFile{}
	var fonts, images strings.Builder
	for i, f := range canvas.fonts {
		fmt.Fprintf(&fonts, "/F%d %d 0 R", i, file.addFont(f))
	}
	for i, object := range canvas.images {
		fmt.Fprintf(&images, "/I%d %d 0 R", i, file.add(object))
	}
	content := file.add(stream("", canvas.Bytes()))
	pages := len(file.offsets) + 2 // number of the object Pages, which is added after the page
	page := file.add(fmt.Sprintf(
		"<</Type/Page/Parent %d 0 R/MediaBox[0 0 %s %s]/Contents %d 0 R/Resources<</Font<<%s>>/XObject<<%s>>>>>>",
		pages, number(width.Points()), number(height.Points()), content, fonts.String(), images.String()))
	file.add(fmt.Sprintf("<</Type/Pages/Count 1/Kids[%d 0 R]>>", page))
	root := file.add(fmt.Sprintf("<</Type/Catalog/Pages %d 0 R>>", pages))
	about := file.add(fmt.Sprintf("<</Title<FEFF%X>/Producer(gridsweep)>>", bigEndian(clean(title))))
	return file.end(root, about)
}

// FillString draws a text from a point of its baseline on.
func (c *pdfCanvas) FillString(face plotfont.Face, at vg.Point, text string) {
	i := c.fonts.indexOf(face)
	f := c.fonts[i]
	fmt.Fprintf(c, "BT /F%d %s Tf %s %s Td [<", i, number(face.Font.Size.Points()), number(at.X.Points()),
		number(at.Y.Points()))
	for _, g := range f.glyphs(text) {
		if g.kern != 0 {
			fmt.Fprintf(c, "> %s <", number(1000*g.kern/float64(f.em)))
		}
		fmt.Fprintf(c, "%04X", g.index)
	}
	c.WriteString(">] TJ ET\n")
}

// DrawImage draws an image stretched to a rectangle, on white.
func (c *pdfCanvas) DrawImage(box vg.Rectangle, picture image.Image) {
	size, dots := box.Size(), picture.Bounds().Size()
	c.Push()
	c.operate("cm", size.X.Points(), 0, 0, size.Y.Points(), box.Min.X.Points(), box.Min.Y.Points())
	c.operate(fmt.Sprintf("/I%d Do", len(c.images)))
	c.Pop()
	c.images = append(c.images, stream(fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceRGB"+
		"/BitsPerComponent 8", dots.X, dots.Y), samplesOf(picture)))
}

// pdfFile is a PDF file under construction: its objects, numbered from 1.
type pdfFile struct {
	body    bytes.Buffer
	offsets []int
}

const pdfHeader = "%PDF-1.5\n%\xe2\xe3\xcf\xd3\n" // the second line marks the file as binary

// add adds an object and returns its number.
func (f *pdfFile) add(object string) int {
	f.offsets = append(f.offsets, len(pdfHeader)+f.body.Len())
	fmt.Fprintf(&f.body, "%d 0 obj\n%s\nendobj\n", len(f.offsets), object)
	return len(f.offsets)
}

// end returns the file with its table of objects. The arguments are the numbers of the catalog and
// of the information about the document.
func (f *pdfFile) end(root, about int) []byte {
	table := len(pdfHeader) + f.body.Len()
	fmt.Fprintf(&f.body, "xref\n0 %d\n0000000000 65535 f \n", len(f.offsets)+1)
	for _, offset := range f.offsets {
		fmt.Fprintf(&f.body, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&f.body, "trailer\n<</Size %d/Root %d 0 R/Info %d 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(f.offsets)+1, root,
		about, table)
	return append([]byte(pdfHeader), f.body.Bytes()...)
}

// stream returns a compressed stream with further entries of its dictionary.
func stream(entries string, data []byte) string {
	compressed := deflated(data)
	return fmt.Sprintf("<<%s/Filter/FlateDecode/Length %d>>stream\n%s\nendstream", entries, len(compressed), compressed)
}

// addFont adds a font with its used glyphs and returns the number of its object. Codes in texts are
// the numbers of glyphs.
func (f *pdfFile) addFont(used *usedFont) int {
	var source bytes.Buffer
	if _, err := used.face.WriteSourceTo(&used.buffer, &source); err != nil {
		panic(fmt.Sprintf("font %s: %v", used.name, err)) // a bug: the fonts are in the program
	}
	whole, indices := parseTrueType(source.Bytes()), slices.Sorted(maps.Keys(used.runes))
	subset := whole.subset(indices)
	program := f.add(stream(fmt.Sprintf("/Length1 %d", len(subset)), subset))
	thousandths := func(units float64) string { return number(1000 * units / float64(used.em)) }
	box, ascent, descent := whole.extents()
	name := subsetTag(indices) + "+" + used.name
	descriptor := f.add(fmt.Sprintf("<</Type/FontDescriptor/FontName/%s/Flags 4/FontBBox[%s %s %s %s]/ItalicAngle 0"+
		"/Ascent %s/Descent %s/CapHeight %s/StemV 80/FontFile2 %d 0 R>>", name, thousandths(box[0]), thousandths(box[1]),
		thousandths(box[2]), thousandths(box[3]), thousandths(ascent), thousandths(descent), thousandths(ascent), program))
	var widths strings.Builder
	for _, index := range indices {
		fmt.Fprintf(&widths, "%d[%s]", index, thousandths(used.advance(index)))
	}
	descendant := f.add(fmt.Sprintf("<</Type/Font/Subtype/CIDFontType2/BaseFont/%s/CIDSystemInfo<</Registry(Adobe)"+
		"/Ordering(Identity)/Supplement 0>>/FontDescriptor %d 0 R/W[%s]/CIDToGIDMap/Identity>>", name, descriptor,
		widths.String()))
	characters := f.add(stream("", characterMap(used.runes, indices)))
	return f.add(fmt.Sprintf("<</Type/Font/Subtype/Type0/BaseFont/%s/Encoding/Identity-H/DescendantFonts[%d 0 R]"+
		"/ToUnicode %d 0 R>>", name, descendant, characters))
}

// subsetTag returns the six letters that tell subsets of a font apart.
func subsetTag(indices []sfnt.GlyphIndex) string {
	sum := sha256.Sum256(fmt.Append(nil, indices))
	tag := sum[:6]
	for i := range tag {
		tag[i] = 'A' + tag[i]%26
	}
	return string(tag)
}

// characterMap returns the CMap that maps codes to Unicode, for search and copies of text.
func characterMap(runes map[sfnt.GlyphIndex]rune, indices []sfnt.GlyphIndex) []byte {
	var text bytes.Buffer
	text.WriteString(`/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def
/CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange
`)
	const most = 100 // in one list
	for chunk := range slices.Chunk(indices, most) {
		fmt.Fprintf(&text, "%d beginbfchar\n", len(chunk))
		for _, index := range chunk {
			fmt.Fprintf(&text, "<%04X> <%X>\n", index, bigEndian(string(runes[index])))
		}
		text.WriteString("endbfchar\n")
	}
	text.WriteString("endcmap CMapName currentdict /CMap defineresource pop end end\n")
	return text.Bytes()
}

// bigEndian returns text in UTF-16.
func bigEndian(text string) []byte {
	var data []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		data = append(data, byte(unit>>8), byte(unit))
	}
	return data
}
