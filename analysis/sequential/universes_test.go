// Verdicts in universes: which cells get more replications, and until when.

package sequential

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gridsweep/analysis"
	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/results"
	"gridsweep/sweeps"
)

// choices is a study with an assumption. "b above a" is clear by default, needs many replications
// under near, and under same none decide it; under flipped it fails, so that what presupposes it is
// vacuous.
const choices = `
study: toy
model: toy
factors: {policy: [a, b]}
assumptions:
  distance: {doc: d, source: s, default: far, why: w, levels: {near: {distance: 1}, same: {distance: 0},
    flipped: {distance: -20}}}
experiments:
  solo: {cross: [policy], rounds: 3}
  open: {repeat: solo, assumptions: all, rounds: 3}
claims:
  loss of a: {of: solo, show: loss, where: {policy: [a]}, below: 10.5, presupposes: b above a}
  b above a: {of: solo, show: loss, along: policy, order: [a, b]}
`

type toyPoint struct {
	Policy   string  `name:"policy" range:"a|b" doc:"policy"`
	Distance float64 `name:"distance" doc:"distance of b from a"`
}

type toyOutcome struct {
	Loss float64 `name:"loss" doc:"jobs lost"`
}

// toy gives b the loss of a and the distance; unless that is 0 it has noise of its own.
var toy = model.New(model.Spec[toyPoint, toyOutcome]{
	Name: "toy", Title: "toy", Version: 1, Defaults: toyPoint{Policy: "a", Distance: 40},
	Validate: func(toyPoint) []model.Problem { return nil },
	Cost:     func(toyPoint) float64 { return 1 },
	Simulate: func(_ context.Context, p toyPoint, env model.Env) (toyOutcome, error) {
		loss := 10 + float64(env.Replication%5) - 2
		if p.Policy == "b" && p.Distance != 0 {
			loss += p.Distance + []float64{1.5, -2, 0.5, -1, 2, -1.25, 0.25}[env.Replication%7]
		}
		return toyOutcome{loss}, nil
	},
})

// stored reads the rows that its dataset has at the time of each call.
type stored struct{ *results.Dataset }

func (s stored) Read(ctx context.Context, table string, columns []string, ids map[string]bool) (*results.Frame, error) {
	snapshot, err := s.Snapshot(ctx, 0)
	if err != nil {
		return nil, err
	}
	return snapshot.Read(ctx, table, columns, ids)
}

// until adds replications until the targets are reached or a cell has the most, and returns the
// looks with the last plan. After each look it calls seen.
func until(t *testing.T, most int, seen func(*Looks), texts ...string) (*Looks, *sweeps.Plan) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "toy.yaml")
	if err := os.WriteFile(path, []byte(choices), 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := configs.Read(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	var targets []Target
	for _, text := range texts {
		target, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		targets = append(targets, target)
	}
	expand := func(replications map[string]int) *sweeps.Plan {
		plan, err := sweeps.Expand(t.Context(), file, toy, sweeps.Options{Replications: replications})
		if err != nil {
			t.Fatal(err)
		}
		return plan
	}
	plan := expand(nil)
	looks, err := New(targets, most, plan)
	if err != nil {
		t.Fatal(err)
	}
	dataset, err := results.Open(t.TempDir(), "toy", toy)
	if err != nil {
		t.Fatal(err)
	}
	written := map[string]bool{}
	for {
		plan = expand(looks.Replications)
		var rows []results.Run
		for _, r := range plan.Runs {
			if written[r.ID] {
				continue
			}
			outcome, err := toy.Simulate(t.Context(), r.Point, toy.Env(plan.Seed, r.Replication, nil))
			if err != nil {
				t.Fatal(err)
			}
			written[r.ID] = true
			rows = append(rows, results.Run{
				ID: r.ID, Seed: plan.Seed, Replication: r.Replication, Point: r.Point, Outcome: outcome,
			})
		}
		if len(rows) > 0 {
			if err := dataset.WriteBatch(rows, results.Provenance{}); err != nil {
				t.Fatal(err)
			}
		}
		grew, err := looks.Look(t.Context(), plan, stored{dataset}, "here")
		if err != nil {
			t.Fatal(err)
		}
		seen(looks)
		if !grew {
			return looks, plan
		}
	}
}

// Each universe gets as many replications as its verdicts need: none more where they are clear or
// cannot change, those of the study's own experiments stay, and a verdict stays once it is reached.
func TestDecidedInUniverses(t *testing.T) {
	reached := map[analysis.Subject]analysis.Decision{}
	looks, plan := until(t, 200, func(l *Looks) {
		for subject, d := range l.Decisions {
			before, isKnown := reached[subject]
			if isKnown && fmt.Sprint(before) != fmt.Sprint(d) {
				t.Errorf("%v changes from %+v to %+v", subject, before, d)
			}
			if d.IsDecided() {
				reached[subject] = d
			}
		}
	}, "decided in open")
	replications := map[string]int{}
	for _, e := range plan.Experiments {
		for _, cell := range e.Cells {
			replications[e.CellName(cell)] = len(cell.Runs)
		}
	}
	verdict := func(claim, universe string) analysis.Decision {
		return looks.Decisions[analysis.Subject{Claim: claim, Experiment: "open", Universe: universe}]
	}
	for universe, want := range map[string]analysis.Verdict{
		"default": analysis.Reproduced, "distance: near": analysis.Reproduced, "distance: same": analysis.Inconclusive,
		"distance: flipped": analysis.NotReproduced,
	} {
		d := verdict("b above a", universe)
		if d.Verdict != want {
			t.Errorf("under %s: %+v, want %s", universe, d, want)
		}
		cell := "open/solo universe=" + universe
		a, b := replications[cell+" policy=a"], replications[cell+" policy=b"]
		if d.IsDecided() && d.Replications != b {
			t.Errorf("under %s b has %d replications, decided with %d", universe, b, d.Replications)
		}
		if isGrown := b > 3; isGrown != (universe == "distance: near") {
			t.Errorf("under %s: a has %d and b %d replications", universe, a, b)
		}
		of := verdict("loss of a", universe)
		if isVacuous := of.Verdict == analysis.Vacuous; isVacuous != (want == analysis.NotReproduced) {
			t.Errorf("under %s loss of a is %+v", universe, of)
		}
	}
	if replications["solo policy=a"] != 3 || replications["open/solo universe=default policy=a"] <= 3 {
		t.Errorf("by default a has %d replications, in open %d", replications["solo policy=a"],
			replications["open/solo universe=default policy=a"])
	}
	sentence := strings.Join(looks.Sentences(), "; ")
	want := fmt.Sprintf("decided in open: 7 of 8 verdicts were reached after %d looks, with at most ", looks.Number)
	if !strings.HasPrefix(sentence, want) || !strings.HasSuffix(sentence, "; no number of replications changes 1") {
		t.Error(sentence)
	}
}

// Each target about claims has the verdicts on its experiment, also beside others; without one it
// has those on the study's own experiments.
func TestSeveralTargets(t *testing.T) {
	ignore := func(*Looks) {}
	looks, _ := until(t, 30, ignore, "decided in solo", "decided in open/solo", "loss +-2")
	if n, m := len(looks.Subjects[0]), len(looks.Subjects[1]); n != 2 || m != 8 || len(looks.Decisions) != n+m {
		t.Errorf("%d claims and %d verdicts in universes, decided %d", n, m, len(looks.Decisions))
	}
	isOther := func(s analysis.Subject) bool { return s.Experiment != "" }
	if slices.ContainsFunc(looks.Subjects[0], isOther) {
		t.Errorf("decided in solo has %v", looks.Subjects[0])
	}
	alone, _ := until(t, 30, ignore, "decided")
	if fmt.Sprint(alone.Subjects[0]) != fmt.Sprint(looks.Subjects[0]) {
		t.Errorf("decided: %v; decided in solo: %v", alone.Subjects[0], looks.Subjects[0])
	}
	for name := range alone.Replications {
		if strings.HasPrefix(name, "open") {
			t.Errorf("decided adds replications to %s", name)
		}
	}
}
