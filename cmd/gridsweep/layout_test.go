package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// All that commands write beside the folders of studies, and in one, has a name that no study may have.
func TestOurNamesAreReserved(t *testing.T) {
	out := t.TempDir()
	say := func(args ...string) {
		var stdout, stderr bytes.Buffer
		if err := run(t.Context(), append(args, "--out", out), nil, &stdout, &stderr); err != nil {
			t.Fatalf("%v: %s", args, stderr.String())
		}
	}
	const plan = "--set=requests=50"
	say("reproduce", "coallocation", "--quick", plan, "--experiment", "cost")
	say("reproduce", "coallocation", plan, "--experiment", "cost")
	written := 0
	for _, folder := range []string{out, filepath.Join(out, "quick"), filepath.Join(out, "coallocation")} {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			if written++; entry.Name() != "coallocation" && !slices.Contains(ourNames, entry.Name()) {
				t.Errorf("%s is written in %s, and a study may have its name", entry.Name(), folder)
			}
		}
	}
	if written < 10 {
		t.Errorf("only %d files and folders are written", written)
	}
}

func TestStudiesOfOurNamesAreRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range append(slices.Clone(ourNames), "INDEX.HTML", "Quick") {
		for word, line := range map[string]int{"study": 1, "paper": 2} {
			text := fmt.Sprintf("study: %s\nmodel: coallocation\nexperiments: {e: {}}\n", name)
			if word == "paper" {
				text = strings.Replace(text, name, "mine\npaper: "+name, 1)
			}
			if err := os.WriteFile("mine.yaml", []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			var out, said bytes.Buffer
			err := run(t.Context(), []string{"check", "mine.yaml"}, nil, &out, &said)
			want := fmt.Sprintf("mine.yaml:%d:8: %s: %q is the name of a file or folder that gridsweep writes", line, word, name)
			if exitCode(err) != exitUsage || strings.Count(said.String(), "is the name of") != 1 || !strings.Contains(said.String(), want) {
				t.Errorf("%s %s: exits with %d: %s", word, name, exitCode(err), said.String())
			}
		}
	}
}

// What stands where a folder or file has to be is named.
func TestWhatIsInTheWayIsNamed(t *testing.T) {
	for _, c := range []struct{ path, command string }{
		{"coallocation", "run"}, {"coallocation/runs", "run"}, {"coallocation/timings", "run"}, {"coallocation/running", "run"},
		{"coallocation/tables", "reproduce"}, {"coallocation/figures", "reproduce"}, {"coallocation/failed", "status"},
	} {
		out := t.TempDir()
		path := filepath.Join(out, filepath.FromSlash(c.path))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		var stdout, said bytes.Buffer
		err := run(t.Context(), []string{c.command, "coallocation", "--set=requests=50", "--experiment=cost", "--out=" + out}, nil, &stdout, &said)
		if code := exitCode(err); code != exitUsage || !strings.Contains(said.String(), path) || !strings.Contains(said.String(), "file") ||
			!strings.Contains(said.String(), "move it away") {
			t.Errorf("%s with a file as %s exits with %d: %s", c.command, c.path, code, said.String())
		}
	}
}
