// Universes: how verdicts and agreement depend on the combination of assumptions.

package analysis

import (
	"context"
	"fmt"
	"hash/fnv"
	"iter"
	"maps"
	"math"

	"gridsweep/analysis/effects"
	"gridsweep/sweeps"
	"gridsweep/sweeps/study"
)

// AlternativeName names a level of an assumption: "slack: beyond".
func (r *Result) AlternativeName(assumption, level int) string {
	a := r.Assumptions[assumption]
	return a.Name + ": " + a.Levels[level]
}

// TermName names the level, or the pair of levels, of an effect.
func (r *Result) TermName(t effects.Term) string {
	name := r.AlternativeName(t.Assumption, t.Level)
	if t.IsPair() {
		name += ", " + r.AlternativeName(t.Other, t.OtherLevel)
	}
	return name
}

// outcomes are what verdicts count as in package effects; the other verdicts do not count.
var outcomes = map[Verdict]effects.Outcome{
	Reproduced: effects.Holds, NotReproduced: effects.Fails, Inconclusive: effects.Open,
}

// robustness compares the judgements of a claim in the universes of an experiment. Universes with
// the same numbers as another are not counted: they tell nothing but that an assumption has no
// effect there. Means are the mean margins by universe and replication.
func (a *analyzer) robustness(experiment string, judgements []AssumptionJudgement, means [][]float64) Robustness {
	universes, judged := make([][]int, len(judgements)), make([]effects.Judged, len(judgements))
	for i, j := range judgements {
		universes[i] = j.Levels
		judged[i].Margin = math.NaN()
		if j.SameAs == "" && len(j.Comparisons) > 0 {
			judged[i] = effects.Judged{Outcome: outcomes[j.Verdict], Margin: j.MeanMargin.Value}
		}
	}
	design := fmt.Sprint(universes)
	if a.models[design] == nil {
		a.models[design] = effects.New(universes)
	}
	return Robustness{
		Experiment: experiment, Judgements: judgements, Changes: effects.Compare(universes, judged),
		Effects: a.models[design].Fit(means),
	}
}

// repeatedInUniverses yields the planned experiments that run the experiment of a table's block
// again in universes; none for a block without published numbers. Their first dimension is the
// universe; the others are those of the block.
func repeatedInUniverses(plan *sweeps.Plan, b *study.Block) iter.Seq[*sweeps.Experiment] {
	return func(yield func(*sweeps.Experiment) bool) {
		for _, e := range plan.Experiments {
			if len(b.Printed) > 0 && e.Bound.Universes != nil && e.Bound.Repeats == b.Experiment && !yield(e) {
				return
			}
		}
	}
}

// isScreening reports whether the universes of an experiment have a single replication each, and
// what it repeats has several. Such universes are compared by the published numbers inside their
// intervals alone; claims need an interval.
func isScreening(plan *sweeps.Plan, e *sweeps.Experiment) bool {
	base := plan.Planned(e.Bound.Repeats)
	return base != nil && screens(e.Bound, e.Most, base.Most)
}

// screens is like isScreening, given the replications of a universe and of what it repeats.
func screens(e *study.Experiment, replications, repeated int) bool {
	return e.Universes != nil && replications == 1 && repeated > 1
}

// repeatedTable is a table computed again in each universe of an experiment.
type repeatedTable struct {
	experiment   string
	repeats      string // experiment that it repeats, of the first block
	replications int    // number of replications of a universe
	universes    []study.Universe
	tables       []*Table // the table by universe
}

// inUniverses computes the blocks of a table with published numbers again in each universe, for
// each experiment that repeats theirs and was run. Own is the table of the study's own experiments;
// nil leaves numbers of a single replication without a prediction.
func (a *analyzer) inUniverses(ctx context.Context, t *study.Table, own *Table) ([]repeatedTable, error) {
	var found []repeatedTable
	observed := map[string]map[*study.Block][]*observations{} // by experiment, block and universe
	for _, b := range t.Blocks {
		for e := range repeatedInUniverses(a.plan, b) {
			if !a.store.hasRows(e) {
				continue
			}
			o, err := a.store.observe(ctx, e, &b.Query)
			if err != nil {
				return nil, err
			}
			if observed[e.Bound.Whole] == nil {
				observed[e.Bound.Whole] = map[*study.Block][]*observations{}
				found = append(found, repeatedTable{experiment: e.Bound.Whole, repeats: b.Experiment.Name, replications: e.Most,
					universes: e.Bound.Universes})
			}
			observed[e.Bound.Whole][b] = o.byUniverse()
		}
	}
	cells := maps.Collect(own.printed())
	for i := range found {
		r := &found[i]
		for u, universe := range r.universes {
			shown := a.shownIn(tag([]string{r.experiment, universe.Label}))
			table, err := a.tableOf(t, cells, shown, func(b *study.Block) (*observations, error) {
				if universes := observed[r.experiment][b]; universes != nil {
					return universes[u], nil
				}
				return nil, nil
			})
			if err != nil {
				return nil, err
			}
			r.tables = append(r.tables, table)
		}
	}
	return found, nil
}

// byUniverse splits observations by the level of their first dimension, the universe, which it
// leaves out. Of each it keeps the replications that are planned in all universes, since these are
// compared.
func (o *observations) byUniverse() []*observations {
	planned := map[string]int{} // the fewest, by the other levels
	for _, row := range o.rows {
		others := indexKey(row.at[1:])
		planned[others] = fewer(planned[others], row.planned)
	}
	levels := make([]*observations, len(o.dims[0].levels))
	for level := range levels {
		levels[level] = &observations{
			dims: o.dims[1:], replications: o.replications, hasStat: o.hasStat, granularity: o.granularity, warning: o.warning,
		}
	}
	for _, row := range o.rows {
		one := levels[row.at[0]]
		rest := row.first(planned[indexKey(row.at[1:])])
		rest.at = row.at[1:]
		one.rows = append(one.rows, &rest)
	}
	for _, run := range o.runs {
		one := levels[run.at[0]]
		run.at = run.at[1:]
		one.runs = append(one.runs, run)
	}
	return levels
}

// borrow gives numbers of a single replication, which have no deviation, the replications of the
// same number in own, shifted by the difference of the two in that replication. Both have the same
// random numbers, so the difference varies less than the numbers. Shifted numbers stay within the
// bounds of their column.
func (t *Table) borrow(own map[string]*Cell) {
	if len(own) == 0 {
		return
	}
	for key, cell := range t.printed() {
		several := own[key]
		if several == nil || len(cell.Values) != 1 || len(several.Values) < 2 {
			continue
		}
		shifted := several.plus(1, cell.Values[0]-several.Values[0])
		for k, x := range shifted.terms {
			shifted.terms[k] = cell.domain.within(x)
		}
		cell.Values, cell.terms = shifted.terms, shifted.terms
	}
}

// agreements returns how a table agrees with its published numbers in each universe.
func (a *analyzer) agreements(ctx context.Context, t *study.Table, table *Table) ([]Agreements, error) {
	if t.Given {
		return nil, nil
	}
	repeated, err := a.inUniverses(ctx, t, table)
	if err != nil {
		return nil, err
	}
	var all []Agreements
	for _, r := range repeated {
		found, counted := Agreements{Experiment: r.experiment, Repeats: r.repeats, Replications: r.replications}, 0
		for u, table := range r.tables {
			agreement := UniverseAgreement{Universe: r.universes[u]}
			for _, metric := range table.Agreement {
				if !metric.Measured {
					agreement.Cells += metric.Evidence.Cells
					agreement.Inside += metric.Evidence.Inside
				}
			}
			agreement.Numbers = table.hash()
			counted += agreement.Cells
			found.Universes = append(found.Universes, agreement)
		}
		if counted > 0 {
			all = append(all, found)
		}
	}
	return all, nil
}

// hash returns a hash of our numbers, in every replication, in the cells with a published number.
func (t *Table) hash() uint64 {
	all := fnv.New64a()
	for key, cell := range t.printed() {
		all.Write([]byte(key + exactList(cell.Values)))
	}
	return all.Sum64()
}
