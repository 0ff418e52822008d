// Tables of scripted toy outcomes with known means: all forms of queries, blocks, timings,
// agreement with published numbers, and the denominators of the tables of the thesis.

package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gridsweep/configs"
	"gridsweep/results"
	"gridsweep/sweeps/study"
)

// values returns the numbers of a table, NaN for a missing cell.
func values(t *testing.T, table Table) [][]float64 {
	t.Helper()
	var rows [][]float64
	for _, row := range table.Rows {
		var values []float64
		for _, cell := range row.Cells {
			if cell == nil {
				values = append(values, math.NaN())
				continue
			}
			values = append(values, math.Round(cell.Ours.Value*1e6)/1e6)
		}
		rows = append(rows, values)
	}
	return rows
}

// steps gives wait = 10·lambda·(1, 2, 4 by policy)·(replication + 1): means over 4 replications
// have the factor 2.5.
func steps(p toyPoint, replication int) *toyOutcome {
	factor := map[string]float64{"a": 1, "b": 2, "c": 4}[p.Policy]
	return &toyOutcome{
		Wait: 10 * p.Lambda * factor * float64(replication+1), Loss: factor * float64(replication),
		Place: float64(p.Gap) / 60,
		Sites: []toySite{{"x", factor}, {"y", 10 * factor}, {"z", 100 * float64(replication)}},
	}
}

func TestTableOfQueries(t *testing.T) {
	cases := []struct {
		name, query string
		heads       string
		columns     string
		rows        string
		want        [][]float64
	}{
		{"mean", "{of: rate, show: wait, rows: lambda, columns: policy}", "lambda policy", "[[a] [b] [c]]",
			"[0.1] [0.2] [0.3]",
			[][]float64{{2.5, 5, 10}, {5, 10, 20}, {7.5, 15, 30}}},
		{"order of where", "{of: rate, show: wait, rows: policy, columns: lambda, where: {policy: [c, a], lambda: [0.30, " +
			"0.1]}}",
			"policy lambda", "[[0.3] [0.1]]", "[c] [a]", [][]float64{{30, 10}, {7.5, 2.5}}},
		{"difference", "{of: rate, show: wait, rows: lambda, columns: policy, against: {policy: a}}", "lambda policy",
			"[[b] [c]]",
			"[0.1] [0.2] [0.3]", [][]float64{{2.5, 7.5}, {5, 15}, {7.5, 22.5}}},
		{"percent", "{of: rate, show: wait, rows: lambda, columns: policy, against: {policy: b}, as: percent}",
			"lambda policy",
			"[[a] [c]]", "[0.1] [0.2] [0.3]", [][]float64{{-50, 100}, {-50, 100}, {-50, 100}}},
		{"one level against another",
			"{of: rate, show: wait, rows: policy, columns: metric, where: {lambda: 0.3}, against: {lambda: 0.1}, as: ratio}",
			"policy metric", "[[wait]]", "[a] [b] [c]", [][]float64{{3}, {3}, {3}}},
		{"two at once", "{of: rate, show: wait, rows: policy, columns: lambda, where: {policy: c, lambda: 0.3}, against: " +
			"{policy: a, lambda: 0.1}}",
			"policy lambda", "[[0.3]]", "[c]", [][]float64{{27.5}}},
		{"worst", "{of: rate, show: wait, rows: lambda, columns: policy, against: worst, as: ratio}", "lambda policy",
			"[[a] [b] [c]]",
			"[0.1] [0.2] [0.3]", [][]float64{{2.5 / 30, 5.0 / 30, 10.0 / 30}, {5.0 / 30, 10.0 / 30, 20.0 / 30}, {0.25, 0.5, 1}}},
		{"over", "{of: rate, show: wait, rows: policy, over: lambda, columns: metric}", "policy metric", "[[wait]]",
			"[a] [b] [c]",
			[][]float64{{5}, {10}, {20}}},
		{"statistics", "{of: rate, show: wait, rows: policy, where: {lambda: 0.1}, stat: [median, min, max, sd, trimmed], " +
			"columns: stat}",
			"policy stat", "[[median] [min] [max] [sd] [trimmed]]", "[a] [b] [c]",
			[][]float64{{2.5, 1, 4, 1.290994, 2.5}, {5, 2, 8, 2.581989, 5}, {10, 4, 16, 5.163978, 10}}},
		{"two columns", "{of: rate, show: [wait, loss], rows: policy, where: {lambda: 0.1}, columns: metric}",
			"policy metric",
			"[[wait] [loss]]", "[a] [b] [c]", [][]float64{{2.5, 1.5}, {5, 3}, {10, 6}}},
		{"keys", "{of: rate, from: sites, show: load, rows: [policy, site], where: {lambda: 0.1, policy: [a, b]}, columns: " +
			"metric}",
			"policy site metric", "[[load]]", "[a x] [a y] [a z] [b x] [b y] [b z]", [][]float64{{1}, {10}, {150}, {2}, {20},
				{150}}},
		{"columns in rows", "{of: solo, from: sites, show: load, rows: [metric, site], columns: policy, stat: trimmed, " +
			"against: {policy: a}}",
			"metric site policy", "[[b] [c]]", "[load x] [load y] [load z]", [][]float64{{1, 3}, {10, 30}, {0, 0}}},
		{"timings", "{of: rate, from: timings, show: [seconds, per_item], rows: section, columns: metric, where: {lambda: " +
			"0.1, policy: a}}",
			"section metric", "[[seconds] [per_item]]", "[run] [request]", [][]float64{{3.5, 3.5}, {1, 0.520833}}},
	}
	var file strings.Builder
	file.WriteString("tables:\n")
	for _, c := range cases {
		fmt.Fprintf(&file, "  %s: %s\n", c.name, c.query)
	}
	result := run(t, file.String(), steps, nil).analyze(t)
	for i, c := range cases {
		table := result.Tables[i]
		heads := strings.Join(slices.Concat(table.RowDimensions, table.ColumnDimensions), " ")
		if heads != c.heads {
			t.Errorf("%s: heads %q, want %q", c.name, heads, c.heads)
		}
		var labels []string
		for _, row := range table.Rows {
			labels = append(labels, fmt.Sprint(row.Labels))
		}
		if fmt.Sprint(table.Columns) != c.columns || strings.Join(labels, " ") != c.rows {
			t.Errorf("%s: columns %v, rows %v", c.name, table.Columns, labels)
		}
		want := c.want
		for _, row := range want {
			for k := range row {
				row[k] = math.Round(row[k]*1e6) / 1e6
			}
		}
		if have := values(t, table); fmt.Sprint(have) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", c.name, have, want)
		}
	}
}

// Levels of a key come in the order of the rows if they are names, by value if they are numbers.
func TestOrderOfKeys(t *testing.T) {
	for _, sites := range [][]toySite{{{"west", 1}, {"all", 3}, {"east", 2}}, {{"5", 1}, {"10", 3}, {"9.5", 2}}} {
		more := "tables: {x: {of: solo, from: sites, show: load, rows: policy, columns: site}}\n"
		table := run(t, more, func(toyPoint, int) *toyOutcome { return &toyOutcome{Sites: sites} }, nil).analyze(t).Tables[0]
		want := "[[west] [all] [east]]"
		if sites[0].Site == "5" {
			want = "[[5] [9.5] [10]]"
		}
		if have := fmt.Sprint(table.Columns); have != want {
			t.Errorf("columns %s, want %s", have, want)
		}
	}
}

// Differences are paired by replication: a disturbance that the policies share does not widen the
// interval.
func TestDifferencesArePaired(t *testing.T) {
	more := `
tables:
  alone: {of: rate, show: loss, rows: policy, columns: lambda, where: {lambda: 0.1}}
  paired: {of: rate, show: loss, rows: policy, columns: lambda, where: {lambda: 0.1}, against: {policy: a}}
  percent: {of: rate, show: loss, rows: policy, columns: lambda, where: {lambda: 0.1},
    against: {policy: a}, as: percent}
`
	tables := run(t, more, linear, nil).analyze(t).Tables
	width := func(i, row int) float64 {
		e := tables[i].Rows[row].Cells[0].Ours
		return e.High - e.Low
	}
	if width(0, 1) < 5 || width(1, 0) > 0.2 || width(1, 0) <= 0 {
		t.Errorf("width of a mean %v, of a difference %v", width(0, 1), width(1, 0))
	}
	c := tables[2].Rows[1].Cells[0].Ours // c against a: 100·3/10
	if math.Abs(c.Value-30) > 0.01 || c.Low >= c.Value || c.High <= c.Value {
		t.Errorf("percentage %v", c)
	}
	if unit := tables[1].Values[0].Unit; unit != "points" {
		t.Errorf("differences of percentages are in %q", unit)
	}
}

// A failed run leaves its replication out of the numbers that need it, and tables that use it warn.
func TestFailedRunLeavesItsReplicationOut(t *testing.T) {
	more := `
tables:
  x: {of: rate, show: wait, rows: policy, columns: lambda, against: {policy: a}}
  y: {of: rate, show: wait, rows: policy, columns: lambda, where: {lambda: 0.1}}
`
	result := run(t, more, func(p toyPoint, replication int) *toyOutcome {
		if p.Policy == "a" && p.Lambda == 0.2 && replication == 3 {
			return nil
		}
		return steps(p, replication)
	}, nil).analyze(t)
	table := result.Tables[0]
	// replications 1, 2, 3 of 2·(k+1)
	if cell := table.Rows[0].Cells[1]; cell.Ours.N != 3 || cell.Ours.Value != 4 {
		t.Errorf("b at 0.2: %+v", cell.Ours)
	}
	if cell := table.Rows[0].Cells[0]; cell.Ours.N != 4 {
		t.Errorf("b at 0.1: %+v", cell.Ours)
	}
	const want = "1 of 36 runs is missing: lambda=0.2, policy=a, replication 3"
	if !slices.Equal(table.Warnings, []string{want}) {
		t.Errorf("warnings %q", table.Warnings)
	}
	if warnings := result.Tables[1].Warnings; len(warnings) > 0 {
		t.Errorf("a table that does not use the run warns of it: %q", warnings)
	}
}

func TestUndefinedMetric(t *testing.T) {
	result := run(t, "tables: {x: {of: solo, show: odd, rows: policy, columns: metric}}\n", func(p toyPoint,
		replication int) *toyOutcome {
		o := &toyOutcome{}
		if value := float64(replication); p.Policy == "a" || p.Policy == "b" && replication > 1 {
			o.Odd = &value
		}
		return o
	}, nil).analyze(t)
	var counts []int
	for _, row := range result.Tables[0].Rows {
		counts = append(counts, row.Cells[0].Ours.N)
	}
	if !slices.Equal(counts, []int{4, 2, 0}) || len(result.Tables[0].Warnings) > 0 {
		t.Errorf("replications with a value %v, warnings %q", counts, result.Tables[0].Warnings)
	}
}

func TestTimesOfTwoMachinesAreNotMixed(t *testing.T) {
	more := "tables: {x: {of: solo, from: timings, show: seconds, rows: policy, columns: section}}\n"
	toy := run(t, more, steps, nil)
	for i := range toy.rows {
		toy.rows[i].Timings = []results.Timing{{Machine: "there", Section: "run", Seconds: 100, Items: 1}}
		if toy.rows[i].Replication == 0 {
			again := results.Timing{Machine: "here", Section: "run", Seconds: 1.5, Items: 1}
			toy.rows[i].Timings = append(toy.rows[i].Timings, again)
		}
	}
	if err := toy.dataset.WriteBatch(toy.rows, results.Provenance{Machine: "there"}); err != nil {
		t.Fatal(err)
	}
	for machine, want := range map[string]float64{"here": (1.5 + 3 + 4 + 5) / 4, "there": 100} {
		result, err := Analyze(t.Context(), toy.plan, toy.dataset, machine, nil)
		if err != nil {
			t.Fatal(err)
		}
		table := result.Tables[0]
		run := table.Rows[0].Cells[0]
		if warned := strings.Join(table.Warnings, "; "); run.Ours.Value != want ||
			!strings.Contains(warned, "timings of 2 machines; those of "+machine) ||
			strings.Contains(warned, "spans 71 % of the median") != (machine == "here") {
			t.Errorf("on %s: %v, warnings %q", machine, run.Ours, table.Warnings)
		}
	}
}

// An experiment that measures times uses those of measured runs only, even if others are smaller.
func TestMeasuredTimes(t *testing.T) {
	more := "tables: {x: {of: solo, from: timings, show: seconds, rows: policy, columns: section}}\n"
	toy := run(t, more, steps, nil)
	solo := toy.experiment(t, "solo")
	solo.Bound.Measure = true
	for i := range toy.rows {
		toy.rows[i].Timings = []results.Timing{
			{Machine: "here", Section: "run", Seconds: 0.001, Items: 1},
			{Machine: "here", Measured: true, Section: "run", Seconds: 7, Items: 1},
		}
	}
	if err := toy.dataset.WriteBatch(toy.rows, results.Provenance{Machine: "here"}); err != nil {
		t.Fatal(err)
	}
	table := toy.analyze(t).Tables[0]
	if run := table.Rows[0].Cells[0]; run.Ours.Value != 7 {
		t.Errorf("%v s, but only the 7 s were measured", run.Ours)
	}
	solo.Bound.Measure = false
	table = toy.analyze(t).Tables[0]
	if run := table.Rows[0].Cells[0]; run.Ours.Value != 0.001 {
		t.Errorf("%v s, but the least time is 0.001 s", run.Ours)
	}
}

func TestBlocks(t *testing.T) {
	more := `
tables:
  x:
    columns: metric
    show: [wait, loss]
    published: x.csv
    blocks:
      - {of: rate, rows: [lambda, policy], where: {lambda: 0.1}}
      - {of: rate, over: [lambda, policy], stat: {wait: max}, label: Overall}
      - {of: solo, rows: policy}
`
	published := map[string]string{"x.csv": "lambda,policy,metric,value,page\n0.10,a,wait,2,7\n0.1,b,loss,3.5,7\n"}
	table := run(t, more, steps, published).analyze(t).Tables[0]
	want := "[[2.5 1.5] [5 3] [10 6] [30 3.5] [2.5 1.5] [5 3] [10 6]]"
	if have := fmt.Sprint(values(t, table)); have != want {
		t.Errorf("have %v, want %v", have, want)
	}
	if labels := fmt.Sprint(table.Rows[3].Labels, table.Rows[4].Labels); labels != "[Overall ] [a ]" {
		t.Errorf("labels %s", labels)
	}
	if cell := table.Rows[0].Cells[0]; cell.Published == nil || cell.Published.Text != "2" ||
		cell.Verdict != AgreeInside {
		t.Errorf("the published number for 0.10: %+v", cell)
	}
}

func TestAgreement(t *testing.T) {
	more := "tables: {x: {of: solo, show: loss, rows: policy, columns: metric, published: x.csv}}\n"
	published := map[string]string{"x.csv": "policy,metric,value,page\na,loss,2.00,7\nb,loss,30.02,7\nc,loss,7.34,7\n"}
	losses := map[string][]float64{"a": {2, 2, 2, 2}, "b": {9, 10, 11, 10}, "c": {5, 6, 7, 6}}
	table := run(t, more, func(p toyPoint, replication int) *toyOutcome {
		return &toyOutcome{Loss: losses[p.Policy][replication]}
	}, published).analyze(t).Tables[0]
	var verdicts []Agree
	for _, row := range table.Rows {
		verdicts = append(verdicts, row.Cells[0].Verdict)
	}
	// t(.975, 3)·√(2/3)·√1.25 = 2.905: 6 ± 2.905 holds 7.34.
	if !slices.Equal(verdicts, []Agree{AgreeInside, AgreeOutside, AgreeInside}) {
		t.Errorf("verdicts %v", verdicts)
	}
	a := table.Agreement[0]
	bias := (0 + (10 - 30.02) + (6 - 7.34)) / 3
	rmse := math.Sqrt((20.02*20.02 + 1.34*1.34) / 3)
	if a.Cells != 3 || a.Inside != 2 || math.Abs(a.Bias.Value-bias) > 1e-9 || math.Abs(a.RMSE-rmse) > 1e-9 {
		t.Errorf("agreement %+v", a)
	}
	// The mean difference in each replication is bias − 2/3, bias, bias + 2/3, bias.
	if half := 3.182446 * math.Sqrt(8.0/27) / 2; math.Abs(a.Bias.High-bias-half) > 1e-5 {
		t.Errorf("interval of the bias %v, want ± %v", a.Bias, half)
	}
	if want := "shares k/N were tried with N = 1000, 2000, …, 6000: all 3 published percentages are such shares, " +
		"rounded, for N = 5000 alone"; a.Denominators != want {
		t.Errorf("denominators %q", a.Denominators)
	}
}

// Subtables with a clear bias of their own are named, the largest first: columns or rows.
func TestBiasedSubtables(t *testing.T) {
	for _, more := range []string{
		"tables: {x: {of: solo, show: loss, rows: metric, columns: policy, published: x.csv}}\n",
		"tables: {x: {of: solo, show: loss, rows: policy, columns: metric, published: x.csv}}\n",
	} {
		testBiasedSubtables(t, more)
	}
}

func testBiasedSubtables(t *testing.T, more string) {
	published := map[string]string{"x.csv": "policy,metric,value,page\na,loss,3.00,7\nb,loss,30.00,7\nc,loss,6.40,7\n"}
	losses := map[string][]float64{"a": {4, 4.1, 4, 4.1}, "b": {9, 10, 11, 10}, "c": {5, 6, 7, 6}}
	a := run(t, more, func(p toyPoint, replication int) *toyOutcome {
		return &toyOutcome{Loss: losses[p.Policy][replication]}
	}, published).analyze(t).Tables[0].Agreement[0]
	var biased []string
	for _, c := range a.Biased {
		biased = append(biased, fmt.Sprintf("%s %.2f", strings.Join(c.Labels, ","), c.Bias.Value))
	}
	if want := []string{"b -20.00", "a 1.05"}; !slices.Equal(biased, want) {
		t.Errorf("have %q, want %q", biased, want)
	}
}

// Summaries count neither numbers that are 0 on both sides nor numbers of runs that an earlier cell
// shows, nor differences of numbers that earlier cells show, which they count apart and once. Other
// columns are other numbers.
func TestEvidence(t *testing.T) {
	more := `tables:
  x: {of: solo, show: loss, rows: policy, columns: metric, published: x.csv}
  y: {of: solo, show: [loss, wait], rows: policy, columns: metric, published: y.csv}
  z: {of: solo, show: loss, against: {policy: a}, rows: policy, columns: metric, published: x.csv}
  again: {of: solo, show: loss, against: {policy: a}, rows: policy, columns: metric, published: x.csv}
  zz: {of: solo, show: wait, against: {policy: a}, rows: policy, columns: metric, published: z.csv}
`
	published := map[string]string{
		"x.csv": "policy,metric,value,page\na,loss,0.00,7\nb,loss,0.00,7\nc,loss,30.02,7\n",
		"z.csv": "policy,metric,value,page\na,wait,4,9\nb,wait,5,9\nc,wait,6,9\n",
		"y.csv": "policy,metric,value,page\nb,loss,5.00,8\nc,loss,6.00,8\na,wait,4,8\nc,wait,6,8\n",
	}
	losses := map[string][]float64{"a": {0, 0, 0, 0}, "b": {0, 0, 1, 0}, "c": {5, 6, 7, 6}}
	result := run(t, more, func(p toyPoint, replication int) *toyOutcome {
		return &toyOutcome{Loss: losses[p.Policy][replication], Wait: losses[p.Policy][replication]}
	}, published).analyze(t)
	var have [][]Evidence
	for _, table := range result.Tables {
		var metrics []Evidence
		for _, a := range table.Agreement {
			metrics = append(metrics, a.Evidence)
		}
		have = append(have, metrics)
	}
	want := [][]Evidence{
		{{Cells: 2, Inside: 1, Trivial: 1}},
		{{Repeated: 2}, {Cells: 2, Inside: 1}},
		{{Computed: 2, ComputedInside: 1}},
		{{}},
		{{Cells: 1, Inside: 1, Computed: 1}},
	}
	if diff := cmp.Diff(want, have, cmpopts.IgnoreUnexported(Evidence{})); diff != "" {
		t.Error(diff)
	}
}

// Published numbers that are inputs of the study are outside if ours, rounded to the printed
// digits, differ.
func TestGivenNumbers(t *testing.T) {
	more := "tables: {x: {of: solo, show: wait, rows: policy, columns: metric, published: x.csv, given: true}}\n"
	published := map[string]string{"x.csv": "policy,metric,value,page\na,wait,12.3,7\nb,wait,12.25,7\nc,wait,7,7\n"}
	waits := map[string]float64{"a": 12.26, "b": 12.26, "c": 7}
	table := run(t, more, func(p toyPoint, replication int) *toyOutcome {
		return &toyOutcome{Wait: waits[p.Policy]}
	}, published).analyze(t).Tables[0]
	var verdicts []Agree
	for _, row := range table.Rows {
		verdicts = append(verdicts, row.Cells[0].Verdict)
		if !math.IsNaN(row.Cells[0].Prediction[0]) {
			t.Errorf("an input has a prediction interval: %v", row.Cells[0].Prediction)
		}
	}
	if !slices.Equal(verdicts, []Agree{AgreeInside, AgreeOutside, AgreeInside}) {
		t.Errorf("verdicts %v", verdicts)
	}
	if a := table.Agreement[0]; !table.Given || !a.Given || a.Cells != 3 || a.Inside != 2 {
		t.Errorf("agreement %+v", a)
	}
}

// The agreement of timings is marked as measured, that of other columns is not.
func TestMeasuredAgreement(t *testing.T) {
	more := `
tables:
  x: {of: solo, show: loss, rows: policy, columns: metric, published: x.csv}
  y: {of: solo, from: timings, show: seconds, where: {section: run}, rows: policy, columns: metric, published: y.csv}
`
	published := map[string]string{
		"x.csv": "policy,metric,value,page\na,loss,2,7\n", "y.csv": "policy,section,metric,value,page\na,run,seconds,2,7\n",
	}
	for i, table := range run(t, more, steps, published).analyze(t).Tables {
		if len(table.Agreement) != 1 || table.Agreement[0].Measured != (i == 1) {
			t.Errorf("table %s: %+v", table.Name, table.Agreement)
		}
	}
}

// A query for ratios computes them from published numbers if the file has the base, else it takes
// them as printed.
func TestPublishedNumbersAreCompared(t *testing.T) {
	more := "tables: {x: {of: rate, show: wait, where: {lambda: 0.1}, rows: policy, columns: metric, against: {policy: " +
		"a}, as: ratio, published: x.csv}}\n"
	compared := map[string]string{"x.csv": "lambda,policy,metric,value,page\n0.1,a,wait,20,7\n0.1,b,wait,45,7\n"}
	printed := map[string]string{"x.csv": "lambda,policy,metric,value,page\n0.1,b,wait,1.9,7\n"}
	for _, c := range []struct {
		file map[string]string
		want string
	}{{compared, "{2.25 2.25  }"}, {printed, "{1.9 1.9 7 }"}} {
		table := run(t, more, steps, c.file).analyze(t).Tables[0]
		p := table.Rows[0].Cells[0].Published
		if have := fmt.Sprintf("{%v %s %s %s}", p.Value, p.Text, p.Page, p.Note); have != c.want {
			t.Errorf("%v, want %v", have, c.want)
		}
	}
}

// The row of an average has the same label in the published file, and published notes are kept.
func TestPublishedAverageWithNote(t *testing.T) {
	more := `
tables:
  x:
    of: rate
    show: wait
    where: {lambda: 0.1}
    columns: metric
    published: x.csv
    blocks:
      - {rows: policy}
      - {over: policy, where: {lambda: 0.1, policy: [b, c]}, against: {policy: a}, label: all}
`
	published := map[string]string{"x.csv": "policy,metric,value,page,note\na,wait,2,7,\nall,wait,9,7,the mean is 5\n"}
	table := run(t, more, steps, published).analyze(t).Tables[0]
	var have []string
	for _, row := range table.Rows {
		if p := row.Cells[0].Published; p != nil {
			have = append(have, fmt.Sprintf("%v {%v %s %s %s}", row.Labels, p.Value, p.Text, p.Page, p.Note))
		}
	}
	if want := []string{"[a] {2 2 7 }", "[all] {9 9 7 the mean is 5}"}; !slices.Equal(have, want) {
		t.Errorf("published %q, want %q", have, want)
	}
}

func TestDenominatorsOfTheThesis(t *testing.T) {
	file, err := configs.Load(t.Context(), "coallocation")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"A.3.csv": "for no single N are all 40 published percentages such shares, rounded; 34 are for N = 6000 (14 of them " +
			"not for N = 5000), the other 6 for N = 5000",
		"A.5.csv": "for no single N are all 80 published percentages such shares, rounded; 65 are for N = 6000 (16 of them " +
			"not for N = 5000), the other 14 for N = 5000, and 1 only if digits were cut off, not rounded",
		"A.7.csv": "for no single N are all 32 published percentages such shares, rounded; 30 are for N = 5000, the other " +
			"2 for N = 3000 or 6000",
	}
	for _, name := range []string{"A.1", "A.2", "A.3", "A.4", "A.5", "A.6", "A.7", "A.8", "A.9", "A.10"} {
		var cells []*Cell
		for _, p := range file.Published(name + ".csv") {
			cells = append(cells, &Cell{Published: &study.PublishedNumber{Value: p.Value, Text: p.Printed, Page: p.Page}})
		}
		expected := want[name+".csv"]
		if expected == "" {
			expected = fmt.Sprintf("all %d published percentages are such shares, rounded, for N = 5000 alone", len(cells))
		}
		expected = "shares k/N were tried with N = 1000, 2000, …, 6000: " + expected
		if text, _ := denominators(Axis{Unit: "%"}, cells, mostDecimals(cells), 1); text != expected {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// If blocks of a table compare with different levels, the title of the numbers names both.
func TestBlocksCompareWithTheirOwn(t *testing.T) {
	const more = `
tables:
  x:
    show: loss
    columns: policy
    blocks:
      - {of: rate, rows: lambda, where: {lambda: [0.1, 0.2]}, against: {lambda: 0.1}}
      - {of: rate, rows: lambda, where: {lambda: [0.2, 0.3]}, against: {lambda: 0.2}}
      - {of: rate, rows: lambda, where: {lambda: [0.1, 0.2]}, against: {lambda: 0.2}}
      - {of: rate, rows: lambda, where: {lambda: [0.1, 0.3]}, against: {lambda: 0.1}}
`
	const want = "B: share of jobs lost: difference to lambda 0.1, in other rows difference to lambda 0.2"
	if values := run(t, more, linear, nil).analyze(t).Tables[0].Values; len(values) != 1 || values[0].Title != want {
		t.Errorf("%+v, want %q", values, want)
	}
}

// Prediction intervals end where the numbers of a column or of a comparison do: a ratio of positive
// numbers is not negative, a change in percent not below −100, a difference has no bounds.
func TestPredictionsWithinBounds(t *testing.T) {
	more := `
tables:
  plain: {of: solo, show: loss, rows: policy, published: plain.csv}
  ratio: {of: solo, show: loss, against: {policy: a}, as: ratio, rows: policy, published: x.csv}
  percent: {of: solo, show: loss, against: {policy: a}, as: percent, rows: policy, published: x.csv}
  difference: {of: solo, show: loss, against: {policy: a}, rows: policy, published: x.csv}
  of means: {of: solo, show: loss, against: {policy: a}, as: ratio, rows: policy, published: y.csv, mean_of: 2}
  share: {of: solo, from: sites, show: load, rows: policy, columns: site, published: share.csv}
`
	published := map[string]string{"plain.csv": "policy,metric,value,page\na,loss,1,7\n",
		"share.csv": "policy,site,metric,value,page\nb,s,load,30%,7\n",
		"x.csv":     "policy,metric,value,page\nb,loss,1,7\n", "y.csv": "policy,metric,value,page\nb,loss,1,7\n"}
	tables := run(t, more, func(p toyPoint, replication int) *toyOutcome {
		o := linear(p, replication)
		if o.Loss = 50; p.Policy != "a" || replication%2 == 0 {
			o.Loss = []float64{1, 90, 3}[replication%3]
		}
		o.Sites = []toySite{{"s", o.Loss / 100}}
		return o
	}, published).analyze(t).Tables
	for i, least := range []float64{0, 0, -100, math.Inf(-1), 0, 0} {
		for _, row := range tables[i].Rows {
			for _, cell := range row.Cells {
				if cell == nil || cell.Published == nil {
					continue
				}
				low, high := cell.Prediction[0], cell.Prediction[1]
				isBeyond := tables[i].Name == "plain" && high > 100 || tables[i].Name == "share" && high != 1
				if !(low >= least && high > low) || math.IsInf(least, -1) && low > -100 || isBeyond {
					t.Errorf("%s: the interval is %v to %v", tables[i].Name, low, high)
				}
			}
		}
	}
}
