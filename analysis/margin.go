package analysis

// Margins: the comparisons of a claim as numbers that are at least 0 where the claim holds.

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
	"gridsweep/sweeps/study"
)

// margin is one comparison of a claim: by how much it holds, at least 0 where it does.
type margin struct {
	series
	labels []string // the row, as dimension=level
	row    string   // names the row
	set    string   // names the levels of for: the claim is asserted of each
	what   string
	bounds *bounds  // of near: how far the value may lie from what the paper states
	steps  []series // of a trend: from each level to the next, above 0 where it goes as claimed
	// choices is among how many comparisons this one was chosen for its size; 0 and 1 where it was
	// not.
	choices int
	planned int // the fewest rounds that are planned for a number compared; 0 where that is not known
}

// bounds is what near claims: a value within a distance of a number.
type bounds struct{ near, within float64 }

// margins returns the comparisons of a claim in the order of its rows; those without a number are
// left out.
func margins(test study.Test, part *study.Part, l *layout) []margin {
	rows := len(part.For) + len(part.Most)
	var found []margin
	byRow := map[string][]*sample{}
	for _, s := range l.evaluation.samples {
		row := tag(l.labels(s, 0, rows))
		byRow[row] = append(byRow[row], s)
	}
	for _, labels := range l.combinations(0, rows) {
		line := line{evaluation: l.evaluation}
		if part.Along >= 0 {
			line.along = l.evaluation.dims[part.Along]
		}
		line.samples = make([]*sample, max(1, len(line.along.levels)))
		for _, s := range byRow[tag(labels)] {
			level := 0
			if part.Along >= 0 {
				level = s.at[part.Along]
			}
			line.samples[level] = s
		}
		for _, m := range line.compare(test) {
			if math.IsNaN(m.value()) {
				continue
			}
			for i, label := range labels {
				m.labels = append(m.labels, l.evaluation.dims[l.laid[i]].name+"="+label)
			}
			m.row, m.set = tag(m.labels), tag(m.labels[:len(part.For)])
			found = append(found, m)
		}
	}
	return found
}

// line is the samples of a row along a dimension; the one sample of a claim without along.
type line struct {
	evaluation *evaluation
	along      dimension
	samples    []*sample // by level; nil where there is none
}

func (l *line) compare(test study.Test) []margin {
	switch {
	case len(test.Order) > 0:
		return l.order(test.Order)
	case test.Trend == language.Peaks:
		return l.peak()
	case test.Trend != "":
		return l.trend(test.Trend == language.Falls)
	case test.Spread != nil:
		return l.spread(*test.Spread)
	}
	s := l.samples[0]
	if s == nil || math.IsNaN(s.estimate.Value) {
		return nil
	}
	switch {
	case test.Above != nil:
		return []margin{{series: s.plus(1, -*test.Above), planned: s.planned, what: "value − " + number(*test.Above)}}
	case test.Below != nil:
		return []margin{{series: s.plus(-1, *test.Below), planned: s.planned, what: number(*test.Below) + " − value"}}
	default:
		return []margin{near(s, *test.Near, test.Within)}
	}
}

// planned returns the fewest rounds that are planned for some levels.
func (l *line) planned(levels ...int) int {
	fewest := 0
	for _, level := range levels {
		fewest = fewer(fewest, l.samples[level].planned)
	}
	return fewest
}

// name returns the label of a level along the line.
func (l *line) name(level int) string { return l.along.levels[level].Text }

// near measures how far inside the bounds the value lies: on the side of the middle on which it is.
func near(s *sample, middle, within float64) margin {
	m := margin{what: number(within) + " − |value − " + number(middle) + "|", bounds: &bounds{middle, within}, planned: s.planned}
	if s.value() >= middle {
		m.series = s.plus(-1, middle+within)
	} else {
		m.series = s.plus(1, within-middle)
	}
	return m
}

// plus returns sign·s + offset.
func (s series) plus(sign, offset float64) series {
	moved := series{make([]float64, len(s.terms)), s.by}
	for k, part := range s.terms {
		moved.terms[k] = sign*part + offset
	}
	return moved
}

// minus returns a − b, round by round.
func minus(a, b *sample) series { return series{statistics.Pairs(b.terms, a.terms), a.by} }

// order compares every level of a group with every level of the next one, which is to be larger.
func (l *line) order(groups [][]study.Label) []margin {
	levels := make([][]int, len(groups))
	for i, group := range groups {
		levels[i] = l.levels(group, groups)
	}
	var margins []margin
	for i := range len(levels) - 1 {
		for _, low := range levels[i] {
			for _, high := range levels[i+1] {
				margins = append(margins, margin{
					series: minus(l.samples[high], l.samples[low]), planned: l.planned(high, low),
					what: l.name(high) + " − " + l.name(low),
				})
			}
		}
	}
	return margins
}

// levels returns the levels of a group that there are. The word rest, where it is no level, stands
// for all that no group names.
func (l *line) levels(group []study.Label, groups [][]study.Label) []int {
	var levels []int
	for _, label := range group {
		if level := l.along.level(label); level >= 0 {
			if l.samples[level] != nil {
				levels = append(levels, level)
			}
			continue
		}
		if label.Text != language.Rest {
			continue
		}
		for level, name := range l.along.levels {
			named := slices.ContainsFunc(slices.Concat(groups...), name.Same)
			if !named && l.samples[level] != nil {
				levels = append(levels, level)
			}
		}
	}
	return levels
}

// inOrder returns the levels that have a number: ascending where they are numbers or durations.
func (l *line) inOrder() []int {
	var levels []int
	for level, s := range l.samples {
		if s != nil && !math.IsNaN(s.estimate.Value) {
			levels = append(levels, level)
		}
	}
	if scale, _ := study.Scale(l.along.levels); scale != nil {
		slices.SortStableFunc(levels, func(a, b int) int { return cmp.Compare(scale[a], scale[b]) })
	}
	return levels
}

// trend compares the last level with the first.
func (l *line) trend(falls bool) []margin {
	levels := l.inOrder()
	if len(levels) < 2 {
		return nil
	}
	if falls {
		slices.Reverse(levels)
	}
	first, last := levels[0], levels[len(levels)-1]
	m := margin{
		series: minus(l.samples[last], l.samples[first]), planned: l.planned(first, last), what: l.name(last) + " − " + l.name(first),
	}
	for i := range len(levels) - 1 {
		m.steps = append(m.steps, minus(l.samples[levels[i+1]], l.samples[levels[i]]))
	}
	return []margin{m}
}

// peak compares the largest level between the ends with the larger end. Which levels these are is
// settled for each round by the other rounds: settled by all, noise would make a peak of what is
// flat. What is left of that is corrected for as a choice.
func (l *line) peak() []margin {
	levels := l.inOrder()
	if len(levels) < 3 {
		return nil
	}
	ends, between := []int{levels[0], levels[len(levels)-1]}, levels[1:len(levels)-1]
	m := margin{series: series{by: l.samples[ends[0]].by}, choices: len(between), planned: l.planned(levels...)}
	rounds := len(l.samples[ends[0]].terms)
	for k := range rounds {
		left := k
		if rounds == 1 {
			left = -1
		}
		inner, end := l.extreme(between, left, largest), l.extreme(ends, left, largest)
		m.terms = append(m.terms, l.samples[inner].terms[k]-l.samples[end].terms[k])
	}
	inner, end := l.extreme(between, -1, largest), l.extreme(ends, -1, largest)
	m.what = l.name(inner) + " (largest between) − " + l.name(end) + " (larger end)"
	return []margin{m}
}

// spread compares the largest level with the smallest: chosen among all pairs.
func (l *line) spread(bound float64) []margin {
	levels := l.inOrder()
	if len(levels) < 2 {
		return nil
	}
	high, low := l.extreme(levels, -1, largest), l.extreme(levels, -1, smallest)
	m := margin{
		series: minus(l.samples[high], l.samples[low]), choices: len(levels) * (len(levels) - 1) / 2, planned: l.planned(high, low),
	}
	for k := range m.terms {
		m.terms[k] = bound - m.terms[k]
	}
	m.what = number(bound) + " − (" + l.name(high) + " − " + l.name(low) + ")"
	return []margin{m}
}

// The extremes that a level may be.
const (
	largest  = 1.0
	smallest = -1.0
)

// extreme returns the level with the largest or smallest number over the rounds, but for the one
// left out unless it is negative; the first of equals.
func (l *line) extreme(levels []int, left int, sign float64) int {
	best, most := levels[0], math.Inf(-1)
	for _, level := range levels {
		value := l.samples[level].value()
		if left >= 0 {
			value = l.samples[level].without(left)
		}
		if sign*value > most {
			best, most = level, sign*value
		}
	}
	return best
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
