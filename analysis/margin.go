// Margins: the comparisons of a claim as numbers that are at least 0 if the comparison holds.

package analysis

import (
	"cmp"
	"math"
	"slices"

	"gridsweep/configs/language"
	"gridsweep/sweeps/study"
)

// margin is one comparison of a claim as a number, which is at least 0 if the comparison holds.
type margin struct {
	number
	labels    []string   // labels of the row, as dimension=level
	row       string     // name of the row: the levels of for and most
	set       string     // name of the set of rows: the levels of for
	what      string     // what is compared with what, in words
	tolerance *tolerance // the tolerance of the test near; else nil
	steps     []margin   // the steps of a trend from each level to the next, > 0 as claimed
	pairs     []margin   // the pairs of levels that a peak or spread asserts something about
	planned   int        // the fewest replications planned for a number compared; 0 if unknown
	// levels of a trend or spread that have a number, in order, or in reverse order if the trend
	// falls; else nil
	levels    []study.Label
	assertion int     // index of the claim's assertion
	subset    *subset // of a trend or spread on fewer levels than the claim's own; else nil

	// asserts is the hypothesis that the comparison holds: its numbers are compared with −δ, where
	// δ is the equivalence margin. It may have more numbers than the margin: a trend over the
	// levels 1, 2 and 3 asserts 3 − 1, 2 − 1 and 3 − 2.
	asserts hypothesis
	// exceeds is the hypothesis that the comparison is above the equivalence margin: its numbers
	// are compared with +δ. It equals asserts but for trends, where it has the difference of the
	// ends alone, 3 − 1. With δ = 0.5 a margin of 0.2 ± 0.1 holds, since it is above −0.5, and does
	// not exceed δ. Such a margin refutes no claim in which another one exceeds δ. A claim with
	// such margins alone has the verdict NotReproduced. Verdicts on claims with a tolerance do not
	// depend on this.
	exceeds hypothesis
}

// tolerance is that of the test near: the value lies within a distance of a number.
type tolerance struct {
	near, within float64
	value        number
}

// margins returns the comparisons of an assertion of a claim in the order of its rows. A comparison
// without a value is left out.
func margins(test study.Test, assertion *study.Assertion, e *evaluation) []margin {
	var found []margin
	for labels, samples := range e.byLabels(e.laid[:len(assertion.For)+len(assertion.Most)]) {
		var row claimRow
		if assertion.Along >= 0 {
			row.along = e.dims[assertion.Along]
		}
		row.samples = make([]*sample, max(1, len(row.along.levels)))
		for _, s := range samples {
			level := 0
			if assertion.Along >= 0 {
				level = s.at[assertion.Along]
			}
			row.samples[level] = s
		}
		for _, m := range row.margins(test) {
			if math.IsNaN(m.value()) {
				continue
			}
			m.labels = make([]string, 0, len(labels))
			for i, label := range labels {
				m.labels = append(m.labels, e.dims[e.laid[i]].name+"="+label)
			}
			m.row, m.set = tag(m.labels), tag(m.labels[:len(assertion.For)])
			found = append(found, m)
		}
	}
	return found
}

// claimRow is the samples of a claim at the same levels of for and most, along the dimension of
// along. A claim without along has one sample in each row.
type claimRow struct {
	along   dimension
	samples []*sample // samples by level of along; nil if the level has none
}

// margins returns the comparisons of a row with their hypotheses.
func (r *claimRow) margins(test study.Test) []margin {
	found := r.compare(test)
	for i, m := range found {
		if m.asserts == nil {
			found[i].asserts = nonNegative(m.number)
		}
		if m.exceeds == nil {
			found[i].exceeds = found[i].asserts
		}
	}
	return found
}

// compare returns the comparisons of a row. One without a hypothesis asserts that its margin is at
// least 0.
func (r *claimRow) compare(test study.Test) []margin {
	switch {
	case len(test.Order) > 0:
		return r.order(test.Order)
	case test.Trend == language.Peaks:
		return r.peak()
	case test.Trend != "":
		return r.trend(test.Trend == language.Falls)
	case test.Spread != nil:
		return r.spread(*test.Spread)
	}
	s := r.samples[0]
	if s == nil || math.IsNaN(s.estimate.Value) {
		return nil
	}
	switch {
	case test.Above != nil:
		return []margin{{number: s.plus(1, -*test.Above), planned: s.planned, what: "value − " + exact(*test.Above)}}
	case test.Below != nil:
		return []margin{{number: s.plus(-1, *test.Below), planned: s.planned, what: exact(*test.Below) + " − value"}}
	default:
		m := margin{
			number: near(s.number, *test.Near, test.Within), tolerance: &tolerance{*test.Near, test.Within, s.number},
			planned: s.planned,
			what:    exact(test.Within) + " − |value − " + exact(*test.Near) + "|",
		}
		return []margin{m}
	}
}

// planned returns the fewest replications planned for some levels.
func (r *claimRow) planned(levels ...int) int {
	fewest := 0
	for _, level := range levels {
		fewest = fewer(fewest, r.samples[level].planned)
	}
	return fewest
}

// name returns the label of a level of along.
func (r *claimRow) name(level int) string { return r.along.levels[level].Text }

// order compares every level of a group with every level of the next group, whose numbers are
// larger if the claim holds.
func (r *claimRow) order(groups [][]study.Label) []margin {
	levels := make([][]int, len(groups))
	for i, group := range groups {
		levels[i] = r.levels(group, groups)
	}
	var found []margin
	for i := range len(levels) - 1 {
		for _, low := range levels[i] {
			for _, high := range levels[i+1] {
				found = append(found, margin{
					number: minus(r.samples[high], r.samples[low]), planned: r.planned(high, low),
					what: r.name(high) + " − " + r.name(low),
				})
			}
		}
	}
	return found
}

// levels returns the levels of a group that have a sample. The word rest stands for all levels that
// no group names, unless it is the label of a level.
func (r *claimRow) levels(group []study.Label, groups [][]study.Label) []int {
	var levels []int
	for _, label := range group {
		if level := r.along.level(label); level >= 0 {
			if r.samples[level] != nil {
				levels = append(levels, level)
			}
			continue
		}
		if label.Text != language.Rest {
			continue
		}
		for level, name := range r.along.levels {
			named := slices.ContainsFunc(slices.Concat(groups...), name.Same)
			if !named && r.samples[level] != nil {
				levels = append(levels, level)
			}
		}
	}
	return levels
}

// inOrder returns the levels that have a number, ascending if the labels are numbers or durations.
func (r *claimRow) inOrder() []int {
	var levels []int
	for level, s := range r.samples {
		if s != nil && !math.IsNaN(s.estimate.Value) {
			levels = append(levels, level)
		}
	}
	if scale, _ := study.Scale(r.along.levels); scale != nil {
		slices.SortStableFunc(levels, func(a, b int) int { return cmp.Compare(scale[a], scale[b]) })
	}
	return levels
}

// labels returns the labels of levels of along.
func (r *claimRow) labels(levels []int) []study.Label {
	labels := make([]study.Label, len(levels))
	for i, level := range levels {
		labels[i] = r.along.levels[level]
	}
	return labels
}

// trend compares the last level with the first. The comparison holds if each step to the next level
// holds, too.
func (r *claimRow) trend(falls bool) []margin {
	levels := r.inOrder()
	if len(levels) < 2 {
		return nil
	}
	if falls {
		slices.Reverse(levels)
	}
	first, last := levels[0], levels[len(levels)-1]
	m := margin{
		number: minus(r.samples[last], r.samples[first]), planned: r.planned(levels...),
		what: r.name(last) + " − " + r.name(first), levels: r.labels(levels),
	}
	m.asserts, m.exceeds = nonNegative(m.number), nonNegative(m.number)
	if len(levels) == 2 {
		return []margin{m}
	}
	for i := range len(levels) - 1 {
		from, to := levels[i], levels[i+1]
		step := margin{
			number: minus(r.samples[to], r.samples[from]), planned: r.planned(from, to), what: r.name(to) + " − " + r.name(from),
		}
		step.asserts = nonNegative(step.number)
		m.steps, m.asserts[0] = append(m.steps, step), append(m.asserts[0], step.number)
	}
	if falls {
		slices.Reverse(m.steps) // in the order of the levels
	}
	return []margin{m}
}

// peak compares the largest level between the ends with the larger end. The comparison holds if a
// level between is larger than both ends.
func (r *claimRow) peak() []margin {
	levels := r.inOrder()
	if len(levels) < 3 {
		return nil
	}
	ends, between := []int{levels[0], levels[len(levels)-1]}, levels[1:len(levels)-1]
	inner, end := r.extreme(between, largest), r.extreme(ends, largest)
	m := margin{
		number: minus(r.samples[inner], r.samples[end]), planned: r.planned(levels...), levels: r.labels(levels),
	}
	m.what = r.name(inner) + " (largest between) − " + r.name(end) + " (larger end)"
	for _, level := range between {
		var above []number // the level above each end
		for _, end := range ends {
			pair := margin{number: minus(r.samples[level], r.samples[end]), what: r.name(level) + " − " + r.name(end)}
			above, m.pairs = append(above, pair.number), append(m.pairs, pair)
		}
		m.asserts = append(m.asserts, above)
	}
	return []margin{m}
}

// spread compares the largest level with the smallest. The comparison holds if all pairs of levels
// differ by at most the tolerance.
func (r *claimRow) spread(tolerance float64) []margin {
	levels := r.inOrder()
	if len(levels) < 2 {
		return nil
	}
	high := r.extreme(levels, largest)
	// another level, also where all are equal
	low := r.extreme(slices.DeleteFunc(slices.Clone(levels), func(level int) bool { return level == high }), smallest)
	m := margin{
		number: minus(r.samples[high], r.samples[low]).plus(-1, tolerance), planned: r.planned(levels...),
		what:   exact(tolerance) + " − (" + r.name(high) + " − " + r.name(low) + ")",
		levels: r.labels(levels),
	}
	m.asserts = hypothesis{nil}
	for i, a := range levels {
		for _, b := range levels[:i] {
			pair := margin{
				number: near(minus(r.samples[a], r.samples[b]), 0, tolerance),
				what:   exact(tolerance) + " − |" + r.name(a) + " − " + r.name(b) + "|",
			}
			m.asserts[0], m.pairs = append(m.asserts[0], pair.number), append(m.pairs, pair)
		}
	}
	return []margin{m}
}

// The signs with which extreme finds the largest and the smallest number.
const (
	largest  = 1.0
	smallest = -1.0
)

// extreme returns the level with the largest number or, with sign smallest, the smallest one; of
// equals the first.
func (r *claimRow) extreme(levels []int, sign float64) int {
	best := levels[0]
	for _, level := range levels[1:] {
		scale := max(r.samples[level].scale, r.samples[best].scale)
		if withoutRounding(sign*(r.samples[level].value()-r.samples[best].value()), scale) > 0 {
			best = level
		}
	}
	return best
}
