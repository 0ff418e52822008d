// Test that pandas, polars, DuckDB and pyarrow read the same rows, by testdata/read_dataset.py.

package results

import (
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gridsweep/model"
)

// python returns an interpreter that has the libraries, or skips the test.
func python(t *testing.T) string {
	t.Helper()
	interpreter := os.Getenv("GRIDSWEEP_PYTHON")
	if interpreter == "" {
		interpreter = "python3"
	}
	out, err := exec.Command(interpreter, "-c", "import pandas, polars, duckdb, pyarrow.parquet").CombinedOutput()
	if err != nil {
		t.Skipf("%s has not pandas, Polars, DuckDB and pyarrow: %v\n%s", interpreter, err, out)
	}
	return interpreter
}

func TestPython(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all: runs Python")
	}
	interpreter := python(t)
	d := openTest(t, t.TempDir())
	runs := testRuns(d.model, 23)
	zero, yes, empty := 0.0, true, ""
	seconds, count := model.Seconds(-1), int64(1)<<53+1
	runs[5].Outcome = outcomeOf(d.model, testOutcome{
		Blocking: 5e-324, Longest: 1 << 60, Requests: -1, Saturated: true, Note: "ß, \"日本\"\n\x00", Fairness: &zero,
		First: &seconds, Peak: &count, Steady: &yes, Best: &empty,
	})
	writeTest(t, d, runs[20:], 1) // batches in which some columns are null throughout
	writeTest(t, d, runs[:20], 7)

	cells := filepath.Join(d.dir, "cells.parquet")
	columns, jobs := runsColumns(d.model), longColumns(d.model.Tables[1])
	rowsOf := func(table int) iter.Seq[[]model.Value] { return outcomeRows(runs, table, new(position)) }
	if err := WriteTable(t.Context(), cells, columns, rowsOf(0), testProvenance.Metadata()); err != nil {
		t.Fatal(err)
	}
	levels, labels := levelColumns(), func() iter.Seq[[]model.Value] { return levelRows(rowsPerGroup + 9) }
	ordered := filepath.Join(d.dir, "ordered.parquet")
	if err := WriteTable(t.Context(), ordered, levels, labels(), nil); err != nil {
		t.Fatal(err)
	}
	for _, state := range []string{"as written", "compact"} {
		if state == "compact" {
			if done := compact(t, d); done.After != 1 {
				t.Fatalf("%+v", done)
			}
		}
		for _, c := range []struct {
			pattern string
			columns []model.Column
			rows    iter.Seq[[]model.Value]
			unit    string
		}{
			{filepath.Join(d.dir, "runs", "*.parquet"), columns, rowsOf(0), `"rate": "1/min", "laxity": "s"`},
			{filepath.Join(d.dir, "jobs", "*.parquet"), storedColumns(jobs), storedRows(jobs, rowsOf(1)),
				`"wait": "s", "length": "h", "length_s": "s"`},
			{filepath.Join(d.dir, TimingsTable, "*.parquet"), timingsColumns(), timingRows(runs), `"per_item": "s"`},
			{cells, columns, rowsOf(0), `"blocking": "%"`},
			{ordered, levels, labels(), `"wait": "s"`},
		} {
			expected := filepath.Join(t.TempDir(), "expected.json")
			write(t, expected, expectedRows(t, c.columns, c.rows))
			calls := [][]string{{c.pattern, expected}, {c.pattern}}
			if state == "compact" {
				calls = calls[:1]
			}
			for _, args := range calls {
				command := exec.Command(interpreter, append([]string{"testdata/read_dataset.py"}, args...)...)
				out, err := command.CombinedOutput()
				if err != nil || !strings.Contains(string(out), c.unit) {
					t.Errorf("%s: %v, %s\n%s", c.pattern, err, state, out)
				}
			}
		}
	}
}

// expectedRows returns the rows as testdata/read_dataset.py reads them.
func expectedRows(t *testing.T, columns []model.Column, rows iter.Seq[[]model.Value]) []byte {
	t.Helper()
	expected := struct {
		Columns []string        `json:"columns"`
		Infos   json.RawMessage `json:"infos"`
		Rows    [][]any         `json:"rows"`
	}{Infos: json.RawMessage(describe(columns))}
	for _, c := range columns {
		expected.Columns = append(expected.Columns, c.Name)
	}
	for row := range rows {
		expected.Rows = append(expected.Rows, slices.Collect(plain(row)))
	}
	data, err := json.Marshal(expected)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// plain yields the values as encoding/json writes them.
func plain(row []model.Value) iter.Seq[any] {
	return func(yield func(any) bool) {
		for _, v := range row {
			var x any
			switch {
			case v.IsNull():
			case v.Type() == model.TypeBool:
				x = v.Bool()
			case v.Type() == model.TypeString:
				x = v.Text()
			case v.Type() == model.TypeFloat:
				x = json.Number(fmt.Sprintf("%g", v.Float()))
			default:
				x = v.Int()
			}
			if !yield(x) {
				return
			}
		}
	}
}
