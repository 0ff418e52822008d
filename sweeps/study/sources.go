// Sources: the tables of a model that queries read, with their columns.

package study

import (
	"cmp"
	"slices"

	"gridsweep/configs"
	"gridsweep/model"
)

// Source is a table of the model that queries read.
type Source struct {
	Name    string
	Columns []model.Column // the table of runs has the parameters too
	Keys    []model.Column // columns that tell the rows of a run apart
}

// timingColumns are those of the table of timings. The machine is not a dimension of them: numbers
// are made of the timings of one machine.
var timingColumns = []model.Column{
	{Name: "section", Type: model.TypeString, Key: true, Doc: "what was measured"},
	{Name: "seconds", Type: model.TypeFloat, Unit: "s", Doc: "wall-clock time"},
	{Name: "items", Type: model.TypeInt, Doc: "pieces of work done in that time"},
	{Name: "per_item", Type: model.TypeFloat, Unit: "s", Nullable: true, Doc: "wall-clock time of a piece of work"},
}

// source returns the table of the name; one without columns where the model has none.
func (b *binder) source(name string) *Source {
	if b.sources[name] == nil {
		s := &Source{Name: name, Columns: columnsOf(b.model, name)}
		for _, c := range s.Columns {
			if c.Key {
				s.Keys = append(s.Keys, c)
			}
		}
		b.sources[name] = s
	}
	return b.sources[name]
}

// columnsOf returns the columns of a table that a query may use; nil for an unknown table. The runs
// have their parameters too.
func columnsOf(m *model.Model, table string) []model.Column {
	if m == nil {
		return nil
	}
	if table == model.TimingsTable {
		return timingColumns
	}
	i := m.Table(table)
	if i < 0 {
		return nil
	}
	columns := slices.Clone(m.Tables[i].Columns)
	if table != model.RunsTable {
		return columns
	}
	for _, p := range m.Parameters {
		columns = append(columns, axisColumn(p))
	}
	return columns
}

// column returns the column of the name; false where there is none.
func (s *Source) column(name string) (model.Column, bool) {
	for _, c := range s.Columns {
		if c.Name == name {
			return c, true
		}
	}
	return model.Column{}, false
}

// from returns the table of a query. It reports one that the model does not have, which then has no
// columns.
func (b *binder) from(q configs.Query, key string) *Source {
	s := b.source(cmp.Or(q.From.Value, model.RunsTable))
	if b.model != nil && s.Columns == nil {
		known := []string{model.TimingsTable}
		for _, t := range b.model.Tables {
			known = append(known, t.Name)
		}
		b.report(q.From, key+".from", "model %s has no table %q; %s", b.model.Name, s.Name, configs.Suggest(s.Name, known))
	}
	return s
}

// numberColumn returns a column of numbers. It reports one that the table does not have, or that is
// text, and then returns false. A table that the model does not have has no columns.
func (b *binder) numberColumn(name configs.Text, from *Source, key string) (model.Column, bool) {
	if from.Columns == nil || name.Value == "" {
		return model.Column{}, false // reported already
	}
	column, isColumn := from.column(name.Value)
	switch {
	case isColumn && column.Type != model.TypeString:
		return column, true
	case isColumn:
		b.report(name, key, "column %s of table %s is text; a number is wanted", name.Value, from.Name)
	default:
		var known []string
		for _, c := range from.Columns {
			if c.Type != model.TypeString {
				known = append(known, c.Name)
			}
		}
		b.report(name, key, "table %s has no column %q; %s", from.Name, name.Value, configs.Suggest(name.Value, known))
	}
	return model.Column{}, false
}

// axisColumn returns the column of a parameter with the unit that axes show.
func axisColumn(p model.Parameter) model.Column {
	c := p.Column
	c.Unit = p.AxisUnit()
	return c
}
