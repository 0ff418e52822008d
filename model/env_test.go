// Environment tests: which seeds runs share, and Memo against its build function, with a host that
// records what it builds and measures.

package model

import (
	"context"
	"errors"
	"testing"

	"gridsweep/model/rng"
	"gridsweep/model/trace"
)

// recorder is a host that keeps every value of Memo, counts builds and records spans.
type recorder struct {
	Host   // nil: what is not below is not called
	values map[any]any
	built  int
	spans  []string
}

func newRecorder() *recorder { return &recorder{values: map[any]any{}} }

func (r *recorder) Memo(ctx context.Context, key any, build func(context.Context) (any, error)) (any, error) {
	if v, found := r.values[key]; found {
		return v, nil
	}
	v, err := build(ctx)
	if err != nil {
		return nil, err
	}
	r.built++
	r.values[key] = v
	return v, nil
}

func (r *recorder) Span(section string, _ int) func() {
	return func() { r.spans = append(r.spans, section) }
}

func (r *recorder) Trace(_ context.Context, name string) (*trace.Log, error) {
	return &trace.Log{Jobs: []trace.Job{{ID: int64(len(name))}}}, nil
}

func TestSeedsOfReplications(t *testing.T) {
	m := New(testSpec())
	other := testSpec()
	other.Name = "other"
	later := testSpec()
	later.Version++
	base := m.Env(1, 0, nil)
	if base.Seed != m.Env(1, 0, newRecorder()).Seed {
		t.Error("the host changes the seed")
	}
	if base.Seed != New(later).Env(1, 0, nil).Seed {
		t.Error("the model's version changes the seed")
	}
	for what, env := range map[string]Env{
		"replication": m.Env(1, 1, nil), "seed": m.Env(2, 0, nil), "model": New(other).Env(1, 0, nil),
		"common": base.Common(),
	} {
		if env.Seed == base.Seed {
			t.Errorf("another %s has the same seed", what)
		}
	}
	if base.Common().Seed != m.Env(1, 5, nil).Common().Seed {
		t.Error("replications do not share what is common")
	}
	if third := m.Env(1, 3, nil); third.Replication != 3 || third.Common().Replication != 0 {
		t.Errorf("Replication is %d and of the common environment %d, want 3 and 0", third.Replication,
			third.Common().Replication)
	}
	if base.Common().Seed == m.Env(2, 0, nil).Common().Seed {
		t.Error("two seeds of a study have one common source")
	}
}

type workload struct{ rate float64 }

func numbers(_ context.Context, key workload, env Env) ([]float64, error) {
	s := env.Seed.Stream("arrivals")
	return []float64{s.Exp() / key.rate, s.Exp() / key.rate}, nil
}

// With and without a host, and however often, Memo returns what build returns.
func TestMemoIsWhatBuildReturns(t *testing.T) {
	m := New(testSpec())
	host := newRecorder()
	for _, replication := range []int{0, 1, 0, 1, 0} {
		for _, rate := range []float64{1, 2} {
			want, _ := numbers(t.Context(), workload{rate}, m.Env(1, replication, nil))
			for _, h := range []Host{nil, host} {
				got, err := Memo(t.Context(), m.Env(1, replication, h), workload{rate}, numbers)
				if err != nil || len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
					t.Fatalf("replication %d, rate %v, host %v: %v, %v; want %v", replication, rate, h, got, err, want)
				}
			}
		}
	}
	if host.built != 4 {
		t.Errorf("built %d values, want one for each of two replications and two rates", host.built)
	}
}

func TestMemoKeysDifferByType(t *testing.T) {
	type other struct{ rate float64 }
	env := New(testSpec()).Env(1, 0, newRecorder())
	length := func(_ context.Context, _ workload, _ Env) (int, error) { return 7, nil }
	label := func(_ context.Context, _ other, _ Env) (string, error) { return "x", nil }
	if _, err := Memo(t.Context(), env, workload{1}, numbers); err != nil {
		t.Fatal(err)
	}
	if n, err := Memo(t.Context(), env, workload{1}, length); n != 7 || err != nil {
		t.Errorf("an equal key with another result gives %v, %v", n, err)
	}
	if s, err := Memo(t.Context(), env, other{1}, label); s != "x" || err != nil {
		t.Errorf("a key of another type gives %v, %v", s, err)
	}
}

func TestMemoPassesErrorsOn(t *testing.T) {
	host := newRecorder()
	failed := errors.New("failed")
	build := func(context.Context, int, Env) (string, error) { return "half", failed }
	for _, h := range []Host{nil, host} {
		_, err := Memo(t.Context(), Env{Seed: rng.New("x"), host: h}, 1, build)
		if !errors.Is(err, failed) {
			t.Errorf("host %v: error is %v, want %v", h, err, failed)
		}
	}
}

func TestSpansInsideMemoAreNotMeasured(t *testing.T) {
	host := newRecorder()
	env := New(testSpec()).Env(1, 0, host)
	env.Span("outside", 1)()
	inner := func(_ context.Context, _ int, env Env) (int, error) {
		env.Span("inner", 1)()
		return 1, nil
	}
	outer := func(ctx context.Context, key int, env Env) (int, error) {
		env.Span("outer", 1)()
		return Memo(ctx, env, key+1, inner)
	}
	if _, err := Memo(t.Context(), env, 0, outer); err != nil {
		t.Fatal(err)
	}
	if len(host.spans) != 1 || host.spans[0] != "outside" {
		t.Errorf("measured %v, want the section outside of Memo alone", host.spans)
	}
	if host.built != 2 {
		t.Errorf("built %d values, want 2: what a value is made of is shared too", host.built)
	}
	New(testSpec()).Env(1, 0, nil).Span("without a host", 1)()
}
