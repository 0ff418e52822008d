// The published numbers as observations, so that queries evaluate them like those of runs.

package analysis

import (
	"slices"

	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
	"gridsweep/sweeps"
	"gridsweep/sweeps/study"
)

// publishedBlock returns the published numbers of a table's block in the layout of ours; nil if
// there are none, or if several would share a cell. If the file has numbers at the level that the
// query compares with, the numbers are compared like ours; else the paper prints numbers that are
// already compared.
func publishedBlock(b *study.Block, laid []int) *evaluation {
	if len(b.Printed) == 0 {
		return nil
	}
	o := observePrinted(&b.Query, b.Printed, len(b.Stats) > 1)
	q := b.Query
	// The paper prints averages over these dimensions.
	isAveraged := func(w study.Selection) bool { return slices.Contains(b.Over, w.Dim) }
	q.Where = slices.DeleteFunc(slices.Clone(q.Where), isAveraged)
	q.Over, q.OverBy = nil, slices.Repeat([]statistics.Statistic{statistics.Mean}, len(b.Shown))
	if !o.hasBase(q.Against) {
		q = withoutComparison(q)
	}
	if e := evaluate(o, &q, laid, true); !e.isAmbiguous() {
		return e
	}
	return nil
}

// publishedAnswer answers a query from the published numbers for runs of an experiment, laid out
// along some dimensions. It takes the numbers themselves or, if the paper prints none, those that
// the paper has compared as the query does; nil if it prints neither, or if several numbers differ
// along a dimension that is not laid out. Files are those of publishedNumbers.
func (a *analyzer) publishedAnswer(e *sweeps.Experiment, q *study.Query, laid []int, files []string) *evaluation {
	o := a.publishedNumbers(e, q, files, false)
	if len(o.rows) > 0 && (len(q.Against) == 0 || o.hasBase(q.Against)) {
		printed := evaluate(o, q, laid, true)
		if printed.isAmbiguous() {
			return nil
		}
		if len(printed.samples) > 0 {
			return printed
		}
	}
	if len(q.Against) == 0 {
		return nil
	}
	o = a.publishedNumbers(e, q, files, true)
	if len(o.rows) == 0 {
		return nil
	}
	plain := withoutComparison(*q)
	if printed := evaluate(o, &plain, laid, true); !printed.isAmbiguous() {
		return printed
	}
	return nil
}

// withoutComparison returns the query for numbers that the paper has already compared.
func withoutComparison(q study.Query) study.Query {
	q.Against, q.Worst, q.As = nil, false, language.Difference
	return q
}

// sameComparison reports whether two queries compare their numbers with the same base in the same
// way.
func sameComparison(a, b *study.Query) bool {
	return a.Worst == b.Worst && a.As == b.As &&
		slices.EqualFunc(a.Against, b.Against, func(x, y study.Selection) bool {
			return a.Dims[x.Dim].Name == b.Dims[y.Dim].Name && x.Labels[0].Same(y.Labels[0])
		})
}

// observePrinted returns published numbers as observations of one replication. A dimension along
// which numbers have no label has one level without a name.
func observePrinted(q *study.Query, prints []study.PublishedNumber, hasStat bool) *observations {
	o := &observations{replications: 1, hasStat: hasStat}
	for _, dim := range q.Dims[:q.Metric()] {
		o.dims = append(o.dims, dimension{name: dim.Name, key: dim.Key != nil})
	}
	o.dims = append(o.dims, metricOf(q))
	if hasStat {
		o.dims = append(o.dims, dimension{name: q.Dims[q.Stat()].Name})
	}
	for i := range prints {
		p := &prints[i]
		row := &observation{values: []float64{p.Value}, printed: p}
		add := func(d int, label study.Label) {
			level := o.dims[d].level(label)
			if level < 0 {
				level = len(o.dims[d].levels)
				o.dims[d].levels = append(o.dims[d].levels, label)
			}
			row.at = append(row.at, level)
		}
		for d, label := range p.Labels[:q.Metric()] {
			add(d, label)
		}
		row.at = append(row.at, p.Metric)
		if hasStat {
			add(q.Stat(), p.Stat)
		}
		o.rows = append(o.rows, row)
	}
	return o
}

// hasBase reports whether some observation is at the level that a query compares with.
func (o *observations) hasBase(against []study.Selection) bool {
	return len(against) > 0 && slices.ContainsFunc(o.rows, func(row *observation) bool {
		return all(against, func(a study.Selection) bool {
			return o.dims[a.Dim].levels[row.at[a.Dim]].Same(a.Labels[0])
		})
	})
}

// publishedNumbers returns published numbers of the columns that a query shows for cells of an
// experiment: those of the runs themselves or, if compared, those that the paper has compared as
// the query does. A number belongs to a run, so a table of another experiment with equal runs
// counts too: Table A.1 of coallocation, with a factor for each step of an algorithm, has numbers
// for an experiment with a factor for pairs of steps. Only the tables count that share the most
// factors with the experiment, at least one. Where files names tables, these count instead.
func (a *analyzer) publishedNumbers(e *sweeps.Experiment, q *study.Query, files []string, compared bool) *observations {
	var best []study.PublishedNumber
	most := 0
	for _, t := range a.plan.Study.Tables {
		if t.Published == "" || files != nil && !slices.Contains(files, t.Published) {
			continue
		}
		for _, b := range t.Blocks {
			other := a.plan.Planned(b.Experiment)
			if other == nil || b.From != q.From || len(b.Over) > 0 || len(b.Stats) > 1 ||
				compared && !sameComparison(&b.Query, q) || len(b.Printed) == 0 || compared != comparedInPrint(b) {
				continue
			}
			found, shared := numbersOfSameRuns(e, q, other, b), sharedFactors(e, other)
			switch {
			case len(found) == 0 || files == nil && (shared < most || shared == 0):
				continue
			case files == nil && shared > most:
				best, most = nil, shared
			}
			best = append(best, found...)
		}
	}
	return observePrinted(q, best, false)
}

// sharedFactors counts the factors of an experiment that another varies too.
func sharedFactors(a, b *sweeps.Experiment) int {
	shared := 0
	for _, x := range a.Bound.Crossed {
		if slices.ContainsFunc(b.Bound.Crossed, func(y study.Crossed) bool { return x.Factor == y.Factor }) {
			shared++
		}
	}
	return shared
}

// comparedInPrint reports whether the paper prints the numbers of a block only compared, without
// the base.
func comparedInPrint(b *study.Block) bool {
	return len(b.Against) > 0 && !observePrinted(&b.Query, b.Printed, false).hasBase(b.Against)
}

// numbersOfSameRuns returns the published numbers of a block of another experiment that belong to
// runs of e, with the labels of e and the columns that a query shows.
func numbersOfSameRuns(
	e *sweeps.Experiment, q *study.Query, other *sweeps.Experiment, b *study.Block,
) []study.PublishedNumber {
	byRun := map[int][]*sweeps.Cell{} // equal points are one run
	for i := range e.Cells {
		run := e.Cells[i].Runs[0]
		byRun[run] = append(byRun[run], &e.Cells[i])
	}
	byLevels := map[string]*sweeps.Cell{}
	for i := range other.Cells {
		byLevels[indexKey(other.Cells[i].Levels)] = &other.Cells[i]
	}
	columns := make([]int, len(b.Shown)) // by column of the block: that of the query, or -1
	for i, name := range columnNames(b.Shown) {
		columns[i] = slices.Index(columnNames(q.Shown), name)
	}
	dims, ours := dimensionsOf(other), dimensionsOf(e)
	var found []study.PublishedNumber
	for _, p := range b.Printed {
		levels := make([]int, len(dims))
		for d := range dims {
			levels[d] = dims[d].level(p.Labels[d])
		}
		cell := byLevels[indexKey(levels)]
		if cell == nil || columns[p.Metric] < 0 {
			continue
		}
		keys := p.Labels[len(dims):b.Metric()]
		for _, same := range byRun[cell.Runs[0]] {
			here := p
			here.Labels = make([]study.Label, len(q.Dims))
			for d, level := range same.Levels {
				here.Labels[d] = ours[d].levels[level]
			}
			copy(here.Labels[len(ours):], keys)
			here.Metric = columns[p.Metric]
			found = append(found, here)
		}
	}
	return found
}
