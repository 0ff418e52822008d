// Analysis of a study's runs, and the files that it writes.

package workspace

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"gridsweep/analysis"
	"gridsweep/analysis/draw"
	"gridsweep/analysis/tabulate"
	"gridsweep/model"
	"gridsweep/pipeline"
	"gridsweep/results"
)

// NoRuns is the error of a study whose dataset has no run of its plan. Other studies of the same
// command can be analysed.
type NoRuns struct{ text string }

// Error names the study, its folder and the command to run first.
func (e NoRuns) Error() string { return e.text }

// Result analyses the runs of the plan and notes how many of them are missing. The error is NoRuns
// where all are missing.
func (s *Study) Result(ctx context.Context) (*analysis.Result, error) {
	snapshot, err := s.someRuns(ctx)
	if err != nil {
		return nil, err
	}
	return analysis.Analyze(ctx, s.Plan, snapshot, pipeline.Machine(), s.Looks.Decisions)
}

// RankUniverses ranks the universes of the plan by how well they agree with the published numbers;
// see analysis.Explain. It notes missing runs and returns errors as Result does.
func (s *Study) RankUniverses(ctx context.Context) ([]analysis.Explanation, error) {
	snapshot, err := s.someRuns(ctx)
	if err != nil {
		return nil, err
	}
	return analysis.Explain(ctx, s.Plan, snapshot, pipeline.Machine())
}

// someRuns returns a snapshot that has runs of the plan, and notes how many are missing. The error
// is NoRuns where all are missing.
func (s *Study) someRuns(ctx context.Context) (*results.Snapshot, error) {
	snapshot, ids, err := s.committed(ctx)
	if err != nil {
		return nil, err
	}
	if len(ids) == 0 {
		return nil, NoRuns{fmt.Sprintf("%s has no run of the plan of %s; first\n    %s", s.Dir, s.Name, s.Command("run"))}
	}
	if missing := len(s.Plan.Runs) - len(ids); missing > 0 {
		s.workspace.note("%s: %s of %s runs are missing; the results do without them", s.Name, count(missing),
			count(len(s.Plan.Runs)))
	}
	return snapshot, nil
}

// Analyze analyses the runs of the plan as Result does and writes cells.parquet, tables, figures,
// figures.json and claims.json. It removes tables and figures of earlier plans.
func (s *Study) Analyze(ctx context.Context) (*analysis.Result, error) {
	result, err := s.Result(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.writeResult(ctx, result); err != nil {
		return nil, err
	}
	return result, nil
}

// writeResult writes the files of Analyze for a result that was computed from s.snapshot.
func (s *Study) writeResult(ctx context.Context, result *analysis.Result) error {
	cells := filepath.Join(s.Dir, cellsFile)
	if err := analysis.WriteCells(ctx, s.Plan, s.snapshot, cells, s.provenance()); err != nil {
		return err
	}
	if err := s.removeLeftOver(result); err != nil {
		return err
	}
	if err := s.writeTablesAndFigures(ctx, result); err != nil {
		return err
	}
	var figures, claims bytes.Buffer
	if err := draw.WriteNumbers(&figures, result.Figures); err != nil {
		return err
	}
	if err := analysis.WriteClaims(&claims, result); err != nil {
		return err
	}
	if err := results.WriteFile(filepath.Join(s.Dir, figuresFile), figures.Bytes()); err != nil {
		return err
	}
	return results.WriteFile(filepath.Join(s.Dir, claimsFile), claims.Bytes())
}

// Cells returns the rows of cells.parquet, see analysis.Cells.
func (s *Study) Cells(ctx context.Context) ([]model.Column, iter.Seq[[]model.Value], error) {
	snapshot, err := s.Snapshot(ctx)
	if err != nil {
		return nil, nil, err
	}
	return analysis.Cells(ctx, s.Plan, snapshot)
}

// CellsFile returns the bytes of cells.parquet, which Analyze has written.
func (s *Study) CellsFile() ([]byte, error) { return os.ReadFile(filepath.Join(s.Dir, cellsFile)) }

// writeTablesAndFigures writes the tables and figures of a result and a list of the files that it
// wrote, also where an error or ctx ends it early. By the list a later call tells them from foreign
// files, which are the user's.
func (s *Study) writeTablesAndFigures(ctx context.Context, result *analysis.Result) error {
	foreign, err := foreignFiles(s.Dir, result)
	if err != nil {
		return err
	}
	if err = tabulate.Write(ctx, filepath.Join(s.Dir, tablesFolder), result.Tables); err == nil {
		err = draw.Write(ctx, filepath.Join(s.Dir, figuresFolder), result.Figures, s.workspace.Figures)
	}
	if err == nil {
		foreign = nil // all of them are overwritten
	}
	return cmp.Or(err, writeShown(s.Dir, result, foreign))
}
