package pipeline

// The check of a plan before its runs: the calls of the model's check and the opened logs are
// counted, and the error is compared, for a plan of two traces of which one has too few jobs.

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/model"
	"gridsweep/model/trace"
	"gridsweep/sweeps"
	"gridsweep/sweeps/study"
)

type checked struct {
	Policy string `name:"policy" range:"fcfs|easy"`
	Trace  string `name:"trace"`
}

// Each point is checked once, with the number of its replications in the whole plan. A trace is
// read once, and no more points are checked after an error in it.
func TestCheck(t *testing.T) {
	type call struct {
		Policy, Trace string
		Rounds        int
	}
	var calls []call
	m := model.New(model.Spec[checked, waits]{
		Name: "checked", Version: 1,
		Defaults: checked{Policy: "fcfs", Trace: model.TraceAuto},
		Validate: func(checked) []model.Problem { return nil },
		Traces:   func(p checked) []string { return []string{model.TraceName(p.Trace)} },
		Check: func(ctx context.Context, p checked, rounds int, env model.Env) error {
			calls = append(calls, call{p.Policy, p.Trace, rounds})
			log, err := env.Trace(ctx, model.TraceName(p.Trace))
			if err == nil && len(log.Jobs) < rounds {
				err = errors.New("too few jobs")
			}
			return err
		},
		Cost:     func(checked) float64 { return 1 },
		Simulate: func(context.Context, checked, model.Env) (waits, error) { return waits{}, nil },
	})
	plan := &sweeps.Plan{Study: &study.Study{Name: "fake"}, Model: m, Seed: 1}
	grid := sweeps.Experiment{Name: "grid", Dimensions: []sweeps.Dimension{{Name: "trace"}, {Name: "policy"}}}
	for _, read := range []string{"long@1", "short@2"} {
		for _, policy := range []string{"fcfs", "easy"} {
			point := model.Point{model.StringValue(policy), model.StringValue(read)}
			cell := sweeps.Cell{Labels: []string{model.TraceName(read), policy}, Point: point}
			for round := range 3 {
				cell.Runs = append(cell.Runs, len(plan.Runs))
				plan.Runs = append(plan.Runs, sweeps.Run{ID: m.RunID(point, 1, round), Point: point, Round: round})
			}
			grid.Cells = append(grid.Cells, cell)
		}
	}
	plan.Experiments = []sweeps.Experiment{grid}
	opened := 0
	open := func(_ context.Context, reference string) (*trace.Log, error) {
		opened++
		return &trace.Log{Jobs: make([]trace.Job, map[string]int{"long@1": 3, "short@2": 2}[reference])}, nil
	}
	// A shard that has only the first replications.
	err := Check(t.Context(), plan, []sweeps.Run{plan.Runs[0], plan.Runs[3], plan.Runs[6], plan.Runs[9]}, open)
	if err == nil || err.Error() != "grid trace=short policy=fcfs: too few jobs" {
		t.Errorf("error %v", err)
	}
	want := []call{{"fcfs", "long@1", 3}, {"easy", "long@1", 3}, {"fcfs", "short@2", 3}}
	if diff := cmp.Diff(want, calls); diff != "" || opened != 2 {
		t.Errorf("%d logs opened, want 2; calls: %s", opened, diff)
	}
	if err := Check(t.Context(), plan, plan.Runs[:6], open); err != nil {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Check(ctx, plan, plan.Runs, func(ctx context.Context, _ string) (*trace.Log, error) {
		return nil, ctx.Err()
	}); !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "grid") {
		t.Errorf("interrupted: error %v", err)
	}
}
