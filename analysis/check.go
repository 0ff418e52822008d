package analysis

import (
	"fmt"
	"slices"
	"strings"

	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/sweeps"
)

// Check returns what is wrong with the names in a study's tables, figures and claims, all of it: tables and columns
// that the model does not have, dimensions that the experiment does not have, dimensions that vary and are not named,
// and published numbers that belong nowhere. It needs no rows. That labels are levels of their factors is checked
// with the study's form.
func Check(study *configs.Study, plan *sweeps.Plan) configs.Problems {
	c := &checker{study: study, model: plan.Model, experiments: study.Expanded()}
	for _, t := range study.Tables {
		key := configs.Key("tables", t.Name.Value)
		for _, b := range t.Blocks {
			c.query(b.Query, key, append(slices.Clone(b.Rows), t.Columns...), false)
		}
		c.publishedTable(t, key)
	}
	for _, f := range study.Figures {
		c.figure(f, configs.Key("figures", f.Name.Value))
	}
	for _, claim := range study.Claims {
		for _, part := range study.PartsOf(claim) {
			c.query(part.Query, configs.Key("claims", claim.Name.Value), claimDims(part), false)
		}
	}
	return c.problems
}

// checker gathers problems.
type checker struct {
	study       *configs.Study
	model       *model.Model
	experiments []configs.Experiment // expanded
	problems    configs.Problems
}

func (c *checker) report(at configs.Text, key, format string, args ...any) {
	problem := c.study.Problem(at.Pos, key, fmt.Sprintf(format, args...))
	if !slices.Contains(c.problems, problem) {
		c.problems = append(c.problems, problem)
	}
}

// experiment returns the named experiment; nil where there is none, which is noted with the study's form.
func (c *checker) experiment(of configs.Text) *configs.Experiment {
	i := slices.IndexFunc(c.experiments, func(e configs.Experiment) bool { return e.Name.Value == of.Value })
	if i < 0 {
		return nil
	}
	return &c.experiments[i]
}

// columns returns the columns of a query's table, or nil and a problem.
func (c *checker) columns(q configs.Query, key string) []model.Column {
	columns := columnsOf(c.model, tableOf(q))
	if columns == nil {
		known := []string{timingsTable}
		for _, t := range c.model.Tables {
			known = append(known, t.Name)
		}
		c.report(q.From, key+".from", "model %s has no table %q; %s", c.model.Name, tableOf(q),
			configs.Suggest(tableOf(q), known))
	}
	return columns
}

// column notes a column that the table does not have, or that holds no numbers.
func (c *checker) column(name configs.Text, table string, columns []model.Column, key string) {
	var known []string
	for _, column := range columns {
		if column.Kind == model.KindString {
			continue
		}
		if column.Name == name.Value {
			return
		}
		known = append(known, column.Name)
	}
	if slices.ContainsFunc(columns, func(column model.Column) bool { return column.Name == name.Value }) {
		c.report(name, key, "column %s of table %s is text; a number is wanted", name.Value, table)
		return
	}
	c.report(name, key, "table %s has no column %q; %s", table, name.Value, configs.Suggest(name.Value, known))
}

// query checks a query that lays out the named dimensions. Free says that rows are drawn as they are: the keys need not be
// named.
func (c *checker) query(q configs.Query, key string, named []configs.Text, free bool) {
	columns := c.columns(q, key)
	e := c.experiment(q.Of)
	if columns == nil || e == nil {
		return
	}
	for _, name := range q.Show {
		c.column(name, tableOf(q), columns, key+".show")
	}
	dims := c.dimensions(e, columns)
	if free { // rows are no statistics
		dims = slices.DeleteFunc(dims, func(name string) bool { return name == statDimension })
	}
	uses := slices.Concat(named, q.Over)
	for _, w := range slices.Concat(q.Where, q.Against) {
		uses = append(uses, w.Dimension)
	}
	for _, name := range uses {
		if !slices.Contains(dims, name.Value) {
			c.report(name, key, "experiment %s has no dimension %q in table %s; %s", e.Name.Value, name.Value, tableOf(q),
				configs.Suggest(name.Value, dims))
		}
	}
	for _, w := range q.Where {
		for _, label := range w.Labels {
			if w.Dimension.Value == metricDimension && !slices.Contains(words(q.Show), label.Value) {
				c.report(label, key+".where", "%q is not shown; %s", label.Value, configs.Suggest(label.Value, words(q.Show)))
			}
		}
	}
	for _, name := range dims {
		isKey := slices.Contains(keysOf(columns), name)
		placed := slices.Contains(words(named), name) || slices.Contains(words(q.Over), name)
		if !placed && !(free && isKey) && c.varies(name, e, q, isKey) {
			c.report(q.Of, key, "%s varies and is not named; say where it stands, select one level with where "+
				"or take the mean with over", name)
		}
	}
}

// dimensions returns the names of a query's dimensions.
func (c *checker) dimensions(e *configs.Experiment, columns []model.Column) []string {
	var dims []string
	for _, crossed := range e.Cross {
		dims = append(dims, crossed.Factor.Value)
	}
	return append(append(dims, keysOf(columns)...), metricDimension, statDimension)
}

// varies reports whether a query's numbers have more than one level along a dimension. Of a key it is not known which
// levels there will be.
func (c *checker) varies(name string, e *configs.Experiment, q configs.Query, isKey bool) bool {
	switch name {
	case metricDimension:
		return len(q.Show) > 1 && len(selection(q.Where, metricDimension)) != 1
	case statDimension:
		return len(q.Stat) > 1
	}
	levels := selection(q.Where, name)
	if isKey {
		return len(levels) != 1
	}
	if levels == nil {
		levels = c.levels(e, name)
	}
	left := len(levels)
	if against := selection(q.Against, name); len(against) == 1 && len(q.Against) == 1 {
		if slices.ContainsFunc(levels, func(l configs.Text) bool { return configs.SameLabel(l.Value, against[0].Value) }) {
			left-- // what the others are compared with drops out
		}
	}
	return left > 1
}

// levels returns the levels that an experiment takes from a factor.
func (c *checker) levels(e *configs.Experiment, factor string) []configs.Text {
	for _, crossed := range e.Cross {
		if crossed.Factor.Value == factor && crossed.Levels != nil {
			return crossed.Levels
		}
	}
	var labels []configs.Text
	for _, f := range c.study.Factors {
		if f.Name.Value == factor {
			for _, level := range f.Levels {
				labels = append(labels, level.Label)
			}
		}
	}
	return labels
}

// hasLevel reports whether a factor of the study has the level, whether or not an experiment takes it.
func (c *checker) hasLevel(factor, label string) bool {
	i := slices.IndexFunc(c.study.Factors, func(f configs.Factor) bool { return f.Name.Value == factor })
	return i >= 0 && slices.ContainsFunc(c.study.Factors[i].Levels, func(l configs.Level) bool {
		return configs.SameLabel(l.Label.Value, label)
	})
}

func (c *checker) figure(f configs.Figure, key string) {
	named := slices.Clone(f.Series)
	if f.Panels.Value != "" {
		named = append(named, f.Panels)
	}
	if f.Right.Value != "" {
		named = append(named, configs.Text{Value: metricDimension, Pos: f.Right.Pos})
	}
	rows := drawsRows(f.Kind.Value)
	if !rows {
		named = append(named, f.X)
	}
	c.query(f.Query, key, named, rows)
	columns, e := columnsOf(c.model, tableOf(f.Query)), c.experiment(f.Of)
	if columns == nil || e == nil {
		return
	}
	if rows {
		c.column(f.X, tableOf(f.Query), columns, key+".x")
	}
	if f.Kind.Value == ganttKind {
		c.rectangles(f, columns, key)
	}
	if f.At.Value != "" {
		table := tableOfPlaces(c.model, f)
		c.column(f.At, table, columnsOf(c.model, table), key+".at")
	}
	if f.Round != nil && (*f.Round < 0 || *f.Round >= e.Rounds) {
		c.report(f.Name, key+".round", "experiment %s has rounds 0 to %d, not %d", e.Name.Value, e.Rounds-1, *f.Round)
	}
	for _, file := range f.Published {
		if !slices.ContainsFunc(c.study.Tables, func(t configs.Table) bool { return t.Published.Value == file.Value }) {
			c.report(file, key+".published", "no table shows %s, so it is not known which runs its numbers are of", file.Value)
		}
	}
}

// rectangles notes what keeps the rows of a table from being rectangles: sides that are no numbers, or of another unit
// than where they begin, and a table with one row for a run.
func (c *checker) rectangles(f configs.Figure, columns []model.Column, key string) {
	table := tableOf(f.Query)
	if len(keysOf(columns)) == 0 {
		c.report(f.From, key+".from", "table %s has one row for each run; the rectangles are rows of a long table", table)
	}
	unit := func(name string) string {
		i := slices.IndexFunc(columns, func(column model.Column) bool { return column.Name == name })
		if i < 0 {
			return ""
		}
		return columns[i].Unit
	}
	for _, side := range []struct {
		name, from configs.Text
		word       string
	}{{f.End, f.X, "end"}, {f.Height, f.Show[0], "height"}} {
		before := len(c.problems)
		c.column(side.name, table, columns, key+"."+side.word)
		if ours, other := unit(side.name.Value), unit(side.from.Value); len(c.problems) == before && ours != other {
			c.report(side.name, key+"."+side.word, "%s is in %q and %s in %q; they stand on one axis",
				side.name.Value, ours, side.from.Value, other)
		}
	}
}

// publishedTable notes the numbers of a table's file that stand in no cell of the table.
func (c *checker) publishedTable(t configs.Table, key string) {
	if t.Published.Value == "" {
		return
	}
	if other := c.study.MeanOf(t.Published.Value); other != t.MeanOf {
		c.report(t.Published, key+".mean_of", "the numbers of %s are means of %d here and of %d in a table before; a file has one kind of numbers",
			t.Published.Value, t.MeanOf, other)
	}
	var reasons []string
	for _, cell := range c.study.Published(t.Published.Value) {
		reason, fits := "", false
		for _, b := range t.Blocks {
			why := c.misplaced(&cell, b)
			if fits = fits || why == ""; reason == "" {
				reason = why
			}
		}
		if !fits && !slices.Contains(reasons, reason) { // each reason once, at its first cell
			reasons = append(reasons, reason)
			c.report(configs.Text{Pos: cell.Pos}, key+".published", "%s", reason)
		}
	}
}

// misplaced says why a published number stands in no cell of a block; empty where it stands in one.
func (c *checker) misplaced(cell *configs.PublishedCell, b configs.Block) string {
	e, columns := c.experiment(b.Of), columnsOf(c.model, tableOf(b.Query))
	if e == nil || columns == nil {
		return ""
	}
	if shown := words(b.Show); !slices.Contains(shown, cell.Metric) {
		return fmt.Sprintf("metric %q is not shown; %s", cell.Metric, configs.Suggest(cell.Metric, shown))
	}
	dims := c.dimensions(e, columns)
	for _, l := range cell.Labels {
		if !slices.Contains(dims, l.Dimension) {
			return fmt.Sprintf("experiment %s has no dimension %q; %s", e.Name.Value, l.Dimension,
				configs.Suggest(l.Dimension, dims))
		}
		levels := words(c.levels(e, l.Dimension))
		if len(levels) == 0 || l.Level == b.Label.Value {
			continue // a key, or the row of an average
		}
		if !c.hasLevel(l.Dimension, l.Level) {
			continue // of a factor that a derived study gives other levels, else noted with the study's form
		}
		if (dimension{levels: levels}).level(l.Level) < 0 {
			return fmt.Sprintf("experiment %s takes no level %q of %s; %s", e.Name.Value, l.Level, l.Dimension,
				configs.Suggest(l.Level, levels))
		}
	}
	without := slices.DeleteFunc(dims, func(name string) bool {
		return name == metricDimension || name == statDimension || slices.Contains(words(b.Over), name) ||
			len(selection(b.Where, name)) == 1 || labelAlong(cell, name) != ""
	})
	if len(without) > 0 {
		return "the file does not say which " + strings.Join(without, " and ") + " its numbers are of"
	}
	return ""
}
