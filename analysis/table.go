package analysis

// Tables: the numbers of queries in rows and columns, each with its published number.

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gridsweep/analysis/statistics"
	"gridsweep/sweeps/study"
)

// block is the numbers of a block of a table: ours and the published ones.
type block struct {
	*study.Block
	layout    *layout
	across    int // index of the first laid-out dimension that runs across; the others make rows
	published map[string]*sample
}

// table computes a table of the study, and its agreement in each universe; nil if none of its
// experiments was run.
func (a *analyzer) table(ctx context.Context, t *study.Table) (*Table, error) {
	table, err := a.tableOf(t, a.shownIn(""), func(b *study.Block) (*observations, error) {
		if e := a.experiment(b.Of); e != nil {
			return a.store.observe(ctx, e, &b.Query)
		}
		return nil, nil
	})
	if table == nil || err != nil {
		return nil, err
	}
	table.Universes, err = a.agreements(ctx, t)
	return table, err
}

// shownIn returns the set of numbers that tables so far compare with published ones in a universe,
// or without a name in the study's own experiments.
func (a *analyzer) shownIn(universe string) map[string]bool {
	if a.shown[universe] == nil {
		a.shown[universe] = map[string]bool{}
	}
	return a.shown[universe]
}

// tableOf computes a table from the observations of each block; nil if no block has any. It adds
// the numbers that it compares with published ones to those shown so far.
func (a *analyzer) tableOf(
	t *study.Table, shown map[string]bool, observe func(*study.Block) (*observations, error),
) (*Table, error) {
	table := &Table{Name: t.Name, Title: t.Title, Source: t.Published, ColumnHeads: t.Columns, MeanOf: t.MeanOf,
		Given: t.Given}
	var blocks []*block
	var lacks shortfall
	for i := range t.Blocks {
		b := &t.Blocks[i]
		o, err := observe(b)
		if err != nil {
			return nil, err
		}
		if o == nil {
			table.Warnings = append(table.Warnings, "experiment "+b.Of.Name+" was not run")
			continue
		}
		answered := a.block(o, b, table)
		blocks = append(blocks, answered)
		lacks.add(answered.layout.evaluation.lacks)
	}
	if len(blocks) == 0 {
		return nil, nil
	}
	table.Warnings = append(lacks.warnings(), table.Warnings...)
	table.Decimals = t.Decimals
	for i, v := range table.Values {
		table.Values[i].Shown = t.Units[v.Name]
	}
	table.layOut(blocks)
	table.bound()
	table.agree(blocks, shown)
	return table, nil
}

// block answers the query of a block, and describes its numbers in the table.
func (a *analyzer) block(o *observations, b *study.Block, table *Table) *block {
	laid := slices.Concat(b.Rows, b.Columns)
	answered := &block{Block: b, across: len(b.Rows), published: map[string]*sample{}}
	answered.layout = a.answer(o, &b.Query, laid)
	for _, warning := range answered.layout.evaluation.warnings {
		if !slices.Contains(table.Warnings, warning) {
			table.Warnings = append(table.Warnings, warning)
		}
	}
	for _, stat := range statisticsOf(&b.Query) {
		if !slices.Contains(table.Statistics, stat) {
			table.Statistics = append(table.Statistics, stat)
		}
	}
	for _, column := range b.Shown {
		axis := valueAxis(&b.Query, column)
		i := slices.IndexFunc(table.Values, func(v Axis) bool { return v.Name == axis.Name })
		switch {
		case i < 0:
			table.Values = append(table.Values, axis)
		case axis.Change != "" && axis.Change != table.Values[i].Change:
			v := &table.Values[i]
			if other := ", in other rows " + axis.Change; !strings.HasSuffix(v.Title, other) {
				v.Title += other
			}
		}
	}
	if l := publishedBlock(b, laid); l != nil {
		for _, s := range l.evaluation.samples {
			answered.published[answered.key(l, s)] = s
		}
	}
	return answered
}

// key returns the map key of one of our samples or of a published one: its column and labels, in
// our spelling.
func (b *block) key(l *layout, s *sample) string {
	labels := make([]string, len(l.laid))
	for i, d := range l.laid {
		label, ours := l.evaluation.dims[d].levels[s.at[d]], b.layout.evaluation.dims[d]
		if labels[i] = label.Text; l != b.layout {
			if level := ours.level(label); level >= 0 {
				labels[i] = ours.levels[level].Text
			}
		}
	}
	return tag(append(labels, l.metric(&b.Query, s)))
}

// layOut makes the rows and columns of the table. Blocks with fewer row dimensions leave the last
// heads empty.
func (t *Table) layOut(blocks []*block) {
	columns := map[string]int{}
	for _, b := range blocks {
		if len(b.Rows) > len(t.RowHeads) {
			t.RowHeads = nil
			for _, d := range b.Rows {
				t.RowHeads = append(t.RowHeads, b.Dims[d].Name)
			}
		}
		for _, labels := range b.layout.combinations(b.across, len(b.layout.laid)) {
			if _, found := columns[tag(labels)]; !found {
				columns[tag(labels)] = len(t.Columns)
				t.Columns = append(t.Columns, labels)
			}
		}
	}
	for _, b := range blocks {
		if len(t.RowHeads) == 0 && b.Label != "" {
			t.RowHeads = []string{""}
		}
	}
	for _, b := range blocks {
		t.addRows(b, columns)
	}
}

func (t *Table) addRows(b *block, columns map[string]int) {
	rows := map[string]int{}
	for _, labels := range b.layout.combinations(0, b.across) {
		rows[tag(labels)] = len(t.Rows)
		shown := make([]string, len(t.RowHeads))
		copy(shown, labels)
		if b.across == 0 && b.Label != "" {
			shown[0] = b.Label
		}
		t.Rows = append(t.Rows, Row{Labels: shown, Cells: make([]*Cell, len(t.Columns))})
	}
	for _, s := range b.layout.evaluation.samples {
		row := rows[tag(b.layout.labels(s, 0, b.across))]
		column := columns[tag(b.layout.labels(s, b.across, len(b.layout.laid)))]
		t.Rows[row].Cells[column] = b.cell(s)
	}
}

// cell returns a sample as a table's cell, with the published number if there is one.
func (b *block) cell(s *sample) *Cell {
	cell := &Cell{
		Metric: b.layout.metric(&b.Query, s), Ours: settledEstimate(s.estimate, s.scale), Rounds: s.rounds,
		Ran: s.ran, series: s.series,
		planned: s.planned, number: b.number(s, s.runs, len(b.Against) > 0),
		Prediction: [2]float64{math.NaN(), math.NaN()},
	}
	p := b.published[b.key(b.layout, s)]
	if p == nil || math.IsNaN(p.estimate.Value) {
		return cell
	}
	cell.Published = &Published{Value: p.estimate.Value}
	if p.print != nil {
		cell.Published.Printed, cell.Published.Page, cell.Published.Note = p.print.Text, p.print.Page, p.print.Note
	} else {
		for i := range s.runs {
			cell.parts = append(cell.parts, b.number(s, s.runs[i:i+1], false))
		}
		const digits = 4 // significant ones of a number computed from published ones
		cell.Published.Printed = strconv.FormatFloat(p.estimate.Value, 'g', digits, 64)
	}
	return cell
}

// number returns a text that is the same for all cells of a study that show the number of these
// runs with the column, statistic and levels of keys of a sample, compared as in the block or not.
func (b *block) number(s *sample, runs []int, compared bool) string {
	labels := []string{b.From.Name, b.layout.metric(&b.Query, s), fmt.Sprint(runs)}
	switch {
	case b.Worst:
		labels = append(labels, b.Of.Name) // whose largest number is the base
	case compared:
		labels = append(labels, "compared", string(b.As))
	}
	for d, dim := range b.layout.evaluation.dims {
		if isLevel := dim.key || d > b.Query.Metric(); isLevel && len(dim.levels) > 0 {
			labels = append(labels, dim.name, dim.levels[s.at[d]].Text)
		}
	}
	return tag(labels)
}

// bound sets the bounds of the cells of a column for predictions: 0 and, of percentages, 100. A
// column has them if it shows numbers as they are, and no replication of any cell is beyond them.
func (t *Table) bound() {
	for _, axis := range t.Values {
		var cells []*Cell
		least, largest := 0.0, 0.0
		for _, row := range t.Rows {
			for _, cell := range row.Cells {
				if cell == nil || cell.Metric != axis.Name {
					continue
				}
				cells = append(cells, cell)
				for _, value := range cell.Rounds {
					if !math.IsNaN(value) {
						least, largest = min(least, value), max(largest, value)
					}
				}
			}
		}
		most := math.Inf(+1)
		if axis.Unit == "%" {
			most = 100
		}
		if axis.Change != "" || least < 0 || largest > most {
			continue
		}
		for _, cell := range cells {
			cell.most = most
		}
	}
}

// agree compares our numbers with the published ones, cell by cell and summed up by metric. shown
// has the numbers of earlier tables that are compared with published ones, and gets those of t.
func (t *Table) agree(blocks []*block, shown map[string]bool) {
	for _, axis := range t.Values {
		var cells []*Cell
		for _, row := range t.Rows {
			for _, cell := range row.Cells {
				if cell != nil && cell.Metric == axis.Name && cell.Published != nil {
					cells = append(cells, cell)
				}
			}
		}
		if len(cells) == 0 {
			continue
		}
		text, step := granularity(axis, cells, t.MeanOf)
		for _, cell := range cells {
			switch {
			case t.Given:
				cell.compare()
				continue
			case predicts(blocks, axis.Name):
				cell.judge(step, t.MeanOf)
			}
			cell.Trivial = cell.Published.Value == 0 && cell.isZero()
			cell.Repeated = cell.isShown(shown)
			shown[cell.number] = true
		}
		agreed := agreement(axis.Name, cells, text)
		agreed.Given, agreed.Biased = t.Given, t.biased(cells)
		agreed.Measured = slices.ContainsFunc(blocks, func(b *block) bool {
			return isTimings(&b.Query) && slices.Contains(columnNames(b.Shown), axis.Name)
		})
		t.Agreement = append(t.Agreement, agreed)
	}
}

// biased returns the columns in which the bias of the cells is clear, the largest first; none where
// all cells are in one column.
func (t *Table) biased(cells []*Cell) []BiasedColumn {
	var columns []BiasedColumn
	for i, labels := range t.Columns {
		var own []*Cell
		for _, row := range t.Rows {
			if slices.Contains(cells, row.Cells[i]) {
				own = append(own, row.Cells[i])
			}
		}
		if len(own) == 0 || len(own) == len(cells) {
			continue
		}
		if a := agreement("", own, ""); a.Bias.HasInterval() && a.IsBiased() {
			columns = append(columns, BiasedColumn{labels, a.Bias})
		}
	}
	slices.SortStableFunc(columns, func(a, b BiasedColumn) int {
		return cmp.Compare(math.Abs(b.Bias.Value), math.Abs(a.Bias.Value))
	})
	return columns
}

// predicts reports whether our numbers predict a further run: only statistics of location do.
func predicts(blocks []*block, metric string) bool {
	for _, b := range blocks {
		for _, stat := range statisticsOf(&b.Query) {
			if stat.Measures() != statistics.Location && slices.Contains(columnNames(b.Shown), metric) {
				return false
			}
		}
	}
	return true
}

// isZero reports whether our number is 0 in every replication that has one.
func (c *Cell) isZero() bool {
	return c.Ours.N > 0 && !slices.ContainsFunc(c.Rounds, func(value float64) bool { return math.Abs(value) > 0 })
}

// isShown reports whether earlier cells show the number, or all that it is computed from.
func (c *Cell) isShown(shown map[string]bool) bool {
	missing := func(part string) bool { return !shown[part] }
	return shown[c.number] || len(c.parts) > 0 && !slices.ContainsFunc(c.parts, missing)
}

// judge gives the verdict on a published value that is the mean of a number of runs; if ours is a
// trimmed mean, of the runs that remain. It does so once more without each group of replications.
func (c *Cell) judge(step float64, runs int) {
	c.Prediction = c.predict(c.Rounds, c.terms, step, runs)
	c.Verdict = c.verdictIn(c.Prediction)
	if len(c.Rounds) < groups {
		return
	}
	c.without = make([]Agree, groups)
	for g := range c.without {
		c.without[g] = c.verdictIn(c.predict(withoutGroup(c.Rounds, g), withoutGroup(c.terms, g), step, runs))
	}
}

// predict returns the 95 % prediction interval of a mean of a number of runs. A mean is predicted
// from the terms: for a number such as a ratio of means they are pseudo-values, since the mean of
// the replications' ratios is another number.
func (c *Cell) predict(rounds, terms []float64, step float64, runs int) [2]float64 {
	var low, high float64
	switch {
	case runs == 1 && c.most > 0:
		low, high = statistics.BoundedPrediction(rounds, step, c.most)
	case runs == 1:
		low, high = statistics.Prediction(rounds, runs, step)
	case c.by == statistics.Trimmed:
		low, high = statistics.TrimmedPrediction(terms, runs, step)
	default:
		low, high = statistics.Prediction(terms, runs, step)
	}
	if c.most > 0 {
		low, high = max(0, low), min(c.most, high)
	}
	return [2]float64{low, high}
}

// verdictIn tells whether the published value lies in an interval.
func (c *Cell) verdictIn(interval [2]float64) Agree {
	slack := c.Published.slack()
	switch {
	case math.IsNaN(interval[0]):
		return AgreeNone
	case c.Published.Value >= interval[0]-slack && c.Published.Value <= interval[1]+slack:
		return AgreeInside
	default:
		return AgreeOutside
	}
}

// compare gives the verdict on a published value that is an input of the study.
func (c *Cell) compare() {
	last := math.Pow10(-decimals(c.Published.Printed))
	switch {
	case math.IsNaN(c.Ours.Value):
	case math.Abs(c.Ours.Value-c.Published.Value) <= last/2+c.Published.slack():
		c.Verdict = AgreeInside
	default:
		c.Verdict = AgreeOutside
	}
}

// slack is the tolerance for equality of binary fractions of the number's size.
func (p *Published) slack() float64 {
	const rounding = 1e-9
	return rounding * math.Max(1, math.Abs(p.Value))
}

// agreement sums up the cells of one metric.
func agreement(metric string, cells []*Cell, granularity string) Agreement {
	a := Agreement{Metric: metric, Granularity: granularity}
	var differences []series
	fewest := 0
	squares := 0.0
	for _, c := range cells {
		if math.IsNaN(c.Ours.Value) {
			continue
		}
		if c.Verdict != AgreeNone {
			a.Cells++
			a.Evidence.add(c)
		}
		if c.Verdict == AgreeInside {
			a.Inside++
		}
		differences, fewest = append(differences, c.series.plus(1, -c.Published.Value)), fewer(fewest, c.planned)
		a.Rounding += math.Pow10(-decimals(c.Published.Printed)) / 2
		squares += (c.Ours.Value - c.Published.Value) * (c.Ours.Value - c.Published.Value)
	}
	a.Bias, a.Rounding = meanOf(differences, fewest), a.Rounding/float64(len(differences))
	a.RMSE = math.Sqrt(squares / float64(len(differences)))
	return a
}
