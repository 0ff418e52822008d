// Predicted times: estimates for runs and plans are compared with sums worked out by hand, from
// runs stored with chosen timings of several machines.

package pipeline

import (
	"math"
	"slices"
	"testing"
	"time"

	"gridsweep/results"
	"gridsweep/sweeps"
)

// writeTimed stores a run of a plan as if it had taken that long on a machine.
func writeTimed(
	t *testing.T, dataset *results.Dataset, plan *sweeps.Plan, run sweeps.Run, machine string, seconds float64,
) {
	t.Helper()
	outcome, err := plan.Model.Simulate(t.Context(), run.Point, plan.Model.Env(1, run.Replication, nil))
	if err != nil {
		t.Fatal(err)
	}
	timings := []results.Timing{
		{Machine: machine, Section: runSection, Seconds: seconds, Items: 1},
		{Machine: machine, Section: "requests", Seconds: seconds / 2, Items: 9},
	}
	batch := []results.Run{{
		ID: run.ID, Seed: 1, Replication: run.Replication, Point: run.Point, Outcome: outcome, Timings: timings,
	}}
	if err := dataset.WriteBatch(batch, results.Provenance{}); err != nil {
		t.Fatal(err)
	}
}

func TestEstimate(t *testing.T) {
	plan := newPlan(queueingModel(nil), 1, 9, []float64{1}, 1) // each run costs 10
	dataset := openDataset(t, t.TempDir(), plan.Model)
	check := func(runs []sweeps.Run, workers int, want time.Duration) {
		t.Helper()
		got, known, err := Estimate(t.Context(), plan, runs, snapshotOf(t, dataset), workers)
		if err != nil || got != want || known != (want > 0) {
			t.Errorf("estimate %v, %t, %v, want %v", got, known, err, want)
		}
	}
	check(plan.Runs, 1, 0)
	writeTimed(t, dataset, plan, plan.Runs[0], "another", 1000)
	check(plan.Runs, 1, 0)
	// 2 s and 4 s for a cost of 10 each: 0.3 s for a cost of 1.
	writeTimed(t, dataset, plan, plan.Runs[1], Machine(), 2)
	writeTimed(t, dataset, plan, plan.Runs[2], Machine(), 4)
	check(plan.Runs, 1, 9*time.Second)
	check(plan.Runs, 3, 3*time.Second)
	measured := slices.Clone(plan.Runs)
	measured[0].Measure = true
	check(measured, 2, 6*time.Second)
}

// The time of a run is predicted from other replications of its point, otherwise from the cost and
// the other runs of its study, otherwise it is in the model's unit.
func TestPredict(t *testing.T) {
	plan := newPlan(queueingModel(nil), 1, 9, []float64{1}, 2) // three points, each run costs 10
	dataset := openDataset(t, t.TempDir(), plan.Model)
	check := func(want []float64, known bool) {
		t.Helper()
		work, have, err := Predict(t.Context(), plan, snapshotOf(t, dataset))
		if err != nil || have != known || !slices.Equal(work, want) {
			t.Errorf("%v, %t, %v, want %v, %t", work, have, err, want, known)
		}
	}
	check([]float64{10, 10, 10, 10, 10, 10}, false)
	writeTimed(t, dataset, plan, plan.Runs[0], "one", 5)
	check([]float64{5, 5, 5, 5, 5, 5}, true)
	other := newPlan(queueingModel(nil), 1, 29, []float64{1}, 1) // each run costs 30
	// with the first 80 s for a cost of 40
	writeTimed(t, dataset, other, other.Runs[0], "one", 75)
	check([]float64{5, 20, 20, 5, 20, 20}, true)
	writeTimed(t, dataset, plan, plan.Runs[4], "another", 20)
	check([]float64{5, 20, 20, 5, 20, 20}, true)
	writeTimed(t, dataset, plan, plan.Runs[0], "another", 7)
	if work, _, _ := Predict(t.Context(), plan, snapshotOf(t, dataset)); work[0] != 6 || work[3] != 6 {
		t.Errorf("a run that was timed twice: %v", work)
	}
	writeTimed(t, dataset, other, other.Runs[0], "another", 75)
	// 182 s for a cost of 2*10 + 10 + 2*30.
	if work, _, _ := Predict(t.Context(), plan, snapshotOf(t, dataset)); math.Abs(work[2]-182.0/9) > 1e-9 {
		t.Errorf("a run of another plan that was timed twice: %v", work)
	}
}
