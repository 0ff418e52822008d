package configs

import (
	"cmp"
	"slices"
)

// Expanded returns the experiments that are run, in the order of the file, with Each and Repeat resolved. One that
// varies each of a and b becomes "name/a" and "name/b", whose first crossed factor is the one varied. One that
// repeats experiment e under a factor becomes "name/e", which crosses that factor with all that e crosses and sets
// what e sets and then what it sets itself, with the levels that it leaves of the factors; an experiment with Each is
// repeated as all its parts.
func (s *Study) Expanded() []Experiment {
	var expanded []Experiment
	known := s.partsByName()
	factors := map[string]bool{}
	for _, f := range s.Factors {
		factors[f.Name.Value] = true
	}
	for _, e := range s.Experiments {
		if len(e.Repeat) == 0 {
			expanded = append(expanded, e.parts()...)
			continue
		}
		for _, p := range known.repeatedBy(e) {
			expanded = append(expanded, e.repetition(s.Experiments[p.experiment].part(p.each)))
		}
	}
	for i, e := range expanded {
		isUnknown := func(c Crossed) bool { return !factors[c.Factor.Value] }
		expanded[i].Broken = e.Broken || slices.ContainsFunc(e.Cross, isUnknown)
	}
	return expanded
}

// part is an experiment, by its index, and which factor of its Each it varies.
type part struct{ experiment, each int }

// partsByName holds the parts that each name in Repeat stands for.
type partsByName map[string][]part

func (s *Study) partsByName() partsByName {
	known := partsByName{}
	for i, e := range s.Experiments {
		if len(e.Repeat) > 0 {
			continue
		}
		for k := range max(len(e.Each), 1) {
			known[e.Name.Value] = append(known[e.Name.Value], part{i, k})
			if len(e.Each) > 0 {
				name := e.partName(k)
				known[name] = append(known[name], part{i, k})
			}
		}
	}
	return known
}

// repeatedBy returns the parts that an experiment runs again, each once and in the order of the file.
func (known partsByName) repeatedBy(e Experiment) []part {
	var parts []part
	for _, name := range e.Repeat {
		parts = append(parts, known[name.Value]...)
	}
	slices.SortFunc(parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.experiment, b.experiment), cmp.Compare(a.each, b.each))
	})
	return slices.Compact(parts)
}

// mostWritten is how many words a study may have once all is written out that each, repeat and blocks say for several.
const mostWritten = 200_000

// checkSize notes a study that says far more than its file shows, before anything of it is written out.
func (s *Study) checkSize(problems *Problems) bool {
	written := 0
	isTooMuch := func(words int, at Text, key string) bool {
		if written += words; written <= mostWritten {
			return false
		}
		s.Report(problems, at.Pos, key, "the study has more than %d words up to here, with all that each, repeat, blocks and "+
			"claims of parts stand for; make several studies of it", mostWritten)
		return true
	}
	known, levels, parts := s.partsByName(), map[string]int{}, map[string]int{}
	for _, f := range s.Factors {
		levels[f.Name.Value] = len(f.Levels)
	}
	crossed := func(c Crossed) int { return 1 + max(len(c.Levels), levels[c.Factor.Value]) }
	for _, e := range s.Experiments {
		key, shared := below("experiments", e.Name.Value), 1+len(e.Set)
		for _, c := range e.Cross {
			shared += crossed(c)
		}
		for _, l := range e.Levels {
			shared += len(l.Labels)
		}
		for _, name := range e.Each {
			if isTooMuch(shared+crossed(Crossed{Factor: name}), e.Name, key) {
				return false
			}
		}
		parts[e.Name.Value] = len(e.Each)
		if len(e.Each) == 0 && len(e.Repeat) == 0 && isTooMuch(shared, e.Name, key) {
			return false
		}
		for _, p := range known.repeatedBy(e) {
			base, words := s.Experiments[p.experiment], shared+crossed(Crossed{Factor: e.Under})
			for _, c := range base.part(p.each).Cross {
				words += crossed(c)
			}
			if isTooMuch(words+len(base.Set), e.Name, key) {
				return false
			}
		}
	}
	for _, t := range s.Tables {
		for _, b := range t.Blocks {
			if isTooMuch(b.size()+len(b.Rows), t.Name, below("tables", t.Name.Value)) {
				return false
			}
		}
	}
	for _, c := range s.Claims {
		words := c.size()
		for _, group := range c.Order {
			words += len(group)
		}
		if isTooMuch(words*max(parts[c.Of.Value], 1), c.Name, below("claims", c.Name.Value)) {
			return false
		}
	}
	return true
}

// size returns how many words a query has.
func (q Query) size() int {
	words := 1 + len(q.Show) + len(q.Over) + len(q.Stat)
	for _, s := range q.Where {
		words += 1 + len(s.Labels)
	}
	return words
}

// parts returns an experiment for every factor of Each, or the experiment itself where it has none.
func (e Experiment) parts() []Experiment {
	parts := make([]Experiment, max(len(e.Each), 1))
	for k := range parts {
		parts[k] = e.part(k)
	}
	return parts
}

// part returns the experiment for the k-th factor of Each, or the experiment itself where it has none.
func (e Experiment) part(k int) Experiment {
	if len(e.Each) == 0 {
		return e
	}
	part := e
	part.Name.Value = e.partName(k)
	part.Each = nil
	part.Cross = append([]Crossed{{Factor: e.Each[k]}}, e.Cross...)
	return part
}

func (e Experiment) partName(k int) string { return e.Name.Value + "/" + e.Each[k].Value }

// each stands in a claim of an experiment with Each for the factor that the part varies.
const each = "each"

// PartsOf returns what a claim asserts of single experiments: the claim itself or, where it is of an experiment with
// Each, a claim for each part, in which the factor that the part varies takes the place of the dimension "each". The
// claim is judged on the rows of all of them together.
func (s *Study) PartsOf(c Claim) []Claim {
	i := slices.IndexFunc(s.Experiments, func(e Experiment) bool { return e.Name.is(c.Of) && len(e.Each) > 0 })
	if i < 0 {
		return []Claim{c}
	}
	return c.PartsIn(s.Experiments[i])
}

// PartsIn is PartsOf for a claim of an experiment that has Each.
func (c Claim) PartsIn(whole Experiment) []Claim {
	var parts []Claim
	for _, e := range whole.parts() {
		part := c
		part.Of.Value = e.Name.Value
		named := func(d Text) Text {
			if d.Value == each {
				d.Value = e.Cross[0].Factor.Value
			}
			return d
		}
		part.For, part.Most, part.Along = mapped(c.For, named), mapped(c.Most, named), named(c.Along)
		parts = append(parts, part)
	}
	return parts
}

func mapped(list []Text, f func(Text) Text) []Text {
	var changed []Text
	for _, t := range list {
		changed = append(changed, f(t))
	}
	return changed
}

// repetition returns the experiment that runs base under every level of e.Under.
func (e Experiment) repetition(base Experiment) Experiment {
	repeated := e
	repeated.Name.Value += "/" + base.Name.Value
	repeated.Repeat, repeated.Under, repeated.Levels = nil, Text{}, nil
	repeated.Again = base.Name.Value
	repeated.Set = replaced(base.Set, e.Set, func(s Setting) Text { return s.Name })
	repeated.Cross = []Crossed{e.left(Crossed{Factor: e.Under})}
	for _, crossed := range base.Cross {
		repeated.Cross = append(repeated.Cross, e.left(crossed))
	}
	repeated.Measure = e.Measure || base.Measure
	repeated.Broken = e.Broken || base.Broken
	if e.Rounds == 0 {
		repeated.Rounds = base.Rounds
	}
	return repeated
}

// left returns a crossed factor with those of its levels that e.Levels leaves, in the order of these.
func (e Experiment) left(crossed Crossed) Crossed {
	i := slices.IndexFunc(e.Levels, func(s Selection) bool { return s.Dimension.is(crossed.Factor) })
	if i < 0 {
		return crossed
	}
	taken := labelSet(crossed.Levels)
	left := Crossed{Factor: crossed.Factor, Levels: []Text{}, Key: Key("experiments", e.Name.Value, "levels", crossed.Factor.Value)}
	for _, label := range e.Levels[i].Labels {
		if crossed.Levels == nil || taken[CanonicalLabel(label.Value)] {
			left.Levels = append(left.Levels, label)
		}
	}
	return left
}
