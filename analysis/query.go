package analysis

import (
	"fmt"
	"math"
	"slices"

	"gridsweep/analysis/statistics"
	"gridsweep/configs"
)

// grid is the result of a query: samples at places in the dimensions that are left.
type grid struct {
	dims     []dimension
	samples  []*sample // in the order of their places
	lacks    shortfall
	warnings []string
}

// dim returns the index of the named dimension, or -1.
func (g *grid) dim(name string) int {
	return slices.IndexFunc(g.dims, func(d dimension) bool { return d.name == name })
}

// query is a study file's query with its words resolved against observations.
type query struct {
	o       *observations
	from    configs.Query
	shown   []string // dimensions along which the worst is looked for
	allowed [][]int  // by dimension: its levels in the order shown
	against []int    // by dimension: the level compared with, or -1
	over    []bool   // by dimension
	stats   []statistics.Kind
	single  bool // the observations are published numbers
}

// evaluate answers a query from observations. Shown names the dimensions that are laid out. The error names a
// dimension that the observations do not have. Levels that were not run are left out.
func evaluate(o *observations, from configs.Query, shown []string, single bool) (*grid, error) {
	q := &query{o: o, from: from, shown: shown, single: single}
	if err := q.resolve(); err != nil {
		return nil, err
	}
	g := &grid{dims: slices.Clone(o.dims)}
	q.warn(g)
	groups := q.groups()
	for stat, kind := range q.stats {
		samples := make([]*sample, len(groups))
		for i, group := range groups {
			s := q.sampler(kind, group).sample()
			s.at = append(slices.Clone(group.at), stat)
			for _, ran := range group.ran {
				if ran {
					s.ran++
				}
			}
			if single && len(group.members) == 1 && group.members[0].base == nil {
				s.cell = group.cell
			}
			samples[i] = &s
		}
		if q.from.Worst {
			q.compareWithWorst(kind, groups, samples)
		}
		g.samples = append(g.samples, samples...)
	}
	stat := dimension{name: statDimension, levels: names(q.stats)}
	if o.dim(statDimension) >= 0 {
		stat.name = "" // the published numbers say which statistic each is
	}
	g.dims = append(g.dims, stat)
	q.compact(g)
	return g, nil
}

func names(kinds []statistics.Kind) []string {
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = string(k)
	}
	return words
}

func (q *query) resolve() error {
	q.allowed = make([][]int, len(q.o.dims))
	q.against = make([]int, len(q.o.dims))
	q.over = make([]bool, len(q.o.dims))
	for d, dim := range q.o.dims {
		q.against[d] = -1
		for level := range dim.levels {
			q.allowed[d] = append(q.allowed[d], level)
		}
	}
	for _, w := range q.from.Where {
		d := q.o.dim(w.Dimension.Value)
		if d < 0 {
			return fmt.Errorf("no dimension %s", w.Dimension.Value)
		}
		q.allowed[d] = levelsOf(q.o.dims[d], w.Labels)
	}
	for _, a := range q.from.Against {
		d := q.o.dim(a.Dimension.Value)
		if d < 0 {
			return fmt.Errorf("no dimension %s", a.Dimension.Value)
		}
		q.against[d] = q.o.dims[d].level(a.Labels[0].Value)
		if q.against[d] < 0 {
			q.against[d] = len(q.o.dims[d].levels) // was not run: nothing to compare with
		}
	}
	for _, name := range q.from.Over {
		d := q.o.dim(name.Value)
		if d < 0 {
			return fmt.Errorf("no dimension %s", name.Value)
		}
		q.over[d] = true
	}
	q.stats = statisticsOf(q.from)
	if q.o.dim(statDimension) >= 0 {
		q.stats = []statistics.Kind{statistics.Mean}
	}
	return nil
}

// statisticsOf returns the statistics over rounds that a query asks for: means, where it says nothing.
func statisticsOf(q configs.Query) []statistics.Kind {
	if len(q.Stat) == 0 {
		return []statistics.Kind{statistics.Mean}
	}
	kinds := make([]statistics.Kind, len(q.Stat))
	for i, s := range q.Stat {
		kinds[i] = statistics.Kind(s.Value)
	}
	return kinds
}

// levelsOf returns the levels of labels, those that were not run left out.
func levelsOf(d dimension, labels []configs.Text) []int {
	var levels []int
	for _, label := range labels {
		if level := d.level(label.Value); level >= 0 && !slices.Contains(levels, level) {
			levels = append(levels, level)
		}
	}
	return levels
}

// place returns a place as a key of maps.
func place(at []int) string {
	text := make([]byte, 0, 4*len(at))
	for _, level := range at {
		text = append(text, byte(level), byte(level>>8), byte(level>>16), byte(level>>24))
	}
	return string(text)
}

func (q *query) sampler(kind statistics.Kind, g *group) *sampler {
	s := &sampler{
		as: q.from.As.Value, kind: kind, over: q.overKind(g.at), single: q.single, members: g.members, rounds: q.o.rounds,
	}
	if s.as == "" || s.members[0].base == nil {
		s.as = asDifference
	}
	return s
}

// overKind returns the statistic over the dimensions of over, which a query may set for each column shown.
func (q *query) overKind(at []int) statistics.Kind {
	d := q.o.dim(metricDimension)
	for _, s := range q.from.OverBy {
		if s.Name.Value == q.o.dims[d].levels[at[d]] {
			return statistics.Kind(s.Value.Value)
		}
	}
	return statistics.Mean
}

// compareWithWorst compares each sample with the largest along the dimensions shown. Which one that is, is settled by
// the statistic over all rounds.
func (q *query) compareWithWorst(kind statistics.Kind, groups []*group, samples []*sample) {
	hidden := make([]int, len(q.o.dims)) // 0 for what is shown
	for d, dim := range q.o.dims {
		if hidden[d] = -1; slices.Contains(q.shown, dim.name) && dim.name != metricDimension {
			hidden[d] = 0
		}
	}
	worst := map[string]int{}
	for i, s := range samples {
		set := place(q.without(groups[i].at, hidden))
		if w, found := worst[set]; !math.IsNaN(s.estimate.Value) &&
			(!found || s.estimate.Value > samples[w].estimate.Value) {
			worst[set] = i
		}
	}
	bases := make([][]float64, len(samples))
	for i := range samples {
		if w, found := worst[place(q.without(groups[i].at, hidden))]; found {
			bases[i] = samples[w].rounds
		} else {
			bases[i] = nothing(q.o.rounds)
		}
	}
	for i, s := range samples {
		compared := q.sampler(kind, &group{at: groups[i].at, members: []pair{{s.rounds, bases[i]}}}).sample()
		compared.at, compared.ran = s.at, s.ran
		*s = compared
	}
}

// compact drops levels that no sample has, puts the others in the order of the query, and drops the dimensions that
// are averaged.
func (q *query) compact(g *grid) {
	for d := range g.dims {
		var order []int
		if d < len(q.allowed) {
			order = q.allowed[d]
		} else {
			for level := range g.dims[d].levels {
				order = append(order, level)
			}
		}
		used := make([]bool, len(g.dims[d].levels))
		for _, s := range g.samples {
			used[s.at[d]] = true
		}
		renamed, levels := make([]int, len(used)), []string{}
		for _, level := range order {
			if used[level] {
				renamed[level] = len(levels)
				levels = append(levels, g.dims[d].levels[level])
			}
		}
		for _, s := range g.samples {
			s.at[d] = renamed[s.at[d]]
		}
		g.dims[d].levels = levels
	}
	slices.SortFunc(g.samples, func(a, b *sample) int { return slices.Compare(a.at, b.at) })
	for d := len(g.dims) - 1; d >= 0; d-- {
		if d < len(q.over) && q.over[d] || g.dims[d].name == "" {
			g.drop(d)
		}
	}
}

// drop takes a dimension with one level out of the result.
func (g *grid) drop(d int) {
	g.dims = slices.Delete(g.dims, d, d+1)
	for _, s := range g.samples {
		s.at = slices.Delete(s.at, d, d+1)
	}
}

// warn says which runs and levels the numbers lack.
func (q *query) warn(g *grid) {
	for _, run := range q.o.runs {
		if q.uses(run.at) {
			g.lacks.count(run)
		}
	}
	if q.single {
		return
	}
	if tableOf(q.from) == timingsTable {
		q.warnOfNoise(g)
	}
	for _, w := range q.from.Where {
		q.warnOfLabels(g, w.Dimension.Value, w.Labels)
	}
	for _, a := range q.from.Against {
		q.warnOfLabels(g, a.Dimension.Value, a.Labels)
	}
}

// uses reports whether a run at these levels is shown or compared with.
func (q *query) uses(at []int) bool {
	for d, level := range at {
		if level != q.against[d] && !slices.Contains(q.allowed[d], level) {
			return false
		}
	}
	return true
}

// warnOfNoise says of times that differ between rounds by more than rounds of equal work do, where they do most.
func (q *query) warnOfNoise(g *grid) {
	const quiet = 0.25 // of the median; rounds of 5,000 requests on an idle machine differ by some 5 %
	most, where := quiet, ""
	for _, row := range q.o.rows {
		if spread := statistics.Spread(row.values); q.uses(row.at) && spread > most {
			most, where = spread, q.o.label(row.at)
		}
	}
	if where != "" {
		g.warnings = append(g.warnings, fmt.Sprintf("times vary between rounds: the middle half of them spans %.0f %% of "+
			"the median at %s; something else was at work on the machine", 100*most, where))
	}
}

func (q *query) warnOfLabels(g *grid, name string, labels []configs.Text) {
	d := q.o.dims[q.o.dim(name)]
	for _, label := range labels {
		switch {
		case d.level(label.Value) >= 0:
		case d.key:
			g.warnings = append(g.warnings, "left out: "+d.noRow(label.Value))
		default:
			g.warnings = append(g.warnings, fmt.Sprintf("left out, since it was not run: %s of %s", label.Value, name))
		}
	}
}
