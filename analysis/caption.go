package analysis

// Captions of figures: which statistic is shown, over how many rounds, with which interval.

import (
	"fmt"
	"strings"

	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
	"gridsweep/sweeps/study"
)

// caption says what the numbers are.
func (d *drawing) caption() string {
	stats := statisticsOf(&d.from.Query)
	fewest, most := d.rounds()
	text := strings.Join(names(stats), " and ") + " over " + span(fewest, most) + " replications"
	switch {
	case d.from.Round != nil:
		return fmt.Sprintf("Replication %d alone.", *d.from.Round)
	case most == 1:
		text = "One replication, without interval"
	case d.Kind == language.Heat:
	default:
		text += d.aroundThem(stats)
	}
	if len(d.from.Published) > 0 {
		text += "; hollow marks are the paper's own numbers" + meansOf(d.from.Published)
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// rounds returns the fewest and the most rounds that the cells of the figure were to be run.
func (d *drawing) rounds() (fewest, most int) {
	for _, cell := range d.planned.Cells {
		isShown := true
		for dim, label := range cell.Labels {
			isShown = isShown && d.from.Takes(dim, study.NewLabel(label))
		}
		if n := len(cell.Runs); isShown {
			if most == 0 {
				fewest = n
			}
			fewest, most = min(fewest, n), max(most, n)
		}
	}
	return fewest, most
}

// span writes two numbers as one where they are the same.
func span(fewest, most int) string {
	if fewest == most {
		return fmt.Sprint(most)
	}
	return fmt.Sprintf("%d to %d", fewest, most)
}

// meansOf says of which published numbers it is known that they are means, by the runs that each
// file's numbers are of.
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

// aroundThem says what the lines through the marks are, in the caption.
func (d *drawing) aroundThem(stats []statistics.Statistic) string {
	text := ""
	var intervals []string
	for _, stat := range stats {
		name := stat.IntervalName()
		if d.comparesStatistics() && stat.IsSmooth() {
			text, name = ", compared after the statistic", statistics.JackknifeName
		}
		intervals = append(intervals, name)
	}
	if d.Deviations {
		intervals = []string{"one standard deviation of the replications to either side"}
	}
	return text + ", with " + list(unique(intervals), "and")
}

// comparesStatistics reports whether statistics are compared and not rounds, as by all comparisons
// but differences.
func (d *drawing) comparesStatistics() bool {
	return d.from.As != "" && d.from.As != language.Difference
}
