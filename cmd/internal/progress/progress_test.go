// Lines and bars of a simulated plan, by a simulated clock: rates, times left, failures and narrow
// terminals.

package progress

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gridsweep/pipeline"
	"gridsweep/results"
)

// story calls a hook as for the first seconds of a plan of 5,440 runs, of which the last costs as
// much as the others together.
func story(hook func(pipeline.Progress), seconds int) {
	p := pipeline.Progress{Study: "coallocation", Total: 5440, Skipped: 440, Cost: 10000}
	hook(p)
	for second := range seconds {
		time.Sleep(time.Second)
		p.Finished += 100
		p.CostDone += 100
		if second == 14 {
			p.Finished--
			p.Failed++
			failed := p
			failed.Failure = &results.Failure{
				ID: "0123abcd", Cell: "rate lambda=0.3", Replication: 4, Error: "no task fits", Command: "gridsweep reproduce x",
			}
			hook(failed)
		}
		hook(p)
	}
	p.Ended = true
	hook(p)
}

func TestLines(t *testing.T) {
	for _, test := range []struct {
		name    string
		seconds int
		want    []string
	}{
		{"short", 1, []string{
			"coallocation: stopped at 540 of 5,440 runs after 1.0s",
		}},
		{"long", 30, []string{
			"coallocation: 640 of 5,440 runs (11 %), 100 runs/s, 1m38s left",
			"coallocation: 1,640 of 5,440 runs (30 %), 100 runs/s, 1m28s left",
			"coallocation: run 0123abcd (rate lambda=0.3, replication 4) failed: no task fits",
			"coallocation: 2,640 of 5,440 runs (48 %), 100 runs/s, 1m18s left, 1 failed",
			"coallocation: stopped at 3,440 of 5,440 runs after 30s, 1 failed",
		}},
		{"all", 50, []string{
			"coallocation: 640 of 5,440 runs (11 %), 100 runs/s, 1m38s left",
			"coallocation: 1,640 of 5,440 runs (30 %), 100 runs/s, 1m28s left",
			"coallocation: run 0123abcd (rate lambda=0.3, replication 4) failed: no task fits",
			"coallocation: 2,640 of 5,440 runs (48 %), 100 runs/s, 1m18s left, 1 failed",
			"coallocation: 3,640 of 5,440 runs (66 %), 100 runs/s, 1m8s left, 1 failed",
			"coallocation: 4,640 of 5,440 runs (85 %), 100 runs/s, 58s left, 1 failed",
			"coallocation: 5,000 runs in 50s, 100 runs/s, 440 were there already, 1 failed",
		}},
	} {
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			story(Items(&out, nil), test.seconds)
			if want := strings.Join(test.want, "\n") + "\n"; out.String() != want {
				t.Errorf("%s:\n%swant\n%s", test.name, out.String(), want)
			}
		})
	}
}

// Of failures with equal causes the first is shown; of different ones shownFailures.
func TestFailuresBeyondTheFirstAreOnlyCounted(t *testing.T) {
	for name, columns := range map[string]func() int{"lines": nil, "bar": wide} {
		var out bytes.Buffer
		show := Items(&out, columns)
		fail := func(replication int, text string) {
			show(pipeline.Progress{Failure: &results.Failure{Replication: replication, Error: text}})
		}
		for replication := range 3 * shownFailures {
			fail(replication, fmt.Sprintf("no task fits at %d s\n  line %d", replication, replication))
		}
		if text := out.String(); strings.Count(text, "no task fits") != 1 || strings.Contains(text, "further failures") ||
			!strings.Contains(text, "replication 0) failed: no task fits at 0 s\n  line 0") {
			t.Errorf("%s, all alike: %s", name, text)
		}
		for replication := range 3 * shownFailures {
			fail(replication, fmt.Sprintf("task %s does not fit", strings.Repeat("x", replication)))
		}
		text := out.String()
		if strings.Count(text, "does not fit") != shownFailures-1 || strings.Count(text, "further failures") != 1 {
			t.Errorf("%s, all different: %s", name, text)
		}
	}
}

func TestLastLine(t *testing.T) {
	for want, p := range map[string]pipeline.Progress{
		"s: nothing to run, 7 of 7 runs were there already": {Total: 7, Skipped: 7},
		"s: 1 run in 0.4s, 2.5 runs/s":                      {Total: 1, Finished: 1, Cost: 1, CostDone: 1},
		"s: 2,000 runs in 0.4s, 5,000 runs/s":               {Total: 2000, Finished: 2000},
		"s: 3 runs in 0.4s, 7.5 runs/s, 3 failed":           {Total: 3, Failed: 3},
		"s: 8,000 jobs in 0.4s, 20,000 jobs/s":              {Total: 8000, Finished: 8000, Item: "job"},
	} {
		p.Study, p.Ended = "s", true
		if got := last(p, 400*time.Millisecond); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestSlowRuns(t *testing.T) {
	p := pipeline.Progress{Study: "s", Total: 4, Finished: 1, Cost: 8, CostDone: 2}
	for want, elapsed := range map[string]time.Duration{
		"s: 1 of 4 runs, 0.5 runs/h, 6h0m left":   2 * time.Hour,
		"s: 1 of 4 runs, 1.5 runs/min, 2m0s left": 40 * time.Second,
	} {
		if got := state(p, elapsed, ""); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func wide() int { return 200 }

// On a terminal of any width the numbers fit on a line beside a bar that has shrunk to nothing.
func TestBarFitsTheTerminal(t *testing.T) {
	for columns, want := range map[int]string{
		0:  "coallocation: 1,640 of 5,440 runs, 100 runs/s, 1m28s left",
		80: "coallocation: 1,640 of 5,440 runs, 100 runs/s, 1m28s left",
		60: "|  1,640 of 5,440 runs, 1m28s left",
		40: "|  1,640 of 5,440 runs, 1m28s le",
		12: "|  1",
		5:  "",
	} {
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			hook := Items(&out, func() int { return columns })
			story(func(p pipeline.Progress) {
				if p.Failure == nil && !p.Ended { // these lines stay and may be wrapped
					hook(p)
				}
			}, 30)
			if !strings.Contains(out.String(), want) {
				t.Errorf("%d columns: %q is missing in %q", columns, want, out.String())
			}
			for line := range strings.SplitSeq(strings.ReplaceAll(out.String(), "\x1b[0K", ""), "\r") {
				const bar = 20 // does not shrink here, since the buffer is no terminal
				if n := len([]rune(line)); columns >= 12 && n > columns+bar {
					t.Errorf("%d columns: %q has %d", columns, line, n)
				}
			}
		})
	}
}

// The bar shows nothing at first, then the numbers of the lines; failures and the last line stay.
func TestBar(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		story(Items(&out, wide), 1)
		if want := "coallocation: stopped at 540 of 5,440 runs after 1.0s\n"; out.String() != want {
			t.Errorf("short: %q, want %q", out.String(), want)
		}
		out.Reset()
		story(Items(&out, wide), 30)
		for _, want := range []string{
			"1,640 of 5,440 runs, 100 runs/s, 1m28s left",
			"\x1b[2K\rcoallocation: run 0123abcd (rate lambda=0.3, replication 4) failed: no task fits\n",
			"\x1b[2K\rcoallocation: stopped at 3,440 of 5,440 runs after 30s, 1 failed\n",
			" 30% |",
		} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%q is not in %q", want, out.String())
			}
		}
	})
}
