// Tests of the names in a study: the entry that each is bound to, and the position and text of the
// error for unknown ones.

package study

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gridsweep/configs"
	"gridsweep/model"
)

type toyPoint struct {
	Lambda float64       `name:"lambda" symbol:"λ" unit:"1/min" doc:"arrival rate"`
	Policy string        `name:"policy" range:"a|b|c|d" doc:"policy"`
	Gap    model.Seconds `name:"gap" doc:"time between updates"`
	Mode   string        `name:"mode" doc:"an assumption"`
}

type toyOutcome struct {
	Loss  float64        `name:"loss" unit:"%" symbol:"B" doc:"share of jobs lost"`
	Wait  float64        `name:"wait" unit:"s" doc:"mean wait"`
	Place float64        `name:"place" range:"[0,1]" doc:"place on the axis"`
	Sites []toySite      `table:"sites" doc:"one row for each site"`
	Plan  []toyRectangle `table:"plan" doc:"rectangles"`
}

type toySite struct {
	Site string  `name:"site" key:"" doc:"site"`
	Load float64 `name:"load" doc:"load of the site"`
}

type toyRectangle struct {
	Shows     string        `name:"kind" key:"" doc:"offered, chosen or task"`
	Start     model.Seconds `name:"start" doc:"start"`
	End       *float64      `name:"end" unit:"s" doc:"end"`
	Processor int64         `name:"processor" doc:"lowest processor"`
	Procs     int64         `name:"procs" doc:"processors"`
	Share     float64       `name:"share" unit:"%" doc:"share of them"`
}

func toyModel() *model.Model {
	return model.New(model.Spec[toyPoint, toyOutcome]{
		Name: "toy", Title: "toy", Version: 1,
		Defaults: toyPoint{Lambda: 0.1, Policy: "a", Gap: 60, Mode: "plain"},
		Validate: func(toyPoint) []model.Problem { return nil },
		Cost:     func(toyPoint) float64 { return 1 },
		Simulate: func(context.Context, toyPoint, model.Env) (toyOutcome, error) { return toyOutcome{}, nil },
	})
}

// head is the beginning of a study file that the tests share.
const head = `
study: a-study-of-tests
model: toy
factors:
  lambda: [0.1, 0.2, 0.3]
  policy: [a, b, c]
  gap: [15min, 1h, 2h]
  mode: [plain, odd]
experiments:
  rate: {cross: [lambda, policy], rounds: 4}
  gaps: {cross: [gap], rounds: 4}
  solo: {cross: [policy], rounds: 4}
  again: {repeat: [rate, solo], under: mode, rounds: 4}
`

func readStudy(t *testing.T, text string, published map[string]string) *configs.Study {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "published"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range published {
		if err := os.WriteFile(filepath.Join(dir, "published", name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "toy.yaml")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	study, err := configs.Read(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	return study
}

// TestNames checks the problem of each unknown name, with its position.
func TestNames(t *testing.T) {
	cases := []struct{ entry, want string }{
		{"figures: {x: {of: solo, show: wiat, kind: bar, x: policy}}", `table runs has no column "wiat"; did you mean wait?`},
		{"figures: {x: {of: solo, from: site, show: load, kind: bar, x: policy}}",
			`model toy has no table "site"; did you mean sites?`},
		{"figures: {x: {of: solo, show: policy, kind: bar, x: policy}}",
			"column policy of table runs is text; a number is wanted"},
		{"figures: {x: {of: solo, show: wait, kind: bar, x: lambda}}",
			`experiment solo has no dimension "lambda" in table runs; known are policy, metric, stat`},
		{"figures: {x: {of: rate, show: wait, kind: bar, x: lambda}}", "policy varies and is not named"},
		{"figures: {x: {of: rate, show: wait, kind: bar, x: lambda, series: polcy}}",
			`no dimension "polcy" in table runs; did you mean policy?`},
		{"figures: {x: {of: gaps, show: wait, kind: line, x: gap, at: plaice}}",
			`table runs has no column "plaice"; did you mean place?`},
		{"figures: {x: {of: solo, show: [wait, loss], kind: bar, x: policy}}", "metric varies and is not named"},
		{"figures: {x: {of: solo, show: [wait, loss], right: loss, stat: [mean, sd], kind: line, x: policy}}",
			"stat varies and is not named"},
		{"figures: {x: {of: solo, show: wait, stat: [mean, sd], kind: bar, x: policy}}", "stat varies and is not named"},
		{"figures: {x: {of: solo, from: sites, show: load, kind: bar, x: policy}}", "site varies and is not named"},
		{"figures: {x: {of: solo, from: sites, show: load, kind: points, x: site, series: policy}}",
			"column site of table sites is text"},
		{ganttOf("where: {policy: a}, end: ends, height: procs"), `table plan has no column "ends"; did you mean end?`},
		{ganttOf("where: {policy: a}, end: end, height: kind"), "column kind of table plan is text; a number is wanted"},
		{ganttOf("where: {policy: a}, end: procs, height: procs"), `procs is in "" and start in "s"; they stand on one axis`},
		{ganttOf("where: {policy: a}, end: end, height: share"),
			`share is in "%" and processor in ""; they stand on one axis`},
		{ganttOf("where: {policy: a, stat: mean}, end: end, height: procs"), `no dimension "stat" in table plan`},
		{ganttOf("end: end, height: procs"), "policy varies and is not named"},
		{ganttOf("where: {policy: a}, end: end, height: procs, series: procs"), `no dimension "procs" in table plan`},
		{strings.Replace(ganttOf("where: {policy: a}, end: end, height: procs"), "start", "kind", 1),
			"column kind of table plan is text; a number is wanted"},
		{"figures: {x: {of: solo, from: runs, show: loss, kind: gantt, x: wait, end: wait, height: loss, where: {policy: " +
			"a}, round: 0}}",
			"table runs has one row for each run; the rectangles are rows of a long table"},
		{"figures: {x: {of: solo, show: wait, kind: bar, x: policy, round: 4}}",
			"experiment solo has replications 0 to 3, not 4"},
		{"figures: {x: {of: solo, show: loss, kind: bar, x: policy, published: x.csv}}", "no table shows x.csv"},
		{"tables: {x: {of: rate, show: loss, rows: lambda, columns: policy, published: x.csv}}",
			"the file does not say which lambda its numbers are of"},
		{"tables: {x: {of: gaps, show: loss, rows: gap, columns: metric, published: x.csv}}",
			`experiment gaps has no dimension "policy"`},
		{"tables: {w: {of: solo, show: loss, rows: policy, columns: metric, published: x.csv}, " +
			"x: {of: solo, show: loss, rows: policy, columns: metric, published: x.csv, mean_of: 50}}",
			"the numbers of x.csv are means of 50 here and of 1 in a table before"},
		{"tables: {x: {of: solo, show: wait, rows: policy, columns: metric, published: x.csv}}",
			`metric "loss" is not shown`},
		{"claims: {x: {of: rate, show: loss, along: policy, order: [a, b]}}", "lambda varies and is not named"},
		{"claims: {x: {of: rate, show: loss, where: {site: x}, for: lambda, along: policy, order: [a, b]}}",
			`has no dimension "site"`},
		{"claims: {x: {of: rate, show: loss, where: {lambda: 0.1}, against: {policy: a}, above: 1}}",
			"policy varies and is not named"},
	}
	m := toyModel()
	for _, c := range cases {
		file := readStudy(t, head+c.entry+"\n",
			map[string]string{"x.csv": "policy,metric,value,page\na,loss,3,1\nb,loss,4,1\n"})
		_, problems := Bind(t.Context(), file, m, Overrides{})
		if !strings.Contains(problems.Error(), c.want) {
			t.Errorf("%s:\n%v\nwant %s", c.entry, problems, c.want)
		}
		if len(problems) > 0 && (problems[0].Pos.Line == 0 || problems[0].Key == "") {
			t.Errorf("%s: no position: %+v", c.entry, problems[0])
		}
	}
}

// ganttOf returns a figure of the table plan with further keys.
func ganttOf(more string) string {
	return "figures: {x: {of: solo, from: plan, show: processor, kind: gantt, x: start, round: 0, " + more + "}}"
}

func TestNamesReportsAll(t *testing.T) {
	file := readStudy(t, head+`
tables: {x: {of: rate, show: lost, rows: lambda, columns: policy}}
figures: {x: {of: rate, show: wait, kind: bar, x: lambda, panels: size, where: {policy: a}}}
claims: {x: {of: solo, show: loss, along: polic, order: [a, b]}}
`, nil)
	_, problems := Bind(t.Context(), file, toyModel(), Overrides{})
	var keys []string
	for _, p := range problems {
		keys = append(keys, p.Key)
	}
	// the missing policy follows from the misspelt polic
	if fmt.Sprint(keys) != "[tables.x.show figures.x claims.x]" {
		t.Error(keys)
	}
}

func TestKnownNames(t *testing.T) {
	good := `
tables: {x: {of: solo, show: loss, rows: policy, columns: metric, published: x.csv}}
figures:
  x: {of: rate, show: loss, kind: line, x: lambda, where: {policy: b}, against: {policy: a}}
  y: {of: rate, show: [loss, wait], right: wait, kind: line, x: lambda, series: policy}
claims: {x: {of: rate, show: loss, where: {policy: [a, b]}, against: {policy: a}, for: lambda, above: 0}}
`
	file := readStudy(t, head+good, map[string]string{"x.csv": "policy,metric,value,page\na,loss,3,1\n"})
	if _, problems := Bind(t.Context(), file, toyModel(), Overrides{}); len(problems) > 0 {
		t.Error(problems)
	}
}

// TestBound checks the entries that the names of a study are bound to.
func TestBound(t *testing.T) {
	file := readStudy(t, head+`
tables:
  x: {of: rate, from: sites, show: load, rows: [site, policy], where: {lambda: 0.20}, against: {policy: a}, as: ratio}
claims: {x: {of: rate, show: loss, for: lambda, along: policy, order: [a, rest]}}
`, nil)
	bound, problems := Bind(t.Context(), file, toyModel(), Overrides{Levels: []configs.Selection{{
		Dimension: configs.Text{Value: "lambda"}, Labels: []configs.Text{{Value: "0.2"}, {Value: "0.4"}},
	}}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	rate, again := bound.Experiments[0], bound.Experiments[3]
	if again.Name != "again/rate" || again.Repeats != rate || again.Crossed[0].Name != "mode" {
		t.Errorf("%s runs %v again", again.Name, again.Repeats)
	}
	if got := Texts([]Label{rate.Crossed[0].Levels[0].Label,
		rate.Crossed[0].Levels[1].Label}); fmt.Sprint(got) != "[0.2 0.4]" {
		t.Errorf("levels %v", got)
	}
	b := bound.Tables[0].Blocks[0]
	if b.Experiment != rate || fmt.Sprint(b.names()) != "[lambda policy site metric stat]" ||
		fmt.Sprint(b.Rows) != "[2 1]" ||
		b.Shown[0].Name != "load" || b.As != "ratio" {
		t.Errorf("table %+v", b)
	}
	for _, c := range []struct {
		dim   int
		label string
		want  bool
	}{{0, "2e-1", true}, {0, "0.4", false}, {1, "a", true}, {1, "c", true}, {2, "anything", true}} {
		if got := b.Takes(c.dim, NewLabel(c.label)); got != c.want {
			t.Errorf("the table takes %s along %s: %t", c.label, b.Dims[c.dim].Name, got)
		}
	}
	claim := bound.Claims[0]
	if first := claim.Assertions[0]; fmt.Sprint(first.LaidOut()) != "[0 1]" {
		t.Errorf("claim laid out along %v", first.LaidOut())
	}
	if len(claim.Repetitions) != 1 || claim.Repetitions[0].Assertions[0].Experiment != again ||
		fmt.Sprint(claim.Repetitions[0].Assertions[0].LaidOut()) != "[1 2]" {
		t.Errorf("assumptions %+v", claim.Repetitions)
	}
}

// TestOverriddenLevelsAreShown checks that levels on the command line which a table, figure or
// claim cannot show are a problem.
func TestOverriddenLevelsAreShown(t *testing.T) {
	file := readStudy(t, strings.Replace(head, "policy: [a, b, c]", "policy: a", 1)+
		"figures: {x: {of: rate, show: wait, kind: bar, x: lambda}}\n", nil)
	_, problems := Bind(t.Context(), file, toyModel(), Overrides{Levels: []configs.Selection{{
		Dimension: configs.Text{Value: "policy", Pos: configs.Pos{File: "--levels"}},
		Labels:    []configs.Text{{Value: "a"}, {Value: "b"}},
	}}})
	want := "--levels: policy: figures.x shows one level of policy and cannot show several"
	if !strings.HasPrefix(problems.Error(), want) {
		t.Errorf("%v\nwant %s", problems, want)
	}
}
