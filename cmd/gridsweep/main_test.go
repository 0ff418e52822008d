package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"gridsweep": main})
}

// TestScripts runs the command as people do: testdata/script holds one file for each thing they want.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":    exits,
			"truncate": truncateFirst,
			"flip":     flipByte,
		},
	})
}

// exits runs a command and requires the exit code before it.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		ts.Check(err)
	}
	have := 0
	if exit != nil {
		have = exit.ExitCode()
	}
	if have != want {
		ts.Fatalf("exit code %d, want %d", have, want)
	}
}

// truncateFirst cuts the last byte off the first file that matches a pattern.
func truncateFirst(ts *testscript.TestScript, _ bool, args []string) {
	damage(ts, args[0], func(data []byte) []byte { return data[:len(data)-1] })
}

// flipByte changes a byte in the middle of the first file that matches a pattern.
func flipByte(ts *testscript.TestScript, _ bool, args []string) {
	damage(ts, args[0], func(data []byte) []byte {
		data[len(data)/2] ^= 1
		return data
	})
}

func damage(ts *testscript.TestScript, pattern string, change func([]byte) []byte) {
	files, err := filepath.Glob(ts.MkAbs(pattern))
	ts.Check(err)
	if len(files) == 0 {
		ts.Fatalf("no file matches %s", pattern)
	}
	data, err := os.ReadFile(files[0])
	ts.Check(err)
	ts.Check(os.WriteFile(files[0], change(data), 0o600))
}

func TestInterruptedBeforeTheFirstRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := run(ctx, []string{"run", "coallocation", "--quick", "--out", t.TempDir()}, nil, io.Discard, io.Discard)
	if exitCode(err) != exitInterrupted {
		t.Errorf("error %v has exit code %d, want %d", err, exitCode(err), exitInterrupted)
	}
}

func TestExitCodes(t *testing.T) {
	failed := runsFailed{"1 of 2 runs failed"}
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{failed, exitFailed},
		{errors.Join(failed, errors.New("no space")), exitFailed},
		{errors.Join(usageErrorf("no such study"), usageErrorf("no such model")), exitUsage},
		{errors.Join(failed, exitError{exitInterrupted, nil}), exitInterrupted},
	} {
		if have := exitCode(c.err); have != c.want {
			t.Errorf("error %v has exit code %d, want %d", c.err, have, c.want)
		}
	}
}
