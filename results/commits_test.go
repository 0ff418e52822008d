// Commit tests: data files that exist, batches on a full disk, and commit files that vanish while
// they are read.

package results

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"gridsweep/model"
)

// If a data file of the same name exists, it has the same bytes, or it is damaged: then the error
// names it and it stays.
func TestDataFileThatExists(t *testing.T) {
	d := openTest(t, t.TempDir())
	runs := testRuns(d.model, 3)
	writeTest(t, d, runs, 3)
	before := tree(t, d.dir)
	writeTest(t, d, runs, 3)
	if diff := cmp.Diff(before, tree(t, d.dir)); diff != "" {
		t.Error(diff)
	}
	for _, table := range []string{TimingsTable, "jobs", model.RunsTable} {
		path := onlyFile(t, d, table)
		write(t, path, []byte("damaged"))
		err := d.WriteBatch(runs, testProvenance)
		checkRefusal(t, err, []string{path + " is damaged", "move it away, or start over with --fresh"})
		if text, err := os.ReadFile(path); err != nil || string(text) != "damaged" {
			t.Errorf("the damaged file holds %q, %v", text, err)
		}
		write(t, path, []byte(before[strings.TrimPrefix(path, d.dir)]))
	}
	if diff := cmp.Diff(before, tree(t, d.dir)); diff != "" {
		t.Error(diff)
	}
}

func TestManyWriteOneBatch(t *testing.T) {
	d := openTest(t, t.TempDir(), "events")
	runs := testRuns(d.model, 5)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if err := d.WriteBatch(runs, testProvenance); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if files := tree(t, d.dir); len(files) != 4 {
		t.Errorf("%d files, want one of each table", len(files))
	}
	read(t, d, "jobs", nil, nil)
}

// Two processes that ran the same runs share no data file, so removing a batch may remove its
// files.
func TestNoTwoBatchesShareAFile(t *testing.T) {
	d := openTest(t, t.TempDir(), "events")
	runs := testRuns(d.model, 2)
	writeTest(t, d, runs, 2)
	runs[1].Timings = []Timing{{Machine: "node1", Section: "run", Seconds: 0.26}}
	writeTest(t, d, runs, 2)
	if files := tree(t, d.dir); len(files) != 8 {
		t.Errorf("%d files, want two of each table", len(files))
	}
}

// childEnv is the variable with the folder of a test that runs in its own process; it is not set in
// others.
const childEnv = "GRIDSWEEP_TEST_CHILD"

// again returns the command that runs this test in its own process.
func again(t *testing.T, dir string) *exec.Cmd {
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	command.Env = append(os.Environ(), childEnv+"="+dir)
	return command
}

// alone reports whether this is the test's own process. If not, it runs the test in one: a limit
// holds for the whole process, which may have other files to write.
func alone(t *testing.T) bool {
	if os.Getenv(childEnv) != "" {
		return true
	}
	if output, err := again(t, t.TempDir()).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
	return false
}

func TestFullDiskLeavesNoBatch(t *testing.T) {
	if !alone(t) {
		return
	}
	d := openTest(t, t.TempDir())
	writeTest(t, d, testRuns(d.model, 3), 3)
	before := tree(t, d.dir)
	largest := uint64(len(before[strings.TrimPrefix(onlyFile(t, d, model.RunsTable), d.dir)]))
	var err error
	// timings and jobs fit
	fullFor(t, largest-500, func() { err = d.WriteBatch(testRuns(d.model, 4), testProvenance) })
	checkRefusal(t, err, []string{"cannot write " + d.dir, "run the same command again"})
	if diff := cmp.Diff(before, tree(t, d.dir)); diff != "" {
		t.Error(diff)
	}
}

// A reader that misses a commit file finds its runs in the merged batch, and reads no other file
// twice.
func TestCommitsThatVanish(t *testing.T) {
	d := openTest(t, t.TempDir())
	writeTest(t, d, testRuns(d.model, 6), 1)
	visits, moved := map[string]int{}, 0
	err := d.commits(t.Context(), func(name string) error {
		visits[name]++
		if moved < 3 { // into a batch that was not there when the folder was listed
			moved++
			writeTest(t, d, []Run{testRun(d.model, 10+moved)}, 1)
			return errors.Join(removeFile(d.dir+"/runs/"+name), errVanished)
		}
		return nil
	})
	if err != nil || len(visits) != 9 {
		t.Errorf("%d commits visited, %v", len(visits), err)
	}
	for name, n := range visits {
		if n != 1 {
			t.Errorf("%s is visited %d times", name, n)
		}
	}
}

func TestCommitsThatAlwaysVanish(t *testing.T) {
	d := openTest(t, t.TempDir())
	writeTest(t, d, testRuns(d.model, 1), 1)
	synctest.Test(t, func(t *testing.T) {
		visits := 0
		err := d.commits(t.Context(), func(string) error { visits++; return errVanished })
		checkRefusal(t, err, []string{d.dir, "keeps removing them", "run the same command again"})
		if visits != listings {
			t.Errorf("%d visits", visits)
		}
		ctx, cancel := context.WithCancel(t.Context())
		err = d.commits(ctx, func(string) error { cancel(); return errVanished })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("when stopped: error %v", err)
		}
	})
}

// A dangling link is not taken for a batch that another process has removed: the error names it.
func TestDanglingLink(t *testing.T) {
	d := openTest(t, t.TempDir())
	writeTest(t, d, testRuns(d.model, 1), 1)
	path := d.path(model.RunsTable, sumOf(nil))
	if err := os.Symlink("nowhere", path); err != nil {
		t.Skip(err)
	}
	_, err := finishedFrom(t.Context(), d)
	checkRefusal(t, err, []string{path + " is missing", "move it away"})
}

// A row of timings that is in two batches counts once; one that is twice in a batch counts twice.
func TestTimingsInSeveralBatches(t *testing.T) {
	d := openTest(t, t.TempDir())
	timing := func(seconds float64) Timing { return Timing{Machine: "node1", Section: "run", Seconds: seconds} }
	for i, timings := range [][]Timing{
		{timing(1), timing(2), timing(2)}, {timing(2), timing(3)}, {}, {timing(3), timing(3), timing(1)},
	} {
		run := testRun(d.model, 1)
		run.Timings = timings
		writeTest(t, d, []Run{run, testRun(d.model, 10+i)}, 2)
	}
	count := map[float64]int{}
	frame := read(t, d, TimingsTable, []string{"seconds"}, map[string]bool{testRun(d.model, 1).ID: true})
	for i := range frame.Len() {
		count[frame.Column("seconds").Value(i).Float()]++
	}
	if diff := cmp.Diff(map[float64]int{1: 1, 2: 2, 3: 2}, count); diff != "" {
		t.Error(diff)
	}
	// Rows that are equal in the selected columns only are different.
	machines := read(t, d, TimingsTable, []string{MachineColumn}, map[string]bool{testRun(d.model, 1).ID: true})
	if machines.Len() != 5 || len(machines.Columns()) != 2 {
		t.Errorf("%d rows of %d columns", machines.Len(), len(machines.Columns()))
	}
}
