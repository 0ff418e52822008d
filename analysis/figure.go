package analysis

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gridsweep/analysis/statistics"
	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/sweeps"
)

// Kinds of figures that are not drawn as lines are.
const (
	barKind    = "bar"    // side by side, whatever the numbers along x
	pointsKind = "points" // every row of the table
	lineKind   = "line"   // from point to point
	heatKind   = "heat"   // one colour for each x and series
	ganttKind  = "gantt"  // every row of the table as a rectangle
)

// drawsRows reports whether a kind of figures draws rows as they are.
func drawsRows(kind string) bool { return kind == pointsKind || kind == ganttKind }

// deviationWhiskers reach one standard deviation of the rounds to either side.
const deviationWhiskers = "sd"

// drawing is a figure while it is put together.
type drawing struct {
	*Figure
	from   configs.Figure
	of     *sweeps.Experiment
	model  *model.Model
	layout *layout
	places map[string]float64 // of the labels along x
	names  map[string]string  // of the series by their labels, for people

	published []int // runs that a published number is the mean of, for each file of them
}

// figure answers a figure of the study. It is nil where its experiment was not run.
func (a *analyzer) figure(ctx context.Context, f configs.Figure) (*Figure, error) {
	e := a.experiment(f.Of.Value)
	if e == nil {
		return nil, nil
	}
	d := &drawing{from: f, of: e, model: a.plan.Model, names: map[string]string{}, Figure: &Figure{
		Name: f.Name.Value, Title: f.Title.Value, Kind: f.Kind.Value,
		LogX: slices.Contains(words(f.Log), "x"), LogY: slices.Contains(words(f.Log), "y"),
		Deviations: f.Whiskers.Value == deviationWhiskers,
	}}
	for _, file := range words(f.Published) {
		d.published = append(d.published, a.plan.Study.MeanOf(file))
	}
	for _, r := range f.Range {
		limits := [2]float64{r.Low, r.High}
		if r.Axis.Value == "x" {
			d.RangeX = &limits
		} else {
			d.RangeY = &limits
		}
	}
	d.Y = valueAxis(a.plan.Model, f.Query, f.Show[0].Value)
	if f.Kind.Value == heatKind {
		d.Rows = d.rows()
	}
	drawIt := a.drawSamples
	if drawsRows(f.Kind.Value) {
		drawIt = a.drawRows
	} else if f.Right.Value != "" {
		d.onTwoAxes()
	} else if len(f.Show) > 1 && f.Panels.Value != metricDimension {
		d.Y = Axis{Unit: d.Y.Unit, Change: d.Y.Change}
	}
	if err := drawIt(ctx, d); err != nil {
		return nil, err
	}
	if outside := d.Outside(); outside != "" {
		d.Caption += " " + outside
	}
	return d.Figure, nil
}

// onTwoAxes gives the two columns shown an axis each. The lines of the two are series.
func (d *drawing) onTwoAxes() {
	for _, column := range d.from.Show {
		axis := valueAxis(d.model, d.from.Query, column.Value)
		if column.Value == d.from.Right.Value {
			d.Right = &axis
		} else {
			d.Y = axis
		}
	}
	d.from.Series = append([]configs.Text{{Value: metricDimension}}, d.from.Series...)
}

// rows describes what stands up the side of a heat map.
func (d *drawing) rows() Axis {
	if len(d.from.Series) == 1 {
		return d.axis(d.from.Series[0].Value)
	}
	return Axis{Name: strings.Join(words(d.from.Series), ", ")}
}

// named returns the dimensions of a figure: x, series and panels, in this order.
func (d *drawing) named() []string {
	named := append([]string{d.from.X.Value}, words(d.from.Series)...)
	if d.from.Panels.Value != "" && !slices.Contains(named, d.from.Panels.Value) {
		named = append(named, d.from.Panels.Value)
	}
	return named
}

func (a *analyzer) drawSamples(ctx context.Context, d *drawing) error {
	o, err := a.store.observe(ctx, d.of, tableOf(d.from.Query), words(d.from.Show))
	if err != nil {
		return err
	}
	if d.from.Round != nil {
		o = o.round(*d.from.Round)
	}
	if d.layout, err = a.answer(o, d.from.Query, d.named()); err != nil {
		return err
	}
	g := d.layout.grid
	d.Warnings = slices.Concat(g.lacks.warnings(), g.warnings)
	if err := a.placeX(ctx, d, g.dims[d.layout.named[0]].levels); err != nil {
		return err
	}
	d.prepare(d.layout)
	for _, s := range g.samples {
		if !math.IsNaN(s.estimate.Value) {
			series := d.series(d.layout, s)
			series.Points = append(series.Points, d.point(d.layout, s))
		}
	}
	if err := a.overlay(d); err != nil {
		return err
	}
	d.Warnings = append(d.Warnings, d.gaps()...)
	d.sort()
	d.nameLevels()
	d.warnOfLog()
	d.Caption = d.caption(o.rounds)
	return nil
}

// warnOfLog says how many points a logarithmic axis has no place for.
func (d *drawing) warnOfLog() {
	logX := d.LogX && d.hasNumbersAlongX() // names have places of their own
	points, lost := 0, 0
	for _, panel := range d.Panels {
		for _, series := range panel.Series {
			for _, p := range slices.Concat(series.Points, series.Published) {
				points++
				if logX && p.X <= 0 || !series.Right && d.hasNoPlace(p.Y.Value) {
					lost++
				}
			}
		}
	}
	if lost > 0 {
		d.Warnings = append(d.Warnings, fmt.Sprintf("%d of %d points are not drawn: a logarithmic axis has no place for 0 or less",
			lost, points))
	}
}

// round returns the observations of one round alone.
func (o *observations) round(k int) *observations {
	one := &observations{dims: o.dims, rounds: 1}
	for _, row := range o.rows {
		if k < len(row.values) {
			one.rows = append(one.rows, &observation{at: row.at, values: row.values[k : k+1], ran: row.ran[k : k+1]})
		}
	}
	return one
}

// placeX settles where the labels along x lie: at the column of at, at their own number or duration, else side by side.
func (a *analyzer) placeX(ctx context.Context, d *drawing, labels []string) error {
	name := d.from.X.Value
	d.X = d.axis(name)
	if d.from.At.Value != "" {
		return a.placeAt(ctx, d, labels)
	}
	scale, unit := scaleOf(labels)
	if scale != nil && d.from.Kind.Value != heatKind {
		d.places = scale
		if unit != "" {
			d.X.Unit = unit
		}
		if unit != "" && d.from.Kind.Value == barKind {
			d.X.Unit = "" // each bar has its label, and that its unit
		}
		return nil
	}
	d.X.Labels = labels
	d.places = map[string]float64{}
	for i, label := range labels {
		d.places[label] = float64(i)
	}
	return nil
}

// axis describes a dimension: a factor that lists values of a parameter is that parameter, a key its column.
func (d *drawing) axis(name string) Axis {
	if i := d.of.Dimension(name); i >= 0 {
		if p := d.model.Parameter(name); p >= 0 && d.of.Dimensions[i].List {
			return parameterAxis(d.model.Parameters[p])
		}
		return Axis{Name: name, Title: name}
	}
	for _, c := range columnsOf(d.model, tableOf(d.from.Query)) {
		if c.Name == name {
			return columnAxis(c)
		}
	}
	return Axis{Name: name, Title: name}
}

func parameterAxis(p model.Parameter) Axis {
	return columnAxis(model.Column{Name: p.Name, Unit: p.Unit, Doc: p.Doc, Symbol: p.Symbol})
}

// placeAt takes the mean of a column over the rows of a level as the level's place.
func (a *analyzer) placeAt(ctx context.Context, d *drawing, labels []string) error {
	table := tableOfPlaces(d.model, d.from)
	o, err := a.store.observe(ctx, d.of, table, []string{d.from.At.Value})
	if err != nil {
		return err
	}
	x := o.dim(d.from.X.Value)
	d.places = map[string]float64{}
	for _, label := range labels {
		var values []float64
		for _, row := range o.rows {
			if o.dims[x].levels[row.at[x]] == label {
				values = append(values, row.values...)
			}
		}
		d.places[label] = statistics.Mean.Of(values)
	}
	for _, c := range columnsOf(d.model, table) {
		if c.Name == d.from.At.Value {
			d.X = columnAxis(c)
		}
	}
	return nil
}

// tableOfPlaces returns the table that has the column of at: the figure's own, else the runs, since a factor along x has
// its levels there too.
func tableOfPlaces(m *model.Model, f configs.Figure) string {
	own := columnsOf(m, tableOf(f.Query))
	if slices.ContainsFunc(own, func(c model.Column) bool { return c.Name == f.At.Value }) || slices.Contains(keysOf(own), f.X.Value) {
		return tableOf(f.Query)
	}
	return model.RunsTable
}

func (d *drawing) point(l *layout, s *sample) Point {
	label := l.labels(s, 0, 1)[0]
	for known := range d.places {
		if configs.SameLabel(known, label) {
			label = known
		}
	}
	p := Point{X: d.places[label], Label: label, Y: s.estimate}
	if d.Deviations {
		p.Y = p.Y.Deviating(statistics.SD.Of(s.rounds))
	}
	return p
}

// series returns the series that a sample belongs to.
func (d *drawing) series(l *layout, s *sample) *Series {
	return d.seriesAt(l.labels(s, 1, len(l.named)))
}

// seriesAt returns the series with the labels along the dimensions of series and that of panels, if there is one,
// after them. The first call makes it.
func (d *drawing) seriesAt(labels []string) *Series {
	n := len(d.from.Series)
	name, panel := strings.Join(labels[:n], ", "), ""
	if panels := d.from.Panels.Value; panels != "" {
		panel = labels[slices.Index(d.named()[1:], panels)]
	}
	i := slices.IndexFunc(d.Panels, func(p Panel) bool { return configs.SameLabel(p.Label, panel) })
	if i < 0 {
		i = len(d.Panels)
		d.Panels = append(d.Panels, Panel{Label: panel, Y: d.Y})
		if d.from.Panels.Value == metricDimension {
			d.Panels[i].Y = valueAxis(d.model, d.from.Query, panel)
		}
	}
	p := &d.Panels[i]
	j := slices.IndexFunc(p.Series, func(s Series) bool { return configs.SameLabel(s.Label, name) })
	if j < 0 {
		j = len(p.Series)
		p.Series = append(p.Series, Series{Label: name, Right: d.Right != nil && labels[0] == d.Right.Name})
		d.names[name] = d.nameOf(labels[:n])
	}
	return &p.Series[j]
}

// nameOf returns what people call the series with the labels.
func (d *drawing) nameOf(labels []string) string {
	shown := make([]string, len(labels))
	for i, label := range labels {
		shown[i] = LevelName(d.from.Series[i].Value, label)
	}
	return strings.Join(shown, ", ")
}

// nameLevels gives panels and series the names that people read, once everything is found and sorted by their labels.
func (d *drawing) nameLevels() {
	for p := range d.Panels {
		panel := &d.Panels[p]
		panel.Label = LevelName(d.from.Panels.Value, panel.Label)
		for s := range panel.Series {
			panel.Series[s].Label = d.names[panel.Series[s].Label]
		}
	}
}

// prepare makes the panels and series in the order of their levels.
func (d *drawing) prepare(l *layout) {
	combinations := l.combinations(1, len(l.named))
	if panels := d.from.Panels.Value; panels != "" {
		i := slices.Index(d.named()[1:], panels)
		level := func(labels []string) int { return l.grid.dims[l.named[1+i]].level(labels[i]) }
		slices.SortStableFunc(combinations, func(a, b []string) int { return cmp.Compare(level(a), level(b)) })
	}
	for _, labels := range combinations {
		d.seriesAt(labels)
	}
}

// sort puts points in the order of their places.
func (d *drawing) sort() {
	byPlace := func(a, b Point) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y.Value, b.Y.Value)) }
	for p := range d.Panels {
		for s := range d.Panels[p].Series {
			slices.SortStableFunc(d.Panels[p].Series[s].Points, byPlace)
			slices.SortStableFunc(d.Panels[p].Series[s].Published, byPlace)
		}
	}
}

// overlay adds the paper's own numbers to the series that show ours. Each file is placed by itself, so that a run for
// which several tables print different values shows all of them; a difference may need the numbers of all files.
func (a *analyzer) overlay(d *drawing) error {
	if len(d.from.Published) == 0 {
		return nil
	}
	files := words(d.from.Published)
	groups := [][]string{files}
	if len(d.from.Against) == 0 {
		groups = groups[:0]
		for _, file := range files {
			groups = append(groups, []string{file})
		}
	}
	found := false
	for _, group := range groups {
		placed, err := a.overlayFiles(d, group)
		if err != nil {
			return fmt.Errorf("%s: %w", strings.Join(group, ", "), err)
		}
		found = found || placed
	}
	if !found {
		d.Warnings = append(d.Warnings, strings.Join(files, ", ")+": no published number is of a run of this figure")
	}
	return nil
}

// overlayFiles adds the numbers of some files, each value once, and reports whether any is of a run of the figure.
func (a *analyzer) overlayFiles(d *drawing, files []string) (bool, error) {
	l, err := a.publishedAnswer(d.of, d.from.Query, d.named(), files)
	if l == nil || err != nil {
		return false, err
	}
	for _, s := range l.grid.samples {
		point := d.point(l, s)
		series := d.series(l, s)
		same := func(p Point) bool { return p.X == point.X && p.Y.Value == point.Y.Value }
		if !math.IsNaN(point.Y.Value) && !slices.ContainsFunc(series.Published, same) {
			series.Published = append(series.Published, point)
		}
	}
	return true, nil
}
