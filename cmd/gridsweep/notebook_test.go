package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// The examples of docs/results.md run on a dataset, where GRIDSWEEP_PYTHON names a Python with pandas, Polars, DuckDB
// and pyarrow.
func TestNotebookExamples(t *testing.T) {
	python := os.Getenv("GRIDSWEEP_PYTHON")
	if python == "" {
		t.Skip("GRIDSWEEP_PYTHON names no Python")
	}
	text, err := os.ReadFile(filepath.Join(root, "docs", "results.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, command := range []string{"run", "analyze"} {
		args := []string{command, "coallocation", "--set", "requests=20", "--out", filepath.Join(dir, "out")}
		if err := run(t.Context(), args, nil, io.Discard, io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	examples := regexp.MustCompile("(?s)```(python|sql)\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(examples) < 6 {
		t.Fatalf("docs/results.md has %d examples, want one for each library at least", len(examples))
	}
	for _, example := range examples {
		program := example[2]
		if example[1] == "sql" {
			program = "import duckdb\nassert duckdb.sql('''" + program + "''').fetchall()"
		}
		output(t, dir, nil, python, "-c", program)
	}
}
