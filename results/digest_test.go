// Digest tests: it depends on each value of the rows, and not on their files or order.

package results

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gridsweep/model"
)

func digest(t rapid.TB, d *Dataset, ids map[string]bool) string {
	t.Helper()
	digest, err := digestFrom(context.Background(), d, ids)
	if err != nil {
		t.Fatal(err)
	}
	return digest
}

func TestDigestDependsOnRowsAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := testModel()
		runs := drawRuns(t, m)
		var digests []string
		for _, name := range []string{"first", "second"} {
			d, err := Open(tempDir(t), "example", m, "events")
			if err != nil {
				t.Fatal(err)
			}
			scatter(t, d, runs, name)
			digests = append(digests, digest(t, d, nil))
		}
		if digests[0] != digests[1] {
			t.Fatalf("digests are %v", digests)
		}
	})
}

func TestDigestDependsOnEveryValue(t *testing.T) {
	base := func() testOutcome {
		events := slices.Values([]testEvent{{What: "e"}})
		return testOutcome{Note: "ab", Jobs: []testJob{{Job: 1, Cluster: "a"}, {Job: 2}}, Events: events}
	}
	zero, no, empty := 0.0, false, ""
	seconds, count := model.Seconds(0), int64(0)
	seen := map[string]int{}
	for i, change := range []func(*testOutcome){
		func(*testOutcome) {},
		func(o *testOutcome) { o.Blocking = 5e-324 },
		func(o *testOutcome) { o.Longest = 1 },
		func(o *testOutcome) { o.Requests = 1 },
		func(o *testOutcome) { o.Saturated = true },
		func(o *testOutcome) { o.Note = "ba" },
		func(o *testOutcome) { o.Fairness = &zero },
		func(o *testOutcome) { o.First = &seconds },
		func(o *testOutcome) { o.Peak = &count },
		func(o *testOutcome) { o.Steady = &no },
		func(o *testOutcome) { o.Best = &empty },
		func(o *testOutcome) { o.Jobs[1].Cluster = "a" },
		func(o *testOutcome) { o.Jobs[0], o.Jobs[1] = o.Jobs[1], o.Jobs[0] },
		func(o *testOutcome) { o.Jobs = o.Jobs[:1] },
		func(o *testOutcome) { o.Jobs = nil },
		func(o *testOutcome) { o.Events = slices.Values([]testEvent{{What: "e", Time: 1}}) },
		func(o *testOutcome) { o.Events = nil },
	} {
		o := base()
		change(&o)
		d := openTest(t, t.TempDir(), "events")
		run := testRun(d.model, 1)
		run.Outcome = outcomeOf(d.model, o)
		writeTest(t, d, []Run{testRun(d.model, 0), run}, 2)
		now := digest(t, d, nil)
		if before, found := seen[now]; found {
			t.Errorf("changes %d and %d have one digest", before, i)
		}
		seen[now] = i
	}
}

func TestDigestOfSomeRuns(t *testing.T) {
	all, some := openTest(t, t.TempDir()), openTest(t, t.TempDir())
	runs := testRuns(all.model, 9)
	writeTest(t, all, runs, 2)
	runs[3].Timings = nil // outside the digest
	writeTest(t, some, runs[2:6], 3)
	ids := map[string]bool{}
	for _, run := range runs[2:6] {
		ids[run.ID] = true
	}
	if digest(t, all, ids) != digest(t, some, nil) {
		t.Error("the digest depends on runs that are not selected")
	}
	if digest(t, all, nil) == digest(t, some, nil) {
		t.Error("the digest does not depend on the runs")
	}
	const missing = "0123456789abcdef0123456789abcdef"
	ids[missing] = true
	if _, err := digestFrom(context.Background(), all, ids); err == nil || !strings.Contains(err.Error(), missing) {
		t.Errorf("a missing run gives error %v, want one that names it", err)
	}
}

func TestUnequalDuplicates(t *testing.T) {
	zero := 0.0
	for _, c := range []struct {
		table  string
		change func(*testOutcome)
	}{
		{"runs", func(o *testOutcome) { o.Blocking = 1 }},
		{"runs", func(o *testOutcome) { o.Fairness = &zero }}, // against null
		{"runs", func(o *testOutcome) { o.Note = "a" }},
		{"jobs", func(o *testOutcome) { o.Jobs = []testJob{{Job: 7}} }}, // against no rows
	} {
		d := openTest(t, t.TempDir())
		run, others := testRun(d.model, 4), testRuns(d.model, 4)
		var o testOutcome
		for i := range 2 {
			run.Outcome = outcomeOf(d.model, o)
			writeTest(t, d, []Run{run, others[i]}, 2)
			c.change(&o)
		}
		_, readErr := readFrom(context.Background(), d, c.table, nil, nil)
		_, digestErr := digestFrom(context.Background(), d, nil)
		for _, err := range []error{readErr, digestErr} {
			if err == nil || strings.Count(err.Error(), dataExtension) != 2 || !strings.Contains(err.Error(), run.ID) {
				t.Errorf("unequal rows in %s give error %v", c.table, err)
			}
		}
		if _, err := readFrom(context.Background(), d, c.table, nil, map[string]bool{others[1].ID: true}); err != nil {
			t.Errorf("other runs cannot be read: %v", err)
		}
	}
}
