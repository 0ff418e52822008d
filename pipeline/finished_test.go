// Measured runs: the finished, explained and executed runs are counted after a plan marks finished
// runs for measurement, and the digest of the rows stays.

package pipeline

import (
	"path/filepath"
	"strings"
	"testing"
)

// A run that was executed beside others is executed again when an experiment measures it, and only
// once.
func TestMeasuredRunsNeedAMeasuredTiming(t *testing.T) {
	plan := newPlan(queueingModel(nil), 1, 5, []float64{0.5, 1}, 2)
	dir := t.TempDir()
	dataset := openDataset(t, dir, plan.Model)
	options := Options{Workers: 2, Record: filepath.Join(dir, "plan.json")}
	mustRun(t, plan, dataset, options)
	want := digestOf(t, plan, dataset)
	for i := range 3 {
		plan.Runs[i].Measure = true
	}
	finished, err := Finished(t.Context(), plan, snapshotOf(t, dataset))
	if err != nil || len(finished) != len(plan.Runs)-3 {
		t.Errorf("%d of %d runs need no more work, want all but 3; %v", len(finished), len(plan.Runs), err)
	}
	missing, err := Explain(t.Context(), plan, snapshotOf(t, dataset), options.Record)
	if err != nil || len(missing) != 3 || !strings.HasSuffix(missing[0].String(), ": run, but not measured") {
		t.Errorf("missing %v, %v, want 3 that were not measured", missing, err)
	}
	if summary := mustRun(t, plan, dataset, options); summary.Finished != 3 {
		t.Errorf("%+v: 3 runs were to be measured", summary)
	}
	if summary := mustRun(t, plan, dataset, options); summary.Finished != 0 {
		t.Errorf("%+v: nothing was left to measure", summary)
	}
	if got := digestOf(t, plan, dataset); got != want {
		t.Errorf("digest %s after measuring, %s before", got, want)
	}
}
