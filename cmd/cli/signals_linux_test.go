// Interruption of planning, reading, drawing and downloading by a signal: each ends with the exit
// code of an interruption after little further work. Pipes are refused as study files.

package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// aboutStudies are the commands that plan studies.
var aboutStudies = []string{
	"check", "plan", "run", "status", "digest", "analyze", "report", "reproduce", "compact", "submit",
}

// Every command refuses a pipe in the place of a study's file at once, without waiting for a
// writer.
func TestPipesAreNoStudies(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "published"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, pipe := range []string{"pipe.yaml", "published/pipe.csv"} {
		if err := unix.Mkfifo(filepath.Join(dir, pipe), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("pipe.yaml", filepath.Join(dir, "link.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(dir, "device.yaml")); err != nil {
		t.Fatal(err)
	}
	write("extending.yaml", "study: mine\nextends: pipe.yaml\n")
	write("publishing.yaml", above+"tables: {t: {of: e, show: blocking, published: pipe.csv}}\n")
	t.Chdir(dir)
	for _, command := range append([]string{"show"}, aboutStudies...) {
		for _, study := range []string{"pipe.yaml", "link.yaml", "device.yaml", "extending.yaml", "publishing.yaml"} {
			var out, messages bytes.Buffer
			err := execute(t.Context(), []string{command, study}, nil, &out, &messages)
			if exitCode(err) != exitUsage || !strings.Contains(messages.String(), "is no regular file") {
				t.Errorf("%s %s exits with %d: %s", command, study, exitCode(err), messages.String())
			}
		}
	}
}

// A command that makes a large plan stops soon after a signal.
func TestPlanningIsInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("runs in make test-all")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "study.yaml"), []byte(cube(200, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, command := range aboutStudies {
		t.Run(command, func(t *testing.T) {
			c := exec.Command("gridsweep", command, "study.yaml", "--max-runs", "10000000")
			c.Dir = dir
			interruptWhen(t, c, func() bool { return processorTime(t, c.Process.Pid) > 300*time.Millisecond })
		})
	}
}

// A command that waits for a pipe to be opened, or for data from it, stops soon after a signal.
func TestReadingIsInterrupted(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "log.swf"), []byte("1 0 0 1 1 -1 -1 1 1 -1 1 1 1 1 1 1 -1 -1\n"),
		0o666); err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(dir, "pipe")
	if err := unix.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"simulate pipe", "simulate log.swf --procs 4 --reservations pipe", "compare pipe log.swf", "trace stats pipe",
		"trace convert pipe new.swf", "conformance check pipe",
	} {
		t.Run(line, func(t *testing.T) {
			t.Run("open", func(t *testing.T) {
				c := exec.Command("gridsweep", strings.Fields(line)...)
				c.Dir = dir
				interruptWhen(t, c, func() bool { return waitsForWriter(t, c.Process.Pid) })
			})
			t.Run("read", func(t *testing.T) {
				c := exec.Command("gridsweep", strings.Fields(line)...)
				c.Dir = dir
				var writer *os.File
				interruptWhen(t, c, func() bool {
					if writer == nil { // opening fails until there is a reader
						writer, _ = os.OpenFile(pipe, os.O_WRONLY|unix.O_NONBLOCK, 0)
						return false
					}
					return true
				})
				if writer != nil {
					_ = writer.Close()
				}
			})
		})
	}
}

// A command that draws figures stops soon after a signal. The files written by then are complete
// and listed in shown.json.
func TestDrawingIsInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("runs in make test-all")
	}
	dir := t.TempDir()
	made := func(ending string) []string {
		files, err := filepath.Glob(filepath.Join(dir, "out/quick/coallocation/figures/*"+ending))
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	for _, command := range []string{"reproduce", "analyze"} {
		for _, file := range made("") {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}
		c := exec.Command("gridsweep", command, "coallocation", "--quick")
		c.Dir = dir
		interruptWhen(t, c, func() bool { return len(made(".svg")) > 0 })
		folder := filepath.Join(dir, "out/quick/coallocation")
		list, err := os.ReadFile(filepath.Join(folder, "shown.json"))
		if err != nil {
			t.Fatal(err)
		}
		var listed map[string]string
		if err := json.Unmarshal(list, &listed); err != nil {
			t.Fatal(err)
		}
		for _, file := range append(made(".svg"), made(".png")...) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if listed["figures/"+filepath.Base(file)] != fmt.Sprintf("%x", sha256.Sum256(data)) {
				t.Errorf("%s: %s is not listed as it is", command, file)
			}
		}
		if _, err := os.Stat(filepath.Join(folder, "claims.json")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: goes on after the figures: %v", command, err)
		}
	}
}

// An interrupted download is not reported as a failure of the address.
func TestFetchInterrupted(t *testing.T) {
	asked := make(chan struct{})
	archive := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
	}))
	defer archive.Close()
	c := exec.Command("gridsweep", "trace", "fetch", "das2", "--dir", t.TempDir(), "--from", archive.URL+"/das2.gwf")
	interruptWhen(t, c, func() bool {
		select {
		case <-asked:
			return true
		default:
			return false
		}
	})
	messages := fmt.Sprint(c.Stderr)
	if strings.Contains(messages, "has it moved") || !strings.Contains(messages, "the same command continues") {
		t.Errorf("says %s", messages)
	}
}

// interruptWhen starts the program, sends SIGTERM when isThere returns true, and requires the exit
// code of an interruption and little work after the signal.
func interruptWhen(t *testing.T, c *exec.Cmd, isThere func() bool) {
	t.Helper()
	var messages bytes.Buffer
	c.Stderr = &messages
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	for deadline := time.Now().Add(2 * time.Minute); !isThere(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			_ = c.Process.Kill()
			t.Fatalf("does not reach the state: %v\n%s", c.Wait(), messages.String())
		}
	}
	before := processorTime(t, c.Process.Pid)
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	go func() { ended <- c.Wait() }()
	select {
	case <-ended:
	case <-time.After(2 * time.Minute):
		_ = c.Process.Kill()
		t.Fatalf("goes on after the signal\n%s", messages.String())
	}
	if code := c.ProcessState.ExitCode(); code != exitInterrupted || !strings.Contains(messages.String(),
		"interrupted by SIGTERM") {
		t.Errorf("exits with %d: %s", code, messages.String())
	}
	if after := c.ProcessState.UserTime() + c.ProcessState.SystemTime() - before; after > 2*time.Second {
		t.Errorf("works for %v after the signal", after)
	}
}

// processorTime returns the user and system time of a process.
func processorTime(t *testing.T, pid int) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	ticks := 0
	for _, field := range fields[11:13] {
		n, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond // Linux reports hundredths of a second
}

// waitsForWriter reports whether a thread of the process waits in opening a pipe.
func waitsForWriter(t *testing.T, pid int) bool {
	t.Helper()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/wchan", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, thread := range threads {
		where, err := os.ReadFile(thread)
		if err != nil && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, syscall.ESRCH) {
			t.Skipf("the system does not report where threads wait: %v", err)
		}
		if strings.Contains(string(where), "fifo") || strings.Contains(string(where), "wait_for_partner") {
			return true
		}
	}
	return false
}
