// The numbers of figures as JSON.

package draw

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/analysis"
	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
	"gridsweep/sweeps/study"
)

func TestWriteNumbers(t *testing.T) {
	nan := math.NaN()
	wait := analysis.Axis{Name: "wait", Title: "W: wait: of a job (Equation 1)", Symbol: "W", Unit: "s",
		Shown: study.Unit{Name: "min", Size: 60}}
	figures := []analysis.Figure{
		{
			Name: "4-1", Kind: language.Line, X: analysis.Axis{Name: "load"}, Y: wait, LogY: true, Whiskers: language.Deviation,
			RangeY: &[2]float64{0, 9},
			Panels: []analysis.Panel{{Y: wait, Series: []analysis.Series{{
				Label: "easy",
				Points: []analysis.Point{
					{X: 0.5, Y: statistics.Estimate{Value: 1, Low: 0.5, High: 1.5, N: 3, SD: 0.2}},
					{X: 0.6, Label: "0.6", Y: statistics.Estimate{Value: nan, Low: nan, High: math.Inf(1), SD: nan}},
				},
				Published: []analysis.Point{{X: 0.5, Y: statistics.Point(1.25)}},
			}}}},
		},
		{
			Name: "4-2", Kind: language.Gantt, X: wait, Y: analysis.Axis{Name: "procs"},
			Panels: []analysis.Panel{{Label: "a", Series: []analysis.Series{{
				Points: []analysis.Point{{X: 1, Y: statistics.Point(2), Width: 3, Height: 4}},
			}}}},
		},
	}
	const axis = `{"name":"wait","title":"W: wait","symbol":"W","unit":"s","shown_unit":"min","shown_unit_size":60}`
	const want = `{"figures": [
{"name":"4-1","title":"","kind":"line","caption":"","x":{"name":"load","title":"load"},"y":` + axis +
		`,"log_y":true,"whiskers":"sd","panels":[{"label":"","y":` + axis + `,"range_y":[0,9],"series":[{"label":"easy",` +
		`"x":[0.5,0.6],"labels":["","0.6"],"value":[1,null],"low":[0.5,null],"high":[1.5,null],"n":[3,0],"sd":[0.2,null],` +
		`"published":{"x":[0.5],"value":[1.25]}}]}]},
{"name":"4-2","title":"","kind":"gantt","caption":"","x":` + axis + `,"y":{"name":"procs","title":"procs"},` +
		`"whiskers":"interval","panels":[{"label":"a","y":{"name":"","title":""},"series":[{"label":"","x":[1],` +
		`"value":[2],"width":[3],"height":[4]}]}]}
]}
`
	for _, c := range []struct {
		figures []analysis.Figure
		want    string
	}{{figures, want}, {nil, "{\"figures\": []}\n"}} {
		var text bytes.Buffer
		if err := WriteNumbers(&text, c.figures); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, text.String()); diff != "" {
			t.Error(diff)
		}
		if !json.Valid(text.Bytes()) {
			t.Errorf("no JSON: %s", text.String())
		}
	}
}
