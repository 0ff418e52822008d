// The table cells.parquet: one row for each cell and replication, with labels and all columns.

package analysis

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"gridsweep/model"
	"gridsweep/results"
	"gridsweep/sweeps"
	"gridsweep/sweeps/study"
)

// WriteCells writes cells.parquet, the file for notebooks, with the rows of Cells. The metadata of
// the file has units, descriptions and the provenance.
func WriteCells(ctx context.Context, plan *sweeps.Plan, rows Rows, path string, provenance results.Provenance) error {
	columns, cells, err := Cells(ctx, plan, rows)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return results.WriteTable(ctx, path, columns, cells, provenance.Metadata())
}

// Cells returns one row for each cell of each experiment and replication. Its columns are the
// experiment, the level of every factor of the study as label_<factor> (null if the experiment does
// not have the factor; ordered as in the study file), the run's id, seed and replication, its
// parameters, and all columns of the table runs: a column with an alias under both names, one in
// minutes, hours or days also in seconds. A run of several cells has a row in each; a run without a
// row in the dataset has none. The slice that the rows yield is reused. The error is one of reading
// the rows.
func Cells(
	ctx context.Context, plan *sweeps.Plan, rows Rows,
) ([]model.Column, iter.Seq[[]model.Value], error) {
	ids := make(map[string]bool, len(plan.Runs))
	for _, run := range plan.Runs {
		ids[run.ID] = true
	}
	frame, err := rows.Read(ctx, model.RunsTable, nil, ids)
	if err != nil {
		return nil, nil, err
	}
	columns := []model.Column{{Name: "experiment", Type: model.TypeString, Doc: "experiment of the study"}}
	var factors []string // of the study, so that the columns are the same whatever was planned
	for _, f := range plan.Study.Factors {
		label := model.Column{
			Name: "label_" + f.Name, Type: model.TypeString, Nullable: true, Doc: "level of the factor " + f.Name,
		}
		label.Levels = labelsOf(plan, f)
		factors, columns = append(factors, f.Name), append(columns, label)
	}
	shown := slices.Clone(frame.Columns())
	for _, c := range frame.Columns() {
		if c.Alias != "" {
			shown = append(shown, c.As(c.Alias))
		}
	}
	for _, c := range frame.Columns() {
		if seconds := c.InSeconds(); seconds != nil {
			shown = append(shown, seconds)
		}
	}
	for _, c := range shown {
		columns = append(columns, c.Column)
	}
	return columns, func(yield func([]model.Value) bool) {
		row := make([]model.Value, len(columns))
		for _, e := range plan.Experiments {
			row[0] = model.StringValue(e.Name)
			for _, cell := range e.Cells {
				for k, f := range factors {
					row[1+k] = model.NullValue(model.TypeString)
					if d := e.Dimension(f); d >= 0 {
						row[1+k] = model.StringValue(cell.Labels[d])
					}
				}
				for _, run := range cell.Runs {
					from, to := frame.Rows(plan.Runs[run].ID)
					for at := from; at < to; at++ {
						for c, column := range shown {
							row[1+len(factors)+c] = column.Value(at)
						}
						if !yield(row) {
							return
						}
					}
				}
			}
		}
	}, nil
}

// labelsOf returns the labels that a factor's levels have in experiments, in order: first the
// baselines, which are no levels of the factor itself.
func labelsOf(plan *sweeps.Plan, f *study.Factor) []string {
	var baselines, levels []string
	known := map[string]bool{}
	for _, level := range f.Levels {
		levels, known[level.Label.Text] = append(levels, level.Label.Text), true
	}
	for _, e := range plan.Experiments {
		d := e.Dimension(f.Name)
		if d < 0 {
			continue
		}
		for _, cell := range e.Cells {
			if label := cell.Labels[d]; !known[label] {
				baselines, known[label] = append(baselines, label), true
			}
		}
	}
	return append(baselines, levels...)
}
