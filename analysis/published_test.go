// Published numbers: which claims, tables and figures use them, and whether they lie in our
// prediction intervals of one run, of a mean and of a trimmed mean, computed by hand.

package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gridsweep/analysis/statistics"
)

func TestPublishedJudgement(t *testing.T) {
	more := `
tables:
  x: {of: rate, show: loss, rows: lambda, columns: policy, published: x.csv}
claims:
  ordered: {of: rate, show: loss, for: lambda, along: policy, order: [a, b]}
  mostly: {of: rate, show: loss, where: {policy: [a, b]}, most: lambda, along: policy, order: [a, b]}
  mostly each: {of: rate, show: loss, where: {lambda: [0.1, 0.2]}, for: lambda, most: policy, near: 2, within: 1}
  same runs, a tie: {of: solo, show: loss, along: policy, order: [a, b]}
  no such numbers: {of: rate, show: wait, for: lambda, along: policy, order: [a, b]}
`
	csv := "lambda,policy,metric,value,page\n0.1,a,loss,1.10,7\n0.1,b,loss,1.10,7\n0.2,a,loss,3,7\n0.2,b,loss,2,7\n" +
		"0.3,a,loss,4,7\n0.3,b,loss,5,7\n"
	claims := run(t, more, linear, map[string]string{"x.csv": csv}).analyze(t).Claims
	want := []string{"inconclusive 2/3", "not reproduced 2/3", "reproduced 4/4", "inconclusive 1/1", ""}
	for i, c := range claims {
		have := ""
		if c.Published != nil {
			have = fmt.Sprintf("%s %d/%d", c.Published.Verdict, c.Published.Holding, len(c.Published.Comparisons))
			if c.Published.MeanMargin.HasInterval() {
				t.Errorf("%s: single numbers have an interval", c.Name)
			}
		}
		if have != want[i] {
			t.Errorf("%s: %q, want %q", c.Name, have, want[i])
		}
	}
	wantNote := "single numbers: no interval exists; lambda=0.1: holds, ties counted, in 2 of 2 rows; " +
		"lambda=0.2: holds, ties counted, in 2 of 2 rows"
	if note := claims[2].Published.Note; note != wantNote {
		t.Errorf("note %q, want %q", note, wantNote)
	}
}

// Published numbers belong to runs: an experiment with the same runs under other labels has them.
func TestPublishedNumbersFollowTheRun(t *testing.T) {
	more := `
tables:
  x: {of: rate, show: loss, rows: lambda, columns: policy, published: x.csv}
figures:
  f: {of: named, show: loss, kind: line, x: lambda, series: choice, published: x.csv}
claims:
  c: {of: named, show: loss, for: lambda, along: choice, order: [first, second]}
`
	study := strings.Replace(head, "experiments:",
		"  choice: {first: {policy: a}, second: {policy: b}}\nexperiments:\n  named: {cross: [lambda, choice], rounds: 4}", 1)
	csv := "lambda,policy,metric,value,page\n0.1,a,loss,1,7\n0.1,b,loss,2,7\n0.10,c,loss,9,7\n0.2,b,loss,4,7\n"
	result := runStudy(t, study+more, linear, map[string]string{"x.csv": csv}).analyze(t)
	if p := result.Claims[0].Published; p == nil || p.Verdict != Reproduced || len(p.Comparisons) != 1 {
		t.Errorf("claim %+v", p)
	}
	series := result.Figures[0].Panels[0].Series
	if len(series) != 2 || len(series[0].Published) != 1 || len(series[1].Published) != 2 ||
		series[1].Published[1].Y.Value != 4 {
		t.Errorf("figure %+v", series)
	}
}

// A table with more of the factors, but without numbers of the column, hides none of another table.
func TestPublishedNumbersOfAnotherColumn(t *testing.T) {
	more := `
tables:
  x: {of: rate, show: loss, rows: lambda, columns: policy, published: x.csv}
  y: {of: solo, show: wait, rows: policy, published: y.csv}
claims:
  c: {of: rate, show: wait, where: {lambda: 0.1}, along: policy, order: [a, b]}
`
	claims := run(t, more, linear, map[string]string{
		"x.csv": "lambda,policy,metric,value,page\n0.1,a,loss,1,7\n",
		"y.csv": "policy,metric,value,page\na,wait,1,7\nb,wait,2,7\n",
	}).analyze(t).Claims
	if p := claims[0].Published; p == nil || p.Verdict != Reproduced {
		t.Errorf("claim %+v", p)
	}
}

// Differences that the paper prints serve claims and figures that compare in the same way, and no
// others.
func TestPublishedDifferences(t *testing.T) {
	more := `
tables:
  x: {of: rate, show: loss, against: {policy: a}, rows: lambda, columns: policy, published: x.csv}
  y: {of: rate, show: wait, against: {policy: a}, as: percent, rows: lambda, columns: policy, published: y.csv}
  base: {of: rate, show: loss, rows: lambda, columns: policy, published: base.csv}
figures:
  f: {of: rate, show: loss, against: {policy: a}, kind: line, x: lambda, series: policy, published: x.csv}
claims:
  rises: {of: rate, show: loss, where: {lambda: [0.1, 0.2]}, against: {policy: a}, for: [lambda, policy], above: 0}
  b below c: {of: rate, show: loss, against: {policy: a}, for: lambda, along: policy, order: [b, c]}
  averaged: {of: rate, show: loss, where: {lambda: [0.1, 0.2]},
    against: {policy: a}, over: lambda, for: policy, above: 1.9}
  against b: {of: rate, show: loss, against: {policy: b}, for: [lambda, policy], above: 0}
  as a ratio: {of: rate, show: wait, against: {policy: a}, as: ratio, for: [lambda, policy], above: 1}
  the numbers: {of: rate, show: loss, where: {policy: [b, c]}, for: lambda, along: policy, order: [b, c]}
`
	published := map[string]string{
		"x.csv":    "lambda,policy,metric,value,page\n0.1,b,loss,1,7\n0.1,c,loss,3,7\n0.2,b,loss,-2,7\n0.2,c,loss,1,7\n",
		"y.csv":    "lambda,policy,metric,value,page\n0.1,b,wait,1,7\n",
		"base.csv": "lambda,policy,metric,value,page\n0.3,a,loss,1,7\n",
	}
	result := run(t, more, linear, published).analyze(t)
	var have []string
	for _, c := range result.Claims {
		if c.Published == nil {
			have = append(have, "")
			continue
		}
		have = append(have, fmt.Sprintf("%s %d/%d", c.Published.Verdict, c.Published.Holding, len(c.Published.Comparisons)))
	}
	if want := []string{"inconclusive 3/4", "reproduced 2/2", "not reproduced 1/2", "", "", ""}; !slices.Equal(have,
		want) {
		t.Errorf("claims on the paper's numbers %q, want %q", have, want)
	}
	var points []string
	for _, s := range result.Figures[0].Panels[0].Series {
		for _, p := range s.Published {
			points = append(points, fmt.Sprint(s.Label, p.X, p.Y.Value))
		}
	}
	if want := []string{"b0.1 1", "b0.2 -2", "c0.1 3", "c0.2 1"}; !slices.Equal(points, want) {
		t.Errorf("published points %q, want %q", points, want)
	}
}

// If several tables print a number of the same run, a figure shows each value once.
func TestEveryPublishedValueOfARunIsOverlaid(t *testing.T) {
	more := `
tables:
  x: {of: rate, show: loss, rows: lambda, columns: policy, published: x.csv}
  y: {of: solo, show: loss, rows: policy, published: y.csv}
figures:
  f: {of: rate, show: loss, kind: line, x: lambda, series: policy, published: [x.csv, y.csv]}
`
	published := map[string]string{
		"x.csv": "lambda,policy,metric,value,page\n0.1,a,loss,1,7\n0.1,b,loss,2,7\n0.2,a,loss,3,7\n",
		"y.csv": "policy,metric,value,page\na,loss,1.5,8\nb,loss,2,8\n",
	}
	var got []string
	for _, s := range run(t, more, linear, published).analyze(t).Figures[0].Panels[0].Series {
		for _, p := range s.Published {
			got = append(got, fmt.Sprint(s.Label, p.X, p.Y.Value))
		}
	}
	if want := []string{"a0.1 1", "a0.1 1.5", "a0.2 3", "b0.1 2"}; !slices.Equal(got, want) {
		t.Errorf("published points %q, want %q", got, want)
	}
}

// A published mean of many runs is compared with the prediction interval of such a mean; the wider
// interval of one run would include it.
func TestAgreementOfMeans(t *testing.T) {
	more := `
tables:
  one: {of: solo, show: wait, rows: policy, columns: metric, published: x.csv}
  mean: {of: solo, show: wait, rows: policy, columns: metric, published: y.csv, mean_of: 50}
  percent: {of: solo, show: wait, where: {policy: b}, against: {policy: a}, as: percent,
    rows: policy, columns: metric, published: z.csv, mean_of: 50}
figures:
  mean: {of: solo, show: wait, kind: bar, x: policy, published: y.csv}
`
	numbers := "policy,metric,value,page\na,wait,12.1,7\nb,wait,12.1,7\n"
	published := map[string]string{"x.csv": numbers, "y.csv": numbers, "z.csv": "policy,metric,value,page\nb,wait,130,7\n"}
	waits := map[string][]float64{"a": {9, 10, 11, 10}, "b": {1, 30, 7, 10}, "c": {0, 0, 0, 0}}
	result := run(t, more, func(p toyPoint, replication int) *toyOutcome {
		return &toyOutcome{Wait: waits[p.Policy][replication]}
	}, published).analyze(t)
	root := math.Sqrt(1.0/4 + 1.0/50)
	const quantile = 3.182446 // t(.975, 3)
	one, mean := result.Tables[0].Rows[0].Cells[0], result.Tables[1].Rows[0].Cells[0]
	if one.Verdict != AgreeInside || mean.Verdict != AgreeOutside ||
		math.Abs(mean.Prediction[1]-10-quantile*math.Sqrt(2.0/3)*root) > 1e-5 {
		t.Errorf("of one run %s, of a mean %s in %v", one.Verdict, mean.Verdict, mean.Prediction)
	}
	if b := result.Tables[1].Rows[1].Cells[0]; b.Verdict != AgreeInside || result.Tables[1].Agreement[0].Inside != 1 {
		t.Errorf("b %s, agreement %+v", b.Verdict, result.Tables[1].Agreement)
	}
	// The ratio of means is 12/10; the mean of the ratios of the replications, (0.11 + 3 + 0.64 +
	// 1)/4, is another number.
	percent := result.Tables[2].Rows[0].Cells[0]
	half := (percent.Ours.High - percent.Ours.Low) / 2 * root * 2
	if math.Abs(percent.Ours.Value-20) > 1e-9 || math.Abs(percent.Prediction[1]-20-half) > 1e-9 ||
		percent.Prediction[0] != -100 {
		t.Errorf("percent %+v, predicted %v, want 20 ± %v, cut at -100", percent.Ours, percent.Prediction, half)
	}
	if predicted := []string{result.Tables[0].Predicted(), result.Tables[1].Predicted()}; predicted[0] != "one run" ||
		predicted[1] != "a mean of 50 runs" {
		t.Errorf("predicted %q", predicted)
	}
	if caption := result.Figures[0].Caption; !strings.HasSuffix(caption, "the paper's own numbers, means of 50 runs.") {
		t.Errorf("caption %q", caption)
	}
}

// TestAgreementOfRoundedNumbers checks that a published number agrees if one that is printed like
// it does. If others of the column have more digits, it has zeros that are not printed.
func TestAgreementOfRoundedNumbers(t *testing.T) {
	more := `
tables:
  whole: {of: solo, show: wait, rows: policy, columns: metric, published: x.csv}
  tenths: {of: solo, show: wait, rows: policy, columns: metric, published: y.csv}
`
	published := map[string]string{
		"x.csv": "policy,metric,value,page\na,wait,12,7\nb,wait,13,7\n",
		"y.csv": "policy,metric,value,page\na,wait,12,7\nb,wait,12.4,7\n",
	}
	result := run(t, more, func(_ toyPoint, replication int) *toyOutcome {
		return &toyOutcome{Wait: 12.4 + float64(replication)/1000}
	}, published).analyze(t)
	var verdicts []Agree
	for _, table := range result.Tables {
		verdicts = append(verdicts, table.Rows[0].Cells[0].Verdict, table.Rows[1].Cells[0].Verdict)
	}
	if want := []Agree{AgreeInside, AgreeOutside, AgreeOutside, AgreeInside}; !slices.Equal(verdicts, want) {
		t.Errorf("verdicts %v, want %v", verdicts, want)
	}
}

// A published trimmed mean is compared with the prediction interval of a trimmed mean, of numbers
// or of their differences within each replication.
func TestAgreementOfTrimmedMeans(t *testing.T) {
	more := `
tables:
  trimmed: {of: solo, show: wait, stat: trimmed,
    rows: policy, columns: metric, published: x.csv, mean_of: 8}
  change: {of: solo, show: wait, against: {policy: a}, stat: trimmed,
    rows: policy, columns: metric, published: y.csv, mean_of: 8}
`
	published := map[string]string{
		"x.csv": "policy,metric,value,page\na,wait,10,7\nb,wait,99,7\n",
		"y.csv": "policy,metric,value,page\nb,wait,4.5,7\nc,wait,40,7\n",
	}
	// The differences b − a are 5, 4, 3 and 46: their least is at another replication than that of
	// b.
	waits := map[string][]float64{"a": {9, 10, 11, 10}, "b": {14, 14, 14, 56}, "c": {0, 0, 0, 0}}
	result := run(t, more, func(p toyPoint, replication int) *toyOutcome {
		return &toyOutcome{Wait: waits[p.Policy][replication]}
	}, published).analyze(t)
	const quantile = 12.706205 // t(.975, 1)
	cases := []struct {
		cell         *Cell
		value, sum   float64 // squares of the winsorised values around their mean
		verdict      Agree
		table, label string
	}{
		{result.Tables[0].Rows[0].Cells[0], 10, 0, AgreeInside, "trimmed", "a"},
		{result.Tables[0].Rows[1].Cells[0], 14, 0, AgreeOutside, "trimmed", "b"},
		{result.Tables[1].Rows[0].Cells[0], 4.5, 1, AgreeInside, "change", "b"},
		{result.Tables[1].Rows[1].Cells[0], -10, 0, AgreeOutside, "change", "c"},
	}
	for _, c := range cases {
		half := quantile * math.Sqrt(c.sum*(1.0/2+1.0/8))
		if c.sum == 0 {
			half = 1 // one unit of the last printed digit
			if c.table == "change" {
				half = 0.1
			}
		}
		if math.Abs(c.cell.Ours.Value-c.value) > 1e-9 || c.cell.Verdict != c.verdict ||
			math.Abs(c.cell.Prediction[1]-c.value-half) > 1e-5 || math.Abs(c.cell.Prediction[0]-c.value+half) > 1e-5 {
			t.Errorf("%s of %s: %+v, predicted %v, %s; want %v ± %v", c.table, c.label, c.cell.Ours, c.cell.Prediction,
				c.cell.Verdict, c.value, half)
		}
	}
	if stats := result.Tables[0].Statistics; !slices.Equal(stats, []statistics.Statistic{statistics.Trimmed}) {
		t.Errorf("the statistics of the table are %s", stats)
	}
	if predicted := result.Tables[0].Predicted(); predicted != "a mean of the 8 runs left of 10" {
		t.Errorf("predicted %q", predicted)
	}
}
