// The toy model of these tests: a study file head, a script that gives the outcome of each run, and
// functions that plan, run, store and analyse it.

package analysis

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/results"
	"gridsweep/sweeps"
)

// toyPoint, toyOutcome and the types below are those of a model whose outcomes a script gives.
type toyPoint struct {
	Lambda float64       `name:"lambda" alias:"arrival_rate" symbol:"λ" unit:"1/min" doc:"arrival rate"`
	Policy string        `name:"policy" range:"a|b|c|d" doc:"policy"`
	Gap    model.Seconds `name:"gap" doc:"time between updates"`
	Mode   string        `name:"mode" doc:"an alternative assumption"`
}

type toyOutcome struct {
	Loss  float64        `name:"loss" unit:"%" symbol:"B" doc:"share of jobs lost"`
	Wait  float64        `name:"wait" unit:"s" doc:"mean wait"`
	Odd   *float64       `name:"odd" doc:"undefined in some runs"`
	Place float64        `name:"place" doc:"position on the axis"`
	Sites []toySite      `table:"sites" doc:"one row for each site"`
	Plan  []toyRectangle `table:"plan" doc:"rectangles"`
}

type toySite struct {
	Site string  `name:"site" key:"" doc:"site"`
	Load float64 `name:"load" range:"[0,1]" doc:"load of the site"`
}

type toyRectangle struct {
	Shows     string        `name:"kind" key:"" doc:"offered, chosen or task"`
	Number    int64         `name:"number" key:"" doc:"its number"`
	Start     model.Seconds `name:"start" doc:"start"`
	End       *float64      `name:"end" unit:"s" doc:"end"`
	Processor int64         `name:"processor" doc:"lowest processor"`
	Procs     int64         `name:"procs" doc:"processors"`
	Share     float64       `name:"share" unit:"%" doc:"share of them"`
}

// toy is a study with the rows of its runs.
type toy struct {
	plan    *sweeps.Plan
	dataset stored
	rows    []results.Run
}

// stored reads the rows that its dataset has at the time of each call.
type stored struct{ *results.Dataset }

func (s stored) Read(ctx context.Context, table string, columns []string, ids map[string]bool) (*results.Frame, error) {
	snapshot, err := s.Snapshot(ctx, 0)
	if err != nil {
		return nil, err
	}
	return snapshot.Read(ctx, table, columns, ids)
}

// script returns the outcome of a run; nil for a run that fails.
type script func(p toyPoint, replication int) *toyOutcome

// head is the beginning of a study file that most tests share.
const head = `
study: toy
title: Toy
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

// run plans the study of a file, head and more, runs it by the script and writes the rows.
func run(t *testing.T, more string, s script, published map[string]string) *toy {
	t.Helper()
	return runStudy(t, head+more, s, published)
}

// runStudy does the same for a whole study file.
func runStudy(t *testing.T, file string, s script, published map[string]string) *toy {
	t.Helper()
	return runPlan(t, toyModel(s), readStudy(t, file, published), sweeps.Options{})
}

func readStudy(t *testing.T, text string, published map[string]string) *configs.Study {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "toy.yaml")
	if err := os.MkdirAll(filepath.Join(dir, "published"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range published {
		if err := os.WriteFile(filepath.Join(dir, "published", name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	study, err := configs.Read(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	return study
}

// replicationKey is the key under which the context has the replication of a scripted run.
type replicationKey struct{}

func toyModel(s script) *model.Model {
	return model.New(model.Spec[toyPoint, toyOutcome]{
		Name: "toy", Title: "toy", Version: 1,
		Defaults: toyPoint{Lambda: 0.1, Policy: "a", Gap: 60, Mode: "plain"},
		Validate: func(toyPoint) []model.Problem { return nil },
		Cost:     func(toyPoint) float64 { return 1 },
		Simulate: func(ctx context.Context, p toyPoint, _ model.Env) (toyOutcome, error) {
			if outcome := s(p, ctx.Value(replicationKey{}).(int)); outcome != nil {
				return *outcome, nil
			}
			return toyOutcome{}, os.ErrInvalid
		},
	})
}

func runPlan(t *testing.T, m *model.Model, study *configs.Study, options sweeps.Options) *toy {
	t.Helper()
	plan, err := sweeps.Expand(t.Context(), study, m, options)
	if err != nil {
		t.Fatal(err)
	}
	dataset, err := results.Open(t.TempDir(), "toy", m)
	if err != nil {
		t.Fatal(err)
	}
	var rows []results.Run
	for _, r := range plan.Runs {
		ctx := context.WithValue(t.Context(), replicationKey{}, r.Replication)
		outcome, err := m.Simulate(ctx, r.Point, m.Env(plan.Seed, r.Replication, nil))
		if err != nil {
			continue
		}
		rows = append(rows, results.Run{
			ID: r.ID, Seed: plan.Seed, Replication: r.Replication, Point: r.Point, Outcome: outcome,
			Timings: []results.Timing{
				{Machine: "here", Measured: r.Measure, Section: "run", Seconds: float64(2 + r.Replication), Items: 1},
				{Machine: "here", Measured: r.Measure, Section: "request", Seconds: 1, Items: int64(1 + r.Replication)},
			},
		})
	}
	if len(rows) > 0 {
		if err := dataset.WriteBatch(rows, results.Provenance{Machine: "here"}); err != nil {
			t.Fatal(err)
		}
	}
	return &toy{plan, stored{dataset}, rows}
}

// experiment returns an experiment of the plan.
func (x *toy) experiment(t *testing.T, name string) *sweeps.Experiment {
	t.Helper()
	for _, e := range x.plan.Experiments {
		if e.Name == name {
			return e
		}
	}
	t.Fatalf("no experiment %s is planned", name)
	return nil
}

func (x *toy) analyze(t *testing.T) *Result {
	t.Helper()
	result, err := Analyze(t.Context(), x.plan, x.dataset, "here", nil)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// linear gives a loss of 100·lambda, 1 more for b and 3 more for c, plus a disturbance of the
// replication, common to all policies, and a small one of each policy.
func linear(p toyPoint, replication int) *toyOutcome {
	loss := 100*p.Lambda + map[string]float64{"a": 0, "b": 1, "c": 3}[p.Policy]
	loss += []float64{5, -5, 2, -2}[replication]
	loss += []float64{0.01, 0.02, -0.01, -0.02}[(replication+len(p.Policy)+int(p.Policy[0]))%4]
	return &toyOutcome{Loss: loss, Wait: 10 * loss, Place: float64(p.Gap) / 60}
}
