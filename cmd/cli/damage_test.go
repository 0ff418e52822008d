//go:build unix

// Damaged datasets: every file is cut, has bits flipped, or is replaced by a folder, pipe, link or
// foreign file. Every reader must either name the file or return correct data, and leave the file
// unchanged.

package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"gridsweep/model"
	"gridsweep/pipeline"
	"gridsweep/pipeline/workspace"
	"gridsweep/results"
	"gridsweep/sweeps"
)

// damaged is a small finished dataset with every sort of file. Tests damage one file at a time.
type damaged struct {
	faulty
	target *workspace.Study
	digest string
	files  map[string][]byte // relative path → undamaged content
	other  string            // id of the one run of the plan that has failed
	plan   string            // path of the plan file of a submission
}

// newDamaged makes a dataset of one batch, the record of a failed run, a heartbeat and a
// submission.
func newDamaged(t *testing.T) *damaged {
	t.Helper()
	f := faulty{t, t.TempDir()}
	d := &damaged{faulty: f, target: f.target(), files: map[string][]byte{}}
	d.other = d.target.Plan.Runs[faultyRuns-1].ID
	ids := []string{"--workers", "1"}
	for _, run := range d.target.Plan.Runs[:faultyRuns-1] {
		ids = append(ids, "--id", run.ID)
	}
	arguments := append(slices.Clone(faultyPlan[:6]), ids...)
	if _, messages, code := f.command("run", arguments...); code != 0 {
		t.Fatal(messages)
	}
	d.target = f.withoutJobs()
	failure := results.Failure{ID: d.other, Cell: "cooperation", Error: "no <reservation>",
		Parameters: map[string]string{"days": "0.05"}}
	if err := d.target.Dataset.WriteFailure(failure); err != nil {
		t.Fatal(err)
	}
	life, err := json.Marshal(pipeline.Heartbeat{Host: "node7", PID: 12, Plan: d.target.Plan.Checksum(), Workers: 2,
		Runs: []string{d.other}})
	if err != nil {
		t.Fatal(err)
	}
	if err := results.WriteFile(filepath.Join(d.target.Running(), "node7-12.json"), life); err != nil {
		t.Fatal(err)
	}
	work := slices.Repeat([]float64{1}, len(d.target.Plan.Runs))
	submission := pipeline.NewSubmission(d.target.Plan.Checksum(), []*sweeps.Plan{d.target.Plan}, [][]float64{work}, 3, 2)
	text, name := submission.Encode()
	d.plan = filepath.Join(d.target.Dir, "submitted", name, "plan.json")
	if err := results.WriteFile(d.plan, text); err != nil {
		t.Fatal(err)
	}
	d.digest = f.digest()
	d.files = tree(t, d.target.Dir)
	return d
}

// withoutJobs is the target without the optional table jobs, so that all runs share one batch.
func (f faulty) withoutJobs() *workspace.Study {
	f.t.Helper()
	s := workspace.Selection{
		Out: f.out, Quick: true, Experiments: []string{"cooperation"}, Set: []string{"trace=model", "days=0.05"},
	}
	return open(f.t, s, "brokering/brokering")[0]
}

// tree returns the content of each file below a folder, by its relative path.
func tree(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		files[name], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// readers are the functions that read the dataset. Each returns an error that names a file, or
// checks that it read correct data.
func (d *damaged) readers() map[string]func() error {
	ctx := d.t.Context()
	return map[string]func() error{
		"digest": func() error {
			digest, err := digestOf(ctx, d.target.Dataset, nil)
			if err == nil && digest != d.digest {
				d.t.Errorf("digest %s, want %s", digest, d.digest)
			}
			return err
		},
		"finished": func() error {
			finished, err := finishedIn(ctx, d.target.Dataset)
			if err == nil && len(finished) != faultyRuns-1 {
				d.t.Errorf("%d runs are finished", len(finished))
			}
			return err
		},
		"timings": func() error {
			snapshot, err := d.target.Dataset.Snapshot(ctx, 0)
			if err == nil {
				_, err = snapshot.Read(ctx, results.TimingsTable, nil, nil)
			}
			return err
		},
		"failed": func() error {
			_, err := d.target.Dataset.Failures()
			return err
		},
		"running": func() error {
			_, err := pipeline.Heartbeats(d.target.Running())
			return err
		},
		"submitted": func() error {
			_, err := pipeline.ReadSubmission(d.plan)
			return err
		},
		"plan.json": func() error {
			snapshot, err := d.target.Dataset.Snapshot(ctx, results.Rows)
			if err == nil {
				_, err = pipeline.Explain(ctx, d.target.Plan, snapshot, d.target.RecordFile())
			}
			return err
		},
	}
}

// readersOf returns the names of the readers that must report damage of a file.
func readersOf(name string) []string {
	folder, _, _ := strings.Cut(filepath.ToSlash(name), "/")
	switch {
	case !isDataFile(name):
		return []string{folder}
	case folder == results.TimingsTable:
		return []string{"finished", "timings"}
	default:
		return []string{"finished", "digest"}
	}
}

// read calls readers, and returns an error if one neither reads correct data nor names the file. If
// the file must be refused, its own readers have to name it.
func (d *damaged) read(name string, mustRefuse bool, readers ...string) error {
	path := filepath.Join(d.target.Dir, name)
	all := d.readers()
	for _, reader := range readers {
		err := all[reader]()
		switch {
		case err != nil && !strings.Contains(err.Error(), path):
			return fmt.Errorf("%s: %q does not name %s", reader, err, path)
		case err == nil && mustRefuse && slices.Contains(readersOf(name), reader):
			return fmt.Errorf("%s does not report the damage", reader)
		}
	}
	return nil
}

// allReaders returns the names of all readers.
func (d *damaged) allReaders() []string { return slices.Sorted(maps.Keys(d.readers())) }

// replace replaces the content of a file for a while, and checks that readers neither crash, hang
// nor change it; see read.
func (d *damaged) replace(name string, data []byte, mustRefuse bool, readers ...string) {
	d.t.Helper()
	path := filepath.Join(d.target.Dir, name)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		d.t.Fatal(err)
	}
	d.within(name, func() error { return d.read(name, mustRefuse, readers...) })
	left, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(left, data) {
		d.t.Fatalf("%s: reading changed it, %v", name, err)
	}
	if err := os.WriteFile(path, d.files[name], 0o666); err != nil {
		d.t.Fatal(err)
	}
}

// within fails the test if read returns an error or does not return within a minute.
func (d *damaged) within(name string, read func() error) {
	d.t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- read() }()
	select {
	case err := <-ended:
		if err != nil {
			d.t.Fatalf("%s: %v", name, err)
		}
	case <-time.After(time.Minute):
		d.t.Fatalf("%s: reading hangs", name)
	}
}

// names returns the sorted names of the files.
func (d *damaged) names() []string { return slices.Sorted(maps.Keys(d.files)) }

// isDataFile reports whether a file is a data file.
func isDataFile(name string) bool { return filepath.Ext(name) == ".parquet" }

// isNamed reports whether the name of a file or of its folder has a checksum of its content.
func isNamed(name string) bool { return isDataFile(name) || strings.HasPrefix(name, "submitted") }

// A file that is cut off anywhere is refused with its name.
func TestTruncatedFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: reads a dataset after each of hundreds of cuts")
	}
	d := newDamaged(t)
	cuts := 0
	for _, name := range d.names() {
		whole := d.files[name]
		step := max(1, len(whole)/60)
		for n := 0; n < len(whole)-1; n += step { // the last byte of JSON is the end of the line
			d.replace(name, whole[:n], true, readersOf(name)...)
			cuts++
		}
		d.replace(name, whole[:len(whole)-1], isNamed(name), readersOf(name)...)
		cuts++
	}
	if n := len(tree(t, d.target.Dir)); n != len(d.files) {
		t.Errorf("%d files are left of %d", n, len(d.files))
	}
	if err := d.read("runs", false, d.allReaders()...); err != nil {
		t.Error(err)
	}
	t.Logf("%d files cut off at %d positions", len(d.files), cuts)
}

// A flipped bit in a data file or the plan of a submission is refused. In other JSON, on which no
// result depends, it is refused or shown.
func TestFlippedBits(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: reads a dataset after each of thousands of changes")
	}
	d := newDamaged(t)
	random := rand.New(rand.NewPCG(9, 3))
	flips := map[string]int{}
	for _, name := range d.names() {
		whole := d.files[name]
		bits := 8 * len(whole)
		// one bit in each section: at the start, in pages, in the index and at the end
		step := max(1, bits/400)
		for from := 0; from < bits; from += step {
			readers := readersOf(name)
			if flips[filepath.Ext(name)]%4 > 0 {
				readers = readers[:1]
			}
			bit := from + random.IntN(min(step, bits-from))
			data := bytes.Clone(whole)
			data[bit/8] ^= 1 << (bit % 8)
			d.replace(name, data, isNamed(name), readers...)
			flips[filepath.Ext(name)]++
		}
	}
	t.Logf("flipped single bits of %d files: %v", len(d.files), flips)
}

// strange are the things that a test puts in the place of a file.
var strange = map[string]func(path string) error{
	"a folder":              func(path string) error { return os.Mkdir(path, 0o777) },
	"a pipe":                func(path string) error { return syscall.Mkfifo(path, 0o666) },
	"a link to nothing":     func(path string) error { return os.Symlink("nothing", path) },
	"a link to itself":      func(path string) error { return os.Symlink(filepath.Base(path), path) },
	"a link to a device":    func(path string) error { return os.Symlink("/dev/zero", path) },
	"a file without a byte": func(path string) error { return os.WriteFile(path, nil, 0o666) },
	"another's text":        func(path string) error { return os.WriteFile(path, []byte("%PDF-1.7\n"), 0o666) },
}

// Something else in the place of a file is refused with its name and left there. Readers do not
// wait for pipes.
func TestStrangeThingsInThePlaceOfFiles(t *testing.T) {
	d := newDamaged(t)
	met := 0
	for _, name := range d.names() {
		path := filepath.Join(d.target.Dir, name)
		for what, create := range strange {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := create(path); err != nil {
				t.Fatal(err)
			}
			before, err := os.Lstat(path)
			if err != nil {
				t.Fatal(err)
			}
			// A broken link counts as a missing record.
			d.within(name+" is "+what, func() error {
				return d.read(name, isNamed(name) || what != "a link to nothing",
					d.allReaders()...)
			})
			after, err := os.Lstat(path)
			if err != nil || !os.SameFile(before, after) {
				t.Fatalf("%s, %s: reading replaced it, %v", name, what, err)
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, d.files[name], 0o666); err != nil {
				t.Fatal(err)
			}
			met++
		}
	}
	t.Logf("%d strange things in the place of %d files", met, len(d.files))
}

// An undamaged data file of another study, model version or table is refused in the folder runs. In
// the folder of another table it is ignored, since no commit file names it.
func TestForeignDataFilesInEveryFolder(t *testing.T) {
	d := newDamaged(t)
	out := t.TempDir()
	small := []string{"--experiment", "cost", "--set", "requests=10", "--out", out}
	if err := execute(t.Context(), append([]string{"run", "coallocation"}, small...), nil, &bytes.Buffer{},
		&bytes.Buffer{}); err != nil {
		t.Fatal(err)
	}
	foreign := map[string][]byte{}
	for name, data := range tree(t, filepath.Join(out, "coallocation")) {
		if isDataFile(name) {
			foreign["another study's "+filepath.Dir(name)] = data
		}
	}
	for name, data := range d.files {
		if isDataFile(name) {
			foreign["its own "+filepath.Dir(name)] = data
		}
	}
	met := 0
	for _, folder := range append(tablesOf(d.target.Model), results.TimingsTable) {
		for what, data := range foreign {
			sum := sha256.Sum256(data)
			name := filepath.Join(folder, hex.EncodeToString(sum[:])+".parquet")
			if d.files[name] != nil {
				continue
			}
			path := filepath.Join(d.target.Dir, name)
			if err := os.WriteFile(path, data, 0o666); err != nil {
				t.Fatal(err)
			}
			d.within(what+" in "+folder, func() error { return d.read(name, folder == model.RunsTable, d.allReaders()...) })
			if left, err := os.ReadFile(path); err != nil || !bytes.Equal(left, data) {
				t.Fatalf("%s in %s: reading changed it, %v", what, folder, err)
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			met++
		}
	}
	t.Logf("%d foreign files in the folders of tables", met)
}

func tablesOf(m *model.Model) []string {
	var names []string
	for _, table := range m.Tables {
		if !table.Optional {
			names = append(names, table.Name)
		}
	}
	return names
}

// The dates of files and records have no effect: the dataset reads the same, and finished runs are
// not executed again.
func TestDatesOfFilesHaveNoEffect(t *testing.T) {
	d := newDamaged(t)
	dates := []time.Time{time.Unix(0, 0), time.Now().Add(100 * 24 * time.Hour), time.Date(2106, 1, 1, 0, 0, 0, 0,
		time.UTC)}
	for i, date := range dates {
		failure := results.Failure{ID: d.other, Time: date}
		if err := d.target.Dataset.WriteFailure(failure); err != nil {
			t.Fatal(err)
		}
		life := pipeline.Heartbeat{Host: "node7", PID: 12, Started: date, Beat: dates[(i+1)%len(dates)],
			Plan: d.target.Plan.Checksum()}
		text, err := json.Marshal(life)
		if err != nil {
			t.Fatal(err)
		}
		if err := results.WriteFile(filepath.Join(d.target.Running(), "node7-12.json"), text); err != nil {
			t.Fatal(err)
		}
		for j, name := range d.names() {
			other := dates[(i+j)%len(dates)]
			if err := os.Chtimes(filepath.Join(d.target.Dir, name), other, other); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.read("runs", false, d.allReaders()...); err != nil {
			t.Fatal(err)
		}
		out, messages, code := d.command("status", faultyPlan[:6]...)
		if code != 0 || !strings.Contains(out, "5 of 6 runs done") {
			t.Errorf("status exits with %d:\n%s%s", code, out, messages)
		}
	}
	batches := tree(t, filepath.Join(d.target.Dir, model.RunsTable))
	if _, messages, code := d.command("run", faultyPlan[:6]...); code != 0 {
		t.Fatal(messages)
	}
	after := tree(t, filepath.Join(d.target.Dir, model.RunsTable))
	for name, data := range batches {
		if !bytes.Equal(after[name], data) {
			t.Errorf("%s was replaced", name)
		}
	}
	if len(after) != len(batches)+1 {
		t.Errorf("%d batches, want the %d earlier ones and one of the missing run", len(after), len(batches))
	}
}
