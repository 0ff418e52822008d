// The files of tables and figures: which of them are removed after an analysis, and which are on
// the list of written files after an interrupted one.

package workspace

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"gridsweep/analysis"
	"gridsweep/sweeps"
	"gridsweep/sweeps/study"
)

// Files of tables and figures that the result does not have are removed, also those whose name
// differs from the table's. Files of the result and the user's own files stay.
func TestLeftOverFilesAreRemoved(t *testing.T) {
	dir := t.TempDir()
	plan := &sweeps.Plan{Study: &study.Study{
		Tables: []*study.Table{{Name: "mean wait"}, {Name: "kept"}}, Figures: []*study.Figure{{Name: "gap, 95 %"}},
	}}
	files := map[string]bool{ // whether they stay
		"tables/mean-wait.csv": false, "tables/mean-wait.md": false, "tables/mean-wait.tex": false,
		"figures/gap--95--.svg": false, "figures/gap--95--.png": false,
		"tables/kept.csv": true, "tables/kept.md": true, "tables/mine.csv": true, "figures/mean-wait.svg": true,
	}
	for file := range files {
		path := filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	result := &analysis.Result{Tables: []analysis.Table{{Name: "kept"}}}
	if err := (&Study{Plan: plan, Dir: dir}).removeLeftOver(result); err != nil {
		t.Fatal(err)
	}
	for file, stays := range files {
		if _, err := os.Stat(filepath.Join(dir, file)); (err == nil) != stays {
			t.Errorf("%s: %v, stays: want %t", file, err, stays)
		}
	}
}

// When writing is interrupted, files that were written before stay on the list, and the user's own
// files are not added.
func TestListAfterInterruption(t *testing.T) {
	dir := t.TempDir()
	first := &analysis.Result{Tables: []analysis.Table{{Name: "a"}}}
	if err := (&Study{Dir: dir, workspace: &Workspace{}}).writeTablesAndFigures(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	before, err := readShown(dir)
	if err != nil || len(before) != 3 {
		t.Fatalf("listed are %v, %v; want 3 files", before, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "tables/b.csv"), []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	both := &analysis.Result{Tables: []analysis.Table{{Name: "a"}, {Name: "b"}}}
	err = (&Study{Dir: dir, workspace: &Workspace{}}).writeTablesAndFigures(ctx, both)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if after, err := readShown(dir); err != nil || !maps.Equal(after, before) {
		t.Errorf("listed are %v, %v; want %v", after, err, before)
	}
	// A figure without a kind fails after the tables are written, which are listed.
	both.Figures = []analysis.Figure{{Name: "f"}}
	if err := (&Study{Dir: dir, workspace: &Workspace{}}).writeTablesAndFigures(t.Context(), both); err == nil {
		t.Error("a figure without a kind is drawn")
	}
	if after, err := readShown(dir); err != nil || len(after) != 6 || after["tables/b.csv"] == sumOf([]byte("mine")) {
		t.Errorf("listed are %v, %v; want two tables", after, err)
	}
}
