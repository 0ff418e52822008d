// Python libraries read from data files and cells.parquet the rows, types and units that the model
// returns when it is simulated again.

package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/pipeline/traces"
	"gridsweep/pipeline/workspace"
	"gridsweep/sweeps"
)

// python returns the Python with pandas, Polars, DuckDB and pyarrow that GRIDSWEEP_PYTHON names, or
// skips the test.
func python(t *testing.T) string {
	t.Helper()
	interpreter := os.Getenv("GRIDSWEEP_PYTHON")
	if interpreter == "" {
		t.Skip("GRIDSWEEP_PYTHON names no Python")
	}
	return interpreter
}

// In the data files of runs and in cells.parquet of one replication of every study's small quick
// plan, pandas, Polars and DuckDB read the rows, types and units that the model returns for the
// same points.
func TestPythonReadsTheRowsOfTheModel(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: runs Python")
	}
	python := python(t)
	script, err := filepath.Abs(filepath.Join(root, "results", "testdata", "read_dataset.py"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range configs.List() {
		t.Run(name, func(t *testing.T) {
			t.Setenv(traces.FolderVariable, traces.NoFolder)
			s := workspace.Selection{Out: t.TempDir(), Quick: true, Replications: 1, Set: smallOf(t, name).Set}
			study := open(t, s, name)[0]
			for _, command := range []string{"run", "analyze"} {
				args := []string{command, name, "--quick", "--rounds", "1", "--out", s.Out}
				for _, set := range s.Set {
					args = append(args, "--set", set)
				}
				if err := execute(t.Context(), args, nil, io.Discard, io.Discard); err != nil {
					t.Fatal(err)
				}
			}
			runs, cells := expectedTables(t, study.Plan)
			for pattern, want := range map[string]notebookTable{"runs/*.parquet": runs, "cells.parquet": cells} {
				file := filepath.Join(t.TempDir(), "expected.json")
				text, err := json.Marshal(want)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, text, 0o666); err != nil {
					t.Fatal(err)
				}
				found := output(t, study.Dir, nil, python, script, pattern, file)
				if !strings.HasSuffix(found, want.summary()) {
					t.Errorf("%s: found %s, want %s", pattern, found, want.summary())
				}
			}
			output(t, study.Dir, nil, python, script, "timings/*.parquet")
		})
	}
}

// notebookTable is what read_dataset.py should find in a table.
type notebookTable struct {
	Columns []string `json:"columns"`
	Rows    [][]any  `json:"rows"`
	units   []string // of the columns that have one, as "name": "unit"
}

func (w notebookTable) summary() string {
	return fmt.Sprintf("%d rows, %d columns, units {%s}\n", len(w.Rows), len(w.Columns), strings.Join(w.units, ", "))
}

func (w *notebookTable) addColumn(name, unit string) {
	w.Columns = append(w.Columns, name)
	if unit != "" {
		w.units = append(w.units, fmt.Sprintf("%q: %q", name, unit))
	}
}

// expectedTables simulates the plan and returns the expected content of the data files of runs and
// of cells.parquet.
func expectedTables(t *testing.T, plan *sweeps.Plan) (runs, cells notebookTable) {
	t.Helper()
	var factors []string
	cells.addColumn("experiment", "")
	for _, f := range plan.Study.Factors {
		factors = append(factors, f.Name)
		cells.addColumn("label_"+f.Name, "")
	}
	for _, table := range []*notebookTable{&runs, &cells} {
		for _, name := range []string{"run_id", "seed", "round"} {
			table.addColumn(name, "")
		}
		for _, p := range plan.Model.Parameters {
			table.addColumn(p.Name, p.Unit)
		}
		for _, c := range plan.Model.Tables[0].Columns {
			table.addColumn(c.Name, c.Unit)
		}
	}
	width := len(runs.Columns)
	first := width - len(plan.Model.RunsColumns())
	var aliased, inSeconds []int // columns of runs
	for i, c := range plan.Model.RunsColumns() {
		if c.Alias != "" {
			cells.addColumn(c.Alias, c.Unit)
			aliased = append(aliased, first+i)
		}
	}
	seconds := map[string]float64{"1000 s": 1000, "min": 60, "h": 3600, "d": 86400}
	for i, c := range plan.Model.RunsColumns() {
		if seconds[c.Unit] > 0 { // every model has others in seconds, so runs has these too
			runs.addColumn(c.Name+"_s", "s")
			cells.addColumn(c.Name+"_s", "s")
			inSeconds = append(inSeconds, first+i)
		}
	}
	for _, run := range plan.Runs {
		outcome, err := plan.Model.Simulate(t.Context(), run.Point, plan.Model.Env(plan.Seed, run.Replication, nil))
		if err != nil {
			t.Fatal(err)
		}
		row := []any{run.ID, plan.Seed, run.Replication}
		for _, value := range run.Point {
			row = append(row, inNotebooks(value))
		}
		for metrics := range outcome.Rows(0) {
			for _, value := range metrics {
				row = append(row, inNotebooks(value))
			}
		}
		for _, i := range inSeconds {
			var converted any // null
			factor := seconds[plan.Model.RunsColumns()[i-first].Unit]
			switch x := row[i].(type) {
			case float64:
				converted = x * factor
			case int64:
				converted = float64(x) * factor
			}
			row = append(row, converted)
		}
		runs.Rows = append(runs.Rows, row)
	}
	for _, x := range plan.Experiments {
		for _, cell := range x.Cells {
			labels := []any{x.Name}
			for _, factor := range factors {
				if d := x.Dimension(factor); d >= 0 {
					labels = append(labels, cell.Labels[d])
				} else {
					labels = append(labels, nil)
				}
			}
			for _, run := range cell.Runs {
				row := slices.Concat(labels, runs.Rows[run][:width])
				for _, i := range aliased {
					row = append(row, runs.Rows[run][i])
				}
				cells.Rows = append(cells.Rows, append(row, runs.Rows[run][width:]...))
			}
		}
	}
	return runs, cells
}

// inNotebooks returns a value for JSON.
func inNotebooks(value model.Value) any {
	switch {
	case value.IsNull():
		return nil
	case value.Type() == model.TypeBool:
		return value.Bool()
	case value.Type() == model.TypeFloat:
		return value.Float()
	case value.Type() == model.TypeString:
		return value.Text()
	default:
		return value.Int()
	}
}
