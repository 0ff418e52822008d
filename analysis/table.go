// Tables: the numbers of queries in rows and columns, each with its published number.

package analysis

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"gridsweep/sweeps/study"
)

// block is the numbers of a block of a table: ours and the published ones.
type block struct {
	*study.Block
	ours      *evaluation
	published map[string]*sample
}

// table computes a table of the study, and its agreement in each universe; nil if none of its
// experiments was run.
func (a *analyzer) table(ctx context.Context, t *study.Table) (*Table, error) {
	table, err := a.tableOf(t, nil, a.shownIn(""), func(b *study.Block) (*observations, error) {
		if e := a.experiment(b.Experiment); e != nil {
			return a.store.observe(ctx, e, &b.Query)
		}
		return nil, nil
	})
	if table == nil || err != nil {
		return nil, err
	}
	table.Universes, err = a.agreements(ctx, t, table)
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
// the numbers that it compares with published ones to those shown so far. In a universe, own has
// the cells with published numbers of the study's own experiments, else it is nil.
func (a *analyzer) tableOf(
	t *study.Table, own map[string]*Cell, shown map[string]bool, observe func(*study.Block) (*observations, error),
) (*Table, error) {
	table := &Table{Name: t.Name, Title: t.Title, Source: t.Published, ColumnDimensions: t.Columns, MeanOf: t.MeanOf,
		Given: t.Given}
	var blocks []*block
	used := usedRuns{}
	for _, b := range t.Blocks {
		o, err := observe(b)
		if err != nil {
			return nil, err
		}
		if o == nil {
			table.Warnings = append(table.Warnings, "experiment "+b.Experiment.Name+" was not run")
			continue
		}
		answered := a.block(o, b, table)
		blocks = append(blocks, answered)
		maps.Copy(used, answered.ours.used)
	}
	if len(blocks) == 0 {
		return nil, nil
	}
	table.Warnings = append(used.warnings(), table.Warnings...)
	table.Decimals = t.Decimals
	for i, v := range table.Values {
		table.Values[i].Shown = t.Units[v.Name]
	}
	table.layOut(blocks)
	table.borrow(own)
	table.agree(blocks, shown)
	return table, nil
}

// block answers the query of a block, and describes its numbers in the table.
func (a *analyzer) block(o *observations, b *study.Block, table *Table) *block {
	laid := slices.Concat(b.Rows, b.Columns)
	answered := &block{Block: b, published: map[string]*sample{}}
	answered.ours = evaluate(o, &b.Query, laid, false)
	table.Warnings = unique(append(table.Warnings, answered.ours.warnings...))
	table.Statistics = unique(append(table.Statistics, statisticsOf(&b.Query)...))
	for _, column := range b.Shown {
		axis := valueAxis(&b.Query, column)
		i := slices.IndexFunc(table.Values, func(v Axis) bool { return v.Name == axis.Name })
		switch {
		case i < 0:
			table.Values = append(table.Values, axis)
		case axis.Change != "" && axis.Change != table.Values[i].Change: // unlike other blocks
			v := &table.Values[i]
			if other := ", in other rows " + axis.Change; !strings.HasSuffix(v.Title, other) {
				v.Title += other
			}
		}
	}
	if printed := publishedBlock(b, laid); printed != nil {
		for _, s := range printed.samples {
			answered.published[answered.key(printed, s)] = s
		}
	}
	return answered
}

// key returns the map key of one of our samples or of a published one: its column and labels, in
// our spelling.
func (b *block) key(e *evaluation, s *sample) string {
	labels := make([]string, len(e.laid))
	for i, d := range e.laid {
		label, dim := e.dims[d].levels[s.at[d]], b.ours.dims[d]
		labels[i] = label.Text
		if e != b.ours {
			if level := dim.level(label); level >= 0 {
				labels[i] = dim.levels[level].Text
			}
		}
	}
	return tag(append(labels, e.metric(&b.Query, s)))
}

// layOut makes the rows and columns of the table. Rows of blocks with fewer row dimensions leave
// the last labels empty.
func (t *Table) layOut(blocks []*block) {
	columns := map[string]int{}
	for _, b := range blocks {
		if len(b.Rows) > len(t.RowDimensions) {
			t.RowDimensions = dimNames(&b.Query, b.Rows)
		}
		for labels := range b.ours.byLabels(b.Columns) {
			if _, found := columns[tag(labels)]; !found {
				columns[tag(labels)] = len(t.Columns)
				t.Columns = append(t.Columns, labels)
			}
		}
	}
	for _, b := range blocks {
		if len(t.RowDimensions) == 0 && b.Label != "" {
			t.RowDimensions = []string{""}
		}
	}
	for _, b := range blocks {
		t.addRows(b, columns)
	}
}

func (t *Table) addRows(b *block, columns map[string]int) {
	for labels, samples := range b.ours.byLabels(b.Rows) {
		shown := make([]string, len(t.RowDimensions))
		copy(shown, labels)
		if len(b.Rows) == 0 && b.Label != "" {
			shown[0] = b.Label
		}
		cells := make([]*Cell, len(t.Columns))
		for _, s := range samples {
			cells[columns[tag(b.ours.labels(s, b.Columns))]] = b.cell(s)
		}
		t.Rows = append(t.Rows, Row{Labels: shown, Cells: cells})
	}
}

// cell returns a sample as a table's cell, with the published number if there is one.
func (b *block) cell(s *sample) *Cell {
	cell := &Cell{
		Metric: b.ours.metric(&b.Query, s), Ours: estimateWithoutRounding(s.estimate, s.scale), Values: s.values,
		Ran: s.ran, number: s.number,
		planned: s.planned, domain: s.domain, identity: b.identity(s, s.runs, len(b.Against) > 0),
		Prediction: [2]float64{math.NaN(), math.NaN()},
	}
	p := b.published[b.key(b.ours, s)]
	if p == nil || math.IsNaN(p.estimate.Value) {
		return cell
	}
	cell.Published = p.printed
	if p.printed == nil {
		for i := range s.runs {
			cell.operands = append(cell.operands, b.identity(s, s.runs[i:i+1], false))
		}
		const digits = 4 // significant ones of a number computed from published ones
		text := strconv.FormatFloat(p.estimate.Value, 'g', digits, 64)
		cell.Published = &study.PublishedNumber{Value: p.estimate.Value, Text: text}
	}
	return cell
}

// identity returns a key of the number of some runs, equal in all cells of the study that show it:
// with the sample's column, statistic and levels of keys and, if compared, the block's comparison.
func (b *block) identity(s *sample, runs []int, compared bool) string {
	labels := []string{b.From.Name, b.ours.metric(&b.Query, s), fmt.Sprint(runs)}
	switch {
	case b.Worst:
		labels = append(labels, b.Experiment.Name) // whose largest number is the base
	case compared:
		labels = append(labels, "compared", string(b.As))
	}
	for d, dim := range b.ours.dims {
		if isLevel := dim.key || d > b.Query.Metric(); isLevel && len(dim.levels) > 0 {
			labels = append(labels, dim.name, dim.levels[s.at[d]].Text)
		}
	}
	return tag(labels)
}
