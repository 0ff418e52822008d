package analysis

import (
	"fmt"
	"slices"
	"strings"

	"gridsweep/configs"
	"gridsweep/model"
)

// layout finds the samples of a grid by their labels along some of its dimensions.
type layout struct {
	grid  *grid
	named []int // dimensions of the grid, in the order of the names
}

// answer answers a query from observations, laid out along the named dimensions. Single says that the observations are
// published numbers. The error is that of evaluate or lay.
func answer(o *observations, q configs.Query, named []string, single bool) (*layout, error) {
	g, err := evaluate(o, q, named, single)
	if err != nil {
		return nil, err
	}
	return lay(g, named...)
}

// lay lays a grid out along the named dimensions. The error names a dimension that varies and is not named: a number
// would stand for several settings.
func lay(g *grid, named ...string) (*layout, error) {
	l := &layout{grid: g}
	for _, name := range named {
		d := g.dim(name)
		if d < 0 {
			return nil, fmt.Errorf("no dimension %s", name)
		}
		l.named = append(l.named, d)
	}
	for d, dim := range g.dims {
		if len(dim.levels) > 1 && !slices.Contains(l.named, d) {
			return nil, fmt.Errorf("%s varies (%s) and is not named", dim.name, strings.Join(dim.levels, ", "))
		}
	}
	return l, nil
}

// labels returns the sample's labels along the named dimensions from..to.
func (l *layout) labels(s *sample, from, to int) []string {
	labels := make([]string, 0, to-from)
	for _, d := range l.named[from:to] {
		labels = append(labels, l.grid.dims[d].levels[s.at[d]])
	}
	return labels
}

// combinations returns the different labels along the named dimensions from..to in the order of their levels.
func (l *layout) combinations(from, to int) [][]string {
	var places [][]int
	seen := map[string]bool{}
	for _, s := range l.grid.samples {
		at := make([]int, 0, to-from)
		for _, d := range l.named[from:to] {
			at = append(at, s.at[d])
		}
		if !seen[place(at)] {
			seen[place(at)] = true
			places = append(places, at)
		}
	}
	slices.SortFunc(places, slices.Compare)
	combinations := make([][]string, len(places))
	for i, at := range places {
		for k, level := range at {
			combinations[i] = append(combinations[i], l.grid.dims[l.named[from+k]].levels[level])
		}
	}
	return combinations
}

// metric returns the column that a sample is of.
func (g *grid) metric(s *sample) string {
	d := g.dim(metricDimension)
	return g.dims[d].levels[s.at[d]]
}

// tag returns labels as one text, a key of maps.
func tag(labels []string) string { return strings.Join(labels, "\x00") }

// words returns the values of texts.
func words(texts []configs.Text) []string {
	values := make([]string, len(texts))
	for i, t := range texts {
		values[i] = t.Value
	}
	return values
}

// points is the unit of differences of percentages.
const pointsUnit = "points"

// valueAxis describes the numbers that a query makes of a column.
func valueAxis(m *model.Model, q configs.Query, column string) Axis {
	axis := Axis{Name: column, Title: column}
	for _, c := range columnsOf(m, tableOf(q)) {
		if c.Name == column {
			axis = columnAxis(c)
		}
	}
	if len(q.Against) == 0 && !q.Worst {
		return axis
	}
	to, short := "the largest", "the largest"
	if !q.Worst {
		var levels, names []string
		for _, a := range q.Against {
			levels = append(levels, a.Dimension.Value+" "+a.Labels[0].Value)
			names = append(names, LevelName(a.Dimension.Value, a.Labels[0].Value))
		}
		to, short = strings.Join(levels, ", "), strings.Join(names, ", ")
	}
	how := ""
	switch q.As.Value {
	case asPercent:
		how, axis.Unit = "change against ", "%"
	case asRatio:
		how, axis.Unit = "ratio to ", ""
	case asImprovement:
		how, axis.Unit = "improvement ratio over ", ""
	default:
		how, axis.Unit = "difference to ", marginUnit(axis.Unit)
	}
	axis.Title, axis.Change = axis.Title+": "+how+to, how+short
	return axis
}

// marginUnit returns the unit of differences of numbers of a unit.
func marginUnit(unit string) string {
	if unit == "%" {
		return pointsUnit
	}
	return unit
}
