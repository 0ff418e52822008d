// A small study for the tests: waiting times of jobs of a workload that all policies of a
// replication share, its plans, and helpers that run a plan and return the digest of its rows.

package pipeline

import (
	"context"
	"strconv"
	"testing"

	"gridsweep/model"
	"gridsweep/results"
	"gridsweep/sweeps"
	"gridsweep/sweeps/study"
)

// queueing is the parameters of a small fake study: jobs of a workload that all policies of a
// replication share.
type queueing struct {
	Load   float64 `name:"load" range:"(0,)"`
	Policy string  `name:"policy" range:"fcfs|easy|random"`
	Jobs   int64   `name:"jobs" range:"[0,)"`
}

type waits struct {
	Mean  float64  `name:"mean_wait"`
	First *float64 `name:"first_wait"`
	Waits []wait   `table:"waits"`
}

type wait struct {
	Job  int64   `name:"job" key:""`
	Wait float64 `name:"wait"`
}

// workload is the key of the workload that runs share by Memo; base that of a value that a nested
// Memo derives from it.
type (
	workload struct{ load float64 }
	base     struct{ workload }
)

func drawWorkload(_ context.Context, key workload, env model.Env) ([]float64, error) {
	defer env.Span("never", 1)()
	stream := env.Seed.Stream("workload")
	gaps := make([]float64, 20)
	for i := range gaps {
		gaps[i] = stream.Exp() / key.load
	}
	return gaps, nil
}

func drawBase(ctx context.Context, key base, env model.Env) (float64, error) {
	gaps, err := model.Memo(ctx, env, key.workload, drawWorkload)
	if err != nil {
		return 0, err
	}
	return gaps[0] + gaps[1], nil
}

func simulateQueueing(ctx context.Context, p queueing, env model.Env) (waits, error) {
	gaps, err := model.Memo(ctx, env, workload{p.Load}, drawWorkload)
	if err != nil {
		return waits{}, err
	}
	reference, err := model.Memo(ctx, env.Common(), base{workload{p.Load}}, drawBase)
	if err != nil {
		return waits{}, err
	}
	end := env.Span("requests", int(p.Jobs))
	defer end()
	stream := env.Seed.Stream(p.Policy)
	out := waits{Mean: reference}
	for job := range p.Jobs {
		w := float64(stream.Float64()*gaps[int(job)%len(gaps)]) + reference
		out.Waits = append(out.Waits, wait{job, w})
		out.Mean += w
	}
	if p.Policy == "easy" {
		out.First = &out.Mean
	}
	return out, nil
}

// queueingModel returns the fake study. Each simulation first calls before, unless it is nil, and
// returns its error.
func queueingModel(before func(context.Context, queueing) error) *model.Model {
	return model.New(model.Spec[queueing, waits]{
		Name: "queueing", Title: "a queue", Version: 1,
		Defaults: queueing{Load: 1, Policy: "fcfs", Jobs: 5},
		Validate: func(queueing) []model.Problem { return nil },
		Cost:     func(p queueing) float64 { return float64(p.Jobs + 1) },
		Simulate: func(ctx context.Context, p queueing, env model.Env) (waits, error) {
			if before != nil {
				if err := before(ctx, p); err != nil {
					return waits{}, err
				}
			}
			return simulateQueueing(ctx, p, env)
		},
	})
}

// newPlan plans experiment "main" of all loads and policies, replications outermost; jobs is a
// fixed parameter.
func newPlan(m *model.Model, seed, jobs int64, loads []float64, replications int) *sweeps.Plan {
	plan := &sweeps.Plan{Study: &study.Study{Name: "fake"}, Model: m, Seed: seed}
	policies := []string{"fcfs", "easy", "random"}
	main := &sweeps.Experiment{Name: "main", Most: replications, Bound: &study.Experiment{Crossed: []study.Crossed{
		{Factor: &study.Factor{Name: "load"}}, {Factor: &study.Factor{Name: "policy"}},
	}}}
	for _, load := range loads {
		text := strconv.FormatFloat(load, 'g', -1, 64)
		for _, policy := range policies {
			point := model.Point{model.FloatValue(load), model.StringValue(policy), model.IntValue(jobs)}
			main.Cells = append(main.Cells, sweeps.Cell{Labels: []string{text, policy}, Point: point})
		}
	}
	for replication := range replications {
		for i := range main.Cells {
			cell := &main.Cells[i]
			cell.Runs = append(cell.Runs, len(plan.Runs))
			plan.Runs = append(plan.Runs, sweeps.Run{
				ID: m.RunID(cell.Point, seed, replication), Point: cell.Point, Replication: replication, Cost: m.Cost(cell.Point),
			})
		}
	}
	plan.Experiments = []*sweeps.Experiment{main}
	return plan
}

// smallPlan has 4 replications of 9 runs.
func smallPlan(m *model.Model) *sweeps.Plan { return newPlan(m, 1, 5, []float64{0.5, 1, 2}, 4) }

func openDataset(t testing.TB, dir string, m *model.Model) *results.Dataset {
	t.Helper()
	dataset, err := results.Open(dir, "fake", m)
	if err != nil {
		t.Fatal(err)
	}
	return dataset
}

func snapshotOf(t testing.TB, dataset *results.Dataset) *results.Snapshot {
	t.Helper()
	snapshot, err := dataset.Snapshot(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	return snapshot
}

// mustRun runs all of a plan and checks that every run is accounted for.
func mustRun(t testing.TB, plan *sweeps.Plan, dataset *results.Dataset, options Options) Summary {
	t.Helper()
	summary, err := Run(t.Context(), plan, plan.Runs, snapshotOf(t, dataset), options)
	if err != nil {
		t.Fatal(err)
	}
	if summary.Total != len(plan.Runs) || summary.Interrupted {
		t.Fatalf("%+v", summary)
	}
	return summary
}

// digestOf returns the digest of the plan's runs and checks that all of them are there.
func digestOf(t testing.TB, plan *sweeps.Plan, dataset *results.Dataset) string {
	t.Helper()
	digest, err := snapshotOf(t, dataset).Digest(t.Context(), IDs(plan.Runs))
	if err != nil {
		t.Fatal(err)
	}
	return digest
}

// referenceDigest returns the digest of the plan's rows made by one worker without memo.
func referenceDigest(t testing.TB, plan *sweeps.Plan) string {
	t.Helper()
	dataset := openDataset(t, t.TempDir(), plan.Model)
	mustRun(t, plan, dataset, Options{Workers: 1})
	return digestOf(t, plan, dataset)
}
