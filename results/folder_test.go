//go:build unix

// Folder tests: which folders are synced, and a missing folder distinguished from one that cannot
// be read.

package results

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"gridsweep/model"
)

// Each folder that gets a new one is synced, up to the first that existed, and none above.
func TestMakeFolder(t *testing.T) {
	there := t.TempDir()
	below := func(names ...string) string { return filepath.Join(append([]string{there}, names...)...) }
	for _, c := range []struct{ dir, want string }{
		{below("out", "study", "runs"), there + " " + below("out") + " " + below("out", "study")},
		{below("out", "study", "timings"), below("out", "study")},
		{below("out", "study", "timings"), ""},
		{there, ""},
	} {
		var synced []string
		sync := func(dir string) error { synced = append(synced, dir); return syncFolder(dir) }
		if err := makeFolder(c.dir, sync); err != nil {
			t.Fatal(err)
		}
		if have := strings.Join(synced, " "); have != c.want {
			t.Errorf("for %s the folders %s were brought to disk, want %s", c.dir, have, c.want)
		}
		if info, err := os.Stat(c.dir); err != nil || !info.IsDir() {
			t.Errorf("%s: %v", c.dir, err)
		}
	}
	failing := errors.New("broken")
	if err := makeFolder(below("new"), func(string) error { return failing }); !errors.Is(err, failing) {
		t.Errorf("a folder that is not on disk: error %v", err)
	}
}

// Several processes may make a folder at the same time. A file in its place is an error.
func TestMakeFolderAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b", "c", "d")
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if err := MakeFolder(dir + "/"); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(file, nil, 0o644), os.Symlink("nowhere", link)); err != nil {
		t.Fatal(err)
	}
	for _, way := range []string{file, filepath.Join(file, "below"), link} {
		if err := MakeFolder(way); err == nil {
			t.Errorf("made %s", way)
		}
	}
}

// ListFolder distinguishes a folder that does not exist from one that cannot be read.
func TestListFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b", "a", "c"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := ListFolder(dir)
	if err != nil || len(entries) != 3 || entries[0].Name() != "a" || entries[2].Name() != "c" {
		t.Errorf("%v, %v", entries, err)
	}
	for _, none := range []string{filepath.Join(dir, "none"), filepath.Join(dir, "none", "deeper", "runs")} {
		if _, err := ListFolder(none); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: error %v, want fs.ErrNotExist", none, err)
		}
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("nowhere", link); err != nil {
		t.Fatal(err)
	}
	for _, lost := range []string{link, filepath.Join(link, "runs")} {
		if _, err := ListFolder(lost); !errors.Is(err, errLost) || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s, a dangling link: error %v, want errLost", lost, err)
		}
	}
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{pipe, filepath.Join(dir, "a")} {
		if _, err := ListFolder(other); !errors.Is(err, syscall.ENOTDIR) {
			t.Errorf("%s: error %v, want that it is no folder", other, err)
		}
	}
	if _, err := ListFolder(filepath.Join(dir, "a", "runs")); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("below a file: error %v", err)
	}
}

// Reading a folder that is removed while it is open gives the same error as opening a missing one.
func TestReadEntriesOfRemovedFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "runs")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	folder, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	if entries, err := readEntries(folder); err == nil || !vanished(err) {
		t.Errorf("%v, %v: a removed folder was read", entries, err)
	}
}

// A folder that is made and removed repeatedly is listed as empty, missing or lost.
func TestListFolderThatIsRecreated(t *testing.T) {
	above := t.TempDir()
	dir := filepath.Join(above, "runs")
	stop := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				if err := errors.Join(os.Mkdir(dir, 0o777), os.Remove(dir)); err != nil {
					t.Error(err)
				}
			}
		}
	})
	for range 10_000 {
		switch entries, err := ListFolder(dir); {
		case err == nil && len(entries) == 0:
		case errors.Is(err, errLost) != errors.Is(err, fs.ErrNotExist): // one of the two
		default:
			t.Errorf("%v, %v", entries, err)
		}
	}
	close(stop)
	group.Wait()
}

// If the folder of a dataset is removed while or after it is read, its runs are not reported as
// missing.
func TestDatasetThatIsRemoved(t *testing.T) {
	for name, away := range map[string]func(d *Dataset) error{
		"the runs":         func(d *Dataset) error { return os.Rename(d.dir+"/runs", d.dir+"/gone") },
		"the dataset":      func(d *Dataset) error { return os.Rename(d.dir, d.dir+"-gone") },
		"to nowhere":       func(d *Dataset) error { return errors.Join(os.RemoveAll(d.dir), os.Symlink("nowhere", d.dir)) },
		"while it is read": nil,
	} {
		t.Run(name, func(t *testing.T) {
			d := openTest(t, filepath.Join(t.TempDir(), "out"))
			writeTest(t, d, testRuns(d.model, 3), 1)
			if away != nil {
				if _, err := finishedFrom(t.Context(), d); err != nil {
					t.Fatal(err)
				}
				if err := away(d); err != nil {
					t.Fatal(err)
				}
			}
			var err error
			if away == nil {
				err = d.commits(t.Context(), func(string) error {
					return errors.Join(os.Rename(d.dir, d.dir+"-gone"), errVanished)
				})
			} else {
				_, err = finishedFrom(t.Context(), d)
			}
			if !errors.Is(err, errLost) || !strings.Contains(err.Error(), model.RunsTable) {
				t.Errorf("error %v", err)
			}
		})
	}
}
