package configs

import "slices"

// Expanded returns the experiments that are run, in the order of the file, with Each and Repeat resolved. One that
// varies each of a and b becomes "name/a" and "name/b", whose first crossed factor is the one varied. One that
// repeats experiment e under a factor becomes "name/e", which crosses that factor with all that e crosses and sets
// what e sets and then what it sets itself, with the levels that it leaves of the factors; an experiment with Each is
// repeated as all its parts.
func (s *Study) Expanded() []Experiment {
	var expanded []Experiment
	for _, e := range s.Experiments {
		if len(e.Repeat) == 0 {
			expanded = append(expanded, e.parts()...)
			continue
		}
		for _, base := range s.Experiments {
			for _, part := range base.parts() {
				if len(base.Repeat) == 0 && e.repeats(base.Name.Value, part.Name.Value) {
					expanded = append(expanded, e.repetition(part))
				}
			}
		}
	}
	return expanded
}

// parts returns an experiment for every factor of Each, or the experiment itself where it has none.
func (e Experiment) parts() []Experiment {
	if len(e.Each) == 0 {
		return []Experiment{e}
	}
	var parts []Experiment
	for _, factor := range e.Each {
		part := e
		part.Name.Value += "/" + factor.Value
		part.Each = nil
		part.Cross = append([]Crossed{{Factor: factor}}, e.Cross...)
		parts = append(parts, part)
	}
	return parts
}

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
	var parts []Claim
	for _, e := range s.Experiments[i].parts() {
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

func (e Experiment) repeats(base, part string) bool {
	return slices.ContainsFunc(e.Repeat, func(t Text) bool { return t.Value == base || t.Value == part })
}

// repetition returns the experiment that runs base under every level of e.Under.
func (e Experiment) repetition(base Experiment) Experiment {
	repeated := e
	repeated.Name.Value += "/" + base.Name.Value
	repeated.Repeat, repeated.Under, repeated.Levels = nil, Text{}, nil
	repeated.Set = overlaid(base.Set, e.Set)
	repeated.Cross = []Crossed{e.left(Crossed{Factor: e.Under})}
	for _, crossed := range base.Cross {
		repeated.Cross = append(repeated.Cross, e.left(crossed))
	}
	repeated.Measure = e.Measure || base.Measure
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
	taken := func(label Text) bool {
		return crossed.Levels == nil ||
			slices.ContainsFunc(crossed.Levels, func(t Text) bool { return SameLabel(t.Value, label.Value) })
	}
	left := Crossed{Factor: crossed.Factor, Levels: []Text{}, Key: Key("experiments", e.Name.Value, "levels", crossed.Factor.Value)}
	for _, label := range e.Levels[i].Labels {
		if taken(label) {
			left.Levels = append(left.Levels, label)
		}
	}
	return left
}

// overlaid returns the settings of base with those of over put in their place or at the end.
func overlaid(base, over []Setting) []Setting {
	settings := slices.Clone(base)
	for _, setting := range over {
		same := func(s Setting) bool { return s.Name.Value == setting.Name.Value }
		if i := slices.IndexFunc(settings, same); i >= 0 {
			settings[i] = setting
		} else {
			settings = append(settings, setting)
		}
	}
	return settings
}
