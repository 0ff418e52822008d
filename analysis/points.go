// Figures that draw each row of a table as a point or rectangle.

package analysis

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
	"gridsweep/model"
	"gridsweep/results"
	"gridsweep/sweeps/study"
)

// drawRows draws every row of the table as a point or rectangle; x is a column. A series may have
// several rows of a run.
func (a *analyzer) drawRows(ctx context.Context, d *drawing) error {
	src := a.store.tables[d.from.From.Name]
	d.X = columnAxis(d.from.Begin)
	// each axis has two columns, whose descriptions would mislead
	if d.from.Kind == language.Gantt {
		d.X = Axis{Name: d.from.Begin.Name + " to " + d.from.End.Name, Unit: d.X.Unit}
		if d.X.Unit == "s" {
			d.X.Name = "time"
		}
		d.Y = Axis{Name: d.Y.Name, Unit: d.Y.Unit}
	}
	rows := newRowDrawer(d, src.frame)
	for _, cell := range d.planned.Cells {
		if err := ctx.Err(); err != nil {
			return err
		}
		for k, run := range cell.Runs {
			if d.from.Replication != nil && *d.from.Replication != k {
				continue
			}
			for i := src.spans[run][0]; i < src.spans[run][1]; i++ {
				rows.draw(cell.Levels, i)
			}
		}
	}
	rows.order()
	d.nameLevels()
	d.warnOfLog()
	if rows.lacking > 0 {
		d.Warnings = append(d.Warnings, fmt.Sprintf("%d of %d rows are not drawn: a number of theirs has no value",
			rows.lacking, rows.found))
	}
	switch {
	case d.from.Kind == language.Gantt:
		d.Caption = fmt.Sprintf("Every row of the table %s in replication %d: from %s to %s, and as tall as %s "+
			"from %s upwards.", d.from.From.Name, *d.from.Replication, d.from.Begin.Name, d.from.End.Name,
			d.from.Height.Name, d.from.Shown[0].Name)
	case d.from.Replication != nil:
		d.Caption = fmt.Sprintf("Every row of the table %s in replication %d.", d.from.From.Name, *d.from.Replication)
	default:
		fewest, most := d.replications()
		d.Caption = fmt.Sprintf("Every row of the table %s, of all %s replications.", d.from.From.Name, span(fewest, most))
	}
	return nil
}

// rowDrawer draws rows of a frame.
type rowDrawer struct {
	*drawing
	frame  *results.Frame
	labels map[string][]study.Label // labels of each series, by its joined label
	levels [][]study.Label          // levels of the experiment, by factor
	keys   []keyReader              // readers of the keys
	metric dimension

	found, lacking int // rows that the figure selects; of them those that lack a number
}

// keyReader reads the labels of a key column and caches them by value.
type keyReader struct {
	column *results.Column
	labels map[model.Value]study.Label
}

func newRowDrawer(d *drawing, frame *results.Frame) *rowDrawer {
	r := &rowDrawer{drawing: d, frame: frame, labels: map[string][]study.Label{}, metric: metricOf(&d.from.Query)}
	for _, dim := range dimensionsOf(d.planned) {
		r.levels = append(r.levels, dim.levels)
	}
	for _, c := range d.from.From.Keys {
		r.keys = append(r.keys, keyReader{frame.Column(c.Name), map[model.Value]study.Label{}})
	}
	return r
}

func (k *keyReader) label(row int) study.Label {
	v := k.column.Value(row)
	label, known := k.labels[v]
	if !known {
		label = study.NewLabel(v.String())
		k.labels[v] = label
	}
	return label
}

// label returns the row's level along a dimension: at are its levels along the factors, shown is
// the column that is drawn.
func (r *rowDrawer) label(dim int, at []int, row, shown int) study.Label {
	switch key := dim - len(r.levels); {
	case key < 0:
		return r.levels[dim][at[dim]]
	case key < len(r.keys):
		return r.keys[key].label(row)
	default:
		return r.metric.levels[shown]
	}
}

func (r *rowDrawer) draw(at []int, row int) {
	for shown, column := range r.from.Shown {
		leavesOut := func(w study.Selection) bool { return study.IndexOf(w.Labels, r.label(w.Dim, at, row, shown)) < 0 }
		if slices.ContainsFunc(r.from.Where, leavesOut) {
			continue
		}
		r.found++
		point, ok := r.point(column.Name, row)
		if !ok {
			r.lacking++
			continue
		}
		var labels []study.Label
		for _, d := range r.laid()[1:] { // without x
			labels = append(labels, r.label(d, at, row, shown))
		}
		series := r.seriesAt(study.Texts(labels))
		series.Points = append(series.Points, point)
		r.labels[series.Label] = labels[:len(r.from.Series)]
	}
}

// point returns the row as a point or rectangle; false if one of its numbers is undefined.
func (r *rowDrawer) point(shown string, row int) (Point, bool) {
	x, okX := r.frame.Column(r.from.Begin.Name).Number(row)
	y, okY := r.frame.Column(shown).Number(row)
	point := Point{X: x, Y: statistics.Point(y)}
	if r.from.Kind != language.Gantt {
		return point, okX && okY
	}
	end, okEnd := r.frame.Column(r.from.End.Name).Number(row)
	height, okHeight := r.frame.Column(r.from.Height.Name).Number(row)
	point.Width, point.Height = end-x, height
	return point, okX && okY && okEnd && okHeight
}

// order sorts panels, series and points, so that the figure does not depend on the order of the
// rows, and gives every panel all series.
func (r *rowDrawer) order() {
	slices.SortStableFunc(r.Panels, func(a, b Panel) int {
		return r.compare(r.from.Panels, study.NewLabel(a.Label), study.NewLabel(b.Label))
	})
	names := slices.SortedFunc(maps.Keys(r.labels), func(a, b string) int {
		for i, d := range r.from.Series {
			if c := r.compare(d, r.labels[a][i], r.labels[b][i]); c != 0 {
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

// compare orders the labels of a dimension as `where` of the study file lists them; others by value
// if they are numbers or durations, else by the alphabet.
func (r *rowDrawer) compare(dim int, a, b study.Label) int {
	named := r.from.Selected(dim)
	if i, j := study.IndexOf(named, a), study.IndexOf(named, b); i != j {
		return cmp.Compare(i, j)
	}
	return compareLabels(a, b)
}
