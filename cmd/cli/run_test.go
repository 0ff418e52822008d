// How failed runs are printed: equal errors once, different ones up to a bound.

package cli

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/results"
)

// An error of many runs is printed once, with their number and one command.
func TestEqualFailuresArePrintedOnce(t *testing.T) {
	var failures []results.Failure
	for replication := range 1023 {
		failures = append(failures, results.Failure{Cell: "rate lambda=0.3", Replication: replication,
			Error: "no task fits\nin 3000 s", Command: fmt.Sprintf("gridsweep run x --id %d", replication)})
	}
	other := results.Failure{
		Cell: "rate lambda=3", Replication: 7, Error: "too late", Command: "gridsweep run x --id other",
	}
	failures = append(failures[:5:5], append([]results.Failure{other}, failures[5:]...)...)
	var out bytes.Buffer
	(&terminal{err: &out}).printFailures(failures, filepath.Join("out", "x"))
	want := `1,023 runs failed: no task fits
    one is rate lambda=0.3, replication 0; run it again with
    gridsweep run x --id 0
1 run failed: too late
    it is rate lambda=3, replication 7; run it again with
    gridsweep run x --id other
the record of each failed run is in ` + filepath.Join("out", "x", "failed") + "\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Errors that differ in numbers and in what follows their first lines have one cause.
func TestFailuresThatDifferInNumbersArePrintedOnce(t *testing.T) {
	var failures []results.Failure
	for replication := range 3 {
		failures = append(failures, results.Failure{Cell: "all", Replication: replication, Command: "gridsweep run x --id a",
			Error: fmt.Sprintf("program p: at %d s: job 1 cannot start\n  to it: %d", 600+replication, replication)})
	}
	var out bytes.Buffer
	(&terminal{err: &out}).printFailures(failures, "out")
	if text := out.String(); !strings.HasPrefix(text, "3 runs failed: program p: at 600 s: job 1 cannot start\n") ||
		strings.Count(text, "failed:") != 1 {
		t.Errorf("printed\n%s", text)
	}
}

func TestManyCausesArePrintedInPart(t *testing.T) {
	var failures []results.Failure
	for i := range 1023 {
		failures = append(failures, results.Failure{Error: fmt.Sprintf("task %s does not fit", strings.Repeat("x", i))})
	}
	for n, want := range map[int]string{
		20: "", 21: "and failures of 1 more cause\n", len(failures): "and failures of 1,003 more causes\n",
	} {
		var out bytes.Buffer
		(&terminal{err: &out}).printFailures(failures[:n], "out")
		text := out.String()
		hasRest := strings.Contains(text, "and failures")
		if strings.Count(text, "does not fit") != 20 || hasRest != (want != "") || !strings.Contains(text, want) {
			t.Errorf("of %d causes:\n%s", n, text)
		}
	}
}
