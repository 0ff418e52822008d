// PDF and EPS files read by programs that are not ours: poppler lists the fonts and extracts the
// text, Ghostscript renders both to the dots of the PNG. Sizes, resolution and equal bytes.

package draw

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"gridsweep/analysis"
	"gridsweep/analysis/tabulate"
)

// program returns the path of a program, and skips the test where it is not installed.
func program(t *testing.T, name, debian string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed (Debian: apt-get install %s)", name, debian)
	}
	return path
}

func execute(t *testing.T, command string, arguments ...string) string {
	t.Helper()
	output, err := exec.CommandContext(t.Context(), command, arguments...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", command, arguments, err, output)
	}
	return string(output)
}

// drawn writes figures with all kinds of content to a folder.
func drawn(t *testing.T, size Size) (dir string, figures []analysis.Figure) {
	t.Helper()
	dir = t.TempDir()
	figures = gallery()
	if err := Write(t.Context(), dir, figures, size); err != nil {
		t.Fatal(err)
	}
	return dir, figures
}

func fileOf(dir string, figure analysis.Figure, ending string) string {
	return filepath.Join(dir, tabulate.FileName(figure.Name)+ending)
}

// TestFontsOfPDF checks that every font is embedded as a subset with a map to Unicode, and that
// names with signs beyond Latin letters can be extracted.
func TestFontsOfPDF(t *testing.T) {
	fonts, text := program(t, "pdffonts", "poppler-utils"), program(t, "pdftotext", "poppler-utils")
	dir, figures := drawn(t, Size{Width: Column})
	for _, figure := range figures {
		file := fileOf(dir, figure, ".pdf")
		lines := strings.Split(strings.TrimSpace(execute(t, fonts, file)), "\n")[2:]
		if len(lines) == 0 {
			t.Errorf("%s: no font", figure.Name)
		}
		for _, line := range lines {
			if !strings.Contains(line, "+LiberationSans") || !strings.Contains(line, "CID TrueType") ||
				strings.Count(line, "yes") != 3 { // embedded, subset, Unicode
				t.Errorf("%s: font %q", figure.Name, line)
			}
		}
	}
	figure := figures[0]
	figure.Name, figure.X.Label = "signs", "λ ≥ −½ · 10⁻⁶ × Ärger"
	if err := Write(t.Context(), dir, []analysis.Figure{figure}, Size{}); err != nil {
		t.Fatal(err)
	}
	if got := execute(t, text, filepath.Join(dir, "signs.pdf"), "-"); !strings.Contains(got, figure.X.Label) {
		t.Errorf("the text is %q", got)
	}
}

// TestRenderedDocuments compares PDF and EPS, rendered by Ghostscript, with the PNG: one page of
// the same size, with nearly the same dots.
func TestRenderedDocuments(t *testing.T) {
	ghostscript := program(t, "gs", "ghostscript")
	const dots = 100
	dir, figures := drawn(t, Size{DPI: dots})
	for _, figure := range figures {
		want := readPNG(t, fileOf(dir, figure, ".png"))
		for _, ending := range []string{".pdf", ".eps"} {
			pages := filepath.Join(t.TempDir(), "page-%d.png")
			execute(t, ghostscript, "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-dEPSCrop", "-dTextAlphaBits=4",
				"-dGraphicsAlphaBits=4", "-sDEVICE=png16m", fmt.Sprintf("-r%d", dots), "-o", pages, fileOf(dir, figure, ending))
			if _, err := os.Stat(fmt.Sprintf(pages, 2)); err == nil {
				t.Errorf("%s%s: more than one page", figure.Name, ending)
			}
			got := readPNG(t, fmt.Sprintf(pages, 1))
			wide, high := got.Bounds().Dx()-want.Bounds().Dx(), got.Bounds().Dy()-want.Bounds().Dy()
			if max(wide, -wide, high, -high) > 2 {
				t.Errorf("%s%s: %v, PNG %v", figure.Name, ending, got.Bounds(), want.Bounds())
			}
			if unlike := unlikeShare(want, got); unlike > 0.02 {
				t.Errorf("%s%s: %.1f %% of the dots differ", figure.Name, ending, 100*unlike)
			}
		}
	}
}

func readPNG(t *testing.T, path string) image.Image {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// unlikeShare returns the share of areas of 8 × 8 dots whose mean levels of grey differ by more
// than a tenth. The areas begin at the lower left, the origin of both pictures.
func unlikeShare(a, b image.Image) float64 {
	const area = 8
	mean := func(picture image.Image, x, y int) float64 {
		sum := 0
		for dy := range area {
			for dx := range area {
				dot := picture.At(x+dx, picture.Bounds().Max.Y-1-y-dy)
				sum += int(color.GrayModel.Convert(dot).(color.Gray).Y)
			}
		}
		return float64(sum) / (area * area * 0xff)
	}
	unlike, all := 0, 0
	for y := 0; y+area <= min(a.Bounds().Dy(), b.Bounds().Dy()); y += area {
		for x := 0; x+area <= min(a.Bounds().Dx(), b.Bounds().Dx()); x += area {
			all++
			if d := mean(a, x, y) - mean(b, x, y); max(d, -d) > 0.1 {
				unlike++
			}
		}
	}
	return float64(unlike) / float64(all)
}

// TestSizeOfFiles checks the width and resolution of each format, and that text keeps its size.
func TestSizeOfFiles(t *testing.T) {
	var width Width
	if err := width.Set("84mm"); err != nil {
		t.Fatal(err)
	}
	figure := gallery()[0]
	files := map[string]string{}
	for name, size := range map[string]Size{"narrow": {width, 600}, "usual": {}} {
		dir := t.TempDir()
		if err := Write(t.Context(), dir, []analysis.Figure{figure}, size); err != nil {
			t.Fatal(err)
		}
		for _, file := range Files(figure.Name) {
			data, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				t.Fatal(err)
			}
			files[name+filepath.Ext(file)] = string(data)
		}
	}
	for file, want := range map[string]string{
		"narrow.pdf": "/MediaBox[0 0 238.11 ", "usual.pdf": "/MediaBox[0 0 468 ", "narrow.svg": `width="238.11pt"`,
		"narrow.eps": "%%BoundingBox: 0 0 239 ", "usual.eps": "%%HiResBoundingBox: 0 0 468 ",
	} {
		if !strings.Contains(files[file], want) {
			t.Errorf("%s: no %q", file, want)
		}
	}
	for _, file := range []string{"narrow.svg", "usual.svg"} {
		if !strings.Contains(files[file], "font-size:8.5px") {
			t.Errorf("%s: no text of 8.5 points", file)
		}
	}
	for name, want := range map[string]struct{ perMetre, wide float64 }{
		"narrow.png": {23622, 238.11 * 600 / 72}, "usual.png": {11811, 468 * 300 / 72},
	} {
		config, err := png.DecodeConfig(strings.NewReader(files[name]))
		if err != nil {
			t.Fatal(err)
		}
		if d := float64(config.Width) - want.wide; max(d, -d) > 1 {
			t.Errorf("%s: %d dots wide, want %.0f", name, config.Width, want.wide)
		}
		_, resolution, _ := strings.Cut(files[name], "pHYs")
		x, y := binary.BigEndian.Uint32([]byte(resolution)), binary.BigEndian.Uint32([]byte(resolution[4:]))
		if float64(x) != want.perMetre || x != y || resolution[8] != metres {
			t.Errorf("%s: %d × %d dots in unit %d", name, x, y, resolution[8])
		}
	}
}

// Equal figures give equal bytes in all formats, also in one process.
func TestFilesAreEqual(t *testing.T) {
	first, figures := drawn(t, Size{})
	second, _ := drawn(t, Size{})
	for _, figure := range figures {
		for _, file := range Files(figure.Name) {
			one, err := os.ReadFile(filepath.Join(first, file))
			if err != nil {
				t.Fatal(err)
			}
			if other, err := os.ReadFile(filepath.Join(second, file)); err != nil || !bytes.Equal(one, other) {
				t.Errorf("%s differs: %v", file, err)
			}
		}
	}
}

func TestWidths(t *testing.T) {
	for text, want := range map[string]vg.Length{"3.5in": 252, "column": 252, "page": 468, "84mm": 238.11, "8.4cm": 238.11,
		"252pt": 252} {
		var width Width
		if err := width.Set(text); err != nil || max(vg.Length(width)-want, want-vg.Length(width)) > 0.01 {
			t.Errorf("%s: %v, error %v", text, vg.Length(width), err)
		}
	}
	for _, text := range []string{"", "3.5", "1in", "41in", "NaNin", "infin", "-3in", "3px"} {
		if err := new(Width).Set(text); err == nil {
			t.Errorf("%q is a width", text)
		}
	}
	for _, text := range []string{"", "49", "1201", "300.5", "x"} {
		if err := new(Resolution).Set(text); err == nil {
			t.Errorf("%q is a resolution", text)
		}
	}
}

// legendPage is a legend alone.
type legendPage struct {
	legend
	width vg.Length
}

func (l legendPage) size() (width, height vg.Length) { return l.width, l.height }

// The legend has the published mark of each series, also of bars.
func TestLegendHasEveryPublishedMark(t *testing.T) {
	for _, name := range []string{"four", "bars4"} {
		figure := gallery()[slices.IndexFunc(gallery(), func(f analysis.Figure) bool { return f.Name == name })]
		appearances := AppearancesOf([]analysis.Figure{figure})
		marks := func() int {
			width := vg.Length(Page)
			l := newLegend(figure, appearances, width)
			return lines(string(renderSVG(legendPage{l, width}, name, Size{})))
		}
		with := marks()
		for i := range figure.Panels[0].Series {
			figure.Panels[0].Series[i].Published = nil
		}
		if more := with - marks(); more < len(figure.Panels[0].Series)+1 {
			t.Errorf("%s: %d more paths with published marks", name, more)
		}
	}
}
