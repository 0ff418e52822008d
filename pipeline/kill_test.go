package pipeline

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// childEnv tells a test that it runs in a process of its own, and in which folder.
const childEnv = "GRIDSWEEP_TEST_CHILD"

// again returns the command that runs this test in a process of its own.
func again(t *testing.T, dir string) *exec.Cmd {
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	command.Env = append(os.Environ(), childEnv+"="+dir)
	return command
}

// alone reports whether this is the test's own process, after running the test in one where it is
// not: the compressor's pool must not be shared with what runs under a simulated clock.
func alone(t *testing.T) bool {
	if os.Getenv(childEnv) != "" {
		return true
	}
	if output, err := again(t, t.TempDir()).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
	return false
}

// A killed process loses at most the runs that it has not yet written, and the next one goes on.
func TestKillAndResume(t *testing.T) {
	dir := os.Getenv(childEnv)
	if dir != "" {
		runUntilKilled(t, dir)
		return
	}
	dir = t.TempDir()
	child := again(t, dir)
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- child.Wait() }()
	for commits := 0; commits < 2; {
		select {
		case err := <-ended:
			t.Fatalf("the child ended by itself: %v", err)
		case <-time.After(10 * time.Millisecond):
		}
		files, err := filepath.Glob(filepath.Join(dir, "runs", "*.parquet"))
		if err != nil {
			t.Fatal(err)
		}
		commits = len(files)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-ended
	plan := smallPlan(queueingModel(nil))
	dataset := openDataset(t, dir, plan.Model)
	if summary := mustRun(t, plan, dataset, Options{Workers: 2}); summary.Skipped < 4 || summary.Finished == 0 {
		t.Errorf("%+v", summary)
	}
	if got, want := digestOf(t, plan, dataset), wantDigest(t, plan); got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
}

// runUntilKilled runs small runs under a simulated clock, so that batches are due at once, and then
// one without end.
func runUntilKilled(t *testing.T, dir string) {
	var simulated atomic.Int64
	m := queueingModel(func(ctx context.Context, _ queueing) error {
		for n := simulated.Add(1); ; {
			time.Sleep(2 * time.Second)
			if n <= 7 {
				return nil
			}
		}
	})
	synctest.Test(t, func(t *testing.T) {
		mustRun(t, smallPlan(m), openDataset(t, dir, m), Options{Workers: 1, Memo: 10})
	})
}
