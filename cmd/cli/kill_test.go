//go:build unix

package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"gridsweep/pipeline/workspace"
	"gridsweep/results"
)

// faulty is a sweep of 6 runs whose every run is a batch of its own, of eight tables, in a folder
// where faults happen.
type faulty struct {
	t   testing.TB
	out string
}

// faultyPlan makes the plan that all faults meet: it takes less than half a second and commits 6
// times.
var faultyPlan = []string{
	"--set", "trace=model", "--set", "days=0.05", "--experiment", "cooperation", "--table", "jobs", "--workers", "2",
}

const faultyRuns = 6

func (f faulty) arguments(name string, flags ...string) []string {
	return append([]string{name, "brokering/brokering", "--quick", "--out", f.out}, flags...)
}

// process returns a run of the plan in a process of its own, which is this program.
func (f faulty) process(flags ...string) *exec.Cmd {
	return exec.Command("gridsweep", f.arguments("run", append(flags, faultyPlan...)...)...)
}

// must runs the rest of the plan.
func (f faulty) must(flags ...string) {
	f.t.Helper()
	if text, err := f.process(flags...).CombinedOutput(); err != nil {
		f.t.Fatalf("%v\n%s", err, text)
	}
}

// say runs a command in this process and returns what it says, and its exit code.
func (f faulty) say(name string, flags ...string) (out, said string, code int) {
	f.t.Helper()
	var stdout, stderr bytes.Buffer
	err := execute(f.t.Context(), f.arguments(name, flags...), nil, &stdout, &stderr)
	return stdout.String(), stderr.String(), exitCode(err)
}

// target returns the plan and its dataset.
func (f faulty) target() *workspace.Study {
	f.t.Helper()
	s := workspace.Selection{
		Out: f.out, Quick: true, Experiments: []string{"cooperation"}, Tables: []string{"jobs"},
		Set: []string{"trace=model", "days=0.05"},
	}
	return open(f.t, s, "brokering/brokering")[0]
}

// digestOf returns the digest of the runs in a dataset, of all where ids is nil.
func digestOf(ctx context.Context, dataset *results.Dataset, ids map[string]bool) (string, error) {
	snapshot, err := dataset.Snapshot(ctx, results.Digests)
	if err != nil {
		return "", err
	}
	return snapshot.Digest(ctx, ids)
}

// digest returns the digest of the dataset, empty where it has no run. Anything else than these is
// an error.
func (f faulty) digest() string {
	f.t.Helper()
	digest, err := digestOf(f.t.Context(), f.target().Dataset, nil)
	if err != nil && !errors.Is(err, results.ErrEmpty) {
		f.t.Fatal(err)
	}
	return digest
}

// done returns how many runs are in the dataset, whose files it verifies; status has to read the
// folder too.
func (f faulty) done() int {
	f.t.Helper()
	finished, err := finishedIn(f.t.Context(), f.target().Dataset)
	if err != nil {
		f.t.Fatal(err)
	}
	f.digest()
	if _, said, code := f.say("status", faultyPlan[:6]...); code != 0 {
		f.t.Fatalf("status exits with %d: %s", code, said)
	}
	return len(finished)
}

// undisturbed returns the digest of the plan where nothing happens to it, and how long a process
// takes for it.
func undisturbed(t *testing.T) (digest string, took time.Duration) {
	t.Helper()
	f := faulty{t, t.TempDir()}
	start := time.Now()
	f.must()
	took = min(time.Since(start), time.Second) // else the machine was busy
	if n := f.done(); n != faultyRuns {
		t.Fatalf("%d runs are in the dataset, want %d", n, faultyRuns)
	}
	return f.digest(), took
}

// A process may be killed at any moment, again and again: what was committed stays, what is there
// can be read, and the same command ends with the rows of a run that nothing happened to.
func TestKilledAtAnyMoment(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: kills processes a hundred times")
	}
	want, took := undisturbed(t)
	random := rand.New(rand.NewPCG(9, 1))
	const kills = 100
	alive, datasets, between := 0, 0, 0
	for n := 0; n < kills; datasets++ {
		f := faulty{t, t.TempDir()}
		done := 0
		for ; n < kills && done < faultyRuns; n++ {
			c := f.process()
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(random.Float64() * 1.15 * float64(took)))
			if err := c.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
				t.Fatal(err)
			}
			if c.Wait() != nil {
				alive++
			}
			now := f.done()
			if now < done {
				t.Fatalf("of %d runs %d are left after a kill", done, now)
			}
			if done = now; done > 0 && done < faultyRuns {
				between++
			}
		}
		f.must()
		if digest := f.digest(); digest != want {
			t.Fatalf("after kills digest %s, want %s", digest, want)
		}
	}
	t.Logf("%d kills of %d datasets, %d while the process was at work, %d of them amid its commits", kills, datasets,
		alive, between)
	if alive < kills/4 {
		t.Errorf("only %d of %d kills met a process", alive, kills)
	}
}

// A signal to stop writes what is finished, says which signal it was and how to go on, and the same
// command goes on.
func TestSignalledAtAnyMoment(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: interrupts processes forty times")
	}
	// A process that is started inherits that nohup has a signal ignored, unless it is caught here.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP)
	defer signal.Stop(caught)
	want, took := undisturbed(t)
	random := rand.New(rand.NewPCG(9, 2))
	for _, c := range []struct {
		signal syscall.Signal
		name   string
	}{{syscall.SIGTERM, "SIGTERM"}, {syscall.SIGHUP, "SIGHUP"}, {syscall.SIGUSR1, "SIGUSR1"}, {syscall.SIGINT, "SIGINT"}} {
		t.Run(c.name, func(t *testing.T) {
			f := faulty{t, t.TempDir()}
			const sent = 10
			stopped := 0
			for n := 0; n < sent || stopped == 0 && n < 10*sent; n++ {
				if f.done() == faultyRuns {
					f.out = t.TempDir()
				}
				code, said := f.signalled(c.signal, time.Duration(random.Float64()*float64(took)), 1+n%2)
				switch code {
				case exitInterrupted:
					stopped++
					for _, part := range []string{"interrupted by " + c.name + ", writing what is finished",
						"go on with\n    gridsweep run "} {
						if !strings.Contains(said, part) && !strings.Contains(said, c.name+"; the same command goes on") {
							t.Fatalf("does not say %q:\n%s", part, said)
						}
					}
				case 0: // it was done
				case -1: // it had not begun to catch signals
					if strings.Contains(said, "interrupted") {
						t.Fatalf("was ended by the first signal:\n%s", said)
					}
				default:
					t.Fatalf("exit code %d:\n%s", code, said)
				}
			}
			t.Logf("%d signals, %d stopped a process", sent, stopped)
			if stopped == 0 {
				t.Error("no signal met a process at work")
			}
			f.must()
			if digest := f.digest(); digest != want {
				t.Errorf("digest %s, want %s", digest, want)
			}
		})
	}
}

// signalled runs the plan, sends a signal after some time, so many times in a row as timeout(1)
// does, and returns the exit code, -1 where the signal ended it.
func (f faulty) signalled(signal syscall.Signal, after time.Duration, times int) (code int, said string) {
	f.t.Helper()
	c := f.process()
	var stderr bytes.Buffer
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		f.t.Fatal(err)
	}
	time.Sleep(after)
	for range times {
		if err := c.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
			f.t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
	if err := c.Wait(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		f.t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), stderr.String()
}

// Under nohup the end of the terminal does not stop a run.
func TestHangUpIsIgnoredUnderNohup(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell")
	}
	f := faulty{t, t.TempDir()}
	c := exec.Command("sh", append([]string{"-c", `trap "" HUP; exec "$@"`, "sh"}, f.process().Args...)...)
	var said bytes.Buffer
	c.Stderr = &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for sent := 0; ; {
		select {
		case err := <-ended:
			if err != nil || f.done() != faultyRuns || sent == 0 {
				t.Errorf("%v after %d signals\n%s", err, sent, said.String())
			}
			return
		case <-time.After(5 * time.Millisecond):
			if plans, _ := filepath.Glob(filepath.Join(f.out, "quick", "*", "plan.json")); len(plans) > 0 {
				_ = c.Process.Signal(syscall.SIGHUP) // it may just have ended
				sent++
			}
		}
	}
}

// Nobody has to read what a run says: it is done all the same.
func TestPipesThatNobodyReads(t *testing.T) {
	want, _ := undisturbed(t)
	for _, c := range []struct {
		name           string
		stdout, stderr bool // are closed
		want           int
	}{
		{"run", true, false, 0}, {"run", false, true, 0}, {"run", true, true, 0},
		{"reproduce", true, false, 0}, {"reproduce", true, true, 0},
		{"status", true, false, exitPipe}, {"plan", true, false, exitPipe},
	} {
		f := faulty{t, t.TempDir()}
		command := exec.Command("gridsweep", f.arguments(c.name, faultyPlan[:8]...)...)
		var stderr bytes.Buffer
		command.Stderr = &stderr
		if c.stdout {
			command.Stdout = unread(t)
		}
		if c.stderr {
			command.Stderr = unread(t)
		}
		if err := command.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
			t.Fatal(err)
		}
		if code := command.ProcessState.ExitCode(); code != c.want {
			t.Errorf("%s: exit code %d, want %d\n%s", c.name, code, c.want, stderr.String())
		}
		if strings.Contains(stderr.String(), "pipe") {
			t.Errorf("%s is not quiet:\n%s", c.name, stderr.String())
		}
		if digest := f.digest(); c.want == 0 && digest != want {
			t.Errorf("%s: digest %s, want %s", c.name, digest, want)
		}
	}
}

// unread returns the end to write of a pipe whose other end is closed.
func unread(t *testing.T) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	t.Cleanup(func() { w.Close() })
	return w
}

// Who reads the first line of many ends the writer, quietly.
func TestPipeThatIsClosedEarly(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, "gridsweep", "plan", "coallocation", "--format", "csv")
	var said bytes.Buffer
	c.Stderr = &said
	pipe, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(pipe, make([]byte, 20)); err != nil {
		t.Fatal(err)
	}
	pipe.Close()
	if err := c.Wait(); err == nil || c.ProcessState.ExitCode() != exitPipe || said.Len() > 0 {
		t.Errorf("%v, says %q", err, said.String())
	}
}
