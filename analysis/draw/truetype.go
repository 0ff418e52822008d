// TrueType fonts with fewer glyphs, for embedding. The fonts are in the program, so that one which
// is incomplete is a bug.
// https://learn.microsoft.com/typography/opentype/spec/otff

package draw

import (
	"encoding/binary"
	"maps"
	"math/bits"
	"slices"

	"golang.org/x/image/font/sfnt"
)

// trueType is the tables of a font by their names.
type trueType map[string][]byte

// Sizes and positions in the tables.
const (
	trueTypeHeader  = 12
	tableRecord     = 16
	locationFormat  = 50 // in head: 1 if positions of glyphs have four bytes
	boxOfGlyphs     = 36 // in head
	glyphHeader     = 10
	moreComponents  = 0x20 // flags of a component of a glyph
	wordArguments   = 0x01
	oneScale        = 0x08
	twoScales       = 0x40
	twoByTwoScales  = 0x80
	trueTypeVersion = 0x00010000
)

func parseTrueType(file []byte) trueType {
	tables := trueType{}
	for i := range int(binary.BigEndian.Uint16(file[4:])) {
		record := file[trueTypeHeader+i*tableRecord:]
		from, length := binary.BigEndian.Uint32(record[8:]), binary.BigEndian.Uint32(record[12:])
		tables[string(record[:4])] = file[from:][:length]
	}
	return tables
}

// extents returns the box around all glyphs (left, bottom, right, top), the ascent and the descent,
// in units of the font.
func (t trueType) extents() (box [4]float64, ascent, descent float64) {
	signed := func(data []byte) float64 { return float64(int16(binary.BigEndian.Uint16(data))) }
	for i := range box {
		box[i] = signed(t["head"][boxOfGlyphs+2*i:])
	}
	return box, signed(t["hhea"][4:]), signed(t["hhea"][6:])
}

// outline returns the bytes of a glyph, none for a space.
func (t trueType) outline(index int) []byte {
	position := func(i int) uint32 {
		if t["head"][locationFormat+1] == 1 {
			return binary.BigEndian.Uint32(t["loca"][4*i:])
		}
		return 2 * uint32(binary.BigEndian.Uint16(t["loca"][2*i:]))
	}
	return t["glyf"][position(index):position(index+1)]
}

// subset returns a font file that has the outlines of these glyphs and of those that they are
// composed of. The others are empty; numbers of glyphs stay.
func (t trueType) subset(indices []sfnt.GlyphIndex) []byte {
	outlines := make([][]byte, binary.BigEndian.Uint16(t["maxp"][4:]))
	wanted := []int{0} // the glyph for missing characters
	for _, index := range indices {
		wanted = append(wanted, int(index))
	}
	for len(wanted) > 0 {
		index := wanted[0]
		wanted = wanted[1:]
		if outlines[index] == nil {
			outlines[index] = t.outline(index)
			wanted = append(wanted, componentsOf(outlines[index])...)
		}
	}
	var locations, glyphs []byte
	for _, outline := range outlines {
		locations = binary.BigEndian.AppendUint32(locations, uint32(len(glyphs)))
		glyphs = padded(append(glyphs, outline...))
	}
	subset := trueType{"loca": binary.BigEndian.AppendUint32(locations, uint32(len(glyphs))), "glyf": glyphs}
	subset["head"] = slices.Clone(t["head"])
	subset["head"][locationFormat+1] = 1
	for _, name := range []string{"hhea", "maxp", "hmtx", "cvt ", "fpgm", "prep"} {
		if table, has := t[name]; has {
			subset[name] = table
		}
	}
	return subset.file()
}

// padded adds null bytes up to a multiple of four.
func padded(data []byte) []byte { return append(data, make([]byte, -len(data)&3)...) }

// componentsOf returns the glyphs that a glyph is composed of, none for a simple one.
func componentsOf(outline []byte) []int {
	if len(outline) < glyphHeader || int16(binary.BigEndian.Uint16(outline)) >= 0 {
		return nil
	}
	var components []int
	for rest := outline[glyphHeader:]; ; {
		flags := binary.BigEndian.Uint16(rest)
		components = append(components, int(binary.BigEndian.Uint16(rest[2:])))
		length := 6
		for flag, more := range map[uint16]int{wordArguments: 2, oneScale: 2, twoScales: 4, twoByTwoScales: 8} {
			if flags&flag != 0 {
				length += more
			}
		}
		if flags&moreComponents == 0 {
			return components
		}
		rest = rest[length:]
	}
}

// file returns the tables as a font file, in the order of their names.
func (t trueType) file() []byte {
	names := slices.Sorted(maps.Keys(t))
	file := binary.BigEndian.AppendUint32(nil, trueTypeVersion)
	exponent := bits.Len(uint(len(names))) - 1
	power := 1 << exponent
	for _, field := range []int{len(names), tableRecord * power, exponent, tableRecord * (len(names) - power)} {
		file = binary.BigEndian.AppendUint16(file, uint16(field))
	}
	var body []byte
	start := trueTypeHeader + tableRecord*len(names)
	for _, name := range names {
		from := len(body)
		body = padded(append(body, t[name]...))
		sum := uint32(0)
		for i := from; i < len(body); i += 4 {
			sum += binary.BigEndian.Uint32(body[i:])
		}
		file = append(file, name...)
		for _, field := range []uint32{sum, uint32(start + from), uint32(len(t[name]))} {
			file = binary.BigEndian.AppendUint32(file, field)
		}
	}
	return append(file, body...)
}
