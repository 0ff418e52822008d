package analysis

import (
	"cmp"
	"context"
	"slices"

	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/sweeps"
)

// Check returns what is wrong with the names in a study's tables, figures and claims, all of it: tables and columns
// that the model does not have, dimensions that the experiment does not have, dimensions that vary and are not named,
// and published numbers that belong nowhere. It needs no rows. That labels are levels of their factors is checked
// with the study's form. When ctx is done, the rest is not checked.
func Check(ctx context.Context, study *configs.Study, plan *sweeps.Plan) configs.Problems {
	c := newChecker(study, plan.Model)
	for _, t := range study.Tables {
		if ctx.Err() != nil {
			break
		}
		key := configs.Key("tables", t.Name.Value)
		for _, b := range t.Blocks {
			c.query(b.Query, key, append(slices.Clone(b.Rows), t.Columns...), false)
		}
		c.publishedTable(t, key)
	}
	for _, f := range study.Figures {
		if ctx.Err() != nil {
			break
		}
		c.figure(f, configs.Key("figures", f.Name.Value))
	}
	for _, claim := range study.Claims {
		if ctx.Err() != nil {
			break
		}
		parts := []configs.Claim{claim}
		if whole := c.withEach[claim.Of.Value]; whole != nil {
			parts = claim.PartsIn(*whole)
		}
		for _, part := range parts {
			c.query(part.Query, configs.Key("claims", claim.Name.Value), claimDims(part), false)
		}
	}
	c.reportUnfit()
	return c.problems
}

// checker gathers problems.
type checker struct {
	study       *configs.Study
	model       *model.Model
	experiments map[string]*configs.Experiment // expanded, by name
	withEach    map[string]*configs.Experiment // those of the study that have parts, by name
	factors     map[string]levels              // by name
	taken       map[[2]string]levels           // of a factor by an experiment, by their names, where these are not all
	tables      map[string]table               // of the model, by name
	means       map[string]int                 // runs that the numbers of a file are means of, by its name
	anyTable    bool                           // could show any file: not all of it could be read
	placed      int                            // published numbers times blocks of their tables so far
	unfit       []unfit
	problems    configs.Problems
}

// levels are those of a factor, to look one up.
type levels struct {
	labels []string
	set    map[string]bool // of labels in their one way of writing
}

func newLevels(labels []string) levels {
	l := levels{labels: labels, set: make(map[string]bool, len(labels))}
	for _, label := range labels {
		l.set[configs.CanonicalLabel(label)] = true
	}
	return l
}

func (l levels) has(label string) bool { return l.set[configs.CanonicalLabel(label)] }

// table is a table of the model with its columns.
type table struct {
	columns []model.Column
	keys    []string
}

func newChecker(study *configs.Study, m *model.Model) *checker {
	c := &checker{
		study: study, model: m, experiments: map[string]*configs.Experiment{}, withEach: map[string]*configs.Experiment{},
		factors: map[string]levels{}, taken: map[[2]string]levels{}, tables: map[string]table{}, means: map[string]int{},
	}
	expanded := study.Expanded()
	for i := range expanded {
		c.experiments[expanded[i].Name.Value] = &expanded[i]
	}
	for i, e := range study.Experiments {
		if len(e.Each) > 0 {
			c.withEach[e.Name.Value] = &study.Experiments[i]
		}
	}
	for _, f := range study.Factors {
		if f.Broken {
			c.factors[f.Name.Value] = levels{}
			continue
		}
		labels := make([]string, len(f.Levels))
		for i, level := range f.Levels {
			labels[i] = level.Label.Value
		}
		c.factors[f.Name.Value] = newLevels(labels)
	}
	for _, t := range study.Tables {
		c.anyTable = c.anyTable || isBroken(t)
		if _, known := c.means[t.Published.Value]; !known {
			c.means[t.Published.Value] = t.MeanOf
		}
	}
	return c
}

func (c *checker) report(at configs.Text, key, format string, args ...any) {
	c.study.Report(&c.problems, at.Pos, key, format, args...)
}

// isBroken reports whether not all of a table could be read.
func isBroken(t configs.Table) bool {
	return slices.ContainsFunc(t.Blocks, func(b configs.Block) bool { return b.Broken })
}

// experiment returns the named experiment; nil where there is none or not all of it is known, which is noted with the
// study's form.
func (c *checker) experiment(of configs.Text) *configs.Experiment {
	if e := c.experiments[of.Value]; e != nil && !e.Broken {
		return e
	}
	return nil
}

// table returns the table of a query; one without columns where the model has none.
func (c *checker) table(q configs.Query) table {
	name := tableOf(q)
	t, known := c.tables[name]
	if !known {
		t.columns = columnsOf(c.model, name)
		t.keys = keysOf(t.columns)
		c.tables[name] = t
	}
	return t
}

// columns returns the columns of a query's table, or nil and a problem.
func (c *checker) columns(q configs.Query, key string) []model.Column {
	columns := c.table(q).columns
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

// column notes a column that the table does not have, or that holds no numbers. It reports whether nothing is wrong. Of a
// table that the model does not have, no column is known.
func (c *checker) column(name configs.Text, table string, columns []model.Column, key string) bool {
	if columns == nil || name.Value == "" {
		return false // noted already
	}
	var known []string
	for _, column := range columns {
		if column.Kind == model.KindString {
			continue
		}
		if column.Name == name.Value {
			return true
		}
		known = append(known, column.Name)
	}
	if hasColumn(columns, name.Value) {
		c.report(name, key, "column %s of table %s is text; a number is wanted", name.Value, table)
		return false
	}
	c.report(name, key, "table %s has no column %q; %s", table, name.Value, configs.Suggest(name.Value, known))
	return false
}

// query checks a query that lays out the named dimensions, without its experiment or table where these are not known. Free
// says that rows are drawn as they are: the keys need not be named.
func (c *checker) query(q configs.Query, key string, named []configs.Text, free bool) {
	columns := c.columns(q, key)
	areShown := c.areColumns(q.Show, tableOf(q), columns, key+".show")
	e := c.experiment(q.Of)
	dims, keys := c.dimensions(e, q), c.table(q).keys
	if free { // rows are no statistics
		dims = slices.DeleteFunc(dims, func(name string) bool { return name == statDimension })
	}
	uses := slices.Concat(named, q.Over)
	for _, w := range slices.Concat(q.Where, q.Against) {
		uses = append(uses, w.Dimension)
	}
	areNamed := !q.Broken
	for _, name := range uses {
		switch {
		case slices.Contains(dims, name.Value) || name.Value == "":
		case e != nil:
			areNamed = false
			c.reportOf(e, q, name, key, "", "experiment %s has no dimension %q in table %s; %s", e.Name.Value, name.Value, tableOf(q),
				configs.Suggest(name.Value, dims))
		case name.Value != eachDimension:
			c.report(name, key, "no factor or key is named %q; %s", name.Value, configs.Suggest(name.Value, dims))
		}
	}
	shown := words(q.Show)
	for _, w := range q.Where {
		for _, label := range w.Labels {
			if areShown && w.Dimension.Value == metricDimension && !slices.Contains(shown, label.Value) {
				c.report(label, key+".where", "%q is not shown; %s", label.Value, configs.Suggest(label.Value, shown))
			}
		}
	}
	if e == nil || columns == nil || !areNamed {
		return // which dimensions vary, or are named, is not all known
	}
	for _, name := range dims {
		isKey := slices.Contains(keys, name)
		placed := slices.Contains(words(named), name) || slices.Contains(words(q.Over), name)
		if !placed && !(free && isKey) && c.varies(name, e, q, isKey) {
			c.reportOf(e, q, q.Of, key, "", "%s varies and is not named; say where it stands, select one level with where "+
				"or take the mean with over", name)
		}
	}
}

// areColumns is column for each of the names.
func (c *checker) areColumns(names []configs.Text, table string, columns []model.Column, key string) bool {
	all := true
	for _, name := range names {
		all = c.column(name, table, columns, key) && all
	}
	return all
}

// eachDimension stands in a claim for the factor that a part of an experiment varies.
const eachDimension = "each"

// dimensions returns the names of a query's dimensions: all that it can have where the experiment or the table is not known.
func (c *checker) dimensions(e *configs.Experiment, q configs.Query) []string {
	var dims []string
	if e == nil {
		for _, f := range c.study.Factors {
			dims = append(dims, f.Name.Value)
		}
		e = cmp.Or(c.experiments[q.Of.Value], &configs.Experiment{}) // which may vary a factor that there is not
	}
	for _, crossed := range e.Cross {
		if !slices.Contains(dims, crossed.Factor.Value) {
			dims = append(dims, crossed.Factor.Value)
		}
	}
	table := c.table(q)
	if table.columns == nil {
		for _, t := range c.model.Tables {
			table.keys = append(table.keys, keysOf(t.Columns)...)
		}
	}
	return append(append(dims, table.keys...), metricDimension, statDimension)
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
	where := selection(q.Where, name)
	if isKey {
		return len(where) != 1
	}
	left, has := len(where), func(label string) bool {
		return slices.ContainsFunc(where, func(l configs.Text) bool { return configs.SameLabel(l.Value, label) })
	}
	if where == nil {
		all := c.levels(e, name)
		left, has = len(all.labels), all.has
	}
	if against := selection(q.Against, name); len(against) == 1 && len(q.Against) == 1 && has(against[0].Value) {
		left-- // what the others are compared with drops out
	}
	return left > 1
}

// levels returns the levels that an experiment takes from a factor.
func (c *checker) levels(e *configs.Experiment, factor string) levels {
	for _, crossed := range e.Cross {
		if crossed.Factor.Value != factor || crossed.Levels == nil {
			continue
		}
		key := [2]string{e.Name.Value, factor}
		taken, known := c.taken[key]
		if !known {
			taken = newLevels(words(crossed.Levels))
			c.taken[key] = taken
		}
		return taken
	}
	return c.factors[factor]
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
	columns, e := c.table(f.Query).columns, c.experiment(f.Of)
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
	if e != nil && e.Rounds > 0 && f.Round != nil && (*f.Round < 0 || *f.Round >= e.Rounds) {
		c.reportOf(e, f.Query, f.Name, key, ".round", "experiment %s has rounds 0 to %d, not %d", e.Name.Value, e.Rounds-1, *f.Round)
	}
	for _, file := range f.Published {
		if _, shown := c.means[file.Value]; !shown && !c.anyTable {
			c.report(file, key+".published", "no table shows %s, so it is not known which runs its numbers are of", file.Value)
		}
	}
}

// rectangles notes what keeps the rows of a table from being rectangles: sides that are no numbers, or of another unit
// than where they begin, and a table with one row for a run.
func (c *checker) rectangles(f configs.Figure, columns []model.Column, key string) {
	table := tableOf(f.Query)
	if columns != nil && len(keysOf(columns)) == 0 {
		c.report(f.From, key+".from", "table %s has one row for each run; the rectangles are rows of a long table", table)
	}
	first := func(list []configs.Text) configs.Text { return append(list, configs.Text{})[0] }
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
	}{{f.End, f.X, "end"}, {f.Height, first(f.Show), "height"}} {
		isColumn := c.column(side.name, table, columns, key+"."+side.word)
		ours, other := unit(side.name.Value), unit(side.from.Value)
		if isColumn && hasColumn(columns, side.from.Value) && ours != other {
			c.report(side.name, key+"."+side.word, "%s is in %q and %s in %q; they stand on one axis",
				side.name.Value, ours, side.from.Value, other)
		}
	}
}

// mostPlaced is how many published numbers, times the blocks of their tables, are looked for in the tables.
const mostPlaced = 500_000

// publishedTable notes the numbers of a table's file that stand in no cell of the table.
func (c *checker) publishedTable(t configs.Table, key string) {
	if t.Published.Value == "" || isBroken(t) {
		return
	}
	if other := c.means[t.Published.Value]; other != t.MeanOf {
		c.report(t.Published, key+".mean_of", "the numbers of %s are means of %d here and of %d in a table before; a file has one kind of numbers",
			t.Published.Value, t.MeanOf, other)
	}
	if len(t.Blocks) == 0 {
		return // noted with the study's form
	}
	cells := c.study.Published(t.Published.Value)
	if c.placed += len(cells) * len(t.Blocks); c.placed > mostPlaced {
		c.report(t.Published, key+".published", "up to here tables show more than %d published numbers, each counted for each block "+
			"that it could stand in; make several studies of this one", mostPlaced)
		return
	}
	blocks := make([]publishedBlock, len(t.Blocks))
	for i, b := range t.Blocks {
		blocks[i] = c.publishedBlock(b)
	}
	noted := map[misplacement]bool{}
	for i := range cells {
		var first misplacement
		misplaced := true
		for k := range blocks {
			why := blocks[k].misplaced(&cells[i])
			if misplaced = why.why != fits; !misplaced {
				break
			}
			if k == 0 {
				first = why
			}
		}
		if misplaced && !noted[first] { // each reason once, at its first cell
			noted[first] = true
			c.reportOf(first.block.experiment, first.block.Query, configs.Text{Pos: cells[i].Pos}, key, ".published", "%s",
				first)
		}
	}
}
