//go:build unix

// Runs that are killed or signalled at random moments keep all committed runs, and the same command
// ends with the digest of an undisturbed run. Also closed pipes and nohup.

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

// faulty is a sweep of 6 runs, each a batch with eight tables, in a folder in which tests cause
// faults.
type faulty struct {
	t   testing.TB
	out string
}

// faultyPlan is the flags of the sweep: it takes less than half a second and commits 6 times.
var faultyPlan = []string{
	"--set", "trace=model", "--set", "days=0.05", "--experiment", "cooperation", "--table", "jobs", "--workers", "2",
}

const faultyRuns = 6

func (f faulty) arguments(name string, flags ...string) []string {
	return append([]string{name, "brokering/brokering", "--quick", "--out", f.out}, flags...)
}

// process returns a process that executes the plan.
func (f faulty) process(flags ...string) *exec.Cmd {
	return exec.Command("gridsweep", f.arguments("run", append(flags, faultyPlan...)...)...)
}

// must executes the missing runs of the plan; the test fails if the process does.
func (f faulty) must(flags ...string) {
	f.t.Helper()
	if text, err := f.process(flags...).CombinedOutput(); err != nil {
		f.t.Fatalf("%v\n%s", err, text)
	}
}

// command executes a command in this process and returns its output, messages and exit code.
func (f faulty) command(name string, flags ...string) (out, messages string, code int) {
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

// digestOf returns the digest of runs in a dataset, of all if ids is nil.
func digestOf(ctx context.Context, dataset *results.Dataset, ids map[string]bool) (string, error) {
	snapshot, err := dataset.Snapshot(ctx, results.Digests)
	if err != nil {
		return "", err
	}
	return snapshot.Digest(ctx, ids)
}

// digest returns the digest of the dataset, empty if it has no run. The test fails on other errors.
func (f faulty) digest() string {
	f.t.Helper()
	digest, err := digestOf(f.t.Context(), f.target().Dataset, nil)
	if err != nil && !errors.Is(err, results.ErrEmpty) {
		f.t.Fatal(err)
	}
	return digest
}

// done returns the number of runs in the dataset, after it has verified all files. The command
// status must succeed too.
func (f faulty) done() int {
	f.t.Helper()
	finished, err := finishedIn(f.t.Context(), f.target().Dataset)
	if err != nil {
		f.t.Fatal(err)
	}
	f.digest()
	if _, messages, code := f.command("status", faultyPlan[:6]...); code != 0 {
		f.t.Fatalf("status exits with %d: %s", code, messages)
	}
	return len(finished)
}

// undisturbed returns the digest of the plan without faults, and the time that a process takes.
func undisturbed(t *testing.T) (digest string, took time.Duration) {
	t.Helper()
	f := faulty{t, t.TempDir()}
	start := time.Now()
	f.must()
	took = min(time.Since(start), time.Second) // more is due to a busy machine
	if n := f.done(); n != faultyRuns {
		t.Fatalf("%d runs are in the dataset, want %d", n, faultyRuns)
	}
	return f.digest(), took
}

// After kills at random moments committed runs stay, the dataset can be read, and the same command
// ends with the digest of an undisturbed run.
func TestKilledAtAnyMoment(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: kills processes a hundred times")
	}
	t.Parallel()
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
		t.Errorf("only %d of %d kills stopped a process", alive, kills)
	}
}

// After a signal to stop, a process writes finished runs and prints the signal and the command to
// continue, which completes the plan.
func TestSignalledAtAnyMoment(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: interrupts processes forty times")
	}
	// Under nohup child processes would ignore SIGHUP too, unless this process catches it.
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
				code, messages := f.signalled(c.signal, time.Duration(random.Float64()*float64(took)), 1+n%2)
				switch code {
				case exitInterrupted:
					stopped++
					// It may end before it prints that it writes finished runs.
					for _, text := range []string{"interrupted by " + c.name, "continue with\n    gridsweep run "} {
						if !strings.Contains(messages, text) && !strings.Contains(messages, c.name+"; the same command continues") {
							t.Fatalf("no %q in\n%s", text, messages)
						}
					}
				case 0: // it had finished
				case -1: // it did not yet catch signals
					if strings.Contains(messages, "interrupted") {
						t.Fatalf("was ended by the first signal:\n%s", messages)
					}
				default:
					t.Fatalf("exit code %d:\n%s", code, messages)
				}
			}
			t.Logf("%d signals, %d stopped a process", sent, stopped)
			if stopped == 0 {
				t.Error("no signal stopped a process")
			}
			f.must()
			if digest := f.digest(); digest != want {
				t.Errorf("digest %s, want %s", digest, want)
			}
		})
	}
}

// signalled executes the plan and sends a signal after some time, a number of times in a row, like
// timeout(1). It returns the exit code, -1 if the signal ended the process.
func (f faulty) signalled(signal syscall.Signal, after time.Duration, times int) (code int, messages string) {
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
	var messages bytes.Buffer
	c.Stderr = &messages
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for sent := 0; ; {
		select {
		case err := <-ended:
			if err != nil || f.done() != faultyRuns || sent == 0 {
				t.Errorf("%v after %d signals\n%s", err, sent, messages.String())
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

// Runs complete even if standard output or error is a closed pipe; commands that only print stop.
func TestClosedPipes(t *testing.T) {
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

// unread returns the writing end of a pipe whose reading end is closed.
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

// A reader that closes the pipe after the first line ends the command without a message.
func TestPipeThatIsClosedEarly(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, "gridsweep", "plan", "coallocation", "--format", "csv")
	var messages bytes.Buffer
	c.Stderr = &messages
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
	if err := c.Wait(); err == nil || c.ProcessState.ExitCode() != exitPipe || messages.Len() > 0 {
		t.Errorf("%v, says %q", err, messages.String())
	}
}
