package analysis

import (
	"cmp"
	"context"
	"slices"

	"gridsweep/analysis/statistics"
	"gridsweep/configs"
	"gridsweep/sweeps"
)

// restLabel stands in an order for all levels that the order does not name.
const restLabel = "rest"

// claim judges the parts of a claim on our rows, on the paper's own numbers and under every reading that was run.
func (a *analyzer) claim(ctx context.Context, c configs.Claim, parts []configs.Claim) (Claim, error) {
	ours, err := a.judgement(ctx, parts)
	if err != nil {
		return Claim{}, err
	}
	readings, err := a.readings(ctx, parts)
	if err != nil {
		return Claim{}, err
	}
	return Claim{
		Name: c.Name.Value, Doc: c.Doc.Value, Source: c.Source.Value, Test: describe(parts),
		Unit: marginUnit(valueAxis(a.plan.Model, c.Query, c.Show[0].Value).Unit),
		Ours: ours, Published: a.publishedJudgement(parts), Readings: readings,
	}, nil
}

// judgement judges the parts of a claim together, on our rows; it is not run where one of them is not.
func (a *analyzer) judgement(ctx context.Context, parts []configs.Claim) (Judgement, error) {
	var pool pool
	for _, part := range parts {
		e := a.experiment(part.Of.Value)
		if e == nil {
			pool.absent = append(pool.absent, "experiment "+part.Of.Value)
			continue
		}
		o, err := a.store.observe(ctx, e, tableOf(part.Query), words(part.Show))
		if err != nil {
			return Judgement{}, err
		}
		if err := a.compare(o, parts, part, &pool); err != nil {
			return Judgement{}, err
		}
	}
	return pool.judge(parts[0]), nil
}

// pool is the comparisons of all parts of a claim.
type pool struct {
	margins  []margin
	lacks    shortfall
	warnings []string
	gaps     []string
	absent   []string // experiments and levels that were not run
	unknown  []string // labels of keys that no row has
	ran      bool     // some round was run that the comparisons are of
}

// compare adds the comparisons of one of the parts of a claim.
func (a *analyzer) compare(o *observations, parts []configs.Claim, part configs.Claim, pool *pool) error {
	absent, unknown := absentLevels(o.dims, part)
	if len(absent)+len(unknown) > 0 {
		pool.absent, pool.unknown = append(pool.absent, absent...), append(pool.unknown, unknown...)
		return nil
	}
	l, err := a.answer(o, part.Query, words(claimDims(part)))
	if err != nil {
		return err
	}
	pool.margins = append(pool.margins, distinct(parts, part.Along.Value, margins(part, l))...)
	pool.lacks.add(l.grid.lacks)
	pool.gaps = append(pool.gaps, l.grid.gaps()...)
	pool.ran = pool.ran || slices.ContainsFunc(l.grid.samples, func(s *sample) bool { return s.ran > 0 })
	for _, w := range l.grid.warnings {
		if !slices.Contains(pool.warnings, w) {
			pool.warnings = append(pool.warnings, w)
		}
	}
	return nil
}

func (p *pool) judge(c configs.Claim) Judgement {
	switch gaps := unique(p.gaps); {
	case len(p.absent) > 0:
		return Judgement{Verdict: NotRun, Note: "not run: " + list(unique(p.absent), "and")}
	case len(p.unknown) > 0:
		return Judgement{Verdict: NoValue, Note: note(unique(p.unknown))}
	case len(p.margins) == 0 && p.ran:
		return Judgement{Verdict: NoValue, Note: note(gaps, "nothing to compare"), Gaps: gaps}
	default:
		judgement := judge(c, inSets(p.margins), slices.Concat(p.lacks.warnings(), p.warnings, gaps))
		judgement.Gaps = gaps
		return judgement
	}
}

// absentLevels returns the levels that a claim names and the dimensions do not have: absent those of factors, as under
// --levels, unknown those of keys, in words. Of the others alone the paper says nothing.
func absentLevels(dims []dimension, c configs.Claim) (absent, unknown []string) {
	named := slices.Concat(c.Where, c.Against)
	for _, group := range c.Order {
		named = append(named, configs.Selection{Dimension: c.Along, Labels: group})
	}
	for _, dim := range dims {
		for _, selection := range named {
			for _, label := range words(selection.Labels) {
				switch {
				case selection.Dimension.Value != dim.name || label == restLabel || dim.level(label) >= 0:
				case dim.key:
					unknown = append(unknown, dim.noRow(label))
				default:
					absent = append(absent, "level "+label+" of "+dim.name)
				}
			}
		}
	}
	return absent, unknown
}

// distinct puts the dimension before what is compared, where the parts of a claim run along different ones.
func distinct(parts []configs.Claim, along string, found []margin) []margin {
	if parts[0].Along.Value != parts[len(parts)-1].Along.Value {
		for i := range found {
			found[i].what = along + ": " + found[i].what
		}
	}
	return found
}

// inSets brings together the comparisons of each level of for, which several parts of a claim may have.
func inSets(margins []margin) []margin {
	first := map[string]int{}
	for i, m := range margins {
		if _, known := first[m.set]; !known {
			first[m.set] = i
		}
	}
	slices.SortStableFunc(margins, func(a, b margin) int { return cmp.Compare(first[a.set], first[b.set]) })
	return margins
}

// claimDims returns the dimensions that a claim names: for, most and along, in this order.
func claimDims(c configs.Claim) []configs.Text {
	dims := slices.Concat(c.For, c.Most)
	if c.Along.Value != "" {
		dims = append(dims, c.Along)
	}
	return dims
}

// readings judges the parts of a claim together under each level of the factor that an experiment repeats them under.
func (a *analyzer) readings(ctx context.Context, parts []configs.Claim) ([]ReadingJudgement, error) {
	var readings []ReadingJudgement
	for _, e := range a.plan.Study.Experiments {
		repeated, err := a.repeated(ctx, e, parts)
		if err != nil {
			return nil, err
		}
		if repeated == nil {
			continue
		}
		for _, level := range repeated[0].dims[0].levels {
			var pool pool
			for i, part := range parts {
				part.Where = append(slices.Clone(part.Where), configs.Selection{
					Dimension: e.Under, Labels: []configs.Text{{Value: level}},
				})
				if err := a.compare(repeated[i], parts, part, &pool); err != nil {
					return nil, err
				}
			}
			pool.lacks = shortfall{} // dozens of readings: the n of each margin tells
			if judgement := pool.judge(parts[0]); judgement.Verdict != NotRun {
				readings = append(readings, ReadingJudgement{Experiment: e.Name.Value, Level: level, Judgement: judgement})
			}
		}
	}
	return readings, nil
}

// repeated returns the rows with which an experiment repeats each part of a claim; nil where it does not repeat all.
func (a *analyzer) repeated(ctx context.Context, e configs.Experiment, parts []configs.Claim) ([]*observations, error) {
	var found []*observations
	for _, part := range parts {
		repeated := repetition(a.plan, e, part.Of.Value)
		if repeated == nil || !a.store.hasRows(repeated) {
			return nil, nil
		}
		o, err := a.store.observe(ctx, repeated, tableOf(part.Query), words(part.Show))
		if err != nil {
			return nil, err
		}
		found = append(found, o)
	}
	return found, nil
}

// publishedJudgement judges the parts of a claim together, on the paper's own numbers; nil where they do not hold what
// its test needs. Where the paper prints several numbers of one run, their mean counts.
func (a *analyzer) publishedJudgement(parts []configs.Claim) *Judgement {
	var found []margin
	for _, part := range parts {
		printed := a.publishedMargins(a.plan.Experiment(part.Of.Value), part)
		if len(printed) == 0 {
			return nil
		}
		found = append(found, distinct(parts, part.Along.Value, printed)...)
	}
	judgement := count(parts[0], inSets(found))
	return &judgement
}

// publishedMargins returns the comparisons of a claim on the paper's own numbers; none where it cannot be judged on them.
func (a *analyzer) publishedMargins(e *sweeps.Experiment, c configs.Claim) []margin {
	if len(c.Stat) > 0 && c.Stat[0].Value == string(statistics.SD) {
		return nil // single numbers have none
	}
	if absent, _ := absentLevels(dimensionsOf(e), c); len(absent) > 0 {
		return nil
	}
	l, err := a.publishedAnswer(e, c.Query, words(claimDims(c)), nil)
	if l == nil || err != nil {
		return nil
	}
	return margins(c, l)
}
