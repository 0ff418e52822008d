package analysis

import (
	"fmt"
	"slices"
	"strings"

	"gridsweep/configs"
)

// publishedBlock is a block of a table with what its published numbers may be numbers of.
type publishedBlock struct {
	configs.Block
	experiment *configs.Experiment // nil where it is not known, which is noted elsewhere
	shown      []string
	dims       []string
	open       []string          // dimensions along which a number has to say where it stands
	levels     map[string]levels // by dimension: those that the experiment takes
	factors    map[string]levels // by name
}

func (c *checker) publishedBlock(b configs.Block) publishedBlock {
	p := publishedBlock{Block: b, experiment: c.experiment(b.Of), shown: words(b.Show), factors: c.factors}
	columns := c.table(b.Query).columns
	isUnknown := func(name configs.Text) bool { return !hasColumn(columns, name.Value) }
	if p.experiment == nil || slices.ContainsFunc(b.Show, isUnknown) {
		p.experiment = nil
		return p
	}
	p.dims, p.levels = c.dimensions(p.experiment, b.Query), map[string]levels{}
	for _, name := range p.dims {
		p.levels[name] = c.levels(p.experiment, name)
		if name != metricDimension && name != statDimension && !slices.Contains(words(b.Over), name) &&
			len(selection(b.Where, name)) != 1 {
			p.open = append(p.open, name)
		}
	}
	return p
}

// misplacement is why a published number stands in no cell of a block; the zero one is of a number that stands in one.
type misplacement struct {
	why              misfit
	block            *publishedBlock
	dimension, label string // that are in question; of a metric the label alone
}

type misfit int

const (
	fits misfit = iota
	isNotShown
	hasNoDimension
	isNotTaken
	isUnlabelled
)

// misplaced says why a published number stands in no cell of the block.
func (b *publishedBlock) misplaced(cell *configs.PublishedCell) misplacement {
	if b.experiment == nil {
		return misplacement{}
	}
	if !slices.Contains(b.shown, cell.Metric) {
		return misplacement{why: isNotShown, block: b, label: cell.Metric}
	}
	for _, l := range cell.Labels {
		if !slices.Contains(b.dims, l.Dimension) {
			return misplacement{why: hasNoDimension, block: b, dimension: l.Dimension}
		}
		levels := b.levels[l.Dimension]
		if len(levels.labels) == 0 || l.Level == b.Label.Value {
			continue // a key, or the row of an average
		}
		if !b.factors[l.Dimension].has(l.Level) {
			continue // of a factor that a derived study gives other levels, else noted with the study's form
		}
		if !levels.has(l.Level) {
			return misplacement{why: isNotTaken, block: b, dimension: l.Dimension, label: l.Level}
		}
	}
	if unlabelled := b.unlabelled(cell); len(unlabelled) > 0 {
		return misplacement{why: isUnlabelled, block: b, dimension: strings.Join(unlabelled, " and ")}
	}
	return misplacement{}
}

// unlabelled returns the dimensions in which a published number has no level.
func (b *publishedBlock) unlabelled(cell *configs.PublishedCell) []string {
	var unlabelled []string
	for _, name := range b.open {
		if labelAlong(cell, name) == "" {
			unlabelled = append(unlabelled, name)
		}
	}
	return unlabelled
}

// String says it for people.
func (m misplacement) String() string {
	switch m.why {
	case isNotShown:
		return fmt.Sprintf("metric %q is not shown; %s", m.label, configs.Suggest(m.label, m.block.shown))
	case hasNoDimension:
		return fmt.Sprintf("experiment %s has no dimension %q; %s", m.block.experiment.Name.Value, m.dimension,
			configs.Suggest(m.dimension, m.block.dims))
	case isNotTaken:
		return fmt.Sprintf("experiment %s takes no level %q of %s; %s", m.block.experiment.Name.Value, m.label, m.dimension,
			configs.Suggest(m.label, m.block.levels[m.dimension].labels))
	default:
		return "the file does not say which " + m.dimension + " its numbers are of"
	}
}
