package cli

// What simulate prints of several simulations: tables of means and differences, or every run.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"gridsweep/analysis"
	"gridsweep/analysis/tabulate"
	"gridsweep/model"
	"gridsweep/pipeline/workspace"
)

// printMatrix prints the tables of the study, or one row for each run.
func (t *terminal) printMatrix(
	ctx context.Context, format string, study *workspace.Study, result *analysis.Result,
) error {
	if format == "table" {
		for _, table := range result.Tables {
			shown := tabulate.Text(table)
			isChange := func(v analysis.Axis) bool { return v.Change != "" }
			if slices.ContainsFunc(table.Values, isChange) {
				shown = tabulate.Differences(table)
			}
			fmt.Fprintln(t.out, shown)
		}
		return nil
	}
	if format == "parquet" {
		cells, err := study.CellsFile()
		if err == nil {
			_, err = t.out.Write(cells)
		}
		return err
	}
	columns, rows, err := study.Cells(ctx)
	if err != nil {
		return err
	}
	if format == "json" {
		return t.printObjects(columns, rows)
	}
	return t.printCSV(func(yield func([]string) bool) {
		fields := make([]string, len(columns))
		for i, c := range columns {
			fields[i] = c.Name
		}
		if !yield(fields) {
			return
		}
		for row := range rows {
			for i, value := range row {
				fields[i] = value.String()
				if value.Type() == model.TypeSeconds && !value.IsNull() {
					fields[i] = strconv.FormatInt(value.Int(), 10)
				}
			}
			if !yield(fields) {
				return
			}
		}
	})
}

// printObjects prints rows as a JSON list of objects, whose keys are in the order of the columns.
func (t *terminal) printObjects(columns []model.Column, rows iter.Seq[[]model.Value]) error {
	text := []byte("[")
	for row := range rows {
		text = append(text, '{')
		for i, value := range row {
			key, err := json.Marshal(columns[i].Name)
			if err != nil {
				return err
			}
			field, err := json.Marshal(plainOf(value))
			if err != nil {
				return err
			}
			text = append(append(append(append(text, key...), ':'), field...), ',')
		}
		text = append(bytes.TrimSuffix(text, []byte(",")), "},"...)
	}
	return t.printJSON(json.RawMessage(append(bytes.TrimSuffix(text, []byte(",")), ']')))
}

// plainOf returns a value for JSON: durations in seconds, nil for an undefined value.
func plainOf(v model.Value) any {
	switch {
	case v.IsNull():
		return nil
	case v.Type() == model.TypeString:
		return v.Text()
	case v.Type() == model.TypeBool:
		return v.Bool()
	case v.Type() == model.TypeFloat:
		return v.Float()
	default:
		return v.Int()
	}
}
