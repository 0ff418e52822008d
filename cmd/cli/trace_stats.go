package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"gridsweep/analysis/draw"
	"gridsweep/analysis/tracestats"
	"gridsweep/model/columns"
)

func newTraceStats(t *terminal) *cobra.Command {
	var flags traceFlags
	var format, plot string
	c := &cobra.Command{
		Use:   "stats FILE|-",
		Short: "Describe a trace: jobs, span, load, sizes, run times, arrivals",
		Long: `Describe the jobs of a trace: how many, over which time, the load they offer, quantiles of sizes, run times
and times between submits, arrivals by hour of the day. Jobs that no simulation could run are left out first,
and said so. Size is the processors allocated, else those requested; span is from the first to the last
submit; the offered load is the sum of processors times run time over processors of the machine times span.`,
		Example: `  gridsweep trace stats CTC-SP2-1996-3.1-cln.swf.gz
  gridsweep trace stats das2.gwf --months 9-12 --site fs0,fs1 --procs 400
  gridsweep trace stats log.swf --plot figures
  zcat log.swf.gz | gridsweep trace stats - --format json`,
		Args: oneTrace,
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkFormat(format); err != nil {
				return err
			}
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
				if err := draw.Write(c.Context(), plot, d.Figures()); err != nil {
					return err
				}
				t.note("3 figures in %s", plot)
			}
			switch format {
			case "json":
				return t.printJSON(d)
			case "csv":
				w := columns.NewWriter(t.out)
				for _, row := range d.Rows() {
					_ = w.Write(row) // w keeps the error
				}
				return w.Flush()
			default:
				t.printStats(d)
				return nil
			}
		},
	}
	flags.addFlags(t, c)
	c.Flags().StringVar(&format, "format", "table", "`table`, json or csv")
	c.Flags().StringVar(&plot, "plot", "", "draw arrivals by hour, sizes and run times, as SVG and PNG in this `folder`")
	return c
}

// printStats prints the description as tables.
func (t *terminal) printStats(d tracestats.Description) {
	facts := t.grid(d.File, "what", "value")
	add := func(what, value string) {
		if value != "" {
			facts.AppendRow(table.Row{what, value})
		}
	}
	add("format", d.Format)
	add("SHA-256", d.Checksum)
	add("computer", d.Computer)
	add("acknowledge", d.Acknowledgement)
	add("jobs", count(d.Jobs))
	add("span, first to last submit", fmt.Sprintf("%d s, %s days", d.Span, rounded(float64(d.Span)/86400)))
	if d.Procs > 0 {
		add("processors", fmt.Sprintf("%s (%s)", count(int(d.Procs)), d.ProcsFrom))
	} else {
		add("processors", "not known: give --procs")
	}
	add("work", fmt.Sprintf("%s processor hours", count(int(math.Round(d.Work/3600)))))
	if d.Load != nil {
		add("offered load", strconv.FormatFloat(*d.Load, 'f', 3, 64))
	}
	add("jobs on one processor", shareOf(d, d.Serial))
	add("on 2, 4, 8, ... processors", shareOf(d, d.PowerOfTwo))
	add("with a requested time", shareOf(d, d.Estimated))
	for _, group := range d.Groups() {
		if group.N > 0 {
			add(group.Name, count(group.N))
		}
	}
	for _, s := range d.Statuses {
		add(fmt.Sprintf("status %d, %s", s.Status, statusName(s.Status)), shareOf(d, s.Jobs))
	}
	facts.Render()

	quantiles := t.grid("distributions", "", "min", "5 %", "25 %", "median", "mean", "75 %", "95 %", "99 %", "max")
	for _, row := range d.Quantiles() {
		q := row.Quantiles
		quantiles.AppendRow(table.Row{row.Name, q.Min, rounded(q.P5), rounded(q.P25), rounded(q.Median), rounded(q.Mean),
			rounded(q.P75), rounded(q.P95), rounded(q.P99), q.Max})
	}
	quantiles.Render()

	hours := t.grid("arrivals by hour; 0 is "+d.HoursFrom, "hour", "jobs", "share", "")
	most := max(1, slices.Max(d.Hours[:]))
	for hour, n := range d.Hours {
		hours.AppendRow(table.Row{hour, count(n), percentOf(d, n), strings.Repeat("#", (40*n+most/2)/most)})
	}
	hours.Render()
}

func percentOf(d tracestats.Description, n int) string {
	return strconv.FormatFloat(100*float64(n)/float64(d.Jobs), 'f', 1, 64) + " %"
}

func shareOf(d tracestats.Description, n int) string { return count(n) + ", " + percentOf(d, n) }

// rounded shows a number with four digits or, above 1000, as a whole.
func rounded(x float64) string {
	if math.Abs(x) >= 1000 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// statusName says what a status means in the Standard Workload Format.
func statusName(status int8) string {
	switch status {
	case -1:
		return "not known"
	case 0:
		return "failed"
	case 1:
		return "completed"
	case 2, 3, 4:
		return "part of a job"
	case 5:
		return "cancelled"
	default:
		return "of the trace's own"
	}
}
