// Killed processes: a child process is killed while it runs a plan, and the rows after the plan is
// completed are compared by digest with those of one process.

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

// childEnv is the variable with the folder of a test that runs in its own process; it is not set in
// others.
const childEnv = "GRIDSWEEP_TEST_CHILD"

// again returns the command that runs this test in its own process.
func again(t *testing.T, dir string) *exec.Cmd {
	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	command.Env = append(os.Environ(), childEnv+"="+dir)
	return command
}

// alone reports whether this is the test's own process. If not, it runs the test in one: a test
// under a simulated clock cannot use the compressors that other tests left in a pool.
func alone(t *testing.T) bool {
	if os.Getenv(childEnv) != "" {
		return true
	}
	if output, err := again(t, t.TempDir()).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
	return false
}

// A killed process loses at most the runs that it has not written, and the next one completes the
// plan.
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
			t.Fatalf("the child ended before it was killed: %v", err)
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
	if got, want := digestOf(t, plan, dataset), referenceDigest(t, plan); got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
}

// runUntilKilled executes 7 runs under a simulated clock, so that their batches are due at once,
// and then one without end.
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
