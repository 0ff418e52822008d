// Tests of stale runs: which source made each run, also after batches are merged.

package results

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"gridsweep/model"
)

// openSource opens a dataset for the example model with a source; an empty source stands for an
// unknown one.
func openSource(t *testing.T, dir, source string) *Dataset {
	t.Helper()
	spec := testSpec()
	if source != "" {
		spec.Source = fstest.MapFS{"example.go": {Data: []byte(source)}}
	}
	d, err := Open(dir, "example", model.New(spec))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func staleOf(t *testing.T, d *Dataset) map[string]string {
	t.Helper()
	stale, err := staleFrom(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	return stale
}

// A run keeps the source that made it, also after batches are merged. A run that the program's
// source made too is not stale.
func TestStaleRuns(t *testing.T) {
	dir := t.TempDir()
	ours, other := openSource(t, dir, "package example"), openSource(t, dir, "package example; var x = 1")
	unknown := openSource(t, dir, "")
	if stale := staleOf(t, ours); len(stale) != 0 {
		t.Errorf("an empty dataset has runs %v", stale)
	}
	runs := testRuns(ours.model, 10)
	writeTest(t, ours, runs[:4], 1)
	if stale := staleOf(t, ours); len(stale) != 0 {
		t.Errorf("the source's own runs are stale: %v", stale)
	}
	writeTest(t, other, runs[3:7], 1) // one of them is ours too
	writeTest(t, unknown, runs[7:], 1)
	fingerprint := func(d *Dataset) string {
		f, err := d.model.Fingerprint()
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	check := func(when string) {
		t.Helper()
		want := map[string]string{}
		for i, run := range runs[4:] {
			if want[run.ID] = ""; i < 3 {
				want[run.ID] = fingerprint(other)
			}
		}
		if have := staleOf(t, ours); !maps.Equal(have, want) {
			t.Errorf("%s: stale are %v, want %v", when, have, want)
		}
		if have := staleOf(t, other); len(have) != 6 || have[runs[0].ID] != fingerprint(ours) || have[runs[9].ID] != "" {
			t.Errorf("%s: for the other source, stale are %v", when, have)
		}
		if have := staleOf(t, unknown); len(have) != 0 {
			t.Errorf("%s: where the source is not known, stale are %v", when, have)
		}
	}
	check("before compact")
	before := content(t, ours)
	if dry, err := ours.Compact(t.Context(), CompactOptions{DryRun: true}); err != nil || dry.After != 3 {
		t.Errorf("a dry run leaves %d batches, want one of each source; %v", dry.After, err)
	}
	if done := compact(t, ours); done.After != 3 {
		t.Errorf("%d batches are left, want one of each source", done.After)
	}
	check("after compact")
	if after := content(t, ours); after["digest"] != before["digest"] {
		t.Error("compact changes the digest")
	}
}

// The source changes only the metadata of data files.
func TestSourceChangesNoRow(t *testing.T) {
	var contents []map[string]any
	for _, source := range []string{"package example", "package example; var x = 1", ""} {
		d := openSource(t, t.TempDir(), source)
		writeTest(t, d, testRuns(d.model, 6), 2)
		contents = append(contents, content(t, d))
		for _, table := range []string{model.RunsTable, TimingsTable, "jobs"} {
			commit, _, err := d.openCommitted(commitsOf(t, d)[0])
			if err != nil {
				t.Fatal(err)
			}
			columns, err := d.columnsOf(table)
			if err != nil {
				t.Fatal(err)
			}
			p, err := d.openTable(commit, table, columns)
			if err != nil {
				t.Fatal(err)
			}
			if _, found := p.metadata[keySource]; found != (source != "") {
				t.Errorf("table %s of source %q: metadata %v", table, source, p.metadata)
			}
		}
	}
	for _, c := range contents[1:] {
		if c["digest"] != contents[0]["digest"] {
			t.Error("the source changes the digest")
		}
	}
}

// A source that cannot be read is an error before anything is written.
func TestBrokenSource(t *testing.T) {
	d := openSource(t, t.TempDir(), "package")
	_, err := staleFrom(t.Context(), d)
	written := d.WriteBatch(testRuns(d.model, 1), testProvenance)
	for _, err := range []error{err, written} {
		if err == nil || !strings.Contains(err.Error(), "example.go") {
			t.Errorf("error %v", err)
		}
	}
	if names := commitsOf(t, d); !slices.Equal(names, nil) {
		t.Errorf("batches %v were written", names)
	}
}
