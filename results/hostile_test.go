// Tests of damaged, foreign, missing and unreadable files: each is refused by an error that names
// it, and stays in place.

package results

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/model"
)

// onlyFile returns the path of the only batch in the folder of a table.
func onlyFile(t testing.TB, d *Dataset, table string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(d.dir, table, "*"+dataExtension))
	if err != nil || len(files) != 1 {
		t.Fatalf("%s holds %v (%v)", table, files, err)
	}
	return files[0]
}

// refused checks that reading the table fails with an error that contains every text, and leaves
// every file in place.
func refused(t *testing.T, d *Dataset, table string, wanted ...string) {
	t.Helper()
	before := tree(t, d.dir)
	_, err := readFrom(context.Background(), d, table, nil, nil)
	checkRefusal(t, err, wanted)
	if table == model.RunsTable {
		_, err = finishedFrom(context.Background(), d)
		checkRefusal(t, err, wanted)
	}
	if table != TimingsTable {
		_, err = digestFrom(context.Background(), d, nil)
		checkRefusal(t, err, wanted)
	}
	if diff := cmp.Diff(before, tree(t, d.dir)); diff != "" {
		t.Error("reading changed the folder")
	}
}

func checkRefusal(t *testing.T, err error, wanted []string) {
	t.Helper()
	for _, want := range wanted {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %q", err, want)
			return
		}
	}
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestDamagedFilesAreRefused(t *testing.T) {
	d := openTest(t, t.TempDir())
	writeTest(t, d, testRuns(d.model, 12), 12)
	random := rand.New(rand.NewPCG(1, 2))
	for _, table := range []string{"runs", "jobs", TimingsTable} {
		path := onlyFile(t, d, table)
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		damage := func(data []byte) {
			write(t, path, data)
			if _, err := readFrom(context.Background(), d, table, nil, nil); err == nil || !strings.Contains(err.Error(), path) {
				t.Fatalf("%s: error %v does not name %s", table, err, path)
			}
		}
		for n := 0; n < len(good); n += 37 {
			damage(good[:n])
		}
		for range 300 {
			data := bytes.Clone(good)
			data[random.IntN(len(data))] ^= 1 << random.IntN(8)
			damage(data)
		}
		refused(t, d, table, path, "is damaged", filepath.Base(onlyFile(t, d, "runs")), "away", "--fresh")
		write(t, path, good)
		read(t, d, table, nil, nil)
	}
}

func TestMissingTableIsRefused(t *testing.T) {
	for _, table := range []string{"jobs", TimingsTable} {
		d := openTest(t, t.TempDir())
		writeTest(t, d, testRuns(d.model, 4), 4)
		path, commit := onlyFile(t, d, table), onlyFile(t, d, "runs")
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		refused(t, d, table, path+" is missing", "move "+commit+" away")
		if _, err := finishedFrom(context.Background(), d); err == nil || !strings.Contains(err.Error(), commit) {
			t.Errorf("without %s, error %v does not name the commit", path, err)
		}
	}
}

// renamed copies the only batch of a table into another dataset's folder, under the same name.
func renamed(t *testing.T, from, to *Dataset, table string) {
	t.Helper()
	path := onlyFile(t, from, table)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(to.dir, "runs", filepath.Base(path)), data)
}

func TestForeignFilesAreRefused(t *testing.T) {
	other := func(change func(*model.Spec[testPoint, testOutcome])) *model.Model {
		spec := testSpec()
		change(&spec)
		return model.New(spec)
	}
	type narrow struct {
		Blocking float64 `name:"blocking"`
	}
	schema := model.New(model.Spec[testPoint, narrow]{Name: "example", Version: 3, Defaults: testSpec().Defaults,
		Simulate: func(context.Context, testPoint, model.Env) (narrow, error) { return narrow{}, nil }})
	renamedModel := other(func(s *model.Spec[testPoint, testOutcome]) { s.Name = "m" })
	newer := other(func(s *model.Spec[testPoint, testOutcome]) { s.Version = 9 })
	for name, c := range map[string]struct {
		study  string
		model  *model.Model
		table  string
		wanted []string
	}{
		"study":   {"other", testModel(), "runs", []string{"is no file of this study", `"other"`, "move it away"}},
		"model":   {"example", renamedModel, "runs", []string{`model "m"`, "--out"}},
		"version": {"example", newer, "runs", []string{`version "9"`, `"3"`, "--out"}},
		"table":   {"example", testModel(), "jobs", []string{`table "jobs"`, `"runs"`, "move it away"}},
		"schema":  {"example", schema, "runs", []string{"no column longest_wait", "--out"}},
	} {
		t.Run(name, func(t *testing.T) {
			foreign, err := Open(t.TempDir(), c.study, c.model)
			if err != nil {
				t.Fatal(err)
			}
			run := Run{ID: "1", Point: c.model.Defaults()}
			if c.model == schema {
				run.Outcome, err = c.model.Simulate(context.Background(), run.Point, model.Env{})
			} else {
				run.Outcome = outcomeOf(c.model, testOutcome{})
			}
			if err != nil {
				t.Fatal(err)
			}
			writeTest(t, foreign, []Run{run}, 1)
			d := openTest(t, t.TempDir())
			writeTest(t, d, testRuns(d.model, 3), 3)
			renamed(t, foreign, d, c.table)
			refused(t, d, "runs", append(c.wanted, d.dir+"/runs/"+filepath.Base(onlyFile(t, foreign, c.table)))...)
		})
	}
}

// writeParquet puts a file of any columns and metadata, without rows, into the folder runs under
// its SHA-256.
func writeParquet(t *testing.T, d *Dataset, columns []model.Column, metadata map[string]string) {
	t.Helper()
	var data bytes.Buffer
	if err := encode(&data, columns, slices.Values([][]model.Value{}), metadata); err != nil {
		t.Fatal(err)
	}
	write(t, d.path("runs", sumOf(data.Bytes())), data.Bytes())
}

func TestStrangeMetadataAndSchemasAreRefused(t *testing.T) {
	columns := runsColumns(testModel())
	swapped := slices.Clone(columns)
	swapped[3], swapped[4] = swapped[4], swapped[3]
	longer := append(slices.Clone(columns), model.Column{Name: "extra", Type: model.TypeInt})
	float, nullable := slices.Clone(columns), slices.Clone(columns)
	float[1].Type, nullable[1].Nullable = model.TypeFloat, true
	for name, c := range map[string]struct {
		columns []model.Column
		changes map[string]string
		wanted  []string
	}{
		"no gridsweep": {columns, map[string]string{keyFormat: ""}, []string{"is no file of this study", "move it away"}},
		"format":       {columns, map[string]string{keyFormat: "99"}, []string{`format "99", not "1"`, "--out", "--fresh"}},
		"files":        {columns, map[string]string{keyFiles: "{"}, []string{"names its tables", "move it away"}},
		"path":         {columns, map[string]string{keyFiles: `{"jobs":"../../x"}`}, []string{`"../../x"`}},
		"order":        {swapped, nil, []string{"column label where policy should be"}},
		"type":         {float, nil, []string{"seed of another type"}},
		"nullable":     {nullable, nil, []string{"seed of another type"}},
		"fewer":        {columns[:9], nil, []string{"no column blocking"}},
		"more":         {longer, nil, []string{"extra too many"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := openTest(t, t.TempDir())
			metadata := d.identify(testProvenance.Metadata(), "runs", map[string]string{})
			for key, value := range c.changes {
				metadata[key] = value
				if value == "" {
					delete(metadata, key)
				}
			}
			writeParquet(t, d, c.columns, metadata)
			path := onlyFile(t, d, "runs")
			before := tree(t, d.dir)
			_, err := finishedFrom(context.Background(), d)
			checkRefusal(t, err, append(c.wanted, path))
			if diff := cmp.Diff(before, tree(t, d.dir)); diff != "" {
				t.Error("reading changed the folder")
			}
		})
	}
}

func TestFilesWithStrangeNames(t *testing.T) {
	d := openTest(t, t.TempDir())
	runs := testRuns(d.model, 6)
	writeTest(t, d, runs, 3)
	want := digest(t, d, nil)
	// Leftovers of a killed writer: temporary files, and tables that no commit names.
	orphan := openTest(t, t.TempDir())
	writeTest(t, orphan, []Run{testRun(d.model, 7)}, 1)
	data, err := os.ReadFile(onlyFile(t, orphan, "jobs"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, d.path("jobs", sumOf(data)), data)
	write(t, filepath.Join(d.dir, "runs", "."+sumOf(data)+".parquet123"), data[:100])
	if frame := read(t, d, "jobs", nil, nil); len(frame.Runs()) != 6 || digest(t, d, nil) != want {
		t.Error("leftovers are read")
	}
	for _, name := range []string{"results.parquet", "README.txt", strings.ToUpper(sumOf(data)) + dataExtension} {
		path := filepath.Join(d.dir, "runs", name)
		write(t, path, data)
		refused(t, d, "runs", path, "move it away")
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(d.path("runs", sumOf(nil)), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := finishedFrom(context.Background(), d); err == nil {
		t.Error("a folder passes for a batch")
	}
}

func TestClearRemovesWhatWasWritten(t *testing.T) {
	d := openTest(t, t.TempDir(), "events")
	writeTest(t, d, testRuns(d.model, 6), 3)
	if err := d.WriteFailure(Failure{ID: testRun(d.model, 9).ID}); err != nil {
		t.Fatal(err)
	}
	older, err := Open(d.dir, "example", model.New(func() model.Spec[testPoint, testOutcome] {
		spec := testSpec()
		spec.Version = 1
		return spec
	}()))
	if err != nil {
		t.Fatal(err)
	}
	run := testRun(d.model, 0)
	run.Outcome = outcomeOf(older.model, testOutcome{})
	writeTest(t, older, []Run{run}, 1)
	write(t, d.path("jobs", strings.Repeat("a", 64)), []byte("damaged"))
	write(t, filepath.Join(d.dir, "runs", "."+strings.Repeat("a", 64)+".parquet123"), []byte("temporary"))

	study, err := Open(t.TempDir(), "other", d.model)
	if err != nil {
		t.Fatal(err)
	}
	writeTest(t, study, testRuns(d.model, 1), 1)
	renamed(t, study, d, "runs")
	foreign := []string{
		"plan.json", "cells.parquet", "runs/.hidden", "figures/a.svg",
		"failed/x.json", "jobs/" + sumOf([]byte("foreign")) + dataExtension,
	}
	for _, name := range foreign {
		write(t, filepath.Join(d.dir, name), []byte("foreign"))
	}
	notes := filepath.Join(d.dir, "runs", "notes.txt")
	write(t, notes, []byte("mine"))
	before := len(tree(t, d.dir))
	if err := d.Clear(); err == nil || len(tree(t, d.dir)) != before {
		t.Fatalf("%d of %d files are left beside one that later runs would refuse, %v", len(tree(t, d.dir)), before, err)
	}
	if err := os.Remove(notes); err != nil {
		t.Fatal(err)
	}
	if err := d.Clear(); err != nil {
		t.Fatal(err)
	}
	var left []string
	for name := range tree(t, d.dir) {
		left = append(left, strings.TrimPrefix(name, "/"))
	}
	want := append(foreign, "runs/"+filepath.Base(onlyFile(t, study, "runs")))
	slices.Sort(left)
	slices.Sort(want)
	if diff := cmp.Diff(want, left); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(filepath.Join(d.dir, "events")); !os.IsNotExist(err) {
		t.Error("an empty folder is left")
	}
}

func TestFolderThatCannotBeUsed(t *testing.T) {
	d := openTest(t, t.TempDir())
	write(t, filepath.Join(d.dir, "runs"), nil) // a file where the folder should be
	err := d.WriteBatch(testRuns(d.model, 2), testProvenance)
	if err == nil || !strings.Contains(err.Error(), filepath.Join(d.dir, "runs")) {
		t.Errorf("writing gives error %v", err)
	}
	_, err = finishedFrom(context.Background(), d)
	if err == nil || !strings.Contains(err.Error(), filepath.Join(d.dir, "runs")) {
		t.Errorf("reading gives error %v", err)
	}
}

func TestNoPermission(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may do everything")
	}
	d := openTest(t, t.TempDir())
	writeTest(t, d, testRuns(d.model, 2), 2)
	path := onlyFile(t, d, "runs")
	for _, c := range []struct {
		path       string
		mode, back os.FileMode
		advice     string
		do         func() error
	}{
		{path, 0, 0o666, "make it readable", func() error { _, err := finishedFrom(context.Background(), d); return err }},
		{filepath.Dir(path), 0o555, 0o777, "make its folder writable", func() error {
			return d.WriteBatch(testRuns(d.model, 1), testProvenance)
		}},
		{filepath.Dir(path), 0, 0o777, "make it readable", func() error {
			_, err := digestFrom(context.Background(), d, nil)
			return err
		}},
		{filepath.Dir(path), 0o555, 0o777, "", d.Clear},
	} {
		if err := os.Chmod(c.path, c.mode); err != nil {
			t.Fatal(err)
		}
		err := c.do()
		checkRefusal(t, err, []string{c.path, "permission denied", c.advice})
		if err != nil && strings.Contains(err.Error(), "away") {
			t.Errorf("the error advises to move an undamaged file: %v", err)
		}
		if err := os.Chmod(c.path, c.back); err != nil {
			t.Fatal(err)
		}
	}
	if frame := read(t, d, "runs", nil, nil); frame.Len() != 2 {
		t.Errorf("%d rows", frame.Len())
	}
}

func TestCancelledReading(t *testing.T) {
	d := openTest(t, t.TempDir())
	writeTest(t, d, testRuns(d.model, 2), 1)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := finishedFrom(ctx, d); err == nil {
		t.Error("reading does not end with its context")
	}
}

func TestRowsThatCannotBelongAreRefused(t *testing.T) {
	m := testModel()
	a, b := testRun(m, 1), testRun(m, 2)
	for name, c := range map[string]struct{ committed, jobs []Run }{
		"another run's rows": {[]Run{a}, []Run{a, b}},
		"rows apart":         {[]Run{a, b}, []Run{a, b, a}},
		"a run twice":        {[]Run{a, a}, []Run{a}},
	} {
		t.Run(name, func(t *testing.T) {
			d := openTest(t, t.TempDir())
			jobs, err := encodeFile("jobs", longColumns(m.Tables[1]), outcomeRows(c.jobs, 1, new(position)),
				d.identify(testProvenance.Metadata(), "jobs", nil))
			if err != nil {
				t.Fatal(err)
			}
			commit, err := encodeFile("runs", runsColumns(m), outcomeRows(c.committed, 0, new(position)),
				d.identify(testProvenance.Metadata(), "runs", map[string]string{"jobs": jobs.sum}))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range []encodedFile{jobs, commit} {
				if err := WriteFile(d.path(f.table, f.sum), f.data); err != nil {
					t.Fatal(err)
				}
			}
			refused(t, d, "jobs", d.dir, "--fresh")
		})
	}
}
