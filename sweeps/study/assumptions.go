// Assumptions, and the factors whose levels are universes: combinations of their levels.

package study

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gridsweep/configs"
	"gridsweep/configs/language"
	"gridsweep/model/rng"
	"gridsweep/sweeps/design"
)

// Assumption is a choice that the paper leaves open.
type Assumption struct {
	Name     string
	Doc      string   // what is chosen
	Source   string   // the sentence of the paper that leaves it open, or the fact that it rests on
	Why      string   // why the default is the default
	Workload bool     // it is about the stand-in workload and not about the paper's text
	Levels   []string // labels; the first is the default
}

// Universe is a combination of the levels of all assumptions of the study. A level of another
// factor under which claims are repeated stands in place of one. Its JSON has the label alone.
type Universe struct {
	Label string `json:"universe"` // names the levels that are not the default
	// Levels has the index of each assumption's level, 0 for the default; nil for another factor.
	Levels []int `json:"-"`
}

// Alternatives counts the assumptions of a universe that are not the default; 1 for a level of
// another factor.
func (u Universe) Alternatives() int {
	if u.Levels == nil {
		return 1
	}
	count := 0
	for _, level := range u.Levels {
		if level != 0 {
			count++
		}
	}
	return count
}

// UniverseLevels returns Universe.Levels for a level of a factor: of the default universe for one
// that sets nothing, of an alternative alone for one with its name, such as "window: 90 d", else
// nil.
func (s *Study) UniverseLevels(level Level) []int {
	levels, isUniverse := make([]int, len(s.Assumptions)), len(level.Assignments) == 0
	for i, a := range s.Assumptions {
		for k, alternative := range a.Levels[1:] {
			if level.Label.Same(NewLabel(levelName(a.Name, alternative))) {
				levels[i], isUniverse = k+1, true
			}
		}
	}
	if !isUniverse {
		return nil
	}
	return levels
}

// defaultUniverse is the label of the universe without alternatives, unless the experiment names
// its baseline.
const defaultUniverse = "default"

// mostUniverses is the most universes of an experiment that does not say how many, unless it names
// another design than latin.
const mostUniverses = 64

// factorOfUniverses is a factor whose levels are universes.
type factorOfUniverses struct {
	factor configs.Factor
	levels map[string][]int // by canonical label of a universe: level by assumption of the study
}

// addUniverses gives each experiment under assumptions the factor that it is repeated under. It
// replaces the file by one with these factors.
func (b *binder) addUniverses() {
	b.universes = map[string]factorOfUniverses{}
	for _, a := range b.file.Assumptions {
		labels := []string{a.Default.Value}
		for _, level := range a.Levels {
			labels = append(labels, level.Label.Value)
		}
		b.bound.Assumptions = append(b.bound.Assumptions,
			Assumption{a.Name.Value, a.Doc.Value, a.Source.Value, a.Why.Value, a.Workload, labels})
	}
	replacement := *b.file
	replacement.Factors, replacement.Experiments = slices.Clone(b.file.Factors), slices.Clone(b.file.Experiments)
	for i := range replacement.Experiments {
		e := &replacement.Experiments[i]
		if len(e.Assumptions) == 0 {
			continue
		}
		key := configs.Key("experiments", e.Name.Value)
		if slices.ContainsFunc(b.file.Factors, func(f configs.Factor) bool { return f.Name.Value == e.Under.Value }) {
			b.report(e.Under, key+".under", "is a factor of the study; name the factor of the universes differently")
			e.Broken = true
			continue
		}
		if b.redesigned(e) { // quick names universes of the written design
			replacement.Quick.Levels = slices.DeleteFunc(slices.Clone(replacement.Quick.Levels), isOf(e.Under.Value))
		}
		made := b.universesOf(e, key)
		if e.Baseline.Value == "" {
			e.Baseline = configs.Text{Value: defaultUniverse, Pos: e.Name.Pos}
		}
		if earlier, twice := b.universes[e.Under.Value]; !twice {
			replacement.Factors = append(replacement.Factors, made.factor)
			b.universes[e.Under.Value] = made
		} else if !maps.EqualFunc(earlier.levels, made.levels, slices.Equal[[]int]) {
			b.report(e.Name, key, "has other universes than an earlier experiment under the factor %s; name one of the "+
				"two factors with under", e.Under.Value)
		}
	}
	b.file = &replacement
}

// redesigned reports whether --universes replaces the design of an experiment: not where the levels
// of the experiment name universes, which another design may not have.
func (b *binder) redesigned(e *configs.Experiment) bool {
	return b.overrides.Universes > 0 && !slices.ContainsFunc(e.Levels, isOf(e.Under.Value))
}

// isOf returns a function that reports whether a selection is of levels of this factor.
func isOf(factor string) func(configs.Selection) bool {
	return func(s configs.Selection) bool { return s.Dimension.Value == factor }
}

// chosen is an assumption of an experiment with the alternatives that the experiment takes of it.
type chosen struct {
	index  int   // index of the assumption
	levels []int // levels of its alternatives, from 1
}

// universesOf returns the factor of an experiment under assumptions. Names of unknown assumptions
// and levels, and assumptions that set the same parameter, are reported.
func (b *binder) universesOf(e *configs.Experiment, key string) factorOfUniverses {
	varied := b.assumptionsOf(e, key)
	setBy := map[string]string{}
	counts := make([]int, len(varied))
	for i, c := range varied {
		a := b.file.Assumptions[c.index]
		counts[i] = 1 + len(c.levels)
		e.Broken = e.Broken || a.Broken
		for _, level := range a.Levels {
			for _, setting := range level.Settings {
				by := setBy[setting.Name.Value]
				if by != "" && by != a.Name.Value {
					b.report(setting.Name, setting.Key, "assumption %s sets %s too, and both are assumptions of experiment "+
						"%s; make them one assumption", by, setting.Name.Value, e.Name.Value)
				}
				setBy[setting.Name.Value] = a.Name.Value
			}
		}
	}
	made := factorOfUniverses{configs.Factor{Name: e.Under, Broken: e.Broken}, map[string][]int{}}
	for _, combination := range b.combinations(e, key, counts) {
		level := configs.Level{Label: configs.Text{Pos: e.Name.Pos}}
		levels := make([]int, len(b.file.Assumptions))
		var names []string
		for i, at := range combination {
			if at == 0 {
				continue
			}
			a, number := b.file.Assumptions[varied[i].index], varied[i].levels[at-1]
			alternative := a.Levels[number-1]
			names = append(names, levelName(a.Name.Value, alternative.Label.Value))
			level.Settings = append(level.Settings, alternative.Settings...)
			levels[varied[i].index] = number
		}
		level.Label.Value = strings.Join(names, ", ")
		made.factor.Levels = append(made.factor.Levels, level)
		made.levels[configs.CanonicalLabel(level.Label.Value)] = levels
	}
	return made
}

// levelName names an alternative of an assumption, as labels of universes do.
func levelName(assumption, level string) string { return assumption + ": " + level }

// assumptionsOf returns the assumptions of an experiment, in the order of the study. The experiment
// names assumptions, of which it takes all alternatives, or single alternatives.
func (b *binder) assumptionsOf(e *configs.Experiment, key string) []chosen {
	var names []string
	taken := map[string]bool{}
	for _, name := range e.Assumptions {
		taken[name.Value] = true
	}
	var found []chosen
	for i, a := range b.file.Assumptions {
		c, whole := chosen{index: i}, taken[language.AllAssumptions] || taken[a.Name.Value]
		names = append(names, a.Name.Value)
		for k, level := range a.Levels {
			name := levelName(a.Name.Value, level.Label.Value)
			names = append(names, name)
			if whole || taken[name] {
				c.levels = append(c.levels, k+1)
			}
		}
		if whole || len(c.levels) > 0 {
			found = append(found, c)
		}
	}
	for _, name := range e.Assumptions {
		if name.Value != language.AllAssumptions && !slices.Contains(names, name.Value) {
			b.report(name, key+".assumptions", "no assumption %q; %s", configs.Shortened(name.Value),
				configs.Suggest(name.Value, names))
			e.Broken = true
		}
	}
	if len(found) == 0 && !e.Broken {
		b.report(e.Assumptions[0], key+".assumptions", "the study declares no assumptions; add them")
		e.Broken = true
	}
	return found
}

// combinations returns the universes of an experiment's design, of assumptions with these numbers
// of levels.
func (b *binder) combinations(e *configs.Experiment, key string, counts []int) [][]int {
	if len(counts) == 0 {
		return nil
	}
	most, name := e.Universes, language.Design(e.Design.Value)
	if b.redesigned(e) {
		most, name = b.overrides.Universes, ""
	}
	most = cmp.Or(most, mostUniverses)
	isTwoLevel := !slices.ContainsFunc(counts, func(n int) bool { return n != 2 })
	if name == "" {
		switch {
		case design.Size(counts, most+1) <= most:
			name = language.Full
		case isTwoLevel && len(design.Fractional(len(counts))) <= most:
			name = language.Fractional
		default:
			name = language.Latin
		}
	}
	switch name {
	case language.Singles:
		return design.Singles(counts)
	case language.Pairs:
		return design.Pairs(counts)
	case language.Full:
		if design.Size(counts, mostWritten) == mostWritten {
			b.report(e.Design, key+".design", "full has more than %d universes; write latin", mostWritten)
			return nil
		}
		return design.Full(counts)
	case language.Fractional:
		if !isTwoLevel {
			b.report(e.Design, key+".design", "fractional combines assumptions with one alternative each; write latin")
			return nil
		}
		return design.Fractional(len(counts))
	default:
		// A name in place of the study's seed: another seed runs the same universes.
		return design.Latin(counts, most, rng.New("universes").Child(e.Under.Value))
	}
}

// universesAt returns the universes of an experiment, by level of its first factor; nil if that is
// not one of universes.
func (b *binder) universesAt(e *Experiment) []Universe {
	if len(e.Crossed) == 0 {
		return nil
	}
	made, found := b.universes[e.Crossed[0].Name]
	if !found {
		return nil
	}
	var all []Universe
	for _, level := range e.Crossed[0].Levels {
		levels := made.levels[configs.CanonicalLabel(level.Label.Text)]
		if levels == nil { // the baseline
			levels = make([]int, len(b.bound.Assumptions))
		}
		all = append(all, Universe{level.Label.Text, levels})
	}
	return all
}
