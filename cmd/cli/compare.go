// Command compare: two schedules of one workload.

package cli

import (
	"context"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"gridsweep/pipeline/simulation"
)

func newCompare(t *terminal) *cobra.Command {
	var procs int64
	var format string
	c := &cobra.Command{
		Use:   "compare A B",
		Short: "Compare two schedules of the same jobs, start by start",
		Long: `Compare two schedules: the number of jobs that start at different times, the first of them, and the measures
of both schedules.
A schedule is a file that gridsweep simulate wrote (CSV, Parquet, SWF or Batsim's jobs.csv) or the CSV file of
another program whose first line names the columns id, submit, start, end and procs, in any order; - is
standard input. Jobs are matched by id, in the order of A. A schedule in another order than that of submits is
sorted by submit and id.

The exit code is 0 if both have the same jobs, starts and ends, 1 if they do not, 2 for wrong usage.`,
		Example: `  gridsweep compare easy.csv conservative.csv
  gridsweep compare easy.csv other-simulator.csv --procs 128 --format json`,
		Args: needsCounted(2, "two schedules"),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case procs < 0 || procs > math.MaxInt32:
				return usageErrorf("--procs %d: write a number from 1 to %d", procs, math.MaxInt32)
			case args[0] == "-" && args[1] == "-":
				return usageErrorf("standard input is one schedule: name a file for the other")
			}
			return t.compare(c.Context(), [2]string(args), int32(procs), format)
		},
	}
	c.Flags().Int64Var(&procs, "procs", 0,
		"processors of the machine, for its utilisation (default: the most that are ever busy in A or B)")
	addFormat(c, &format)
	return c
}

func (t *terminal) compare(ctx context.Context, names [2]string, procs int32, format string) error {
	c, err := simulation.Compare(ctx, names, t.in, procs)
	if err != nil {
		return usageError(err)
	}
	if err := t.print(format, c, c.Rows(), func() { t.comparisonTable(c) }); err != nil {
		return err
	}
	if !c.Equal {
		return exitError{code: exitFailed} // the differences are printed
	}
	return nil
}

func (t *terminal) comparisonTable(c *simulation.Comparison) {
	fmt.Fprintf(t.out, "A: %s\nB: %s\n", c.A, c.B)
	for _, m := range c.Counts() {
		if m.Value > 0 || m.Name == "starts_differ" {
			fmt.Fprintf(t.out, "%s: %s\n", m.Title, things(int(m.Value), "job"))
		}
	}
	if f := c.First; f != nil {
		fmt.Fprintf(t.out, "first difference: job %d starts at %d in A, at %d in B\n", f.ID, f.A, f.B)
	}
	for k, ids := range [][]int64{c.OnlyA, c.OnlyB} {
		if len(ids) > 0 {
			fmt.Fprintf(t.out, "first only in %c: job %d\n", 'A'+k, ids[0])
		}
	}
	a, b, changes := c.Measures()
	t.measureTable(fmt.Sprintf("on %s", things(int(c.Procs), "processor")), []string{"", "A", "B", "B - A"},
		[][]simulation.Measure{a, b, changes})
}
