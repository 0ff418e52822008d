package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gridsweep/model/trace"
)

// A trace's flags are judged before the trace is opened, and nothing is printed or written.
func TestWrongUsageOfTraces(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"stats", "--format", "xml"}, "--format xml: write table, json or csv"},
		{[]string{"stats", "--plot", ""}, "--plot: is empty; name a folder"},
		{[]string{"stats", "--in-format", "csv"}, `--in-format: unknown format "csv": it must be swf or gwf`},
		{[]string{"stats", "--procs", "-1"}, "--procs -1: write a number from 1"},
		{[]string{"stats", "--procs", "99999999999"}, "--procs 99999999999: write a number from 1"},
		{[]string{"stats", "--months", "0-3"}, "--months 0-3: write the first and the last"},
		{[]string{"stats", "--months", "4-3"}, "--months 4-3: write"},
		{[]string{"stats", "--months", "1-2-3"}, "--months 1-2-3: write"},
		{[]string{"stats", "--months", "1", "--to", "5"}, "--months 1 does not go with --from and --to"},
		{[]string{"stats", "--from", "1y"}, "--from 1y: write a whole number of seconds"},
		{[]string{"stats", "--from", "-1"}, "--from -1: write"},
		{[]string{"stats", "--from", "d"}, "--from d: write"},
		{[]string{"stats", "--from", "1d", "--to", "24h"}, "--to 24h: write a time after --from"},
		{[]string{"stats", "--to", "0"}, "--to 0: write a time after --from"},
		{[]string{"stats", "--scale-arrivals", "0"}, "--scale-arrivals 0: write a number above 0"},
		{[]string{"stats", "--scale-runtimes", "NaN"}, "--scale-runtimes NaN: write a number above 0"},
		{[]string{"stats", "--status", "done"}, "--status done: write numbers"},
	} {
		var out, err strings.Builder
		args := append([]string{"trace", c.args[0], "missing.swf"}, c.args[1:]...)
		if code := exitCode(run(t.Context(), args, nil, &out, &err)); code != exitUsage {
			t.Errorf("%q: exit code %d, want %d", c.args, code, exitUsage)
		}
		if !strings.Contains(err.String(), c.want) || out.Len() > 0 {
			t.Errorf("%q: the error does not say %q:\n%s%s", c.args, c.want, err.String(), out.String())
		}
	}
}

func TestFullDiskForTraces(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no full device: ", err)
	}
	defer full.Close()
	log := filepath.Join(t.TempDir(), "log.swf")
	if err := os.WriteFile(log, []byte("1 0 -1 600 4 -1 -1 -1 -1 -1 1 1 1 1 1 1 -1 -1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"trace"}, {"trace", "stats", log}, {"trace", "stats", log, "--format", "csv"}, {"trace", "stats", log, "--format", "json"},
		{"trace", "convert", log, "-", "--as", "gwf"},
	} {
		var said strings.Builder
		err := run(t.Context(), args, nil, full, &said)
		const want = "gridsweep: cannot write to standard output: no space left on device\n"
		if exitCode(err) != exitFailed || strings.Count(said.String(), want) != 1 {
			t.Errorf("%q: exit code %d, says\n%s", args, exitCode(err), said.String())
		}
	}
}

// Writing ends when the context is done.
func TestConvertInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var text strings.Builder
	err := writeTrace(ctx, &text, "-", make([]trace.Job, 10), &trace.Header{}, nil, trace.SWF)
	if !errors.Is(err, context.Canceled) || text.Len() > 0 {
		t.Errorf("error %v after %d bytes", err, text.Len())
	}
}
