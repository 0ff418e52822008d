// Figures: queries that are drawn.

package study

import (
	"slices"

	"gridsweep/configs"
	"gridsweep/configs/language"
	"gridsweep/model"
)

// Figure is one figure: a query drawn.
type Figure struct {
	Name, Title string
	Query
	Kind language.FigureKind
	X    int // dimension; -1 where rows are drawn
	// of rows that are drawn: along x; of rectangles also where they end and how tall they are
	Begin, End, Height model.Column
	Position           *Position // where a level of X lies on the axis; nil where its label says so
	Series             []int     // dimensions; the first is metric where there is a right axis
	Panels             int       // dimension
	Right              int       // index of the column shown that has the right axis
	LogX, LogY         bool
	RangeX, RangeY     *[2]float64
	PanelRanges        []PanelRange // of y, in the place of RangeY
	Labels             AxisLabels
	Units              AxisUnits
	Whiskers           language.Whiskers
	Replication        *int // the one replication that is drawn; nil for the statistic over all
	Published          []PublishedFile
}

// PublishedFile is a file of published numbers.
type PublishedFile struct {
	Name   string
	MeanOf int // runs that each number is the mean of
}

// PanelRange limits the y axis of one panel.
type PanelRange struct {
	Panel  Label
	Limits [2]float64
}

// AxisLabels are titles of axes in place of those of columns and dimensions; empty for these. Right
// is the axis on the right, or the colours of a heat map.
type AxisLabels struct{ X, Y, Right string }

// AxisUnits are the units that axes are shown in.
type AxisUnits struct{ X, Y, Right Unit }

// Position is a column whose mean over the rows of a level is the level's position on an axis.
type Position struct {
	Query     // query of the column alone
	X     int // the dimension along the axis
}

func (b *binder) figure(f configs.Figure) *Figure {
	key := configs.Key("figures", f.Name.Value)
	bound := &Figure{
		Name: f.Name.Value, Title: f.Title.Value, Kind: language.FigureKind(f.Kind.Value), X: -1, Panels: -1, Right: -1,
		LogX: slices.ContainsFunc(f.Log, is(language.X)), LogY: slices.ContainsFunc(f.Log, is(language.Y)),
		Whiskers: language.Whiskers(f.Whiskers.Value), Replication: f.Replication,
	}
	bound.limit(f.Range)
	bound.Labels = AxisLabels{f.Labels.X.Value, f.Labels.Y.Value, f.Labels.Right.Value}
	rows := bound.Kind.DrawsRows()
	series := f.Series
	if f.Right.Value != "" { // the lines of the two columns are series
		series = append([]configs.Text{{Value: language.MetricDimension, Pos: f.Right.Pos}}, series...)
	}
	named := slices.Clone(series)
	if f.Panels.Value != "" {
		named = append(named, f.Panels)
	}
	if !rows {
		named = append(named, f.X)
	}
	bound.Query = b.query(f.Query, key, named, rows, b.experimentNames)
	for _, file := range f.Published {
		meanOf := b.file.MeanOf(file.Value)
		bound.Published = append(bound.Published, PublishedFile{file.Value, max(1, meanOf)})
		if b.model != nil && meanOf == 0 && !b.hasBrokenTable {
			b.report(file, key+".published", "no table shows %s, so it is not known which runs its numbers are of", file.Value)
		}
	}
	b.checkPanelRanges(f, key+".range.y")
	if b.model == nil {
		return bound
	}
	if rows {
		bound.Begin, _ = b.numberColumn(f.X, bound.From, key+".x")
	} else {
		bound.X = bound.dim(f.X)
	}
	if bound.Kind == language.Gantt {
		b.rectangles(f, bound, key)
	}
	bound.Series = bound.dims(series)
	if f.Panels.Value != "" {
		bound.Panels = bound.dim(f.Panels)
	}
	bound.Right = slices.IndexFunc(bound.Shown, func(c model.Column) bool {
		return f.Right.Value != "" && c.Name == f.Right.Value
	})
	if f.At.Value != "" {
		bound.Position = b.position(f, bound.Query, key)
	}
	b.axisUnits(f, bound, key+".units")
	if e := bound.Experiment; e != nil && e.Replications > 0 && f.Replication != nil {
		if _, replications := e.RangeOfReplications(); *f.Replication < 0 || *f.Replication >= replications {
			b.reportOf(e, f.Query, f.Name, key, ".round", "experiment %s has replications 0 to %d, not %d", e.Name,
				replications-1, *f.Replication)
		}
	}
	return bound
}

// limit sets the limits of the axes.
func (f *Figure) limit(ranges []configs.Range) {
	for _, r := range ranges {
		limits := [2]float64{r.Low, r.High}
		switch {
		case r.Panel.Value != "":
			f.PanelRanges = append(f.PanelRanges, PanelRange{NewLabel(r.Panel.Value), limits})
		case is(language.X)(r.Axis):
			f.RangeX = &limits
		default:
			f.RangeY = &limits
		}
	}
}

// checkPanelRanges reports limits of panels that do not exist.
func (b *binder) checkPanelRanges(f configs.Figure, key string) {
	shown := texts(f.Show)
	for _, r := range f.Range {
		key := key + "." + configs.Key(r.Panel.Value)
		switch {
		case r.Panel.Value == "" || f.Panels.Value == "":
		case is(language.MetricDimension)(f.Panels):
			if !slices.Contains(shown, r.Panel.Value) {
				b.report(r.Panel, key, "%q is not shown; %s", configs.Shortened(r.Panel.Value),
					configs.Suggest(r.Panel.Value, shown))
			}
		default:
			b.checkSelection(f.Of, configs.Selection{Dimension: f.Panels, Labels: []configs.Text{r.Panel}}, key)
		}
	}
}

// axisUnits binds the units of axes.
func (b *binder) axisUnits(f configs.Figure, bound *Figure, key string) {
	if len(bound.Shown) == 0 || bound.Shown[0].Name == "" {
		return // the problem of the shown column is reported
	}
	left, right := bound.Shown[0].Unit, ""
	switch {
	case bound.Right >= 0 && len(bound.Shown) == 2:
		left, right = bound.Shown[1-bound.Right].Unit, bound.Shown[bound.Right].Unit
	case bound.Kind == language.Heat:
		right = left
	}
	if as := bound.As; as != language.Difference {
		for _, unit := range []configs.Text{f.Units.Y, f.Units.Right} {
			if unit.Value != "" {
				b.report(unit, key, "the numbers are compared as %s, which has no unit; it goes with numbers as they are and "+
					"with differences", as)
			}
		}
	} else {
		bound.Units.Y, bound.Units.Right = b.unitOf(f.Units.Y, left, key+".y"), b.unitOf(f.Units.Right, right, key+".right")
	}
	bound.Units.X = b.unitOf(f.Units.X, bound.unitOfX(), key+".x")
}

// unitOfX returns the unit of the numbers along x, such as of durations; empty for names.
func (f *Figure) unitOfX() string {
	switch {
	case f.X < 0:
		return f.Begin.Unit
	case f.Position != nil:
		return f.Position.Shown[0].Unit
	case f.Kind == language.Bar || f.Kind == language.Heat:
		return ""
	}
	switch dim := f.Dims[f.X]; {
	case dim.Parameter != nil:
		return dim.Parameter.Unit
	case dim.Key != nil:
		return dim.Key.Unit
	case dim.Factor != nil:
		_, unit := Scale(mapped(dim.Factor.Levels, func(l Level) Label { return l.Label }))
		return unit
	}
	return ""
}

// rectangles binds the sides of rectangles. It reports sides that are not numbers or whose unit
// differs from that of their beginnings, and a table with one row for each run.
func (b *binder) rectangles(f configs.Figure, bound *Figure, key string) {
	from := bound.From
	if from.Columns != nil && len(from.Keys) == 0 {
		b.report(f.From, key+".from", "table %s has one row for each run; the rectangles are rows of a long table", from.Name)
	}
	var show configs.Text
	if len(f.Show) > 0 {
		show = f.Show[0]
	}
	side := func(name, beginning configs.Text, key string) model.Column {
		column, isNumber := b.numberColumn(name, from, key)
		if other, isColumn := from.column(beginning.Value); isNumber && isColumn && column.Unit != other.Unit {
			b.report(name, key, "%s is in %q and %s in %q; they stand on one axis", name.Value, column.Unit, beginning.Value,
				other.Unit)
		}
		return column
	}
	bound.End, bound.Height = side(f.End, f.X, key+".end"), side(f.Height, show, key+".height")
}

// position binds the column whose mean is the position of a level of x: of the figure's own table,
// else of the runs, since a factor along x has its levels there too.
func (b *binder) position(f configs.Figure, q Query, key string) *Position {
	from := q.From
	isKey := func(c model.Column) bool { return c.Name == f.X.Value }
	if _, own := from.column(f.At.Value); !own && !slices.ContainsFunc(from.Keys, isKey) {
		from = b.source(model.RunsTable)
	}
	column, _ := b.numberColumn(f.At, from, key+".at")
	p := &Position{Query: Query{
		Experiment: q.Experiment, From: from, Shown: []model.Column{column}, Dims: q.Dims,
	}}
	if from != q.From {
		p.Dims = b.dimensions(q.Experiment, from, f.Query)
	}
	p.X = p.dim(f.X)
	return p
}
