package main

import (
	"os"
	"path/filepath"
	"testing"

	"gridsweep/analysis"
	"gridsweep/configs"
)

// Files have not always the name of their table; what the result has, and what is not of the study, stays.
func TestLeftOverFilesAreRemoved(t *testing.T) {
	dir := t.TempDir()
	study := &configs.Study{
		Tables:  []configs.Table{{Name: configs.Text{Value: "mean wait"}}, {Name: configs.Text{Value: "kept"}}},
		Figures: []configs.Figure{{Name: configs.Text{Value: "gap, 95 %"}}},
	}
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
	if err := removeLeftOver(&target{study: study, dir: dir}, result); err != nil {
		t.Fatal(err)
	}
	for file, stays := range files {
		if _, err := os.Stat(filepath.Join(dir, file)); (err == nil) != stays {
			t.Errorf("%s: %v", file, err)
		}
	}
}
