// Faults of the system around a run: limits of file size and memory, closed streams, stopped
// processes, concurrent removal, and disks that become read-only. Digests are compared with an
// undisturbed run.

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// afterwards returns a process in which a shell executes a script and then becomes c.
func afterwards(script string, c *exec.Cmd) *exec.Cmd {
	return exec.Command("sh", append([]string{"-c", script + `; exec "$@"`, "sh"}, c.Args...)...)
}

// A limit of file size stops a run like a full disk, and the same command completes it without the
// limit.
func TestFileSizeLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("runs in make test-all")
	}
	want, _ := undisturbed(t)
	f := faulty{t, t.TempDir()}
	for _, blocks := range []int{4, 8, 16} { // of 512 bytes
		text, err := afterwards(fmt.Sprintf("ulimit -f %d", blocks), f.process()).CombinedOutput()
		const advice = "file too large; allow larger files (ulimit -f), then run the same command again\n"
		if err == nil || !strings.Contains(string(text), advice) {
			t.Errorf("%d blocks: %v, no %q in\n%s", blocks, err, advice, text)
		}
		f.done()
		noTemporaries(t, f.out)
	}
	f.must()
	if digest := f.digest(); digest != want {
		t.Errorf("digest %s, want %s", digest, want)
	}
}

// In a process that starts without standard streams, no file gets their descriptors and the output.
func TestClosedStreams(t *testing.T) {
	want, _ := undisturbed(t)
	f := faulty{t, t.TempDir()}
	if err := afterwards("exec <&- >&- 2>&-", f.process()).Run(); err != nil {
		t.Error(err)
	}
	if digest := f.digest(); digest != want {
		t.Errorf("digest %s, want %s", digest, want)
	}
}

// Two processes with --fresh at the same time may remove each other's runs, but damage nothing.
func TestFreshAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("runs in make test-all")
	}
	want, _ := undisturbed(t)
	f := faulty{t, t.TempDir()}
	for range 5 {
		command := f.process("--fresh").Args[1:]
		runAtOnce(t, 0, [][]string{command, command})
		f.done()
		f.must()
		if digest := f.digest(); digest != want {
			t.Fatalf("digest %s, want %s", digest, want)
		}
	}
}

// A process is stopped, as on a sleeping computer, while others do its work and compact the
// dataset.
func TestStoppedAndContinued(t *testing.T) {
	want, _ := undisturbed(t)
	f := faulty{t, t.TempDir()}
	c := f.process()
	var messages bytes.Buffer
	c.Stderr = &messages
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for polls := 0; ; polls++ { // until it writes files
		if files, _ := filepath.Glob(filepath.Join(f.out, "quick/*/*/*")); len(files) > 3 {
			break
		}
		if polls == 60_000 {
			t.Fatalf("the process does not write its files\n%s", messages.String())
		}
		time.Sleep(time.Millisecond)
	}
	if err := c.Process.Signal(syscall.SIGSTOP); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	f.must()
	if _, messages, code := f.command("compact"); code != 0 {
		t.Errorf("compact exits with %d: %s", code, messages)
	}
	if err := c.Process.Signal(syscall.SIGCONT); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Errorf("%v\n%s", err, messages.String())
	}
	if digest := f.digest(); digest != want {
		t.Errorf("digest %s, want %s", digest, want)
	}
}

// A disk that becomes read-only at any moment is an error; committed runs stay.
func TestDiskBecomesReadOnly(t *testing.T) {
	if testing.Short() {
		t.Skip("runs in make test-all")
	}
	if !mayMount(t) {
		return
	}
	const disks = 20
	want, took := undisturbed(t)
	stopped := 0
	for n := range disks {
		d := newDisk(t, spacious)
		f := faulty{t, string(d)}
		c := f.process()
		var messages bytes.Buffer
		c.Stderr = &messages
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(took * time.Duration(n) / disks)
		for { // the mount is busy while a file is open for writing
			err := unix.Mount("none", f.out, "tmpfs", unix.MS_REMOUNT|unix.MS_RDONLY, spacious)
			if err == nil {
				break
			}
			if !errors.Is(err, unix.EBUSY) {
				t.Fatal(err)
			}
		}
		err := c.Wait()
		if err != nil {
			stopped++
		}
		const readOnly = "read-only file system; make its folder writable or name another, then run the same command again\n"
		if err != nil && !strings.HasSuffix(messages.String(), readOnly) {
			t.Fatalf("%v, no %q in\n%s", err, readOnly, messages.String())
		}
		f.done()
		d.change(t, 0, spacious)
		f.must()
		if digest := f.digest(); digest != want {
			t.Fatalf("digest %s, want %s", digest, want)
		}
	}
	t.Logf("%d of %d processes were stopped", stopped, disks)
	if stopped == 0 {
		t.Error("no disk became read-only while a process was at work")
	}
}

// requireGroupEnv is set where control groups are required: without them tests fail instead of
// being skipped.
const requireGroupEnv = "GRIDSWEEP_REQUIRE_CGROUP"

// memoryGroup returns a new control group below that of this process with a memory limit in bytes,
// or skips the test.
func memoryGroup(t *testing.T, limit int) (folder string) {
	t.Helper()
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		t.Skip("there are no control groups: ", err)
	}
	why := "no control group limits memory here"
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		parent, file := filepath.Join("/sys/fs/cgroup/memory", fields[2]), "memory.limit_in_bytes"
		switch {
		case fields[1] == "":
			parent, file = filepath.Join("/sys/fs/cgroup", fields[2]), "memory.max"
		case !slices.Contains(strings.Split(fields[1], ","), "memory"):
			continue
		}
		folder := filepath.Join(parent, fmt.Sprintf("gridsweep-test-%d-%d", os.Getpid(), limit))
		err := os.Mkdir(folder, 0o777)
		if err == nil {
			t.Cleanup(func() {
				// its processes have ended, but may be counted yet
				for os.Remove(folder) != nil && t.Context().Err() == nil {
					time.Sleep(time.Millisecond)
				}
			})
			if err = os.WriteFile(filepath.Join(folder, file), fmt.Append(nil, limit), 0o600); err == nil {
				return folder
			}
		}
		why = err.Error()
	}
	if os.Getenv(requireGroupEnv) != "" {
		t.Fatal(why)
	}
	t.Skip(why)
	return ""
}

// A process stays below the memory limit of its control group. If the system kills it, no committed
// run is lost.
func TestMemoryOfControlGroup(t *testing.T) {
	if testing.Short() {
		t.Skip("runs in make test-all")
	}
	plan := []string{"--set", "trace=model", "--set", "days=20", "--experiment", "cooperation", "--table", "jobs",
		"--workers", "2"}
	long := func(f faulty, flags ...string) *exec.Cmd {
		return exec.Command("gridsweep", f.arguments("run", append(flags, plan...)...)...)
	}
	free := faulty{t, t.TempDir()}
	if text, err := long(free).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	want := free.digest()
	inside := func(limit int, c *exec.Cmd) *exec.Cmd {
		return afterwards("echo $$ > "+memoryGroup(t, limit)+"/cgroup.procs", c)
	}

	f := faulty{t, t.TempDir()}
	if text, err := inside(60<<20, long(f)).CombinedOutput(); err != nil || f.digest() != want {
		t.Errorf("within 60 MB: %v\n%s", err, text)
	}

	f = faulty{t, t.TempDir()}
	if text, err := long(f, "--shard", "1/2").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	done := f.done()
	killed := inside(30<<20, long(f, "--memory", "1T"))
	killed.Env = append(os.Environ(), "GOMEMLIMIT=off")
	if err := killed.Run(); killed.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Errorf("within 30 MB with --memory 1T: %v, want it killed", err)
	}
	if n := f.done(); n < done {
		t.Errorf("of %d runs %d are left after a kill", done, n)
	}
	if text, err := long(f).CombinedOutput(); err != nil || f.digest() != want {
		t.Errorf("after a kill: %v, digest %s, want %s\n%s", err, f.digest(), want, text)
	}
}
