// The layout of numbers along dimensions, and the axes and units of the numbers of a query.

package analysis

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"gridsweep/configs/language"
	"gridsweep/model"
	"gridsweep/sweeps/study"
)

// isAmbiguous reports whether several numbers share a cell of a table, since they differ along a
// dimension that is not laid out.
func (e *evaluation) isAmbiguous() bool {
	for d, dim := range e.dims {
		if len(dim.levels) > 1 && !slices.Contains(e.laid, d) {
			return true
		}
	}
	return false
}

// labels returns the sample's labels along dimensions.
func (e *evaluation) labels(s *sample, dims []int) []string {
	labels := make([]string, len(dims))
	for i, d := range dims {
		labels[i] = e.dims[d].levels[s.at[d]].Text
	}
	return labels
}

// byLabels yields the different labels along dimensions in the order of their levels, each with the
// samples that have them.
func (e *evaluation) byLabels(dims []int) iter.Seq2[[]string, []*sample] {
	compare := func(a, b *sample) int {
		for _, d := range dims {
			if c := cmp.Compare(a.at[d], b.at[d]); c != 0 {
				return c
			}
		}
		return 0
	}
	sorted := slices.SortedStableFunc(slices.Values(e.samples), compare)
	return func(yield func([]string, []*sample) bool) {
		for group := range Neighbours(sorted, func(a, b *sample) bool { return compare(a, b) == 0 }) {
			if !yield(e.labels(group[0], dims), group) {
				return
			}
		}
	}
}

// metric returns the name of the column of a sample.
func (e *evaluation) metric(q *study.Query, s *sample) string {
	return e.dims[q.Metric()].levels[s.at[q.Metric()]].Text
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
	to, short := "the largest", "the largest" // with q.Worst the base is the largest number
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
