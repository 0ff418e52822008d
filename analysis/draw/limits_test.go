// Values beyond the limits of an axis: each is drawn as a mark with an arrow or as a cut bar, with
// its number in the SVG text; the gap of a cut bar is read from the dots of the PNG.

package draw

import (
	"bytes"
	"image/color"
	"image/png"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gridsweep/analysis"
	"gridsweep/analysis/tabulate"
	"gridsweep/configs/language"
)

// markPattern finds the marks of the first series and arrows.
var markPattern = regexp.MustCompile(`<path style="fill:(?:#0072b2|none;stroke:#222)" [^>]*>`)

// The number of a value beyond the limits is written with its interval, in the unit of the axis;
// published ones in brackets.
func TestNumbersBeyondTheLimitsAreWritten(t *testing.T) {
	for _, figure := range beyond() {
		if figure.Kind == language.Heat || figure.Name == "beyond cloud" || figure.Name == "beyond crowded" {
			continue // no room for all numbers
		}
		shown := texts(t, svgOf(t, figure))
		written := 0
		want := func(points []analysis.Point, unit, before, after string) {
			for _, p := range points {
				if analysis.SideOf(*figure.RangeY, p.Y.Value) == 0 {
					continue
				}
				written++
				value := p.Y
				if unit == "s" {
					value.Value, value.Low, value.High = value.Value/60, value.Low/60, value.High/60
				}
				if text := before + tabulate.Estimate(value) + after; !strings.Contains(shown, text) {
					t.Errorf("%s: no text %q", figure.Name, text)
				}
			}
		}
		for _, panel := range figure.Panels {
			for _, series := range panel.Series {
				want(series.Points, panel.Y.Unit, "", "")
				want(series.Published, panel.Y.Unit, "(", ")")
			}
		}
		if written == 0 {
			t.Errorf("%s has no value beyond its limits", figure.Name)
		}
	}
}

// Every value beyond the limits is a mark and an arrow, also without room for numbers.
func TestMarksBeyondTheLimitsAreDrawn(t *testing.T) {
	figure := cloud()
	figure.RangeX, figure.RangeY = &[2]float64{3000, 9000}, &[2]float64{7000, 11000}
	with, outside := lines(svgOf(t, figure)), 0
	for i, series := range figure.Panels[0].Series {
		isOutside := func(p analysis.Point) bool { return analysis.SideOf(*figure.RangeY, p.Y.Value) != 0 }
		inside := slices.DeleteFunc(slices.Clone(series.Points), isOutside)
		outside += len(series.Points) - len(inside)
		figure.Panels[0].Series[i].Points = inside
	}
	without := lines(svgOf(t, figure))
	if outside == 0 || with != without+2*outside {
		t.Errorf("%d paths with %d points beyond the limits and %d without them", with, outside, without)
	}
}

// Marks of several values beyond the limits at one position stand on each other at the limit, and
// their numbers in rows.
func TestMarksBeyondStandAtTheLimit(t *testing.T) {
	figure := cloud()
	figure.RangeY = &[2]float64{0, 10}
	draw := func(values ...float64) (shown string, marks []string) {
		figure.Panels[0].Series = figure.Panels[0].Series[:1]
		figure.Panels[0].Series[0].Points = nil
		for _, value := range values {
			figure.Panels[0].Series[0].Points = append(figure.Panels[0].Series[0].Points, analysis.Point{X: 5, Y: lone(value)})
		}
		picture := svgOf(t, figure)
		marks = markPattern.FindAllString(picture, -1)
		slices.Sort(marks)
		return texts(t, picture), slices.Compact(marks)
	}
	_, one := draw(21)
	shown, three := draw(21, 22, 23)
	if len(one) != 3 || !slices.Equal(one, three) { // in the legend, at the limit, and an arrow
		t.Errorf("three marks at one position are drawn with\n%q\none with\n%q", three, one)
	}
	for _, number := range []string{"21", "22", "23"} {
		if !strings.Contains(shown, number) {
			t.Errorf("no number %s in %q", number, shown)
		}
	}
}

// The gap of a cut bar is visible: dark edges separate it from the bar, also from a hatched one.
func TestGapOfACutBar(t *testing.T) {
	for i := range 2 * len(colours) {
		if strings.Contains(appearanceOf(i).hatch.angles, "|") {
			continue // a hatch may cover the line along which stagesOf looks
		}
		figure := analysis.Figure{
			Name: "cut", Kind: language.Bar, X: newAxis("x", "X", ""), Y: newAxis("y", "Y", ""), RangeY: &[2]float64{-40, 40},
			Panels: []analysis.Panel{{Series: []analysis.Series{{Label: "a", Points: []analysis.Point{{Y: lone(-3000)}}}}}},
		}
		if got := stagesOf(t, figure, i); !strings.Contains(got, "edge gap edge") {
			t.Errorf("appearance %d: the cut bar shows %q from the limit upwards", i, got)
		}
		figure.Panels[0].Series[0].Points[0].Y = lone(-39)
		if got := stagesOf(t, figure, i); strings.Contains(got, "edge") {
			t.Errorf("appearance %d: the whole bar shows %q from the limit upwards", i, got)
		}
	}
}

// stagesOf returns what the dots show along a vertical line from the lower limit upwards, through
// the right of the only bar: bar, edge or gap.
func stagesOf(t *testing.T, figure analysis.Figure, appearance int) string {
	t.Helper()
	picture, err := render(t.Context(), figure, Appearances{"a": appearance}, Size{DPI: 200}, renderPNG)
	if err != nil {
		t.Fatal(err)
	}
	pixels, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	bar := appearanceOf(appearance).barColor()
	near := func(a, b color.Color) bool { return math.Abs(luminance(a)-luminance(b)) < 0.01 }
	var stages []string
	x, high := pixels.Bounds().Dx()*85/100, pixels.Bounds().Dy()
	started := false
	for y := high * 5 / 6; y > high*2/3; y-- {
		stage := ""
		switch at := pixels.At(x, y); {
		case near(at, bar):
			stage, started = "bar", true
		case near(at, ink):
			stage = "edge"
		case near(at, color.White):
			stage = "gap"
		}
		if started && stage != "" && (len(stages) == 0 || stages[len(stages)-1] != stage) {
			stages = append(stages, stage)
		}
	}
	return strings.Join(stages, " ")
}
