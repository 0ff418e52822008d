// Trace tests: models that read traces need the parameter trace, and Env.Trace reads through the
// host.

package model

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type traced struct {
	Sites int64  `name:"sites" range:"[0,2]"`
	Trace string `name:"trace"`
}

func tracedSpec() Spec[traced, struct {
	Jobs int64 `name:"jobs"`
}] {
	type outcome = struct {
		Jobs int64 `name:"jobs"`
	}
	return Spec[traced, outcome]{
		Name: "traced", Version: 1, Defaults: traced{Sites: 1, Trace: TraceAuto},
		Validate: func(traced) []Problem { return nil },
		Traces:   func(p traced) []string { return []string{"das2", "auvergrid"}[:p.Sites] },
		Cost:     func(traced) float64 { return 1 },
		Simulate: func(context.Context, traced, Env) (outcome, error) { return outcome{}, nil },
	}
}

func TestTraces(t *testing.T) {
	m := New(tracedSpec())
	point := m.Defaults()
	point[0] = IntValue(2)
	if diff := cmp.Diff([]string{"das2", "auvergrid"}, m.Traces(point)); diff != "" || !m.ReadsTraces {
		t.Error(diff, m.ReadsTraces)
	}
	plain := New(testSpec())
	if plain.Traces(plain.Defaults()) != nil || plain.ReadsTraces {
		t.Error("a model without Traces reads traces")
	}
}

// A model that reads traces needs the parameter trace with the default auto; another model may have
// a parameter of that name.
func TestTraceParameter(t *testing.T) {
	spec := tracedSpec()
	spec.Defaults.Trace = TraceModel
	plain := testSpec()
	plain.Traces = func(point) []string { return nil }
	for what, m := range map[string]*Model{"a default that is resolved already": New(spec), "no parameter": New(plain)} {
		err := CheckSpecs(m)
		if err == nil || !strings.Contains(err.Error(), "needs a string parameter trace") {
			t.Errorf("%s: %v", what, err)
		}
	}
	spec.Traces = nil
	if err := CheckSpecs(New(spec)); err != nil {
		t.Error(err)
	}
}

// Env.Trace reads through the host, also inside Memo.
func TestEnvTrace(t *testing.T) {
	m := New(tracedSpec())
	env := m.Env(1, 0, newRecorder())
	direct, err := env.Trace(t.Context(), "das2")
	if err != nil || len(direct.Jobs) != 1 || direct.Jobs[0].ID != int64(len("das2")) {
		t.Errorf("%v, %v", direct, err)
	}
	shared, err := Memo(t.Context(), env.Common(), "sorted", func(ctx context.Context, _ string, env Env) (int64, error) {
		log, err := env.Trace(ctx, "auvergrid")
		return log.Jobs[0].ID, err
	})
	if err != nil || shared != int64(len("auvergrid")) {
		t.Errorf("%d, %v", shared, err)
	}
	_, err = m.Env(1, 0, nil).Trace(t.Context(), "das2")
	if err == nil || !strings.Contains(err.Error(), "set the parameter trace to model") {
		t.Errorf("without a host: error %v, want one that says to set trace to model", err)
	}
}
