package analysis

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"gridsweep/analysis/statistics"
	"gridsweep/configs"
	"gridsweep/results"
)

// drawRows draws every row of the table as a point or rectangle: x is a column. Rows are told apart by series and panels
// only; a run may have any number of them.
func (a *analyzer) drawRows(ctx context.Context, d *drawing) error {
	table := tableOf(d.from.Query)
	src := a.store.tables[table]
	d.X = d.axis(d.from.X.Value)
	if d.Kind == ganttKind { // what the columns are says less of the axes: each has two of them
		d.X = Axis{Name: d.from.X.Value + " to " + d.from.End.Value, Unit: d.X.Unit}
		if d.X.Unit == "s" {
			d.X.Name = "time"
		}
		d.Y = Axis{Name: d.Y.Name, Unit: d.Y.Unit}
	}
	rows := &rowDrawer{drawing: d, frame: src.frame, labels: map[string][]string{}}
	for _, cell := range d.of.Cells {
		if err := ctx.Err(); err != nil {
			return err
		}
		for round, run := range cell.Runs {
			if d.from.Round != nil && *d.from.Round != round {
				continue
			}
			for i := src.spans[run][0]; i < src.spans[run][1]; i++ {
				rows.draw(cell.Labels, i)
			}
		}
	}
	rows.order()
	d.nameLevels()
	d.warnOfLog()
	if rows.lacking > 0 {
		d.Warnings = append(d.Warnings, fmt.Sprintf("%d of %d rows are not drawn: a number of theirs has no value", rows.lacking, rows.found))
	}
	switch {
	case d.Kind == ganttKind:
		d.Caption = fmt.Sprintf("Every row of the table %s in round %d: from %s to %s, and as tall as %s from %s upwards.",
			table, *d.from.Round, d.from.X.Value, d.from.End.Value, d.from.Height.Value, d.from.Show[0].Value)
	case d.from.Round != nil:
		d.Caption = fmt.Sprintf("Every row of the table %s in round %d.", table, *d.from.Round)
	default:
		d.Caption = fmt.Sprintf("Every row of the table %s, of all %d rounds.", table, d.of.Rounds)
	}
	return nil
}

// rowDrawer draws rows of a frame.
type rowDrawer struct {
	*drawing
	frame  *results.Frame
	labels map[string][]string // of a series, by the label that it has so far

	found, lacking int // rows that are asked for; of them those that lack a number
}

// label returns the row's level along a dimension.
func (r *rowDrawer) label(labels []string, name string, row int) string {
	if d := r.of.Dimension(name); d >= 0 {
		return labels[d]
	}
	return r.frame.Column(name).Value(row).String()
}

func (r *rowDrawer) draw(labels []string, row int) {
	for _, shown := range r.from.Show {
		along := func(name string) string {
			if name == metricDimension {
				return shown.Value
			}
			return r.label(labels, name, row)
		}
		leavesOut := func(w configs.Selection) bool {
			return dimension{levels: words(w.Labels)}.level(along(w.Dimension.Value)) < 0
		}
		if slices.ContainsFunc(r.from.Where, leavesOut) {
			continue
		}
		r.found++
		point, ok := r.point(shown.Value, row)
		if !ok {
			r.lacking++
			continue
		}
		var at []string
		for _, name := range r.named()[1:] {
			at = append(at, along(name))
		}
		series := r.seriesAt(at)
		series.Points = append(series.Points, point)
		r.labels[series.Label] = at[:len(r.from.Series)]
	}
}

// point returns the row as a point or rectangle; false where one of its numbers is undefined.
func (r *rowDrawer) point(shown string, row int) (Point, bool) {
	x, okX := r.frame.Column(r.from.X.Value).Number(row)
	y, okY := r.frame.Column(shown).Number(row)
	point := Point{X: x, Y: statistics.Point(y)}
	if r.Kind != ganttKind {
		return point, okX && okY
	}
	end, okEnd := r.frame.Column(r.from.End.Value).Number(row)
	height, okHeight := r.frame.Column(r.from.Height.Value).Number(row)
	point.Width, point.Height = end-x, height
	return point, okX && okY && okEnd && okHeight
}

// order puts panels, series and points in an order that does not depend on that of the rows, and gives every panel all
// series.
func (r *rowDrawer) order() {
	slices.SortStableFunc(r.Panels, func(a, b Panel) int { return r.compare(r.from.Panels.Value, a.Label, b.Label) })
	names := slices.SortedFunc(maps.Keys(r.labels), func(a, b string) int {
		for i, name := range r.from.Series {
			if c := r.compare(name.Value, r.labels[a][i], r.labels[b][i]); c != 0 {
				return c
			}
		}
		return cmp.Compare(a, b)
	})
	for p := range r.Panels {
		found := r.Panels[p].Series
		r.Panels[p].Series = make([]Series, len(names))
		for s, name := range names {
			r.Panels[p].Series[s].Label = name
			if i := slices.IndexFunc(found, func(s Series) bool { return s.Label == name }); i >= 0 {
				r.Panels[p].Series[s] = found[i]
			}
		}
	}
	r.sort()
}

// compare orders the labels of a dimension as where lists them, else numbers and durations by value and others by the
// alphabet.
func (r *rowDrawer) compare(dimensionName, a, b string) int {
	d := dimension{levels: words(selection(r.from.Where, dimensionName))}
	if i, j := d.level(a), d.level(b); i != j {
		return cmp.Compare(i, j)
	}
	return compareLabels(a, b)
}

// compareLabels compares numbers and durations by value and other labels by the alphabet.
func compareLabels(a, b string) int {
	if scale, _ := scaleOf([]string{a, b}); scale != nil {
		return cmp.Compare(scale[a], scale[b])
	}
	return cmp.Compare(a, b)
}
