// Metrics tests: outcomes of a few requests worked out by hand, and runs that repeat with and
// without a shared workload.

package coallocation

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/model"
	"gridsweep/model/trace"
)

// TestMetricsByHand works out three requests of one type on two resources.
func TestMetricsByHand(t *testing.T) {
	one, two := []uint16{0}, []uint16{0, 0}
	point := Spec.Defaults
	point.ResourceTypes, point.Resources = 1, 2
	for _, test := range []struct {
		name     string
		requests []request
		want     Outcome
	}{
		{
			// The first takes both resources in [0, 10) at the latest, which is at once. For the
			// second only [10, 14) is left, of both. Nothing is left for the third, which needs 4
			// in [5, 12).
			name: "one of three is rejected",
			requests: []request{
				{arrival: 0, earliest: 0, deadline: 10, service: 10, types: two},
				{arrival: 1, earliest: 8, deadline: 14, service: 3, types: one},
				{arrival: 2, earliest: 5, deadline: 12, service: 4, types: one},
			},
			want: Outcome{
				Blocking:     100.0 / 3,
				Utilisation:  100 * 23.0 / (13 * 2),
				WorkRejected: 100 * 4.0 / 27,
				Fairness:     4.0 / 9, FairnessRejecting: ptr(4.0 / 9), Unfairness: ptr(5.0 / 9),
				CandidateResources: (2 + 2 + 2 + 0) / 4.0, CandidateIntervals: (2 + 2 + 2 + 0) / 4.0,
				Rejected: 1, Observation: 13,
			},
		},
		{
			// The second has two intervals on the first resource and one on the other.
			name: "nothing is rejected",
			requests: []request{
				{arrival: 0, earliest: 4, deadline: 6, service: 2, types: one},
				{arrival: 1, earliest: 1, deadline: 10, service: 3, types: one},
			},
			want: Outcome{
				Utilisation: 100 * 5.0 / (9 * 2), Fairness: 1,
				CandidateResources: (2 + 2) / 2.0, CandidateIntervals: (2 + 3) / 2.0, Observation: 9,
			},
		},
		{
			name: "fairness below one rejects small requests",
			requests: []request{
				{arrival: 0, earliest: 0, deadline: 4, service: 4, types: two},
				{arrival: 0, earliest: 0, deadline: 5, service: 4, types: one},
			},
			want: Outcome{
				Blocking: 50, Utilisation: 100, WorkRejected: 100 * 4.0 / 12,
				Fairness: 4.0 / 6, FairnessRejecting: ptr(4.0 / 6), Unfairness: ptr(2.0 / 6),
				CandidateResources: 4.0 / 3, CandidateIntervals: 4.0 / 3, Rejected: 1, Observation: 4,
			},
		},
		{
			name:     "everything is rejected",
			requests: []request{{earliest: 0, deadline: 9, service: 4, types: []uint16{0, 0, 0}}},
			want: Outcome{
				Blocking: 100, WorkRejected: 100, Fairness: 1, FairnessRejecting: ptr(1), Unfairness: ptr(0),
				CandidateResources: 2, CandidateIntervals: 2, Rejected: 1,
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, sums := newBroker(point, study.Env(1, 0, nil).Seed), tally{}
			for i := range test.requests {
				r := &test.requests[i]
				start, accepted := b.place(r)
				sums.count(r, start, accepted)
			}
			test.want.MeanTasks, test.want.MeanService = 4, 50
			approximately := cmp.Comparer(near)
			if diff := cmp.Diff(test.want, sums.outcome(point, b), approximately); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func ptr(x float64) *float64 { return &x }

// row returns the values of a run's row.
func row(t *testing.T, p model.Point, replication int, host model.Host) []model.Value {
	t.Helper()
	outcome, err := study.Simulate(context.Background(), p, study.Env(1, replication, host))
	if err != nil {
		t.Fatal(err)
	}
	for row := range outcome.Rows(0) {
		return slices.Clone(row)
	}
	panic("a run without a row")
}

// host keeps every value of Memo and counts the measured items.
type host struct {
	model.Host // nil: what is not below is not called
	memo       map[any]any
	open       map[string]int
	done       map[string]int
}

func (h *host) Memo(ctx context.Context, key any, build func(context.Context) (any, error)) (any, error) {
	if value, known := h.memo[key]; known {
		return value, nil
	}
	value, err := build(ctx)
	h.memo[key] = value
	return value, err
}

func (h *host) Span(section string, items int) func() {
	h.open[section] += items
	return func() { h.done[section] += items }
}

func (*host) Trace(context.Context, string) (*trace.Log, error) {
	return nil, errors.New("this study reads no traces")
}

// TestRunsRepeat: a run gives the same row again, and with a workload that others used before; it
// measures its requests and nothing of what it shares.
func TestRunsRepeat(t *testing.T) {
	p := study.Defaults()
	p[study.Parameter("requests")] = model.IntValue(500)
	h := &host{nil, map[any]any{}, map[string]int{}, map[string]int{}}
	for _, algorithm := range choices("algorithm") {
		p[study.Parameter("algorithm")] = model.StringValue(algorithm)
		want := row(t, p, 0, nil)
		if got := row(t, p, 0, h); !slices.Equal(got, want) {
			t.Errorf("%s: %v with a host, %v without", algorithm, got, want)
		}
		if got := row(t, p, 1, nil); slices.Equal(got, want) {
			t.Errorf("%s: two replications are equal", algorithm)
		}
	}
	if len(h.memo) != 1 {
		t.Errorf("%d workloads for two algorithms of a replication, want 1", len(h.memo))
	}
	want := map[string]int{"request": 1000}
	if diff := cmp.Diff(want, h.open) + cmp.Diff(want, h.done); diff != "" {
		t.Error(diff)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	env := study.Env(1, 0, &host{nil, map[any]any{}, map[string]int{}, map[string]int{}})
	if _, err := Spec.Simulate(ctx, Spec.Defaults, env); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := Spec.Simulate(ctx, Spec.Defaults, env); !errors.Is(err, context.Canceled) {
		t.Errorf("with the workload at hand: error %v", err)
	}
	if _, err := Spec.Simulate(ctx, Spec.Defaults, study.Env(2, 0, nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("without: error %v", err)
	}
}
