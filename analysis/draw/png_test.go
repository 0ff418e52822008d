// The PNG encoder against image/png, dot by dot, and the rule that a PNG is drawn again only if its
// figure changed or its file is damaged.

package draw

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"gridsweep/analysis"
)

// TestPictureIsKept checks that a PNG is drawn again if its figure changed or the file is damaged,
// and only then.
func TestPictureIsKept(t *testing.T) {
	dir := t.TempDir()
	figure := negative()
	file := filepath.Join(dir, figure.Name+".png")
	write := func() []byte {
		t.Helper()
		if err := Write(t.Context(), dir, []analysis.Figure{figure}, Size{}); err != nil {
			t.Fatal(err)
		}
		picture, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(bytes.NewReader(picture)); err != nil {
			t.Fatal(err)
		}
		return picture
	}
	first := write()
	before, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	write()
	if after, err := os.Stat(file); err != nil || !os.SameFile(before, after) {
		t.Errorf("drawn again: %v", err)
	}
	damaged := bytes.Clone(first)
	damaged[len(damaged)/2] ^= 1
	for name, content := range map[string][]byte{
		"damaged": damaged, "cut": first[:len(first)-1], "longer": append(bytes.Clone(first), 0), "empty": {},
	} {
		if err := os.WriteFile(file, content, 0o666); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(write(), first) {
			t.Errorf("%s: not drawn again", name)
		}
	}
	figure.Y.Title += "!"
	if bytes.Equal(write(), first) {
		t.Error("another figure has the same picture")
	}
}

// TestPNGHoldsEveryDot compares the dots of a decoded file with those of the image, whose lines are
// longer in memory than they are wide.
func TestPNGHoldsEveryDot(t *testing.T) {
	for _, size := range []image.Point{{1, 1}, {3, 2}, {257, 300}} {
		whole := image.NewRGBA(image.Rect(0, 0, size.X+5, size.Y))
		for y := range size.Y {
			for x := range size.X + 5 {
				whole.SetRGBA(x, y, color.RGBA{uint8(x), uint8(y), uint8(x * y), 0xff})
			}
		}
		corner := whole.SubImage(image.Rectangle{Max: size}).(*image.RGBA)
		file := encodePNG(corner, usualResolution)
		decoded, err := png.Decode(bytes.NewReader(withText(file, "Key\x00value")))
		if err != nil {
			t.Fatal(err)
		}
		if decoded.Bounds() != corner.Rect {
			t.Fatalf("%v: bounds %v", size, decoded.Bounds())
		}
		for y := range size.Y {
			for x := range size.X {
				if want := corner.RGBAAt(x, y); color.RGBAModel.Convert(decoded.At(x, y)) != want {
					t.Fatalf("%v: dot %d,%d is %v, not %v", size, x, y, decoded.At(x, y), want)
				}
			}
		}
	}
}
