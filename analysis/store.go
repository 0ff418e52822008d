package analysis

import (
	"context"
	"fmt"
	"slices"

	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/results"
	"gridsweep/sweeps"
)

// Rows is where the rows of runs lie: a *results.Dataset.
type Rows interface {
	// Read returns columns of a table for the runs that ids contains.
	Read(ctx context.Context, table string, columns []string, ids map[string]bool) (*results.Frame, error)
}

// The table of timings and the columns of it that this package knows by name.
const (
	timingsTable  = results.TimingsTable
	sectionColumn = "section"
)

// columnsOf returns the columns of a table that a query may use; nil for an unknown table. The runs have their
// hasColumn reports whether there is a column of the name.
func hasColumn(columns []model.Column, name string) bool {
	return slices.ContainsFunc(columns, func(column model.Column) bool { return column.Name == name })
}

// parameters too. The machine is no dimension of the timings: they are of one machine.
func columnsOf(m *model.Model, table string) []model.Column {
	if table == timingsTable {
		return []model.Column{
			{Name: sectionColumn, Kind: model.KindString, Key: true, Doc: "what was measured"},
			{Name: "seconds", Kind: model.KindFloat, Unit: "s", Doc: "wall-clock time"},
			{Name: "items", Kind: model.KindInt, Doc: "pieces of work done in that time"},
			{Name: "per_item", Kind: model.KindFloat, Unit: "s", Nullable: true, Doc: "wall-clock time of a piece of work"},
		}
	}
	i := m.Table(table)
	if i < 0 {
		return nil
	}
	columns := slices.Clone(m.Tables[i].Columns)
	if i > 0 {
		return columns
	}
	for _, p := range m.Parameters {
		columns = append(columns, model.Column{Name: p.Name, Kind: p.Kind, Unit: p.Unit, Doc: p.Doc, Symbol: p.Symbol})
	}
	return columns
}

// keysOf returns the names of the key columns, which are dimensions.
func keysOf(columns []model.Column) []string {
	var keys []string
	for _, c := range columns {
		if c.Key {
			keys = append(keys, c.Name)
		}
	}
	return keys
}

// tableOf returns the table that a query reads.
func tableOf(q configs.Query) string {
	if q.From.Value == "" {
		return model.RunsTable
	}
	return q.From.Value
}

// store holds the rows of a plan's runs that its study's tables, figures and claims need.
type store struct {
	plan    *sweeps.Plan
	tables  map[string]*source
	present []bool // by plan run: whether it has a row in the table runs
	warning string // on whose timings are used; empty where there is nothing to say
	machine string // whose timings are used; empty for any
}

// source is the rows of one table.
type source struct {
	frame *results.Frame
	spans [][2]int // by plan run: its rows
}

// open reads what the queries need: each table once, no column that nobody shows.
func open(ctx context.Context, plan *sweeps.Plan, rows Rows, machine string) (*store, error) {
	s := &store{plan: plan, tables: map[string]*source{}}
	needs := needsOf(plan)
	for _, table := range needs.names {
		need := needs.byTable[table]
		frame, err := rows.Read(ctx, table, need.columns, need.ids)
		if err != nil {
			return nil, err
		}
		src := &source{frame: frame, spans: make([][2]int, len(plan.Runs))}
		for i, run := range plan.Runs {
			if need.ids[run.ID] {
				from, to := frame.Rows(run.ID)
				src.spans[i] = [2]int{from, to}
			}
		}
		s.tables[table] = src
	}
	s.present = make([]bool, len(plan.Runs))
	for i, span := range s.tables[model.RunsTable].spans {
		s.present[i] = span[0] < span[1]
	}
	if timings := s.tables[timingsTable]; timings != nil {
		s.chooseMachine(timings.frame, machine)
	}
	return s, nil
}

// chooseMachine settles whose timings are used where there are those of several machines: times of two machines are
// never mixed.
func (s *store) chooseMachine(frame *results.Frame, machine string) {
	counts := map[string]int{}
	column := frame.Column(results.MachineColumn)
	for i := range frame.Len() {
		counts[column.Value(i).Text()]++
	}
	if len(counts) < 2 {
		return
	}
	s.machine = machine
	if counts[machine] == 0 {
		for name, n := range counts {
			if n > counts[s.machine] || n == counts[s.machine] && name < s.machine {
				s.machine = name
			}
		}
	}
	s.warning = fmt.Sprintf("there are timings of %d machines; those of %s are used, since times of two machines are "+
		"never mixed", len(counts), s.machine)
}

// hasRows reports whether any run of the experiment has a row.
func (s *store) hasRows(e *sweeps.Experiment) bool {
	return slices.ContainsFunc(e.Cells, func(c sweeps.Cell) bool {
		return slices.ContainsFunc(c.Runs, func(run int) bool { return s.present[run] })
	})
}

// need is what is read of one table.
type need struct {
	columns []string
	ids     map[string]bool
}

// needs is what is read of each table, in the order in which the study names them; runs is always there.
type needs struct {
	plan    *sweeps.Plan
	names   []string
	byTable map[string]*need
}

func needsOf(plan *sweeps.Plan) *needs {
	n := &needs{plan: plan, byTable: map[string]*need{}}
	n.table(model.RunsTable)
	for _, run := range plan.Runs {
		n.byTable[model.RunsTable].ids[run.ID] = true
	}
	for _, t := range plan.Study.Tables {
		for _, b := range t.Blocks {
			n.query(b.Query, false)
		}
	}
	for _, f := range plan.Study.Figures {
		n.query(f.Query, false)
		if f.At.Value != "" {
			places := f.Query
			places.From.Value, places.Show = tableOfPlaces(plan.Model, f), []configs.Text{f.At}
			n.query(places, false)
		}
		if drawsRows(f.Kind.Value) {
			n.query(f.Query, false, f.X.Value, f.End.Value, f.Height.Value)
		}
	}
	for _, c := range plan.Study.Claims {
		for _, part := range plan.Study.PartsOf(c) {
			n.query(part.Query, true)
		}
	}
	return n
}

func (n *needs) table(name string) *need {
	if n.byTable[name] == nil {
		n.names = append(n.names, name)
		n.byTable[name] = &need{columns: []string{}, ids: map[string]bool{}}
	}
	return n.byTable[name]
}

// query adds the columns of a query, and others, for the runs that it selects of its experiment and, where it is asked
// again of those that repeat this one, of them.
func (n *needs) query(q configs.Query, again bool, others ...string) {
	table := tableOf(q)
	columns := columnsOf(n.plan.Model, table)
	var experiments []*sweeps.Experiment
	if e := n.plan.Experiment(q.Of.Value); e != nil {
		experiments = append(experiments, e)
	}
	for _, e := range n.plan.Study.Experiments {
		if repeated := repetition(n.plan, e, q.Of.Value); again && repeated != nil {
			experiments = append(experiments, repeated)
		}
	}
	if columns == nil || len(experiments) == 0 {
		return
	}
	need := n.table(table)
	names := append(keysOf(columns), others...)
	for _, name := range q.Show {
		names = append(names, name.Value)
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		return !slices.ContainsFunc(columns, func(c model.Column) bool { return c.Name == name })
	})
	if table == timingsTable {
		names = append(names, results.MachineColumn, results.MeasuredColumn)
	}
	for _, name := range names {
		if !slices.Contains(need.columns, name) {
			need.columns = append(need.columns, name)
		}
	}
	for _, e := range experiments {
		for _, cell := range e.Cells {
			if !selects(q, e, cell) {
				continue
			}
			for _, run := range cell.Runs {
				need.ids[n.plan.Runs[run].ID] = true
			}
		}
	}
}

// selects reports whether a query is about a cell of an experiment, or compares with it.
func selects(q configs.Query, e *sweeps.Experiment, cell sweeps.Cell) bool {
	for d, label := range cell.Labels {
		named := selection(q.Where, e.Dimensions[d].Name)
		isNamed := func(t configs.Text) bool { return configs.SameLabel(t.Value, label) }
		if len(named) > 0 && !slices.ContainsFunc(named, isNamed) && !slices.ContainsFunc(selection(q.Against, e.Dimensions[d].Name), isNamed) {
			return false
		}
	}
	return true
}

// repetition returns the plan's experiment that runs the named one again, as e says, under each level of e.Under,
// which is its first dimension; nil where there is none.
func repetition(plan *sweeps.Plan, e configs.Experiment, of string) *sweeps.Experiment {
	if len(e.Repeat) == 0 {
		return nil
	}
	return plan.Experiment(e.Name.Value + "/" + of)
}
