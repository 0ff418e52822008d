// Banners of page one, and its sentence on bias.

package report

import (
	"math"
	"strings"
	"testing"

	"gridsweep/analysis"
	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
)

// Figures of ratios that run to minus thousands are named with the least number; numbers with a
// unit, rows and missing numbers are not.
func TestExtremes(t *testing.T) {
	figure := func(name string, kind language.FigureKind, unit, series string, values ...float64) analysis.Figure {
		s := analysis.Series{Label: series}
		for _, value := range values {
			s.Points = append(s.Points, analysis.Point{Label: "48h", Y: statistics.Point(value)})
		}
		return analysis.Figure{Name: name, Kind: kind,
			Panels: []analysis.Panel{{Y: analysis.Axis{Unit: unit}, Series: []analysis.Series{s}}}}
	}
	served := figure("4", language.Line, "", "a", -5000)
	served.Panels[0].Y.Change = "difference to no contracts"
	for _, c := range []struct {
		figures []analysis.Figure
		want    string
	}{
		{nil, ""},
		{[]analysis.Figure{
			figure("1", language.Line, "s", "a", -5000), figure("2", language.Points, "", "a", -5000),
			figure("3", language.Line, "", "a", math.NaN(), -999, 5000), served,
		}, ""},
		{[]analysis.Figure{figure("8", language.Bar, "", "", -1000)},
			"in Figure 8 means are at most −1,000, the least −1,000 (48h)."},
		{[]analysis.Figure{
			figure("8", language.Bar, "", "", 3, -1000.4), figure("10", language.Line, "", "forecasts", -2000, -4949.4),
		}, "in Figures 8 and 10 means are at most −1,000, the least −4,949 in Figure 10 (forecasts)."},
	} {
		if have := extremes(c.figures); have != c.want {
			t.Errorf("have %q, want %q", have, c.want)
		}
	}
}

// A subtable is named only if its interval would not contain 0 at twice its width either.
func TestBiasOfSubtables(t *testing.T) {
	for half, isNamed := range map[float64]bool{0.4: true, 0.6: false} {
		biased := []analysis.BiasedSubtable{{Labels: []string{"a"}, Bias: estimate(1, half)}}
		table := analysis.Table{Name: "1", Agreement: []analysis.Agreement{{Bias: estimate(0, 1), Biased: biased}}}
		if have := biases([]analysis.Table{table}); strings.HasPrefix(have, "In 1 other it is so only in") != isNamed {
			t.Errorf("1 ± %v: %q", half, have)
		}
	}
}
