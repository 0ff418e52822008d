package study

// Binding of tables, figures and claims.

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"gridsweep/configs"
	"gridsweep/configs/language"
	"gridsweep/model"
)

func (b *binder) table(t configs.Table) Table {
	key := configs.Key("tables", t.Name.Value)
	bound := Table{
		Name: t.Name.Value, Title: t.Title.Value, Columns: texts(t.Columns), Published: t.Published.Value, MeanOf: t.MeanOf,
		Given: t.Given, Fitted: slices.ContainsFunc(b.file.Fit, is(t.Name.Value)),
	}
	for _, block := range t.Blocks {
		q := b.query(block.Query, key, append(slices.Clone(block.Rows), t.Columns...), false, b.names)
		bound.Blocks = append(bound.Blocks, Block{
			Query: q, Rows: q.dims(block.Rows), Columns: q.dims(t.Columns), Label: block.Label.Value,
		})
	}
	if b.model != nil {
		b.placePublished(t, &bound, key)
		b.showAs(t, &bound, key)
	}
	return bound
}

// checkFit reports tables of fit that do not exist or have no published numbers to fit.
func (b *binder) checkFit() {
	var names []string
	for _, t := range b.file.Tables {
		if isBroken(t) {
			return // the table may be one of fit
		}
		if t.Published.Value != "" && !t.Given {
			names = append(names, t.Name.Value)
		}
	}
	for _, name := range b.file.Fit {
		if !slices.Contains(names, name.Value) {
			b.report(name, "fit", "no table %q has published numbers that are results; %s", configs.Shortened(name.Value),
				configs.Suggest(name.Value, names))
		}
	}
}

// showAs binds the units and decimals of the numbers of a table.
func (b *binder) showAs(t configs.Table, bound *Table, key string) {
	bound.Decimals, bound.Units = map[string]int{}, map[string]Unit{}
	for _, block := range bound.Blocks {
		for _, column := range block.Shown {
			for _, s := range t.Decimals {
				if s.Name.Value == "" || s.Name.Value == column.Name {
					bound.Decimals[column.Name], _ = strconv.Atoi(s.Value.Value) // the file's form has it in digits
				}
			}
			for _, s := range t.Units {
				key := key + ".units." + configs.Key(s.Name.Value)
				switch compares := block.As != "" && block.As != language.Difference; {
				case s.Name.Value != column.Name:
				case compares:
					b.report(s.Value, key, "the numbers are compared as %s, which has no unit; it goes with numbers as they are and "+
						"with differences", block.As)
				default:
					bound.Units[column.Name] = b.unitOf(s.Value, column.Unit, key)
				}
			}
		}
	}
}

func (b *binder) figure(f configs.Figure) Figure {
	key := configs.Key("figures", f.Name.Value)
	bound := Figure{
		Name: f.Name.Value, Title: f.Title.Value, Kind: language.FigureKind(f.Kind.Value), X: -1, Panels: -1, Right: -1,
		LogX: slices.ContainsFunc(f.Log, is(language.X)), LogY: slices.ContainsFunc(f.Log, is(language.Y)),
		Whiskers: language.Whiskers(f.Whiskers.Value), Round: f.Round,
	}
	for _, r := range f.Range {
		limits := [2]float64{r.Low, r.High}
		switch {
		case r.Panel.Value != "":
			bound.PanelRanges = append(bound.PanelRanges, PanelRange{NewLabel(r.Panel.Value), limits})
		case is(language.X)(r.Axis):
			bound.RangeX = &limits
		default:
			bound.RangeY = &limits
		}
	}
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
	bound.Query = b.query(f.Query, key, named, rows, b.names)
	for _, file := range f.Published {
		bound.Published = append(bound.Published, PublishedFile{file.Value, b.file.MeanOf(file.Value)})
		if _, shown := b.means[file.Value]; b.model != nil && !shown && !b.anyTable {
			b.report(file, key+".published", "no table shows %s, so it is not known which runs its numbers are of", file.Value)
		}
	}
	b.checkPanelRanges(f, key+".range.y")
	if b.model == nil {
		return bound
	}
	if rows {
		bound.Begin, _ = b.number(f.X, bound.From, key+".x")
	} else {
		bound.X = bound.dim(f.X)
	}
	if bound.Kind == language.Gantt {
		b.rectangles(f, &bound, key)
	}
	bound.Series = bound.dims(series)
	if f.Panels.Value != "" {
		bound.Panels = bound.dim(f.Panels)
	}
	bound.Right = slices.IndexFunc(bound.Shown, func(c model.Column) bool {
		return f.Right.Value != "" && c.Name == f.Right.Value
	})
	if f.At.Value != "" {
		bound.Position = b.place(f, bound.Query, key)
	}
	b.axisUnits(f, &bound, key+".units")
	if e := bound.Of; e != nil && e.Rounds > 0 && f.Round != nil {
		if _, rounds := e.RangeOfRounds(); *f.Round < 0 || *f.Round >= rounds {
			b.reportOf(e, f.Query, f.Name, key, ".round", "experiment %s has replications 0 to %d, not %d", e.Name,
				rounds-1, *f.Round)
		}
	}
	return bound
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
	if as := bound.As; as != "" && as != language.Difference {
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
		return f.Position.Column.Unit
	case f.Kind == language.Bar || f.Kind == language.Heat:
		return ""
	}
	switch dim := f.Dims[f.X]; {
	case dim.Parameter != nil:
		return dim.Parameter.Unit
	case dim.Key != nil:
		return dim.Key.Unit
	case dim.Factor != nil:
		labels := make([]Label, len(dim.Factor.Levels))
		for i, level := range dim.Factor.Levels {
			labels[i] = level.Label
		}
		_, unit := Scale(labels)
		return unit
	}
	return ""
}

// is returns whether a text is the word.
func is[W ~string](word W) func(configs.Text) bool {
	return func(t configs.Text) bool { return t.Value == string(word) }
}

// rectangles binds the sides of rectangles. It reports sides that are not numbers or whose unit
// differs from that of their beginnings, and a table with one row for each run.
func (b *binder) rectangles(f configs.Figure, bound *Figure, key string) {
	from := bound.From
	if from.Columns != nil && len(from.Keys) == 0 {
		b.report(f.From, key+".from", "table %s has one row for each run; the rectangles are rows of a long table", from.Name)
	}
	first := func(list []configs.Text) configs.Text { return append(slices.Clone(list), configs.Text{})[0] }
	for _, side := range []struct {
		into         *model.Column
		name, begins configs.Text
		word         string
	}{{&bound.End, f.End, f.X, "end"}, {&bound.Height, f.Height, first(f.Show), "height"}} {
		column, isNumber := b.number(side.name, from, key+"."+side.word)
		*side.into = column
		if other, isColumn := from.column(side.begins.Value); isNumber && isColumn && column.Unit != other.Unit {
			b.report(side.name, key+"."+side.word, "%s is in %q and %s in %q; they stand on one axis",
				side.name.Value, column.Unit, side.begins.Value, other.Unit)
		}
	}
}

// place binds the column whose mean is the position of a level of x: of the figure's own table,
// else of the runs, since a factor along x has its levels there too.
func (b *binder) place(f configs.Figure, q Query, key string) *Position {
	from := q.From
	isKey := func(c model.Column) bool { return c.Name == f.X.Value }
	if _, own := from.column(f.At.Value); !own && !slices.ContainsFunc(from.Keys, isKey) {
		from = b.source(model.RunsTable)
	}
	column, _ := b.number(f.At, from, key+".at")
	p := &Position{Column: column, Query: Query{Of: q.Of, From: from, Shown: []model.Column{column}, Dims: q.Dims}}
	if from != q.From {
		p.Dims = b.dimensions(q.Of, from, f.Query)
	}
	p.X = p.dim(f.X)
	return p
}

func (b *binder) claim(c configs.Claim) Claim {
	key, before := configs.Key("claims", c.Name.Value), b.problems.Count()
	bound := Claim{
		Name: c.Name.Value, Doc: c.Doc.Value, Source: c.Source.Value, Main: c.Main,
		Origin: cmp.Or(language.Origin(c.Origin.Value), language.OfPaper), Presupposes: c.Presupposes.Value,
		Test: Test{
			Trend: language.Trend(c.Trend.Value), Above: c.Above, Below: c.Below, Near: c.Near, Within: c.Within,
			Spread: c.Spread, Margin: c.Margin,
		},
	}
	for _, group := range c.Order {
		bound.Order = append(bound.Order, newLabels(group))
	}
	claims := []configs.Claim{c}
	if whole, has := b.withEach[c.Of.Value]; has {
		claims = claimsOfParts(c, whole)
	}
	for _, part := range claims {
		bound.Assertions = append(bound.Assertions, b.assertion(part, key))
		for _, group := range part.Order {
			named := slices.DeleteFunc(slices.Clone(group), is(language.Rest))
			b.checkSelection(part.Of, configs.Selection{Dimension: part.Along, Labels: named}, key+".order")
		}
		if b.problems.Count() > before {
			return bound // the other parts most likely have the same
		}
	}
	if b.model != nil {
		bound.Repetitions = b.repetitions(bound.Assertions)
	}
	return bound
}

// checkPresupposed reports claims that presuppose no other claim of the study, and circles of
// claims that presuppose one another, each once.
func (b *binder) checkPresupposed() {
	claims, names := map[string]configs.Claim{}, []string{}
	for _, c := range b.file.Claims {
		claims[c.Name.Value] = c
		names = append(names, c.Name.Value)
	}
	seen := map[string]int{} // by name: the first claim, from 1, whose presuppositions have it
	for i, c := range b.file.Claims {
		key := configs.Key("claims", c.Name.Value) + ".presupposes"
		of := c.Presupposes
		if _, known := claims[of.Value]; of.Value != "" && !known {
			b.report(of, key, "no claim %q; %s", configs.Shortened(of.Value), configs.Suggest(of.Value, names))
		}
		at := c.Name.Value
		for at != "" && seen[at] == 0 {
			seen[at], at = i+1, claims[at].Presupposes.Value
		}
		if at != "" && seen[at] == i+1 {
			b.report(claims[at].Presupposes, configs.Key("claims", at)+".presupposes", "the claim presupposes itself: %s",
				circle(claims, at))
		}
	}
}

// circle returns in words how a claim presupposes itself.
func circle(claims map[string]configs.Claim, from string) string {
	names := []string{configs.Shortened(from)}
	for at := claims[from].Presupposes.Value; at != from && len(names) < mostOfCircle; at = claims[at].Presupposes.Value {
		names = append(names, configs.Shortened(at))
	}
	return strings.Join(append(names, configs.Shortened(from)), " → ")
}

// mostOfCircle is the maximum number of claims of a circle that a message names.
const mostOfCircle = 10

func (b *binder) assertion(c configs.Claim, key string) Assertion {
	named := slices.Concat(c.For, c.Most)
	if c.Along.Value != "" {
		named = append(named, c.Along)
	}
	a := Assertion{Query: b.query(c.Query, key, named, false, b.namesInClaims)}
	a.For, a.Most, a.Along = a.dims(c.For), a.dims(c.Most), a.dim(c.Along)
	return a
}

// repetitions returns the assertions of a claim for each experiment of the file that repeats all of
// their experiments.
func (b *binder) repetitions(assertions []Assertion) []Repetition {
	var repetitions []Repetition
	for _, e := range b.file.Experiments {
		repetition := Repetition{Experiment: e.Name.Value}
		for _, a := range assertions {
			if a.Of == nil {
				return nil
			}
			repeats := func(again *Experiment) bool { return again.file.again == a.Of.Name }
			repeated := b.repeated[e.Name.Value]
			if i := slices.IndexFunc(repeated, repeats); i >= 0 {
				repetition.Assertions = append(repetition.Assertions, b.repeatedAssertion(a, repeated[i]))
			}
		}
		if len(assertions) > 0 && len(repetition.Assertions) == len(assertions) {
			repetitions = append(repetitions, repetition)
		}
	}
	return repetitions
}

// repeatedAssertion returns the assertion for an experiment that repeats the assertion's experiment
// and has one more dimension in front.
func (b *binder) repeatedAssertion(a Assertion, again *Experiment) Assertion {
	later := func(dims []int) []int {
		moved := make([]int, len(dims))
		for i, d := range dims {
			moved[i] = d + 1
		}
		return moved
	}
	laterSelections := func(list []Selection) []Selection {
		var moved []Selection
		for _, s := range list {
			moved = append(moved, Selection{s.Dim + 1, s.Labels})
		}
		return moved
	}
	others := a.Dims[len(a.Of.Crossed):]
	a.Of, a.Dims = again, nil
	for i := range again.Crossed {
		a.Dims = append(a.Dims, b.dimension(&again.Crossed[i]))
	}
	a.Dims = append(a.Dims, others...)
	a.Over, a.Averaged = append([]bool{false}, a.Over...), later(a.Averaged)
	a.Where, a.Against = laterSelections(a.Where), laterSelections(a.Against)
	a.For, a.Most = later(a.For), later(a.Most)
	if a.Along >= 0 {
		a.Along++
	}
	return a
}
