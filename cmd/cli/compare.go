package cli

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"gridsweep/model/columns"
	"gridsweep/model/metrics"
	"gridsweep/pipeline/simulation"
	"gridsweep/pipeline/traces"
	"gridsweep/results/schedule"
)

func newCompare(t *terminal) *cobra.Command {
	var procs int64
	var format string
	c := &cobra.Command{
		Use:   "compare A B",
		Short: "Compare two schedules of the same jobs, start by start",
		Long: `Compare two schedules: how many jobs start at another second, which is the first, and what is measured of each.
A schedule is a file that gridsweep simulate wrote (CSV, Parquet, SWF or Batsim's jobs.csv) or the CSV file of
another program whose first line names the columns id, submit, start, end and procs, in any order; - is
standard input. Jobs are matched by id, in the order of A. A schedule whose submits do not ascend, as when it
stands in the order of ends, is sorted by submit and id.

The exit code is 0 where all jobs have the same start and end, 1 where they do not, 2 for wrong usage.`,
		Example: `  gridsweep compare easy.csv conservative.csv
  gridsweep compare easy.csv other-simulator.csv --procs 128 --format json`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usageErrorf("%s needs two schedules, not %d; see %s --help", c.CommandPath(), len(args), c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
			switch {
			case procs < 0 || procs > math.MaxInt32:
				return usageErrorf("--procs %d: write a number from 1 to %d", procs, math.MaxInt32)
			case args[0] == "-" && args[1] == "-":
				return usageErrorf("standard input is one schedule: name a file for the other")
			}
			return t.compare(c.Context(), args[0], args[1], int32(procs), format)
		},
	}
	c.Flags().Int64Var(&procs, "procs", 0,
		"processors of the machine, for its utilisation (default: the most that are ever busy in A or B)")
	c.Flags().StringVar(&format, "format", "table", "`table`, json or csv")
	return c
}

// comparison is two schedules side by side.
type comparison struct {
	*schedule.Comparison
	names     [2]string
	procs     int32
	summaries [2]metrics.Summary
}

func (t *terminal) compare(ctx context.Context, a, b string, procs int32, format string) error {
	c := comparison{names: [2]string{a, b}, procs: procs}
	var read [2]*schedule.Schedule
	for k, path := range c.names {
		var err error
		if read[k], err = t.readSchedule(ctx, path); err != nil {
			return usageError(err)
		}
	}
	most := max(read[0].MostBusy(), read[1].MostBusy())
	switch {
	case procs == 0:
		c.procs = most
	case procs < most:
		return usageErrorf("--procs %d: the schedules use %d at once; give at least that many, or leave it out", procs, most)
	}
	var err error
	if c.Comparison, err = schedule.Compare(c.names, read); err != nil {
		return usageError(err)
	}
	for k := range read {
		if c.summaries[k], err = metrics.Summarise(read[k].Schedule, c.procs, metrics.Window{}); err != nil {
			return usageErrorf("%s: %w", c.names[k], err)
		}
	}
	if err := t.printComparison(&c, format); err != nil {
		return err
	}
	if !c.Equal() {
		return exitError{code: exitFailed} // all has been said
	}
	return nil
}

// readSchedule reads a schedule from a file or standard input, packed or not.
func (t *terminal) readSchedule(ctx context.Context, path string) (*schedule.Schedule, error) {
	file, err := traces.Open(ctx, path, t.in)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	s, err := schedule.Read(data, file.Name())
	if err == nil {
		s.SortBySubmit()
	}
	return s, err
}

func (t *terminal) printComparison(c *comparison, format string) error {
	switch format {
	case "json":
		return t.comparisonJSON(c)
	case "csv":
		w := columns.NewWriter(t.out)
		_ = w.Write([]string{"measure", "a", "b", "difference"}) // w keeps the error
		for _, m := range c.counts() {
			_ = w.Write([]string{m.Name, m.Exact(), "", ""})
		}
		ours, theirs := simulation.Measures(c.summaries[0]), simulation.Measures(c.summaries[1])
		for k, m := range ours {
			change := simulation.Measure{Value: theirs[k].Value - m.Value}
			_ = w.Write([]string{m.Name, m.Exact(), theirs[k].Exact(), change.Exact()})
		}
		return w.Flush()
	}
	t.comparisonTable(c)
	return nil
}

// counts are the numbers of jobs that differ in something.
func (c *comparison) counts() []simulation.Measure {
	return []simulation.Measure{
		{Name: "same", Title: "same start and end", Value: float64(c.Same)},
		{Name: "starts_differ", Title: "another start", Value: float64(c.Starts)},
		{Name: "ends_differ", Title: "another end", Value: float64(c.Ends)},
		{Name: "jobs_differ", Title: "another submit or size", Value: float64(c.Jobs)},
		{Name: "only_a", Title: "only in A", Value: float64(len(c.Only[0]))},
		{Name: "only_b", Title: "only in B", Value: float64(len(c.Only[1]))},
	}
}

func (t *terminal) comparisonTable(c *comparison) {
	fmt.Fprintf(t.out, "A: %s\nB: %s\n", c.names[0], c.names[1])
	for _, m := range c.counts() {
		if m.Value > 0 || m.Name == "starts_differ" {
			fmt.Fprintf(t.out, "%s: %s\n", m.Title, things(int(m.Value), "job"))
		}
	}
	if f := c.First; f != nil {
		fmt.Fprintf(t.out, "first difference: job %d starts at %d in A, at %d in B\n", f.ID, f.Starts[0], f.Starts[1])
	}
	for k, ids := range c.Only {
		if len(ids) > 0 {
			fmt.Fprintf(t.out, "first only in %c: job %d\n", 'A'+k, ids[0])
		}
	}
	ours, theirs := simulation.Measures(c.summaries[0]), simulation.Measures(c.summaries[1])
	changes := slices.Clone(ours)
	for k := range changes {
		changes[k].Value = theirs[k].Value - ours[k].Value
	}
	t.measureTable(fmt.Sprintf("on %s", things(int(c.procs), "processor")), []string{"", "A", "B", "B - A"},
		[][]simulation.Measure{ours, theirs, changes})
}

func (t *terminal) comparisonJSON(c *comparison) error {
	type firstJSON struct {
		ID int64 `json:"id"`
		A  int64 `json:"a"`
		B  int64 `json:"b"`
	}
	report := struct {
		A            string                   `json:"a"`
		B            string                   `json:"b"`
		Procs        int32                    `json:"procs"`
		Equal        bool                     `json:"equal"`
		Same         int                      `json:"same"`
		StartsDiffer int                      `json:"starts_differ"`
		EndsDiffer   int                      `json:"ends_differ"`
		JobsDiffer   int                      `json:"jobs_differ"`
		First        *firstJSON               `json:"first"` // null where all start alike
		OnlyA        []int64                  `json:"only_a"`
		OnlyB        []int64                  `json:"only_b"`
		SummaryA     simulation.ReportSummary `json:"summary_a"`
		SummaryB     simulation.ReportSummary `json:"summary_b"`
	}{
		A: c.names[0], B: c.names[1], Procs: c.procs, Equal: c.Equal(), Same: c.Same, StartsDiffer: c.Starts,
		EndsDiffer: c.Ends, JobsDiffer: c.Jobs, OnlyA: append([]int64{}, c.Only[0]...), OnlyB: append([]int64{}, c.Only[1]...),
		SummaryA: simulation.ReportOf(c.summaries[0]), SummaryB: simulation.ReportOf(c.summaries[1]),
	}
	if c.First != nil {
		report.First = &firstJSON{c.First.ID, c.First.Starts[0], c.First.Starts[1]}
	}
	return t.printJSON(report)
}
