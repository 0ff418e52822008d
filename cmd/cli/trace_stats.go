// Command trace stats: the statistics of a trace.

package cli

import (
	"github.com/spf13/cobra"

	"gridsweep/analysis/draw"
	"gridsweep/analysis/tracestats"
)

func newTraceStats(t *terminal) *cobra.Command {
	var flags traceFlags
	var format, plot string
	var size draw.Size
	c := &cobra.Command{
		Use:   "stats FILE|-",
		Short: "Describe a trace: jobs, span, load, sizes, run times, arrivals",
		Long: `Describe the jobs of a trace: their number, span and offered load, quantiles of sizes, run times and times
between submits, arrivals by hour of the day. Jobs that no simulation could run are left out first, with a note.
Size is the processors allocated, else those requested; span is from the first to the last submit; the offered
load is the sum of processors times run time over processors of the machine times span.`,
		Example: `  gridsweep trace stats CTC-SP2-1996-3.1-cln.swf.gz
  gridsweep trace stats das2.gwf --months 9-12 --site fs0,fs1 --procs 400
  gridsweep trace stats log.swf --plot figures
  zcat log.swf.gz | gridsweep trace stats - --format json`,
		Args: needsCounted(1, "one trace, a file or - for standard input"),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("plot") && plot == "" {
				return usageErrorf("--plot: is empty; name a folder")
			}
			l, err := flags.load(c.Context(), t, args[0])
			if err != nil {
				return err
			}
			d := tracestats.Describe(l.Name, l.Checksum, l.ProcsFrom, l.Format, l.Header, l.Jobs, l.Procs)
			if err := c.Context().Err(); err != nil {
				return err
			}
			if plot != "" {
				if err := draw.Write(c.Context(), plot, d.Figures(l.Jobs), size); err != nil {
					return err
				}
				t.note("3 figures in %s", plot)
			}
			return t.print(format, d, d.Rows(), func() { t.printStats(d) })
		},
	}
	flags.addFlags(t, c)
	addFormat(c, &format)
	c.Flags().StringVar(&plot, "plot", "",
		"draw arrivals by hour, sizes and run times, as SVG, PNG, PDF and EPS in this `folder`")
	addSize(c, &size)
	return c
}

// printStats prints the description as tables.
func (t *terminal) printStats(d tracestats.Description) {
	for _, shown := range d.Tables() {
		writer := t.titled(shown.Title, shown.Heads...)
		for _, row := range shown.Rows {
			writer.AppendRow(row)
		}
		writer.Render()
	}
}
