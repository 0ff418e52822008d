package analysis

// Explain: which universe is most consistent with the published numbers.

import (
	"context"
	"fmt"
	"math"
	"slices"

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
	// Ranking has universes by their index in Universes. It has no fits if none was run.
	Ranking *likelihood.Ranking
}

// ExplainedTable is the published numbers of one table under the universes of an experiment.
type ExplainedTable struct {
	Name    string
	Held    bool  // out, or else fitted
	Numbers int   // that are scored
	Inside  []int // by universe: those in their 95 % prediction interval; −1 if it is not ranked
}

// Explain ranks the universes of each experiment of the plan under assumptions by the likelihood of
// the published numbers (see package likelihood). Tables that the study file names in fit are
// fitted and the others held out; without fit all are fitted. Numbers that are inputs of the study,
// wall-clock times, and statistics of dispersion and extremes do not count. The errors are those of
// Analyze.
func Explain(ctx context.Context, plan *sweeps.Plan, rows Rows, machine string) ([]Explanation, error) {
	s, err := open(ctx, plan, rows, machine, needsOfUniverses(plan))
	if err != nil {
		return nil, fmt.Errorf("explain %s: %w", plan.Study.Name, err)
	}
	a := &analyzer{plan: plan, store: s}
	var explanations []Explanation
	var names []string
	for _, e := range plan.Study.Experiments {
		if e.Universes == nil || plan.Planned(e) == nil || slices.Contains(names, e.Whole) {
			continue
		}
		names = append(names, e.Whole)
		compared := &comparison{universes: e.Universes}
		for i := range plan.Study.Tables {
			if err := a.compareUniverses(ctx, &plan.Study.Tables[i], e.Whole, compared); err != nil {
				return nil, fmt.Errorf("table %s in universes: %w", plan.Study.Tables[i].Name, err)
			}
		}
		explanations = append(explanations, compared.explain(e.Whole))
	}
	return explanations, nil
}

// needsOfUniverses returns what Explain reads: the numbers of tables with published ones, in their
// experiments and in universes.
func needsOfUniverses(plan *sweeps.Plan) *needs {
	n := newNeeds(plan)
	for i := range plan.Study.Tables {
		t := &plan.Study.Tables[i]
		for k := range t.Blocks {
			if isExplained(t, &t.Blocks[k]) {
				n.query(&t.Blocks[k].Query)
				for u := range t.Blocks[k].Again {
					n.query(&t.Blocks[k].Again[u].Query)
				}
			}
		}
	}
	return n
}

// isExplained reports whether the published numbers of a block are evidence for a universe.
func isExplained(t *study.Table, b *study.Block) bool {
	return len(b.Printed) > 0 && len(b.Again) > 0 && !t.Given && !isTimings(&b.Query) &&
		!slices.ContainsFunc(statisticsOf(&b.Query), measuresNoLocation)
}

// comparison is the published numbers with our values in each universe.
type comparison struct {
	universes []study.Universe
	tables    []ExplainedTable
	numbers   []likelihood.Number
	table     []int         // by number: index in tables
	values    [][][]float64 // by number, universe and replication
}

// compareUniverses adds the numbers of a table that an experiment under assumptions repeats.
func (a *analyzer) compareUniverses(ctx context.Context, t *study.Table, whole string, c *comparison) error {
	isAny := slices.ContainsFunc(a.plan.Study.Tables, func(t study.Table) bool { return t.Fitted })
	c.tables = append(c.tables, ExplainedTable{Name: t.Name, Held: isAny && !t.Fitted})
	for i := range t.Blocks {
		b := &t.Blocks[i]
		at := slices.IndexFunc(b.Again, func(again study.Block) bool { return again.Of.Whole == whole })
		if !isExplained(t, b) || at < 0 || a.experiment(b.Of) == nil {
			continue
		}
		e := a.experiment(b.Again[at].Of)
		if e == nil {
			continue
		}
		answered, err := a.block(ctx, b, &Table{})
		if err != nil {
			return err
		}
		o, err := a.store.observe(ctx, e, &b.Again[at].Query)
		if err != nil {
			return err
		}
		byUniverse := make([]map[string]*sample, len(c.universes))
		for u := range c.universes {
			byUniverse[u] = a.inUniverse(o, answered, &b.Again[at], c.universes[u].Label)
		}
		c.add(t, answered, byUniverse)
	}
	return nil
}

// inUniverse returns our numbers of a block in one universe, by the keys of the block.
func (a *analyzer) inUniverse(
	o *observations, b *block, again *study.Block, universe study.Label,
) map[string]*sample {
	q := again.Query
	q.Where = append(slices.Clone(q.Where), study.Selection{Dim: 0, Labels: []study.Label{universe}})
	l := a.answer(o, &q, slices.Concat(again.Rows, again.Columns))
	samples := map[string]*sample{}
	for _, s := range l.evaluation.samples {
		samples[tag(append(l.labels(s, 0, len(l.laid)), l.metric(&q, s)))] = s
	}
	return samples
}

// add adds the published numbers of a block with the values of each universe.
func (c *comparison) add(t *study.Table, b *block, byUniverse []map[string]*sample) {
	digits := map[string]int{}
	var cells []*Cell
	var keys []string
	for _, s := range b.layout.evaluation.samples {
		if cell := b.cell(s); cell.Published != nil {
			cells, keys = append(cells, cell), append(keys, b.key(b.layout, s))
			digits[cell.Metric] = max(digits[cell.Metric], decimals(cell.Published.Printed))
		}
	}
	for i, cell := range cells {
		published := likelihood.Number{
			Value: cell.Published.Value, Runs: max(1, t.MeanOf), Unit: math.Pow10(-digits[cell.Metric]),
			Held: c.tables[len(c.tables)-1].Held,
		}
		values := make([][]float64, len(byUniverse))
		for u, samples := range byUniverse {
			switch s := samples[keys[i]]; {
			case s == nil:
			case published.Runs == 1:
				values[u] = s.rounds
			default:
				values[u] = s.terms
			}
		}
		c.numbers, c.values = append(c.numbers, published), append(c.values, values)
		c.table = append(c.table, len(c.tables)-1)
	}
}

// distinct removes numbers that equal another in print and in all runs, such as zeros, or numbers
// that the paper prints twice: they are no further evidence, and one held out that equals a fitted
// one is not held out. Fitted numbers remain. It returns how many it removes.
func (c *comparison) distinct() int {
	known := map[string]bool{}
	remove := make([]bool, len(c.numbers))
	count := 0
	for _, held := range []bool{false, true} {
		for i, printed := range c.numbers {
			if printed.Held != held {
				continue
			}
			key := number(printed.Value)
			for _, replications := range c.values[i] {
				key += "\n"
				for _, x := range replications {
					key += number(x) + " "
				}
			}
			if remove[i] = known[key]; remove[i] {
				count++
			}
			known[key] = true
		}
	}
	kept := 0
	for i := range c.numbers {
		if !remove[i] {
			c.numbers[kept], c.values[kept], c.table[kept] = c.numbers[i], c.values[i], c.table[i]
			kept++
		}
	}
	c.numbers, c.values, c.table = c.numbers[:kept], c.values[:kept], c.table[:kept]
	return count
}

// explain ranks the universes.
func (c *comparison) explain(experiment string) Explanation {
	e := Explanation{Experiment: experiment, Universes: c.universes, Equal: c.distinct()}
	e.Ranking = likelihood.Rank(c.numbers, c.byReplication())
	for i, table := range c.tables {
		table.Inside = slices.Repeat([]int{-1}, len(c.universes))
		for j := range c.numbers {
			if c.table[j] == i && e.Ranking.Scored[j] {
				table.Numbers++
			}
		}
		for _, fit := range e.Ranking.Fits {
			table.Inside[fit.Universe] = 0
			for j, within := range fit.Within {
				if c.table[j] == i && within {
					table.Inside[fit.Universe]++
				}
			}
		}
		if table.Numbers > 0 {
			e.Tables = append(e.Tables, table)
		}
	}
	return e
}

// byReplication returns the values by universe, replication and number. Where experiments have
// different numbers of replications, the others are NaN.
func (c *comparison) byReplication() [][][]float64 {
	most := 0
	for _, universes := range c.values {
		for _, replications := range universes {
			most = max(most, len(replications))
		}
	}
	values := make([][][]float64, len(c.universes))
	for u := range values {
		for k := range most {
			row := noValues(len(c.numbers))
			for j := range row {
				if replications := c.values[j][u]; k < len(replications) {
					row[j] = replications[k]
				}
			}
			values[u] = append(values[u], row)
		}
	}
	return values
}

func measuresNoLocation(s statistics.Statistic) bool { return s.Measures() != statistics.Location }
