// Binding of queries: tables, columns, dimensions and selections.

package study

import (
	"cmp"
	"slices"

	"gridsweep/analysis/statistics"
	"gridsweep/configs"
	"gridsweep/configs/language"
	"gridsweep/model"
)

// Dimension is what the numbers of a query may differ by: a factor, a key column, metric or stat.
type Dimension struct {
	Name      string
	Factor    *Crossed      // the factor; nil for other dimensions
	Parameter *model.Column // the parameter whose values the factor lists; nil for other dimensions
	Key       *model.Column // the key; nil for other dimensions
}

// Query says which numbers a table, figure or claim is about. A dimension is an index in Dims; -1
// is none.
type Query struct {
	Experiment *Experiment
	From       *Source
	Shown      []model.Column
	Dims       []Dimension // the factors of the experiment, the keys of the table, metric and stat
	Where      []Selection
	Against    []Selection // one label each: the base that every number is compared with
	// the base is the largest number of the column along the dimensions that are laid out
	Worst bool
	As    language.Comparison // how numbers are compared, by default by their difference
	// dimensions over which the mean is taken, in the order of the file
	Over  []int
	Stats []statistics.Statistic // statistics over replications; empty for the mean
	// statistics over the dimensions of Over, by column shown, in place of the mean
	OverBy []statistics.Statistic

	isBound bool // the experiment, the table and all dimensions are known
}

// Metric returns the dimension of the columns shown.
func (q *Query) Metric() int { return len(q.Dims) - 2 }

// Stat returns the dimension of the statistics taken.
func (q *Query) Stat() int { return len(q.Dims) - 1 }

// Selection names some levels of a dimension.
type Selection struct {
	Dim    int
	Labels []Label
}

// Selected returns the labels that where names of a dimension; nil for all labels.
func (q *Query) Selected(dim int) []Label {
	for _, w := range q.Where {
		if w.Dim == dim {
			return w.Labels
		}
	}
	return nil
}

// base returns the label of the base along a dimension; false where the query has none.
func (q *Query) base(dim int) (Label, bool) {
	for _, a := range q.Against {
		if a.Dim == dim {
			return a.Labels[0], true
		}
	}
	return Label{}, false
}

// Takes reports whether the query shows numbers at a level of a dimension, or compares with them.
func (q *Query) Takes(dim int, label Label) bool {
	named := q.Selected(dim)
	base, compares := q.base(dim)
	return named == nil || IndexOf(named, label) >= 0 || compares && base.Same(label)
}

// query binds a query on one of the known experiments. named are the dimensions that it lays out.
// If rows is set, rows are drawn as they are: keys need not be named, and there are no statistics.
// Where the table or the experiment is unknown, the rest of the query is checked nevertheless, as
// far as possible.
func (b *binder) query(q configs.Query, key string, named []configs.Text, rows bool, known []string) Query {
	bound := Query{
		Experiment: b.experimentOf(q.Of, key, known), From: b.from(q, key), Worst: q.Worst,
		Stats: mapped(q.Stat, func(t configs.Text) statistics.Statistic { return statistics.Statistic(t.Value) }),
		As:    cmp.Or(language.Comparison(q.As.Value), language.Difference),
	}
	for _, s := range q.Where {
		b.checkSelection(q.Of, s, key+".where."+configs.Key(s.Dimension.Value))
	}
	for _, s := range q.Against {
		b.checkSelection(q.Of, s, key+".against."+configs.Key(s.Dimension.Value))
	}
	if b.model == nil {
		return bound
	}
	areShown := true
	for _, name := range q.Show {
		column, ok := b.numberColumn(name, bound.From, key+".show")
		areShown = areShown && ok
		bound.Shown = append(bound.Shown, column)
		bound.OverBy = append(bound.OverBy, statisticOf(q, name.Value))
	}
	bound.Dims = b.dimensions(bound.Experiment, bound.From, q)
	areNamed := b.checkNamed(q, key, bound, named, rows)
	shown := texts(q.Show)
	for _, w := range q.Where {
		for _, label := range w.Labels {
			if areShown && w.Dimension.Value == language.MetricDimension && !slices.Contains(shown, label.Value) {
				b.report(label, key+".where", "%q is not shown; %s", label.Value, configs.Suggest(label.Value, shown))
			}
		}
	}
	if bound.Experiment == nil || bound.From.Columns == nil || !areNamed || q.Broken {
		return bound // the dimensions are not known in whole
	}
	bound.Where, bound.Against = bound.selections(q.Where), bound.selections(q.Against)
	bound.Over, bound.isBound = bound.dims(q.Over), true
	b.checkVaries(q, key, &bound, named, rows)
	return bound
}

// statisticOf returns the statistic over other dimensions that a query takes of a column.
func statisticOf(q configs.Query, column string) statistics.Statistic {
	for _, s := range q.OverBy {
		if s.Name.Value == column {
			return statistics.Statistic(s.Value.Value)
		}
	}
	return statistics.Mean
}

// dimensions returns the dimensions of a query; all possible ones where the experiment or the table
// is unknown.
func (b *binder) dimensions(e *Experiment, from *Source, q configs.Query) []Dimension {
	var dims []Dimension
	if e != nil {
		for i := range e.Crossed {
			dims = append(dims, b.dimension(&e.Crossed[i]))
		}
	} else {
		for _, f := range b.bound.Factors {
			dims = append(dims, Dimension{Name: f.Name})
		}
		if broken := b.experiments[q.Of.Value]; broken != nil { // which may vary an unknown factor
			for _, crossed := range broken.file.Cross {
				if b.factors[crossed.Factor.Value] == nil {
					dims = append(dims, Dimension{Name: crossed.Factor.Value})
				}
			}
		}
	}
	keys := from.Keys
	if from.Columns == nil {
		for _, t := range b.model.Tables {
			keys = append(keys, b.source(t.Name).Keys...)
		}
	}
	for i := range keys {
		dims = append(dims, Dimension{Name: keys[i].Name, Key: &keys[i]})
	}
	return append(dims, Dimension{Name: language.MetricDimension}, Dimension{Name: language.StatDimension})
}

// dimension returns the dimension of a factor.
func (b *binder) dimension(f *Crossed) Dimension {
	d := Dimension{Name: f.Name, Factor: f}
	if i := b.model.Parameter(f.Name); f.List && i >= 0 {
		column := axisColumn(b.model.Parameters[i])
		d.Parameter = &column
	}
	return d
}

// names returns the names of a query's dimensions.
func (q *Query) names() []string {
	return mapped(q.Dims, func(d Dimension) string { return d.Name })
}

// dim returns the dimension of a name, or -1.
func (q *Query) dim(name configs.Text) int {
	return slices.IndexFunc(q.Dims, func(d Dimension) bool { return d.Name == name.Value })
}

// dims returns the dimensions of the names.
func (q *Query) dims(names []configs.Text) []int {
	return mapped(names, q.dim)
}

func (q *Query) selections(list []configs.Selection) []Selection {
	return mapped(list, func(s configs.Selection) Selection { return Selection{q.dim(s.Dimension), newLabels(s.Labels)} })
}

// checkNamed reports names of dimensions that the query does not have. It returns false if its
// experiment is known and lacks one.
func (b *binder) checkNamed(q configs.Query, key string, bound Query, named []configs.Text, rows bool) bool {
	names := bound.names()
	if rows { // drawn without statistics
		names = names[:len(names)-1]
	}
	uses := slices.Concat(named, q.Over)
	for _, w := range slices.Concat(q.Where, q.Against) {
		uses = append(uses, w.Dimension)
	}
	areNamed := true
	for _, name := range uses {
		switch {
		case name.Value == "" || slices.Contains(names, name.Value):
		case bound.Experiment != nil:
			areNamed = false
			b.reportOf(bound.Experiment, q, name, key, "", "experiment %s has no dimension %q in table %s; %s",
				bound.Experiment.Name, name.Value, bound.From.Name, configs.Suggest(name.Value, names))
		case name.Value != language.Each:
			b.report(name, key, "no factor or key is named %q; %s", name.Value, configs.Suggest(name.Value, names))
		}
	}
	return areNamed
}

// checkVaries reports dimensions along which the query's numbers have more than one level although
// it does not name them.
func (b *binder) checkVaries(q configs.Query, key string, bound *Query, named []configs.Text, rows bool) {
	mentioned := append(texts(named), texts(q.Over)...)
	for d, dim := range bound.Dims {
		if slices.Contains(mentioned, dim.Name) || rows && (dim.Key != nil || d == bound.Stat()) {
			continue
		}
		switch {
		case bound.varies(d):
			b.reportOf(bound.Experiment, q, q.Of, key, "",
				"%s varies and is not named; say where it stands, select one level with where "+
					"or take the mean with over", dim.Name)
		case dim.Factor != nil && dim.Factor.overridden && bound.levelsLeft(d, dim.Factor.planned()) > 1:
			at := b.overrideOf(dim.Name)
			b.report(at, at.Value, "%s shows one level of %s and cannot show several; give one level, or choose other "+
				"experiments with --experiment", key, dim.Name)
		}
	}
}

// overrideOf returns the key or flag that gives a factor other levels.
func (b *binder) overrideOf(factor string) configs.Text {
	isIt := func(s configs.Selection) bool { return s.Dimension.Value == factor }
	for _, list := range [][]configs.Selection{b.overrides.Levels, b.file.Quick.Levels} {
		if i := slices.IndexFunc(list, isIt); i >= 0 {
			return list[i].Dimension
		}
	}
	return configs.Text{Value: factor}
}

// varies reports whether a query's numbers have more than one level along a dimension, as far as
// the study file says. The levels of a key are not known before the rows are.
func (q *Query) varies(d int) bool {
	switch dim := q.Dims[d]; {
	case d == q.Metric():
		return len(q.Shown) > 1 && len(q.Selected(d)) != 1
	case d == q.Stat():
		return len(q.Stats) > 1
	case dim.Key != nil:
		return len(q.Selected(d)) != 1
	default:
		return q.levelsLeft(d, q.Experiment.taken[q.Experiment.crossing(dim.Name)]) > 1
	}
}

// levelsLeft returns how many levels of a dimension, of those that the experiment takes, the query
// shows.
func (q *Query) levelsLeft(d int, levels labelSet) int {
	named := q.Selected(d)
	left, has := len(named), func(base Label) bool { return IndexOf(named, base) >= 0 }
	if named == nil {
		left, has = len(levels.texts), func(base Label) bool { return levels.has(base.Text) }
	}
	if base, compares := q.base(d); compares && len(q.Against) == 1 && has(base) {
		left-- // the base of the comparison is not shown
	}
	return left
}
