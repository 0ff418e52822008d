// Explain: which universe is most consistent with the published numbers.

package analysis

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"gridsweep/analysis/likelihood"
	"gridsweep/analysis/statistics"
	"gridsweep/sweeps"
	"gridsweep/sweeps/study"
)

// Explanation is the ranking of the universes of an experiment by how well their runs predict the
// published numbers.
type Explanation struct {
	Experiment string
	Universes  []study.Universe
	Tables     []ExplainedTable
	Equal      int // numbers left out, as another is equal in print and in all runs
	// SameAs is, by universe, the first one with the same numbers in every replication, which may
	// be itself: these cannot be told apart by the published numbers. It is nil if Single.
	SameAs []int
	// Ranking has universes by their index in Universes. It has no fits if none was run, if each
	// has a single replication, or if no number is fitted.
	Ranking *likelihood.Ranking
	// Single is whether each universe has a single replication and what it repeats several. A
	// single one tells nothing of how much scores differ.
	Single bool
}

// ExplainedTable is the published numbers of one table under the universes of an experiment, or of
// the columns of a table that are fitted or held out alone.
type ExplainedTable struct {
	Name    string // name of the table, with the columns if they are not all
	HeldOut bool   // whether it is held out, or else fitted
	Numbers int    // numbers that are scored
	Inside  []int  // by universe: numbers in their 95 % prediction interval; −1 if not ranked
}

// Explain ranks the universes of each experiment of the plan under assumptions by the likelihood of
// the published numbers (see package likelihood). Tables and columns that the study file names in
// fit are fitted and the others held out; without fit nothing is ranked. Numbers that are inputs of
// the study, wall-clock times, and statistics of dispersion and extremes do not count, nor do
// comparisons of numbers that another table shows as printed. Universes of a single replication
// each are not ranked. The errors are those of Analyze.
func Explain(ctx context.Context, plan *sweeps.Plan, rows Rows, machine string) ([]Explanation, error) {
	needs := newNeeds(plan)
	needs.inUniverses()
	s, err := open(ctx, plan, rows, machine, needs)
	if err != nil {
		return nil, fmt.Errorf("explain %s: %w", plan.Study.Name, err)
	}
	a := &analyzer{plan: plan, store: s, shown: map[string]map[string]bool{}}
	tables, err := a.publishedTables(ctx)
	if err != nil {
		return nil, err
	}
	var explanations []Explanation
	var names []string
	compared := repeatsOfPublished(plan, tables)
	for _, e := range plan.Study.Experiments {
		planned := plan.Planned(e)
		// without published numbers each experiment has an explanation, without fits
		if e.Universes == nil || planned == nil || slices.Contains(names, e.Whole) ||
			len(compared) > 0 && !compared[e.Whole] {
			continue
		}
		names = append(names, e.Whole)
		if isScreening(plan, planned) {
			single := Explanation{Experiment: e.Whole, Universes: e.Universes, Ranking: &likelihood.Ranking{}, Single: true}
			for u := range e.Universes {
				single.Ranking.Unranked = append(single.Ranking.Unranked, u)
			}
			explanations = append(explanations, single)
			continue
		}
		explanations = append(explanations, a.explain(e, tables))
	}
	return explanations, nil
}

// publishedTable is a table of published numbers, computed in universes: the columns that are
// fitted, or those that are held out.
type publishedTable struct {
	*study.Table
	label    string          // the name, with the columns if they are not all
	columns  []string        // columns of the numbers
	repeated []repeatedTable // the table in the universes of each experiment
	heldOut  bool
}

// publishedTables computes the tables whose published numbers are results, in universes.
func (a *analyzer) publishedTables(ctx context.Context) ([]publishedTable, error) {
	var tables []publishedTable
	for _, t := range a.plan.Study.Tables {
		if t.Given || a.isDerived(t) {
			continue
		}
		repeated, err := a.inUniverses(ctx, t, nil)
		if err != nil {
			return nil, fmt.Errorf("table %s in universes: %w", t.Name, err)
		}
		for _, held := range []bool{false, true} {
			all := t.PrintedColumns()
			columns := slices.DeleteFunc(slices.Clone(all), func(column string) bool {
				return slices.Contains(t.Fitted, column) == held
			})
			label := t.Name
			if len(columns) < len(all) {
				label += ": " + strings.Join(columns, ", ")
			}
			if len(columns) > 0 {
				tables = append(tables, publishedTable{t, label, columns, repeated, held})
			}
		}
	}
	return tables, nil
}

// repeatsOfPublished returns the experiments that run those of tables again in universes. The
// others predict no published number.
func repeatsOfPublished(plan *sweeps.Plan, tables []publishedTable) map[string]bool {
	compared := map[string]bool{}
	for _, t := range tables {
		for _, b := range t.Blocks {
			if isTimings(&b.Query) {
				continue
			}
			for e := range repeatedInUniverses(plan, b) {
				compared[e.Bound.Whole] = true
			}
		}
	}
	return compared
}

// isDerived reports whether a table compares published numbers that another table shows as printed.
func (a *analyzer) isDerived(t *study.Table) bool {
	compares := func(b *study.Block) bool { return len(b.Against) > 0 || b.Worst }
	return slices.ContainsFunc(t.Blocks, compares) &&
		slices.ContainsFunc(a.plan.Study.Tables, func(other *study.Table) bool {
			return other.Published == t.Published && !slices.ContainsFunc(other.Blocks, compares)
		})
}

// predictions are the published numbers with the values that predict them in each universe of an
// experiment.
type predictions struct {
	universes int
	numbers   []likelihood.Number
	table     []int // by number: index of its table
}

// add adds the numbers of a table, by its index.
func (p *predictions) add(index int, t publishedTable, tables []*Table) {
	var excluded []string // columns whose numbers predict no further run
	for _, b := range t.Blocks {
		if isTimings(&b.Query) || slices.ContainsFunc(statisticsOf(&b.Query), measuresNoLocation) {
			excluded = append(excluded, columnNames(b.Shown)...)
		}
	}
	digits, known := map[string]int{}, map[string]int{}
	first := len(p.numbers)
	var metrics []string // by number, from index first on
	for u, table := range tables {
		for key, cell := range table.printed() {
			if !slices.Contains(t.columns, cell.Metric) || slices.Contains(excluded, cell.Metric) {
				continue
			}
			i, found := known[key]
			if !found {
				i = len(p.numbers)
				known[key] = i
				p.numbers = append(p.numbers, likelihood.Number{
					Value: cell.Published.Value, Runs: t.MeanOf, HeldOut: t.heldOut,
					Trimmed: t.MeanOf > 1 && cell.by == statistics.Trimmed, Ours: make([][]float64, p.universes),
				})
				p.table, metrics = append(p.table, index), append(metrics, cell.Metric)
				digits[cell.Metric] = max(digits[cell.Metric], decimals(cell.Published.Text))
			}
			p.numbers[i].Ours[u] = cell.terms
			if t.MeanOf < 2 {
				p.numbers[i].Ours[u] = cell.Values
			}
		}
	}
	for i, metric := range metrics {
		p.numbers[first+i].Unit = math.Pow10(-digits[metric])
	}
}

// printed yields the cells with a published number, none of a nil table, each with a key: its
// labels and, since blocks may have rows with the same labels, how many rows up to it have them.
func (t *Table) printed() iter.Seq2[string, *Cell] {
	return func(yield func(string, *Cell) bool) {
		if t == nil {
			return
		}
		rows := map[string]int{}
		for _, row := range t.Rows {
			labels := tag(row.Labels)
			rows[labels]++
			for i, cell := range row.Cells {
				key := tag([]string{labels, fmt.Sprint(rows[labels]), tag(t.Columns[i])})
				if cell != nil && cell.Published != nil && !yield(key, cell) {
					return
				}
			}
		}
	}
}

// dropEqual removes numbers that equal another in print and in all runs, such as zeros, or numbers
// that the paper prints twice: they are no further evidence, and one held out that equals a fitted
// one is not held out. Fitted numbers remain. It returns how many it removes.
func (p *predictions) dropEqual() int {
	known, remove := map[string]bool{}, make([]bool, len(p.numbers))
	for _, heldOut := range []bool{false, true} {
		for i, printed := range p.numbers {
			if printed.HeldOut != heldOut {
				continue
			}
			key := exact(printed.Value)
			for _, replications := range printed.Ours {
				key += "\n" + exactList(replications)
			}
			remove[i], known[key] = known[key], true
		}
	}
	var kept predictions
	for i := range p.numbers {
		if !remove[i] {
			kept.numbers, kept.table = append(kept.numbers, p.numbers[i]), append(kept.table, p.table[i])
		}
	}
	count := len(p.numbers) - len(kept.numbers)
	p.numbers, p.table = kept.numbers, kept.table
	return count
}

// sameUniverses returns, by universe, the first one with the same numbers in every replication.
func (p *predictions) sameUniverses() []int {
	first, same := map[string]int{}, make([]int, p.universes)
	for u := range same {
		key := ""
		for _, number := range p.numbers {
			key += "\n" + exactList(number.Ours[u])
		}
		if _, isKnown := first[key]; !isKnown {
			first[key] = u
		}
		same[u] = first[key]
	}
	return same
}

// exactList writes values with all their digits.
func exactList(values []float64) string {
	var text strings.Builder
	for _, x := range values {
		text.WriteString(exact(x) + " ")
	}
	return text.String()
}

// explain ranks the universes of an experiment by tables.
func (a *analyzer) explain(experiment *study.Experiment, tables []publishedTable) Explanation {
	e := Explanation{Experiment: experiment.Whole, Universes: experiment.Universes}
	p := &predictions{universes: len(e.Universes)}
	for i, t := range tables {
		for _, r := range t.repeated {
			if r.experiment == e.Experiment {
				p.add(i, t, r.tables)
			}
		}
	}
	e.Equal, e.SameAs = p.dropEqual(), p.sameUniverses()
	e.Ranking = likelihood.Rank(p.numbers, p.universes)
	for i, t := range tables {
		explained := ExplainedTable{Name: t.label, HeldOut: t.heldOut, Inside: slices.Repeat([]int{-1}, p.universes)}
		for j := range p.numbers {
			if p.table[j] == i && e.Ranking.Scored[j] {
				explained.Numbers++
			}
		}
		for _, fit := range e.Ranking.Fits {
			explained.Inside[fit.Universe] = 0
			for j, within := range fit.Within {
				if p.table[j] == i && within {
					explained.Inside[fit.Universe]++
				}
			}
		}
		if explained.Numbers > 0 {
			e.Tables = append(e.Tables, explained)
		}
	}
	return e
}

func measuresNoLocation(s statistics.Statistic) bool { return s.Measures() != statistics.Location }
