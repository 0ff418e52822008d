// The agreement of a table with its published numbers.

package analysis

import (
	"cmp"
	"math"
	"slices"

	"gridsweep/analysis/statistics"
)

// agree compares our numbers with the published ones, cell by cell and summed up by metric. shown
// has the numbers of earlier tables that are compared with published ones, and gets those of t,
// except inputs of the study.
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
		digits := mostDecimals(cells)
		text, granularity := denominators(axis, cells, digits, t.MeanOf)
		for _, cell := range cells {
			cell.rounding = math.Pow10(-digits) / 2
			switch {
			case t.Given: // inputs are printed with the digits that they have
				cell.rounding = math.Pow10(-decimals(cell.Published.Text)) / 2
				cell.judgeInput()
				continue
			case predicts(blocks, axis.Name):
				cell.judge(granularity, t.MeanOf)
			}
			cell.Trivial = cell.Published.Value == 0 && cell.isZero()
			cell.shownItself, cell.Repeated = shown[cell.identity], cell.isShown(shown)
			shown[cell.identity] = true
		}
		agreed := agreement(axis.Name, cells, text)
		agreed.Given, agreed.Biased = t.Given, t.biased(cells)
		agreed.Measured = slices.ContainsFunc(blocks, func(b *block) bool {
			return isTimings(&b.Query) && slices.Contains(columnNames(b.Shown), axis.Name)
		})
		t.Agreement = append(t.Agreement, agreed)
	}
}

// biased returns the subtables in which the bias is clear, the largest first. The cells are divided
// by columns, or by the labels of one dimension of the rows. Of these divisions it takes the one
// with the largest bias; a division into a single subtable does not count.
func (t *Table) biased(cells []*Cell) []BiasedSubtable {
	var most []BiasedSubtable
	for dim := -1; dim < len(t.RowDimensions); dim++ {
		found := biasedSubtables(t.subtables(cells, dim))
		if len(found) > 0 && (most == nil || math.Abs(found[0].Bias.Value) > math.Abs(most[0].Bias.Value)) {
			most = found
		}
	}
	return most
}

// subtable is the cells of a table that have the same labels.
type subtable struct {
	labels []string
	cells  []*Cell
}

// subtables divides cells by their labels in a dimension of the rows, dim, or by their columns if
// dim is -1.
func (t *Table) subtables(cells []*Cell, dim int) []subtable {
	var subtables []subtable
	for _, row := range t.Rows {
		for i, cell := range row.Cells {
			if !slices.Contains(cells, cell) {
				continue
			}
			dims, labels := t.ColumnDimensions, slices.Clone(t.Columns[i])
			if dim >= 0 {
				dims, labels = t.RowDimensions[dim:], []string{row.Labels[dim]}
			}
			for d := range labels {
				labels[d] = LevelName(dims[d], labels[d])
			}
			at := slices.IndexFunc(subtables, func(s subtable) bool { return slices.Equal(s.labels, labels) })
			if at < 0 {
				at = len(subtables)
				subtables = append(subtables, subtable{labels: labels})
			}
			subtables[at].cells = append(subtables[at].cells, cell)
		}
	}
	return subtables
}

// biasedSubtables returns the subtables whose bias is clear, the largest first; none if there is
// only one.
func biasedSubtables(subtables []subtable) []BiasedSubtable {
	if len(subtables) < 2 {
		return nil
	}
	var found []BiasedSubtable
	for _, s := range subtables {
		if a := agreement("", s.cells, ""); a.Bias.HasInterval() && a.IsBiased() {
			found = append(found, BiasedSubtable{Labels: s.labels, Cells: a.Cells, Inside: a.Inside, Bias: a.Bias})
		}
	}
	slices.SortStableFunc(found, func(a, b BiasedSubtable) int {
		return cmp.Compare(math.Abs(b.Bias.Value), math.Abs(a.Bias.Value))
	})
	return found
}

// predicts reports whether our numbers predict a further run: only statistics of location do.
func predicts(blocks []*block, metric string) bool {
	return !slices.ContainsFunc(blocks, func(b *block) bool {
		isShown := slices.Contains(columnNames(b.Shown), metric)
		return isShown && slices.ContainsFunc(statisticsOf(&b.Query), measuresNoLocation)
	})
}

// isZero reports whether our number is 0 in every replication that has one.
func (c *Cell) isZero() bool {
	return c.Ours.N > 0 && !slices.ContainsFunc(c.Values, func(value float64) bool { return math.Abs(value) > 0 })
}

// isShown reports whether earlier cells show the number, or all that it is computed from.
func (c *Cell) isShown(shown map[string]bool) bool {
	isShown := func(operand string) bool { return shown[operand] }
	return shown[c.identity] || len(c.operands) > 0 && all(c.operands, isShown)
}

// judge gives the verdict on a published value that is the mean of a number of runs; if ours is a
// trimmed mean, of the runs that remain. It does so once more without each group of replications,
// if there are enough for groups (see leftOutGroups). The granularity is that of the published
// value, as denominators finds it.
func (c *Cell) judge(granularity float64, runs int) {
	c.Prediction = c.predict(c.Values, c.terms, granularity, runs)
	c.Verdict = c.verdictOn(c.Published.Value, c.Prediction)
	if len(c.Values) < leftOutGroups {
		return
	}
	c.verdictWithout = make([]Agree, leftOutGroups)
	for g := range c.verdictWithout {
		interval := c.predict(withoutGroup(c.Values, g), withoutGroup(c.terms, g), granularity, runs)
		c.verdictWithout[g] = c.verdictOn(c.Published.Value, interval)
		if runs == 1 {
			c.judgeOwn(g, interval)
		}
	}
}

// judgeOwn gives each replication of a group the verdict that it would have as the published
// number, rounded like that, by the prediction interval of the other groups.
func (c *Cell) judgeOwn(group int, interval [2]float64) {
	unit := 2 * c.rounding
	for k := group; k < len(c.Values); k += leftOutGroups {
		if math.IsNaN(c.Values[k]) {
			continue
		}
		switch c.verdictOn(math.Round(c.Values[k]/unit)*unit, interval) {
		case AgreeInside:
			c.own, c.ownInside = c.own+1, c.ownInside+1
		case AgreeOutside:
			c.own++
		}
	}
}

// predict returns the 95 % prediction interval of a mean of a number of runs. A mean is predicted
// from the terms: for a number such as a ratio of means they are pseudo-values, since the mean of
// the replications' ratios is another number.
func (c *Cell) predict(values, terms []float64, granularity float64, runs int) [2]float64 {
	var low, high float64
	switch {
	case runs == 1 && c.domain != nil && c.domain.ratio:
		low, high = statistics.RatioPrediction(values, granularity, c.domain.least)
	case runs == 1 && c.domain != nil:
		low, high = statistics.BoundedPrediction(values, granularity, c.domain.most)
	case runs == 1:
		low, high = statistics.Prediction(values, runs, granularity)
	case c.by == statistics.Trimmed:
		low, high = statistics.TrimmedPrediction(terms, runs, granularity)
	default:
		low, high = statistics.Prediction(terms, runs, granularity)
	}
	return [2]float64{c.domain.within(low), c.domain.within(high)}
}

// verdictOn tells whether a number that is printed like the published one may be a rounded number
// of an interval.
func (c *Cell) verdictOn(printed float64, interval [2]float64) Agree {
	switch {
	case math.IsNaN(interval[0]):
		return AgreeNone
	case printed >= interval[0]-c.roundingError() && printed <= interval[1]+c.roundingError():
		return AgreeInside
	default:
		return AgreeOutside
	}
}

// judgeInput gives the verdict on a published value that is an input of the study.
func (c *Cell) judgeInput() {
	switch difference := math.Abs(c.Ours.Value - c.Published.Value); {
	case difference <= c.roundingError():
		c.Verdict = AgreeInside
	case difference > c.roundingError(): // not NaN
		c.Verdict = AgreeOutside
	}
}

// roundingError is what rounding may have added to the published number or taken from it: the
// paper's, and that of binary fractions of the number's size.
func (c *Cell) roundingError() float64 {
	const binary = 1e-9
	return c.rounding + binary*math.Max(1, math.Abs(c.Published.Value))
}

// agreement sums up the cells of one metric.
func agreement(metric string, cells []*Cell, denominators string) Agreement {
	a := Agreement{Metric: metric, Denominators: denominators}
	var differences []number
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
		differences, fewest = append(differences, c.number.plus(1, -c.Published.Value)), fewer(fewest, c.planned)
		a.Rounding += c.rounding
		squares += (c.Ours.Value - c.Published.Value) * (c.Ours.Value - c.Published.Value)
	}
	a.Bias, a.Rounding = meanOf(differences, fewest), a.Rounding/float64(len(differences))
	a.RMSE = math.Sqrt(squares / float64(len(differences)))
	return a
}
