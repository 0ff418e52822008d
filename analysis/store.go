// The rows that the queries of a study need, each table and column read once.

package analysis

import (
	"context"
	"fmt"
	"slices"

	"gridsweep/model"
	"gridsweep/results"
	"gridsweep/sweeps"
	"gridsweep/sweeps/study"
)

// Rows reads the rows of runs; results.Snapshot implements it.
type Rows interface {
	// Read returns columns of a table, nil for all, for the runs that ids contains.
	Read(ctx context.Context, table string, columns []string, ids map[string]bool) (*results.Frame, error)
}

// isTimings reports whether a query is about wall-clock times.
func isTimings(q *study.Query) bool { return q.From.Name == model.TimingsTable }

// store has the rows of a plan's runs that its study's tables, figures and claims need.
type store struct {
	plan     *sweeps.Plan
	tables   map[string]*tableRows // tables by name
	observed map[observedKey]*observations
	warning  string // text on which machine's timings are used, if there are several
	machine  string // machine whose timings are used; empty for any
}

// tableRows is the rows of one table.
type tableRows struct {
	frame *results.Frame
	spans [][2]int // by run of the plan: its first row and the one after its last
}

// open reads the columns and runs that queries need, each table once.
func open(ctx context.Context, plan *sweeps.Plan, rows Rows, machine string, needs *needs) (*store, error) {
	s := &store{plan: plan, tables: map[string]*tableRows{}, observed: map[observedKey]*observations{}}
	for _, need := range needs.tables {
		frame, err := rows.Read(ctx, need.table, need.columns, need.ids)
		if err != nil {
			return nil, err
		}
		src := &tableRows{frame: frame, spans: make([][2]int, len(plan.Runs))}
		for i, run := range plan.Runs {
			if need.ids[run.ID] {
				from, to := frame.Rows(run.ID)
				src.spans[i] = [2]int{from, to}
			}
		}
		s.tables[need.table] = src
	}
	if timings := s.tables[model.TimingsTable]; timings != nil {
		s.chooseMachine(timings.frame, machine)
	}
	return s, nil
}

// chooseMachine chooses the machine whose timings are used if the frame has those of several: this
// machine, or else the one with the most. Times of two machines are never mixed.
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
		return slices.ContainsFunc(c.Runs, s.hasRow)
	})
}

// hasRow reports whether a run of the plan has a row in the table runs.
func (s *store) hasRow(run int) bool {
	span := s.tables[model.RunsTable].spans[run]
	return span[0] < span[1]
}

// need is the columns and runs to read of one table.
type need struct {
	table   string
	columns []string
	ids     map[string]bool
}

// needs is what to read of each table, in the order in which the study names them. The table runs
// is always read.
type needs struct {
	plan   *sweeps.Plan
	tables []*need
}

// newNeeds returns what is always read: which runs of the plan have a row in the table runs.
func newNeeds(plan *sweeps.Plan) *needs {
	n := &needs{plan: plan}
	runs := n.table(model.RunsTable)
	for _, run := range plan.Runs {
		runs.ids[run.ID] = true
	}
	return n
}

// needsOf returns what the tables, figures and claims need.
func needsOf(plan *sweeps.Plan) *needs {
	n := newNeeds(plan)
	for _, t := range plan.Study.Tables {
		for _, b := range t.Blocks {
			n.add(&b.Query)
		}
	}
	n.inUniverses()
	for _, f := range plan.Study.Figures {
		n.add(&f.Query)
		if f.Position != nil {
			position := f.Position.Query
			// only in cells that the figure draws
			position.Where, position.Against = f.Where, f.Against
			n.add(&position)
		}
		if f.Kind.DrawsRows() {
			n.add(&f.Query, f.Begin.Name, f.End.Name, f.Height.Name)
		}
	}
	for _, c := range plan.Study.Claims {
		for _, a := range c.Assertions {
			n.add(&a.Query)
		}
		for _, r := range c.Repetitions {
			for _, a := range r.Assertions {
				n.add(&a.Query)
			}
		}
	}
	return n
}

// inUniverses adds what the tables need in universes.
func (n *needs) inUniverses() {
	for _, t := range n.plan.Study.Tables {
		for _, b := range t.Blocks {
			for e := range repeatedInUniverses(n.plan, b) {
				n.addFrom(e, &b.Query, 1)
			}
		}
	}
}

func (n *needs) table(name string) *need {
	i := slices.IndexFunc(n.tables, func(t *need) bool { return t.table == name })
	if i < 0 {
		i = len(n.tables)
		n.tables = append(n.tables, &need{name, []string{}, map[string]bool{}})
	}
	return n.tables[i]
}

// add adds the columns of a query, and others with a name that is not empty, for the runs of its
// experiment that the query takes.
func (n *needs) add(q *study.Query, others ...string) {
	if e := n.plan.Planned(q.Experiment); e != nil {
		n.addFrom(e, q, 0, others...)
	}
}

// addFrom adds the columns for the runs of an experiment that the query takes. The query lacks the
// first dimensions of the experiment; skipped is their number.
func (n *needs) addFrom(e *sweeps.Experiment, q *study.Query, skipped int, others ...string) {
	need := n.table(q.From.Name)
	names := slices.Concat(columnNames(q.From.Keys), columnNames(q.Shown), others)
	if isTimings(q) {
		names = append(names, results.MachineColumn, results.MeasuredColumn)
	}
	for _, name := range names {
		if name != "" && !slices.Contains(need.columns, name) {
			need.columns = append(need.columns, name)
		}
	}
	takes := takenLevels(q, e, skipped)
	for _, cell := range e.Cells {
		if !areTaken(cell.Levels[skipped:], takes) {
			continue
		}
		for _, run := range cell.Runs {
			need.ids[n.plan.Runs[run].ID] = true
		}
	}
}

// takenLevels returns which levels a query shows or compares with, by dimension and level of an
// experiment, without its first dimensions, which the query lacks; skipped is their number.
func takenLevels(q *study.Query, e *sweeps.Experiment, skipped int) [][]bool {
	takes := make([][]bool, len(e.Bound.Crossed)-skipped)
	for d, crossed := range e.Bound.Crossed[skipped:] {
		takes[d] = make([]bool, len(crossed.Levels))
		for l, level := range crossed.Levels {
			takes[d][l] = q.Takes(d, level.Label)
		}
	}
	return takes
}

// areTaken reports whether a query takes the levels, one of each dimension; see takenLevels.
func areTaken(levels []int, takes [][]bool) bool {
	for d, level := range levels {
		if !takes[d][level] {
			return false
		}
	}
	return true
}

func columnNames(columns []model.Column) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return names
}
