package analysis

import (
	"fmt"
	"strings"
	"testing"

	"gridsweep/sweeps/study"
)

func TestCheck(t *testing.T) {
	cases := []struct{ entry, want string }{
		{"figures: {x: {of: solo, show: wiat, kind: bar, x: policy}}", `table runs has no column "wiat"; did you mean wait?`},
		{"figures: {x: {of: solo, from: site, show: load, kind: bar, x: policy}}", `model toy has no table "site"; did you mean sites?`},
		{"figures: {x: {of: solo, show: policy, kind: bar, x: policy}}", "column policy of table runs is text; a number is wanted"},
		{"figures: {x: {of: solo, show: wait, kind: bar, x: lambda}}", `experiment solo has no dimension "lambda" in table runs; known are policy, metric, stat`},
		{"figures: {x: {of: rate, show: wait, kind: bar, x: lambda}}", "policy varies and is not named"},
		{"figures: {x: {of: rate, show: wait, kind: bar, x: lambda, series: polcy}}", `no dimension "polcy" in table runs; did you mean policy?`},
		{"figures: {x: {of: gaps, show: wait, kind: line, x: gap, at: plaice}}", `table runs has no column "plaice"; did you mean place?`},
		{"figures: {x: {of: solo, show: [wait, loss], kind: bar, x: policy}}", "metric varies and is not named"},
		{"figures: {x: {of: solo, show: [wait, loss], right: loss, stat: [mean, sd], kind: line, x: policy}}", "stat varies and is not named"},
		{"figures: {x: {of: solo, show: wait, stat: [mean, sd], kind: bar, x: policy}}", "stat varies and is not named"},
		{"figures: {x: {of: solo, from: sites, show: load, kind: bar, x: policy}}", "site varies and is not named"},
		{"figures: {x: {of: solo, from: sites, show: load, kind: points, x: site, series: policy}}", "column site of table sites is text"},
		{ganttOf("where: {policy: a}, end: ends, height: procs"), `table plan has no column "ends"; did you mean end?`},
		{ganttOf("where: {policy: a}, end: end, height: kind"), "column kind of table plan is text; a number is wanted"},
		{ganttOf("where: {policy: a}, end: procs, height: procs"), `procs is in "" and start in "s"; they stand on one axis`},
		{ganttOf("where: {policy: a}, end: end, height: share"), `share is in "%" and processor in ""; they stand on one axis`},
		{ganttOf("where: {policy: a, stat: mean}, end: end, height: procs"), `no dimension "stat" in table plan`},
		{ganttOf("end: end, height: procs"), "policy varies and is not named"},
		{ganttOf("where: {policy: a}, end: end, height: procs, series: procs"), `no dimension "procs" in table plan`},
		{strings.Replace(ganttOf("where: {policy: a}, end: end, height: procs"), "start", "kind", 1), "column kind of table plan is text; a number is wanted"},
		{"figures: {x: {of: solo, from: runs, show: loss, kind: gantt, x: wait, end: wait, height: loss, where: {policy: a}, round: 0}}",
			"table runs has one row for each run; the rectangles are rows of a long table"},
		{"figures: {x: {of: solo, show: wait, kind: bar, x: policy, round: 4}}", "experiment solo has rounds 0 to 3, not 4"},
		{"figures: {x: {of: solo, show: loss, kind: bar, x: policy, published: x.csv}}", "no table shows x.csv"},
		{"tables: {x: {of: rate, show: loss, rows: lambda, columns: policy, published: x.csv}}", "the file does not say which lambda its numbers are of"},
		{"tables: {x: {of: gaps, show: loss, rows: gap, columns: metric, published: x.csv}}", `experiment gaps has no dimension "policy"`},
		{"tables: {w: {of: solo, show: loss, rows: policy, columns: metric, published: x.csv}, " +
			"x: {of: solo, show: loss, rows: policy, columns: metric, published: x.csv, mean_of: 50}}",
			"the numbers of x.csv are means of 50 here and of 1 in a table before"},
		{"tables: {x: {of: solo, show: wait, rows: policy, columns: metric, published: x.csv}}", `metric "loss" is not shown`},
		{"claims: {x: {of: rate, show: loss, along: policy, order: [a, b]}}", "lambda varies and is not named"},
		{"claims: {x: {of: rate, show: loss, where: {site: x}, for: lambda, along: policy, order: [a, b]}}", `has no dimension "site"`},
		{"claims: {x: {of: rate, show: loss, where: {lambda: 0.1}, against: {policy: a}, above: 1}}", "policy varies and is not named"},
	}
	m := toyModel(linear)
	for _, c := range cases {
		file := readStudy(t, head+c.entry+"\n", map[string]string{"x.csv": "policy,metric,value,page\na,loss,3,1\nb,loss,4,1\n"})
		_, problems := study.Bind(t.Context(), file, m, study.Overrides{})
		if !strings.Contains(problems.Error(), c.want) {
			t.Errorf("%s:\n%v\nwant %s", c.entry, problems, c.want)
		}
		if len(problems) > 0 && (problems[0].Pos.Line == 0 || problems[0].Key == "") {
			t.Errorf("%s: no place: %+v", c.entry, problems[0])
		}
	}
}

// ganttOf is a figure of the table plan with more words.
func ganttOf(more string) string {
	return "figures: {x: {of: solo, from: plan, show: processor, kind: gantt, x: start, round: 0, " + more + "}}"
}

func TestCheckReportsAll(t *testing.T) {
	file := readStudy(t, head+`
tables: {x: {of: rate, show: lost, rows: lambda, columns: policy}}
figures: {x: {of: rate, show: wait, kind: bar, x: lambda, panels: size, where: {policy: a}}}
claims: {x: {of: solo, show: loss, along: polic, order: [a, b]}}
`, nil)
	_, problems := study.Bind(t.Context(), file, toyModel(linear), study.Overrides{})
	var keys []string
	for _, p := range problems {
		keys = append(keys, p.Key)
	}
	if fmt.Sprint(keys) != "[tables.x.show figures.x claims.x]" { // that policy is not named follows from polic
		t.Error(keys)
	}
}

func TestCheckAcceptsWhatThereIs(t *testing.T) {
	good := `
tables: {x: {of: solo, show: loss, rows: policy, columns: metric, published: x.csv}}
figures:
  x: {of: rate, show: loss, kind: line, x: lambda, where: {policy: b}, against: {policy: a}}
  y: {of: rate, show: [loss, wait], right: wait, kind: line, x: lambda, series: policy}
claims: {x: {of: rate, show: loss, where: {policy: [a, b]}, against: {policy: a}, for: lambda, above: 0}}
`
	file := readStudy(t, head+good, map[string]string{"x.csv": "policy,metric,value,page\na,loss,3,1\n"})
	if _, problems := study.Bind(t.Context(), file, toyModel(linear), study.Overrides{}); len(problems) > 0 {
		t.Error(problems)
	}
}
