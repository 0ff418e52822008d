package analysis

import (
	"fmt"
	"slices"
	"strings"

	"gridsweep/analysis/statistics"
)

// caption says what the numbers are.
func (d *drawing) caption(rounds int) string {
	kinds := statisticsOf(d.from.Query)
	text := strings.Join(names(kinds), " and ") + fmt.Sprintf(" over %d rounds", rounds)
	switch {
	case d.from.Round != nil:
		return fmt.Sprintf("Round %d alone.", *d.from.Round)
	case rounds == 1:
		text = "One round, without interval"
	case d.Kind == heatKind:
	default:
		text += d.aroundThem(kinds)
	}
	if len(d.from.Published) > 0 {
		text += "; hollow marks are the paper's own numbers" + meansOf(d.published)
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// meansOf says of which published numbers it is known that they are means, by the runs that each file's numbers are of.
func meansOf(files []int) string {
	if len(files) == 0 || slices.Max(files) < 2 {
		return ""
	}
	if slices.Min(files) == slices.Max(files) {
		return ", means of " + fmt.Sprint(files[0]) + " runs"
	}
	return ", some of them means of several runs"
}

// aroundThem says what the lines through the marks are, in the caption.
func (d *drawing) aroundThem(kinds []statistics.Kind) string {
	text := ""
	var intervals []string
	for _, k := range kinds {
		if d.comparesStatistics() && k != statistics.Median {
			text = ", compared after the statistic"
			k = statistics.SD // whose interval is the jackknife's too
		}
		intervals = append(intervals, k.Interval())
	}
	if d.Deviations {
		intervals = []string{"one standard deviation of the rounds to either side"}
	}
	return text + ", with " + list(unique(intervals), "and")
}

// comparesStatistics reports whether statistics are compared and not rounds, as by all but differences; medians never.
func (d *drawing) comparesStatistics() bool {
	return d.from.As.Value != "" && d.from.As.Value != asDifference
}
