// Descriptions of traces as tables for a terminal.

package tracestats

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
)

// Table is a table of a description for display. A cell is a number or a text.
type Table struct {
	Title string
	Heads []string
	Rows  [][]any
}

// Tables returns the description for display: facts, distributions and arrivals by hour.
func (d Description) Tables() []Table {
	facts := Table{Title: d.File, Heads: []string{"what", "value"}}
	add := func(what, value string) {
		if value != "" {
			facts.Rows = append(facts.Rows, []any{what, value})
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
	for _, counted := range d.Counts() {
		if counted.N > 0 {
			add(counted.Name, count(counted.N))
		}
	}
	for _, s := range d.Statuses {
		add(fmt.Sprintf("status %d, %s", s.Status, statusName(s.Status)), shareOf(d, s.Jobs))
	}

	quantiles := Table{
		Title: "distributions",
		Heads: []string{"", "min", "5 %", "25 %", "median", "mean", "75 %", "95 %", "99 %", "max"},
	}
	for _, row := range d.Quantiles() {
		q := row.Quantiles
		quantiles.Rows = append(quantiles.Rows, []any{row.Name, q.Min, rounded(q.P5), rounded(q.P25), rounded(q.Median),
			rounded(q.Mean), rounded(q.P75), rounded(q.P95), rounded(q.P99), q.Max})
	}

	hours := Table{Title: "arrivals by hour; 0 is " + d.HoursFrom, Heads: []string{"hour", "jobs", "share", ""}}
	most := max(1, slices.Max(d.Hours[:])) // drawn with 40 marks
	for hour, n := range d.Hours {
		hours.Rows = append(hours.Rows, []any{hour, count(n), percentOf(d, n), strings.Repeat("#", (40*n+most/2)/most)})
	}
	return []Table{facts, quantiles, hours}
}

// count formats a number with thousands separators: 4,080.
func count(n int) string { return humanize.Comma(int64(n)) }

func percentOf(d Description, n int) string {
	return strconv.FormatFloat(100*float64(n)/float64(d.Jobs), 'f', 1, 64) + " %"
}

func shareOf(d Description, n int) string { return count(n) + ", " + percentOf(d, n) }

// rounded formats a number with four significant digits or, from 1000 on, as a whole number.
func rounded(x float64) string {
	if math.Abs(x) >= 1000 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// statusName returns the meaning of a status in the Standard Workload Format.
func statusName(status int8) string {
	switch status {
	case -1:
		return "not known"
	case 0:
		return "failed"
	case 1:
		return "completed"
	case 2, 3, 4:
		return "partial execution"
	case 5:
		return "cancelled"
	default:
		return "a code of this trace"
	}
}
