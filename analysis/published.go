package analysis

import (
	"cmp"
	"slices"

	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/sweeps"
)

// printed is a published number at its labels along an experiment's dimensions and the keys of a table.
type printed struct {
	labels []string
	cell   *configs.PublishedCell
}

// publishedDims returns the dimensions along which a block's published numbers are told apart: those of the
// experiment and the keys, without those that the block averages.
func publishedDims(e *sweeps.Experiment, m *model.Model, q configs.Query) []string {
	var dims []string
	for _, d := range e.Dimensions {
		dims = append(dims, d.Name)
	}
	dims = append(dims, keysOf(columnsOf(m, tableOf(q)))...)
	return slices.DeleteFunc(dims, func(name string) bool { return slices.Contains(words(q.Over), name) })
}

// placePublished returns the numbers of a file that belong to a block, each with its labels along the dimensions. A
// dimension that the file does not have has the one label that the block selects. Numbers of the row of an average
// carry the row's label, if any, along the dimensions that are averaged.
func placePublished(cells []configs.PublishedCell, b configs.Block, dims []string) []printed {
	var placed []printed
	for i := range cells {
		if labels := labelsOf(&cells[i], b, dims); labels != nil {
			placed = append(placed, printed{labels, &cells[i]})
		}
	}
	return placed
}

func labelsOf(cell *configs.PublishedCell, b configs.Block, dims []string) []string {
	if !slices.Contains(words(b.Show), cell.Metric) {
		return nil
	}
	labels := make([]string, len(dims))
	for d, name := range dims {
		selected := selection(b.Where, name)
		if len(selected) == 1 {
			labels[d] = selected[0].Value
		}
	}
	for _, l := range cell.Labels {
		d := slices.Index(dims, l.Dimension)
		switch {
		case d >= 0:
			labels[d] = l.Level
		case l.Level == b.Label.Value || l.Dimension == statDimension:
		default:
			return nil
		}
	}
	if slices.Contains(labels, "") {
		return nil
	}
	return labels
}

// selection returns the labels that where selects of a dimension; nil where it selects all.
func selection(where []configs.Selection, name string) []configs.Text {
	for _, w := range where {
		if w.Dimension.Value == name {
			return w.Labels
		}
	}
	return nil
}

// publishedBlock returns the published numbers of a table's block laid out as ours are, nil where there are none. Where
// the file has the level that the query compares with, the numbers are compared as ours are; else they are what
// the paper made of its own.
func (a *analyzer) publishedBlock(file string, e *sweeps.Experiment, b configs.Block, named []string) (*layout, error) {
	dims := publishedDims(e, a.plan.Model, b.Query)
	placed := placePublished(a.plan.Study.Published(file), b, dims)
	if len(placed) == 0 {
		return nil, nil
	}
	o := observePrinted(dims, words(b.Show), placed, len(b.Stat) > 1)
	q := b.Query
	q.Where = slices.DeleteFunc(slices.Clone(q.Where), func(w configs.Selection) bool { // the paper has averaged these
		return slices.ContainsFunc(q.Over, func(name configs.Text) bool { return name.Value == w.Dimension.Value })
	})
	q.Over, q.OverBy = nil, nil
	if !o.hasBase(q.Against) {
		q = compared(q)
	}
	return answer(o, q, named, true)
}

// publishedAnswer answers a query from the paper's own numbers for runs of an experiment, laid out along the named
// dimensions; nil where it prints none of them, nor what the query makes of them. Files are as for publishedRuns.
func (a *analyzer) publishedAnswer(e *sweeps.Experiment, q configs.Query, named, files []string) (*layout, error) {
	o := a.publishedRuns(e, q, files, false)
	if len(o.rows) > 0 && (len(q.Against) == 0 || o.hasBase(q.Against)) {
		l, err := answer(o, q, named, true)
		if err != nil || len(l.grid.samples) > 0 {
			return l, err
		}
	}
	if len(q.Against) == 0 {
		return nil, nil
	}
	o = a.publishedRuns(e, q, files, true)
	if len(o.rows) == 0 {
		return nil, nil
	}
	return answer(o, compared(q), named, true)
}

// compared returns the query of numbers that the paper has compared itself.
func compared(q configs.Query) configs.Query {
	q.Against, q.Worst, q.As = nil, false, configs.Text{}
	return q
}

// sameComparison reports whether two queries compare their numbers with the same and alike.
func sameComparison(a, b configs.Query) bool {
	as := func(q configs.Query) string { return cmp.Or(q.As.Value, asDifference) }
	return a.Worst == b.Worst && as(a) == as(b) &&
		slices.EqualFunc(a.Against, b.Against, func(a, b configs.Selection) bool {
			return a.Dimension.Value == b.Dimension.Value && configs.SameLabel(a.Labels[0].Value, b.Labels[0].Value)
		})
}

// observePrinted returns published numbers as observations of one round.
func observePrinted(dims, shown []string, placed []printed, stats bool) *observations {
	o := &observations{rounds: 1}
	for _, name := range dims {
		o.dims = append(o.dims, dimension{name: name})
	}
	if stats {
		o.dims = append(o.dims, dimension{name: statDimension})
	}
	o.dims = append(o.dims, dimension{name: metricDimension, levels: shown})
	for _, p := range placed {
		labels := p.labels
		if stats {
			labels = append(slices.Clone(labels), labelAlong(p.cell, statDimension))
		}
		row := &observation{values: []float64{p.cell.Value}, cell: p.cell}
		for d, label := range labels {
			level := o.dims[d].level(label)
			if level < 0 {
				level = len(o.dims[d].levels)
				o.dims[d].levels = append(o.dims[d].levels, label)
			}
			row.at = append(row.at, level)
		}
		row.at = append(row.at, slices.Index(shown, p.cell.Metric))
		o.rows = append(o.rows, row)
	}
	return o
}

func labelAlong(cell *configs.PublishedCell, dimension string) string {
	for _, l := range cell.Labels {
		if l.Dimension == dimension {
			return l.Level
		}
	}
	return ""
}

// hasBase reports whether some observation stands at the level that a query compares with.
func (o *observations) hasBase(against []configs.Selection) bool {
	return len(against) > 0 && slices.ContainsFunc(o.rows, func(row *observation) bool {
		return !slices.ContainsFunc(against, func(a configs.Selection) bool {
			d := o.dim(a.Dimension.Value)
			return d < 0 || !configs.SameLabel(o.dims[d].levels[row.at[d]], a.Labels[0].Value)
		})
	})
}

// publishedRuns returns published numbers of the columns that a query shows for cells of an experiment: those of the runs
// themselves, or those that the paper prints compared as the query compares. A number belongs to a run, whatever the
// experiment that its table is of: Table A.1, of one factor for each step of an algorithm, also holds numbers for an
// experiment with a factor for pairs of them. Where several tables print a number of the same run, those that share
// the most dimensions with the experiment count, unless files names the tables to take.
func (a *analyzer) publishedRuns(e *sweeps.Experiment, q configs.Query, files []string, compared bool) *observations {
	table, shown := tableOf(q), words(q.Show)
	keys := keysOf(columnsOf(a.plan.Model, table))
	dims := make([]string, 0, len(e.Dimensions)+len(keys))
	for _, d := range e.Dimensions {
		dims = append(dims, d.Name)
	}
	dims = append(dims, keys...)
	var best []printed
	most := 0
	for _, t := range a.plan.Study.Tables {
		if t.Published.Value == "" || files != nil && !slices.Contains(files, t.Published.Value) {
			continue
		}
		for _, b := range t.Blocks {
			of := a.plan.Experiment(b.Of.Value)
			if of == nil || tableOf(b.Query) != table || len(b.Over) > 0 || len(b.Stat) > 1 ||
				compared && !sameComparison(b.Query, q) {
				continue
			}
			shared := sharedDims(e, of)
			if files == nil && (shared < most || shared == 0) {
				continue
			}
			if files == nil && shared > most {
				best, most = nil, shared
			}
			placed := placePublished(a.plan.Study.Published(t.Published.Value), b, publishedDims(of, a.plan.Model, b.Query))
			if len(placed) > 0 && compared == a.comparedInPrint(of, b, placed) {
				best = append(best, sameRuns(e, of, placed, len(keys))...)
			}
		}
	}
	best = slices.DeleteFunc(best, func(p printed) bool { return !slices.Contains(shown, p.cell.Metric) })
	return observePrinted(dims, shown, best, false)
}

func sharedDims(a, b *sweeps.Experiment) int {
	shared := 0
	for _, d := range a.Dimensions {
		if b.Dimension(d.Name) >= 0 {
			shared++
		}
	}
	return shared
}

// comparedInPrint reports whether the paper prints of a block's numbers only what they are compared with others.
func (a *analyzer) comparedInPrint(of *sweeps.Experiment, b configs.Block, placed []printed) bool {
	return len(b.Against) > 0 &&
		!observePrinted(publishedDims(of, a.plan.Model, b.Query), words(b.Show), placed, false).hasBase(b.Against)
}

// sameRuns returns the published numbers of an experiment's runs that are also runs of e, at its labels.
func sameRuns(e, of *sweeps.Experiment, placed []printed, keys int) []printed {
	byRun := map[int][]*sweeps.Cell{} // equal points are one run
	for i := range e.Cells {
		run := e.Cells[i].Runs[0]
		byRun[run] = append(byRun[run], &e.Cells[i])
	}
	byLabels := map[string]*sweeps.Cell{}
	for i := range of.Cells {
		byLabels[tag(of.Cells[i].Labels)] = &of.Cells[i]
	}
	var found []printed
	for _, p := range placed {
		split := len(p.labels) - keys
		labels := make([]string, split)
		for d, label := range p.labels[:split] {
			dim := dimension{levels: of.Dimensions[d].Levels}
			if level := dim.level(label); level >= 0 {
				labels[d] = dim.levels[level]
			}
		}
		cell := byLabels[tag(labels)]
		if cell == nil {
			continue
		}
		for _, same := range byRun[cell.Runs[0]] {
			found = append(found, printed{append(slices.Clone(same.Labels), p.labels[split:]...), p.cell})
		}
	}
	return found
}
