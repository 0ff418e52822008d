package configs

import "slices"

// Expanded returns the experiments that are run, in the order of the file, with Each and Repeat resolved. One that
// varies each of a and b becomes "name/a" and "name/b", whose first crossed factor is the one varied. One that
// repeats experiment e under a factor becomes "name/e", which crosses that factor with all that e crosses and sets
// what e sets and then what it sets itself; an experiment with Each is repeated as all its parts.
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

func (e Experiment) repeats(base, part string) bool {
	return slices.ContainsFunc(e.Repeat, func(t Text) bool { return t.Value == base || t.Value == part })
}

// repetition returns the experiment that runs base under every level of e.Under.
func (e Experiment) repetition(base Experiment) Experiment {
	repeated := e
	repeated.Name.Value += "/" + base.Name.Value
	repeated.Repeat, repeated.Under = nil, Text{}
	repeated.Set = overlaid(base.Set, e.Set)
	repeated.Cross = append([]Crossed{{Factor: e.Under}}, base.Cross...)
	repeated.Measure = e.Measure || base.Measure
	if e.Rounds == 0 {
		repeated.Rounds = base.Rounds
	}
	return repeated
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
