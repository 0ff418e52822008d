// The file cells.parquet, read back with parquet-go: its columns, null labels, and the number of
// rows of each experiment.

package analysis

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"gridsweep/model"
	"gridsweep/results"
)

// The universe without alternatives is the first level, as in tables.
func TestLabelsOfUniverses(t *testing.T) {
	const table = "tables: {x: {of: solo, show: loss, rows: policy, published: x.csv}}"
	file := strings.Replace(open4+inUniverses, table, "", 1)
	toy := runStudy(t, file, linear, nil)
	columns, _, err := Cells(t.Context(), toy.plan, toy.dataset)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(columns, func(c model.Column) bool { return c.Name == "label_universe" })
	want := []string{"default", "gap: 1h", "mode: odd", "mode: odd, gap: 1h"}
	if i < 0 || !slices.Equal(columns[i].Levels, want) {
		t.Errorf("columns %+v, want the levels %q of label_universe", columns, want)
	}
}

// One policy fails all its runs, and one factor is only in an experiment that is not run.
func TestWriteCells(t *testing.T) {
	unused := strings.Replace(head, "  mode:", "  spare: {x: {gap: 1min}}\n  mode:", 1) +
		"  spared: {cross: [spare], optional: true}\n"
	toy := runStudy(t, unused, func(p toyPoint, replication int) *toyOutcome {
		if p.Policy == "c" {
			return nil
		}
		return linear(p, replication)
	}, nil)
	path := filepath.Join(t.TempDir(), "cells.parquet")
	if err := WriteCells(t.Context(), toy.plan, toy.dataset, path, results.Provenance{Version: "v9"}); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	reader := parquet.NewReader(file)
	var names []string
	for _, f := range reader.Schema().Fields() {
		names = append(names, f.Name())
	}
	want := []string{"experiment", "label_lambda", "label_policy", "label_gap", "label_spare", "label_mode",
		"run_id", "seed", "round",
		"lambda", "policy", "gap", "mode", "loss", "wait", "odd", "place", "arrival_rate"}
	if !slices.Equal(names, want) {
		t.Fatalf("columns %v", names)
	}
	counts := map[string]int{}
	for {
		rows := make([]parquet.Row, 1)
		if n, err := reader.ReadRows(rows); n == 0 {
			if err != io.EOF {
				t.Fatal(err)
			}
			break
		}
		counts[rows[0][0].String()]++
		if lambda, alias := rows[0][9], rows[0][len(names)-1]; lambda.Double() == 0 || lambda.Double() != alias.Double() {
			t.Errorf("lambda is %v and arrival_rate %v", lambda, alias)
		}
		if isNull := rows[0][1].IsNull(); rows[0][0].String() == "solo" && !isNull || rows[0][0].String() == "rate" &&
			isNull {
			t.Errorf("label_lambda of %s is %v", rows[0][0], rows[0][1])
		}
	}
	// Without policy c: 3·2, 3, 2 cells and those of again in 2 modes, of 4 replications.
	if have := fmt.Sprint(counts); have != "map[again/rate:48 again/solo:16 gaps:12 rate:24 solo:8]" {
		t.Errorf("rows %s", have)
	}
}
