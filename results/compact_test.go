// Compaction tests: rows, timings and provenance stay, also when Compact is interrupted, the disk
// is full or a file cannot be verified.

package results

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"gridsweep/model"
)

func compact(t rapid.TB, d *Dataset) Compaction {
	t.Helper()
	done, err := d.Compact(context.Background(), CompactOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// timed gives a run different timings from all others, as real runs have.
func timed(run Run, seconds float64) Run {
	run.Timings = []Timing{{Machine: "node1", Section: "run", Seconds: seconds, Items: 5}}
	return run
}

// content returns all rows of a dataset by the names of the tables.
func content(t rapid.TB, d *Dataset) map[string]any {
	t.Helper()
	finished, err := finishedFrom(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	content := map[string]any{"digest": digest(t, d, nil), "finished": finished}
	for _, table := range append([]string{TimingsTable}, "runs", "jobs", "events") {
		rows := frameRows(read(t, d, table, nil, nil))
		if table == TimingsTable {
			slices.SortFunc(rows, slices.Compare)
		}
		content[table] = rows
	}
	return content
}

func TestCompactChangesNoRow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := testModel()
		dir := tempDir(t)
		var datasets []*Dataset // of one folder
		for _, optional := range [][]string{nil, {"events"}} {
			d, err := Open(dir, "example", m, optional...)
			if err != nil {
				t.Fatal(err)
			}
			datasets = append(datasets, d)
		}
		runs := drawRuns(t, m)
		for i := range runs {
			runs[i] = timed(runs[i], rapid.Float64Range(0, 9).Draw(t, "seconds"))
		}
		scatter(t, datasets[0], runs, "order")
		some := slices.Clone(runs[:rapid.IntRange(0, len(runs)).Draw(t, "some")])
		for i := range some {
			some[i] = timed(some[i], rapid.Float64Range(10, 19).Draw(t, "seconds again"))
		}
		scatter(t, datasets[1], some, "order of some")
		before := []any{content(t, datasets[0]), content(t, datasets[1])}
		batches := len(commitsOf(t, datasets[0]))
		done := compact(t, datasets[0])
		if diff := cmp.Diff(before, []any{content(t, datasets[0]), content(t, datasets[1])}); diff != "" {
			t.Fatal(diff)
		}
		left := commitsOf(t, datasets[0])
		if done.Before != batches || done.After != len(left) || len(left) > 2 {
			t.Errorf("%+v, %d of %d batches are left", done, len(left), batches)
		}
		files := tree(t, dir)
		if again := compact(t, datasets[1]); again.Merged != 0 || again.BytesBefore != done.BytesAfter {
			t.Errorf("first %+v, then %+v", done, again)
		}
		if diff := cmp.Diff(files, tree(t, dir)); diff != "" {
			t.Error("a second time changes a compact dataset")
		}
		size := int64(0)
		for _, data := range files {
			size += int64(len(data))
		}
		if size != done.BytesAfter {
			t.Errorf("the folder has %d bytes, %+v", size, done)
		}
	})
}

// commitsOf returns the names of the batches of a dataset.
func commitsOf(t rapid.TB, d *Dataset) []string {
	t.Helper()
	names, err := d.commitNames()
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestCompactOfEqualBatchesMakesEqualFiles(t *testing.T) {
	var trees []map[string]string
	for range 2 {
		d := openTest(t, t.TempDir(), "events")
		writeTest(t, d, testRuns(d.model, 20), 3)
		compact(t, d)
		trees = append(trees, tree(t, d.dir))
	}
	if diff := cmp.Diff(trees[0], trees[1]); diff != "" || len(trees[0]) != 4 {
		t.Errorf("%d files\n%s", len(trees[0]), diff)
	}
}

func TestCompactDryRun(t *testing.T) {
	d := openTest(t, t.TempDir())
	writeTest(t, d, testRuns(d.model, 9), 2)
	before := tree(t, d.dir)
	done, err := d.Compact(t.Context(), CompactOptions{DryRun: true})
	if err != nil || done.Before != 5 || done.After != 1 || done.Merged != 5 || done.BytesBefore == 0 {
		t.Errorf("%+v, %v", done, err)
	}
	if diff := cmp.Diff(before, tree(t, d.dir)); diff != "" {
		t.Error(diff)
	}
}

func TestCompactReportsProgress(t *testing.T) {
	d := openTest(t, t.TempDir())
	writeTest(t, d, testRuns(d.model, 9), 1)
	last, end := 0, 0
	_, err := d.Compact(t.Context(), CompactOptions{Progress: func(done, total int) {
		if done <= last || total < done {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last, end = done, total
	}})
	if err != nil || last == 0 || last != end {
		t.Errorf("ends at %d of %d, %v", last, end, err)
	}
}

// A merged batch keeps every provenance of its rows in the metadata, also when it is merged again.
func TestCompactKeepsProvenance(t *testing.T) {
	d := openTest(t, t.TempDir())
	var want []map[string]string
	for replication, change := range []func(*Provenance){
		func(*Provenance) {}, func(p *Provenance) { p.Machine = "node2" }, func(p *Provenance) { p.Machine = "node2" },
		func(p *Provenance) { p.Machine, p.Command = "node3", "gridsweep run --shard 2/3" },
	} {
		p := testProvenance
		change(&p)
		if err := d.WriteBatch([]Run{testRun(d.model, replication)}, p); err != nil {
			t.Fatal(err)
		}
		if replication != 2 {
			want = append(want, p.Metadata())
		}
		if replication == 1 {
			compact(t, d)
		}
	}
	compact(t, d)
	for _, table := range []string{model.RunsTable, "jobs", TimingsTable} {
		columns, err := d.columnsOf(table)
		if err != nil {
			t.Fatal(err)
		}
		path := onlyFile(t, d, table)
		p, err := d.open(path, strings.TrimSuffix(filepath.Base(path), dataExtension), table, columns)
		if err != nil {
			t.Fatal(err)
		}
		have, err := provenancesOf(p.metadata)
		byMachine := cmpopts.SortSlices(func(a, b map[string]string) bool {
			return a["gridsweep.machine"] < b["gridsweep.machine"]
		})
		if diff := cmp.Diff(want, have, byMachine); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", table, err, diff)
		}
		if p.metadata["gridsweep.version"] != testProvenance.Version || p.metadata["gridsweep.machine"] != "" {
			t.Errorf("%s: equal entries are not separate from different ones: %q", table, p.metadata)
		}
	}
}

// Large batches stay as they are, and small ones are merged until they are large.
func TestCompactGroups(t *testing.T) {
	batch := func(values int, contents string) inspected {
		return inspected{sum: fmt.Sprint(contents, values), contents: contents, values: values}
	}
	c := compaction{batches: []inspected{
		batch(valuesPerBatch+1, "a"), batch(valuesPerBatch/2+1, "a"), batch(10, "a"), batch(valuesPerBatch/2, "a"),
		batch(valuesPerBatch/2-5, "a"), batch(20, "a"), batch(11, "b"), batch(30, "c"), batch(31, "c"),
	}}
	var sizes []int
	for _, group := range c.groups() {
		sum := 0
		for _, s := range group {
			sum += s.values
			if s.contents != group[0].contents {
				t.Errorf("group %+v mixes batches of different contents", group)
			}
		}
		sizes = append(sizes, sum)
	}
	if diff := cmp.Diff([]int{10 + 20 + valuesPerBatch/2 - 5, 30 + 31}, sizes); diff != "" {
		t.Error(diff)
	}
	half := compaction{batches: []inspected{batch(valuesPerBatch/2+1, "a"), batch(10, "a")}}
	if groups := half.groups(); len(groups) > 0 {
		t.Errorf("a batch that is half full is merged with a small one: %+v", groups)
	}
	many := compaction{}
	for range 2*batchesPerMerge + 2 {
		many.batches = append(many.batches, batch(1, "a"))
	}
	if n := len(many.groups()); n != 3 {
		t.Errorf("%d groups of %d batches", n, len(many.batches))
	}
}

func TestCompactRefusesWhatItCannotVerify(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, d *Dataset, path string){
		"damaged": func(t *testing.T, _ *Dataset, path string) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			data[len(data)/2] ^= 1
			write(t, path, data)
		},
		"missing": func(t *testing.T, d *Dataset, path string) {
			if filepath.Base(filepath.Dir(path)) == model.RunsTable {
				t.Skip("then its runs are not in the dataset")
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		},
		"foreign": func(t *testing.T, _ *Dataset, path string) {
			write(t, filepath.Join(filepath.Dir(path), "notes.txt"), nil)
		},
	} {
		for _, table := range []string{model.RunsTable, "jobs", TimingsTable} {
			t.Run(name+" "+table, func(t *testing.T) {
				d := openTest(t, t.TempDir())
				writeTest(t, d, testRuns(d.model, 12), 3)
				files, err := filepath.Glob(filepath.Join(d.dir, table, "*"))
				if err != nil || len(files) != 4 {
					t.Fatal(files, err)
				}
				damage(t, d, files[2])
				before := tree(t, d.dir)
				_, err = d.Compact(t.Context(), CompactOptions{})
				checkRefusal(t, err, []string{"compact the dataset: ", filepath.Dir(files[2]), "away"})
				if diff := cmp.Diff(before, tree(t, d.dir)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
	t.Run("unequal", func(t *testing.T) {
		d := openTest(t, t.TempDir())
		run := testRun(d.model, 1)
		writeTest(t, d, []Run{run}, 1)
		run.Outcome = outcomeOf(d.model, testOutcome{Blocking: 99})
		writeTest(t, d, []Run{run}, 1)
		before := tree(t, d.dir)
		_, err := d.Compact(t.Context(), CompactOptions{})
		checkRefusal(t, err, []string{"different rows of run " + run.ID, "--fresh"})
		if diff := cmp.Diff(before, tree(t, d.dir)); diff != "" {
			t.Error(diff)
		}
	})
}

func TestCompactOnAFullDisk(t *testing.T) {
	if !alone(t) {
		return
	}
	d := openTest(t, t.TempDir())
	writeTest(t, d, testRuns(d.model, 40), 1)
	before := tree(t, d.dir)
	for limit := uint64(1000); limit < 20000; limit += 1500 {
		var err error
		fullFor(t, limit, func() { _, err = d.Compact(t.Context(), CompactOptions{}) })
		if err == nil {
			return
		}
		checkRefusal(t, err, []string{"cannot write " + d.dir})
		if diff := cmp.Diff(before, tree(t, d.dir)); diff != "" {
			t.Fatal(diff)
		}
	}
	t.Error("the merged files take more than 20 kB")
}

func TestCompactWithoutPermission(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may do everything")
	}
	d := openTest(t, t.TempDir())
	writeTest(t, d, testRuns(d.model, 4), 1)
	before := tree(t, d.dir)
	for _, table := range []string{model.RunsTable, "jobs", TimingsTable} {
		folder := filepath.Join(d.dir, table)
		if err := os.Chmod(folder, 0o555); err != nil {
			t.Fatal(err)
		}
		_, err := d.Compact(t.Context(), CompactOptions{})
		checkRefusal(t, err, []string{folder, "make its folder writable"})
		if err := os.Chmod(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, tree(t, d.dir)); diff != "" {
			t.Error(diff)
		}
	}
}

// Compact writes nothing into a dataset that is compact already, which may be read-only.
func TestCompactOfACompactDatasetWritesNothing(t *testing.T) {
	if !alone(t) {
		return
	}
	d := openTest(t, t.TempDir())
	writeTest(t, d, testRuns(d.model, 4), 4)
	var err error
	fullFor(t, 0, func() { _, err = d.Compact(t.Context(), CompactOptions{}) })
	if err != nil {
		t.Error(err)
	}
	empty := openTest(t, filepath.Join(t.TempDir(), "not", "there"))
	if diff := cmp.Diff(Compaction{}, compact(t, empty)); diff != "" {
		t.Error(diff)
	}
}

func TestCompactRemovesOldLeftovers(t *testing.T) {
	d := openTest(t, t.TempDir(), "events")
	writeTest(t, d, testRuns(d.model, 6), 6)
	orphans := openTest(t, t.TempDir(), "events")
	writeTest(t, orphans, []Run{testRun(d.model, 9)}, 1)
	foreign, err := Open(t.TempDir(), "other", d.model)
	if err != nil {
		t.Fatal(err)
	}
	writeTest(t, foreign, []Run{testRun(d.model, 9)}, 1)
	copied := func(from *Dataset, table string) string {
		path := onlyFile(t, from, table)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(table, filepath.Base(path))
		write(t, filepath.Join(d.dir, name), data)
		return name
	}
	sum, id := sumOf(nil), testRun(d.model, 1).ID
	removed := []string{
		copied(orphans, "jobs"), copied(orphans, TimingsTable), "runs/." + sum + ".parquet12", "events/." + sum + ".parquet7",
		"running/node-1.example-17.json", "running/.node-1.example-17.json99",
		"failed/." + id + ".json5", "failed/." + sum + ".parquet5",
	}
	stays := []string{copied(foreign, "jobs"), "running/notes.txt", "runs/.hidden", "figures/.a.svg77"}
	for _, name := range slices.Concat(removed, stays) {
		path := filepath.Join(d.dir, name)
		if _, err := os.Stat(path); err != nil {
			write(t, path, []byte("x"))
		}
	}
	if err := d.WriteFailure(Failure{ID: id}); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(d.dir, "running", "folder.json"), 0o777); err != nil {
		t.Fatal(err)
	}
	young := tree(t, d.dir)
	setAge := func(age time.Duration) {
		then := time.Now().Add(-age)
		for _, name := range append(slices.Collect(maps.Keys(young)), "running/folder.json") {
			if err := os.Chtimes(filepath.Join(d.dir, name), then, then); err != nil {
				t.Fatal(err)
			}
		}
	}
	setAge(23 * time.Hour)
	if done := compact(t, d); done.Leftovers != 0 {
		t.Errorf("%d young files were removed", done.Leftovers)
	}
	if diff := cmp.Diff(young, tree(t, d.dir)); diff != "" {
		t.Fatal(diff)
	}
	setAge(25 * time.Hour)
	if done := compact(t, d); done.Leftovers != len(removed) {
		t.Errorf("%d files were removed of %d", done.Leftovers, len(removed))
	}
	for _, name := range removed {
		delete(young, "/"+name)
	}
	if diff := cmp.Diff(young, tree(t, d.dir)); diff != "" {
		t.Error(diff)
	}
}

// A Compact that is killed after it wrote the merged batch leaves both; the next one removes the
// old batches.
func TestCompactCompletesAnEarlierOne(t *testing.T) {
	d := openTest(t, t.TempDir())
	writeTest(t, d, testRuns(d.model, 6), 1)
	before := tree(t, d.dir)
	compact(t, d)
	after := tree(t, d.dir)
	removed := 0
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if strings.HasPrefix(name, "/runs/") && removed < 3 {
			removed++ // by the compaction that was stopped
			continue
		}
		write(t, filepath.Join(d.dir, name), []byte(before[name]))
	}
	if batches := len(commitsOf(t, d)); batches < 3 {
		t.Fatalf("%d batches are left of the first", batches)
	} else if done := compact(t, d); done.Before != batches || done.Merged != batches-1 || done.After != 1 {
		t.Errorf("%d batches: %+v", batches, done)
	}
	have := tree(t, d.dir)
	maps.DeleteFunc(have, func(name, _ string) bool {
		// of removed commit files: no commit names them, and Compact removes them after a day
		_, old := before[name]
		return old && !strings.HasPrefix(name, "/runs/")
	})
	if diff := cmp.Diff(after, have); diff != "" {
		t.Error(diff)
	}
}

func TestCompactStops(t *testing.T) {
	d := openTest(t, t.TempDir())
	writeTest(t, d, testRuns(d.model, 6), 1)
	before := tree(t, d.dir)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := d.Compact(ctx, CompactOptions{Progress: func(done, total int) {
		if done > 20 { // while it merges
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(before, tree(t, d.dir)); diff != "" {
		t.Error(diff)
	}
}
