package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gridsweep/analysis"
	"gridsweep/analysis/draw"
	"gridsweep/analysis/tabulate"
	"gridsweep/pipeline"
	"gridsweep/results"
)

func newAnalyze(t *terminal) *cobra.Command {
	s := selection{use: results.Rows}
	var strict, show bool
	c := &cobra.Command{
		Use:   "analyze PAPER-or-STUDY...",
		Short: "Write the tables, figures, claims and cells.parquet of a study from its runs",
		Long: `Analyse the runs of the plan: tables as CSV, Markdown and LaTeX, figures as SVG and PNG, the verdict on
each claim as claims.json, and cells.parquet for notebooks. Give the same --quick, --set, --levels and
--experiment as to run: they make the plan.`,
		Example: `  gridsweep analyze coallocation
  gridsweep analyze coallocation --quick --show | less
  gridsweep analyze coallocation --strict && echo no claim failed`,
		Args: atLeastOneStudy,
		RunE: func(c *cobra.Command, args []string) error {
			targets, err := s.targets(c.Context(), args)
			if err != nil {
				return err
			}
			if err := t.refuseStale(c.Context(), s, targets); err != nil {
				return err
			}
			var all []*analysis.Result
			var without error
			for _, target := range targets {
				result, err := t.analyze(c.Context(), target, s)
				if errors.As(err, &noRuns{}) {
					without = errors.Join(without, err)
					continue
				}
				if err != nil {
					return err
				}
				if show {
					t.show(result)
				}
				all = append(all, result)
			}
			return cmp.Or(without, strictly(strict, all))
		},
	}
	s.addFlags(c)
	addStrict(c, &strict)
	c.Flags().BoolVar(&show, "show", false, "print the tables and verdicts as well")
	return c
}

func addStrict(c *cobra.Command, strict *bool) {
	c.Flags().BoolVar(strict, "strict", false, "exit with 3 if a claim is not reproduced")
}

// strictly returns the error of --strict: some claim is not reproduced.
func strictly(strict bool, all []*analysis.Result) error {
	failed, total := 0, 0
	for _, result := range all {
		for _, claim := range result.Claims {
			total++
			if claim.Ours.Verdict == analysis.NotReproduced {
				failed++
			}
		}
	}
	if !strict || failed == 0 {
		return nil
	}
	return exitError{exitClaim, fmt.Errorf("%d of %d claims are not reproduced", failed, total)}
}

// noRuns is the error of a study without a run of the plan: the others can be shown all the same.
type noRuns struct{ text string }

func (e noRuns) Error() string { return e.text }

// result analyses the runs of a target and says which are missing. The error is noRuns where all are.
func (t *terminal) result(ctx context.Context, target *target, s selection) (*analysis.Result, error) {
	taken, err := target.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	finished := taken.Finished()
	missing := 0
	for _, run := range target.plan.Runs {
		if !finished[run.ID] {
			missing++
		}
	}
	if missing == len(target.plan.Runs) {
		return nil, noRuns{fmt.Sprintf("%s has no run of the plan of %s; first\n    gridsweep run %s",
			target.dir, target.name, shellQuote(target.name)+s.flags())}
	}
	if missing > 0 {
		t.note("%s: %s of %s runs are missing; what needs them is shown without", target.name, count(missing),
			count(len(target.plan.Runs)))
	}
	return analysis.Analyze(ctx, target.plan, taken, pipeline.Machine())
}

// analyze writes everything but the report and returns it.
func (t *terminal) analyze(ctx context.Context, target *target, s selection) (*analysis.Result, error) {
	start := time.Now()
	result, err := t.result(ctx, target, s)
	if err != nil {
		return nil, err
	}
	cells := filepath.Join(target.dir, cellsFile)
	if err := analysis.WriteCells(ctx, target.plan, target.taken, cells, t.provenance(target)); err != nil {
		return nil, err
	}
	if err := removeLeftOver(target, result); err != nil {
		return nil, err
	}
	if err := writeTablesAndFigures(ctx, target.dir, result); err != nil {
		return nil, err
	}
	if err := writeClaims(filepath.Join(target.dir, claimsFile), result); err != nil {
		return nil, err
	}
	t.note("%s: %s, %s, %s%s in %s, %s", target.name, things(len(result.Tables), "table"),
		things(len(result.Figures), "figure"), things(len(result.Claims), "claim"), verdicts(result.Claims), target.dir,
		took(time.Since(start)))
	return result, nil
}

// writeTablesAndFigures writes the tables and figures of a result and lists those that it wrote, all or, where that fails or
// ctx is done, some.
func writeTablesAndFigures(ctx context.Context, dir string, result *analysis.Result) error {
	others, err := otherFiles(dir, result)
	if err != nil {
		return err
	}
	if err = tabulate.Write(ctx, filepath.Join(dir, tablesFolder), result.Tables); err == nil {
		err = draw.Write(ctx, filepath.Join(dir, figuresFolder), result.Figures)
	}
	if err == nil {
		others = nil
	}
	return cmp.Or(err, writeShown(dir, result, others))
}

// verdicts counts the verdicts on claims in words, in brackets; empty where there are none.
func verdicts(claims []analysis.Claim) string {
	var counts []string
	for _, verdict := range []analysis.Verdict{
		analysis.Reproduced, analysis.Inconclusive, analysis.NotReproduced, analysis.NoValue, analysis.NotRun,
	} {
		n := 0
		for _, claim := range claims {
			if claim.Ours.Verdict == verdict {
				n++
			}
		}
		if n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, verdict))
		}
	}
	if len(counts) == 0 {
		return ""
	}
	return " (" + strings.Join(counts, ", ") + ")"
}

func writeClaims(path string, result *analysis.Result) error {
	var text bytes.Buffer
	if err := analysis.WriteClaims(&text, result); err != nil {
		return fmt.Errorf("write claims: %w", err)
	}
	return results.WriteFile(path, text.Bytes())
}

// show prints tables and verdicts for a terminal or a pipe.
func (t *terminal) show(result *analysis.Result) {
	for _, table := range result.Tables {
		fmt.Fprintln(t.out, tabulate.Text(table))
	}
	for _, claim := range result.Claims {
		source := ""
		if claim.Source != "" {
			source = " (" + claim.Source + ")"
		}
		fmt.Fprintf(t.out, "%-15s %s%s\n", claim.Ours.Verdict, claim.Name, source)
	}
}
