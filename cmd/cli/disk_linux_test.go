// Full and read-only disks: small tmpfs mounts are full at every file of a run. Errors name the
// file, nothing is damaged, and the same command completes the run later.

package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"gridsweep/results"
)

// requireEnv is set where small disks are required: without them tests fail instead of being
// skipped.
const requireEnv = "GRIDSWEEP_REQUIRE_TMPFS"

// insideEnv is set in a process that mayMount started in its own user namespace.
const insideEnv = "GRIDSWEEP_TEST_MAY_MOUNT"

// mayMount reports whether this process may mount. If not, it runs the test in a process with its
// own user namespace, and returns false.
func mayMount(t *testing.T) bool {
	t.Helper()
	dir := t.TempDir()
	err := unix.Mount("none", dir, "tmpfs", 0, "size=64k")
	if err == nil {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Fatal(err)
		}
		return true
	}
	why := fmt.Sprintf("this process may not mount (%v)", err)
	if os.Getenv(insideEnv) == "" {
		c := exec.Command("unshare", "-Urm", os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		c.Env = append(os.Environ(), insideEnv+"=1")
		text, err := c.CombinedOutput()
		if err == nil {
			t.Logf("%s, a process with its own user namespace may\n%s", why, text)
			return false
		}
		if strings.Contains(string(text), "=== RUN") {
			t.Fatalf("%v\n%s", err, text)
		}
		why += fmt.Sprintf(", nor one with its own user namespace (%v, %s)", err, strings.TrimSpace(string(text)))
	}
	if os.Getenv(requireEnv) != "" {
		t.Fatal(why)
	}
	t.Skip(why)
	return false
}

// disk is the path of a small tmpfs.
type disk string

func newDisk(t *testing.T, options string) disk {
	t.Helper()
	d := disk(t.TempDir())
	if err := unix.Mount("none", string(d), "tmpfs", 0, options); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(string(d), unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return d
}

// change remounts the disk with other options; its files stay.
func (d disk) change(t *testing.T, flags uintptr, options string) {
	t.Helper()
	if err := unix.Mount("none", string(d), "tmpfs", unix.MS_REMOUNT|flags, options); err != nil {
		t.Fatal(err)
	}
}

const spacious = "size=64m,nr_inodes=10000"

// On a disk that is full, of bytes or of inodes, the error names the file that could not be
// written. Nothing is damaged, and the same command completes the run when there is space again.
func TestFullDiskAtAnyFile(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: mounts small disks")
	}
	t.Parallel()
	if !mayMount(t) {
		return
	}
	want, _ := undisturbed(t)
	f := faulty{t, t.TempDir()}
	f.must()
	files, pages := 0, 0
	err := filepath.WalkDir(f.out, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		files++
		pages += int(info.Size()+4095) / 4096
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var options []string
	for n := 2; n <= files+2; n += 3 {
		options = append(options, fmt.Sprintf("size=64m,nr_inodes=%d", n))
	}
	for n := 1; n <= pages+2; n += 2 {
		options = append(options, fmt.Sprintf("size=%dk,nr_inodes=10000", 4*n))
	}
	failed := map[string]int{}
	for _, o := range options {
		d := newDisk(t, o)
		if file := fill(t, d, want); file != "" {
			failed[file]++
		}
	}
	t.Logf("%d small disks, full at %v", len(options), failed)
	for _, file := range []string{"plan.json", "runs", "timings", "jobs"} {
		if failed[file] == 0 {
			t.Errorf("the disk was never full at %s", file)
		}
	}
}

// cannotWrite matches the error on a full disk: the file, the cause and the remedy.
var cannotWrite = regexp.MustCompile(`cannot write (\S+): no space left on device; ` +
	`free some space, then run the same command again\n`)

// fill executes the plan on a disk that may be too small, and again after the disk is enlarged. It
// returns the name of the file that could not be written, or of its folder for a data file.
func fill(t *testing.T, d disk, want string) (failed string) {
	t.Helper()
	f := faulty{t, string(d)}
	c := f.process()
	text, err := c.CombinedOutput()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	switch code := c.ProcessState.ExitCode(); {
	case code == exitFailed:
		match := cannotWrite.FindStringSubmatch(string(text))
		if match == nil {
			t.Fatalf("the error does not match:\n%s", text)
		}
		if failed = filepath.Base(match[1]); filepath.Ext(failed) == ".parquet" {
			failed = filepath.Base(filepath.Dir(match[1]))
		}
	case code != 0:
		t.Fatalf("exit code %d:\n%s", code, text)
	}
	if n := f.done(); (n == faultyRuns) != (err == nil) {
		t.Fatalf("%d runs are in the dataset, %v", n, err)
	}
	noTemporaries(t, f.out)
	d.change(t, 0, spacious)
	f.must()
	if digest := f.digest(); digest != want {
		t.Fatalf("digest %s, want %s", digest, want)
	}
	return failed
}

// noTemporaries fails the test if the folder has temporary files, which only killed processes
// leave.
func noTemporaries(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(filepath.Base(path), ".") {
			t.Errorf("%s is left", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A failure that cannot be recorded stops the command with an error.
func TestFullDiskAtTheRecordOfAFailure(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: mounts small disks")
	}
	if !mayMount(t) {
		return
	}
	d := newDisk(t, spacious)
	f := faulty{t, string(d)}
	folder := f.target().Dir
	if err := os.MkdirAll(filepath.Join(folder, "failed"), 0o777); err != nil {
		t.Fatal(err)
	}
	var stat unix.Statfs_t
	if err := unix.Statfs(f.out, &stat); err != nil {
		t.Fatal(err)
	}
	used := stat.Files - stat.Ffree
	for more := range 6 { // plan.json, the running folder, a heartbeat, and then records
		d.change(t, 0, fmt.Sprintf("size=64m,nr_inodes=%d", int(used)+more))
		c := f.process("--run-timeout", "1ns")
		text, err := c.CombinedOutput()
		if c.ProcessState.ExitCode() != exitFailed || !cannotWrite.Match(text) {
			t.Fatalf("with %d files: %v\n%s", more, err, text)
		}
		noTemporaries(t, f.out)
		f.done()
	}
	d.change(t, 0, spacious)
	f.must()
	if left, err := os.ReadDir(filepath.Join(folder, "failed")); err != nil || len(left) > 0 {
		t.Errorf("%d records are left, %v", len(left), err)
	}
}

// Writing to a read-only folder is an error with a remedy; its dataset can be read.
func TestReadOnlyDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: mounts small disks")
	}
	if !mayMount(t) {
		return
	}
	d := newDisk(t, spacious)
	f := faulty{t, string(d)}
	d.change(t, unix.MS_RDONLY, spacious)
	text, err := f.process().CombinedOutput()
	const want = "read-only file system; make its folder writable or name another, then run the same command again\n"
	if err == nil || !strings.Contains(string(text), want) {
		t.Errorf("empty disk: no %q in\n%s", want, text)
	}
	d.change(t, 0, spacious)
	c := f.process("--shard", "1/2")
	if text, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	half, done := f.digest(), f.done()
	d.change(t, unix.MS_RDONLY, spacious)
	if text, err := f.process().CombinedOutput(); err == nil || !strings.Contains(string(text), want) {
		t.Errorf("half a dataset: no %q in\n%s", want, text)
	}
	if digest := f.digest(); digest != half || f.done() != done {
		t.Errorf("digest %s, want %s", digest, half)
	}
	d.change(t, 0, spacious)
	f.must()
	d.change(t, unix.MS_RDONLY, spacious)
	f.must() // there is nothing to do
	if f.done() != faultyRuns {
		t.Error("runs are missing")
	}
	_, messages, code := f.command("analyze", faultyPlan[:8]...)
	if code != exitFailed || !strings.Contains(messages, want) {
		t.Errorf("analyze exits with %d, no %q in\n%s", code, want, messages)
	}
	analyzeElsewhere(t, f)
}

// analyzeElsewhere links the data files that are read-only into another folder and analyses them
// there.
func analyzeElsewhere(t *testing.T, f faulty) {
	t.Helper()
	from := f.target().Dir
	digest := f.digest()
	f.out = t.TempDir()
	to := f.target().Dir
	if err := os.MkdirAll(to, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, folder := range append(tablesOf(f.target().Model), "jobs", results.TimingsTable) {
		if err := os.Symlink(filepath.Join(from, folder), filepath.Join(to, folder)); err != nil {
			t.Fatal(err)
		}
	}
	if _, messages, code := f.command("analyze", faultyPlan[:8]...); code != 0 || f.digest() != digest {
		t.Errorf("analyze exits with %d:\n%s", code, messages)
	}
}
