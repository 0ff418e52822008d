package cli

import (
	"math"
	"strconv"

	"github.com/dustin/go-humanize"

	"gridsweep/model/metrics"
)

// measure is a number of a schedule: its name in CSV files, its title in tables.
type measure struct {
	name, title string
	value       float64
	decimals    int  // shown to people
	percent     bool // a share, shown to people as such
}

// people returns the number as tables show it: 12,345.7.
func (m measure) people() string {
	if m.percent {
		return forReading(100*m.value, m.decimals)
	}
	return forReading(m.value, m.decimals)
}

// forReading returns a number with thousands apart and so many decimals.
func forReading(x float64, decimals int) string {
	if decimals == 0 {
		return humanize.FormatFloat("#,###.", math.Round(x))
	}
	return humanize.FormatFloat("#,###."+"####"[:decimals], x)
}

// exact returns the number with all its digits.
func (m measure) exact() string { return strconv.FormatFloat(m.value, 'f', -1, 64) }

// measuresOf lists what is measured of a schedule.
func measuresOf(s metrics.Summary) []measure {
	list := []measure{
		{"all", "jobs simulated", float64(s.All), 0, false},
		{"jobs", "jobs measured", float64(s.Jobs), 0, false},
		{"span", "span (s)", float64(s.Span), 0, false},
		{"makespan", "makespan (s)", float64(s.Makespan), 0, false},
		{"utilisation", "utilisation (%)", s.Utilisation, 2, true},
	}
	return append(list, ofJobs(s.Measures)...)
}

// measuresOfGroup lists what is measured of a group of jobs.
func measuresOfGroup(g metrics.Group) []measure {
	list := []measure{
		{"jobs", "jobs", float64(g.Jobs), 0, false},
		{"share", "share of work (%)", g.Share, 2, true},
	}
	return append(list, ofJobs(g.Measures)...)
}

func ofJobs(m metrics.Measures) []measure {
	var list []measure
	for _, of := range []struct {
		name, title, unit string
		statistics        metrics.Statistics
		decimals          int
	}{
		{"wait", "wait", " (s)", m.Wait, 1},
		{"response", "response", " (s)", m.Response, 1},
		{"slowdown", "slowdown", "", m.Slowdown, 2},
		{"bounded_slowdown", "bounded slowdown", "", m.Bounded, 2},
	} {
		list = append(list,
			measure{of.name + "_mean", of.title + ", mean" + of.unit, of.statistics.Mean, of.decimals, false},
			measure{of.name + "_median", of.title + ", median" + of.unit, of.statistics.Median, of.decimals, false},
			measure{of.name + "_p95", of.title + ", 95th percentile" + of.unit, of.statistics.P95, of.decimals, false},
			measure{of.name + "_max", of.title + ", max" + of.unit, of.statistics.Max, of.decimals, false},
		)
	}
	return append(list, measure{"backfilled", "backfilled jobs", float64(m.Backfilled), 0, false})
}

// summaryJSON is a summary as JSON shows it: all digits, utilisation as a share.
type summaryJSON struct {
	All         int     `json:"all"`
	Span        int64   `json:"span"`
	Makespan    int64   `json:"makespan"`
	Utilisation float64 `json:"utilisation"`
	jobsJSON
}

// jobsJSON is the measures of a set of jobs.
type jobsJSON struct {
	Jobs       int            `json:"jobs"`
	Work       float64        `json:"work"`
	Wait       statisticsJSON `json:"wait"`
	Response   statisticsJSON `json:"response"`
	Slowdown   statisticsJSON `json:"slowdown"`
	Bounded    statisticsJSON `json:"bounded_slowdown"`
	Backfilled int            `json:"backfilled"`
}

type statisticsJSON struct {
	Mean   float64 `json:"mean"`
	Median float64 `json:"median"`
	P95    float64 `json:"p95"`
	Max    float64 `json:"max"`
}

func summaryForJSON(s metrics.Summary) summaryJSON {
	return summaryJSON{s.All, s.Span, s.Makespan, s.Utilisation, jobsForJSON(s.Measures)}
}

func jobsForJSON(m metrics.Measures) jobsJSON {
	return jobsJSON{
		Jobs: m.Jobs, Work: m.Work, Wait: statisticsJSON(m.Wait), Response: statisticsJSON(m.Response),
		Slowdown: statisticsJSON(m.Slowdown), Bounded: statisticsJSON(m.Bounded), Backfilled: m.Backfilled,
	}
}
