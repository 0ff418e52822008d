// Tables as CSV, Markdown, text and LaTeX: notes, missing numbers, units and rounding against
// expected texts; random names never break a format.

package tabulate

import (
	"context"
	"encoding/csv"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gridsweep/analysis"
	"gridsweep/analysis/statistics"
	"gridsweep/sweeps/study"
)

func estimate(value, half float64) statistics.Estimate {
	return statistics.Estimate{Value: value, Low: value - half, High: value + half, N: 10, SD: half}
}

func lone(value float64) statistics.Estimate {
	return statistics.Estimate{Value: value, Low: math.NaN(), High: math.NaN(), N: 1, SD: math.NaN()}
}

// table has two dimensions across, a missing cell, cells without a published number and one without
// an interval.
func table() analysis.Table {
	cell := func(value, half float64, printed string, verdict analysis.Agree) *analysis.Cell {
		c := &analysis.Cell{Metric: "blocking", Ours: estimate(value, half), Ran: 10, Verdict: verdict}
		if printed != "" {
			published, _ := strconv.ParseFloat(printed, 64)
			c.Published = &study.PublishedNumber{Value: published, Text: printed, Page: "101"}
			c.Prediction = [2]float64{value - 3*half, value + 3*half}
		}
		return c
	}
	alone := cell(7, 0, "", analysis.AgreeNone)
	alone.Ours, alone.Ran = lone(7), 1
	return analysis.Table{
		Name: "A.2", Title: "Blocking ratio, 1C & 1D_x", Source: "A.2.csv", RowDimensions: []string{"lambda"},
		ColumnDimensions: []string{"start", "next"}, Columns: [][]string{{"1C", "1E"}, {"1C", "1F"}, {"1D", "1E"}},
		Rows: []analysis.Row{
			{Labels: []string{"0.05"}, Cells: []*analysis.Cell{cell(3.14159, 0.423, "3.5", analysis.AgreeInside), nil, alone}},
			{Labels: []string{"a|b"}, Cells: []*analysis.Cell{
				cell(-0.001, 0.4, "", analysis.AgreeNone), cell(71.5, 0.5, "80.12", analysis.AgreeOutside), cell(60, 0.6, "61",
					analysis.AgreeInside)}},
		},
		Values: []analysis.Axis{{Name: "blocking", Title: "B: blocking ratio", Unit: "%"}},
		Agreement: []analysis.Agreement{{Metric: "blocking", Cells: 3, Inside: 2, Bias: estimate(-3.25, 0.61), RMSE: 5.018,
			Denominators: "5000 in all cells"}},
		Warnings: []string{"1 replication of 10 is missing"},
	}
}

func TestCSV(t *testing.T) {
	shown := table()
	shown.Rows[1].Cells[1].Published.Note = "the mean is 72, not 80"
	records, err := csv.NewReader(strings.NewReader(CSV(shown))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"lambda", "start", "next", "metric", "unit", "ours", "low", "high", "n", "rounds", "sd",
			"published", "page", "prediction_low", "prediction_high", "verdict", "note"},
		{"0.05", "1C", "1E", "blocking", "%", "3.14159", "2.71859", "3.56459", "10", "10", "0.423", "3.5", "101", "1.87259",
			"4.41059", "inside", ""},
		{"0.05", "1D", "1E", "blocking", "%", "7", "", "", "1", "1", "", "", "", "", "", "", ""},
		{"a|b", "1C", "1E", "blocking", "%", "-0.001", "-0.401", "0.399", "10", "10", "0.4", "", "", "", "", "", ""},
		{"a|b", "1C", "1F", "blocking", "%", "71.5", "71", "72", "10", "10", "0.5", "80.12", "101", "70", "73", "outside",
			"the mean is 72, not 80"},
		{"a|b", "1D", "1E", "blocking", "%", "60", "59.4", "60.6", "10", "10", "0.6", "61", "101", "58.2", "61.8", "inside",
			""},
	}
	if diff := cmp.Diff(want, records); diff != "" {
		t.Error(diff)
	}
}

// Spreadsheets do not take a label, name or note of the CSV file for a formula; numbers stay
// numbers.
func TestCSVHasNoFormulas(t *testing.T) {
	for label, want := range map[string]string{
		"=1+2": "'=1+2", "@SUM(A1)": "'@SUM(A1)", "+x": "'+x", "-x": "'-x", "\t=1": "'\t=1", "\r@x": "'\r@x",
		"-1": "-1", "+2.5e3": "+2.5e3", "1C": "1C", "'=1": "''=1",
	} {
		shown := table()
		shown.RowDimensions[0], shown.Rows[0].Labels[0], shown.Columns[0][0] = label, label, label
		shown.Rows[0].Cells[0].Ours = estimate(-3.25, 0.5)
		shown.Rows[0].Cells[0].Published = &study.PublishedNumber{Value: -3.5, Text: "-3.50", Page: label, Note: label}
		records, err := csv.NewReader(strings.NewReader(CSV(shown))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		head, row := records[0], records[1]
		for _, field := range []string{head[0], row[0], row[1], row[12], row[16]} {
			if field != want {
				t.Errorf("label %q: %q in %q", label, field, row)
			}
		}
		for i, field := range []string{"-3.25", "-3.75", "-2.75"} {
			if row[5+i] != field {
				t.Errorf("number %s is %q in %q", field, row[5+i], row)
			}
		}
		if row[11] != "-3.50" {
			t.Errorf("the published number is %q in %q", row[11], row)
		}
	}
}

// Cells tell how many replications have a value, and distinguish no value from not run.
func TestGaps(t *testing.T) {
	whole := table()
	whole.Rows[0].Cells[0].Ran = 12
	for i, ran := range []int{0, 12} {
		cell := whole.Rows[1].Cells[1+i]
		cell.Ours, cell.Published, cell.Ran = statistics.Mean.Estimate(nil), nil, ran
	}
	for _, rendered := range []string{Text(whole), Markdown(whole), LaTeX(whole)} {
		for _, want := range []string{"0.4 in 10 of 12 replications", "not run", "no value in any of 12 replications"} {
			if !strings.Contains(strings.ReplaceAll(rendered, "$", ""), want) {
				t.Errorf("no %q in\n%s", want, rendered)
			}
		}
	}
}

// A published number with a note has a mark, and the note stands below with the labels of its cell.
func TestNotesOnPublishedNumbers(t *testing.T) {
	noted := table()
	noted.Rows[1].Cells[1].Published.Note = "the mean is 72, not 80"
	for _, c := range []struct{ rendered, mark, note string }{
		{Text(noted), "(80.12‡ ✗)", "‡ 80.12 (a|b, 1C, 1F): the mean is 72, not 80."},
		{Markdown(noted), "(80.12‡ ✗)", `‡ 80.12 (a\|b, 1C, 1F): the mean is 72, not 80.`},
		{LaTeX(noted), `\textit{80.12$^\ddagger$}$^\dagger$`,
			`$^\ddagger$ 80.12 (a\textbar{}b, 1C, 1F): the mean is 72, not 80.`},
	} {
		if strings.Count(c.rendered, c.mark) != 1 || strings.Count(c.rendered, c.note) != 1 {
			t.Errorf("want %q and %q once in\n%s", c.mark, c.note, c.rendered)
		}
	}
	if text := Text(table()); strings.Contains(text, "‡") {
		t.Errorf("a mark without a note in\n%s", text)
	}
}

func TestCSVWhereTheMetricIsADimension(t *testing.T) {
	shown := table()
	shown.ColumnDimensions = []string{"metric", "next"}
	for i := range shown.Columns {
		shown.Columns[i][0] = "blocking"
	}
	head, _, _ := strings.Cut(CSV(shown), "\n")
	if strings.Count(head, "metric") != 1 {
		t.Errorf("columns %s", head)
	}
	if _, err := csv.NewReader(strings.NewReader(CSV(shown))).ReadAll(); err != nil {
		t.Error(err)
	}
}

func TestMarkdown(t *testing.T) {
	want := `## Table A.2. Blocking ratio, 1C &amp; 1D\_x

| lambda | 1C, 1E | 1C, 1F | 1D, 1E |
| :-- | --: | --: | --: |
| 0.05 | 3.1 ± 0.4 (3.5) | – | 7.0 over 1 replication |
| a\|b | 0.0 ± 0.4 | 71.5 ± 0.5 (80.12 ✗) | 60.0 ± 0.6 (61) |

blocking: B: blocking ratio (%)

Ours over 1 to 10 replications, with its 95 % interval, written ± half-width; ` +
		`(published), marked ✗ where it lies outside our 95 % prediction interval of one run.

blocking: 2 of 3 published values lie in our 95 % prediction interval of one run; ` +
		`bias (ours − published) −3.2 ± 0.6 over 10 replications; RMSE 5.0. Denominators: 5000 in all cells.

1 replication of 10 is missing
`
	if diff := cmp.Diff(want, Markdown(table())); diff != "" {
		t.Error(diff)
	}
}

// Without prediction intervals the note says why, not that 0 of 0 published values agree.
func TestNotesWithoutPredictions(t *testing.T) {
	few := table()
	few.Agreement[0].Cells, few.Agreement[0].Inside, few.MeanOf = 0, 0, 50
	const note = "blocking: no published value is judged, as "
	if have, want := Notes(few)[0], note+"there are too few replications to predict a mean of 50 runs; bias"; !strings.
		HasPrefix(have, want) {
		t.Errorf("%q, want %q", have, want)
	}
	few.Statistics = []statistics.Statistic{statistics.SD}
	if have, want := Notes(few)[0], note+"the statistic sd predicts no further run; bias"; !strings.HasPrefix(have, want) {
		t.Errorf("%q, want %q", have, want)
	}
}

func TestText(t *testing.T) {
	lines := strings.Split(Text(table()), "\n")
	want := []string{
		"Table A.2. Blocking ratio, 1C & 1D_x",
		"lambda           1C, 1E                1C, 1F                  1D, 1E",
		"──────  ───────────────  ────────────────────  ──────────────────────",
		"0.05    3.1 ± 0.4 (3.5)                     –  7.0 over 1 replication",
		"a|b           0.0 ± 0.4  71.5 ± 0.5 (80.12 ✗)         60.0 ± 0.6 (61)",
	}
	if diff := cmp.Diff(want, lines[:len(want)]); diff != "" {
		t.Error(diff)
	}
}

// Differences are marked where the interval is on one side of 0, and stay in line.
func TestDifferences(t *testing.T) {
	have := Differences(table())
	for _, want := range []string{
		"\n0.05    3.1 ± 0.4 (3.5) *                     –    7.0 over 1 replication\n",
		"\na|b           0.0 ± 0.4    71.5 ± 0.5 (80.12 ✗) *         60.0 ± 0.6 (61) *\n",
		"* the interval does not contain 0",
	} {
		if !strings.Contains(have, want) {
			t.Errorf("%q is not in\n%s", want, have)
		}
	}
}

func TestLaTeX(t *testing.T) {
	text := LaTeX(table())
	for _, want := range []string{
		`\caption{Blocking ratio, 1C \& 1D\_x. B: blocking ratio (\%). `, `\label{tab:A.2}`, `\begin{tabular}{lrrr}`,
		` & \multicolumn{2}{c}{1C} & \multicolumn{1}{c}{1D} \\` + "\n" + `\cmidrule(lr){2-3}\cmidrule(lr){4-4}`,
		`lambda & \multicolumn{1}{c}{1E} & \multicolumn{1}{c}{1F} & \multicolumn{1}{c}{1E} \\`,
		`0.05 & 3.1 $\pm$ 0.4 & -- & 7.0 over 1 replication \\*` + "\n" + ` & \textit{3.5} &  &  \\`,
		`\textit{80.12}$^\dagger$`, `bias (ours $-$ published) $-$3.2 $\pm$ 0.6 over 10 replications`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

var latexSpan = regexp.MustCompile(`\\multicolumn\{(\d+)\}`)

// With random names, braces and groups match, every line has the columns of the table and no
// comment begins.
func TestLaTeXIsWellFormed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOf(rapid.SampledFrom([]rune("ab\\{}$&#%_^~<>|[]*\"'-±≤λ\n\x00 ")))
		shown := table()
		shown.Title, shown.Warnings[0] = name.Draw(t, "title"), name.Draw(t, "warning")
		shown.Rows[0].Labels[0], shown.Columns[1][1] = name.Draw(t, "label"), name.Draw(t, "column")
		shown.Rows[1].Cells[1].Published.Text = name.Draw(t, "printed")
		text := strings.TrimPrefix(LaTeX(shown), "% needs \\usepackage{booktabs,graphicx}\n")
		for _, line := range strings.Split(text, "\n") {
			bare := regexp.MustCompile(`\\[\\{}$&#%_]\*?`).ReplaceAllString(line, "")
			if strings.Count(bare, "{") != strings.Count(bare, "}") && !strings.Contains(line, "tabular") &&
				!strings.Contains(line, "resizebox") {
				t.Fatalf("braces in %q", line)
			}
			if strings.Count(bare, "$")%2 != 0 || strings.Contains(strings.TrimSuffix(bare, "{%"), "%") {
				t.Fatalf("formula or comment in %q", line)
			}
			if !strings.HasSuffix(line, `\\`) && !strings.HasSuffix(line, `\\*`) {
				continue
			}
			columns := strings.Count(bare, "&") + 1
			for _, span := range latexSpan.FindAllStringSubmatch(line, -1) {
				n, _ := strconv.Atoi(span[1])
				columns += n - 1
			}
			if columns != 4 {
				t.Fatalf("%d columns in %q", columns, line)
			}
		}
	})
}

// With random names, every line of the Markdown table has the same columns.
func TestMarkdownKeepsItsColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shown := table()
		shown.Rows[0].Labels[0] = rapid.String().Draw(t, "label")
		shown.Columns[1][1] = rapid.String().Draw(t, "column")
		for _, line := range strings.Split(Markdown(shown), "\n")[2:6] {
			bare := strings.ReplaceAll(strings.ReplaceAll(line, `\\`, ""), `\|`, "")
			if strings.Count(bare, "|") != 5 {
				t.Fatalf("line %q", line)
			}
		}
	})
}

func TestHeads(t *testing.T) {
	shown := analysis.Table{ColumnDimensions: []string{"a", "b", "c"},
		Columns: [][]string{{"1", "x", "p"}, {"1", "x", "q"}, {"1", "y", "q"}, {"2", "y", "q"}, {"2", "y", "q"}}}
	want := [][]Span{
		{{"a 1", 3}, {"a 2", 2}},
		{{"x", 2}, {"y", 1}, {"y", 2}},
		{{"p", 1}, {"q", 1}, {"q", 1}, {"q", 1}, {"q", 1}},
	}
	if diff := cmp.Diff(want, Heads(shown)); diff != "" {
		t.Error(diff)
	}
}

func TestOneColumnWithoutHeading(t *testing.T) {
	shown := analysis.Table{Name: "T", RowDimensions: []string{"policy"}, Columns: [][]string{{}},
		Rows:   []analysis.Row{{Labels: []string{"FCFS"}, Cells: []*analysis.Cell{{Metric: "wait", Ours: estimate(5, 1)}}}},
		Values: []analysis.Axis{{Name: "wait", Title: "Mean wait", Unit: "s"}}}
	for _, text := range []string{Markdown(shown), Text(shown), LaTeX(shown), CSV(shown)} {
		if !strings.Contains(text, "wait") || !strings.Contains(text, "FCFS") {
			t.Errorf("text %s", text)
		}
	}
}

func TestInterval(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		estimate statistics.Estimate
		want     string
	}{
		{estimate(32.4213, 0.8123), "32.4 ± 0.8"},
		{estimate(32.4213, 81.23), "30 ± 80"},
		{estimate(123456.7, 2345), "123,500 ± 2,300"},
		{estimate(-0.0312, 0.00421), "−0.031 ± 0.004"},
		{estimate(5, 0), "5 ± 0"},
		{estimate(0, 0), "0 ± 0"},
		{estimate(1.5e-9, 2e-10), "1.50·10⁻⁹ ± 2.00·10⁻¹⁰"},
		{estimate(3e13, 2e12), "3.00·10¹³ ± 2.00·10¹²"},
		{estimate(0.01, 1e-17), "0.01 ± 0.00"},
		{estimate(12, 1e-15), "12 ± 0"},
		{lone(29.0613), "29.06"},
		{lone(0.756), "0.756"},
		{lone(1000), "1,000"},
		{lone(nan), "–"},
		{lone(math.Inf(1)), "–"},
		{statistics.Estimate{Value: 2, Low: 1.5, High: 4, N: 10}, "2.0 [1.5, 4.0]"},
	} {
		if got := Estimate(c.estimate); got != c.want {
			t.Errorf("%+v is written %q, want %q", c.estimate, got, c.want)
		}
	}
}

// plainDigits turns a typeset number into one for ParseFloat.
var plainDigits = strings.NewReplacer(",", "", "−", "-", "·10", "e", "⁻", "-", "⁰", "0", "¹", "1", "²", "2", "³", "3",
	"⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9")

// A written number is within half a unit of its last digit or 0.5 %, and a number other than 0 is
// never written as 0.
func TestNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := math.Pow(10, rapid.Float64Range(-8, 14).Draw(t, "size"))
		if rapid.Bool().Draw(t, "negative") {
			x = -x
		}
		decimals := rapid.IntRange(0, mostDecimals).Draw(t, "decimals")
		text := Number(x, decimals)
		read, err := strconv.ParseFloat(plainDigits.Replace(text), 64)
		if err != nil {
			t.Fatal(err)
		}
		if read == 0 || math.Signbit(read) != math.Signbit(x) {
			t.Fatalf("%v is written %s", x, text)
		}
		if off := math.Abs(read - x); off > 0.5000001*math.Pow10(-decimals) && off > 0.005*math.Abs(x) {
			t.Fatalf("%v is written %s", x, text)
		}
	})
	if got := Number(math.Copysign(0, -1), 2); got != "0.00" {
		t.Errorf("negative zero is written %s", got)
	}
	if got := Number(-0.5, 0); got != "−0.5" {
		t.Errorf("a half without decimals is written %s", got)
	}
}

// A number below the digits of its interval has one digit and no decimals.
func TestNumberBelowItsInterval(t *testing.T) {
	for want, x := range map[string]float64{"−4,000": -4100.611496, "9": 9.4, "0.3": 0.3} {
		if have := Number(x, -5); have != want {
			t.Errorf("%v to the nearest 100,000 is written %s, want %s", x, have, want)
		}
	}
}

// Published numbers have commas between thousands as ours, and nothing else of them changes.
func TestPrinted(t *testing.T) {
	for printed, want := range map[string]string{
		"-4304": "−4,304", "12345.60": "12,345.60", "4,513": "4,513", "0.250": "0.250", "1.234e+04": "1.234e+04",
	} {
		if have := Printed(&study.PublishedNumber{Text: printed}); have != want {
			t.Errorf("%s is written %s, want %s", printed, have, want)
		}
	}
	if have := Printed(&study.PublishedNumber{Text: "1850", Note: "a"}); have != "1,850‡" {
		t.Errorf("with a note: %s", have)
	}
}

// The text on intervals agrees with those in the cells.
func TestLegend(t *testing.T) {
	lopsided := statistics.Estimate{Value: 2, Low: 1.5, High: 4, N: 10}
	for want, ours := range map[string][]statistics.Estimate{
		"over 10 replications, with its 95 % interval, written ± half-width":     {estimate(2, 1)},
		"over 1 to 10 replications, with its 95 % interval, written [low, high]": {lopsided, lone(3)},
		"over 10 replications, with its 95 % interval, written ± half-width or, where lopsided, [low, high]": {estimate(2, 0),
			lopsided},
		"over 1 replication, without interval": {lone(3),
			{Value: math.NaN()}},
	} {
		row := analysis.Row{Cells: []*analysis.Cell{nil}}
		for _, e := range ours {
			row.Cells = append(row.Cells, &analysis.Cell{Ours: e})
		}
		if have := Legend(analysis.Table{Rows: []analysis.Row{row}}); have != want {
			t.Errorf("%q, want %q", have, want)
		}
	}
	mixed := analysis.Table{Statistics: []statistics.Statistic{statistics.Mean, statistics.Max}, Rows: []analysis.Row{
		{Cells: []*analysis.Cell{{Ours: estimate(2, 1)}, {Ours: lone(3)}}}}}
	const want = "(mean; max) over 1 to 10 replications, with its 95 % interval, written ± half-width; " +
		"max without interval"
	if have := Legend(mixed); have != want {
		t.Errorf("%q, want %q", have, want)
	}
}

// The captions of all formats name the statistic of the numbers, unless it is the mean.
func TestStatisticsInCaptions(t *testing.T) {
	const trimmed = "Ours (trimmed: the mean without the best and the worst replication) over 1 to 10 replications"
	for want, stats := range map[string][]statistics.Statistic{
		"Ours over 1 to 10 replications, with": {statistics.Mean},
		trimmed:                                {statistics.Trimmed},
		"Ours (median) over 1 to 10":           {statistics.Median},
		"Ours (mean; sd) over 1 to 10":         {statistics.Mean, statistics.SD},
	} {
		shown := table()
		shown.Statistics = stats
		for format, text := range map[string]string{"text": Text(shown), "md": Markdown(shown), "tex": LaTeX(shown)} {
			if !strings.Contains(text, want) {
				t.Errorf("%s of %s lacks %q:\n%s", format, stats, want, text)
			}
		}
	}
}

// Each number has the digits that its own interval justifies, by the rule of the Particle Data
// Group.
func TestNumbersAreRoundedToTheirIntervals(t *testing.T) {
	for _, c := range []struct {
		value, half float64
		want        string
	}{
		{0.827, 0.119, "0.83 ± 0.12"}, {0.827, 0.367, "0.8 ± 0.4"}, {12.3456, 0.0354, "12.346 ± 0.035"},
		{12.3456, 0.0355, "12.35 ± 0.04"}, {14, 0.953, "14.0 ± 1.0"}, {14, 0.949, "14.0 ± 0.9"},
		{14.04, 0.9496, "14.0 ± 0.9"},
		{123456, 1234, "123,500 ± 1,200"}, {123456, 951, "123,500 ± 1,000"}, {123456, 400, "123,500 ± 400"},
		{3, 200, "0 ± 200"}, {-0.001, 0.4, "0.0 ± 0.4"}, {0, 0.5, "0.0 ± 0.5"}, {98765.4, 0, "98,765 ± 0"},
		{-1235.6, 12.3, "−1,236 ± 12"},
	} {
		e := estimate(c.value, c.half)
		if got := Interval(e, Decimals(e)); got != c.want {
			t.Errorf("%v ± %v: %q, want %q", c.value, c.half, got, c.want)
		}
	}
}

// A cell without an interval has the median digits of its column.
func TestDigits(t *testing.T) {
	cell := func(metric string, value, half float64) *analysis.Cell {
		return &analysis.Cell{Metric: metric, Ours: estimate(value, half)}
	}
	table := analysis.Table{Rows: []analysis.Row{{Cells: []*analysis.Cell{
		cell("a", 1, 0.02), cell("a", 2, 0.5), cell("a", 3, 1.2), cell("a", 4, 0), cell("b", 5.5, 0), cell("c", 6, 0.1), nil,
	}}}, Decimals: map[string]int{"c": 3}}
	digits := Digits(table)
	var got []int
	for _, cell := range table.Rows[0].Cells[:6] {
		got = append(got, digits(cell))
	}
	if diff := cmp.Diff([]int{3, 1, 1, 1, 3, 3}, got); diff != "" {
		t.Error(diff)
	}
}

// Tables for readers have the units and digits of the study file; the CSV file has the numbers as
// computed.
func TestUnitsOfTheStudyFile(t *testing.T) {
	hour := analysis.Axis{Name: "wait", Title: "mean wait", Unit: "s", Shown: study.Unit{Name: "h", Size: 3600}}
	shown := analysis.Table{
		Name: "waits", RowDimensions: []string{"site"}, Columns: [][]string{{}}, Values: []analysis.Axis{hour},
		Decimals: map[string]int{"wait": 1},
		Rows: []analysis.Row{{Labels: []string{"a"}, Cells: []*analysis.Cell{{Metric: "wait", Ours: estimate(7200, 360),
			Ran: 10}}}},
	}
	for _, text := range []string{Text(shown), Markdown(shown), LaTeX(shown)} {
		if !strings.Contains(text, "2.0") || !strings.Contains(text, "mean wait (h)") || strings.Contains(text, "7200") {
			t.Errorf("not 2.0 ± 0.1 h in %s", text)
		}
	}
	if text := CSV(shown); !strings.Contains(text, "s,7200,6840,7560") {
		t.Errorf("not 7200 s in %s", text)
	}
}

func TestShortTitle(t *testing.T) {
	for _, test := range []struct{ symbol, title, want string }{
		{"", "", "x (%)"},
		{"", "Mean wait", "Mean wait (%)"},
		{"", "violations: jobs that start later than expected; none under ask", "violations (%)"},
		{"", "jobs (all of them)", "jobs (all of them) (%)"},
		{"λ", "λ: arrival rate", "λ: arrival rate (%)"},
		{"B", "B: blocking ratio: 100 x rejected / all (Equation 3.3)", "B: blocking ratio (%)"},
		{"Q_R", "Q_R: work rejected / all (Equation 3.5); 1 when none", "Q_R: work rejected / all (%)"},
	} {
		if got := ShortTitle(analysis.Axis{Name: "x", Title: test.title, Symbol: test.symbol, Unit: "%"}); got != test.want {
			t.Errorf("short for %q: %q, want %q", test.title, got, test.want)
		}
	}
	for _, test := range []struct{ name, title, want string }{
		{"makespan", "makespan: last end; of all tasks: change against approach best effort",
			"makespan: change against best effort (%)"},
		{"makespan", "", "makespan: change against best effort (%)"},
		{"", "", "change against best effort (%)"},
	} {
		axis := analysis.Axis{Name: test.name, Title: test.title, Unit: "%", Change: "change against best effort"}
		if got := ShortTitle(axis); got != test.want {
			t.Errorf("short for %+v: %q, want %q", axis, got, test.want)
		}
	}
}

func TestFileName(t *testing.T) {
	for name, want := range map[string]string{
		"A.2": "A.2", "4-31": "4-31", "shape/laxity": "shape-laxity", "..": "_..", "": "_", "ü b": "_-b", "a+b_c": "a+b_c",
	} {
		if got := FileName(name); got != want {
			t.Errorf("file of %q is %q, want %q", name, got, want)
		}
	}
}

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tables")
	if err := Write(t.Context(), dir, []analysis.Table{table()}); err != nil {
		t.Fatal(err)
	}
	for ending, want := range map[string]string{".csv": CSV(table()), ".md": Markdown(table()), ".tex": LaTeX(table())} {
		got, err := os.ReadFile(filepath.Join(dir, "A.2"+ending))
		if err != nil || string(got) != want {
			t.Errorf("A.2%s: %v, %d bytes", ending, err, len(got))
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("%d files, %v", len(entries), err)
	}
}

// Write writes no file if its context is done.
func TestWriteIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := filepath.Join(t.TempDir(), "tables")
	if err := Write(ctx, dir, []analysis.Table{table()}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder exists, or %v", err)
	}
}

// Two tables with the same file name are an error that names both.
func TestTwoTablesWithOneFileName(t *testing.T) {
	err := Write(t.Context(), t.TempDir(), []analysis.Table{{Name: "a/b"}, {Name: "A b"}})
	if err == nil || !strings.Contains(err.Error(), `"a/b"`) || !strings.Contains(err.Error(), `"A b"`) {
		t.Errorf("error %v", err)
	}
}
