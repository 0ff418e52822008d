package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"gridsweep": main, "hang": hang})
}

// hang is a program that does not end when it is interrupted, and interrupts itself until something ends it.
func hang() {
	untilInterrupted()
	for range 500 {
		if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
			panic(err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// TestScripts runs the command as people do: testdata/script holds one file for each thing they want.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"truncate": truncateFirst,
			"flip":     flipByte,
		},
	})
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
