// Properties of drawn figures: a recording canvas checks that no text is cut or overlaps another,
// counted SVG paths show that every mark is drawn, and random ranges check ticks, scales and
// appearances.

package draw

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"pgregory.net/rapid"

	"gridsweep/analysis"
	"gridsweep/configs/language"
	"gridsweep/sweeps/study"
)

// textRecorder is a canvas that records text and its box, and ignores everything else.
type textRecorder struct {
	turns []float64
	texts []writing
}

type writing struct {
	text string
	box  vg.Rectangle
}

func (*textRecorder) SetLineWidth(vg.Length)              {}
func (*textRecorder) SetLineDash([]vg.Length, vg.Length)  {}
func (*textRecorder) SetColor(color.Color)                {}
func (*textRecorder) Translate(vg.Point)                  { panic("not expected: nothing here is moved") }
func (*textRecorder) Scale(_, _ float64)                  { panic("not expected: nothing here is scaled") }
func (*textRecorder) Stroke(vg.Path)                      {}
func (*textRecorder) Fill(vg.Path)                        {}
func (*textRecorder) DrawImage(vg.Rectangle, image.Image) {}
func (r *textRecorder) Rotate(angle float64)              { r.turns[len(r.turns)-1] += angle }
func (r *textRecorder) Push()                             { r.turns = append(r.turns, r.turns[len(r.turns)-1]) }
func (r *textRecorder) Pop()                              { r.turns = r.turns[:len(r.turns)-1] }
func (r *textRecorder) FillString(f font.Face, at vg.Point, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	sin, cos := math.Sincos(r.turns[len(r.turns)-1])
	turned := func(x, y vg.Length) vg.Point {
		return vg.Point{X: x*vg.Length(cos) - y*vg.Length(sin), Y: x*vg.Length(sin) + y*vg.Length(cos)}
	}
	ascent := f.Extents().Ascent * 0.75 // digits and capitals do not fill the line
	a, b := turned(at.X, at.Y), turned(at.X+f.Width(strings.TrimSpace(text)), at.Y+ascent)
	r.texts = append(r.texts, writing{text, vg.Rectangle{
		Min: vg.Point{X: min(a.X, b.X), Y: min(a.Y, b.Y)}, Max: vg.Point{X: max(a.X, b.X), Y: max(a.Y, b.Y)},
	}})
}

// The line of equal numbers is drawn from one end of both axes to the other.
func TestDiagonal(t *testing.T) {
	limits := [2]float64{0, 10}
	figure := analysis.Figure{Name: "x", Kind: language.Points, RangeX: &limits, RangeY: &limits,
		Panels: []analysis.Panel{{Series: []analysis.Series{{Label: "a",
			Points: []analysis.Point{{X: 2, Y: lone(3)}}}}}}}
	const line = "stroke:#888\""
	for _, figure.Diagonal = range []bool{false, true} {
		picture, err := render(t.Context(), figure, AppearancesOf([]analysis.Figure{figure}), Size{}, renderSVG)
		if err != nil {
			t.Fatal(err)
		}
		if have := strings.Count(string(picture), line); have == 1 != figure.Diagonal {
			t.Errorf("diagonal %t: %d grey lines", figure.Diagonal, have)
		}
	}
}

// In every figure of the gallery text lies within the sheet and overlaps no other text.
func TestTextFits(t *testing.T) {
	for _, figure := range gallery() {
		s, err := newSheet(figure, AppearancesOf([]analysis.Figure{figure}), vg.Length(Page))
		if err != nil {
			t.Fatal(err)
		}
		recorder := &textRecorder{turns: []float64{0}}
		s.draw(draw.NewCanvas(recorder, s.width, s.height))
		if len(recorder.texts) == 0 {
			t.Errorf("%s: no text at all", figure.Name)
		}
		for i, w := range recorder.texts {
			if w.box.Min.X < 0 || w.box.Min.Y < 0 || w.box.Max.X > s.width || w.box.Max.Y > s.height {
				t.Errorf("%s: %q at %v leaves the sheet of %v × %v", figure.Name, w.text, w.box, s.width, s.height)
			}
			for _, other := range recorder.texts[:i] {
				if overlap(w.box, other.box) {
					t.Errorf("%s: %q and %q overlap: %v, %v", figure.Name, w.text, other.text, w.box, other.box)
				}
			}
		}
	}
}

func overlap(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}

func svgOf(t *testing.T, figure analysis.Figure) string {
	t.Helper()
	picture, err := render(t.Context(), figure, AppearancesOf([]analysis.Figure{figure}), Size{}, renderSVG)
	if err != nil {
		t.Fatal(err)
	}
	return string(picture)
}

// lines counts the lines and areas of an SVG document, of which a path may have many.
func lines(document string) int { return commands(document, "m") }

// commands counts a command in the paths of an SVG document.
func commands(document, command string) int {
	count := 0
	for _, path := range regexp.MustCompile(` d="([^"]*)"`).FindAllStringSubmatch(document, -1) {
		count += strings.Count(path[1], command)
	}
	return count
}

// texts returns the text of an SVG document; the test fails if it is not XML.
func texts(t *testing.T, document string) string {
	t.Helper()
	var all strings.Builder
	decoder := xml.NewDecoder(strings.NewReader(document))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return all.String()
		}
		if err != nil {
			t.Fatalf("not XML: %v", err)
		}
		if text, ok := token.(xml.CharData); ok {
			all.Write(text)
		}
	}
}

// The text of an SVG has the number of the figure, the labels of its series and its second axis.
func TestSVGHasAllLabels(t *testing.T) {
	for _, figure := range gallery() {
		shown := texts(t, svgOf(t, figure))
		wanted := []string{"Figure " + figure.Name}
		if figure.Right != nil {
			wanted = append(wanted, figure.Right.Title[:20], figure.Right.Unit)
		}
		for _, panel := range figure.Panels {
			for _, series := range panel.Series {
				wanted = append(wanted, series.Label)
				if series.Right {
					wanted = append(wanted, series.Label+" (right axis)")
				}
				if len(series.Published) > 0 {
					wanted = append(wanted, "published")
				}
				if figure.Whiskers == language.Deviation {
					wanted = append(wanted, "± standard deviation")
				}
			}
		}
		for _, text := range wanted {
			if !strings.Contains(shown, text) {
				t.Errorf("%s: no text %q", figure.Name, text)
			}
		}
	}
}

// A heat map has titles on both axes and marks the cells without a number.
func TestHeatMapsNameRowsAndGaps(t *testing.T) {
	figure := heat(5)
	figure.Panels[0].Series[2].Points[0].Y = lone(math.NaN())
	shown := texts(t, svgOf(t, figure))
	if !strings.Contains(shown, "Source domain") || !strings.Contains(shown, "Target domain") {
		t.Errorf("the axes are not named in %s", shown)
	}
	if n := strings.Count(shown, noValue); n != 6 {
		t.Errorf("%d cells have no number, want the diagonal and another", n)
	}
}

// Without preserveAspectRatio="none" a viewer of SVG keeps the proportions of an image, which are
// not those of its rectangle.
func TestImagesFillTheirRectangles(t *testing.T) {
	picture := svgOf(t, plans(4000, 1))
	images, filling := strings.Count(picture, "<image "), strings.Count(picture, `preserveAspectRatio="none" xlink:href`)
	if images == 0 || filling != images {
		t.Errorf("%d of %d images fill their rectangles", filling, images)
	}
}

func TestEqualFiguresGiveEqualBytes(t *testing.T) {
	for _, figure := range gallery() {
		first, second := svgOf(t, figure), svgOf(t, figure)
		if first != second {
			t.Errorf("%s differs from one drawing to the next", figure.Name)
		}
	}
}

// Files drawn several at a time are those drawn one by one.
func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "figures")
	figures := gallery()[:4]
	if err := Write(t.Context(), dir, figures, Size{}); err != nil {
		t.Fatal(err)
	}
	for _, figure := range figures {
		vector, errVector := os.ReadFile(filepath.Join(dir, figure.Name+".svg"))
		pixels, errPixels := os.ReadFile(filepath.Join(dir, figure.Name+".png"))
		if err := errors.Join(errVector, errPixels); err != nil {
			t.Fatal(err)
		}
		wantVector, errVector := render(t.Context(), figure, AppearancesOf(figures), Size{}, renderSVG)
		wantPixels, errPixels := render(t.Context(), figure, AppearancesOf(figures), Size{}, renderPNG)
		if err := errors.Join(errVector, errPixels); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(vector, wantVector) || !bytes.Equal(pixels, withText(wantPixels, sourceOf(vector, Size{}))) {
			t.Errorf("%s: the files differ from the pictures", figure.Name)
		}
	}
}

// Once the context is done, Write writes no file.
func TestWriteIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := filepath.Join(t.TempDir(), "figures")
	if err := Write(ctx, dir, gallery()[:4], Size{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder exists, or %v", err)
	}
}

// unlessDone returns while render still runs if the context is done.
func TestDrawingIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	hold := make(chan struct{})
	defer close(hold)
	picture, err := unlessDone(ctx, func() ([]byte, error) {
		cancel()
		<-hold
		return []byte("picture"), nil
	})
	if picture != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%q, error %v", picture, err)
	}
}

// A published number adds one marker, and in the legend one for each of the four series and one for
// their entry.
func TestEveryPublishedNumberIsDrawn(t *testing.T) {
	figure := gallery()[0]
	with := lines(svgOf(t, figure))
	published := 0
	for i := range figure.Panels[0].Series {
		published += len(figure.Panels[0].Series[i].Published)
		figure.Panels[0].Series[i].Published = nil
	}
	without := lines(svgOf(t, figure))
	if inLegend := 5; with-without != published+inLegend {
		t.Errorf("%d published numbers and their legend made %d more paths", published, with-without)
	}
}

// An interval adds paths to the picture, an undefined one does not.
func TestIntervalsAreDrawn(t *testing.T) {
	figure := gallery()[4]
	point := &figure.Panels[0].Series[0].Points[0]
	with := lines(svgOf(t, figure))
	point.Y = lone(point.Y.Value)
	without := lines(svgOf(t, figure))
	if with <= without {
		t.Errorf("%d paths with an interval, %d without", with, without)
	}
}

// An unknown kind of figure, and two figures with the same file name, are errors.
func TestInvalidFigures(t *testing.T) {
	if _, err := render(t.Context(), analysis.Figure{Name: "4-1", Kind: "pie"}, nil, Size{}, renderSVG); err == nil ||
		!strings.Contains(err.Error(), `"pie"`) {
		t.Errorf("kind pie: %v", err)
	}
	same := []analysis.Figure{{Name: "a/b", Kind: language.Line}, {Name: "A:b", Kind: language.Line}}
	if err := Write(t.Context(), t.TempDir(), same, Size{}); err == nil || !strings.Contains(err.Error(), "A:b") {
		t.Errorf("two figures in one file: %v", err)
	}
}

// No two of the first 49 series share colour and marker; the first seven differ in marker alone.
func TestAppearancesDiffer(t *testing.T) {
	type key struct {
		color  color.Color
		marker marker
	}
	seen := map[key]int{}
	for i := range len(colours) * len(markers) {
		k := key{appearanceOf(i).color, appearanceOf(i).marker}
		if other, taken := seen[k]; taken {
			t.Errorf("series %d looks like series %d", i, other)
		}
		seen[k] = i
	}
	for i := range colours {
		for j := range i {
			if appearanceOf(i).marker == appearanceOf(j).marker {
				t.Errorf("series %d and %d differ in colour alone", i, j)
			}
		}
	}
}

// The labels of a figure have different appearances, and those of the first figure are 0, 1, 2 …
func TestAppearancesOfStudy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfDistinct(rapid.SampledFrom([]string{"1A", "1B", "1C", "1D", "1E", "1F"}), rapid.ID[string])
		var figures []analysis.Figure
		for _, labels := range rapid.SliceOf(names).Draw(t, "figures") {
			figure := analysis.Figure{Kind: language.Line, Panels: []analysis.Panel{{}, {}}}
			for _, label := range labels {
				for i := range figure.Panels {
					figure.Panels[i].Series = append(figure.Panels[i].Series, analysis.Series{Label: label})
				}
			}
			figures = append(figures, figure)
		}
		appearances := AppearancesOf(figures)
		for i, figure := range figures {
			owner := map[int]string{}
			for n, series := range seriesOf(figure) {
				label := series.Label
				appearance, known := appearances[label]
				if other, taken := owner[appearance]; taken || !known {
					t.Fatalf("%s and %s look alike", label, other)
				}
				owner[appearance] = label
				if i == 0 && appearance != n {
					t.Fatalf("the first figure's series %d has appearance %d", n, appearance)
				}
			}
		}
	})
}

// On random ranges ticks ascend, lie within the range and have different labels.
func TestTicks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(-1e7, 1e7).Draw(t, "low")
		width := math.Pow(10, rapid.Float64Range(-3, 8).Draw(t, "width"))
		log := rapid.Bool().Draw(t, "log")
		if log {
			low = math.Abs(low) + 1e-3
		}
		unit := rapid.SampledFrom([]string{"", "s", "%"}).Draw(t, "unit")
		s := numberScale(newAxis("x", "X", unit), []float64{low, low + width}, log, nil, someEmpty)
		labels, last := map[string]bool{}, math.Inf(-1)
		const slack = 1e-6
		for _, tick := range s.ticks(5) {
			if at := s.share(tick.value); at < -slack || at > 1+slack || tick.value <= last {
				t.Fatalf("tick %v after %v outside %v … %v", tick.value, last, s.low, s.high)
			}
			last = tick.value
			if labels[tick.label] && !tick.isMinor() {
				t.Fatalf("two ticks read %q", tick.label)
			}
			labels[tick.label] = true
		}
		delete(labels, "")
		if len(labels) < 2 || len(labels) > 16 {
			t.Fatalf("%d labels on %v … %v", len(labels), s.low, s.high)
		}
	})
}

// An axis has the title and unit that a study file sets for it, and a panel its own limits.
func TestAxesOfTheStudyFile(t *testing.T) {
	figure := violations(2)
	figure.Panels[1].RangeY = &[2]float64{0, 7200}
	for i := range figure.Panels {
		figure.Panels[i].Y = analysis.Axis{Name: "wait", Title: "wait: long", Unit: "s", Label: "Time waited",
			Shown: study.Unit{Name: "min", Size: 60}}
	}
	shown := texts(t, svgOf(t, figure))
	for _, text := range []string{"Time waited (min)", "120"} {
		if !strings.Contains(shown, text) {
			t.Errorf("no text %q in %s", text, shown)
		}
	}
	if strings.Contains(shown, "long") {
		t.Errorf("the column's own title in %s", shown)
	}
	own, _, _ := scalesOf(figure, figure.Panels[0])
	_, y, _ := scalesOf(figure, figure.Panels[1])
	if y.low != 0 || y.high != 7200 || own.high == 7200 {
		t.Errorf("limits %v … %v", y.low, y.high)
	}
}

// Laxities of 1 to 5 have no ticks between them.
func TestTicksOfWholeNumbers(t *testing.T) {
	s := numberScale(newAxis("laxity", "L", ""), []float64{1, 2, 3, 4, 5}, false, nil, littleEmpty)
	if have := labelsOf(s.ticks(8)); have != "1 2 3 4 5" {
		t.Error(have)
	}
}

func labelsOf(ticks []tick) string {
	var labels []string
	for _, tick := range ticks {
		if !tick.isMinor() {
			labels = append(labels, tick.label)
		}
	}
	return strings.Join(labels, " ")
}

func TestTickLabels(t *testing.T) {
	for _, c := range []struct {
		name      string
		unit      string
		low, high float64
		log       bool
		want      string
		title     string
	}{
		{"shares", "", 0, 1, false, "0.0 0.2 0.4 0.6 0.8 1.0", "X"},
		{"hours", "s", 0, 36000, false, "0 2 4 6 8 10", "X (h)"},
		{"minutes", "s", 0, 5400, false, "0 20 40 60 80", "X (min)"},
		{"milliseconds", "s", 0, 0.04, false, "0 10 20 30 40", "X (ms)"},
		{"microseconds", "s", 1e-6, 7e-4, true, "1 10 100 700", "X (µs)"},
		{"seconds", "s", 0, 100, false, "0 20 40 60 80 100", "X (s)"},
		{"below zero", "%", -10, 10, false, "−10 −5 0 5 10", "X (%)"},
		{"large", "", 0, 50_000, false, "0 10,000 20,000 30,000 40,000 50,000", "X"},
		{"decades", "", 0.01, 100, true, "0.01 0.1 1 10 100", "X"},
		{"part of a decade", "", 20, 80, true, "20 50 80", "X"},
		{"from the first level", "", 0.27, 33, true, "0.3 1 10 30", "X"},
		{"no room for the first level", "", 0.7, 500, true, "1 10 100 500", "X"},
	} {
		s := numberScale(newAxis("x", "X", c.unit), nil, c.log, &[2]float64{c.low, c.high}, someEmpty)
		if got := labelsOf(s.ticks(5)); got != c.want || s.title != c.title {
			t.Errorf("%s: ticks %q of %q, want %q of %q", c.name, got, s.title, c.want, c.title)
		}
	}
}

// A scale contains all finite values, and 0 if that is required.
func TestScaleCoversValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 1, 8).Draw(t, "values")
		mostEmpty := rapid.SampledFrom([]float64{littleEmpty, someEmpty, fromZero}).Draw(t, "mostEmpty")
		s := numberScale(newAxis("x", "X", ""), append(values, math.NaN()), false, nil, mostEmpty)
		for _, v := range values {
			if !s.contains(v) {
				t.Fatalf("%v is not on the axis %v … %v", v, s.low, s.high)
			}
		}
		if s.low >= s.high || mostEmpty == fromZero && !s.contains(0) {
			t.Fatalf("axis %v … %v", s.low, s.high)
		}
	})
}

// The horizontal axis starts at 0 if little of it stays empty, the vertical one also if more does.
func TestAxesStartAtZero(t *testing.T) {
	for _, c := range []struct {
		kind   language.FigureKind
		xs     []float64
		low    float64 // of y
		x0, y0 bool
	}{
		{language.Line, []float64{1, 2, 5}, 9, false, false},
		{language.Line, []float64{0.05, 0.5, 1}, 3, true, true},
		{language.Line, []float64{-5, -1}, 3, false, true},
		{language.Bar, []float64{1, 2, 5}, 9, true, true}, // x is the number of the category
	} {
		figure := analysis.Figure{Kind: c.kind, X: newAxis("x", "X", ""), Y: newAxis("y", "Y", "")}
		var points []analysis.Point
		for _, x := range c.xs {
			points = append(points, analysis.Point{X: x, Y: lone(10)})
		}
		points[0].Y = lone(c.low)
		figure.Panels = []analysis.Panel{{Series: []analysis.Series{{Points: points}}}}
		x, y, _ := scalesOf(figure, figure.Panels[0])
		if x.contains(0) != c.x0 || y.contains(0) != c.y0 {
			t.Errorf("%s at %v from %v: axes start at %v and %v", c.kind, c.xs, c.low, x.low, y.low)
		}
	}
}

// An axis that begins at its only x value is widened by the marks of all series side by side.
func TestMarksAtTheOnlyXValueLieWithinTheAxis(t *testing.T) {
	const series, length = 5, vg.Length(400)
	figure := analysis.Figure{Kind: language.Line, Panels: []analysis.Panel{{}}}
	for range series {
		points := []analysis.Point{{Y: estimate(2, 0.5)}}
		figure.Panels[0].Series = append(figure.Panels[0].Series, analysis.Series{Points: points})
	}
	x := widenForMarks(figure, numberScale(figure.X, []float64{0}, false, nil, littleEmpty), length)
	if have := -x.low / x.high * float64(length); have < float64(publishedRadius+2*widestDodge) {
		t.Errorf("the axis begins %v points before its only x value", have)
	}
}

// An interval that is cut by the limits ends in an arrow instead of a cap.
func TestIntervalsBeyondTheAxesHaveArrows(t *testing.T) {
	count := func(half float64) int {
		points := []analysis.Point{{X: 1, Y: estimate(10, 0.5)}, {X: 2, Y: estimate(5, half)}}
		figure := analysis.Figure{
			Kind: language.Line, LogY: true, RangeY: &[2]float64{1, 20},
			Panels: []analysis.Panel{{Series: []analysis.Series{{Points: points}}}},
		}
		return commands(svgOf(t, figure), "z")
	}
	if inside, below := count(1), count(6); below != inside+1 {
		t.Errorf("%d areas with an interval inside the axes, %d with one to below 0: want one more", inside, below)
	}
}

func BenchmarkSVG(b *testing.B) {
	figure := gallery()[0]
	for b.Loop() {
		if _, err := render(b.Context(), figure, AppearancesOf([]analysis.Figure{figure}), Size{}, renderSVG); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPNG(b *testing.B) {
	figure := gallery()[0]
	for b.Loop() {
		if _, err := render(b.Context(), figure, AppearancesOf([]analysis.Figure{figure}), Size{}, renderPNG); err != nil {
			b.Fatal(err)
		}
	}
}
