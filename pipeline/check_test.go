// The check of a plan before its runs: the calls of the model's check and the opened logs are
// counted, and the error is compared, for a plan of two traces of which one has too few jobs.

package pipeline

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/model/trace"
	"gridsweep/sweeps"
)

type checked struct {
	Policy string `name:"policy" range:"fcfs|easy"`
	Trace  string `name:"trace"`
}

const checkedStudy = `study: fake
model: checked
seed: 1
factors:
  trace: [long, short]
  policy: [fcfs, easy]
experiments:
  crossed: {cross: [trace, policy], rounds: 3}
`

// Each point is checked once, with the number of its replications in the whole plan. A trace is
// read once, and no more points are checked after an error in it. The error has the line of the
// parameter.
func TestCheck(t *testing.T) {
	type call struct {
		Policy, Trace string
		Replications  int
	}
	var calls []call
	field := ""
	m := model.New(model.Spec[checked, waits]{
		Name: "checked", Version: 1,
		Defaults: checked{Policy: "fcfs", Trace: model.TraceAuto},
		Validate: func(checked) []model.Problem { return nil },
		Traces:   func(p checked) []string { return []string{model.TraceName(p.Trace)} },
		Check: func(ctx context.Context, p checked, replications int, env model.Env) (int64, error) {
			calls = append(calls, call{p.Policy, p.Trace, replications})
			log, err := env.Trace(ctx, model.TraceName(p.Trace))
			if err == nil && len(log.Jobs) < replications {
				err = errors.New("too few jobs")
				if field != "" {
					err = model.Problem{Field: field, Text: err.Error()}
				}
			}
			return int64(len(calls)), err
		},
		Cost:     func(checked) float64 { return 1 },
		Simulate: func(context.Context, checked, model.Env) (waits, error) { return waits{}, nil },
	})
	file, err := configs.Builtin().Parse(t.Context(), "fake.yaml", []byte(checkedStudy))
	if err != nil {
		t.Fatal(err)
	}
	jobs := map[string]int{"long@1": 3, "short@2": 2}
	plan, err := sweeps.Expand(t.Context(), file, m, sweeps.Options{
		Traces: func(_ context.Context, value, _ string, _ []string) (string, error) {
			return map[string]string{"long": "long@1", "short": "short@2"}[value], nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	opened := 0
	open := func(_ context.Context, reference string) (*trace.Log, error) {
		opened++
		return &trace.Log{Jobs: make([]trace.Job, jobs[reference])}, nil
	}
	first := plan.Runs[:4] // a shard that has only the first replications
	_, err = Check(t.Context(), plan, first, open)
	want := "fake.yaml:5:17: factors.trace: too few jobs (in crossed trace=short policy=fcfs)\n"
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
	wantCalls := []call{{"fcfs", "long@1", 3}, {"easy", "long@1", 3}, {"fcfs", "short@2", 3}}
	if diff := cmp.Diff(wantCalls, calls); diff != "" || opened != 2 {
		t.Errorf("%d logs opened, want 2; calls: %s", opened, diff)
	}
	field = "policy"
	_, err = Check(t.Context(), plan, first[2:], open)
	want = "fake.yaml:6:12: factors.policy: too few jobs (in crossed trace=short policy=fcfs)\n"
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
	calls = nil
	leftOut, err := Check(t.Context(), plan, first[:2], open)
	if diff := cmp.Diff(map[string][]int64{"long@1": {1, 2}}, leftOut); err != nil || diff != "" {
		t.Errorf("error %v, left out %s", err, diff)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Check(ctx, plan, plan.Runs, func(ctx context.Context, _ string) (*trace.Log, error) {
		return nil, ctx.Err()
	}); !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "crossed") {
		t.Errorf("interrupted: error %v", err)
	}
}
