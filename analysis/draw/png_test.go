package draw

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"gridsweep/analysis"
)

// TestPictureIsKept checks that a PNG is drawn again where its figure changed or the file is no
// whole picture of it, and only then.
func TestPictureIsKept(t *testing.T) {
	dir := t.TempDir()
	figure := negative()
	file := filepath.Join(dir, figure.Name+".png")
	write := func() []byte {
		t.Helper()
		if err := Write(t.Context(), dir, []analysis.Figure{figure}); err != nil {
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
