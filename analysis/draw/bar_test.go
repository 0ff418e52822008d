// Bars and the names below them: how names are broken into lines, that pieces joined are the name
// (random names), and that bars of different series differ and keep a contrast of 3 to the line of
// an interval.

package draw

import (
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/plot/vg"
	"pgregory.net/rapid"

	"gridsweep/analysis"
	"gridsweep/configs/language"
)

// Long names are broken into equally many lines, after a plus sign and after a hyphen only if
// needed; with too little room they are turned upright.
func TestNamesOfBars(t *testing.T) {
	fitted := func(width vg.Length) (labels []string, rotation float64) {
		ticks := categoryScale(newAxis("policy", "Policy", ""), gateways).ticks(0)
		style := textStyle(tickSize, 0, 0)
		fitNames(&style, ticks, width)
		for _, tick := range ticks {
			labels = append(labels, tick.label)
		}
		return labels, style.Rotation
	}
	labels, rotation := fitted(5.5 * vg.Inch)
	want := []string{"ArEb+\nleast-load\n ", "ArEb+\nearliest-ask\n ", "ArCb+\nleast-load\n ", "ArCb+\nearliest-ask\n ",
		"ArEbM+\nearliest-\npartial", "ArCbM+\nearliest-\npartial", "ArEbMf+\nearliest-\npartial"}
	if diff := cmp.Diff(want, labels); diff != "" || rotation != 0 {
		t.Errorf("rotation %v: %s", rotation, diff)
	}
	if labels, rotation := fitted(20 * vg.Inch); rotation != 0 || !slices.Equal(labels, gateways) {
		t.Errorf("with much room: %q, rotation %v", labels, rotation)
	}
	if labels, rotation := fitted(2 * vg.Inch); rotation != math.Pi/2 || labels[0] != "ArEb+least-load  " {
		t.Errorf("with little room: %q, rotation %v", labels, rotation)
	}
}

// The pieces of any name joined are the name, and signs of numbers do not cut it.
func TestNamePieces(t *testing.T) {
	if got := namePieces("a-1 x+y 1E-3 -b", "+-"); !slices.Equal(got, []string{"a-1 ", "x+", "y ", "1E-3 ", "-b"}) {
		t.Errorf("%q", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[a-c1+/ -]{0,20}`).Draw(t, "name")
		if pieces := namePieces(name, "+/-"); strings.Join(pieces, "") != name {
			t.Fatalf("the pieces of %q are %q", name, pieces)
		}
	})
}

// An axis of names has the unit of the numbers; if the names are durations, they include theirs.
func TestUnitOfNames(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{{[]string{"15min", "1d"}, "Interval"}, {[]string{"900", "1800"}, "Interval (s)"}, {[]string{"−5", "20,000"},
		"Interval (s)"}} {
		if got := categoryScale(newAxis("interval", "Interval", "s"), c.names).title; got != c.want {
			t.Errorf("%q: title %q, want %q", c.names, got, c.want)
		}
	}
}

// A logarithmic axis of bars starts at a labelled power of ten below the shortest bar.
func TestBarsOnALogarithmicAxis(t *testing.T) {
	figure := messages(true)
	for _, c := range []struct{ least, want float64 }{{20_312, 10_000}, {10_500, 1000}, {0.013, 0.01}} {
		for i := range figure.Panels[0].Series[0].Points {
			figure.Panels[0].Series[0].Points[i].Y = lone(c.least * math.Pow(3, float64(i)))
		}
		_, y, _ := scalesOf(figure, figure.Panels[0])
		if math.Abs(y.low/c.want-1) > 1e-9 {
			t.Errorf("least value %v: the axis begins at %v, want %v", c.least, y.low, c.want)
		}
		isFirst := func(tick tick) bool { return !tick.isMinor() && math.Abs(math.Log10(tick.value/c.want)) < 1e-9 }
		if !slices.ContainsFunc(y.ticks(8), isFirst) {
			t.Errorf("least value %v: the beginning of the axis has no label", c.least)
		}
	}
}

// Bars of up to three cycles of colours differ, and on each the line of an interval is visible.
func TestBarsDiffer(t *testing.T) {
	type key struct {
		color color.Color
		hatch hatch
	}
	seen := map[key]int{}
	for i := range 3 * len(colours) {
		a := appearanceOf(i)
		k := key{a.barColor(), a.hatch}
		if other, taken := seen[k]; taken {
			t.Errorf("the bars of series %d look like those of %d", i, other)
		}
		seen[k] = i
		// WCAG 2.1 asks for a contrast of 3 between what is drawn and what is beside it.
		if contrast := (luminance(k.color) + 0.05) / (luminance(ink) + 0.05); contrast < 3 {
			t.Errorf("an interval on a bar of series %d has a contrast of %.2f", i, contrast)
		}
	}
}

func luminance(c color.Color) float64 {
	linear := func(v uint32) float64 {
		x := float64(v) / 0xffff
		if x <= 0.03928 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	r, g, b, _ := c.RGBA()
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

// Panels of more than 40 bars stand below one another.
func TestPanelsOfManyBarsTakeTheWidth(t *testing.T) {
	figure := violations(2)
	if got := columnsFor(figure, len(figure.Panels), vg.Length(Page)); got != 2 {
		t.Errorf("24 bars a panel: %d columns", got)
	}
	figure.Panels[0].Series = append(figure.Panels[0].Series, figure.Panels[1].Series...)
	if got := columnsFor(figure, len(figure.Panels), vg.Length(Page)); got != 1 {
		t.Errorf("48 bars a panel: %d columns", got)
	}
}

// Bars that would be too narrow to be told apart stand in rows, which show each category once.
func TestNarrowBarsStandInRows(t *testing.T) {
	categories := strings.Fields("1 2 3 4 5 6 7 8 9 10 11 12 mean")
	figure := analysis.Figure{Name: "f", Kind: language.Bar, X: newAxis("cluster", "cluster", "", categories...),
		Y: newAxis("y", "Y", ""), Panels: []analysis.Panel{{Series: bars(6, categories, true)}}}
	for width, rows := range map[Width]int{Page: 1, Column: 2} {
		s, err := newSheet(figure, AppearancesOf([]analysis.Figure{figure}), vg.Length(width))
		if err != nil {
			t.Fatal(err)
		}
		var shown []string
		for _, panel := range s.panels {
			for _, tick := range panel.x.ticks(0) {
				shown = append(shown, tick.label)
			}
		}
		if len(s.panels) != rows || s.columns != 1 || !slices.Equal(shown, categories) {
			t.Errorf("%v: %d rows of %d columns show %q", width, len(s.panels), s.columns, shown)
		}
	}
}
