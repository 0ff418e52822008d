// The status of a plan: counts, speed and remaining time are compared with values worked out from
// heartbeats that the test writes. Heartbeats of living, killed, equal and oddly named processes,
// and damaged ones.

package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"gridsweep/results"
	"gridsweep/sweeps"
)

// writeHeartbeat puts a heartbeat into a folder.
func writeHeartbeat(t *testing.T, folder string, h Heartbeat) {
	t.Helper()
	text, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	if err := results.WriteFile(filepath.Join(folder, h.fileName()), text); err != nil {
		t.Fatal(err)
	}
}

func TestStatus(t *testing.T) {
	plan := smallPlan(queueingModel(nil))
	half := *plan.Experiments[0]
	half.Name = "half"
	// a run of two cells counts once
	half.Cells = append(slices.Clone(half.Cells[:4]), half.Cells[0])
	plan.Experiments = append(plan.Experiments, &half)
	dataset := openDataset(t, t.TempDir(), plan.Model)
	if _, err := Run(t.Context(), plan, plan.Runs[:6], snapshotOf(t, dataset), Options{}); err != nil {
		t.Fatal(err)
	}
	// the first is in the dataset
	for _, run := range []sweeps.Run{plan.Runs[0], plan.Runs[9], plan.Runs[10]} {
		if err := dataset.WriteFailure(results.Failure{ID: run.ID}); err != nil {
			t.Fatal(err)
		}
	}
	running := t.TempDir()
	now := time.Now()
	alive := Heartbeat{
		Host: "a", PID: 1, Started: now.Add(-10 * time.Second), Beat: now, Done: 5, CostDone: 30,
		// the first has ended since
		Runs: []string{plan.Runs[1].ID, plan.Runs[9].ID, plan.Runs[11].ID, "of another plan"},
	}
	dead := Heartbeat{Host: "b", PID: 1, Started: now.Add(-time.Hour), Beat: now.Add(-2 * time.Minute),
		Done: 900, CostDone: 5400, Runs: []string{plan.Runs[12].ID}}
	future := Heartbeat{Host: "c", PID: 1, Started: now, Beat: now.Add(time.Hour), Runs: []string{plan.Runs[13].ID}}
	for _, h := range []Heartbeat{alive, dead, future} {
		writeHeartbeat(t, running, h)
	}
	got, err := StatusOf(t.Context(), plan, snapshotOf(t, dataset), running)
	want := []ExperimentStatus{{"main", Counts{6, 2, 27, 1}}, {"half", Counts{4, 2, 9, 1}}}
	if err != nil || !slices.Equal(got.Experiments, want) || got.Counts != want[0].Counts {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if len(got.Failures) != 1 || got.Failures[0].ID != plan.Runs[10].ID {
		t.Errorf("failures %+v", got.Failures)
	}
	// 29 runs of cost 6 are left, of which one process does 3 in a second.
	if got.Rate == nil || got.Left == nil || *got.Rate != 0.5 || *got.Left != 58 {
		t.Errorf("%v runs/s, %v s left, want 0.5 and 58", got.Rate, got.Left)
	}
	if names := hosts(got.Dead(now)); !slices.Equal(names, []string{"b", "c"}) {
		t.Errorf("%q count as dead, want b and c", names)
	}
}

func hosts(processes []Heartbeat) []string {
	var names []string
	for _, h := range processes {
		names = append(names, h.Host)
	}
	return names
}

// The heartbeat of a process lists its runs under way and is removed when it ends.
func TestHeartbeat(t *testing.T) {
	if alone(t) {
		synctest.Test(t, testHeartbeat)
	}
}

func testHeartbeat(t *testing.T) {
	running := filepath.Join(t.TempDir(), "running")
	var seen []Heartbeat
	begun := 0
	m := queueingModel(func(context.Context, queueing) (err error) {
		time.Sleep((beatSeconds + 1) * time.Second)
		switch begun++; begun {
		case 1:
			err = errors.New("a bug")
		case 3:
			seen, err = Heartbeats(running)
		}
		return err
	})
	plan := newPlan(m, 1, 5, []float64{1}, 2)
	dataset := openDataset(t, t.TempDir(), m)
	mustRun(t, plan, dataset, Options{Workers: 1, Running: running, Job: "slurm 12_3"})
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	want := []Heartbeat{{
		Host: host, PID: os.Getpid(), Job: "slurm 12_3", Plan: plan.Checksum(), Workers: 1,
		Runs: []string{plan.Runs[2].ID}, Total: 6, Done: 1, Failed: 1, Cost: 36, CostDone: 12,
	}}
	for i := range seen {
		if spent := seen[i].Beat.Sub(seen[i].Started); spent != 3*beatSeconds*time.Second {
			t.Errorf("the fourth beat comes after %v, want %v", spent, 3*beatSeconds*time.Second)
		}
		seen[i].Started, seen[i].Beat = time.Time{}, time.Time{}
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Error(diff)
	}
	if left, err := os.ReadDir(running); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// The next process removes the heartbeat of a killed one of this machine. Those of other machines
// stay, and nothing waits for their runs.
func TestHeartbeatsOfKilledProcesses(t *testing.T) {
	running := t.TempDir()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	const noProcess = 1<<22 + 1 // above what Linux ever numbers
	plan := smallPlan(queueingModel(nil))
	processes := []Heartbeat{
		{Host: host, PID: noProcess}, {Host: "elsewhere", PID: noProcess}, {Host: host, PID: os.Getppid()},
	}
	for _, h := range processes {
		h.Beat = time.Now()
		h.Runs = slices.Sorted(maps.Keys(IDs(plan.Runs)))
		writeHeartbeat(t, running, h)
	}
	summary := mustRun(t, plan, openDataset(t, t.TempDir(), plan.Model), Options{Running: running})
	if summary.Finished != len(plan.Runs) {
		t.Errorf("%+v", summary)
	}
	left, err := Heartbeats(running)
	names := hosts(left)
	if err != nil || len(names) != 2 || !slices.Contains(names, "elsewhere") || !slices.Contains(names, host) {
		t.Errorf("left are %q, %v, want elsewhere and %s", names, err, host)
	}
}

func TestHeartbeatsOfOddHosts(t *testing.T) {
	for _, host := range []string{
		"node-1.example.org", "", ".hidden", "..", "/", "a/b", "../a", "n\u00f6rd", "a\xff", "two words", "-1", "a.json",
	} {
		running := t.TempDir()
		writeHeartbeat(t, running, Heartbeat{Host: host, PID: 7})
		found, err := Heartbeats(running)
		if err != nil || len(found) != 1 || found[0].PID != 7 {
			t.Errorf("host %q: %+v, %v", host, found, err)
		}
		if entries, err := os.ReadDir(running); err != nil || len(entries) != 1 {
			t.Errorf("host %q: %v, %v", host, entries, err)
		}
	}
}

// Processes with equal numbers and host names, as in containers, have heartbeats of their own; that
// of a dead one is replaced.
func TestHeartbeatsOfTwins(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	running := t.TempDir()
	twin := Heartbeat{Host: host, PID: os.Getpid(), Beat: time.Now(), Runs: []string{"of the twin"}}
	writeHeartbeat(t, running, twin)
	writeHeartbeat(t, running, Heartbeat{Host: host, PID: os.Getpid(), Twin: 2, Beat: time.Now().Add(-time.Hour)})
	var during []Heartbeat
	m := queueingModel(func(context.Context, queueing) (err error) {
		for len(during) < 2 || during[0].Silent(time.Now()) > 0 { // until the first beat
			if during, err = Heartbeats(running); err != nil {
				return err
			}
		}
		return nil
	})
	plan := newPlan(m, 1, 5, []float64{1}, 1)
	mustRun(t, plan, openDataset(t, t.TempDir(), m), Options{Workers: 1, Running: running})
	left, err := Heartbeats(running)
	if err != nil || len(left) != 1 || left[0].Twin != 0 || !slices.Equal(left[0].Runs, twin.Runs) {
		t.Errorf("left are %+v, %v", left, err)
	}
	if len(during) != 2 || during[0].Twin != 2 || during[0].Plan != plan.Checksum() {
		t.Errorf("there were %+v", during)
	}
}

func TestHeartbeatsAreChecked(t *testing.T) {
	for name, text := range map[string]string{
		"a-1.json": `{"host": "a", "pid": 2}`, "a-2.json": `{"host": "b", "pid": 2}`, "a-3.json": `{`,
		"notes": "mine", "a-4.json": "",
	} {
		running := t.TempDir()
		path := filepath.Join(running, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Heartbeats(running); err == nil || !strings.Contains(err.Error(), path+" is no heartbeat") {
			t.Errorf("%s with %q: error %v", name, text, err)
		}
	}
	if found, err := Heartbeats(filepath.Join(t.TempDir(), "none")); err != nil || len(found) > 0 {
		t.Errorf("%v, %v", found, err)
	}
}
