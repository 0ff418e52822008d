// Command analyze: tables, figures, verdicts and cells from the runs of a plan.

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gridsweep/analysis"
	"gridsweep/analysis/draw"
	"gridsweep/analysis/report"
	"gridsweep/analysis/tabulate"
	"gridsweep/pipeline/workspace"
	"gridsweep/results"
)

func newAnalyze(t *terminal) *cobra.Command {
	s := selection{use: results.Rows}
	var strict, show bool
	c := &cobra.Command{
		Use:   "analyze PAPER-or-STUDY...",
		Short: "Write the tables, figures, claims and cells.parquet of a study from its runs",
		Long: `Analyse the runs of the plan: tables as CSV, Markdown and LaTeX, figures as SVG, PNG, PDF and EPS, the verdict
on each claim as claims.json, and cells.parquet for notebooks. Give the flags --quick, --set, --levels and
--experiment as for run: they define the plan.`,
		Example: `  gridsweep analyze coallocation
  gridsweep analyze coallocation --quick --show | less
  gridsweep analyze coallocation --strict && echo no claim failed`,
		Args: atLeastOneStudy,
		RunE: func(c *cobra.Command, args []string) error {
			// By default, garbage collections of a heap of some ten megabytes take a third of the
			// time.
			defer debug.SetGCPercent(debug.SetGCPercent(200))
			analyze := func(ctx context.Context, study *workspace.Study) (*analysis.Result, error) {
				result, err := t.analyze(ctx, study)
				if err != nil {
					return nil, err
				}
				if show {
					t.printResult(result)
				}
				return result, t.noteOtherPage(study)
			}
			shown, lacking, err := t.withRuns(c.Context(), &s, args, analyze)
			if err != nil {
				return err
			}
			return cmp.Or(lacking, strictError(strict, shown))
		},
	}
	s.addFlags(t, c)
	addStrict(c, &strict)
	addSize(c, &s.figures)
	c.Flags().BoolVar(&show, "show", false, "print the tables and verdicts as well")
	return c
}

func addStrict(c *cobra.Command, strict *bool) {
	c.Flags().BoolVar(strict, "strict", false, "exit with 3 if a claim is not reproduced")
}

// addSize adds the flags for the size of figures.
func addSize(c *cobra.Command, size *draw.Size) {
	c.Flags().Var(&size.Width, "width",
		"`width` of figures: column (3.5in), page (6.5in), or such as 84mm; text keeps its size")
	c.Flags().Var(&size.DPI, "dpi", "`dots` per inch of figures as PNG")
}

// withRuns returns the results of the studies that have runs. The error lacking names the studies
// without runs. err is any other error, or the same one if no study has runs.
func (t *terminal) withRuns(
	ctx context.Context, s *selection, names []string,
	analyze func(context.Context, *workspace.Study) (*analysis.Result, error),
) (shown []workspace.StudyResult, lacking, err error) {
	studies, err := t.openForRows(ctx, s, names)
	if err != nil {
		return nil, nil, err
	}
	for _, study := range studies {
		result, err := analyze(ctx, study)
		switch {
		case errors.As(err, new(workspace.NoRuns)):
			lacking = errors.Join(lacking, err)
		case err != nil:
			return nil, nil, err
		default:
			shown = append(shown, workspace.StudyResult{Study: study, Result: result})
		}
	}
	if len(shown) == 0 {
		return nil, nil, lacking
	}
	return shown, lacking, nil
}

// strictError returns an error that names the claims that are not reproduced, if --strict is set.
func strictError(strict bool, shown []workspace.StudyResult) error {
	total := 0
	var failed []string
	for _, study := range shown {
		for _, claim := range study.Result.Claims {
			total++
			if claim.Ours.Verdict == analysis.NotReproduced {
				failed = append(failed, study.Plan.Study.Name+": "+claim.Name)
			}
		}
	}
	if !strict || len(failed) == 0 {
		return nil
	}
	return exitError{exitClaim, fmt.Errorf("%d of %d claims are not reproduced:\n    %s", len(failed), total,
		strings.Join(failed, "\n    "))}
}

// analyze writes all files of the analysis but the report, and returns its result.
func (t *terminal) analyze(ctx context.Context, study *workspace.Study) (*analysis.Result, error) {
	start := time.Now()
	result, err := study.Analyze(ctx)
	if err != nil {
		return nil, err
	}
	t.note("%s: %s, %s, %s in %s, %s", study.Name, things(len(result.Tables), "table"),
		things(len(result.Figures), "figure"), things(len(result.Claims), "claim"), study.Dir, took(time.Since(start)))
	if verdicts := report.VerdictsOn(result.Claims).String(); verdicts != "" {
		t.note("%s: %s", study.Name, verdicts)
	}
	return result, nil
}

// noteOtherPage names the page that links to the files of the analysis but shows another plan.
func (t *terminal) noteOtherPage(study *workspace.Study) error {
	page, err := study.OtherPage()
	if page != "" {
		t.note("%s: %s links to these files and shows another plan; this one is written by\n    %s", study.Name, page,
			study.Command("report"))
	}
	return err
}

// printResult prints the tables and verdicts as text.
func (t *terminal) printResult(result *analysis.Result) {
	for _, table := range result.Tables {
		fmt.Fprintln(t.out, tabulate.Text(table))
	}
	for _, claim := range result.Claims {
		source := ""
		if claim.Source != "" {
			source = " (" + claim.Source + ")"
		}
		holding := ""
		if n := len(claim.Ours.Comparisons); n > 0 {
			holding = fmt.Sprintf(": %d of %d comparisons hold", claim.Ours.Holding, n)
		}
		fmt.Fprintf(t.out, "%-15s %s%s%s\n", claim.Ours.Verdict, claim.Name, source, holding)
	}
}
