// Figures as PNG. A file that was drawn from the same SVG document is not drawn again.

package draw

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"io/fs"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"gridsweep/analysis"
	"gridsweep/results"
)

// renderPNG returns the layout as a PNG image.
func renderPNG(l layout, _ string, size Size) []byte {
	width, height := l.size()
	// vgimg's canvases are white
	canvas := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(int(size.DPI.dots())))
	l.draw(draw.NewCanvas(canvas, width, height))
	return encodePNG(canvas.Image().(*image.RGBA), size.DPI.dots())
}

// writePNG draws a figure as PNG unless the file was drawn from the same SVG document: drawing PNGs
// takes most of the time of an analysis.
func writePNG(
	ctx context.Context, path string, figure analysis.Figure, appearances Appearances, size Size, document []byte,
) error {
	source := sourceOf(document, size)
	before, err := results.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if isPictureOf(before, source) {
		return nil
	}
	picture, err := render(ctx, figure, appearances, size, renderPNG)
	if err != nil {
		return err
	}
	return results.WriteFile(path, withText(picture, source))
}

// sourceOf returns the text chunk that identifies the SVG document of a picture.
func sourceOf(document []byte, size Size) string {
	return fmt.Sprintf("Source\x00SVG sha256:%x, %d dots per inch", sha256.Sum256(document), size.DPI.dots())
}
