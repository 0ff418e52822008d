// Command bundle: the results of a paper in one zip file.

package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"gridsweep/docs"
	"gridsweep/pipeline/workspace"
	"gridsweep/results"
)

func newBundle(t *terminal) *cobra.Command {
	s := selection{use: results.Rows | results.Digests}
	o := workspace.BundleOptions{Citation: docs.Citation}
	c := &cobra.Command{
		Use:   "bundle PAPER-or-STUDY",
		Short: "Write the results of a paper or study into one zip file, for an archive or a committee",
		Long: `Write one zip file with the data files of the plan's runs, cells.parquet, claims, tables, figures, page, study
files with their published numbers, version of the program, checksums of the traces, citations of paper and
program, and a description by RO-Crate 1.1. Tables, figures, verdicts and page are computed from the runs for the
bundle. Give the flags --quick, --set, --levels and --experiment as for run: they define the plan.

The same program on the same machine writes the same bytes from the same data files. gridsweep verify verifies
a bundle. --with-traces adds the files of the traces; see that you may publish them.

The exit code is 0 if the bundle was written, 1 if it could not be, 2 for wrong usage or a file that exists.`,
		Example: `  gridsweep bundle coallocation                               # coallocation.zip
  gridsweep bundle coallocation --quick --to small.zip
  gridsweep bundle my-study.yaml --license CC-BY-4.0 --date 2026-11-24 --force`,
		Args: needsCounted(1, "one paper, study or study file"),
		RunE: func(c *cobra.Command, args []string) error {
			if _, err := time.Parse(time.DateOnly, o.Date); o.Date != "" && err != nil {
				return usageErrorf("--date %s: write year, month and day, such as 2026-11-24", o.Date)
			}
			w := t.workspace(&s)
			planned := s.Selection
			planned.Out = "out" // equal results give an equal bundle, whatever their folder
			w.Program.Command = "gridsweep bundle" + workspace.Typed(args...) + planned.Flags()
			studies, err := w.Open(c.Context(), s.Selection, args)
			if err != nil {
				return usageUnlessDone(c.Context(), err)
			}
			if err := t.refuseStale(c.Context(), studies); err != nil {
				return err
			}
			if o.To == "" && len(studies) == 1 {
				o.To = studies[0].Config.Name.Value + ".zip"
			} else if o.To == "" {
				o.To = studies[0].Config.Paper.Value + ".zip"
			}
			show, end := t.showLate("bundle "+filepath.Base(o.To), "file", 0)
			o.Progress = show
			written, err := w.Bundle(c.Context(), studies, o)
			end(err)
			if errors.Is(err, fs.ErrExist) {
				return usageErrorf("%s exists; name another file with --to, or replace it with --force", o.To)
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(t.out, "%s: %s, %s\n", o.To, things(written.Files, "file"), humanize.Bytes(uint64(written.Bytes)))
			if o.License == "" {
				t.note("the bundle does not state a licence of the data; --license CC-BY-4.0 or another one does")
			}
			return nil
		},
	}
	s.addFlags(t, c)
	flags := c.Flags()
	flags.StringVar(&o.To, "to", "", "write this `file`")
	flags.Lookup("to").DefValue = "NAME.zip"
	flags.BoolVar(&o.IsReplaced, "force", false, "replace the file if it exists")
	flags.BoolVar(&o.WithTraces, "with-traces", false, "add the files of the traces that the runs read")
	flags.StringVar(&o.License, "license", "", "state this licence of the data: an SPDX identifier, address or `text`")
	flags.StringVar(&o.Date, "date", "", "date of publication, such as 2026-11-24 (default: that of the newest data file)")
	return c
}
