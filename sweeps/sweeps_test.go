// Plan tests: cells, ids of runs, overrides, problems with their lines, limits, and shards of drawn
// plans.

package sweeps

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/sweeps/study"
)

type parameters struct {
	Rate   float64       `name:"rate" range:"(0,)" unit:"1/min"`
	Policy string        `name:"policy" range:"fcfs|easy|conservative"`
	Low    model.Seconds `name:"low" range:"[0,)"`
	High   model.Seconds `name:"high" range:"[0,)"`
	Jobs   int64         `name:"jobs" range:"[1,)"`
}

type outcome struct {
	Wait float64 `name:"wait" unit:"s"`
}

var testModel = model.New(testSpec)

var testSpec = model.Spec[parameters, outcome]{
	Name: "queue", Version: 1,
	Defaults: parameters{Rate: 1, Policy: "fcfs", Low: 10, High: 20, Jobs: 100},
	Validate: func(p parameters) []model.Problem {
		if p.Low > p.High {
			return []model.Problem{{Field: "low", Text: fmt.Sprintf("%d is above high %d", p.Low, p.High)}}
		}
		return nil
	},
	Cost:     func(p parameters) float64 { return float64(p.Jobs) },
	Simulate: func(context.Context, parameters, model.Env) (outcome, error) { return outcome{}, nil },
}

// named returns an experiment of a plan.
func named(t *testing.T, plan *Plan, name string) *Experiment {
	t.Helper()
	for _, x := range plan.Experiments {
		if x.Name == name {
			return x
		}
	}
	t.Fatalf("no experiment %s is planned", name)
	return nil
}

// levelsOf returns the labels of the levels of an experiment's first factor.
func levelsOf(t *testing.T, plan *Plan, experiment string) []string {
	return study.LabelsOf(named(t, plan, experiment).Bound.Crossed[0].Levels)
}

const testStudy = `
study: queue
model: queue
set: {jobs: 50}
factors:
  rate: [0.5, 1, 2]
  policy: [fcfs, easy]
  length:
    short: {low: 1s, high: 2s}
    long: {low: 1min, high: 2min}
experiments:
  crossed: {cross: [rate, policy], rounds: 3}
  effect: {each: [rate, length], cross: [policy], rounds: 2, set: {jobs: 60}}
  cost: {cross: [policy], rounds: 2, measure: true}
  again: {repeat: [crossed, effect/rate], under: length, optional: true}
quick: {set: {jobs: 5}, levels: {rate: [1]}, rounds: 1}
`

func read(t *testing.T, text string) *configs.Study {
	t.Helper()
	file := filepath.Join(t.TempDir(), "study.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	study, err := configs.Read(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	return study
}

func expand(t *testing.T, options Options) *Plan {
	t.Helper()
	plan, err := Expand(t.Context(), read(t, testStudy), testModel, options)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// at returns the value of a parameter in a cell.
func at(c Cell, parameter string) string { return c.Point[testModel.Parameter(parameter)].String() }

func TestExpandMakesEveryCell(t *testing.T) {
	plan := expand(t, Options{})
	var got []string
	for _, x := range plan.Experiments {
		for _, c := range x.Cells {
			got = append(got, fmt.Sprintf("%s %s: rate %s policy %s low %s jobs %s x%d", x.Name, strings.Join(c.Labels, ","),
				at(c, "rate"), at(c, "policy"), at(c, "low"), at(c, "jobs"), len(c.Runs)))
		}
	}
	want := []string{
		"crossed 0.5,fcfs: rate 0.5 policy fcfs low 10s jobs 50 x3",
		"crossed 0.5,easy: rate 0.5 policy easy low 10s jobs 50 x3",
		"crossed 1,fcfs: rate 1 policy fcfs low 10s jobs 50 x3",
		"crossed 1,easy: rate 1 policy easy low 10s jobs 50 x3",
		"crossed 2,fcfs: rate 2 policy fcfs low 10s jobs 50 x3",
		"crossed 2,easy: rate 2 policy easy low 10s jobs 50 x3",
		"effect/rate 0.5,fcfs: rate 0.5 policy fcfs low 10s jobs 60 x2",
		"effect/rate 0.5,easy: rate 0.5 policy easy low 10s jobs 60 x2",
		"effect/rate 1,fcfs: rate 1 policy fcfs low 10s jobs 60 x2",
		"effect/rate 1,easy: rate 1 policy easy low 10s jobs 60 x2",
		"effect/rate 2,fcfs: rate 2 policy fcfs low 10s jobs 60 x2",
		"effect/rate 2,easy: rate 2 policy easy low 10s jobs 60 x2",
		"effect/length short,fcfs: rate 1 policy fcfs low 1s jobs 60 x2",
		"effect/length short,easy: rate 1 policy easy low 1s jobs 60 x2",
		"effect/length long,fcfs: rate 1 policy fcfs low 1min jobs 60 x2",
		"effect/length long,easy: rate 1 policy easy low 1min jobs 60 x2",
		"cost fcfs: rate 1 policy fcfs low 10s jobs 50 x2",
		"cost easy: rate 1 policy easy low 10s jobs 50 x2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestEqualPointsRunOnceAndMeasuredRunsGoFirst(t *testing.T) {
	plan := expand(t, Options{})
	// 6 points x 3 replications, (6 + 4) points x 2 replications; the points of cost are points of
	// the experiment crossed.
	if got, want := len(plan.Runs), 6*3+10*2; got != want {
		t.Errorf("%d runs, want %d", got, want)
	}
	crossed, cost := named(t, plan, "crossed"), named(t, plan, "cost")
	if diff := cmp.Diff(crossed.Cells[2].Runs[:2], cost.Cells[0].Runs); diff != "" {
		t.Errorf("the default point has two sets of runs: %s", diff)
	}
	seen := map[string]bool{}
	for i, run := range plan.Runs {
		if seen[run.ID] {
			t.Errorf("run %s is planned twice", run.ID)
		}
		seen[run.ID] = true
		if run.Measure != (i < 4) {
			t.Errorf("run %d: measured is %t", i, run.Measure)
		}
		if i > 4 && run.Replication < plan.Runs[i-1].Replication {
			t.Errorf("run %d is of replication %d, after replication %d", i, run.Replication, plan.Runs[i-1].Replication)
		}
	}
	for _, x := range plan.Experiments {
		for _, c := range x.Cells {
			for replication, i := range c.Runs {
				run := plan.Runs[i]
				if id := testModel.RunID(c.Point, plan.Seed, replication); run.ID != id || run.Replication != replication {
					t.Errorf("%s %v replication %d points at run %s of replication %d", x.Name, c.Labels, replication,
						run.ID, run.Replication)
				}
			}
		}
	}
}

// Under easy the length has no effect, so that its runs of a replication follow the first of them.
// Those of the third replication, of the experiment crossed alone, have no equal ones.
func TestRunsWithEqualOutcomesAreNeighbours(t *testing.T) {
	spec := testSpec
	spec.Canonical = func(p parameters) parameters {
		if p.Policy == "easy" {
			p.Low, p.High = 0, 0
		}
		return p
	}
	study := strings.Replace(testStudy, "set: {jobs: 60}", "set: {jobs: 50}", 1)
	plan, err := Expand(t.Context(), read(t, study), model.New(spec), Options{Experiments: []string{"crossed", "effect"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, run := range plan.Runs {
		cell := Cell{Point: run.Point}
		if at(cell, "rate") == "1" && at(cell, "policy") == "easy" || run.Equal > 0 {
			got = append(got, fmt.Sprintf("%d %s %s low %s: %d",
				run.Replication, at(cell, "rate"), at(cell, "policy"), at(cell, "low"), run.Equal))
		}
	}
	want := []string{
		"0 1 easy low 10s: 4", "0 1 easy low 1s: 4", "0 1 easy low 1min: 4",
		"1 1 easy low 10s: 4", "1 1 easy low 1s: 4", "1 1 easy low 1min: 4",
		"2 1 easy low 10s: 0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for i, run := range plan.Runs[1:] {
		if before := plan.Runs[i]; run.Equal > 0 && before.Equal != run.Equal && at(Cell{Point: run.Point}, "low") != "10s" {
			t.Errorf("run %d does not follow one with an equal outcome", i+1)
		}
	}
}

func TestQuickAndCommandLineOverride(t *testing.T) {
	text := func(s string) configs.Text { return configs.Text{Value: s} }
	plan := expand(t, Options{Quick: true, Set: []configs.Setting{{Name: text("jobs"), Value: text("7")}}})
	for _, x := range plan.Experiments {
		for _, c := range x.Cells {
			if len(c.Runs) != 1 || at(c, "jobs") != "7" {
				t.Errorf("%s %v: %d replications of %s jobs, want 1 of 7", x.Name, c.Labels, len(c.Runs), at(c, "jobs"))
			}
		}
	}
	if base := at(Cell{Point: plan.Base}, "jobs"); base != "7" {
		t.Errorf("the base point has %s jobs, want 7", base)
	}
	if n := len(named(t, plan, "crossed").Cells); n != 2 {
		t.Errorf("quick crossed has %d cells, want 2", n)
	}
	plan = expand(t, Options{Levels: []configs.Selection{
		{Dimension: text("rate"), Labels: []configs.Text{text("3"), text("4")}},
		{Dimension: text("length"), Labels: []configs.Text{text("long")}},
	}})
	if got := levelsOf(t, plan, "crossed"); cmp.Diff([]string{"3", "4"}, got) != "" {
		t.Errorf("levels of rate are %v", got)
	}
	if got := levelsOf(t, plan, "effect/length"); cmp.Diff([]string{"long"}, got) != "" {
		t.Errorf("levels of length are %v", got)
	}
}

// Levels on the command line are chosen from those of the factor, not from those of quick.
func TestLevelsOfTheCommandLineOverrideQuick(t *testing.T) {
	text := func(s string) configs.Text { return configs.Text{Value: s} }
	study := read(t, strings.Replace(testStudy, "levels: {rate: [1]}", "levels: {rate: [1], length: [short]}", 1))
	plan, err := Expand(t.Context(), study, testModel, Options{Quick: true, Levels: []configs.Selection{
		{Dimension: text("length"), Labels: []configs.Text{text("long"), text("short")}},
		{Dimension: text("rate"), Labels: []configs.Text{text("3")}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for experiment, want := range map[string][]string{"effect/length": {"long", "short"}, "effect/rate": {"3"}} {
		if diff := cmp.Diff(want, levelsOf(t, plan, experiment)); diff != "" {
			t.Errorf("levels of %s: %s", experiment, diff)
		}
	}
	plan, err = Expand(t.Context(), study, testModel, Options{Quick: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"short"}, levelsOf(t, plan, "effect/length")); diff != "" {
		t.Errorf("levels that quick leaves: %s", diff)
	}
}

func TestExperimentsByName(t *testing.T) {
	for names, want := range map[string]string{
		"":                   "crossed effect/rate effect/length cost",
		"crossed":            "crossed",
		"effect":             "effect/rate effect/length",
		"effect/rate":        "effect/rate",
		"again":              "crossed effect/rate again/crossed again/effect/rate",
		"again/crossed":      "crossed again/crossed",
		"again/effect":       "effect/rate again/effect/rate",
		"again/effect/rate":  "effect/rate again/effect/rate",
		"cost again/crossed": "crossed cost again/crossed",
	} {
		var have []string
		for _, x := range expand(t, Options{Experiments: strings.Fields(names)}).Experiments {
			have = append(have, x.Name)
		}
		if strings.Join(have, " ") != want {
			t.Errorf("%q plans %v, want %s", names, have, want)
		}
	}
	again := expand(t, Options{Experiments: []string{"again/crossed"}}).Experiments[1]
	if again.Name != "again/crossed" || len(again.Cells) != 2*3*2 || again.Most != 3 {
		t.Errorf("again is %s with %d cells and %d replications", again.Name, len(again.Cells), again.Most)
	}
}

// An added level, another experiment or a permuted file renames no run.
func TestIDsDependOnThePointAlone(t *testing.T) {
	ids := func(study string) map[string]bool {
		plan, err := Expand(t.Context(), read(t, study), testModel, Options{})
		if err != nil {
			t.Fatal(err)
		}
		ids := map[string]bool{}
		for _, run := range plan.Runs {
			ids[run.ID] = true
		}
		return ids
	}
	before := ids(testStudy)
	after := ids(strings.Replace(testStudy, "rate: [0.5, 1, 2]", "rate: [4, 2.0, 1, 0.50]", 1))
	for id := range before {
		if !after[id] {
			t.Fatalf("run %s has another name after a level was added", id)
		}
	}
	if len(after) <= len(before) {
		t.Error("an added level adds no run")
	}
	for id := range ids(testStudy + "seed: 2\n") {
		if before[id] {
			t.Fatalf("run %s has the same name with another seed", id)
		}
	}
}

func TestExpandReportsEveryProblemOnce(t *testing.T) {
	text := func(s string) configs.Text { return configs.Text{Value: s, Pos: configs.Pos{File: "--set"}} }
	for _, c := range []struct {
		name, from, to string
		options        Options
		want           []string
	}{
		{"unknown parameter", "jobs: 50", "job: 50", Options{}, []string{"study.yaml:4:7: set.job: ", "did you mean jobs?"}},
		{"out of range", "jobs: 50", "jobs: 0", Options{},
			[]string{"set.jobs: 0 is outside the range: it must be at least 1"}},
		{"not a whole number", "jobs: 50", "jobs: 1.9", Options{}, []string{`"1.9" is not a whole number`}},
		{"negative rate", "[0.5, 1, 2]", "[-0.5, 1, 2]", Options{},
			[]string{"study.yaml:6:10: factors.rate: -0.5 is outside"}},
		{"unknown choice", "[fcfs, easy]", "[fcfs, eazy]", Options{},
			[]string{`"eazy" is not one of fcfs, easy, conservative`}},
		{"same value twice", "[0.5, 1, 2]", "[0.5, 1, 0.50]", Options{}, []string{"0.50"}},
		{"no unit", "low: 1s", "low: 1", Options{}, []string{`"1" is not a duration`}},
		{"contradiction", "low: 1s", "low: 5s", Options{},
			[]string{"factors.length.short.low: 5 is above high 2 (level short of length)"}},
		{"--set of a factor", "", "", Options{Set: []configs.Setting{{Name: text("rate"), Value: text("1"), Key: "rate"}}},
			[]string{"--set: rate: ", "--levels rate=..."}},
		{"--set of named settings", "", "", Options{Set: []configs.Setting{{Name: text("low"), Value: text("5s"),
			Key: "low"}}},
			[]string{"by factor length, whose levels would win; they are named settings, so give others in a study file that " +
				"extends"}},
		{"unknown experiment", "", "", Options{Experiments: []string{"crosed"}}, []string{"did you mean crossed?"}},
		{"unknown factor", "", "", Options{Levels: []configs.Selection{{Dimension: text("rat")}}},
			[]string{"did you mean rate?"}},
		{"unknown level", "", "",
			Options{Levels: []configs.Selection{{Dimension: text("length"), Labels: []configs.Text{text("lng")}}}},
			[]string{`factor length has no level "lng"`}},
		{"level twice", "", "",
			Options{Levels: []configs.Selection{{Dimension: text("length"), Labels: []configs.Text{text("long"),
				text("long")}}}},
			[]string{"length: level long comes twice"}},
		{"in an experiment", "jobs: 60", "job: 60", Options{}, []string{"experiments.effect.set.job: model queue has no"}},
		{"in one that is not chosen", "jobs: 60", "jobs: 0", Options{Experiments: []string{"crossed"}},
			[]string{"experiments.effect.set.jobs: 0 is outside"}},
		{"in quick, which is not", "{jobs: 5}", "{jobs: 0}", Options{}, []string{"quick.set.jobs: 0 is outside"}},
		{"contradiction with a default", "set: {jobs: 50}", "set: {high: 5s}", Options{},
			[]string{"study.yaml:4:13: set.high: low: 10 is above high 5\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			study := strings.Replace(testStudy, c.from, c.to, 1)
			file := filepath.Join(t.TempDir(), "study.yaml")
			if err := os.WriteFile(file, []byte(study), 0o600); err != nil {
				t.Fatal(err)
			}
			parsed, err := configs.Read(t.Context(), file)
			if err == nil {
				_, err = Expand(t.Context(), parsed, testModel, c.options)
			}
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error does not say %q:\n%v", want, err)
				}
			}
		})
	}
	_, err := Expand(t.Context(), read(t, strings.NewReplacer("jobs: 50", "jobs: 0", "[0.5, 1, 2]",
		"[-0.5, 1, 2]").Replace(testStudy)),
		testModel, Options{})
	if got := strings.Count(fmt.Sprint(err), "outside the range"); got != 2 {
		t.Errorf("two mistakes are reported %d times:\n%v", got, err)
	}
	// Contradictions are reported beside values out of range, unless such a value may cause them.
	both := strings.NewReplacer("low: 1s", "low: 5s", "[0.5, 1, 2]", "[-0.5, 1, 2]").Replace(testStudy)
	_, err = Expand(t.Context(), read(t, both), testModel, Options{})
	for _, want := range []string{"-0.5 is outside", "5 is above high 2 (level short of length)"} {
		if !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%q is missing:\n%v", want, err)
		}
	}
	_, err = Expand(t.Context(), read(t, strings.Replace(testStudy, "set: {jobs: 50}", "set: {high: 5s, low: 1}", 1)),
		testModel, Options{})
	if text := fmt.Sprint(err); strings.Count(text, "study.yaml:") != 1 || !strings.Contains(text,
		`"1" is not a duration`) {
		t.Errorf("a malformed value counts as the default:\n%v", err)
	}
}

// A model whose spec breaks the rules has no plan.
func TestExpandChecksTheSpec(t *testing.T) {
	spec := testSpec
	spec.Cost = nil
	if _, err := Expand(t.Context(), read(t, testStudy), model.New(spec), Options{}); err == nil ||
		!strings.Contains(err.Error(), "Cost of its Spec is not set") {
		t.Errorf("error %v", err)
	}
}

// A plan with more runs than its limit is refused before it is made, also if its experiments share
// runs.
func TestExpandCountsRunsFirst(t *testing.T) {
	study := read(t, testStudy)
	plan, err := Expand(t.Context(), study, testModel, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = Expand(t.Context(), study, testModel, Options{MaxRuns: len(plan.Runs)}); err != nil {
		t.Errorf("a plan of %d runs is refused at a limit of as many: %v", len(plan.Runs), err)
	}
	_, err = Expand(t.Context(), study, testModel, Options{MaxRuns: len(plan.Runs) - 1})
	if want := fmt.Sprintf("a plan has at most %d", len(plan.Runs)-1); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a plan of one run above the limit gives %v", err)
	}
	x := plan.Experiments[0]
	_, err = Expand(t.Context(), study, testModel, Options{MaxRuns: len(plan.Runs),
		Replications: map[string]int{x.CellName(x.Cells[0]): 1000}})
	if err == nil || !strings.Contains(err.Error(), "raise the limit with --max-runs\n") {
		t.Errorf("replications beyond those of the study are not left out of the advice: %v", err)
	}
	rates := configs.Selection{Dimension: configs.Text{Value: "rate"}}
	for i := range 1000 {
		rates.Labels = append(rates.Labels, configs.Text{Value: fmt.Sprint(i + 1)})
	}
	huge := read(t, strings.ReplaceAll(testStudy, "rounds: 3", "rounds: 1000000"))
	_, err = Expand(t.Context(), huge, testModel, Options{Levels: []configs.Selection{rates},
		Experiments: []string{"crossed"}})
	for _, want := range []string{
		"experiments.crossed: has 2,000,000,000 runs, 1,000 of rate x 2 of policy x 1,000,000 replications; a plan has " +
			"at most 200,000",
		"--max-runs 2000000000", "study.yaml:",
	} {
		if !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%q is missing: %v", want, err)
		}
	}
}

// For any n the shards are disjoint and together the plan.
func TestShardsPartitionThePlan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan := &Plan{}
		for i := range rapid.IntRange(0, 60).Draw(t, "runs") {
			cost := rapid.Float64Range(1e-3, 1e3).Draw(t, "cost")
			plan.Runs = append(plan.Runs, Run{ID: fmt.Sprint(i), Cost: cost})
		}
		n := rapid.IntRange(1, 80).Draw(t, "n")
		var union []Run
		for i := 1; i <= n; i++ {
			union = append(union, plan.Shard(Shard{i, n})...)
		}
		if diff := cmp.Diff(plan.Runs, union, cmp.AllowUnexported(model.Value{})); diff != "" {
			t.Error(diff)
		}
	})
}

func TestShardsAreBalanced(t *testing.T) {
	plan := &Plan{}
	for i := range 1000 {
		plan.Runs = append(plan.Runs, Run{Cost: float64(1 + i%7)})
	}
	for i := 1; i <= 7; i++ {
		share := Cost(plan.Shard(Shard{i, 7})) / Cost(plan.Runs)
		if share < 1.0/7-0.01 || share > 1.0/7+0.01 {
			t.Errorf("shard %d has %.3f of the work", i, share)
		}
	}
}

func TestCuts(t *testing.T) {
	for _, c := range []struct {
		work []float64
		want []int
	}{
		{nil, []int{0, 0, 0}},
		{[]float64{1, 1}, []int{0, 1, 2}},
		{[]float64{1, 1, 1}, []int{0, 1, 3}},
		{[]float64{9, 1, 1}, []int{0, 1, 3}},
		{[]float64{1, 1, 9}, []int{0, 2, 3}},
		{[]float64{0, 0, 5, 5, 0, 0}, []int{0, 3, 6}}, // runs without work join a neighbour
		{[]float64{0, 0, 0, 0}, []int{0, 2, 4}},
		{[]float64{7}, []int{0, 0, 1}},
	} {
		if got := Cuts(c.work, 2); !slices.Equal(got, c.want) {
			t.Errorf("%v is cut at %v, want %v", c.work, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		work := rapid.SliceOf(rapid.SampledFrom([]float64{0, 0, 1, 2, 0.1, 50})).Draw(t, "work")
		n := rapid.IntRange(1, 20).Draw(t, "n")
		cuts := Cuts(work, n)
		if len(cuts) != n+1 || cuts[0] != 0 || cuts[n] != len(work) || !slices.IsSorted(cuts) {
			t.Fatalf("%v is cut at %v", work, cuts)
		}
		total, most := 0.0, 0.0
		for _, w := range work {
			total, most = total+w, max(most, w)
		}
		for i := range n {
			share := 0.0
			for _, w := range work[cuts[i]:cuts[i+1]] {
				share += w
			}
			if share > total/float64(n)+most+1e-9 {
				t.Errorf("shard %d of %d has %g of %g", i, n, share, total)
			}
		}
	})
}

func TestParseShard(t *testing.T) {
	for _, bad := range []string{"", "1", "0/3", "4/3", "a/b", "1/0", "-1/2", "1/2/3", "1.5/2"} {
		if s, err := ParseShard(bad); err == nil {
			t.Errorf("ParseShard(%q) = %v", bad, s)
		}
	}
	if s, err := ParseShard("2/7"); err != nil || s != (Shard{2, 7}) || s.String() != "2/7" {
		t.Errorf("ParseShard(2/7) = %v, %v", s, err)
	}
}

// BenchmarkExpand plans 100,000 runs, which must take at most a second.
func BenchmarkExpand(b *testing.B) {
	var levels []string
	for i := range 5000 {
		levels = append(levels, fmt.Sprint(i+1))
	}
	text := strings.NewReplacer("[0.5, 1, 2]", "["+strings.Join(levels, ", ")+"]", "rounds: 3",
		"rounds: 10").Replace(testStudy)
	file := filepath.Join(b.TempDir(), "study.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	study, err := configs.Read(b.Context(), file)
	if err != nil {
		b.Fatal(err)
	}
	runs := 0
	for b.Loop() {
		plan, err := Expand(b.Context(), study, testModel, Options{Experiments: []string{"crossed"}})
		if err != nil {
			b.Fatal(err)
		}
		runs = len(plan.Runs)
	}
	b.ReportMetric(float64(runs)*float64(b.N)/b.Elapsed().Seconds(), "runs/s")
}
