// Figures: the numbers of a query as panels of series of points.

package analysis

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
	"gridsweep/sweeps"
	"gridsweep/sweeps/study"
)

// drawing is a figure under construction.
type drawing struct {
	*Figure
	from      *study.Figure
	planned   *sweeps.Experiment
	ours      *evaluation
	positions []float64         // of the levels along x
	names     map[string]string // names in the legend of the series, by their labels
}

// figure computes a figure of the study; nil if its experiment was not run.
func (a *analyzer) figure(ctx context.Context, f *study.Figure) (*Figure, error) {
	e := a.experiment(f.Experiment)
	if e == nil {
		return nil, nil
	}
	d := &drawing{from: f, planned: e, names: map[string]string{}, Figure: &Figure{
		Name: f.Name, Title: f.Title, Kind: f.Kind, LogX: f.LogX, LogY: f.LogY, RangeX: f.RangeX, RangeY: f.RangeY,
		Whiskers: f.Whiskers,
	}}
	d.Y = valueAxis(&f.Query, f.Shown[0])
	if f.Kind == language.Heat {
		d.Rows = d.rows()
	}
	drawIt := a.drawSamples
	if f.Kind.DrawsRows() {
		drawIt = a.drawRows
	} else if f.Right >= 0 {
		right := valueAxis(&f.Query, f.Shown[f.Right])
		// such a figure shows two columns
		d.Y, d.Right = valueAxis(&f.Query, f.Shown[1-f.Right]), &right
	} else if len(f.Shown) > 1 && f.Panels != f.Metric() {
		d.Y = Axis{Unit: d.Y.Unit, Change: d.Y.Change} // of several columns, so no title of one
	}
	if err := drawIt(ctx, d); err != nil {
		return nil, err
	}
	d.labelAxes()
	if outside := d.Outside(); outside != "" {
		d.Caption += " " + outside
	}
	return d.Figure, nil
}

// labelAxes gives the axes the labels and units that the study file sets.
func (d *drawing) labelAxes() {
	labels, units := d.from.Labels, d.from.Units
	d.X.Label, d.X.Shown = labels.X, units.X
	y, unit := labels.Y, units.Y
	if d.Kind == language.Heat { // whose values are colours
		d.Rows.Label = labels.Y
		y, unit = labels.Right, units.Right
	}
	d.Y.Label, d.Y.Shown = y, unit
	if d.Right != nil {
		d.Right.Label, d.Right.Shown = labels.Right, units.Right
	}
	if d.from.Panels != d.from.Metric() { // else each panel has the axis of its own column
		for i := range d.Panels {
			d.Panels[i].Y.Label, d.Panels[i].Y.Shown = y, unit
		}
	}
}

// rows describes the vertical axis of a heat map.
func (d *drawing) rows() Axis {
	if len(d.from.Series) == 1 {
		return d.axis(d.from.Series[0])
	}
	return Axis{Name: strings.Join(dimNames(&d.from.Query, d.from.Series), ", ")}
}

// laid returns the dimensions of a figure: x, series and panels, in this order.
func (d *drawing) laid() []int {
	laid := append([]int{d.from.X}, d.from.Series...)
	if d.from.Panels >= 0 {
		laid = append(laid, d.from.Panels)
	}
	return laid
}

// drawSamples makes the points of a figure whose numbers are statistics over replications.
func (a *analyzer) drawSamples(ctx context.Context, d *drawing) error {
	o, err := a.store.observe(ctx, d.planned, &d.from.Query)
	if err != nil {
		return err
	}
	if d.from.Replication != nil {
		o = o.replication(*d.from.Replication)
	}
	d.ours = evaluate(o, &d.from.Query, d.laid(), false)
	e := d.ours
	d.Warnings = slices.Concat(e.used.warnings(), e.warnings)
	if err := a.positionsX(ctx, d, e.dims[d.from.X].levels); err != nil {
		return err
	}
	d.prepare()
	for _, s := range e.samples {
		if !math.IsNaN(s.estimate.Value) {
			series := d.series(d.ours, s)
			series.Points = append(series.Points, d.point(d.ours, s))
		}
	}
	a.overlay(d)
	d.Warnings = append(d.Warnings, d.gaps()...)
	d.sort()
	d.nameLevels()
	d.warnOfLog()
	d.Caption = d.caption()
	return nil
}

// warnOfLog warns of the points that a logarithmic axis cannot show. The right axis is linear.
func (d *drawing) warnOfLog() {
	logX := d.LogX && d.hasNumbersAlongX() // names have positions of their own
	points, lost := 0, 0
	for _, panel := range d.Panels {
		for _, series := range panel.Series {
			for _, p := range slices.Concat(series.Points, series.Published) {
				points++
				if logX && p.X <= 0 || !series.Right && d.hasNoLogarithm(p.Y.Value) {
					lost++
				}
			}
		}
	}
	if lost > 0 {
		d.Warnings = append(d.Warnings,
			fmt.Sprintf("%d of %d points are not drawn: a logarithmic axis cannot show 0 or less", lost, points))
	}
}

// replication returns the observations of one replication alone.
func (o *observations) replication(k int) *observations {
	one := &observations{dims: o.dims, replications: 1, granularity: o.granularity, warning: o.warning}
	for _, row := range o.rows {
		if k < len(row.values) {
			one.rows = append(one.rows, &observation{at: row.at, values: row.values[k : k+1], ran: row.ran[k : k+1]})
		}
	}
	return one
}

// positionsX sets the positions of the levels along x: the means of a column if the study file
// names one, else, except in a heat map, the numbers or durations of the labels, else indices.
func (a *analyzer) positionsX(ctx context.Context, d *drawing, levels []study.Label) error {
	d.X = d.axis(d.from.X)
	if d.from.Position != nil {
		return a.meanPositions(ctx, d, levels)
	}
	scale, unit := study.Scale(levels)
	if scale != nil && d.from.Kind != language.Heat {
		d.positions = scale
		if unit != "" {
			d.X.Unit = unit
			if d.from.Kind == language.Bar {
				d.X.Unit = "" // the label of each bar includes the unit
			}
		}
		return nil
	}
	d.X.Labels = study.Texts(levels)
	d.positions = make([]float64, len(levels))
	for i := range levels {
		d.positions[i] = float64(i)
	}
	return nil
}

// axis describes a dimension: by the parameter whose values the factor lists, or by the key column.
func (d *drawing) axis(dim int) Axis {
	switch source := d.from.Dims[dim]; {
	case source.Parameter != nil:
		return columnAxis(*source.Parameter)
	case source.Key != nil:
		return columnAxis(*source.Key)
	default:
		return Axis{Name: source.Name, Title: source.Name}
	}
}

// meanPositions takes the mean of a column over the rows of a level as the level's position.
func (a *analyzer) meanPositions(ctx context.Context, d *drawing, levels []study.Label) error {
	o, err := a.store.observe(ctx, d.planned, &d.from.Position.Query)
	if err != nil {
		return err
	}
	x := d.from.Position.X
	d.positions = make([]float64, len(levels))
	for i, label := range levels {
		level := o.dims[x].level(label)
		var values []float64
		for _, row := range o.rows {
			if row.at[x] == level {
				values = append(values, row.values...)
			}
		}
		d.positions[i] = statistics.Mean.Of(values)
	}
	d.X = columnAxis(d.from.Position.Shown[0])
	return nil
}

// point returns one of our samples or of the published ones as a point.
func (d *drawing) point(e *evaluation, s *sample) Point {
	levels := d.ours.dims[d.from.X].levels
	i := study.IndexOf(levels, e.dims[d.from.X].levels[s.at[d.from.X]])
	p := Point{X: d.positions[i], Label: levels[i].Text, Y: s.estimate}
	if d.Whiskers == language.Deviation {
		p.Y = p.Y.Deviating(statistics.SD.Of(s.values))
	}
	return p
}

// series returns the series that a sample belongs to.
func (d *drawing) series(e *evaluation, s *sample) *Series {
	return d.seriesAt(e.labels(s, e.laid[1:]))
}

// seriesAt returns the series with the labels, which are those along the dimensions of series and,
// if the figure has panels, that of the panel. The first call creates it.
func (d *drawing) seriesAt(labels []string) *Series {
	n := len(d.from.Series)
	label, panel := strings.Join(labels[:n], ", "), ""
	if d.from.Panels >= 0 {
		panel = labels[n]
	}
	i := indexOf(d.Panels, panel, func(p Panel) string { return p.Label })
	if i < 0 {
		i = len(d.Panels)
		d.Panels = append(d.Panels, Panel{Label: panel, Y: d.Y})
		if d.from.Panels == d.from.Metric() {
			shown := slices.Index(columnNames(d.from.Shown), panel)
			d.Panels[i].Y = valueAxis(&d.from.Query, d.from.Shown[shown])
		}
		isIt := func(r study.PanelRange) bool { return r.Panel.Same(study.NewLabel(panel)) }
		if r := slices.IndexFunc(d.from.PanelRanges, isIt); r >= 0 {
			limits := d.from.PanelRanges[r].Limits
			d.Panels[i].RangeY = &limits
		}
	}
	p := &d.Panels[i]
	j := indexOf(p.Series, label, func(s Series) string { return s.Label })
	if j < 0 {
		j = len(p.Series)
		isRight := d.Right != nil && labels[0] == d.Right.Name // then labels[0] is the column
		p.Series = append(p.Series, Series{Label: label, Right: isRight})
		d.names[label] = d.nameOf(labels[:n])
	}
	return &p.Series[j]
}

// indexOf returns the index of the panel or series of a label, or -1. Labels that are numbers match
// by value.
func indexOf[T any](list []T, text string, textOf func(T) string) int {
	if i := slices.IndexFunc(list, func(t T) bool { return textOf(t) == text }); i >= 0 {
		return i
	}
	label := study.NewLabel(text)
	return slices.IndexFunc(list, func(t T) bool { return study.NewLabel(textOf(t)).Same(label) })
}

// nameOf returns the name in the legend of the series with the labels.
func (d *drawing) nameOf(labels []string) string {
	shown := make([]string, len(labels))
	for i, label := range labels {
		shown[i] = LevelName(d.from.Dims[d.from.Series[i]].Name, label)
	}
	return strings.Join(shown, ", ")
}

// nameLevels replaces the labels of panels and series, by which they are found and sorted, by their
// names.
func (d *drawing) nameLevels() {
	for p := range d.Panels {
		panel := &d.Panels[p]
		if d.from.Panels >= 0 {
			panel.Label = LevelName(d.from.Dims[d.from.Panels].Name, panel.Label)
		}
		for s := range panel.Series {
			panel.Series[s].Label = d.names[panel.Series[s].Label]
		}
	}
}

// prepare makes the panels and series in the order of their levels.
func (d *drawing) prepare() {
	order := slices.Clone(d.from.Series)
	if d.from.Panels >= 0 {
		order = slices.Insert(order, 0, d.from.Panels)
	}
	for _, samples := range d.ours.byLabels(order) {
		d.series(d.ours, samples[0])
	}
}

// sort puts points in the order of their positions.
func (d *drawing) sort() {
	byPosition := func(a, b Point) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y.Value, b.Y.Value)) }
	for p := range d.Panels {
		for s := range d.Panels[p].Series {
			slices.SortStableFunc(d.Panels[p].Series[s].Points, byPosition)
			slices.SortStableFunc(d.Panels[p].Series[s].Published, byPosition)
		}
	}
}

// overlay adds the published numbers to the series that show ours. It adds each file separately, so
// that a run for which several tables print different values shows all of them. A comparison takes
// the numbers of all files together, since its base may be in another file.
func (a *analyzer) overlay(d *drawing) {
	if len(d.from.Published) == 0 {
		return
	}
	var files []string
	var groups [][]string
	for _, file := range d.from.Published {
		files = append(files, file.Name)
		groups = append(groups, []string{file.Name})
	}
	if len(d.from.Against) > 0 {
		groups = [][]string{files}
	}
	found := false
	for _, group := range groups {
		found = a.overlayFiles(d, group) || found
	}
	if !found {
		d.Warnings = append(d.Warnings, strings.Join(files, ", ")+": no published number is of a run of this figure")
	}
}

// overlayFiles adds the published numbers of some files, each value once, and reports whether any
// belongs to a run of the figure.
func (a *analyzer) overlayFiles(d *drawing, files []string) bool {
	printed := a.publishedAnswer(d.planned, &d.from.Query, d.laid(), files)
	if printed == nil {
		return false
	}
	x := d.from.X
	for _, s := range printed.samples {
		if study.IndexOf(d.ours.dims[x].levels, printed.dims[x].levels[s.at[x]]) < 0 {
			continue // a level of which nothing was run has no position
		}
		point := d.point(printed, s)
		series := d.series(printed, s)
		same := func(p Point) bool { return p.X == point.X && p.Y.Value == point.Y.Value }
		if !math.IsNaN(point.Y.Value) && !slices.ContainsFunc(series.Published, same) {
			series.Published = append(series.Published, point)
		}
	}
	return true
}
