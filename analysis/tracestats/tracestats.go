// Package tracestats describes a trace of jobs: as numbers for JSON and CSV, as tables and as
// figures.
package tracestats

import (
	"path/filepath"
	"slices"
	"strconv"

	"gridsweep/analysis"
	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
	"gridsweep/model/trace"
)

// Description is the statistics of a trace with its file and origin. Its JSON always has all keys.
type Description struct {
	File            string `json:"file"`
	Format          string `json:"format"`
	Checksum        string `json:"sha256"`
	Computer        string `json:"computer"`
	Acknowledgement string `json:"acknowledgement"`
	// ProcsFrom is the origin of Procs: --procs, MaxProcs, MaxNodes or empty.
	ProcsFrom string `json:"procs_from"`
	trace.Stats
}

// Describe describes the jobs of a trace on a machine with a number of processors, 0 if unknown.
func Describe(
	file, checksum, procsFrom string, format trace.Format, header *trace.Header, jobs []trace.Job, procs int64,
) Description {
	computer, _ := header.Value("Computer")
	return Description{
		File: file, Format: format.String(), Checksum: checksum, Computer: computer,
		Acknowledgement: header.Acknowledgement(), ProcsFrom: procsFrom, Stats: trace.Describe(jobs, header, procs),
	}
}

// Count is the number of users, queues or other groups of jobs.
type Count struct {
	Name string
	N    int
}

// Counts returns the numbers of users, queues and so on; 0 if the trace has none.
func (d Description) Counts() []Count {
	return []Count{{"users", d.Users}, {"groups", d.Groups}, {"executables", d.Apps}, {"queues", d.Queues},
		{"partitions", d.Partitions}, {"sites", d.Sites}}
}

// Distribution is the quantiles of a property of jobs.
type Distribution struct {
	Key  string // its name in CSV
	Name string
	trace.Quantiles
}

// Quantiles returns the distributions of sizes, run times and times between submits, and of
// requested times if there are any.
func (d Description) Quantiles() []Distribution {
	rows := []Distribution{
		{"size", "size (processors)", d.Size}, {"run", "run time (s)", d.Run},
		{"interarrival", "between submits (s)", d.Interarrival},
	}
	if d.Estimate != nil {
		rows = append(rows, Distribution{"estimate", "requested time (s)", *d.Estimate})
	}
	return rows
}

// Rows returns the description as rows of CSV with one number each. The first row names the
// columns.
func (d Description) Rows() [][]string {
	var rows [][]string
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 10, 64) }
	write := func(about, statistic, value string) { rows = append(rows, []string{about, statistic, value}) }
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
	for _, counted := range d.Counts() {
		write("trace", counted.Name, strconv.Itoa(counted.N))
	}
	for _, row := range d.Quantiles() {
		q := row.Quantiles
		for _, s := range []struct {
			name  string
			value float64
		}{
			{"min", float64(q.Min)}, {"p5", q.P5}, {"p25", q.P25}, {"median", q.Median}, {"mean", q.Mean},
			{"p75", q.P75}, {"p95", q.P95}, {"p99", q.P99}, {"max", float64(q.Max)},
		} {
			write(row.Key, s.name, number(s.value))
		}
	}
	for _, s := range d.Statuses {
		write("status", strconv.Itoa(int(s.Status)), strconv.Itoa(s.Jobs))
	}
	for hour, n := range d.Hours {
		write("arrivals_by_hour", strconv.Itoa(hour), strconv.Itoa(n))
	}
	return rows
}

// Figures returns arrivals by hour, and the cumulative distributions of the sizes and run times of
// the jobs that are described: lines with a step at each value, or a bar if there is only one.
func (d Description) Figures(jobs []trace.Job) []analysis.Figure {
	point := func(x, y float64) analysis.Point {
		return analysis.Point{X: x, Y: statistics.Point(y)}
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
	shares := func(name, title, axis, quantity string, value func(trace.Job) int64) analysis.Figure {
		values := make([]int64, len(jobs))
		for i, job := range jobs {
			values[i] = max(1, value(job)) // a logarithmic axis has no 0
		}
		slices.Sort(values)
		var points []analysis.Point
		before := 0.0
		for i, v := range values {
			if i+1 < len(values) && values[i+1] == v {
				continue
			}
			share := 100 * float64(i+1) / float64(len(values))
			points = append(points, point(float64(v), before), point(float64(v), share))
			before = share
		}
		figure := analysis.Figure{
			Name: name, Title: title + " of " + d.File, Kind: language.Line, LogX: true, RangeY: &[2]float64{0, 100},
			X: analysis.Axis{Name: name, Title: axis},
			Y: analysis.Axis{Name: "share", Title: "jobs of at most this " + quantity, Unit: "%"},
		}
		if len(points) == 2 {
			figure.Kind, figure.LogX = language.Bar, false
			figure.X.Labels = []string{strconv.FormatInt(values[0], 10)}
			points = []analysis.Point{point(0, 100)}
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
		shares("sizes", "Sizes", "processors", "size", func(j trace.Job) int64 { return int64(j.Size()) }),
		shares("runtimes", "Run times", "run time (s)", "run time", func(j trace.Job) int64 { return j.Run }),
	}
}
