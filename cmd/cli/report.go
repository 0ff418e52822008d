// Command report: the pages of papers and their index.

package cli

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"gridsweep/pipeline/workspace"
	"gridsweep/results"
)

func newReport(t *terminal) *cobra.Command {
	s := selection{use: results.Rows | results.Digests}
	var strict bool
	c := &cobra.Command{
		Use:   "report PAPER-or-STUDY...",
		Short: "Write the HTML page of a paper from its runs with all files of analyze, and the index of all pages",
		Long: `Write one self-contained HTML page for each paper: claims with verdicts, every table and figure beside
the published numbers, parameters and provenance. The files that it links to, those of analyze, are written with
it, for every study on the page. Give the same flags as to run.`,
		Example: `  gridsweep report coallocation
  gridsweep report coallocation --quick`,
		Args: atLeastOneStudy,
		RunE: func(c *cobra.Command, args []string) error {
			shown, lacking, err := t.withRuns(c.Context(), &s, args, t.analyze)
			if err != nil {
				return err
			}
			if err := t.report(c.Context(), &s, shown); err != nil {
				return err
			}
			return cmp.Or(lacking, strictError(strict, shown)) // lacking: of studies without runs
		},
	}
	s.addFlags(t, c)
	addStrict(c, &strict)
	addSize(c, &s.figures)
	return c
}

// report writes the pages and the index.
func (t *terminal) report(ctx context.Context, s *selection, shown []workspace.StudyResult) error {
	pages, err := t.workspace(s).Report(ctx, shown)
	for _, page := range pages {
		t.note("report: %s", page)
	}
	return err
}
