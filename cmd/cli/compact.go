// Command compact: few large data files instead of many small ones.

package cli

import (
	"fmt"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"gridsweep/results"
)

func newCompact(t *terminal) *cobra.Command {
	var s selection
	var dryRun bool
	c := &cobra.Command{
		Use:   "compact PAPER-or-STUDY...",
		Short: "Merge the many small files of a dataset into few",
		Long: `Merge the small batches of a dataset into few large ones: run writes a batch of data files every few seconds,
and so does each task of a cluster array. Rows, timings and digest stay as they are. All files are verified first;
a dataset with a damaged one is not changed. compact may be killed, and other processes may run, analyze and
compact the study at the same time. It also removes files of killed processes that are older than a day.`,
		Example: `  gridsweep compact coallocation
  gridsweep compact coallocation --dry-run`,
		Args: atLeastOneStudy,
		RunE: func(c *cobra.Command, args []string) error {
			studies, err := t.open(c.Context(), &s, args)
			if err != nil {
				return err
			}
			batches := 0
			for _, study := range studies {
				show, end := t.showLate(study.Plan.Study.Name, "file", 0)
				done, err := study.Dataset.Compact(c.Context(), results.CompactOptions{DryRun: dryRun, Progress: show})
				end(err)
				if err != nil {
					return err
				}
				fmt.Fprintf(t.out, "%s: %s\n", study.Dir, compacted(done, dryRun))
				batches += done.Before
				if err := t.noteAllStale(c.Context(), study); err != nil {
					return err
				}
			}
			if batches == 0 {
				return fmt.Errorf("there is no run in %s; name the folder of the results with --out", s.Root())
			}
			return nil
		},
	}
	s.addDataset(t, c)
	c.Flags().BoolVar(&s.Quick, "quick", false, "the dataset of the small runs")
	c.Flags().BoolVar(&dryRun, "dry-run", false, "change nothing, only print what would be merged")
	return c
}

// compacted describes what was merged, or would be.
func compacted(done results.Compaction, dryRun bool) string {
	size := func(bytes int64) string { return humanize.Bytes(uint64(bytes)) }
	text := fmt.Sprintf("%s, %s: compact already", things(done.Before, "batch"), size(done.BytesBefore))
	switch {
	case done.Merged > 0 && dryRun:
		text = fmt.Sprintf("%s of %s, %s, would be merged; %s would be left",
			count(done.Merged), things(done.Before, "batch"), size(done.BytesBefore), count(done.After))
	case done.Merged > 0:
		text = fmt.Sprintf("%s -> %s, %s -> %s", things(done.Before, "batch"), count(done.After), size(done.BytesBefore),
			size(done.BytesAfter))
	}
	if done.Leftovers > 0 {
		text += fmt.Sprintf("; removed %s of processes that were killed", things(done.Leftovers, "file"))
	}
	return text
}
