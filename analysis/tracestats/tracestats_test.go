// The description of a trace of three jobs: its rows, tables and figures against values counted by
// hand.

package tracestats

import (
	"math"
	"slices"
	"testing"

	"gridsweep/configs/language"
	"gridsweep/model/trace"
)

// The trace has three jobs of 2 processors on 8, of which 900 processor seconds make the load.
func TestDescription(t *testing.T) {
	job := func(submit, run int64, procs int32) trace.Job {
		return trace.Job{Submit: submit, Run: run, Procs: procs, ReqProcs: -1, ReqTime: -1, User: 1, Queue: -1, Status: 1}
	}
	jobs := []trace.Job{job(0, 100, 2), job(3600, 50, 2), job(7200, 300, 2)}
	d := Describe("logs/mine.swf", "abc", "--procs", trace.SWF, &trace.Header{}, jobs, 8)
	if d.Jobs != 3 || d.Span != 7200 || d.Format != trace.SWF.String() ||
		d.Load == nil || math.Abs(*d.Load-900.0/(8*7200)) > 1e-12 {
		t.Errorf("%+v", d)
	}
	rows := d.Rows()
	for _, want := range [][]string{
		{"about", "statistic", "value"}, {"trace", "jobs", "3"}, {"trace", "users", "1"},
		{"size", "max", "2"}, {"status", "1", "3"},
	} {
		if !slices.ContainsFunc(rows, func(row []string) bool { return slices.Equal(row, want) }) {
			t.Errorf("%v is not among %v", want, rows)
		}
	}
	if len(d.Quantiles()) != 3 {
		t.Errorf("%d distributions, without requested times", len(d.Quantiles()))
	}
	tables := d.Tables()
	if len(tables) != 3 || tables[0].Title != "logs/mine.swf" || len(tables[2].Rows) != 24 {
		t.Fatalf("%+v", tables)
	}
	isListed := func(row []any) bool { return slices.Equal(row, []any{"on 2, 4, 8, ... processors", "3, 100.0 %"}) }
	if !slices.ContainsFunc(tables[0].Rows, isListed) {
		t.Errorf("the facts are %v", tables[0].Rows)
	}
	figures := d.Figures(jobs)
	if len(figures) != 3 || len(figures[0].Panels[0].Series[0].Points) != 24 {
		t.Fatalf("%+v", figures)
	}
	if figures[0].Kind != language.Bar || figures[2].Kind != language.Line {
		t.Errorf("kinds are %v and %v", figures[0].Kind, figures[2].Kind)
	}
	// The share rises by a third at each run time.
	var steps [][2]float64
	for _, p := range figures[2].Panels[0].Series[0].Points {
		steps = append(steps, [2]float64{p.X, math.Round(p.Y.Value)})
	}
	want := [][2]float64{{50, 0}, {50, 33}, {100, 33}, {100, 67}, {300, 67}, {300, 100}}
	if !slices.Equal(steps, want) {
		t.Errorf("the steps are %v, want %v", steps, want)
	}
}
