// Verdicts on claims: scripted toy outcomes with known differences for every test, and
// random margins for the rule that a claim and its reverse are never both reproduced.

package analysis

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gridsweep/analysis/statistics"
	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/sweeps"
	"gridsweep/sweeps/study"
)

// judged runs the script and returns the verdict on each claim, with the number of comparisons that
// hold and of all.
func judged(t *testing.T, claims []string, s script) []string {
	t.Helper()
	var file strings.Builder
	file.WriteString("claims:\n")
	for i, c := range claims {
		fmt.Fprintf(&file, "  c%d: {show: loss, %s}\n", i, c)
	}
	var found []string
	for _, c := range run(t, file.String(), s, nil).analyze(t).Claims {
		found = append(found, fmt.Sprintf("%s %d/%d", c.Ours.Verdict, c.Ours.Holding, len(c.Ours.Comparisons)))
	}
	return found
}

// In the linear script the loss is 100·lambda + 0, 1, 3 for a, b, c; replications differ by ± 5,
// paired differences by ± 0.04.
func TestClaimsWithEveryTest(t *testing.T) {
	cases := []struct{ claim, want string }{
		{"of: rate, for: lambda, along: policy, order: [a, b, c]", "reproduced 6/6"},
		{"of: rate, for: lambda, along: policy, order: [a, [b, c]]", "reproduced 6/6"},
		{"of: rate, for: lambda, along: policy, order: [c, b, a]", "not reproduced 0/6"},
		// the mean holds
		{"of: rate, for: lambda, along: policy, order: [b, a, c]", "not reproduced 3/6"},
		{"of: rate, where: {policy: a}, along: lambda, trend: rises", "reproduced 1/1"},
		{"of: rate, where: {policy: a}, along: lambda, trend: falls", "not reproduced 0/1"},
		{"of: rate, where: {policy: a}, along: lambda, trend: peaks", "not reproduced 0/1"},
		// 3 everywhere
		{"of: rate, where: {policy: c}, against: {policy: a}, along: lambda, trend: rises", "inconclusive 1/1"},
		{"of: rate, where: {policy: c}, against: {policy: a}, for: lambda, above: 2", "reproduced 3/3"},
		{"of: rate, where: {policy: c}, against: {policy: a}, for: lambda, below: 2", "not reproduced 0/3"},
		{"of: rate, where: {policy: c, lambda: 0.1}, above: 12", "inconclusive 1/1"}, // 13 ± 7
		{"of: rate, where: {policy: c, lambda: 0.1}, against: {policy: a}, as: percent, near: 30, within: 25",
			"reproduced 1/1"},
		{"of: rate, where: {policy: c, lambda: 0.1}, against: {policy: a}, near: 5, within: 1", "not reproduced 0/1"},
		// across the tolerance
		{"of: rate, where: {policy: c, lambda: 0.1}, near: 13, within: 1", "inconclusive 1/1"},
		{"of: rate, for: lambda, along: policy, spread: 4", "reproduced 3/3"},
		{"of: rate, for: lambda, along: policy, spread: 2", "not reproduced 0/3"},
		{"of: rate, most: lambda, along: policy, order: [a, b, c]", "reproduced 6/6"},
		{"of: rate, most: lambda, along: policy, order: [c, b, a]", "not reproduced 0/6"},
		{"of: rate, over: lambda, along: policy, order: [a, b, c]", "reproduced 2/2"},
		// no interval
		{"of: rate, where: {policy: a, lambda: 0.1}, stat: max, above: 0", "inconclusive 1/1"},
	}
	var claims []string
	for _, c := range cases {
		claims = append(claims, c.claim)
	}
	for i, have := range judged(t, claims, linear) {
		if have != cases[i].want {
			t.Errorf("%s: %s, want %s", cases[i].claim, have, cases[i].want)
		}
	}
}

// A claim with near has the mean of the numbers that it compares, with their unit, not only the
// distance to the ends of the tolerance. In the linear script a loses 10, 20, 30 and c 3 more.
func TestValueOfNear(t *testing.T) {
	claims := run(t, `
claims:
  difference: {of: rate, show: loss, where: {policy: c}, against: {policy: a}, for: lambda, near: -5, within: 1}
  level: {of: rate, show: loss, where: {policy: a}, for: lambda, near: 20, within: 15}
  above: {of: rate, show: loss, where: {policy: a}, for: lambda, above: 0}
`, linear, nil).analyze(t).Claims
	for i, want := range []struct {
		value, near float64
		unit        string
	}{{3, -5, "points"}, {20, 20, "%"}} {
		value, near := claims[i].Ours.MeanValue, claims[i].Near
		if value == nil || near == nil {
			t.Fatalf("%s has no value or no near", claims[i].Name)
		}
		if math.Abs(value.Value-want.value) > 1e-9 || !value.HasInterval() || *near != want.near ||
			claims[i].ValueUnit != want.unit {
			t.Errorf("%s: value %+v near %v %s, want %+v", claims[i].Name, value, *near, claims[i].ValueUnit, want)
		}
	}
	if claims[2].Ours.MeanValue != nil || claims[2].Near != nil {
		t.Errorf("a claim without near has %+v, %+v", claims[2].Ours.MeanValue, claims[2].Near)
	}
}

// A spread compares two levels, also where all are equal.
func TestSpreadOfEqualLevels(t *testing.T) {
	same := func(toyPoint, int) *toyOutcome { return &toyOutcome{Loss: 4} }
	claims := run(t, "claims:\n  same: {of: rate, show: loss, for: lambda, along: policy, spread: 2}\n", same,
		nil).analyze(t).Claims
	for _, c := range claims[0].Ours.Comparisons {
		if c.What != "2 − (a − b)" || c.Margin.Value != 2 {
			t.Errorf("%v: %s is %v", c.Labels, c.What, c.Margin.Value)
		}
	}
	if len(claims[0].Ours.Comparisons) != 3 {
		t.Errorf("%d comparisons, want one for each lambda", len(claims[0].Ours.Comparisons))
	}
}

// The gap between b and a is largest in the middle, in every replication.
func TestPeak(t *testing.T) {
	have := judged(t, []string{"of: rate, where: {policy: b}, against: {policy: a}, along: lambda, trend: peaks"},
		func(p toyPoint, replication int) *toyOutcome {
			gap := map[float64]float64{0.1: 1, 0.2: 4, 0.3: 2}[p.Lambda]
			if p.Policy != "b" {
				gap = 0
			}
			return &toyOutcome{Loss: 10*float64(replication) + gap + 0.1*float64((replication*7)%3)*gap}
		})
	if have[0] != "reproduced 1/1" {
		t.Error(have)
	}
}

// The rule of most: more than half of the rows that differ must hold; rows without any difference
// do not count.
func TestMost(t *testing.T) {
	at := func(margins map[float64]float64) script {
		return func(p toyPoint, replication int) *toyOutcome {
			loss := 0.0
			if p.Policy == "b" {
				loss = margins[p.Lambda] * (1 + 0.01*float64(replication))
			}
			return &toyOutcome{Loss: loss}
		}
	}
	cases := []struct {
		margins map[float64]float64
		want    string
	}{
		{map[float64]float64{0.1: 0, 0.2: 0, 0.3: 5}, "reproduced 3/3"},
		{map[float64]float64{0.1: 5, 0.2: 6, 0.3: -50}, "reproduced 2/3"},
		// one of two is not more than half
		{map[float64]float64{0.1: 0, 0.2: 5, 0.3: -1}, "not reproduced 2/3"},
		{map[float64]float64{}, "inconclusive 3/3"},
	}
	for _, c := range cases {
		have := judged(t, []string{"of: rate, where: {policy: [a, b]}, most: lambda, along: policy, order: [a, b]"},
			at(c.margins))
		if have[0] != c.want {
			t.Errorf("%v: %s, want %s", c.margins, have[0], c.want)
		}
	}
}

// Where b and c are the same runs, their comparisons with a count once in each row, and rows at
// equal rates once under most. Numbers that do not vary all count.
func TestEqualComparisonsCountOnce(t *testing.T) {
	order := ", along: policy, order: [a, [b, c]]"
	claims := []string{
		"of: rate, for: lambda" + order, "of: rate, most: lambda" + order,
		"of: rate, most: lambda, where: {lambda: 0.1}" + order,
	}
	// The margin at 0.1 is −1 ± 0.88, with a p-value of 0.04; of two of them it would be 0.07.
	noise := []float64{0.5113, -0.4871, 0.4402, -0.4644}
	for _, c := range []struct {
		margin func(p toyPoint, replication int) float64
		want   string
	}{
		{func(p toyPoint, replication int) float64 { return 10*p.Lambda - 2 + noise[replication] },
			"[inconclusive 2/3 inconclusive 2/3 not reproduced 0/1]"},
		{func(p toyPoint, replication int) float64 { return math.Max(-1, 20*p.Lambda-5) + noise[replication] },
			"[inconclusive 1/2 inconclusive 1/2 not reproduced 0/1]"},
		{func(toyPoint, int) float64 { return -1 }, "[not reproduced 0/6 not reproduced 0/6 not reproduced 0/2]"},
	} {
		have := judged(t, claims, func(p toyPoint, replication int) *toyOutcome {
			loss := 100.0
			if p.Policy != "a" {
				loss += c.margin(p, replication)
			}
			return &toyOutcome{Loss: loss}
		})
		if fmt.Sprint(have) != c.want {
			t.Errorf("%v, want %s", have, c.want)
		}
	}
}

// A claim about an experiment with `each` is judged on the rows of all its parts together, and is
// not run if one part was not run.
func TestPartsAreJudgedTogether(t *testing.T) {
	study := strings.Replace(head, "experiments:",
		"experiments:\n  shape: {each: [lambda, gap], cross: [policy], rounds: 4}", 1)
	study = strings.Replace(study, "repeat: [rate, solo]", "repeat: [shape]", 1) + `
claims:
  most: {of: shape, show: loss, where: {policy: [a, b]}, most: each, along: policy, order: [a, b]}
  for: {of: shape, show: loss, where: {policy: [a, b]}, for: policy, most: each, above: 5}
  rises: {of: shape, show: loss, where: {policy: a}, along: each, trend: rises}
tables:
  l: {of: shape/lambda, show: loss, rows: lambda, columns: policy, published: l.csv}
  g: {of: shape/gap, show: loss, rows: gap, columns: policy, published: g.csv}
`
	published := map[string]string{
		"l.csv": "lambda,policy,metric,value,page\n0.1,a,loss,1,7\n0.1,b,loss,2,7\n0.2,a,loss,2,7\n0.2,b,loss,1,7\n",
		"g.csv": "gap,policy,metric,value,page\n1h,a,loss,2,7\n1h,b,loss,1,7\n2h,a,loss,2,7\n2h,b,loss,1,7\n",
	}
	// b loses more than a at every lambda and at 15 min, less at 1 h and 2 h: the claim holds in 4
	// of 6 rows.
	script := func(p toyPoint, replication int) *toyOutcome {
		o := linear(p, replication)
		o.Loss += float64(p.Gap)
		if p.Policy == "b" && p.Gap >= 3600 {
			o.Loss -= 2
		}
		return o
	}
	claims := runStudy(t, study, script, published).analyze(t).Claims
	most := claims[0]
	if j := most.Ours; j.Verdict != Reproduced || len(j.Comparisons) != 6 || j.Holding != 4 ||
		j.Note != "clearly so in 4 and clearly not in 2 of 6 rows in which anything differs" {
		t.Errorf("most of all rows: %+v", j)
	}
	if !strings.Contains(most.Test, "more than half of the levels of lambda and gap taken together") {
		t.Error(most.Test)
	}
	if j := most.Published; j == nil || j.Verdict != NotReproduced || len(j.Comparisons) != 4 || j.Holding != 1 ||
		j.Shared != 4 || j.MeanMargin.Value != -0.5 {
		t.Errorf("on the published tables: %+v", j)
	}
	if len(most.Assumptions) != 2 || most.Assumptions[1].Experiment != "again" ||
		len(most.Assumptions[1].Comparisons) != 6 {
		t.Errorf("under alternative assumptions: %+v", most.Assumptions)
	}
	if note := claims[1].Ours.Note; strings.Count(note, "policy=a: ") != 1 || strings.Count(note, "policy=b: ") != 1 {
		t.Errorf("each level of for is judged once, on all parts: %s", note)
	}
	if j := claims[2].Ours; len(j.Comparisons) != 2 || j.Comparisons[0].What != "lambda: 0.3 − 0.1" ||
		j.Comparisons[1].What != "gap: 2h − 15min" {
		t.Errorf("along each: %+v", j.Comparisons)
	}
	if test := claims[2].Test; !strings.Contains(test, "from level to level of lambda and gap") {
		t.Error(test)
	}

	lacking := func(p toyPoint, replication int) *toyOutcome {
		if p.Gap > 60 {
			return nil
		}
		return script(p, replication)
	}
	if j := runStudy(t, study, lacking, published).analyze(t).Claims[0].Ours; j.Verdict != NotRun ||
		j.Note != "not run: experiment shape/gap" {
		t.Errorf("without the runs of a part: %+v", j)
	}
}

// A claim that names a level that was not run, or compares more levels than were run, is judged
// neither on the other levels nor on published numbers.
func TestClaimsOfLevelsThatWereNotRun(t *testing.T) {
	more := `
tables: {x: {of: rate, show: loss, rows: lambda, columns: policy, published: x.csv}}
claims:
  order: {of: rate, show: loss, for: lambda, along: policy, order: [a, b, c]}
  rest: {of: rate, show: loss, for: lambda, along: policy, order: [a, rest]}
  where: {of: rate, show: loss, where: {lambda: [0.1, 0.4]}, for: lambda, along: policy, order: [a, b]}
  against: {of: rate, show: loss, where: {policy: b}, against: {policy: c}, for: lambda, below: 0}
  trend: {of: rate, show: loss, for: lambda, along: policy, trend: rises}
  peak: {of: rate, show: loss, for: lambda, along: policy, trend: peaks}
  trend of one: {of: gaps, show: loss, along: gap, trend: rises}
  spread of one: {of: gaps, show: loss, along: gap, spread: 2}
`
	published := map[string]string{"x.csv": "lambda,policy,metric,value,page\n0.1,a,loss,1,7\n0.1,b,loss,2,7\n"}
	study := strings.Replace(head, "policy: [a, b, c]", "policy: [a, b, c, d]", 1)
	study = strings.Replace(study, "lambda: [0.1, 0.2, 0.3]", "lambda: [0.1, 0.2, 0.3, 0.4]", 1)
	label := func(v string) configs.Text { return configs.Text{Value: v} }
	options := sweeps.Options{Levels: []configs.Selection{
		{Dimension: label("policy"), Labels: []configs.Text{label("a"), label("b")}},
		{Dimension: label("lambda"), Labels: []configs.Text{label("0.1"), label("0.2")}},
		{Dimension: label("gap"), Labels: []configs.Text{label("1h")}},
	}}
	claims := runPlan(t, toyModel(linear), readStudy(t, study+more, published), options).analyze(t).Claims
	want := []string{
		"not run: level c of policy", "", "not run: level 0.4 of lambda", "not run: level c of policy", "",
		"not run: a third level of policy", "not run: a second level of gap", "not run: a second level of gap",
	}
	for i, c := range claims {
		judged := want[i] == ""
		if c.Ours.Note != want[i] || (c.Ours.Verdict == NotRun) == judged || (c.Published != nil) != judged {
			t.Errorf("%s: %s, note %q, published %v", c.Name, c.Ours.Verdict, c.Ours.Note, c.Published)
		}
	}
}

// A trend is not reproduced if one of its steps clearly goes the other way. The steps are counted
// as the verdict judges them: by their sign, or by the equivalence margin.
func TestStepsOfTrends(t *testing.T) {
	more := `
tables: {x: {of: solo, show: loss, rows: policy, published: x.csv}}
claims:
  c: {of: solo, show: loss, along: policy, trend: rises}
  d: {of: rate, show: loss, for: policy, along: lambda, trend: rises}
  e: {of: solo, show: loss, along: policy, trend: falls}
  f: {of: solo, show: loss, along: policy, trend: rises, margin: 20}
  g: {of: solo, show: loss, along: policy, order: [a, b]}
`
	published := map[string]string{"x.csv": "policy,metric,value,page\na,loss,1,7\nb,loss,5,7\nc,loss,2,7\n"}
	claims := run(t, more, func(p toyPoint, replication int) *toyOutcome {
		o := linear(p, replication)
		if p.Policy == "b" {
			o.Loss += 10
		}
		return o
	}, published).analyze(t).Claims
	if c := claims[0]; c.Ours.Verdict != NotReproduced || c.Ours.Note != "" || c.Published.Holding != 0 ||
		c.Published.Held() != "the comparison does not hold (1 of 2 steps rise, 1 falls)" {
		t.Errorf("%+v\npublished %+v", c.Ours, c.Published)
	}
	var steps []string // of what falls in the order of the levels, above 0 where they fall
	for _, i := range []int{0, 2, 4} {
		for _, s := range claims[i].Ours.Comparisons[0].Steps {
			steps = append(steps, fmt.Sprintf("%s: %+.0f %+d", s.What, s.Margin.Value, s.Clear))
		}
	}
	if want := []string{"b − a: +11 +1", "c − b: -8 -1", "a − b: -11 -1", "b − c: +8 +1"}; !slices.Equal(steps, want) {
		t.Errorf("steps %q, want %q", steps, want)
	}
	for i, want := range []string{
		"the comparison does not hold (1 of 2 steps rise, 1 falls clearly)",
		"3 of 3 comparisons hold (6 of 6 steps rise)",
		"the comparison does not hold (1 of 2 steps fall, 1 rises clearly)",
		"the comparison holds (0 of 2 steps rise, 2 are flat)",
		"the comparison holds",
	} {
		if have := claims[i].Ours.Held(); have != want {
			t.Errorf("%s: %s, want %s", claims[i].Name, have, want)
		}
	}
}

// The word rest in an order stands for all levels that it does not name.
func TestRestOfTheLevels(t *testing.T) {
	more := "claims: {x: {of: solo, show: loss, along: policy, order: [a, rest]}}\n"
	j := run(t, more, linear, nil).analyze(t).Claims[0].Ours
	if len(j.Comparisons) != 2 || j.Comparisons[0].What != "b − a" || j.Comparisons[1].What != "c − a" {
		t.Errorf("%+v", j.Comparisons)
	}
}

// A claim gets a verdict under each level of the factor under which an experiment is repeated.
func TestAlternativeAssumptions(t *testing.T) {
	more := "claims: {c: {of: solo, show: loss, along: policy, order: [a, b]}}\n"
	claim := run(t, more, func(p toyPoint, replication int) *toyOutcome {
		o := linear(p, replication)
		if p.Mode == "odd" && p.Policy == "b" {
			o.Loss -= 2
		}
		return o
	}, nil).analyze(t).Claims[0]
	var have []string
	for _, r := range claim.Assumptions {
		have = append(have, fmt.Sprint(r.Experiment, " ", r.Label, ": ", r.Verdict))
	}
	if fmt.Sprint(have) != "[again plain: reproduced again odd: not reproduced]" {
		t.Error(have)
	}
}

// A claim is vacuous where the claim that it presupposes is not reproduced: on our rows, on the
// published numbers and under alternative assumptions.
func TestVacuous(t *testing.T) {
	more := `
tables: {x: {of: solo, show: loss, rows: policy, published: x.csv}}
claims:
  last: {of: solo, show: loss, along: policy, order: [a, c], presupposes: middle}
  middle: {of: solo, show: loss, along: policy, order: [a, c], presupposes: first}
  first: {of: solo, show: loss, along: policy, order: [a, b]}
`
	published := map[string]string{"x.csv": "policy,metric,value,page\na,loss,1,7\nb,loss,2,7\nc,loss,3,7\n"}
	claims := run(t, more, func(p toyPoint, replication int) *toyOutcome {
		o := linear(p, replication)
		if p.Mode == "plain" && p.Policy == "b" {
			o.Loss -= 2
		}
		return o
	}, published).analyze(t).Claims
	for i, want := range []Verdict{Vacuous, Vacuous, NotReproduced} {
		c := claims[i]
		if c.Ours.Verdict != want || c.Published.Verdict != Reproduced || c.Assumptions[0].Verdict != want ||
			c.Assumptions[1].Verdict != Reproduced {
			t.Errorf("%s: %s, published %s, under assumptions %s and %s", c.Name, c.Ours.Verdict, c.Published.Verdict,
				c.Assumptions[0].Verdict, c.Assumptions[1].Verdict)
		}
	}
	if note := claims[1].Ours.Note; note != `presupposes "first", which is not reproduced` {
		t.Error(note)
	}
	vacuous := Judgement{Verdict: Inconclusive, Needed: 3, Note: "2 of 9 runs are missing"}
	vacuous.presuppose("first", NotReproduced)
	why := Claim{Ours: vacuous}.Why()
	if want := `presupposes "first", which is not reproduced`; why != "It "+want || vacuous.Needed != 0 ||
		vacuous.Note != want+"; 2 of 9 runs are missing" {
		t.Errorf("%q, %+v", why, vacuous)
	}
}

func TestNotRun(t *testing.T) {
	more := `
tables: {x: {of: rate, show: loss, rows: lambda, columns: policy}}
figures: {x: {of: rate, show: loss, kind: line, x: lambda, series: policy}}
claims: {x: {of: rate, show: loss, for: lambda, along: policy, order: [a, b]}}
`
	result := run(t, more, func(toyPoint, int) *toyOutcome { return nil }, nil).analyze(t)
	if len(result.Tables)+len(result.Figures) > 0 || result.Claims[0].Ours.Verdict != NotRun ||
		fmt.Sprint(result.Missing) != "[rate]" {
		t.Errorf("%+v", result)
	}
}

// Outputs of an experiment outside the plan are left out, except a table with one planned block.
func TestLeftOut(t *testing.T) {
	more := `
tables:
  x: {of: rate, show: loss, rows: lambda, columns: policy}
  part: {show: loss, blocks: [{of: rate, rows: lambda, where: {policy: a}}, {of: gaps, rows: gap}]}
figures: {x: {of: rate, show: loss, kind: line, x: lambda, series: policy}}
claims:
  x: {of: rate, show: loss, for: lambda, along: policy, order: [a, b]}
  kept: {of: gaps, show: loss, for: gap, above: 0}
`
	toy := runPlan(t, toyModel(linear), readStudy(t, head+more, nil), sweeps.Options{Experiments: []string{"gaps"}})
	result := toy.analyze(t)
	want := LeftOut{Experiments: []string{"rate"}, Tables: 1, Figures: 1, Claims: 1}
	if diff := cmp.Diff(want, result.LeftOut); diff != "" {
		t.Error(diff)
	}
	if len(result.Missing) > 0 || len(result.Tables) != 1 || len(result.Claims) != 1 || result.Claims[0].Name != "kept" ||
		result.Claims[0].Number.String() != "C2" {
		t.Errorf("%+v", result)
	}
}

func TestWriteClaims(t *testing.T) {
	more := "claims: {x: {of: solo, doc: a < b, show: loss, along: policy, order: [a, b]}}\n" +
		"unjudged: {y: {doc: a is dear, source: section 1, why: no cost}}\n"
	toy := run(t, more, linear, nil)
	var first, second bytes.Buffer
	for _, b := range []*bytes.Buffer{&first, &second} {
		if err := WriteClaims(b, toy.analyze(t)); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("equal results give different bytes")
	}
	var document struct {
		Claims []struct {
			Doc  string
			Ours struct {
				Verdict string
				Margin  map[string]float64 `json:"mean_margin"`
			}
			Published *struct{}
		}
		Unjudged []study.Statement
	}
	if err := json.Unmarshal(first.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	c := document.Claims[0]
	if c.Doc != "a < b" || c.Ours.Verdict != "reproduced" || c.Ours.Margin["n"] != 4 || c.Published != nil {
		t.Errorf("%+v", c)
	}
	want := []study.Statement{{Name: "y", Doc: "a is dear", Source: "section 1", Why: "no cost"}}
	if !slices.Equal(document.Unjudged, want) {
		t.Errorf("unjudged are %+v, want %+v", document.Unjudged, want)
	}
}

// A claim and its reverse are never both reproduced, whatever the margins.
func TestNoClaimWithItsReverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(1, 4).Draw(t, "rows")
		var forward, backward []margin
		for r := range rows {
			terms := rapid.SliceOfN(rapid.Float64Range(-1, 1), 5, 5).Draw(t, "parts")
			if rapid.Bool().Draw(t, "tie") {
				terms = make([]float64, 5)
			}
			reversed := make([]float64, len(terms))
			for k, term := range terms {
				reversed[k] = -term
			}
			row := fmt.Sprint(r)
			for side, terms := range map[*[]margin][]float64{&forward: terms, &backward: reversed} {
				s := number{terms: terms, by: statistics.Mean, scale: 1}
				*side = append(*side, margin{number: s, asserts: nonNegative(s), exceeds: nonNegative(s), row: row})
			}
		}
		shown := study.Query{Shown: make([]model.Column, 1)}
		for _, c := range []*study.Claim{
			{Assertions: []study.Assertion{{Query: shown}}}, {Assertions: []study.Assertion{{Query: shown, Most: []int{0}}}},
		} {
			a, b := judgeByEvidence(c, forward, 1, nil).Verdict, judgeByEvidence(c, backward, 1, nil).Verdict
			if a == Reproduced && b != NotReproduced {
				t.Fatalf("reproduced, and its reverse is %s", b)
			}
		}
	})
}

// No verdict depends on rounding errors: 0.4 − 0.1 − 0.3 is not 0 in binary, nor are the sums of
// the same numbers in two orders equal.
func TestRoundingErrorsAreTies(t *testing.T) {
	const noise = 1e-13
	cases := []struct {
		claim string
		loss  map[string]float64 // by policy, in every replication; that of c also at lambda 0.1
		want  string
	}{
		{"for: lambda, along: policy, spread: 0.3", map[string]float64{"a": 0.1, "b": 0.4}, "reproduced 3/3"},
		{"for: lambda, where: {policy: b}, against: {policy: a}, below: 0.3", map[string]float64{"a": 0.1, "b": 0.4},
			"inconclusive 3/3"},
		{"for: lambda, where: {policy: b}, against: {policy: a}, near: 0.2, within: 0.1",
			map[string]float64{"a": 0.1, "b": 0.4}, "reproduced 3/3"},
		{"for: lambda, where: {policy: b}, against: {policy: a}, as: percent, above: 50",
			map[string]float64{"a": 0.2, "b": 0.3}, "inconclusive 3/3"},
		{"for: lambda, along: policy, order: [a, b]", map[string]float64{"a": 7, "b": 7 + noise}, "inconclusive 3/3"},
		{"for: lambda, along: policy, order: [b, a]", map[string]float64{"a": 7, "b": 7 + noise}, "inconclusive 3/3"},
		{"most: lambda, along: policy, order: [a, b]", map[string]float64{"a": 7, "b": 7 + noise}, "inconclusive 3/3"},
		{"where: {lambda: 0.1}, along: policy, trend: rises", map[string]float64{"a": 7, "b": 7 - noise, "c": 8},
			"reproduced 1/1"},
		{"where: {lambda: 0.1}, against: {policy: a}, for: policy, above: 0.3",
			// margins of −5.6e-17 and 1
			map[string]float64{"a": 0.1, "b": 0.4, "c": 1.4}, "reproduced 2/2"},
	}
	for _, c := range cases {
		study := "of: rate, " + c.claim
		if !strings.Contains(study, "where") {
			study += ", where: {policy: [a, b]}"
		}
		have := judged(t, []string{study}, func(p toyPoint, _ int) *toyOutcome { return &toyOutcome{Loss: c.loss[p.Policy]} })
		if have[0] != c.want {
			t.Errorf("%s: %s, want %s", study, have[0], c.want)
		}
	}
}

// The mean margin on published numbers is over the comparisons that count of ours: at 0.2 all runs
// equal those at 0.1, so these do not count again. The largest difference of a spread is of other
// levels on published numbers and is the same comparison.
func TestMeansOverTheSameComparisons(t *testing.T) {
	more := `
claims:
  order: {of: rate, show: loss, where: {policy: [a, b]}, for: lambda, along: policy, order: [a, b]}
  spread: {of: rate, show: loss, for: lambda, along: policy, spread: 50}
  near: {of: rate, show: loss, where: {policy: a}, for: lambda, near: 30, within: 20}
tables:
  l: {of: rate, show: loss, rows: lambda, columns: policy, published: l.csv}
`
	published := map[string]string{"l.csv": `lambda,policy,metric,value,page
0.1,a,loss,10,7
0.1,b,loss,11,7
0.1,c,loss,9,7
0.2,a,loss,10,7
0.2,b,loss,20,7
0.2,c,loss,10,7
0.3,a,loss,40,7
0.3,b,loss,43,7
0.3,c,loss,36,7
`}
	claims := run(t, more, func(p toyPoint, replication int) *toyOutcome {
		if p.Lambda == 0.2 {
			p.Lambda = 0.1
		}
		return linear(p, replication)
	}, published).analyze(t).Claims
	for i, want := range []float64{(1 + 3) / 2., (50 - 2 + 50 - 7) / 2., (0 + 10) / 2.} {
		ours, published := claims[i].Ours, claims[i].Published
		if len(ours.Comparisons) != 2 || len(published.Comparisons) != 3 || published.Shared != 2 ||
			published.MeanMargin.Value != want {
			t.Errorf("%s: ours over %d comparisons, published %+v, want a mean of %v over 2", claims[i].Name,
				len(ours.Comparisons), published, want)
		}
	}
	if mean := claims[2].Published.MeanValue; mean == nil || mean.Value != (10+40)/2. {
		t.Errorf("mean value %v", mean)
	}
}

// Nor does a verdict on the paper's own numbers.
func TestRoundingErrorsOfPublishedNumbers(t *testing.T) {
	more := `
tables: {x: {of: solo, show: loss, rows: policy, published: x.csv}}
claims:
  bound: {of: solo, show: loss, where: {policy: [a, b]}, along: policy, spread: 0.3}
  tie: {of: solo, show: loss, where: {policy: [b]}, against: {policy: a}, for: policy, below: 0.3}
`
	published := map[string]string{"x.csv": "policy,metric,value,page\na,loss,0.1,7\nb,loss,0.4,7\n"}
	claims := run(t, more, linear, published).analyze(t).Claims
	for i, want := range []Verdict{Reproduced, Inconclusive} {
		if j := claims[i].Published; j == nil || j.Verdict != want || j.Holding != 1 || j.Comparisons[0].Margin.Value != 0 {
			t.Errorf("%s: %+v, want %s", claims[i].Name, j, want)
		}
	}
}

// Rounding errors of all observations change no verdict and no count of comparisons that hold.
func TestRoundingErrorsChangeNoVerdict(t *testing.T) {
	claims := []string{
		"of: rate, for: lambda, along: policy, order: [a, b, c]",
		"of: rate, most: lambda, along: policy, order: [a, [b, c]]",
		"of: rate, most: lambda, along: policy, stat: trimmed, order: [c, a]",
		"of: rate, for: lambda, along: policy, stat: median, order: [b, a]",
		"of: rate, for: lambda, along: policy, stat: sd, order: [a, b]",
		"of: rate, for: lambda, along: policy, stat: max, order: [a, b]",
		"of: rate, for: lambda, along: policy, trend: rises",
		"of: rate, for: lambda, along: policy, trend: peaks",
		"of: rate, for: lambda, along: policy, spread: 0.3",
		"of: rate, for: lambda, where: {policy: [b, c]}, against: {policy: a}, along: policy, order: [b, c]",
		"of: rate, for: [lambda, policy], where: {policy: [b, c]}, against: {policy: a}, below: 0.1",
		"of: rate, for: [lambda, policy], where: {policy: [b, c]}, against: {policy: a}, near: 0, within: 0.2",
		"of: rate, for: [lambda, policy], where: {policy: [b, c]}, against: {policy: a}, as: ratio, above: 1",
		"of: rate, for: [lambda, policy], where: {policy: [b, c]}, against: {policy: a}, as: percent, below: 50",
		"of: rate, for: lambda, along: policy, against: worst, as: improvement, order: [a, b]",
		"of: rate, over: lambda, along: policy, order: [a, b, c]",
	}
	seen := map[string]int{}
	for seed := range uint64(20) {
		draw := rand.New(rand.NewPCG(seed, 2))
		observations := map[toyPoint][4]float64{}
		for _, lambda := range []float64{0.1, 0.2, 0.3} {
			for _, policy := range []string{"a", "b", "c"} {
				var losses [4]float64
				for k := range losses {
					losses[k] = float64(4+draw.IntN(3)) / 10
					if k > 0 && draw.IntN(3) > 0 {
						losses[k] = losses[0] // many differences are then equal
					}
				}
				observations[toyPoint{Lambda: lambda, Policy: policy}] = losses
			}
		}
		script := func(noise float64) script {
			return func(p toyPoint, replication int) *toyOutcome {
				loss := observations[toyPoint{Lambda: p.Lambda, Policy: p.Policy}][replication]
				return &toyOutcome{Loss: loss * (1 + noise*(2*draw.Float64()-1))}
			}
		}
		exact, noisy := judged(t, claims, script(0)), judged(t, claims, script(1e-13))
		for i, want := range exact {
			if noisy[i] != want {
				t.Errorf("seed %d: %s: %s with rounding errors, %s without", seed, claims[i], noisy[i], want)
			}
			verdict, _, _ := strings.Cut(want, " ")
			seen[verdict]++
		}
	}
	if len(seen) < 3 {
		t.Errorf("the observations give the verdicts %v alone", seen)
	}
}

// A number of a statistic without interval says of how many replications it is.
func TestReplicationsOfExtremes(t *testing.T) {
	more := "claims: {x: {of: rate, show: loss, for: lambda, along: policy, stat: max, order: [a, b]}}\n"
	j := run(t, more, linear, nil).analyze(t).Claims[0].Ours
	if len(j.Comparisons) != 3 || j.MeanMargin.N != 4 || j.Verdict != Inconclusive {
		t.Errorf("%+v", j)
	}
	for _, c := range j.Comparisons {
		if c.Margin.N != 4 || c.Margin.HasInterval() {
			t.Errorf("%+v, want 4 replications and no interval", c.Margin)
		}
	}
}
