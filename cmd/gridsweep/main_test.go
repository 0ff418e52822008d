package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
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

// TestWrongUsage holds exit code 2: usage that cannot be right is told from work that failed, before anything is done.
func TestWrongUsage(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"plan", "--set", "requests=5", "--set", "requests=6"}, "--set requests=6: requests is given twice"},
		{[]string{"plan", "--levels", "lambda="}, "--levels lambda=: write FACTOR=A,B"},
		{[]string{"plan", "--levels", "lambda=0.3", "--levels", "lambda=0.4"}, "lambda is given twice"},
		{[]string{"plan", "--levels", "lambda=0.3\n0.4"}, `"lambda=0.3\n0.4": is not one line`},
		{[]string{"plan", "--levels", `pair="1A,1E","1C,1G","1A,1E"`}, "--levels: pair: level 1A,1E comes twice"},
	} {
		var out, err strings.Builder
		if code := exitCode(run(t.Context(), append(c.args, "coallocation"), nil, &out, &err)); code != exitUsage {
			t.Errorf("%q: exit code %d, want %d", c.args, code, exitUsage)
		}
		if !strings.Contains(err.String(), c.want) {
			t.Errorf("%q: the error does not say %q:\n%s", c.args, c.want, err.String())
		}
		if out.Len() > 0 {
			t.Errorf("%q: prints %s", c.args, out.String())
		}
		if _, err := os.Stat("out"); err == nil {
			t.Fatalf("%q: something was written", c.args)
		}
	}
}

func TestInterruptedBeforeTheFirstRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := run(ctx, []string{"run", "coallocation", "--quick", "--out", t.TempDir()}, nil, io.Discard, io.Discard)
	if exitCode(err) != exitInterrupted {
		t.Errorf("error %v has exit code %d, want %d", err, exitCode(err), exitInterrupted)
	}
}
