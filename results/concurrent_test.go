// Tests with several processes: Compact killed at any moment, and readers, writers, Compact and
// Clear in one folder.

package results

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gridsweep/model"
)

// copyTree writes the files of a tree into a folder.
func copyTree(t *testing.T, files map[string]string, dir string) {
	t.Helper()
	for name, data := range files {
		write(t, filepath.Join(dir, name), []byte(data))
	}
}

// A Compact that is killed at any moment loses no row and no timing, and the next one completes it.
func TestCompactKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: kills processes")
	}
	if dir := os.Getenv(childEnv); dir != "" {
		d := openTest(t, dir)
		fmt.Println("ready")
		compact(t, d)
		return
	}
	d := openTest(t, t.TempDir())
	for replication := range 25 {
		writeTest(t, d, []Run{timed(testRun(d.model, replication), float64(replication))}, 1)
	}
	before, want := tree(t, d.dir), content(t, d)
	started := time.Now()
	compact(t, d)
	took := time.Since(started)
	random := rand.New(rand.NewPCG(5, 6))
	begun := 0 // kills that left an unfinished compaction
	for n := range 16 {
		dir := t.TempDir()
		copyTree(t, before, dir)
		at := time.Duration(random.Int64N(int64(took) * 3 / 2))
		moment := func(ready time.Time) bool { return time.Since(ready) >= at }
		if n%2 == 0 { // as soon as a folder has changed
			folder := filepath.Join(dir, []string{TimingsTable, "jobs", "runs"}[random.IntN(3)])
			files := len(entriesOf(t, folder))
			moment = func(time.Time) bool { return len(entriesOf(t, folder)) != files }
		}
		killAt(t, again(t, dir), moment)
		d := openTest(t, dir)
		if diff := cmp.Diff(want, content(t, d)); diff != "" {
			t.Fatal(diff)
		}
		if n := len(tree(t, dir)); n != len(before) && n != 3 {
			begun++
		}
		compact(t, d)
		if diff := cmp.Diff(want, content(t, d)); diff != "" || len(commitsOf(t, d)) != 1 {
			t.Fatalf("%d batches\n%s", len(commitsOf(t, d)), diff)
		}
	}
	t.Logf("%d of the kills left something half done", begun)
	if begun == 0 {
		t.Error("no kill interrupted a Compact")
	}
}

// While processes compact and write in one folder, no reader gets an error or other rows.
func TestManyReadWriteAndCompact(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: has many processes at work on one folder")
	}
	if dir := os.Getenv(childEnv); dir != "" {
		d := openTest(t, dir)
		for range 8 {
			compact(t, d)
		}
		return
	}
	d, quiet := openTest(t, t.TempDir()), openTest(t, t.TempDir())
	ids := map[string]bool{}
	add := func(replication int) string {
		run := timed(testRun(d.model, replication), float64(replication))
		writeTest(t, d, []Run{run}, 1)
		writeTest(t, quiet, []Run{run}, 1)
		return run.ID
	}
	for replication := range 25 {
		ids[add(replication)] = true
	}
	want := digest(t, quiet, ids)
	var writers, readers sync.WaitGroup
	for range 2 {
		writers.Go(func() {
			if output, err := again(t, d.dir).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, output)
			}
		})
	}
	writers.Go(func() {
		for replication := range 40 {
			add(100 + replication)
		}
	})
	done, stop := context.WithCancel(t.Context())
	for range 2 {
		readers.Go(func() {
			for done.Err() == nil && !t.Failed() {
				readAll(t, d, ids, want)
			}
		})
	}
	writers.Wait()
	stop()
	readers.Wait()
	compact(t, d)
	if diff := cmp.Diff(content(t, quiet), content(t, d)); diff != "" || len(commitsOf(t, d)) != 1 {
		t.Errorf("%d batches\n%s", len(commitsOf(t, d)), diff)
	}
}

// readAll reads the runs by every query of a snapshot.
func readAll(t *testing.T, d *Dataset, ids map[string]bool, want string) {
	have, err := digestFrom(context.Background(), d, ids)
	if err != nil || have != want {
		t.Errorf("digest %s, want %s, %v", have, want, err)
	}
	if _, err := digestFrom(context.Background(), d, nil); err != nil {
		t.Error(err)
	}
	finished, err := finishedFrom(context.Background(), d)
	for id := range ids {
		if !finished[id] {
			t.Errorf("run %s is missing, %v", id, err)
		}
	}
	for _, table := range []string{TimingsTable, "runs", "jobs"} {
		frame, err := readFrom(context.Background(), d, table, nil, ids)
		if err != nil || len(frame.Runs()) != len(ids) || table != "jobs" && frame.Len() != len(ids) {
			t.Errorf("table %s has not all rows, or some twice: %v", table, err)
		}
	}
}

func entriesOf(t *testing.T, folder string) []os.DirEntry {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

// killAt starts a child and kills it at a moment after it has printed that it is ready, unless it
// ends before.
func killAt(t *testing.T, child *exec.Cmd, moment func(ready time.Time) bool) {
	t.Helper()
	output, err := child.StdoutPipe()
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(output)
	for lines.Scan() && !strings.Contains(lines.Text(), "ready") {
	}
	ended := make(chan struct{})
	go func() {
		for lines.Scan() {
		}
		close(ended)
	}()
	for ready, late := time.Now(), false; !late && !moment(ready); {
		select {
		case <-ended:
			late = true
		case <-time.After(100 * time.Microsecond):
		}
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-ended
	_ = child.Wait() // the error of a killed child, or nil of one that ended before
}

// Two processes compact a folder in which one batch has all rows of another. The one that inspected
// it first removes no data file of the other's merged batch.
func TestCompactOfOverlapBesideAnother(t *testing.T) {
	dataset := func(files ...map[string]string) *Dataset {
		d := openTest(t, t.TempDir())
		for _, some := range files {
			copyTree(t, some, d.dir)
		}
		return d
	}
	compacted := func(files ...map[string]string) map[string]string {
		d := dataset(files...)
		compact(t, d)
		return tree(t, d.dir)
	}
	var batches []map[string]string
	for replication := range 4 {
		d := dataset()
		writeTest(t, d, []Run{timed(testRun(d.model, replication), float64(replication))}, 1)
		batches = append(batches, tree(t, d.dir))
	}
	some := compacted(batches[0], batches[1])
	all := compacted(batches[0], batches[1], batches[2])
	others := compacted(some, all)
	d := dataset(some, all, batches[3])
	want := content(t, d)
	another := sync.OnceFunc(func() { copyTree(t, others, d.dir) })
	_, err := d.Compact(t.Context(), CompactOptions{Progress: func(done, _ int) {
		if done > 3*(1+3) { // it has inspected three batches and merges
			another()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, content(t, d)); diff != "" {
		t.Error(diff)
	}
}

// A batch that is committed at any moment of a Clear can be read, or is gone. Data files without a
// commit, as killed writers leave them, give Clear some work after it has looked for commits.
func TestClearBesideAWriter(t *testing.T) {
	d := openTest(t, t.TempDir())
	add := func(d *Dataset, replication int) error {
		return d.WriteBatch([]Run{timed(testRun(d.model, replication), float64(replication))}, testProvenance)
	}
	const batches = 60
	var took time.Duration
	for replication := range batches {
		started := time.Now()
		if err := add(d, replication); err != nil {
			t.Fatal(err)
		}
		took = time.Since(started)
	}
	if err := os.RemoveAll(filepath.Join(d.dir, model.RunsTable)); err != nil {
		t.Fatal(err)
	}
	left := tree(t, d.dir)
	replications := 200
	if testing.Short() {
		replications = 40
	}
	random := rand.New(rand.NewPCG(5, 7))
	for replication := range replications {
		d := openTest(t, t.TempDir())
		copyTree(t, left, d.dir)
		var writer sync.WaitGroup
		// add fails if its temporary files are removed
		writer.Go(func() { _ = add(d, batches+replication) })
		time.Sleep(time.Duration(random.Int64N(2 * int64(took))))
		if err := d.Clear(); err != nil {
			t.Error(err)
		}
		writer.Wait()
		if _, err := finishedFrom(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
}

// Folders that are linked from an archive are not cleared through the link.
func TestClearKeepsLinkedFolders(t *testing.T) {
	archive, d := openTest(t, t.TempDir()), openTest(t, t.TempDir())
	writeTest(t, archive, testRuns(archive.model, 3), 1)
	before := tree(t, archive.dir)
	for _, folder := range []string{"runs", "timings", "jobs"} {
		if err := os.Symlink(filepath.Join(archive.dir, folder), filepath.Join(d.dir, folder)); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Clear(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, tree(t, archive.dir)); diff != "" {
		t.Error(diff)
	}
}
