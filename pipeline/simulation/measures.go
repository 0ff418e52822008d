// The measures of a schedule with their names, titles and formats.

package simulation

import (
	"math"
	"strconv"

	"github.com/dustin/go-humanize"

	"gridsweep/model/metrics"
)

// Measure is a number of a schedule: its name in CSV files, its title in tables.
type Measure struct {
	Name, Title string
	Value       float64
	Decimals    int  // decimals in tables
	Percent     bool // a share, in tables times 100
}

// String returns the number as tables show it: 12,345.7.
func (m Measure) String() string {
	if m.Percent {
		return Number(100*m.Value, m.Decimals)
	}
	return Number(m.Value, m.Decimals)
}

// Number formats a number with thousands separators and so many decimals, at most four.
func Number(x float64, decimals int) string {
	if decimals == 0 {
		return humanize.FormatFloat("#,###.", math.Round(x))
	}
	return humanize.FormatFloat("#,###."+"####"[:decimals], x)
}

// exact returns the number with all its digits.
func (m Measure) exact() string { return strconv.FormatFloat(m.Value, 'f', -1, 64) }

// Measures lists the measures of a schedule.
func Measures(s metrics.Summary) []Measure {
	list := []Measure{
		{Name: "all", Title: "jobs simulated", Value: float64(s.All)},
		{Name: "jobs", Title: "jobs measured", Value: float64(s.Jobs)},
		{Name: "span", Title: "span (s)", Value: float64(s.Span)},
		{Name: "makespan", Title: "makespan (s)", Value: float64(s.Makespan)},
		{Name: "utilisation", Title: "utilisation (%)", Value: s.Utilisation, Decimals: 2, Percent: true},
	}
	return append(list, ofJobs(s.Measures)...)
}

// MeasuresOfGroup lists the measures of a group of jobs.
func MeasuresOfGroup(g metrics.Group) []Measure {
	list := []Measure{
		{Name: "jobs", Title: "jobs", Value: float64(g.Jobs)},
		{Name: "share", Title: "share of work (%)", Value: g.Share, Decimals: 2, Percent: true},
	}
	return append(list, ofJobs(g.Measures)...)
}

func ofJobs(m metrics.Measures) []Measure {
	var list []Measure
	for _, q := range []struct {
		name, title, unit string
		statistics        metrics.Statistics
		decimals          int
	}{
		{"wait", "wait", " (s)", m.Wait, 1},
		{"response", "response", " (s)", m.Response, 1},
		{"slowdown", "slowdown", "", m.Slowdown, 2},
		{"bounded_slowdown", "bounded slowdown", "", m.Bounded, 2},
	} {
		add := func(suffix, title string, value float64) {
			title = q.title + title + q.unit
			list = append(list, Measure{Name: q.name + suffix, Title: title, Value: value, Decimals: q.decimals})
		}
		add("_mean", ", mean", q.statistics.Mean)
		add("_median", ", median", q.statistics.Median)
		add("_p95", ", 95th percentile", q.statistics.P95)
		add("_max", ", max", q.statistics.Max)
	}
	return append(list, Measure{Name: "backfilled", Title: "backfilled jobs", Value: float64(m.Backfilled)})
}
