// Rectangles of Gantt charts: the dots of the PNG show the order of layers and the limits, the
// mixture of edges is compared with that of plain boxes at random positions.

package draw

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"pgregory.net/rapid"

	"gridsweep/analysis"
	"gridsweep/configs/language"
)

// layered is a gantt of three series, each inside the one before, drawn one by one or as an image.
func layered(few bool) analysis.Figure {
	rectangle := func(x, width, y, height float64) analysis.Point {
		return analysis.Point{X: x, Y: lone(y), Width: width, Height: height}
	}
	start, processor := newAxis("start", "", "s"), newAxis("processor", "", "")
	f := analysis.Figure{Name: "layers", Kind: language.Gantt, X: start, Y: processor}
	f.Panels = []analysis.Panel{{Series: []analysis.Series{
		{Label: "offered", Points: []analysis.Point{rectangle(0, 200, 0, 10)}},
		{Label: "chosen", Points: []analysis.Point{rectangle(100, 100, 0, 10)}},
		{Label: "task", Points: []analysis.Point{rectangle(150, 50, 0, 5)}},
	}}}
	for i := 0; !few && i < fewRectangles; i++ { // thin ones that cover the same task
		x := 150 + 50*float64(i)/fewRectangles
		f.Panels[0].Series[2].Points = append(f.Panels[0].Series[2].Points, rectangle(x, 50.0/fewRectangles, 0, 5))
	}
	return f
}

// Later series lie on top, drawn one by one or as an image, and nothing is drawn beyond the limits.
func TestRectanglesLieInOrder(t *testing.T) {
	for _, few := range []bool{true, false} {
		figure := layered(few)
		if got := strings.Contains(svgOf(t, figure), "<image"); got == few {
			t.Errorf("few %t: drawn as an image: %t", few, got)
		}
		pixels, canvas := pixelsOf(t, figure)
		paints := paintsOf(figure)
		for _, c := range []struct {
			x, y float64 // shares of the axes
			want color.Color
		}{
			{0.25, 0.5, paints["offered"].fill}, {0.6, 0.2, paints["chosen"].fill}, {0.9, 0.8, paints["chosen"].fill},
			{0.87, 0.2, paints["task"].fill},
		} {
			if have := at(pixels, canvas, c.x, c.y); !alike(have, c.want) {
				t.Errorf("few %t: %v at %v, %v, want %v", few, have, c.x, c.y, c.want)
			}
		}
		figure.RangeX, figure.RangeY = &[2]float64{-200, 175}, &[2]float64{-10, 2.5}
		pixels, canvas = pixelsOf(t, figure)
		if have := at(pixels, canvas, 0.98, 0.9); !alike(have, paints["task"].fill) {
			t.Errorf("few %t: within the limits %v", few, have)
		}
		for _, outside := range [][2]float64{{1.006, 0.9}, {0.98, 1.01}, {0.2, 0.93}} {
			if have := at(pixels, canvas, outside[0], outside[1]); !alike(have, color.White) {
				t.Errorf("few %t: beyond the limits, at %v: %v", few, outside, have)
			}
		}
	}
}

// pixelsOf draws a figure of one panel and returns the picture and the rectangle of its axes.
func pixelsOf(t *testing.T, figure analysis.Figure) (image.Image, vg.Rectangle) {
	t.Helper()
	appearances := AppearancesOf([]analysis.Figure{figure})
	picture, err := render(t.Context(), figure, appearances, Size{}, renderPNG)
	if err != nil {
		t.Fatal(err)
	}
	pixels, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	s, err := newSheet(figure, appearances, vg.Length(Page))
	if err != nil {
		t.Fatal(err)
	}
	var data vg.Rectangle
	s.panels[0].add(plotterFunc(func(c draw.Canvas, _ *axes) { data = c.Rectangle }))
	s.draw(draw.NewCanvas(&textRecorder{turns: []float64{0}}, s.width, s.height))
	return pixels, data
}

type plotterFunc func(draw.Canvas, *axes)

func (f plotterFunc) plot(c draw.Canvas, p *axes) { f(c, p) }

// at returns the colour at a position in shares of the axes.
func at(pixels image.Image, axes vg.Rectangle, x, y float64) color.Color {
	dot := float64(usualResolution) / float64(vg.Inch)
	px := float64(axes.Min.X) + x*float64(axes.Size().X)
	py := float64(axes.Min.Y) + y*float64(axes.Size().Y)
	return pixels.At(int(px*dot), pixels.Bounds().Dy()-1-int(py*dot))
}

func alike(a, b color.Color) bool {
	r, g, bl, _ := a.RGBA()
	r2, g2, bl2, _ := b.RGBA()
	near := func(x, y uint32) bool { return math.Abs(float64(x)-float64(y)) < 0x300 }
	return near(r, r2) && near(g, g2) && near(bl, bl2)
}

// Edges have a fixed width, narrower ones in small boxes and none in very thin ones.
func TestEdgesOfRectangles(t *testing.T) {
	paint := blockPaint{color.RGBA{0, 0, 0x80, 0xff}, color.RGBA{0xff, 0xff, 0xff, 0xff}}
	for _, c := range []struct{ wide, high, beside, above vg.Length }{
		{50, 50, edgeWidth, edgeWidth}, {0.5, 50, 0, edgeWidth}, {50, noEdge, edgeWidth, 0}, {0.1, 0.1, 0, 0},
	} {
		if beside, above := paint.edges(around(vg.Point{}, c.wide, c.high)); beside != c.beside || above != c.above {
			t.Errorf("%v by %v: edges of %v and %v", c.wide, c.high, beside, above)
		}
	}
	if beside, above := (blockPaint{fill: paint.fill}).edges(around(vg.Point{}, 50, 50)); beside != 0 || above != 0 {
		t.Errorf("without a colour: edges of %v and %v", beside, above)
	}
}

// A box with edges covers the same share of each dot as one without edges.
func TestMixtureOfEdges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low, size := rapid.Float64Range(0, 8), rapid.Float64Range(0.5, 8)
		box := dots{left: low.Draw(t, "left"), low: low.Draw(t, "low")}
		box.right, box.high = box.left+size.Draw(t, "width"), box.low+size.Draw(t, "height")
		edge := rapid.Float64Range(0, 0.25)
		plain, edged := newMixture(10, 10), newMixture(10, 10)
		plain.add(box, color.RGBA{A: 0xff})
		edged.addEdged(box, edge.Draw(t, "beside"), edge.Draw(t, "above"), blockPaint{color.RGBA{A: 0xff}, color.RGBA{0xff,
			0, 0, 0xff}})
		for i := range plain.sums {
			if math.Abs(float64(plain.sums[i][3]-edged.sums[i][3])) > 1e-5 {
				t.Fatalf("dot %d is covered by %v with edges, %v without", i, edged.sums[i][3], plain.sums[i][3])
			}
		}
	})
	mix := newMixture(1, 1)
	mix.add(dots{0, 1, 0, 1}, color.RGBA{200, 0, 0, 0xff})
	mix.add(dots{0, 1, 0, 1}, color.RGBA{0, 100, 0, 0xff})
	if have := mix.image().At(0, 0); have != (color.RGBA{100, 50, 0, 0xff}) {
		t.Errorf("two boxes on one dot: %v", have)
	}
}

// Series that lie on top are darker, so that a chart can be read in grey.
func TestRectanglesGetDarker(t *testing.T) {
	for n := 1; n <= 5; n++ {
		figure := analysis.Figure{Kind: language.Gantt, Panels: []analysis.Panel{{}}}
		for i := range n {
			figure.Panels[0].Series = append(figure.Panels[0].Series, analysis.Series{Label: string(rune('a' + i))})
		}
		paints := paintsOf(figure)
		before := 1.0
		for i, series := range seriesOf(figure) {
			paint := paints[series.Label]
			fill, edge := luminance(paint.fill), luminance(paint.edge)
			if contrast := (before + 0.05) / (fill + 0.05); i > 0 && contrast < 1.3 {
				t.Errorf("%d series: the contrast of %d to the one before is %.2f", n, i, contrast)
			}
			if contrast := (max(fill, edge) + 0.05) / (min(fill, edge) + 0.05); contrast < 1.8 {
				t.Errorf("%d series: the edge of %d has a contrast of %.2f", n, i, contrast)
			}
			before = fill
		}
	}
}

// The axes fit the rectangles of all panels, in hours if they span hours.
func TestAxesOfRectangles(t *testing.T) {
	for _, c := range []struct{ from, low float64 }{{0, 0}, {600, 0}, {40_000, 40_000}, {-600, -600}} {
		figure := plans(100, 2)
		for i := range figure.Panels {
			point := analysis.Point{X: c.from, Width: 100, Y: lone(1), Height: 1}
			// in the second panel the highest
			last := analysis.Point{X: 86000, Width: 400, Y: lone(1 + float64(i)), Height: 429}
			figure.Panels[i].Series = []analysis.Series{{Points: []analysis.Point{point, last}}}
		}
		x, y, _ := scalesOf(figure, figure.Panels[0])
		if x.low != c.low || x.high != 86400 || y.low != 1 || y.high != 431 || x.title != "start to end (h)" {
			t.Errorf("from %v: x %v … %v %q, y %v … %v", c.from, x.low, x.high, x.title, y.low, y.high)
		}
	}
}

func BenchmarkManyRectangles(b *testing.B) {
	figure := layered(true)
	for i := range 10_000 {
		point := analysis.Point{X: float64(i % 100), Width: 1, Y: lone(float64(i / 100)), Height: 1}
		figure.Panels[0].Series[2].Points = append(figure.Panels[0].Series[2].Points, point)
	}
	size := 0
	for b.Loop() {
		picture, err := render(b.Context(), figure, nil, Size{}, renderSVG)
		if err != nil {
			b.Fatal(err)
		}
		size = len(picture)
	}
	b.ReportMetric(float64(size), "bytes")
}
