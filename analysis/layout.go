package analysis

// The layout of numbers: which of their dimensions make rows, columns or series.

import (
	"slices"
	"strings"

	"gridsweep/configs/language"
	"gridsweep/model"
	"gridsweep/sweeps/study"
)

// layout finds the samples of an evaluation by their labels along some of its dimensions.
type layout struct {
	evaluation *evaluation
	laid       []int // dimensions, in the order in which they are laid out
}

// answer answers a query from observations, laid out along some dimensions; see evaluate.
func answer(o *observations, q *study.Query, laid []int, published bool) *layout {
	return &layout{evaluate(o, q, laid, published), laid}
}

// isAmbiguous reports whether several numbers share a cell of the layout, since they differ along a
// dimension that is not laid out.
func (l *layout) isAmbiguous() bool {
	for d, dim := range l.evaluation.dims {
		if len(dim.levels) > 1 && !slices.Contains(l.laid, d) {
			return true
		}
	}
	return false
}

// labels returns the sample's labels along the laid-out dimensions from..to.
func (l *layout) labels(s *sample, from, to int) []string {
	labels := make([]string, 0, to-from)
	for _, d := range l.laid[from:to] {
		labels = append(labels, l.evaluation.dims[d].levels[s.at[d]].Text)
	}
	return labels
}

// combinations returns the different labels along the laid-out dimensions from..to in the order of
// their levels.
func (l *layout) combinations(from, to int) [][]string {
	var distinct [][]int
	seen := map[string]bool{}
	for _, s := range l.evaluation.samples {
		at := make([]int, 0, to-from)
		for _, d := range l.laid[from:to] {
			at = append(at, s.at[d])
		}
		if !seen[indexKey(at)] {
			seen[indexKey(at)] = true
			distinct = append(distinct, at)
		}
	}
	slices.SortFunc(distinct, slices.Compare)
	combinations := make([][]string, len(distinct))
	for i, at := range distinct {
		for k, level := range at {
			combinations[i] = append(combinations[i], l.evaluation.dims[l.laid[from+k]].levels[level].Text)
		}
	}
	return combinations
}

// metric returns the name of the column of a sample.
func (l *layout) metric(q *study.Query, s *sample) string {
	return l.evaluation.dims[q.Metric()].levels[s.at[q.Metric()]].Text
}

// tag returns labels as one text, a key of maps.
func tag(labels []string) string { return strings.Join(labels, "\x00") }

// pointsUnit is the unit of differences of percentages.
const pointsUnit = "points"

// valueAxis describes the numbers that a query makes of a column.
func valueAxis(q *study.Query, column model.Column) Axis {
	axis := columnAxis(column)
	if len(q.Against) == 0 && !q.Worst {
		return axis
	}
	to, short := "the largest", "the largest"
	if !q.Worst {
		var levels, names []string
		for _, a := range q.Against {
			dim, label := q.Dims[a.Dim].Name, a.Labels[0].Text
			levels = append(levels, dim+" "+label)
			names = append(names, LevelName(dim, label))
		}
		to, short = strings.Join(levels, ", "), strings.Join(names, ", ")
	}
	how := ""
	switch q.As {
	case language.Percent:
		how, axis.Unit = "change against ", "%"
	case language.Ratio:
		how, axis.Unit = "ratio to ", ""
	case language.Improvement:
		how, axis.Unit = "improvement ratio over ", ""
	default:
		how, axis.Unit = "difference to ", MarginUnit(axis.Unit)
	}
	axis.Title, axis.Change = axis.Title+": "+how+to, how+short
	return axis
}

// MarginUnit returns the unit of differences of numbers of a unit.
func MarginUnit(unit string) string {
	if unit == "%" {
		return pointsUnit
	}
	return unit
}
