package analysis

import (
	"cmp"
	"fmt"
	"slices"

	"gridsweep/analysis/statistics"
	"gridsweep/results"
)

// drawRows draws every row of the table as a point: x is a column. Rows are told apart by series and panels only; a
// run may have any number of them.
func (a *analyzer) drawRows(d *drawing) error {
	table := tableOf(d.from.Query)
	src := a.store.tables[table]
	d.X = d.axis(d.from.X.Value)
	rows := &rowDrawer{d, src.frame}
	for _, cell := range d.of.Cells {
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
	d.Caption = fmt.Sprintf("Every row of the table %s, of all %d rounds.", table, d.of.Rounds)
	if d.from.Round != nil {
		d.Caption = fmt.Sprintf("Every row of the table %s in round %d.", table, *d.from.Round)
	}
	return nil
}

// rowDrawer draws rows of a frame.
type rowDrawer struct {
	*drawing
	frame *results.Frame
}

// label returns the row's level along a dimension.
func (r *rowDrawer) label(labels []string, name string, row int) string {
	if d := r.of.Dimension(name); d >= 0 {
		return labels[d]
	}
	return r.frame.Column(name).Value(row).String()
}

func (r *rowDrawer) draw(labels []string, row int) {
	for _, w := range r.from.Where {
		d := dimension{levels: words(w.Labels)}
		if d.level(r.label(labels, w.Dimension.Value, row)) < 0 {
			return
		}
	}
	x, okX := r.frame.Column(r.from.X.Value).Number(row)
	for _, shown := range r.from.Show {
		y, okY := r.frame.Column(shown.Value).Number(row)
		if !okX || !okY {
			continue
		}
		along := func(name string) string {
			if name == metricDimension {
				return shown.Value
			}
			return r.label(labels, name, row)
		}
		var at []string
		for _, name := range r.named()[1:] {
			at = append(at, along(name))
		}
		series := r.seriesAt(at)
		series.Points = append(series.Points, Point{X: x, Y: statistics.Point(y)})
	}
}

// order puts panels, series and points in an order that does not depend on that of the rows.
func (r *rowDrawer) order() {
	slices.SortStableFunc(r.Panels, func(a, b Panel) int { return compareLabels(a.Label, b.Label) })
	for p := range r.Panels {
		slices.SortStableFunc(r.Panels[p].Series, func(a, b Series) int { return compareLabels(a.Label, b.Label) })
	}
	r.sort()
}

// compareLabels compares numbers and durations by value and other labels by the alphabet.
func compareLabels(a, b string) int {
	if scale, _ := scaleOf([]string{a, b}); scale != nil {
		return cmp.Compare(scale[a], scale[b])
	}
	return cmp.Compare(a, b)
}
