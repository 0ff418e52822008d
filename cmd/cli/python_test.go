// The Python package of results/python is tested against datasets that the program makes, and its
// types are checked.

package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gridsweep/pipeline/traces"
)

// changes is a study whose tables, to be added, compare in all ways that the Python package has.
const changes = `study: changes
title: Comparisons of two factors
model: coallocation
set: {requests: 300}
factors:
  lambda: [0.15, 0.2, 0.3, 0.4, 0.5]
  next: [1E, 1G, 1H]
experiments:
  load: {cross: {lambda: [0.3, 0.4, 0.5], next: all}, rounds: 8}
  rare: {cross: {lambda: [0.15, 0.2], next: all}, rounds: 8}
claims:
  mean: {of: rare, show: blocking, for: lambda, along: next, order: [1E, rest]}
  trimmed: {of: rare, show: blocking, for: lambda, along: next, stat: trimmed, order: [1E, rest]}
  median: {of: rare, show: blocking, for: lambda, along: next, stat: median, order: [1E, rest]}
  utilisation: {of: rare, show: utilisation, for: lambda, along: next, order: [1E, rest]}
  rejected: {of: rare, show: rejected, for: lambda, along: next, order: [1E, rest]}
tables:
`

// comparisons are the tables, by name, with what they add to the query.
var comparisons = [][2]string{
	{"difference", ""},
	{"percent", ", as: percent"},
	{"ratio", ", as: ratio"},
	{"median", ", stat: median"},
	{"trimmed", ", stat: trimmed"},
	{"median ratio", ", stat: median, as: ratio"},
	{"trimmed percent", ", stat: trimmed, as: percent"},
}

// pythonPackage returns the folder of the Python package.
func pythonPackage(t *testing.T) string {
	t.Helper()
	source, err := filepath.Abs(filepath.Join(root, "results", "python"))
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// The notebooks of the tutorials are executed and show what they give; -update writes their
// outputs.
func TestDocsOfNotebooksAreCurrent(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: runs Python")
	}
	t.Parallel()
	python := python(t)
	script, err := filepath.Abs(filepath.Join("testdata", "notebook.py"))
	if err != nil {
		t.Fatal(err)
	}
	notebooks, err := filepath.Glob(filepath.Join(root, "docs", "tutorial", "*.ipynb"))
	if err != nil || len(notebooks) < 3 {
		t.Fatalf("found notebooks %q (%v), want three", notebooks, err)
	}
	for _, notebook := range notebooks {
		t.Run(filepath.Base(notebook), func(t *testing.T) {
			path, err := filepath.Abs(notebook)
			if err != nil {
				t.Fatal(err)
			}
			args := []string{script, path}
			if *update {
				args = append(args, "--update")
			}
			dir := t.TempDir()
			env := []string{
				traces.FolderVariable + "=" + traces.NoFolder, "HOME=" + filepath.Join(dir, ".home"),
				"PYTHONPATH=" + pythonPackage(t), "PYTHONDONTWRITEBYTECODE=1",
			}
			output(t, dir, env, python, args...)
		})
	}
}

// The numbers, intervals and figures of the package are those of the program.
func TestPythonPackage(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: runs Python")
	}
	python := python(t)
	source := pythonPackage(t)
	t.Setenv(traces.FolderVariable, traces.NoFolder)
	dir := t.TempDir()
	t.Chdir(dir)
	file := changes
	for _, c := range comparisons {
		file += fmt.Sprintf("  %s: {title: %[1]s, of: load, show: utilisation, rows: lambda, columns: next, "+
			"against: {next: 1E}%s}\n", c[0], c[1])
	}
	if err := os.WriteFile("changes.yaml", []byte(file), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"new", "mornings"},
		{"reproduce", "mornings/mornings.yaml"},
		{"reproduce", "changes.yaml"},
		{"reproduce", "coallocation", "--quick"},
		{"reproduce", "brokering", "--quick"},
	} {
		if err := execute(t.Context(), args, nil, io.Discard, io.Discard); err != nil {
			t.Fatal(args, err)
		}
	}
	studies := []string{"out/mornings", "out/changes", "out/quick/coallocation", "out/quick/brokering"}
	for i, study := range studies {
		studies[i] = filepath.Join(dir, study)
	}
	env := []string{
		"GRIDSWEEP_STUDIES=" + strings.Join(studies, string(os.PathListSeparator)), "PYTHONDONTWRITEBYTECODE=1",
	}
	output(t, source, env, python, "-W", "error::FutureWarning", "-m", "unittest", "discover", "-s", "tests")
	output(t, source, nil, python, "-m", "mypy", "--cache-dir", filepath.Join(dir, "mypy"))
}
