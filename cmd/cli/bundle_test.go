// A validator of RO-Crates and ro-crate-py accept bundles; an interruption leaves no file.

package cli

import (
	"archive/zip"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gridsweep/pipeline/traces"
)

// Bundles are valid RO-Crates 1.1 by roc-validator, and ro-crate-py loads them. Both are in the
// Python that GRIDSWEEP_ROCRATE_PYTHON names. The validator rejects a crate without its date.
func TestBundlesAreCrates(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: runs Python")
	}
	python := os.Getenv("GRIDSWEEP_ROCRATE_PYTHON")
	if python == "" {
		t.Skip("GRIDSWEEP_ROCRATE_PYTHON names no Python with roc-validator and rocrate")
	}
	script, err := filepath.Abs("testdata/validate_crate.py")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	t.Setenv(traces.FolderVariable, traces.NoFolder)
	for name, text := range map[string]string{
		"my log.swf": "; MaxProcs: 64\n1 0 -1 9 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1\n" +
			"2 7200 -1 9 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1\n",
		"mine.yaml": "study: mine\ntitle: Mine\nmodel: scheduling\nset: {trace: my log.swf}\nfactors: {policy: [fcfs]}\n" +
			"experiments: {e: {cross: policy, rounds: 1}}\ntables: {50 % of it: {of: e, show: wait_mean, rows: policy}}\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// cites its paper
	cost := []string{"coallocation", "--experiment", "cost", "--set", "requests=10"}
	for _, args := range [][]string{
		{"run", "mine.yaml"}, {"bundle", "mine.yaml", "--with-traces"},
		append([]string{"run"}, cost...), append([]string{"bundle", "--license", "CC-BY-4.0"}, cost...),
	} {
		var messages strings.Builder
		if err := execute(t.Context(), args, nil, io.Discard, &messages); err != nil {
			t.Fatalf("%q: %s", args, messages.String())
		}
	}
	for _, name := range []string{"mine", "coallocation"} {
		z, err := zip.OpenReader(name + ".zip")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(name, z); err != nil {
			t.Fatal(err)
		}
		z.Close()
		if text, err := exec.Command(python, script, name).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
	crate := filepath.Join("mine", "ro-crate-metadata.json")
	text := strings.Replace(content(t, crate), `"datePublished"`, `"dateForgotten"`, 1)
	if err := os.WriteFile(crate, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command(python, script, "mine").CombinedOutput(); err == nil {
		t.Errorf("a crate without its date is accepted:\n%s", text)
	}
}

// bundle and verify end within a second of an interruption, with exit code 130, and leave no file
// behind.
func TestInterruptedBundles(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	cost := []string{"coallocation", "--experiment", "cost", "--set", "requests=10"}
	for _, args := range [][]string{append([]string{"run"}, cost...), append([]string{"bundle"}, cost...)} {
		if err := execute(t.Context(), args, nil, io.Discard, io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		append([]string{"bundle", "--to", "new.zip"}, cost...), {"verify", "coallocation.zip", "--rerun", "50"},
	} {
		interrupted := 0
		for wait := time.Duration(0); wait < 300*time.Millisecond; wait += 7 * time.Millisecond {
			ctx, cancel := context.WithCancel(t.Context())
			var end time.Time
			timer := time.AfterFunc(wait, func() {
				end = time.Now()
				cancel()
			})
			err := execute(ctx, args, nil, io.Discard, io.Discard)
			isLate := timer.Stop() // the command ended first
			cancel()
			if isLate {
				break
			}
			if took := time.Since(end); took > time.Second {
				t.Errorf("%s goes on for %s", args[0], took)
			}
			if err == nil {
				break
			}
			if interrupted++; exitCode(err) != exitInterrupted {
				t.Errorf("%s after %s: error %v has exit code %d", args[0], wait, err, exitCode(err))
			}
			if _, err := os.Stat("new.zip"); err == nil {
				t.Errorf("new.zip was written after %s", wait)
			}
			for _, dir := range []string{".", os.TempDir()} {
				entries, err := os.ReadDir(dir)
				if err != nil {
					t.Fatal(err)
				}
				for _, entry := range entries {
					if name := entry.Name(); name != "out" && name != "coallocation.zip" {
						t.Errorf("%s left %s after %s", args[0], name, wait)
					}
				}
			}
		}
		if interrupted == 0 {
			t.Errorf("%s was never interrupted", args[0])
		}
		os.Remove("new.zip")
	}
}
