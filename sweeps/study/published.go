// Published numbers at their cells in tables.

package study

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gridsweep/analysis/statistics"
	"gridsweep/configs"
	"gridsweep/configs/language"
	"gridsweep/model"
)

// mostPlaced bounds the search: published numbers times the blocks of their tables.
const mostPlaced = 500_000

// placePublished assigns published numbers to the blocks of a table, and reports those that belong
// to no cell of the table.
func (b *binder) placePublished(t configs.Table, bound *Table, key string) {
	if t.Published.Value == "" || isBroken(t) {
		return
	}
	if other := b.file.MeanOf(t.Published.Value); other != t.MeanOf {
		b.report(t.Published, key+".mean_of",
			"the numbers of %s are means of %d here and of %d in a table before; the "+
				"numbers of a file are means of equally many runs", t.Published.Value, t.MeanOf, other)
	}
	cells := b.file.Published(t.Published.Value)
	if b.placed += len(cells) * len(t.Blocks); b.placed > mostPlaced {
		b.report(t.Published, key+".published",
			"up to here tables show more than %d published numbers, each counted for each "+
				"block that it could stand in; make several studies of this one", mostPlaced)
		return
	}
	placers := make([]placer, len(t.Blocks))
	for i := range t.Blocks {
		placers[i] = b.placer(t.Blocks[i], bound.Blocks[i])
	}
	noted := map[misplacement]bool{}
	for i := range cells {
		var first misplacement
		isMisplaced := true
		for k := range placers {
			reason := placers[k].place(&cells[i])
			isMisplaced = isMisplaced && reason.misfit != fits
			if k == 0 {
				first = reason
			}
		}
		distinct := first
		if first.isOfShare() { // all numbers of a column are written alike, so one problem suffices
			distinct.printed = ""
		}
		if isMisplaced && !noted[distinct] { // each reason once, at its first cell
			noted[distinct] = true
			at := configs.Text{Pos: cells[i].Pos}
			isOfIt := func(l configs.LevelOf) bool { return l.Dimension == first.dimension }
			if level := slices.IndexFunc(cells[i].Levels, isOfIt); level >= 0 {
				at.Pos = cells[i].At[level]
			}
			b.reportOf(first.placer.bound.Experiment, first.placer.file.Query, at, key, ".published", "%s", first)
		}
	}
}

// placer places published numbers in a block.
type placer struct {
	file  configs.Block
	bound *Block
	known bool // the experiment, the columns and the dimensions
	names []string
	shown []string
	// by dimension: the one label that the block selects, for files without the dimension
	selected []Label
	open     []string   // dimensions along which a number needs a label
	taken    []labelSet // by dimension: the levels that the experiment takes
	own      []labelSet // by dimension: those of the factor
}

func (b *binder) placer(block configs.Block, bound *Block) placer {
	p := placer{file: block, bound: bound, names: bound.names(), shown: texts(block.Show)}
	isUnknown := func(name string) bool { _, found := bound.From.column(name); return !found }
	p.known = bound.isBound && !slices.ContainsFunc(p.shown, isUnknown)
	if !p.known {
		return p
	}
	p.selected = make([]Label, len(p.names))
	p.taken, p.own = make([]labelSet, len(p.names)), make([]labelSet, len(p.names))
	for d, dim := range bound.Dims {
		if dim.Factor != nil {
			p.taken[d], p.own[d] = bound.Experiment.taken[bound.Experiment.crossing(dim.Name)], dim.Factor.labels
		}
		switch selected := bound.Selected(d); {
		case d >= bound.Metric() || slices.Contains(bound.Over, d): // needs no label
		case len(selected) == 1:
			p.selected[d] = selected[0]
		default:
			p.open = append(p.open, dim.Name)
		}
	}
	return p
}

// misplacement is the reason why a published number belongs to no cell of a block; the zero value
// is for a number that belongs to one.
type misplacement struct {
	misfit           misfit
	placer           *placer
	dimension, label string // dimension and label in question; of a metric the label alone
	printed          string // the number, if that is wrong
}

type misfit int

const (
	fits misfit = iota
	isNotShown
	hasNoDimension
	isNotTaken
	isUnlabelled
	isNoShare
	isOutside
)

// place adds a published number to the block if it belongs there, and returns what is wrong with
// its metric, value or labels. A number of a level that the experiment does not take is added all
// the same. A dimension that the file does not have has the one label that the block selects. A
// number with a label along a dimension that the block averages belongs here if that is the label
// of the block's row. Else it belongs to another block, which is no error.
func (p *placer) place(cell *configs.PublishedCell) misplacement {
	if !p.known { // then another problem is reported
		return misplacement{}
	}
	metric := slices.Index(p.shown, cell.Metric)
	if metric < 0 {
		return misplacement{misfit: isNotShown, placer: p, label: cell.Metric}
	}
	number := PublishedNumber{
		Labels: slices.Clone(p.selected), Metric: metric, Value: cell.Value, Text: cell.Printed, Page: cell.Page,
		Note: cell.Note,
	}
	if cell.IsPercent {
		switch p.unit(metric) {
		case "%": // as it is
		case "":
			number.Text = hundredth(cell.Printed)
			number.Value, _ = strconv.ParseFloat(number.Text, 64) // digits with a point
		default:
			return misplacement{misfit: isNoShare, placer: p, label: cell.Metric}
		}
	}
	if p.hasRange() && !p.bound.Shown[metric].Contains(number.Value) {
		reason := misplacement{misfit: isOutside, placer: p, label: cell.Metric, printed: cell.Printed}
		if cell.IsPercent {
			reason.printed += "%"
		}
		return reason
	}
	belongs := true
	var reason misplacement
	for _, l := range cell.Levels {
		d := slices.Index(p.names, l.Dimension)
		isRow := l.Level == p.file.Label.Value // the label of the row, such as of an average
		switch {
		case d < 0 || d == p.bound.Metric() || slices.Contains(p.bound.Over, d):
			belongs = belongs && isRow
		case d == p.bound.Stat():
			number.Stat = NewLabel(l.Level)
		default:
			number.Labels[d] = NewLabel(l.Level)
		}
		switch {
		case reason.misfit != fits: // an earlier label is wrong
		case d < 0:
			reason = misplacement{misfit: hasNoDimension, placer: p, dimension: l.Dimension}
		case len(p.taken[d].texts) > 0 && !isRow && p.own[d].has(l.Level) && !p.taken[d].has(l.Level):
			reason = misplacement{misfit: isNotTaken, placer: p, dimension: l.Dimension, label: l.Level}
		}
	}
	isLabelled := func(name string) bool {
		return slices.ContainsFunc(cell.Levels, func(l configs.LevelOf) bool { return l.Dimension == name })
	}
	unlabelled := slices.DeleteFunc(slices.Clone(p.open), isLabelled)
	switch {
	case reason.misfit == fits && len(unlabelled) > 0:
		reason = misplacement{misfit: isUnlabelled, placer: p, dimension: strings.Join(unlabelled, " and ")}
	case len(unlabelled) == 0 && belongs:
		p.bound.Printed = append(p.bound.Printed, number)
	}
	return reason
}

// String returns the reason as a message.
func (m misplacement) String() string {
	name := m.placer.bound.Experiment.Name
	switch m.misfit {
	case isNotShown:
		return fmt.Sprintf("metric %q is not shown; %s", m.label, configs.Suggest(m.label, m.placer.shown))
	case hasNoDimension:
		return fmt.Sprintf("experiment %s has no dimension %q; %s", name, m.dimension,
			configs.Suggest(m.dimension, m.placer.names))
	case isNotTaken:
		levels := m.placer.taken[slices.Index(m.placer.names, m.dimension)].texts
		return fmt.Sprintf("experiment %s takes no level %q of %s; %s", name, m.label, m.dimension,
			configs.Suggest(m.label, levels))
	case isNoShare:
		return fmt.Sprintf("a number in %% is published of %s, which is in %s; write it in %[2]s without the sign", m.label,
			m.placer.unit(slices.Index(m.placer.shown, m.label)))
	case isOutside:
		text := fmt.Sprintf("%s is outside %s of %s", m.printed, m.column().Range, m.label)
		if m.isOfShare() {
			text += fmt.Sprintf(", which is a share: write %s%%, or %s", m.printed, hundredth(m.printed))
		}
		return text
	default:
		return "the file does not say which " + m.dimension + " its numbers are of"
	}
}

// column returns the column of a number outside of its range.
func (m misplacement) column() *model.Column {
	return &m.placer.bound.Shown[slices.Index(m.placer.shown, m.label)]
}

// isOfShare reports whether a number outside of the range of its column is a share in percent
// without the sign.
func (m misplacement) isOfShare() bool {
	if m.misfit != isOutside {
		return false
	}
	x, err := strconv.ParseFloat(m.printed, 64)
	return err == nil && m.column().Unit == "" && m.column().Contains(x/100)
}

// unit returns the unit of the numbers of a column that the block shows, after their comparison.
func (p *placer) unit(metric int) string {
	switch p.bound.As {
	case language.Difference:
		return p.bound.Shown[metric].Unit
	case language.Percent:
		return "%"
	default:
		return ""
	}
}

// hasRange reports whether the numbers of the block are in the ranges of their columns: no
// comparisons, and no dispersions.
func (p *placer) hasRange() bool {
	isDispersion := func(s statistics.Statistic) bool { return s.Measures() == statistics.Dispersion }
	return !p.bound.Worst && len(p.bound.Against) == 0 && !slices.ContainsFunc(p.bound.Stats, isDispersion) &&
		!slices.ContainsFunc(p.bound.OverBy, isDispersion)
}

// hundredth moves the point of a decimal number by two digits: 12.5, printed in percent, is the
// share 0.125.
func hundredth(printed string) string {
	digits := strings.TrimLeft(printed, "+-")
	whole, fraction, _ := strings.Cut(digits, ".")
	whole = "000" + whole
	point := len(whole) - 2
	units := strings.TrimLeft(whole[:point-1], "0") + whole[point-1:point]
	return strings.TrimSuffix(printed, digits) + units + "." + whole[point:] + fraction
}
