package draw

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image/png"
	"io/fs"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"gridsweep/analysis"
	"gridsweep/results"
)

const dotsPerInch = 200 // of PNG files

// renderPNG returns the page as a PNG image; the title stands in errors.
func renderPNG(p page, title string) ([]byte, error) {
	width, height := p.size()
	canvas := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dotsPerInch))
	p.draw(draw.NewCanvas(canvas, width, height))
	var picture bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed} // a twentieth larger in half the time
	if err := encoder.Encode(&picture, canvas.Image()); err != nil {
		return nil, fmt.Errorf("draw %s: %w", title, err)
	}
	return picture.Bytes(), nil
}

// writePNG draws a figure as PNG, unless the file is one of the same SVG document already: to draw
// it again takes most of the time that an analysis takes.
func writePNG(ctx context.Context, path string, figure analysis.Figure, looks Looks, document []byte) error {
	source := sourceOf(document)
	before, err := results.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if isPictureOf(before, source) {
		return nil
	}
	picture, err := PNG(ctx, figure, looks)
	if err != nil {
		return err
	}
	return results.WriteFile(path, withText(picture, source))
}

// sourceOf is the text of a picture that says which SVG document it is of.
func sourceOf(document []byte) string {
	return fmt.Sprintf("Source\x00SVG sha256:%x, %d dots per inch", sha256.Sum256(document), dotsPerInch)
}

// The layout of a PNG file: a signature, then chunks, the first of them IHDR. A chunk is the length
// of its data, four letters, the data, and the CRC-32 of letters and data.
// https://www.w3.org/TR/png-3/
const (
	signatureLength = 8
	headerLength    = 4 + 4 + 13 + 4 // of the chunk IHDR
	lengthOfRest    = 4 + 4 + 4      // of a chunk beside its data
)

// textChunk returns a chunk tEXt.
func textChunk(text string) []byte {
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(text)))
	chunk = append(append(chunk, "tEXt"...), text...)
	return binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
}

// withText returns the picture with a text, a keyword and a value with a null byte between them.
func withText(picture []byte, text string) []byte {
	const at = signatureLength + headerLength
	return bytes.Join([][]byte{picture[:at], textChunk(text), picture[at:]}, nil)
}

// isPictureOf reports whether a file is a whole PNG picture that has the text.
func isPictureOf(file []byte, text string) bool {
	const at = signatureLength + headerLength
	chunk := textChunk(text)
	return len(file) > at && bytes.HasPrefix(file[at:], chunk) && isWhole(file[signatureLength:])
}

// isWhole reports whether chunks have the data that was written, up to the last one.
func isWhole(chunks []byte) bool {
	for len(chunks) >= lengthOfRest {
		length := int64(binary.BigEndian.Uint32(chunks))
		if length > int64(len(chunks)-lengthOfRest) {
			return false
		}
		chunk := chunks[4 : 4+4+length]
		if crc32.ChecksumIEEE(chunk) != binary.BigEndian.Uint32(chunks[4+4+length:]) {
			return false
		}
		if chunks = chunks[lengthOfRest+length:]; string(chunk[:4]) == "IEND" {
			return len(chunks) == 0
		}
	}
	return false
}
