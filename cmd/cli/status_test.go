// The count of runs that are not done, and the time for which status waits for them, by a simulated
// clock.

package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gridsweep/pipeline"
	"gridsweep/pipeline/workspace"
	"gridsweep/results"
)

func TestIncomplete(t *testing.T) {
	counted := func(done, running, missing, failed int) pipeline.Status {
		return pipeline.Status{Counts: pipeline.Counts{Done: done, Running: running, Missing: missing, Failed: failed}}
	}
	for want, statuses := range map[string][]pipeline.Status{
		"":                        {counted(5, 0, 0, 0), counted(2, 0, 0, 0)},
		"1 of 6 runs are not":     {counted(5, 0, 0, 1)},
		"1 of 7 runs are not":     {counted(6, 1, 0, 0)},
		"11 of 29 runs are not":   {counted(9, 1, 2, 3), counted(9, 0, 5, 0)},
		"1,000 of 1,000 runs are": {counted(0, 0, 1000, 0)},
	} {
		err := incomplete(statuses, " mine --quick")
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v: error %v, want %q", statuses, err, want)
		}
	}
	if err := incomplete([]pipeline.Status{counted(5, 0, 0, 1)}, ""); err == nil ||
		err.Error() != "1 of 6 runs are not done" {
		t.Errorf("without advice: error %v", err)
	}
}

// status waits for runs that are running, like for missing ones.
func TestStatusWaitsForRunsUnderWay(t *testing.T) {
	withoutTraces(t)
	mine := planned(t, replayStudy)
	synctest.Test(t, func(t *testing.T) {
		alive := pipeline.Heartbeat{Host: "a", PID: 1, Beat: time.Now()}
		for _, run := range mine.Plan.Runs {
			alive.Runs = append(alive.Runs, run.ID)
		}
		text, err := json.Marshal(alive)
		if err != nil {
			t.Fatal(err)
		}
		if err := results.WriteFile(filepath.Join(mine.Running(), "a-1.json"), text); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		var messages strings.Builder
		statuses, err := (&terminal{err: &messages}).statusesOf(t.Context(), []*workspace.Study{mine}, 3*time.Second)
		if err != nil || statuses[0].Running != len(mine.Plan.Runs) || time.Since(start) != 3*time.Second {
			t.Errorf("%+v after %v, error %v", statuses, time.Since(start), err)
		}
		if strings.Count(messages.String(), " are not there yet; looking again for 3s\n") != 1 {
			t.Errorf("the note is %q", messages.String())
		}
	})
}
