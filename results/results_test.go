// Dataset tests: drawn runs read back as a table of texts has them, frames, optional and lazy
// tables, and values that no file can hold.

package results

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gridsweep/model"
)

// rowsOf returns a table as a naive dataset: rows of texts, ordered by run id.
func rowsOf(d *Dataset, table string, runs []Run) [][]string {
	rows := func(runs []Run) iter.Seq[[]model.Value] {
		if table == TimingsTable {
			return timingRows(runs)
		}
		return outcomeRows(runs, d.model.Table(table), new(position))
	}
	byID := map[string]Run{}
	for _, run := range runs {
		byID[run.ID] = run
	}
	var all [][]string
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		for row := range rows([]Run{byID[id]}) {
			all = append(all, texts(slices.Values(row)))
		}
	}
	return all
}

func texts(values iter.Seq[model.Value]) []string {
	var texts []string
	for v := range values {
		if v.IsNull() {
			texts = append(texts, "null "+v.Type().String())
			continue
		}
		texts = append(texts, v.Type().String()+" "+v.String())
	}
	return texts
}

func frameRows(f *Frame) [][]string {
	var all [][]string
	for i := range f.Len() {
		all = append(all, texts(func(yield func(model.Value) bool) {
			for _, c := range f.Columns() {
				if !yield(c.Value(i)) {
					return
				}
			}
		}))
	}
	return all
}

func read(t rapid.TB, d *Dataset, table string, columns []string, ids map[string]bool) *Frame {
	t.Helper()
	frame, err := readFrom(context.Background(), d, table, columns, ids)
	if err != nil {
		t.Fatal(err)
	}
	return frame
}

// tempDir returns a new folder, since rapid.T has no TempDir.
func tempDir(t *rapid.T) string {
	dir, err := os.MkdirTemp("", "results")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// scatter writes the runs in random order as overlapping batches. They are few, since each file
// waits for the disk.
func scatter(t *rapid.T, d *Dataset, runs []Run, name string) {
	order := rapid.Permutation(runs).Draw(t, name)
	cut := rapid.IntRange(0, len(order)).Draw(t, "cut")
	again := rapid.IntRange(0, cut).Draw(t, "again")
	for _, batch := range [][]Run{order[:cut], order[again:]} {
		if err := d.WriteBatch(batch, testProvenance); err != nil {
			t.Fatal(err)
		}
	}
}

func TestReadReturnsWhatWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := testModel()
		d, err := Open(tempDir(t), "example", m, "events")
		if err != nil {
			t.Fatal(err)
		}
		runs := drawRuns(t, m)
		scatter(t, d, runs, "order")
		var some []Run
		ids := map[string]bool{}
		for _, run := range runs {
			if rapid.Bool().Draw(t, "wanted") {
				some, ids[run.ID] = append(some, run), true
			}
		}
		for _, table := range []string{"runs", "jobs", "events", TimingsTable} {
			if diff := cmp.Diff(rowsOf(d, table, runs), frameRows(read(t, d, table, nil, nil))); diff != "" {
				t.Fatalf("%s: %s", table, diff)
			}
			if diff := cmp.Diff(rowsOf(d, table, some), frameRows(read(t, d, table, nil, ids))); diff != "" {
				t.Fatalf("%s of some runs: %s", table, diff)
			}
		}
		finished, err := finishedFrom(context.Background(), d)
		if err != nil || len(finished) != len(runs) {
			t.Fatalf("finished %v, %v, want %d runs", finished, err, len(runs))
		}
	})
}

func TestFrame(t *testing.T) {
	d := openTest(t, t.TempDir())
	runs := testRuns(d.model, 10)
	writeTest(t, d, runs, 3)
	jobs := read(t, d, "jobs", []string{"wait", "job"}, nil)
	var names []string
	for _, c := range jobs.Columns() {
		names = append(names, c.Name)
	}
	if !slices.Equal(names, []string{"run_id", "wait", "job"}) {
		t.Errorf("columns are %v", names)
	}
	if jobs.Column("cluster") != nil || jobs.Column("wait").Unit != "s" {
		t.Error("columns are not the selected ones")
	}
	if !slices.IsSorted(jobs.Runs()) || len(jobs.Runs()) != 10 {
		t.Errorf("runs are %v", jobs.Runs())
	}
	for replication, run := range runs {
		from, to := jobs.Rows(run.ID)
		if to-from != replication%4 {
			t.Errorf("replication %d has rows [%d, %d)", replication, from, to)
		}
		for i := from; i < to; i++ {
			if wait, ok := jobs.Column("wait").Number(i); !ok || wait != float64(60*(i-from)) {
				t.Errorf("replication %d waits %v in row %d", replication, wait, i-from)
			}
		}
	}
	if from, to := jobs.Rows("nobody"); from != to {
		t.Errorf("a missing run has rows [%d, %d), want none", from, to)
	}
	if _, ok := read(t, d, "runs", []string{"note"}, nil).Column("note").Number(0); ok {
		t.Error("text is a number")
	}
	for _, bad := range [][]string{{"runs", "nothing"}, {"nothing", "run_id"}} {
		_, err := readFrom(context.Background(), d, bad[0], bad[1:], nil)
		if err == nil || !strings.Contains(err.Error(), "nothing") {
			t.Errorf("reading %v gives error %v", bad, err)
		}
	}
}

func TestEmptyDataset(t *testing.T) {
	d := openTest(t, filepath.Join(t.TempDir(), "not", "there"))
	if err := d.WriteBatch(nil, testProvenance); err != nil {
		t.Error(err)
	}
	finished, err := finishedFrom(context.Background(), d)
	if err != nil || len(finished) != 0 {
		t.Errorf("finished %v, %v", finished, err)
	}
	if frame := read(t, d, "jobs", nil, nil); frame.Len() != 0 || len(frame.Runs()) != 0 {
		t.Errorf("%d rows", frame.Len())
	}
	if digest, err := digestFrom(context.Background(), d, nil); !errors.Is(err, ErrEmpty) {
		t.Errorf("digest %q, %v", digest, err)
	}
	if err := d.Clear(); err != nil {
		t.Error(err)
	}
	failures, err := d.Failures()
	if err != nil || failures != nil {
		t.Errorf("failures %v, %v", failures, err)
	}
}

func TestLongTextsOverManyPagesAndRowGroups(t *testing.T) {
	d := openTest(t, t.TempDir())
	run := testRun(d.model, 1)
	o := testOutcome{}
	for j := range int64(rowsPerGroup + 5000) {
		job := testJob{Job: j, Cluster: strings.Repeat(string(rune('a'+j%26)), int(j%50))}
		if j%3 == 0 {
			length := float64(j)
			job.Length = &length
		}
		o.Jobs = append(o.Jobs, job)
	}
	run.Outcome = outcomeOf(d.model, o)
	writeTest(t, d, []Run{run}, 1)
	jobs := read(t, d, "jobs", nil, nil)
	if jobs.Len() != len(o.Jobs) {
		t.Fatalf("%d rows of %d", jobs.Len(), len(o.Jobs))
	}
	for i, job := range o.Jobs {
		length, ok := jobs.Column("length").Number(i)
		if jobs.Column("cluster").Value(i).Text() != job.Cluster || ok != (job.Length != nil) || ok && length != *job.Length {
			t.Fatalf("row %d is %v, want %v", i, frameRows(jobs)[i], job)
		}
	}
}

func TestEqualRunsMakeEqualFiles(t *testing.T) {
	a, b := openTest(t, t.TempDir()), openTest(t, t.TempDir())
	runs := testRuns(a.model, 20)
	writeTest(t, a, runs, 20)
	slices.Reverse(runs)
	writeTest(t, b, runs, 20)
	if diff := cmp.Diff(tree(t, a.dir), tree(t, b.dir)); diff != "" {
		t.Error(diff)
	}
}

// tree returns the content of every file below a folder.
func tree(t rapid.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files[strings.TrimPrefix(path, dir)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestOptionalTables(t *testing.T) {
	dir := t.TempDir()
	without, with := openTest(t, dir), openTest(t, dir, "events")
	runs := testRuns(without.model, 8)
	writeTest(t, without, runs[:5], 5)
	writeTest(t, with, runs[3:], 5)
	for _, c := range []struct {
		d    *Dataset
		want int
	}{{without, 8}, {with, 5}} {
		finished, err := finishedFrom(context.Background(), c.d)
		if err != nil || len(finished) != c.want {
			t.Errorf("%d runs are finished, want %d (%v)", len(finished), c.want, err)
		}
	}
	if diff := cmp.Diff(rowsOf(with, "events", runs[3:]), frameRows(read(t, without, "events", nil, nil))); diff != "" {
		t.Error(diff)
	}
	_, err := Open(dir, "example", testModel(), "jobs")
	if err == nil || !strings.Contains(err.Error(), `"jobs"`) || !strings.Contains(err.Error(), "events") {
		t.Errorf("a table that is not optional gives error %v", err)
	}
}

func TestTimingsOfSeveralMachinesStayApart(t *testing.T) {
	d := openTest(t, t.TempDir())
	first, again := testRun(d.model, 1), testRun(d.model, 1)
	again.Timings = []Timing{{Machine: "node2", Section: "run", Seconds: 0.5}}
	writeTest(t, d, []Run{first}, 1)
	writeTest(t, d, []Run{again}, 1)
	frame := read(t, d, TimingsTable, nil, map[string]bool{first.ID: true})
	var rows []string
	for i := range frame.Len() {
		rows = append(rows, frame.Column("machine").Value(i).Text()+" "+frame.Column("per_item").Value(i).String())
	}
	if slices.Sort(rows); !slices.Equal(rows, []string{"node1 5e-05", "node2 "}) {
		t.Errorf("timings are %q", rows)
	}
	if from, to := frame.Rows(first.ID); to-from != 2 {
		t.Errorf("the run has rows [%d, %d)", from, to)
	}
}

func TestValuesThatNoFileCanHold(t *testing.T) {
	infinite := math.Inf(1)
	for want, o := range map[string]testOutcome{
		"table runs, row 0: column blocking is NaN":         {Blocking: math.NaN()},
		"table runs, row 0: column fairness is +Inf":        {Fairness: &infinite},
		"table jobs, row 1: column length is +Inf":          {Jobs: []testJob{{}, {Length: &infinite}}},
		`table events, row 0: column what is "\xff", which`: {Events: slices.Values([]testEvent{{What: "\xff"}})},
	} {
		d := openTest(t, t.TempDir(), "events")
		bad := testRun(d.model, 2)
		bad.Outcome = outcomeOf(d.model, o)
		err := d.WriteBatch([]Run{testRun(d.model, 1), bad}, testProvenance)
		isNamed := err != nil && strings.Contains(err.Error(), want) && strings.Contains(err.Error(), bad.ID)
		if !errors.As(err, new(*ValueError)) || !isNamed {
			t.Errorf("error %v, want %s", err, want)
		}
		if files := tree(t, d.dir); len(files) > 0 {
			t.Errorf("%s left files behind", want)
		}
	}
	d := openTest(t, t.TempDir())
	if err := d.WriteBatch([]Run{testRun(d.model, 1), testRun(d.model, 1)}, testProvenance); err == nil {
		t.Error("a run that is twice in a batch is not an error")
	}
}

// The rows of an iterator are made once, or never if the table is not written.
func TestLazyTablesAreMadeOnce(t *testing.T) {
	for _, c := range []struct {
		optional []string
		want     int
	}{{nil, 0}, {[]string{"events"}, 1}} {
		d := openTest(t, t.TempDir(), c.optional...)
		made := 0
		run := testRun(d.model, 1)
		run.Outcome = outcomeOf(d.model, testOutcome{Events: func(yield func(testEvent) bool) {
			made++
			yield(testEvent{What: "start"})
		}})
		if err := Check(d.model, run.Outcome); err != nil || made > 0 {
			t.Errorf("checking makes %d tables, %v", made, err)
		}
		if d.Trim(run.Outcome).Lazy() != (c.want > 0) {
			t.Errorf("with tables %q the outcome keeps its iterator: %t", c.optional, c.want == 0)
		}
		writeTest(t, d, []Run{run}, 1)
		if rows := read(t, d, "events", nil, nil).Len(); made != c.want || rows != c.want {
			t.Errorf("with tables %q %d rows, made %d times", c.optional, rows, made)
		}
	}
}

func TestWriteTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "cells.parquet")
	columns := []model.Column{
		{Name: "z", Type: model.TypeString}, {Name: "a label, with.dots", Type: model.TypeFloat, Nullable: true, Unit: "s"},
	}
	rows := [][]model.Value{
		{model.StringValue("x"), model.FloatValue(0)}, {model.StringValue(""), model.NullValue(model.TypeFloat)},
	}
	if err := WriteTable(t.Context(), path, columns, slices.Values(rows), testProvenance.Metadata()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := openParquet(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := checkSchema(reader, columns); err != nil {
		t.Error(err)
	}
	file := &dataFile{path: path, reader: reader, columns: columns}
	z, a := newColumn(columns[0]), newColumn(columns[1])
	if err := file.read([]*Column{z, a}); err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		if z.Value(i) != row[0] || a.Value(i) != row[1] {
			t.Errorf("row %d is %v, %v", i, z.Value(i), a.Value(i))
		}
	}
	metadata := metadataOf(reader)
	for key, want := range testProvenance.Metadata() {
		if metadata[key] != want {
			t.Errorf("%s is %q, want %q", key, metadata[key], want)
		}
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := WriteTable(ctx, path, columns, slices.Values(rows[:1]), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: error %v", err)
	}
	rows[1][1] = model.FloatValue(math.NaN())
	err = WriteTable(t.Context(), path, columns, slices.Values(rows), nil)
	if err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v does not name the file", err)
	}
	if files := tree(t, filepath.Dir(path)); len(files) != 1 || files["/cells.parquet"] != string(data) {
		t.Error("a failed writer changed something")
	}
}

// Where the durations of a table are in several units, its files have each of them in seconds too.
// The dataset does not read these columns, and it reads files without them.
func TestDurationsInSeconds(t *testing.T) {
	m := testModel()
	hours := []float64{0, 0.25, 1e6}
	jobs := []testJob{{Job: 9}}
	for i := range hours {
		jobs = append(jobs, testJob{Job: int64(i), Length: &hours[i]})
	}
	run := testRun(m, 0)
	run.Outcome = outcomeOf(m, testOutcome{Jobs: jobs})
	d := openTest(t, t.TempDir())
	if err := d.WriteBatch([]Run{run}, testProvenance); err != nil {
		t.Fatal(err)
	}
	if names := read(t, d, "jobs", nil, nil).Columns(); names[len(names)-1].Name != "length" {
		t.Errorf("the dataset has a column %s", names[len(names)-1].Name)
	}
	files, err := filepath.Glob(filepath.Join(d.dir, "jobs", "*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	reader, err := openParquet(data)
	if err != nil {
		t.Fatal(err)
	}
	columns := longColumns(m.Tables[m.Table("jobs")])
	stored := storedColumns(columns)
	last := stored[len(stored)-1]
	if len(stored) != len(columns)+1 || last.Name != "length_s" || last.Unit != "s" || !last.Nullable {
		t.Errorf("columns %v", stored)
	}
	seconds := newColumn(last)
	if err := (&dataFile{path: files[0], reader: reader, columns: stored}).read([]*Column{seconds}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(texts(func(yield func(model.Value) bool) {
		for i := range jobs {
			if !yield(seconds.Value(i)) {
				return
			}
		}
	}), []string{"null float", "float 0", "float 900", "float 3.6e+09"}); diff != "" {
		t.Error(diff)
	}
	var plain bytes.Buffer
	if err := encode(&plain, columns, func(func([]model.Value) bool) {}, nil); err != nil {
		t.Fatal(err)
	}
	if reader, err = openParquet(plain.Bytes()); err == nil {
		err = checkSchema(reader, columns)
	}
	if err != nil {
		t.Errorf("a file without seconds: %v", err)
	}
}
