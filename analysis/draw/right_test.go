// Figures with a second axis on the right: the dots of the PNG at computed positions show that
// every mark is drawn on the scale of its own axis.

package draw

import (
	"image/color"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"gridsweep/analysis"
	"gridsweep/configs/language"
)

// Each mark lies at its value on its own axis, also if the other axis is logarithmic.
func TestMarksOfTwoAxes(t *testing.T) {
	for _, log := range []bool{false, true} {
		right := newAxis("cost", "Cost", "SU")
		figure := analysis.Figure{Name: "two", Kind: language.Line, X: newAxis("x", "X", ""), Y: newAxis("y", "Y", ""),
			Right: &right, LogY: log}
		var left, onRight []analysis.Point
		for i, y := range []float64{2, 3, 9} {
			left = append(left, analysis.Point{X: float64(i), Y: estimate(y, 0.5)})
			onRight = append(onRight, analysis.Point{X: float64(i), Y: estimate(5000-500*y, 10)})
		}
		figure.Panels = []analysis.Panel{{Y: figure.Y, Series: []analysis.Series{
			{Label: "y", Points: left}, {Label: "cost", Right: true, Points: onRight},
		}}}
		pixels, axes := pixelsOf(t, figure)
		sheet, err := newSheet(figure, AppearancesOf([]analysis.Figure{figure}), vg.Length(Page))
		if err != nil {
			t.Fatal(err)
		}
		x, y, cost := sheet.panels[0].x, sheet.panels[0].y.scale, *sheet.panels[0].right
		for i := range left {
			for _, c := range []struct {
				scale scale
				value float64
				dodge float64 // points
				want  color.Color
			}{{y, left[i].Y.Value, -2.25, appearanceOf(0).color}, {cost, onRight[i].Y.Value, 2.25, appearanceOf(1).color}} {
				side := x.share(left[i].X) + c.dodge/float64(axes.Size().X)
				if have := at(pixels, axes, side, c.scale.share(c.value)); !alike(have, c.want) {
					t.Errorf("log %t, point %d: %v at %v, want %v", log, i, have, c.value, c.want)
				}
			}
		}
		if cost.log || y.log != log || y.contains(500) {
			t.Errorf("log %t: axes %+v and %+v", log, y, cost)
		}
	}
}

// An axis has the colour of its line if it has one line only, else no colour.
func TestColoursOfTwoAxes(t *testing.T) {
	for _, c := range []struct {
		figure      analysis.Figure
		left, right color.Color
	}{
		{twoAxes("one", 1, 1), appearanceOf(0).color, appearanceOf(1).color}, {twoAxes("two", 2, 1), ink, ink},
		{fairness(), ink, ink}, // with one axis
	} {
		appearances := AppearancesOf([]analysis.Figure{c.figure})
		left, right := sidePaint(c.figure, appearances, false), sidePaint(c.figure, appearances, true)
		if left != c.left || right != c.right {
			t.Errorf("%s: left %v, right %v", c.figure.Name, left, right)
		}
	}
}

// The right axis shows durations in a unit that suits their range.
func TestUnitOfTheRightAxis(t *testing.T) {
	figure := twoAxes("durations", 1, 1)
	figure.Right.Unit = "s"
	if shown := texts(t, svgOf(t, figure)); !strings.Contains(shown, "chosen (min)") {
		t.Error(shown)
	}
}
