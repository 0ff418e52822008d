package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"gridsweep/analysis"
	"gridsweep/analysis/draw"
	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
	"gridsweep/model/columns"
	"gridsweep/model/trace"
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
			d := describe(l)
			if err := c.Context().Err(); err != nil {
				return err
			}
			if plot != "" {
				if err := draw.Write(c.Context(), plot, traceFigures(d)); err != nil {
					return err
				}
				t.note("3 figures in %s", plot)
			}
			switch format {
			case "json":
				encoder := json.NewEncoder(t.out)
				encoder.SetIndent("", "  ")
				return encoder.Encode(d)
			case "csv":
				return d.writeCSV(t)
			default:
				d.print(t)
				return nil
			}
		},
	}
	flags.addFlags(t, c)
	c.Flags().StringVar(&format, "format", "table", "`table`, json or csv")
	c.Flags().StringVar(&plot, "plot", "", "draw arrivals by hour, sizes and run times, as SVG and PNG in this `folder`")
	return c
}

// description is what is said of a trace. Its JSON has all keys at all times.
type description struct {
	File            string `json:"file"`
	Format          string `json:"format"`
	Checksum        string `json:"sha256"`
	Computer        string `json:"computer"`
	Acknowledgement string `json:"acknowledgement"`
	ProcsFrom       string `json:"procs_from"` // --procs, MaxProcs, MaxNodes or empty
	trace.Stats
}

func describe(l *loadedTrace) description {
	computer, _ := l.header.Value("Computer")
	return description{
		File: l.name, Format: l.format.String(), Checksum: l.checksum, Computer: computer,
		Acknowledgement: l.header.Acknowledgement(), ProcsFrom: l.procsFrom,
		Stats: trace.Describe(l.jobs, l.header, l.procs),
	}
}

// print prints the description as tables.
func (d description) print(t *terminal) {
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
	add("jobs on one processor", d.share(d.Serial))
	add("on 2, 4, 8, ... processors", d.share(d.PowerOfTwo))
	add("with a requested time", d.share(d.Estimated))
	for _, group := range d.groups() {
		if group.n > 0 {
			add(group.name, count(group.n))
		}
	}
	for _, s := range d.Statuses {
		add(fmt.Sprintf("status %d, %s", s.Status, statusName(s.Status)), d.share(s.Jobs))
	}
	facts.Render()

	quantiles := t.grid("distributions", "", "min", "5 %", "25 %", "median", "mean", "75 %", "95 %", "99 %", "max")
	for _, row := range d.quantiles() {
		q := row.Quantiles
		quantiles.AppendRow(table.Row{row.name, q.Min, rounded(q.P5), rounded(q.P25), rounded(q.Median), rounded(q.Mean),
			rounded(q.P75), rounded(q.P95), rounded(q.P99), q.Max})
	}
	quantiles.Render()

	hours := t.grid("arrivals by hour; 0 is "+d.HoursFrom, "hour", "jobs", "share", "")
	most := max(1, slices.Max(d.Hours[:]))
	for hour, n := range d.Hours {
		hours.AppendRow(table.Row{hour, count(n), d.percent(n), strings.Repeat("#", (40*n+most/2)/most)})
	}
	hours.Render()
}

func (d description) percent(n int) string {
	return strconv.FormatFloat(100*float64(n)/float64(d.Jobs), 'f', 1, 64) + " %"
}

func (d description) share(n int) string { return count(n) + ", " + d.percent(n) }

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

type groupCount struct {
	name string
	n    int
}

func (d description) groups() []groupCount {
	return []groupCount{{"users", d.Users}, {"groups", d.Groups}, {"executables", d.Apps}, {"queues", d.Queues},
		{"partitions", d.Partitions}, {"sites", d.Sites}}
}

type namedQuantiles struct {
	name string
	trace.Quantiles
}

func (d description) quantiles() []namedQuantiles {
	rows := []namedQuantiles{
		{"size (processors)", d.Size}, {"run time (s)", d.Run}, {"between submits (s)", d.Interarrival},
	}
	if d.Estimate != nil {
		rows = append(rows, namedQuantiles{"requested time (s)", *d.Estimate})
	}
	return rows
}

// writeCSV writes one number a line: what it is about, which statistic, the value.
func (d description) writeCSV(t *terminal) error {
	w := columns.NewWriter(t.out)
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 10, 64) }
	write := func(about, statistic, value string) { _ = w.Write([]string{about, statistic, value}) } // w keeps the error
	write("about", "statistic", "value")
	write("trace", "file", d.File)
	write("trace", "sha256", d.Checksum)
	write("trace", "jobs", strconv.Itoa(d.Jobs))
	write("trace", "first_submit", strconv.FormatInt(d.FirstSubmit, 10))
	write("trace", "last_submit", strconv.FormatInt(d.LastSubmit, 10))
	write("trace", "span", strconv.FormatInt(d.Span, 10))
	write("trace", "procs", strconv.FormatInt(d.Procs, 10))
	write("trace", "work", number(d.Work))
	if d.Load != nil {
		write("trace", "load", number(*d.Load))
	}
	write("trace", "serial", strconv.Itoa(d.Serial))
	write("trace", "power_of_two", strconv.Itoa(d.PowerOfTwo))
	write("trace", "estimated", strconv.Itoa(d.Estimated))
	for _, group := range d.groups() {
		write("trace", group.name, strconv.Itoa(group.n))
	}
	for i, row := range d.quantiles() {
		about, q := []string{"size", "run", "interarrival", "estimate"}[i], row.Quantiles
		for _, s := range []struct {
			name  string
			value float64
		}{
			{"min", float64(q.Min)}, {"p5", q.P5}, {"p25", q.P25}, {"median", q.Median}, {"mean", q.Mean},
			{"p75", q.P75}, {"p95", q.P95}, {"p99", q.P99}, {"max", float64(q.Max)},
		} {
			write(about, s.name, number(s.value))
		}
	}
	for _, s := range d.Statuses {
		write("status", strconv.Itoa(int(s.Status)), strconv.Itoa(s.Jobs))
	}
	for hour, n := range d.Hours {
		write("arrivals_by_hour", strconv.Itoa(hour), strconv.Itoa(n))
	}
	return w.Flush()
}

// traceFigures are the figures of a trace: arrivals by hour, and which share of the jobs has at most some size and
// some run time: a line, or a bar where there is one such limit.
func traceFigures(d description) []analysis.Figure {
	point := func(x, y float64) analysis.Point {
		return analysis.Point{X: x, Y: statistics.Estimate{Value: y, Low: math.NaN(), High: math.NaN(), SD: math.NaN(), N: 1}}
	}
	panel := func(points []analysis.Point) []analysis.Panel {
		return []analysis.Panel{{Label: filepath.Base(d.File), Series: []analysis.Series{{Points: points}}}}
	}
	var hours []analysis.Point
	var names []string
	for hour, n := range d.Hours {
		hours = append(hours, point(float64(hour), float64(n)))
		names = append(names, strconv.Itoa(hour))
	}
	shares := func(name, title, axis, of string, counts []trace.UpTo) analysis.Figure {
		var points []analysis.Point
		for _, c := range counts {
			points = append(points, point(float64(c.Limit), 100*float64(c.Jobs)/float64(d.Jobs)))
		}
		figure := analysis.Figure{
			Name: name, Title: title + " of " + d.File, Kind: language.Line, LogX: true, RangeY: &[2]float64{0, 100},
			X: analysis.Axis{Name: name, Title: axis},
			Y: analysis.Axis{Name: "share", Title: "jobs of at most this " + of, Unit: "%"},
		}
		if len(counts) == 1 {
			figure.Kind, figure.LogX = language.Bar, false
			figure.X.Labels = []string{strconv.FormatInt(counts[0].Limit, 10)}
			points[0].X = 0
		}
		figure.Panels = panel(points)
		return figure
	}
	return []analysis.Figure{
		{
			Name: "arrivals", Title: "Arrivals by hour of " + d.File, Kind: language.Bar, Panels: panel(hours),
			X: analysis.Axis{Name: "hour", Title: "hour, from " + d.HoursFrom + " on", Labels: names},
			Y: analysis.Axis{Name: "jobs", Title: "jobs submitted"},
		},
		shares("sizes", "Sizes", "processors", "size", d.SizesUpTo),
		shares("runtimes", "Run times", "seconds", "run time", d.RunsUpTo),
	}
}
