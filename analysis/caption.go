// Captions of figures: the statistic, the number of replications and the interval.

package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
	"gridsweep/sweeps/study"
)

// caption names the statistic, the replications and the intervals of a figure.
func (d *drawing) caption() string {
	stats := statisticsOf(&d.from.Query)
	fewest, most := d.replications()
	text := strings.Join(namesOf(stats), " and ") + " over " + span(fewest, most) + " replications"
	switch {
	case d.from.Replication != nil:
		return fmt.Sprintf("Replication %d alone.", *d.from.Replication)
	case most == 1:
		text = "One replication, without interval"
	case d.Kind != language.Heat:
		text += d.intervalsInWords(stats)
	}
	if len(d.from.Published) > 0 {
		text += "; hollow marks are the paper's own numbers" + meansOf(d.from.Published)
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// replications returns the fewest and the most replications planned for a cell of the figure.
func (d *drawing) replications() (fewest, most int) {
	takes := takenLevels(&d.from.Query, d.planned, 0)
	for _, cell := range d.planned.Cells {
		if n := len(cell.Runs); areTaken(cell.Levels, takes) {
			fewest, most = fewer(fewest, n), max(most, n)
		}
	}
	return fewest, most
}

// span writes a range of numbers, or one number if both ends are equal.
func span(fewest, most int) string {
	if fewest == most {
		return fmt.Sprint(most)
	}
	return fmt.Sprintf("%d to %d", fewest, most)
}

// meansOf returns the words of the caption that tell which published numbers are means of several
// runs; empty if none is.
func meansOf(files []study.PublishedFile) string {
	least, most := files[0].MeanOf, files[0].MeanOf
	for _, file := range files {
		least, most = min(least, file.MeanOf), max(most, file.MeanOf)
	}
	switch {
	case most < 2:
		return ""
	case least == most:
		return ", means of " + fmt.Sprint(most) + " runs"
	}
	return ", some of them means of several runs"
}

// namesOf returns the names of statistics; in brackets after a name what its word does not say.
func namesOf(stats []statistics.Statistic) []string {
	words := language.Strings(stats)
	for i, s := range stats {
		if s.Explanation() != "" {
			words[i] += " (" + s.Explanation() + ")"
		}
	}
	return words
}

// intervalsInWords returns the words of the caption that name the intervals around the marks.
func (d *drawing) intervalsInWords(stats []statistics.Statistic) string {
	text := ""
	var intervals []string
	for _, stat := range stats {
		name := stat.IntervalName()
		// differences are taken within each replication
		if d.from.As != language.Difference && stat.IsSmooth() {
			text, name = ", compared after the statistic", statistics.JackknifeName
		}
		intervals = append(intervals, name)
	}
	areDeviations := d.Whiskers == language.Deviation
	if areDeviations {
		intervals = []string{"one standard deviation of the replications to either side"}
	}
	text += ", with " + english.WordSeries(unique(intervals), "and")
	if !areDeviations && d.isTransformed(stats) {
		text += " (on the scale of √ or arcsin √ where it would cross a bound)"
	}
	return text
}

// isTransformed reports whether the interval of some point would have crossed a bound: then it is
// not symmetric, while the other intervals of smooth statistics are. One that was cut at the bound
// counts, too.
func (d *drawing) isTransformed(stats []statistics.Statistic) bool {
	if slices.ContainsFunc(stats, func(s statistics.Statistic) bool { return !s.IsSmooth() }) {
		return false
	}
	const rounding = 1e-6
	for _, panel := range d.Panels {
		for _, series := range panel.Series {
			for _, p := range series.Points {
				above, below := p.Y.High-p.Y.Value, p.Y.Value-p.Y.Low
				if math.Abs(above-below) > rounding*(above+below) {
					return true
				}
			}
		}
	}
	return false
}
