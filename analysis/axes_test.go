// Labels, units and limits that a study file sets for axes and tables, and the errors for units
// that do not fit. Study files of the toy model are the inputs.

package analysis

import (
	"strings"
	"testing"

	"gridsweep/sweeps"
)

// Axes have the labels and units of the study file, and panels their own limits.
func TestAxesOfTheStudyFile(t *testing.T) {
	more := `
figures:
  line: {of: gaps, show: wait, kind: line, x: gap, labels: {x: Interval, y: W}, units: {x: d, y: min}}
  panels: {of: rate, show: wait, kind: bar, x: lambda, panels: policy, labels: {y: W}, units: {y: h},
    range: {y: {a: [0, 100], b: [0, 200]}}}
  metric: {of: rate, show: [wait, loss], kind: line, x: lambda, series: policy, panels: metric,
    range: {y: {loss: [0, 10]}}}
  heat: {of: rate, show: wait, kind: heat, x: lambda, series: policy, labels: {x: λ, y: P, right: W}, units: {right: w}}
  right: {of: gaps, show: [wait, loss], right: wait, kind: line, x: gap, labels: {y: L, right: W}, units: {right: min}}
`
	figures := run(t, more, func(p toyPoint, _ int) *toyOutcome { return &toyOutcome{Wait: 1500 * p.Lambda, Loss: 1} },
		nil).analyze(t).Figures
	axis := func(a Axis) string { return strings.TrimSpace(a.Label + " " + a.Unit + " " + a.Shown.Name) }
	for i, want := range []string{"Interval s d; W s min; ", "1/min; W s h; ", "1/min; ; ", "λ 1/min; W s w; P",
		"s; L %; W s min"} {
		f := figures[i]
		other := f.Rows
		if f.Right != nil {
			other = *f.Right
		}
		if i == 2 {
			f.Y = Axis{}
		}
		if have := axis(f.X) + "; " + axis(f.Y) + "; " + axis(other); have != want {
			t.Errorf("%s: %q, want %q", f.Name, have, want)
		}
	}
	if size := figures[0].X.Shown.Size; size != 86400 {
		t.Errorf("a day has %v s", size)
	}
	for i, p := range figures[1].Panels {
		if limits := figures[1].LimitsY(p); i == 2 && limits != nil || i < 2 && (limits == nil ||
			limits[1] != float64(100+100*i)) {
			t.Errorf("panel %s has the limits %v", p.Label, limits)
		}
		if axis(p.Y) != "W s h" {
			t.Errorf("panel %s has the axis %q", p.Label, axis(p.Y))
		}
	}
	want := "5 of 9 values lie outside the limits of the vertical axis"
	if have := figures[1].Outside(); !strings.HasPrefix(have, want) {
		t.Errorf("%q, want %q", have, want)
	}
	if wait, loss := figures[2].Panels[0], figures[2].Panels[1]; wait.RangeY != nil || loss.RangeY == nil {
		t.Errorf("panels have the limits %v and %v", wait.RangeY, loss.RangeY)
	}
}

// notOfSeconds ends the error for a unit that does not fit a number in s.
const notOfSeconds = ` does not measure what is in s; known are s, min, h, d, w`

// Tables have the digits and units of the study file, and their numbers stay in the column's unit.
func TestTablesOfTheStudyFile(t *testing.T) {
	more := `
tables:
  all: {of: solo, show: [wait, loss], rows: policy, columns: metric, decimals: 3}
  one: {of: solo, show: [wait, loss], rows: policy, columns: metric, decimals: {loss: 0}, units: {wait: min}}
`
	tables := run(t, more, linear, nil).analyze(t).Tables
	if d := tables[0].Decimals; d["wait"] != 3 || d["loss"] != 3 {
		t.Errorf("digits %v", d)
	}
	if d := tables[1].Decimals; len(d) != 1 || d["loss"] != 0 {
		t.Errorf("digits %v", d)
	}
	if v := tables[1].Values; v[0].Unit != "s" || v[0].Shown.Name != "min" || v[0].Shown.Size != 60 ||
		v[1].Shown.Name != "" {
		t.Errorf("units %+v", v)
	}
	if all, one := tables[0].Rows[0].Cells[0].Ours, tables[1].Rows[0].Cells[0].Ours; all != one {
		t.Errorf("%v is shown as %v", all, one)
	}
	for table, want := range map[string]string{
		"of: solo, show: wait, rows: policy, units: {wait: m}": `"m"` + notOfSeconds,
		"of: solo, show: wait, rows: policy, against: {policy: a}, as: percent, units: {wait: min}": "the numbers are " +
			"compared as percent",
	} {
		study := readStudy(t, head+"tables: {t: {"+table+"}}\n", nil)
		_, err := sweeps.Expand(t.Context(), study, toyModel(nil), sweeps.Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngot %v\nwant %s", table, err, want)
		}
	}
}

// A unit of another quantity than the numbers, and limits of an unknown panel, are errors.
func TestUnitsThatDoNotFit(t *testing.T) {
	figures := map[string]string{
		"of: rate, show: wait, kind: line, x: lambda, series: policy, units: {y: kB}":   `"kB"` + notOfSeconds,
		"of: rate, show: wait, kind: line, x: lambda, series: policy, units: {y: hour}": `"hour"` + notOfSeconds,
		"of: rate, show: wait, kind: line, x: lambda, series: policy, " +
			"units: {x: 1/week}": `"1/week" does not measure what is in 1/min; known are 1/s, 1/min, 1/h`,
		"of: rate, show: loss, kind: line, x: lambda, series: policy, units: {y: h}": "the numbers are in %, which " +
			"can be shown in no other unit",
		"of: rate, show: odd, kind: line, x: lambda, series: policy, units: {y: h}": "the numbers have no unit, so " +
			"they cannot be shown in another one",
		"of: solo, show: wait, kind: line, x: policy, units: {x: h}": "the numbers have no unit",
		"of: solo, show: wait, kind: line, x: policy, against: {policy: a}, as: ratio, units: {y: h}": "the numbers are " +
			"compared as ratio, " +
			"which has no unit; it goes with numbers as they are and with differences",
		"of: rate, show: wait, kind: line, x: lambda, panels: policy, " +
			"range: {y: {d: [0, 1]}}": `policy of experiment rate has no level "d"; known are a, b, c`,
		"of: rate, show: [wait, odd], kind: line, x: lambda, series: policy, panels: metric, " +
			"range: {y: {loss: [0, 1]}}": `"loss" is not shown; known are wait, odd`,
	}
	for figure, want := range figures {
		study := readStudy(t, head+"figures: {f: {"+figure+"}}\n", nil)
		_, err := sweeps.Expand(t.Context(), study, toyModel(nil), sweeps.Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngot %v\nwant %s", figure, err, want)
		}
	}
}
