// The engine is compared with the slow reference scheduler, start by start and end by end, on
// random workloads.

package cluster_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gridsweep/model/cluster"
	"gridsweep/model/cluster/conformance"
)

// TestEngineEqualsReference compares start by start and end by end. With -rapid.checks=10000 it
// compares more.
func TestEngineEqualsReference(t *testing.T) {
	forEachRule(t, func(t *testing.T, words conformance.Configuration) {
		rapid.Check(t, func(t *rapid.T) {
			s := drawScenario(t)
			words := drawRest(t, s, words)
			reserve(t, s, words)
			want := referTo(t, s, words).schedule()
			have := simulate(t, s, words)
			if diff := cmp.Diff(want, have); diff != "" {
				t.Fatalf("the engine (+) and the reference (-) differ:\n%s\nReference:\n\n%s\nEngine:\n\n%s",
					diff, show(s, words, want), formattedSchedule(have))
			}
		})
	})
}

// hung is the time after which a simulation of some jobs must have gone astray.
const hung = 20 * time.Second

// simulate runs the engine.
func simulate(t rapid.TB, s *conformance.Scenario, words conformance.Configuration) cluster.Schedule {
	t.Helper()
	config, err := configOf(s, words)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), hung)
	defer cancel()
	schedule, err := cluster.Simulate(ctx, config, s.Jobs)
	if err != nil {
		t.Fatalf("%s: %v\n%s", words, err, formatted(s))
	}
	return schedule
}
