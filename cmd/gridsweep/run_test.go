package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"gridsweep/results"
)

func TestManyFailuresArePrintedInPart(t *testing.T) {
	failures := make([]results.Failure, 1023)
	for i := range failures {
		failures[i] = results.Failure{Cell: "rate lambda=0.3", Round: 7, Error: "no task fits\nin 3000 s", Command: "gridsweep run x"}
	}
	for n, want := range map[int]string{
		20: "", 21: "and 1 more; they are in " + filepath.Join("out", "x", "failed"), len(failures): "and 1,003 more; ",
	} {
		var out bytes.Buffer
		(&terminal{err: &out}).printFailures(failures[:n], filepath.Join("out", "x"))
		const row = "| rate lambda=0.3 |     7 | no task fits | gridsweep run x   |"
		if strings.Count(out.String(), row) != 20 {
			t.Errorf("of %d failures not 20 are printed:\n%s", n, out.String())
		}
		if more := strings.Contains(out.String(), " more; "); more != (want != "") || !strings.Contains(out.String(), want) {
			t.Errorf("after %d failures %q is missing or too much:\n%s", n, want, out.String())
		}
	}
}
