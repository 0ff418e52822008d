// Evaluation: from observations to the numbers of a query.

package analysis

import (
	"fmt"
	"math"
	"slices"

	"gridsweep/analysis/statistics"
	"gridsweep/configs/language"
	"gridsweep/sweeps/study"
)

// evaluation is the answer to a query: samples with their levels along its dimensions. A dimension
// over which the query takes the mean, or another statistic, has no levels, and its index in
// samples is 0.
type evaluation struct {
	dims     []dimension // dimensions of the query, metric and stat last
	laid     []int       // those that make rows, columns or series, in the order of the layout
	samples  []*sample   // samples in the order of their levels
	used     usedRuns
	warnings []string
}

// query is a query of the study whose labels are resolved to levels of observations.
type query struct {
	o         *observations
	from      *study.Query
	laid      []int   // dimensions that are laid out; the worst is looked for along them
	allowed   [][]int // by dimension: the levels that are shown, in their order
	stats     []statistics.Statistic
	published bool // whether the observations are published numbers
	// against is the level of the base, by dimension: −1 where the query compares with none, and
	// the number of levels where no observation has the level.
	against []int
}

// evaluate answers a query from observations, without the levels that were not run. laid has the
// dimensions along which a table, figure or claim arranges the numbers. published is true if the
// observations are published numbers.
func evaluate(o *observations, from *study.Query, laid []int, published bool) *evaluation {
	q := newQuery(o, from, laid, published)
	e := &evaluation{dims: slices.Clone(o.dims), laid: laid, used: usedRuns{}}
	q.warn(e)
	groups := q.groups()
	for index, stat := range q.stats {
		samples := make([]*sample, len(groups))
		for i, group := range groups {
			s := q.sampler(stat, group).sample()
			s.at, s.runs = slices.Clone(group.at), group.runs
			s.setPlanned(group.planned)
			if !o.hasStat { // otherwise the statistic of a published number is one of its levels
				s.at = append(s.at, index)
			}
			for _, ran := range group.ran {
				if ran {
					s.ran++
				}
			}
			if published && len(group.members) == 1 && group.members[0].base == nil {
				s.printed = group.printed
			}
			samples[i] = &s
		}
		if from.Worst {
			q.compareWithWorst(stat, groups, samples)
		}
		e.samples = append(e.samples, samples...)
	}
	if !o.hasStat {
		dim := dimension{name: from.Dims[from.Stat()].Name}
		for _, stat := range q.stats {
			dim.levels = append(dim.levels, study.NewLabel(string(stat)))
		}
		e.dims = append(e.dims, dim)
	}
	if !published {
		q.boundIntervals(e.samples)
	}
	q.compact(e)
	return e
}

// newQuery resolves the labels of a query to levels of observations.
func newQuery(o *observations, from *study.Query, laid []int, published bool) *query {
	q := &query{
		o: o, from: from, laid: laid, published: published, stats: statisticsOf(from),
		allowed: make([][]int, len(o.dims)), against: make([]int, len(o.dims)),
	}
	for d, dim := range o.dims {
		q.against[d] = -1
		for level := range dim.levels {
			q.allowed[d] = append(q.allowed[d], level)
		}
	}
	for _, w := range from.Where {
		q.allowed[w.Dim] = levelsOf(o.dims[w.Dim], w.Labels)
	}
	for _, a := range from.Against {
		q.against[a.Dim] = o.dims[a.Dim].level(a.Labels[0])
		if q.against[a.Dim] < 0 {
			q.against[a.Dim] = len(o.dims[a.Dim].levels)
		}
	}
	if o.hasStat {
		q.stats = []statistics.Statistic{statistics.Mean}
	}
	return q
}

// statisticsOf returns the statistics over replications of a query; the mean if it names none.
func statisticsOf(q *study.Query) []statistics.Statistic {
	if len(q.Stats) == 0 {
		return []statistics.Statistic{statistics.Mean}
	}
	return q.Stats
}

// levelsOf returns the levels with the labels. Labels that were not run are left out.
func levelsOf(d dimension, labels []study.Label) []int {
	var levels []int
	for _, label := range labels {
		if level := d.level(label); level >= 0 && !slices.Contains(levels, level) {
			levels = append(levels, level)
		}
	}
	return levels
}

// indexKey returns levels as a map key.
func indexKey(at []int) string {
	text := make([]byte, 0, 4*len(at))
	for _, level := range at {
		text = append(text, byte(level), byte(level>>8), byte(level>>16), byte(level>>24))
	}
	return string(text)
}

// sampler returns what computes the number of a group by a statistic. Numbers without a base count
// as differences.
func (q *query) sampler(stat statistics.Statistic, g *group) *sampler {
	s := &sampler{
		as: q.from.As, stat: stat, published: q.published, members: g.members, replications: q.o.replications,
		over: q.from.OverBy[g.at[q.from.Metric()]],
	}
	if s.members[0].base == nil {
		s.as = language.Difference
	}
	if !q.published {
		s.perEvent = q.o.granularity[g.at[q.from.Metric()]]
	}
	return s
}

// compareWithWorst compares each sample with the worst of its set: the samples that differ from it
// only along the dimensions that are laid out.
func (q *query) compareWithWorst(stat statistics.Statistic, groups []*group, samples []*sample) {
	isLaid := func(d int) bool { return slices.Contains(q.laid, d) && d != q.from.Metric() }
	setOf, sets := make([]string, len(samples)), map[string][]*sample{}
	for i, s := range samples {
		setOf[i] = indexKey(q.without(groups[i].at, isLaid))
		sets[setOf[i]] = append(sets[setOf[i]], s)
	}
	bases := map[string][]float64{}
	for set, candidates := range sets {
		bases[set] = worst(stat, candidates, q.o.replications)
	}
	for i, s := range samples {
		pair := member{s.values, bases[setOf[i]]}
		compared := q.sampler(stat, &group{at: groups[i].at, members: []member{pair}}).sample()
		compared.at, compared.ran, compared.runs = s.at, s.ran, s.runs
		compared.setPlanned(s.planned)
		*s = compared
	}
}

// worst returns the values of the sample with the largest statistic over the replications that all
// samples with a value have planned; NaN for each replication if there is none.
func worst(stat statistics.Statistic, samples []*sample, replications int) []float64 {
	fewest := 0
	for _, s := range samples {
		if !math.IsNaN(s.estimate.Value) {
			fewest = fewer(fewest, s.planned)
		}
	}
	values, largest, scale := noValues(replications), math.Inf(-1), 0.0
	for _, s := range samples {
		value := s.estimate.Value
		if s.planned > fewest {
			value = stat.Of(s.values[:fewest])
		}
		if withoutRounding(value-largest, max(s.scale, scale)) > 0 { // not NaN
			values, largest, scale = s.values, value, s.scale
		}
	}
	return values
}

// boundIntervals keeps the intervals of the numbers of a column within its bounds, if no
// replication is beyond them. Numbers are at least 0, and percentages at most 100, others at most
// the end of the column's range. Ratios are at least 0, and changes in percent at least −100.
// Differences and improvement ratios have no bounds.
func (q *query) boundIntervals(samples []*sample) {
	compares := q.from.Worst || len(q.from.Against) > 0
	if compares && q.from.As != language.Percent && q.from.As != language.Ratio {
		return
	}
	for metric, label := range q.o.dims[q.from.Metric()].levels {
		possible := &domain{most: math.Inf(1), ratio: compares}
		if compares && q.from.As == language.Percent {
			possible.least = -100
		}
		for _, column := range q.from.Shown {
			if !compares && column.Name == label.Text {
				possible.most = column.Most()
				if column.Unit == "%" {
					possible.most = 100
				}
			}
		}
		isOf := func(s *sample) bool { return s.at[q.from.Metric()] == metric }
		isBeyond := func(value float64) bool { return value < possible.least || value > possible.most }
		if slices.ContainsFunc(samples, func(s *sample) bool { return isOf(s) && slices.ContainsFunc(s.values, isBeyond) }) {
			continue
		}
		for _, s := range samples {
			if isOf(s) {
				perEvent := s.granularity / float64(len(s.by.Kept(s.terms)))
				s.estimate, s.domain = s.estimate.Bounded(possible.least, possible.most, perEvent), possible
			}
		}
	}
}

// compact drops levels without a sample and sorts the others as the query does.
func (q *query) compact(e *evaluation) {
	for d := range e.dims {
		var order []int
		switch {
		case slices.Contains(q.from.Over, d):
			e.dims[d].levels = nil // each number is over all levels
			continue
		case d < len(q.allowed):
			order = q.allowed[d]
		default: // stat
			for level := range e.dims[d].levels {
				order = append(order, level)
			}
		}
		used := make([]bool, len(e.dims[d].levels))
		for _, s := range e.samples {
			used[s.at[d]] = true
		}
		renamed, levels := make([]int, len(used)), []study.Label{}
		for _, level := range order {
			if used[level] {
				renamed[level] = len(levels)
				levels = append(levels, e.dims[d].levels[level])
			}
		}
		for _, s := range e.samples {
			s.at[d] = renamed[s.at[d]]
		}
		e.dims[d].levels = levels
	}
	slices.SortFunc(e.samples, func(a, b *sample) int { return slices.Compare(a.at, b.at) })
}

// warn records missing runs and levels, and noisy timings.
func (q *query) warn(e *evaluation) {
	for _, run := range q.o.runs {
		if q.uses(run.at) {
			e.used[run.index] = run.missing
		}
	}
	if q.published {
		return
	}
	if isTimings(q.from) {
		q.warnOfNoise(e)
	}
	for _, selection := range slices.Concat(q.from.Where, q.from.Against) {
		q.warnOfLabels(e, selection)
	}
	if q.o.warning != "" {
		e.warnings = append(e.warnings, q.o.warning)
	}
}

// uses reports whether observations at these levels are shown or compared with.
func (q *query) uses(at []int) bool {
	for d, level := range at {
		if level != q.against[d] && !slices.Contains(q.allowed[d], level) {
			return false
		}
	}
	return true
}

// warnOfNoise warns if times differ between replications by more than equal work explains. The
// warning names the observation with the largest spread.
func (q *query) warnOfNoise(e *evaluation) {
	// spread in proportion to the median; replications of 5,000 requests on an idle machine have
	// some 5 %
	const quiet = 0.25
	most, where := quiet, ""
	for _, row := range q.o.rows {
		if spread := statistics.Spread(row.values); q.uses(row.at) && spread > most {
			most, where = spread, q.o.label(row.at)
		}
	}
	if where != "" {
		e.warnings = append(e.warnings, fmt.Sprintf("times vary between replications: the middle half of them spans %.0f %% "+
			"of the median at %s; something else was at work on the machine", 100*most, where))
	}
}

func (q *query) warnOfLabels(e *evaluation, s study.Selection) {
	d := q.o.dims[s.Dim]
	for _, label := range s.Labels {
		switch {
		case d.level(label) >= 0: // it was run
		case d.key:
			e.warnings = append(e.warnings, "left out: "+d.noRow(label))
		default:
			e.warnings = append(e.warnings, fmt.Sprintf("left out, since it was not run: %s of %s", label.Text, d.name))
		}
	}
}
