// Numbers without a value in some replications: what tables, claims and figures report of them, and
// that comparisons use the replications that both sides have.

package analysis

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gridsweep/configs"
	"gridsweep/sweeps"
	"gridsweep/sweeps/study"
)

// holes defines the column odd in all replications for a, in the last two of four for b and in none
// for c; replication 3 of c was not run.
func holes(p toyPoint, replication int) *toyOutcome {
	if p.Policy == "c" && replication == 3 {
		return nil
	}
	o := linear(p, replication)
	if value := o.Loss * float64(1+replication); p.Policy == "a" || p.Policy == "b" && replication > 1 {
		o.Odd = &value
	}
	return o
}

// Tables and warnings distinguish a number that was not run, one without a value in any
// replication, and one with a value in some.
func TestGapsOfTables(t *testing.T) {
	more := `
tables:
  plain: {of: solo, show: odd, rows: policy, columns: metric}
  against: {of: solo, show: odd, against: {policy: b}, rows: policy, columns: metric}
figures: {x: {of: solo, show: odd, kind: bar, x: policy}}
`
	result := run(t, more, holes, nil).analyze(t)
	for i, want := range [][][2]int{{{4, 4}, {2, 4}, {0, 3}}, {{2, 4}, {0, 3}}} {
		var have [][2]int
		for _, row := range result.Tables[i].Rows {
			have = append(have, [2]int{row.Cells[0].Ours.N, row.Cells[0].Ran})
		}
		if !slices.Equal(have, want) {
			t.Errorf("%s: replications with a value and those run: %v, want %v", result.Tables[i].Name, have, want)
		}
	}
	want := []string{"1 of 12 runs is missing: policy=c, replication 3", "no value in any of 3 replications: odd, c",
		"value in 2 of 4 replications: odd, b"}
	if have := result.Figures[0].Warnings; !slices.Equal(have, want) {
		t.Errorf("warnings %q, want %q", have, want)
	}
}

// Every comparison takes the replications in which both sides have a value: the oracle is a run in
// which neither side has a value in the others.
func TestComparisonsAreOverCommonReplications(t *testing.T) {
	for _, as := range []string{"difference", "percent", "ratio", "improvement"} {
		for _, stat := range []string{"mean", "median", "trimmed", "sd", "min", "max"} {
			query := fmt.Sprintf("{of: solo, show: odd, where: {policy: [a, b]}, against: {policy: a}, as: %s, stat: %s, "+
				"rows: policy, columns: metric}", as, stat)
			numbers := func(replications ...int) *Cell {
				return run(t, "tables: {x: "+query+"}\n", func(p toyPoint, replication int) *toyOutcome {
					value := float64((1 + len(p.Policy)*int(p.Policy[0]-'a'+1)) * (7 + replication*replication))
					o := &toyOutcome{Odd: &value}
					if p.Policy == "b" && replication == 0 {
						o.Odd = nil
					}
					if p.Policy == "a" && !slices.Contains(replications, replication) {
						o.Odd = nil
					}
					return o
				}, nil).analyze(t).Tables[0].Rows[0].Cells[0]
			}
			all, common := numbers(0, 1, 2, 3), numbers(1, 2, 3)
			if all.Ours.N != 3 || all.Ran != 4 || math.Abs(all.Ours.Value-common.Ours.Value) > 1e-12 {
				t.Errorf("%s of %s: %v in %d of %d replications, of those that both have %v", as, stat, all.Ours.Value, all.Ours.N,
					all.Ran, common.Ours.Value)
			}
		}
	}
}

func TestGapsOfClaims(t *testing.T) {
	more := `
claims:
  all: {of: solo, show: odd, where: {policy: a}, above: 0}
  some: {of: solo, show: odd, where: {policy: b}, above: 0}
  none: {of: solo, show: odd, where: {policy: c}, above: 0}
  both: {of: solo, show: odd, along: policy, order: [a, b]}
  label: {of: solo, from: sites, show: load, where: {policy: a, site: w}, above: 0}
  order: {of: solo, from: sites, show: load, where: {policy: a}, along: site, order: [x, v]}
tables: {x: {of: solo, from: sites, show: load, where: {site: [x, w]}, rows: [policy, site], columns: metric}}
`
	result := run(t, more, func(p toyPoint, replication int) *toyOutcome {
		o := holes(p, replication)
		if o != nil {
			o.Sites = []toySite{{"x", 1}, {"y", 2}}
		}
		return o
	}, nil).analyze(t)
	noRow := "no row has site %s; there are x and y"
	for i, want := range []struct {
		judged bool
		note   string
	}{
		{true, ""}, {true, "value in 2 of 4 replications: odd"},
		{false, "nothing to compare; no value in any of 3 replications: odd"}, {true, "value in 2 of 4 replications: odd, b"},
		{false, fmt.Sprintf(noRow, "w")}, {false, fmt.Sprintf(noRow, "v")},
	} {
		c := result.Claims[i]
		if (c.Ours.Verdict != NoValue) != want.judged || c.Ours.Verdict == NotRun || !strings.Contains(c.Ours.Note,
			want.note) ||
			want.note == "" && len(c.Ours.Gaps) > 0 {
			t.Errorf("%s: %s, note %q", c.Name, c.Ours.Verdict, c.Ours.Note)
		}
		if i < 3 && (len(c.Assumptions) != 2 || c.Assumptions[1].Verdict == NoValue != !want.judged ||
			(len(c.Assumptions[1].Gaps) > 0) != (i > 0)) {
			t.Errorf("%s: under alternative assumptions %+v", c.Name, c.Assumptions)
		}
	}
	if have := result.Tables[0].Warnings; !slices.Contains(have, "left out: "+fmt.Sprintf(noRow, "w")) {
		t.Errorf("warnings %q", have)
	}
	var text bytes.Buffer
	if err := WriteClaims(&text, result); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"verdict": "no value"`, `"value in 2 of 4 replications: odd, b"`} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("claims.json has no %s", want)
		}
	}
}

// A note names four numbers and counts the others.
func TestGapsInWords(t *testing.T) {
	g := &evaluation{dims: []dimension{{"alpha", labels("0", "1", "2", "3", "4", "5"), true}, {"metric", labels("wait"),
		false}, {name: "stat"}}}
	for level := range 6 {
		s := &sample{at: []int{level, 0, 0}, ran: 25}
		s.estimate.N = 20 + level
		g.samples = append(g.samples, s)
	}
	want := "value in 20 of 25 replications: wait, alpha 0; wait, alpha 1 (21 of 25); wait, alpha 2 (22 of 25); wait, " +
		"alpha 3 (23 of 25); and 1 more"
	g.samples[5].estimate.N = 25
	if have := g.gaps(); !slices.Equal(have, []string{want}) {
		t.Errorf("%q", have)
	}
	if have := (dimension{name: "alpha"}).noRow(study.NewLabel("1")); have != "no row has alpha 1; there are none" {
		t.Error(have)
	}
}

// A base without a row was not run if it is a level of a factor, and has no value if it is a level
// of a key.
func TestGapsOfBases(t *testing.T) {
	more := `
tables:
  factor: {of: solo, from: sites, show: load, where: {policy: a, site: x}, against: {policy: c},
    rows: policy, columns: metric}
  planned: {of: solo, from: sites, show: load, where: {policy: a, site: x}, against: {policy: b},
    rows: policy, columns: metric}
  key: {of: solo, from: sites, show: load, where: {policy: a, site: x}, against: {site: w},
    rows: policy, columns: metric}
  both: {of: solo, from: sites, show: load, where: {policy: a, site: x}, against: {policy: c, site: w},
    rows: policy, columns: metric}
`
	ab := configs.Selection{Dimension: text("policy"), Labels: texts("a", "b")}
	toy := runPlan(t, toyModel(func(p toyPoint, _ int) *toyOutcome {
		if p.Policy == "b" {
			return nil
		}
		return &toyOutcome{Sites: []toySite{{"x", 1}, {"y", 2}}}
	}), readStudy(t, head+more, nil), sweeps.Options{Levels: []configs.Selection{ab}})
	for i, want := range []int{0, 0, 4, 0} {
		table := toy.analyze(t).Tables[i]
		if cell := table.Rows[0].Cells[0]; cell.Ran != want || cell.Ours.N != 0 {
			t.Errorf("%s: %d of %d replications, want 0 of %d", table.Name, cell.Ours.N, cell.Ran, want)
		}
	}
}

// A change against 0 is undefined in replications that have both numbers, and has no interval if it
// is one against 0 without one of the replications.
func TestComparedWithZero(t *testing.T) {
	more := `
claims: {c: {of: solo, show: loss, where: {policy: [b, c]}, against: {policy: a}, as: percent, for: policy, above: 0}}
`
	for _, base := range [][]float64{{0, 0, 0, 0}, {0, 0, 3, 0}} {
		ours := run(t, more, func(p toyPoint, replication int) *toyOutcome {
			return &toyOutcome{Loss: map[string]float64{"a": base[replication], "b": 1, "c": 2}[p.Policy]}
		}, nil).analyze(t).Claims[0].Ours
		if ours.Verdict != NoValue || ours.Note != "nothing to compare; undefined, since compared with 0: loss, b; loss, c" {
			t.Errorf("%v: %s: %s", base, ours.Verdict, ours.Note)
		}
	}
}

func TestMeansOf(t *testing.T) {
	for _, c := range []struct {
		files []int
		want  string
	}{{[]int{1, 1}, ""}, {[]int{50, 50}, ", means of 50 runs"}, {[]int{1, 50}, ", some of them means of several runs"}} {
		var files []study.PublishedFile
		for _, runs := range c.files {
			files = append(files, study.PublishedFile{MeanOf: runs})
		}
		if have := meansOf(files); have != c.want {
			t.Errorf("%v: %q, want %q", c.files, have, c.want)
		}
	}
}

// The warnings of a figure leave out gaps that the picture shows. A missing bar may be one of
// height 0, and a line passes over a gap, so these are named.
func TestGapsOfFigures(t *testing.T) {
	more := `
figures:
  line: {of: rate, show: odd, kind: line, x: lambda, series: policy}
  heat: {of: rate, show: odd, kind: heat, x: lambda, series: policy}
  bar: {of: rate, show: odd, kind: bar, x: lambda, series: policy, where: {policy: a}}
`
	lacking := map[string]float64{"a": 0.1, "b": 0.2} // c has no value at all
	some := func(p toyPoint, replication int) *toyOutcome {
		if p.Policy == "c" || p.Lambda == lacking[p.Policy] {
			return &toyOutcome{}
		}
		return &toyOutcome{Odd: &p.Lambda}
	}
	const none = "no value in any of 4 replications: odd, "
	want := map[string][]string{
		"line": {none + "lambda 0.1, c; odd, lambda 0.2, b; odd, lambda 0.2, c; odd, lambda 0.3, c"},
		"bar":  {none + "lambda 0.1"},
	}
	for _, f := range run(t, more, some, nil).analyze(t).Figures {
		if !slices.Equal(f.Warnings, want[f.Name]) {
			t.Errorf("%s: %q", f.Name, f.Warnings)
		}
	}
}
