// Snapshot tests: no file is read twice or without need, and a snapshot keeps its runs beside
// writers and Compact.

package results

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/model"
)

// Each of these functions takes a snapshot for one query.

func finishedFrom(ctx context.Context, d *Dataset) (map[string]bool, error) {
	s, err := d.Snapshot(ctx, 0)
	if err != nil {
		return nil, err
	}
	return s.Finished(), s.Verify(ctx, nil)
}

func readFrom(ctx context.Context, d *Dataset, table string, columns []string, ids map[string]bool) (*Frame, error) {
	s, err := d.Snapshot(ctx, Rows)
	if err != nil {
		return nil, err
	}
	return s.Read(ctx, table, columns, ids)
}

func digestFrom(ctx context.Context, d *Dataset, ids map[string]bool) (string, error) {
	s, err := d.Snapshot(ctx, Digests)
	if err != nil {
		return "", err
	}
	return s.Digest(ctx, ids)
}

func staleFrom(ctx context.Context, d *Dataset) (map[string]string, error) {
	s, err := d.Snapshot(ctx, 0)
	if err != nil {
		return nil, err
	}
	return s.Stale()
}

func snapshot(t testing.TB, d *Dataset, use Use) *Snapshot {
	t.Helper()
	s, err := d.Snapshot(t.Context(), use)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// contentOf returns the rows of tables and the digest that a snapshot has of the runs.
func contentOf(t testing.TB, s *Snapshot, ids map[string]bool, tables ...string) map[string]any {
	t.Helper()
	content := map[string]any{}
	for _, table := range tables {
		frame, err := s.Read(t.Context(), table, nil, ids)
		if err != nil {
			t.Fatal(err)
		}
		content[table] = frameRows(frame)
	}
	digest, err := s.Digest(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	content["digest"] = digest
	return content
}

// damageTable makes every file of a table unreadable.
func damageTable(t testing.TB, d *Dataset, table string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(d.dir, table, "*"+dataExtension))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		write(t, file, []byte("damaged"))
	}
}

// No file is read twice, in any order of the queries.
func TestSnapshotReadsEachFileOnce(t *testing.T) {
	d := openTest(t, t.TempDir(), "events")
	runs := testRuns(d.model, 9)
	writeTest(t, d, runs[:6], 2)
	writeTest(t, d, runs[4:], 2)
	tables := []string{model.RunsTable, TimingsTable}
	want := contentOf(t, snapshot(t, d, Rows|Digests), nil, tables...)
	s := snapshot(t, d, Rows|Digests)
	damageTable(t, d, model.RunsTable)
	if err := s.Verify(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{TimingsTable, "jobs", "events"} {
		if _, err := s.Read(t.Context(), table, nil, nil); err != nil {
			t.Fatal(err)
		}
		damageTable(t, d, table)
	}
	if diff := cmp.Diff(want, contentOf(t, s, nil, tables...)); diff != "" {
		t.Error(diff)
	}
	if err := s.Verify(t.Context(), nil); err != nil {
		t.Errorf("a file that was read is verified again: %v", err)
	}
	if _, err := d.Snapshot(t.Context(), 0); err == nil {
		t.Error("another snapshot reads no commit")
	}
}

// The digest of a snapshot does not depend on earlier queries or on its Use.
func TestSnapshotForAnyUse(t *testing.T) {
	d := openTest(t, t.TempDir(), "events")
	runs := testRuns(d.model, 7)
	writeTest(t, d, runs, 3)
	ids := map[string]bool{runs[1].ID: true, runs[4].ID: true}
	tables := []string{model.RunsTable, "jobs", "events", TimingsTable}
	want := contentOf(t, snapshot(t, d, Rows|Digests), ids, tables...)
	for _, use := range []Use{0, Rows, Digests} {
		s := snapshot(t, d, use)
		for range 2 {
			if diff := cmp.Diff(want, contentOf(t, s, ids, tables...)); diff != "" {
				t.Errorf("use %d: %s", use, diff)
			}
		}
	}
}

// Files of batches without a run of the query are not read.
func TestSnapshotReadsNoOtherBatch(t *testing.T) {
	d := openTest(t, t.TempDir())
	runs := testRuns(d.model, 8)
	ids := map[string]bool{}
	for _, run := range runs[:4] {
		ids[run.ID] = true
	}
	writeTest(t, d, runs[:4], 2)
	want := contentOf(t, snapshot(t, d, Rows|Digests), ids, TimingsTable, "jobs")
	before := tree(t, d.dir)
	writeTest(t, d, runs[4:], 2)
	for name, data := range tree(t, d.dir) {
		if folder := filepath.Dir(name); before[name] == "" && folder != "/"+model.RunsTable {
			write(t, d.dir+name, bytes.Repeat([]byte("x"), len(data)))
		}
	}
	s := snapshot(t, d, Rows|Digests)
	if diff := cmp.Diff(want, contentOf(t, s, ids, TimingsTable, "jobs")); diff != "" {
		t.Error(diff)
	}
	if err := s.Verify(t.Context(), ids); err != nil {
		t.Error(err)
	}
	for what, err := range map[string]error{
		"verifying all":    s.Verify(t.Context(), nil),
		"reading all":      second(s.Read(t.Context(), "jobs", nil, nil)),
		"the whole digest": second(s.Digest(t.Context(), nil)),
	} {
		if err == nil || !strings.Contains(err.Error(), "is damaged") {
			t.Errorf("%s: error %v", what, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// A snapshot has the runs of its moment, also if their batches are merged with later ones before
// they are read.
func TestSnapshotBesideWritersAndCompact(t *testing.T) {
	d := openTest(t, t.TempDir())
	runs := testRuns(d.model, 10)
	writeTest(t, d, runs[:5], 1)
	tables := []string{model.RunsTable, "jobs", TimingsTable}
	want := contentOf(t, snapshot(t, d, Rows|Digests), nil, tables...)
	s := snapshot(t, d, Rows|Digests)
	writeTest(t, d, runs[5:], 1)
	if diff := cmp.Diff(want, contentOf(t, s, nil, tables...)); diff != "" {
		t.Errorf("beside a writer: %s", diff)
	}
	s, late := snapshot(t, d, Rows|Digests), snapshot(t, d, Rows)
	all := contentOf(t, s, nil, tables...)
	writeTest(t, d, []Run{testRun(d.model, 20)}, 1)
	compact(t, d)
	for range 2 {
		if diff := cmp.Diff(all, contentOf(t, late, nil, tables...)); diff != "" {
			t.Errorf("beside compact: %s", diff)
		}
	}
	if len(late.Finished()) != 10 {
		t.Errorf("%d runs are finished", len(late.Finished()))
	}
	if err := late.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

// Update brings a snapshot up to date and reads only new files.
func TestSnapshotUpdate(t *testing.T) {
	d := openTest(t, t.TempDir())
	runs := testRuns(d.model, 6)
	writeTest(t, d, runs[:3], 1)
	s := snapshot(t, d, Rows|Digests)
	contentOf(t, s, nil, "jobs", TimingsTable)
	files := tree(t, d.dir)
	writeTest(t, d, runs[3:], 1)
	want := contentOf(t, snapshot(t, d, Rows|Digests), nil, model.RunsTable, TimingsTable)
	for name := range files {
		write(t, d.dir+name, []byte("damaged"))
	}
	update := func() {
		t.Helper()
		if err := s.Update(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	update()
	if diff := cmp.Diff(want, contentOf(t, s, nil, model.RunsTable, TimingsTable)); diff != "" {
		t.Error(diff)
	}
	for name, data := range files {
		write(t, d.dir+name, []byte(data))
	}
	if err := d.Clear(); err != nil {
		t.Fatal(err)
	}
	runs[1].Timings = nil
	runs[2].Outcome = outcomeOf(d.model, testOutcome{Blocking: 77}) // of a corrected model
	writeTest(t, d, runs[1:3], 2)
	update()
	if len(s.Finished()) != 2 {
		t.Errorf("%d runs are finished", len(s.Finished()))
	}
	tables := []string{model.RunsTable, "jobs", TimingsTable}
	if diff := cmp.Diff(contentOf(t, snapshot(t, d, Rows), nil, tables...), contentOf(t, s, nil, tables...)); diff != "" {
		t.Errorf("after Clear: %s", diff)
	}
	if err := os.RemoveAll(d.dir); err != nil {
		t.Fatal(err)
	}
	if err := s.Update(t.Context()); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("a lost folder gives error %v", err)
	}
}

// A commit file that was gone for a moment is read again, also if its hashes are known.
func TestSnapshotOfCommitThatComesBack(t *testing.T) {
	d := openTest(t, t.TempDir())
	writeTest(t, d, testRuns(d.model, 3), 3)
	for _, use := range []Use{0, Rows, Digests} {
		visits := 0
		err := snapshot(t, d, use).each(t.Context(), nil, func(committed) error {
			if visits++; visits == 1 {
				return errVanished
			}
			return nil
		})
		if err != nil || visits != 2 {
			t.Errorf("use %d: %d visits, %v", use, visits, err)
		}
	}
}

// Files returns the data files of all tables of the batches that have one of the runs.
func TestFilesOfRuns(t *testing.T) {
	dir := t.TempDir()
	d := openTest(t, dir)
	runs := testRuns(d.model, 4)
	writeTest(t, d, runs, 2)
	taken, err := d.Snapshot(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		ids     map[string]bool
		commits int
	}{
		{nil, 2}, {map[string]bool{}, 0}, {map[string]bool{runs[3].ID: true}, 1},
		{map[string]bool{runs[0].ID: true, runs[3].ID: true}, 2},
	} {
		files, err := taken.Files(t.Context(), c.ids)
		commits := 0
		for _, file := range files {
			if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
				t.Error(err)
			}
			if strings.HasPrefix(file, model.RunsTable+"/") {
				commits++
			}
		}
		if err != nil || commits != c.commits || len(files) < 2*commits || !slices.IsSorted(files) {
			t.Errorf("runs %v: %v, %v; want %d commit files", c.ids, files, err, c.commits)
		}
	}
}
