// Figures as numbers: the points, series, panels, captions and warnings of each kind of figure,
// computed from scripted toy outcomes whose means are known.

package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// drawn returns a figure's series as "panel/label: x=y x=y | x=y", published numbers after the bar.
func drawn(f Figure) string {
	var lines []string
	for _, p := range f.Panels {
		for _, s := range p.Series {
			line := p.Label + "/" + s.Label + ":"
			for _, point := range s.Points {
				line += fmt.Sprintf(" %g=%g", point.X, point.Y.Value)
			}
			if len(s.Published) > 0 {
				line += " |"
			}
			for _, point := range s.Published {
				line += fmt.Sprintf(" %g=%g", point.X, point.Y.Value)
			}
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "; ")
}

func TestHeatMapsNameTheirRows(t *testing.T) {
	more := `
figures:
  one: {of: rate, show: wait, kind: heat, x: policy, series: lambda}
  two: {of: rate, show: [wait, loss], kind: heat, x: policy, series: [metric, lambda]}
  line: {of: rate, show: wait, kind: line, x: lambda, series: policy}
`
	var have []string
	for _, f := range run(t, more, steps, nil).analyze(t).Figures {
		have = append(have, f.Name+": "+f.Rows.Name+" "+f.Rows.Unit)
	}
	if want := []string{"one: lambda 1/min", "two: metric, lambda ", "line:  "}; !slices.Equal(have, want) {
		t.Errorf("rows %q, want %q", have, want)
	}
}

func TestFigures(t *testing.T) {
	cases := []struct{ name, query, axis, want string }{
		{"line", "{of: rate, show: wait, kind: line, x: lambda, series: policy, where: {policy: [c, a]}}", "lambda 1/min []",
			"/c: 0.1=10 0.2=20 0.3=30; /a: 0.1=2.5 0.2=5 0.3=7.5"},
		{"durations", "{of: gaps, show: wait, kind: line, x: gap}", "gap s []", "/: 900=2.5 3600=2.5 7200=2.5"},
		{"at", "{of: gaps, show: wait, kind: line, x: gap, at: place}", "place  []", "/: 15=2.5 60=2.5 120=2.5"},
		{"at of the runs", "{of: gaps, from: sites, show: load, kind: line, x: gap, where: {site: x}, at: place}",
			"place  []", "/: 15=1 60=1 120=1"},
		{"names", "{of: solo, show: wait, kind: bar, x: policy}", "policy  [a b c]", "/: 0=2.5 1=5 2=10"},
		{"heat", "{of: rate, show: wait, kind: heat, x: lambda, series: policy, where: {lambda: [0.1, 0.2], policy: [a, b]}}",
			"lambda 1/min [0.1 0.2]", "/a: 0=2.5 1=5; /b: 0=5 1=10"},
		{"panels", "{of: solo, show: [wait, loss], kind: bar, x: policy, panels: metric, where: {policy: [a, b]}}",
			"policy  [a b]",
			"wait/: 0=2.5 1=5; loss/: 0=1.5 1=3"},
		{"statistics", "{of: solo, show: wait, kind: bar, x: policy, series: stat, stat: [mean, max], where: {policy: [a, " +
			"b]}}",
			"policy  [a b]", "/mean: 0=2.5 1=5; /max: 0=4 1=8"},
		{"means and deviations", "{of: rate, show: wait, kind: bar, x: lambda, series: [policy, stat], stat: [mean, sd], " +
			"where: {lambda: 0.1, policy: [b, a]}}",
			"lambda 1/min []", "/b, mean: 0.1=5; /b, sd: 0.1=2.581988897471611; /a, mean: 0.1=2.5; /a, sd: " +
				"0.1=1.2909944487358056"},
		{"one replication", "{of: solo, show: wait, kind: bar, x: policy, round: 3}", "policy  [a b c]", "/: 0=4 1=8 2=16"},
		{"rows", "{of: solo, from: sites, show: load, kind: points, x: load, series: site, where: {policy: b}, round: 0}",
			"load  []",
			"/x: 2=2; /y: 20=20; /z: 0=0"},
		{"numbers", "{of: rate, show: wait, kind: bar, x: policy, series: lambda, where: {policy: [a, b], lambda: [0.1, " +
			"0.3]}}",
			"policy  [a b]", "/lambda 0.1: 0=2.5 1=5; /lambda 0.3: 0=7.5 1=15"},
		{"panels of durations", "{of: gaps, show: [wait, loss], kind: bar, x: metric, panels: gap, where: {gap: [15min, " +
			"2h]}}",
			"metric  [wait loss]", "gap 15min/: 0=2.5 1=1.5; gap 2h/: 0=2.5 1=1.5"},
		{"published", "{of: rate, show: loss, kind: line, x: lambda, series: policy, where: {policy: [a, b]}, published: " +
			"x.csv}",
			"lambda 1/min []", "/a: 0.1=1.5 0.2=1.5 0.3=1.5 | 0.1=7 0.2=8; /b: 0.1=3 0.2=3 0.3=3 | 0.3=9"},
		{"published differences",
			"{of: rate, show: loss, kind: line, x: lambda, series: policy, against: {policy: a}, published: x.csv}",
			"lambda 1/min []", "/b: 0.1=1.5 0.2=1.5 0.3=1.5 | 0.2=-3; /c: 0.1=4.5 0.2=4.5 0.3=4.5"},
	}
	var file strings.Builder
	file.WriteString("tables: {x: {of: rate, show: loss, rows: lambda, columns: policy, published: x.csv}}\nfigures:\n")
	for _, c := range cases {
		fmt.Fprintf(&file, "  %s: %s\n", c.name, c.query)
	}
	csv := "lambda,policy,metric,value,page\n0.1,a,loss,7,1\n0.20,a,loss,8,1\n0.3,b,loss,9,1\n0.2,b,loss,5,1\n"
	csvLine := strings.Replace(csv, "0.2,b,loss,5,1\n", "", 1)
	for i, f := range run(t, file.String(), steps, map[string]string{"x.csv": csv}).analyze(t).Figures {
		if cases[i].name == "published" {
			continue
		}
		check(t, f, cases[i].axis, cases[i].want)
	}
	for i, f := range run(t, file.String(), steps, map[string]string{"x.csv": csvLine}).analyze(t).Figures {
		if cases[i].name == "published" {
			check(t, f, cases[i].axis, cases[i].want)
		}
	}
}

func check(t *testing.T, f Figure, axis, want string) {
	t.Helper()
	if have := fmt.Sprint(f.X.Name, " ", f.X.Unit, " ", f.X.Labels); have != axis {
		t.Errorf("%s: axis %q, want %q", f.Name, have, axis)
	}
	if have := drawn(f); have != want {
		t.Errorf("%s: %s\nwant %s", f.Name, have, want)
	}
}

// A logarithmic axis cannot show 0, of which a warning tells; a heat map has no such axis.
func TestValuesWithoutLogarithm(t *testing.T) {
	more := `
figures:
  line: {of: solo, show: loss, kind: line, x: policy, log: [x, y]}
  heat: {of: solo, show: loss, kind: heat, x: policy, series: metric, log: y}
`
	figures := run(t, more, func(p toyPoint, _ int) *toyOutcome {
		return &toyOutcome{Loss: map[string]float64{"a": 0, "b": 1, "c": 2}[p.Policy]}
	}, nil).analyze(t).Figures
	want := "1 of 3 points are not drawn: a logarithmic axis cannot show 0 or less"
	if !slices.Equal(figures[0].Warnings, []string{want}) || len(figures[1].Warnings) > 0 {
		t.Errorf("warnings %q and %q", figures[0].Warnings, figures[1].Warnings)
	}
	if figures[1].Caption != "Mean over 4 replications." {
		t.Error(figures[1].Caption) // a colour shows no interval
	}
}

func TestCaptionsAndUnits(t *testing.T) {
	more := `
figures:
  mean: {of: solo, show: loss, kind: bar, x: policy}
  percent: {of: solo, show: wait, kind: bar, x: policy, against: {policy: a}, as: percent}
  two: {of: solo, show: wait, kind: bar, x: policy, series: stat, stat: [mean, trimmed],
    against: {policy: a}, as: percent}
  ratio: {of: solo, show: wait, kind: bar, x: policy, stat: median, against: worst, as: ratio}
  difference: {of: solo, show: loss, kind: bar, x: policy, against: {policy: a}}
  round: {of: solo, show: wait, kind: bar, x: policy, round: 2}
  deviation: {of: solo, show: wait, kind: bar, x: policy, whiskers: sd}
  deviations: {of: solo, show: wait, kind: line, x: policy, stat: [median, mean], series: stat,
    against: {policy: a}, as: ratio, whiskers: sd}
  interval: {of: solo, show: wait, kind: bar, x: policy, whiskers: interval}
`
	want := []string{
		"% Mean over 4 replications, with 95 % t interval (on the scale of √ or arcsin √ where it would cross a bound).",
		"% Mean over 4 replications, compared after the statistic, with 95 % jackknife interval over replications.",
		"% Mean and trimmed (the mean without the best and the worst replication) over 4 replications, " +
			"compared after the statistic, with 95 % jackknife interval over " +
			"replications.",
		" Median over 4 replications, with 95 % interval of order statistics.",
		"points Mean over 4 replications, with 95 % t interval.",
		"s Replication 2 alone.",
		"s Mean over 4 replications, with one standard deviation of the replications to either side.",
		" Median and mean over 4 replications, compared after the statistic, with one standard deviation of the " +
			"replications to either side.",
		"s Mean over 4 replications, with 95 % t interval.",
	}
	for i, f := range run(t, more, steps, nil).analyze(t).Figures {
		if have := f.Y.Unit + " " + f.Caption; have != want[i] {
			t.Errorf("%s: %q, want %q", f.Name, have, want[i])
		}
	}
}

// The title of an axis tells how the numbers are compared, and with what.
func TestAxesOfComparisons(t *testing.T) {
	more := `
figures:
  percent: {of: solo, show: wait, kind: bar, x: policy, against: {policy: a}, as: percent}
  worst: {of: solo, show: wait, kind: bar, x: policy, against: worst, as: ratio}
  number: {of: rate, show: wait, where: {policy: a}, kind: bar, x: lambda, against: {lambda: 0.1}}
  improvement: {of: solo, show: [wait, loss], kind: bar, x: policy, series: metric,
    against: {policy: b}, as: improvement}
  alone: {of: solo, show: wait, kind: bar, x: policy}
`
	want := []string{"change against a", "ratio to the largest", "difference to lambda 0.1", "improvement ratio over b",
		""}
	for i, f := range run(t, more, steps, nil).analyze(t).Figures {
		if f.Y.Change != want[i] || f.Panels[0].Y.Change != want[i] {
			t.Errorf("%s: %q, panel %q, want %q", f.Name, f.Y.Change, f.Panels[0].Y.Change, want[i])
		}
	}
}

// Published numbers of levels of which nothing was run have no position along x and are left out.
func TestPublishedNumbersOfLevelsThatWereNotRun(t *testing.T) {
	more := `
tables: {x: {of: rate, show: loss, rows: lambda, columns: policy, published: x.csv}}
figures: {f: {of: rate, show: loss, kind: line, x: lambda, series: policy, where: {policy: a}, published: x.csv}}
`
	csv := map[string]string{"x.csv": "lambda,policy,metric,value,page\n0.1,a,loss,7,1\n0.2,a,loss,8,1\n0.3,a,loss,9,1\n"}
	figure := run(t, more, func(p toyPoint, replication int) *toyOutcome {
		if p.Lambda == 0.1 {
			return nil
		}
		return steps(p, replication)
	}, csv).analyze(t).Figures[0]
	if have, want := drawn(figure), "/a: 0.2=1.5 0.3=1.5 | 0.2=8 0.3=9"; have != want {
		t.Errorf("%s, want %s", have, want)
	}
}

// Whiskers of one standard deviation are of the numbers of single replications, whatever statistic
// and comparison the figure shows.
func TestWhiskersOfDeviations(t *testing.T) {
	more := `
tables: {x: {of: solo, show: wait, rows: policy, published: x.csv}}
figures:
  mean: {of: solo, show: wait, kind: line, x: policy, whiskers: sd, published: x.csv}
  median: {of: solo, show: wait, kind: bar, x: policy, stat: median, whiskers: sd}
  difference: {of: solo, show: wait, kind: bar, x: policy, against: {policy: a}, whiskers: sd}
  percent: {of: solo, show: wait, kind: bar, x: policy, against: {policy: a}, as: percent, whiskers: sd}
  worst: {of: solo, show: wait, kind: bar, x: policy, against: worst, as: ratio, whiskers: sd}
`
	// Of 1, 2, 3 and 6 the mean is 3, the median 2.5 and the standard deviation √(14/3).
	deviation := math.Sqrt(14.0 / 3)
	want := map[string][2]float64{ // of the last policy: value and half of the whiskers
		"mean": {9, 3 * deviation}, "median": {7.5, 3 * deviation}, "difference": {6, 2 * deviation}, "percent": {200, 0},
		"worst": {1, 0},
	}
	csv := map[string]string{"x.csv": "policy,metric,value,page\nc,wait,7,1\n"}
	figures := run(t, more, func(p toyPoint, replication int) *toyOutcome {
		return &toyOutcome{Wait: map[string]float64{"a": 1, "b": 2, "c": 3}[p.Policy] * []float64{1, 2, 3, 6}[replication]}
	}, csv).analyze(t).Figures
	for _, f := range figures {
		series := f.Panels[0].Series[0]
		y := series.Points[len(series.Points)-1].Y
		w := want[f.Name]
		if diff := cmp.Diff([]float64{w[0], w[0] - w[1], w[0] + w[1]}, []float64{y.Value, y.Low, y.High},
			cmpopts.EquateApprox(0, 1e-12)); diff != "" {
			t.Errorf("%s: %s", f.Name, diff)
		}
		for _, p := range series.Published {
			if p.Y.HasInterval() {
				t.Errorf("%s: a published number has whiskers: %v", f.Name, p.Y)
			}
		}
	}
	if len(figures[0].Panels[0].Series[0].Published) != 1 {
		t.Error("no published number")
	}
}

// rectangles is an outcome with an offered slot, a chosen one and two tasks; the last has no end.
func rectangles(p toyPoint, replication int) *toyOutcome {
	end := func(seconds float64) *float64 { return &seconds }
	return &toyOutcome{Plan: []toyRectangle{
		{"task", 1, 100, end(150 + float64(replication)), 3, 1, 0}, {"task", 2, 150, nil, 3, 1, 0},
		{"chosen", 2, 100, end(200), 3, 2, 0}, {"offered", 1, 0, end(200), 1, 2, 0},
	}}
}

// The rows of a replication are rectangles; series come in the order in which `where` lists them.
func TestGantt(t *testing.T) {
	const query = "of: solo, from: plan, kind: gantt, x: start, end: end, show: processor, height: procs, series: kind, " +
		"round: 1"
	more := `
figures:
  one: {` + query + `, where: {policy: a, kind: [offered, chosen, task]}}
  panels: {` + query + `, where: {policy: [b, a]}, panels: policy}
  limits: {` + query + `, where: {policy: a}, range: {x: [0, 150], y: [1, 4]}}
`
	const offered, chosen, task = "offered 0+200 1+2", "chosen 100+100 3+2", "task 100+51 3+1"
	want := map[string][]string{
		"one":    {"/" + offered, "/" + chosen, "/" + task},
		"panels": {"b/" + chosen, "b/" + offered, "b/" + task, "a/" + chosen, "a/" + offered, "a/" + task},
		"limits": {"/" + chosen, "/" + offered, "/" + task},
	}
	const caption = "Every row of the table plan in replication 1: from start to end, and as tall as procs from " +
		"processor upwards."
	for _, f := range run(t, more, rectangles, nil).analyze(t).Figures {
		var have []string
		for _, panel := range f.Panels {
			for _, series := range panel.Series {
				for _, p := range series.Points {
					have = append(have, fmt.Sprintf("%s/%s %g+%g %g+%g", panel.Label, series.Label, p.X, p.Width, p.Y.Value, p.Height))
				}
			}
		}
		if diff := cmp.Diff(want[f.Name], have); diff != "" {
			t.Errorf("%s: %s", f.Name, diff)
		}
		lacking := "1 of 4"
		if f.Name == "panels" {
			lacking = "2 of 8"
		}
		if want := lacking + " rows are not drawn: a number of theirs has no value"; !slices.Equal(f.Warnings,
			[]string{want}) {
			t.Errorf("%s: warnings %q, want %q", f.Name, f.Warnings, want)
		}
		outside := ""
		if f.Name == "limits" {
			outside = " 3 of 3 rectangles reach beyond the limits of the axes: what is beyond is not shown."
		}
		if f.Caption != caption+outside || f.X.Name != "time" || f.X.Unit != "s" || f.Y.Name != "processor" {
			t.Errorf("%s: %q, axes %+v and %+v", f.Name, f.Caption, f.X, f.Y)
		}
	}
}

// Series of points come in the order of `where` too, else numbers by value, and each panel has all
// series.
func TestRowsInTheOrderOfWhere(t *testing.T) {
	more := `
figures:
  metric: {of: solo, from: plan, kind: points, x: start, show: [processor, procs], round: 0,
    where: {policy: c, metric: procs}}
  order: {of: solo, from: plan, kind: points, x: start, show: procs, series: [kind, number], panels: policy, round: 0,
    where: {policy: [c, a], kind: [task, offered]}}
`
	figures := run(t, more, func(p toyPoint, replication int) *toyOutcome {
		if p.Policy == "a" {
			return rectangles(p, replication)
		}
		return &toyOutcome{Plan: []toyRectangle{{Shows: "task", Number: 10, Start: 7, Procs: 1}, {Shows: "task", Number: 9,
			Start: 8, Procs: 1}}}
	}, nil).analyze(t).Figures
	want := "c/task, number 1:; c/task, number 2:; c/task, number 9: 8=1; c/task, number 10: 7=1; c/offered, number 1:; " +
		"a/task, number 1: 100=1; a/task, number 2: 150=1; a/task, number 9:; a/task, number 10:; a/offered, number 1: 0=2"
	if have := drawn(figures[1]); have != want {
		t.Errorf("%s\nwant %s", have, want)
	}
	if have := drawn(figures[0]); have != "/: 7=1 8=1" {
		t.Error(have)
	}
}

// The interval of a deviation ends at 0, that of a difference of deviations may include negative
// numbers.
func TestIntervalsOfDeviations(t *testing.T) {
	more := `
figures:
  deviation: {of: solo, show: wait, kind: bar, x: policy, stat: sd}
  difference: {of: solo, show: wait, kind: bar, x: policy, stat: sd, against: {policy: a}}
`
	figures := run(t, more, func(p toyPoint, replication int) *toyOutcome {
		return &toyOutcome{Wait: map[string]float64{"a": 1, "b": 2, "c": 3}[p.Policy] * []float64{1, 1, 1, 6}[replication]}
	}, nil).analyze(t).Figures
	for i, f := range figures {
		for _, p := range f.Panels[0].Series[0].Points {
			if p.Y.Value <= 0 || p.Y.High <= p.Y.Value || i == 0 && p.Y.Low != 0 || i == 1 && p.Y.Low >= 0 {
				t.Errorf("%s: %v from %v to %v", f.Name, p.Y.Value, p.Y.Low, p.Y.High)
			}
		}
	}
}

// Each column of a figure with two axes has its own series; limits and logarithm apply to the left
// axis only.
func TestTwoAxes(t *testing.T) {
	more := `
tables: {x: {of: rate, show: [loss, wait], rows: lambda, columns: [policy, metric], published: x.csv}}
figures:
  plain: {of: solo, show: [wait, loss], right: loss, kind: line, x: policy, where: {policy: [a, b]}}
  first: {of: solo, show: [wait, loss], right: wait, kind: line, x: policy, where: {policy: [a, b]}, whiskers: sd}
  series: {of: rate, show: [wait, loss], right: loss, kind: line, x: lambda, series: policy,
    where: {policy: [b, a], lambda: 0.1}, published: x.csv}
  panels: {of: rate, show: [loss, wait], right: wait, kind: line, x: lambda, panels: policy,
    where: {policy: [b, a], lambda: 0.1}, against: {policy: c}}
  limits: {of: solo, show: [wait, loss], right: wait, kind: line, x: policy, range: {y: [2, 4]}, log: y}
  log: {of: solo, show: [loss, wait], right: loss, kind: line, x: policy,
    where: {policy: [a, b]}, against: {policy: c}, log: y}
`
	csv := map[string]string{"x.csv": "lambda,policy,metric,value,page\n0.1,a,loss,7,1\n0.1,b,wait,8,1\n"}
	want := map[string]string{
		"plain": "wait s, right loss %; /wait: 0=2.5 1=5; /loss: 0=1.5 1=3",
		"first": "loss %, right wait s; /wait: 0=2.5 1=5; /loss: 0=1.5 1=3",
		"series": "wait s, right loss %; /wait, b: 0.1=5 | 0.1=8; /wait, a: 0.1=2.5; /loss, b: 0.1=3; /loss, a: 0.1=1.5 | " +
			"0.1=7",
		"panels": "loss points, right wait s; b/loss: 0.1=-3; b/wait: 0.1=-5; a/loss: 0.1=-4.5; a/wait: 0.1=-7.5",
		"limits": "loss %, right wait s; /wait: 0=2.5 1=5 2=10; /loss: 0=1.5 1=3 2=6",
		"log":    "wait s, right loss points; /loss: 0=-4.5 1=-3; /wait: 0=-7.5 1=-5",
	}
	for _, f := range run(t, more, steps, csv).analyze(t).Figures {
		have := fmt.Sprintf("%s %s, right %s %s; %s", f.Y.Name, f.Y.Unit, f.Right.Name, f.Right.Unit, drawn(f))
		if have != want[f.Name] {
			t.Errorf("%s: %s\nwant %s", f.Name, have, want[f.Name])
		}
		for _, panel := range f.Panels {
			for _, series := range panel.Series {
				if right := strings.HasPrefix(series.Label, f.Right.Name); series.Right != right || panel.Y.Name != f.Y.Name {
					t.Errorf("%s: %s on the right: %t; left axis %s", f.Name, series.Label, series.Right, panel.Y.Name)
				}
			}
		}
		outside, warnings := "", ""
		switch f.Name {
		case "limits":
			outside = "2 of 6 values lie outside the limits of the vertical axis: their marks stand at the limit, with an " +
				"arrow and, where there is room, the value."
		case "log":
			warnings = "2 of 4 points are not drawn: a logarithmic axis cannot show 0 or less"
		}
		if have := strings.Join(f.Warnings, "; "); f.Outside() != outside || have != warnings {
			t.Errorf("%s: %q, warnings %q", f.Name, f.Outside(), have)
		}
	}
}
