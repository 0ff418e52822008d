// Subscripts of symbols, ticks at the levels of the data, and axes of panels that are empty or
// constant.

package draw

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/plot/vg"

	"gridsweep/analysis"
	"gridsweep/configs/language"
)

func TestSubscripts(t *testing.T) {
	for text, want := range map[string][]sizedPiece{
		"Q_R: fairness":       {{"Q", false}, {"R", true}, {": fairness", false}},
		"E[t_ET] (s)":         {{"E[t", false}, {"ET", true}, {"] (s)", false}},
		"bounded_slowdown":    {{"bounded_slowdown", false}},
		"a_ and _b":           {{"a_ and _b", false}},
		"x_1 − x_2":           {{"x", false}, {"1", true}, {" − x", false}, {"2", true}},
		"λ_i":                 {{"λ", false}, {"i", true}},
		"improvement_grid, R": {{"improvement_grid, R", false}},
		"":                    nil,
	} {
		if diff := cmp.Diff(want, sizedPieces(text), cmp.AllowUnexported(sizedPiece{})); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
	figure := gallery()[0]
	figure.Y.Label = "Q_R"
	figure.Panels[0].Y.Label = "Q_R"
	picture := svgOf(t, figure)
	if !strings.Contains(picture, ">Q</text>") || !strings.Contains(picture, ">R</text>") {
		t.Error("Q_R is not set as Q with the subscript R")
	}
}

// The numbers of the horizontal axis stand at the data if these have few, short numbers, and no two
// overlap.
func TestTicksAtLevels(t *testing.T) {
	rates := []float64{0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7, 1}
	for _, c := range []struct {
		width  vg.Length
		values []float64
		want   string
	}{
		{6 * vg.Inch, rates, "0.05 0.1 0.15 0.2 0.25 0.3 0.4 0.5 0.7 1"},
		{2 * vg.Inch, rates, "0.05 0.2 0.4 0.7 1"},
		{6 * vg.Inch, []float64{43.7183, 60.2, 75.1}, "45 50 55 60 65 70 75"},
		{6 * vg.Inch, []float64{1000, 2000, 8000}, "1,000 2,000 8,000"},
	} {
		s := numberScale(newAxis("x", "X", ""), c.values, false, nil, littleEmpty).atLevels(c.values)
		ticks, _ := s.fitTicks(c.width)
		if got := labelsOf(ticks); got != c.want {
			t.Errorf("%v: ticks %q, want %q", c.values, got, c.want)
		}
	}
}

// A panel without values says so and has no numbers at its axes; the axis of a single value starts
// at 0, and 0 alone has no other number.
func TestEmptyAndConstantPanels(t *testing.T) {
	figure := analysis.Figure{Name: "f", Kind: language.Line, X: newAxis("x", "X", ""), Y: newAxis("y", "Y", ""),
		Panels: []analysis.Panel{{Series: []analysis.Series{
			{Label: "a", Points: []analysis.Point{{X: 1, Y: lone(math.NaN())}}},
		}}}}
	if got := strings.Fields(texts(t, svgOf(t, figure))); strings.Join(got[len(got)-5:], " ") != "X Y no values a" {
		t.Errorf("the texts of an empty panel are %q", got)
	}
	for value, want := range map[float64]string{
		14_600: "0 5,000 10,000 15,000", 0: "0", -3: "−3 −2 −1 0", 0.25: "0.0 0.1 0.2",
	} {
		s := numberScale(newAxis("y", "Y", ""), []float64{value, value}, false, nil, someEmpty)
		if got := labelsOf(s.ticks(5)); got != want {
			t.Errorf("values of %v alone: ticks %q", value, got)
		}
	}
}
