// Factors with their levels, which quick and the command line may replace.

package study

import (
	"slices"

	"gridsweep/configs"
	"gridsweep/model"
)

// Factor is a variable of experiments.
type Factor struct {
	Name   string
	List   bool    // the levels are values of the parameter of the factor's name
	Levels []Level // levels of quick or the command line where they name some, else of the file
	Pos    configs.Pos
	Broken bool // not all of it could be read

	own        []Level  // the file's
	labels     labelSet // labels of own; empty where the factor is broken
	overridden bool
	parameters []string        // parameters that some level sets, each once
	always     map[string]bool // parameters that every level sets
}

// Level is one level of a factor.
type Level struct {
	Label       Label
	Assignments []Assignment
}

// LabelsOf returns the labels of levels as they are written.
func LabelsOf(levels []Level) []string {
	return mapped(levels, func(l Level) string { return l.Label.Text })
}

// IsWrong reports whether an assignment of the level is wrong.
func (l Level) IsWrong() bool { return slices.ContainsFunc(l.Assignments, isWrong) }

// readFactors binds every factor, with the levels of quick and the command line in place of its
// own.
func (b *binder) readFactors() {
	for _, f := range b.file.Factors {
		factor := b.newFactor(f)
		b.bound.Factors = append(b.bound.Factors, factor)
		if b.factors[f.Name.Value] == nil {
			b.factors[f.Name.Value] = factor
		}
		b.factorNames = append(b.factorNames, f.Name.Value)
	}
	for _, s := range b.file.Quick.Levels {
		key := configs.Key("quick", "levels", s.Dimension.Value)
		f := b.factor(s.Dimension, "quick.levels")
		if f == nil {
			continue
		}
		b.checkLabels(s.Labels, f.labels, key, "factor "+f.Name)
		if b.overrides.Quick {
			b.override(f, s, key)
		}
	}
	for _, s := range b.overrides.Levels {
		if f := b.factors[s.Dimension.Value]; f != nil {
			b.override(f, s, s.Dimension.Value)
			continue
		}
		b.report(s.Dimension, s.Dimension.Value, "study %s has no such factor; %s", b.file.Name.Value,
			configs.Suggest(s.Dimension.Value, b.factorNames))
	}
}

func (b *binder) newFactor(f configs.Factor) *Factor {
	factor := &Factor{
		Name: f.Name.Value, List: f.List, Pos: f.Name.Pos, Broken: f.Broken,
		own: b.levels(f, configs.Key("factors", f.Name.Value)), labels: labelsInFile(f), always: map[string]bool{},
	}
	factor.Levels = factor.own
	sets := map[string]int{} // by parameter: how many levels set it
	for _, level := range f.Levels {
		for _, setting := range level.Settings {
			name := setting.Name.Value
			if sets[name] == 0 && len(factor.parameters) < mostSet {
				factor.parameters = append(factor.parameters, name)
			}
			sets[name]++
		}
	}
	if f.List {
		factor.parameters, factor.always[f.Name.Value] = []string{f.Name.Value}, true
	}
	for parameter, n := range sets {
		if n == len(f.Levels) {
			factor.always[parameter] = true
		}
	}
	return factor
}

// mostSet bounds the parameters that one factor sets, far above the number of any model.
const mostSet = 200

// levels decodes the levels of a factor, which are below the key.
func (b *binder) levels(f configs.Factor, key string) []Level {
	levels := make([]Level, 0, len(f.Levels))
	seen := map[model.Value]configs.Text{} // by the value of a listed level: its label
	isUnknown := b.model != nil && f.List && b.model.Parameter(f.Name.Value) < 0
	for i, l := range f.Levels {
		settings := l.Settings
		if f.List {
			settings = []configs.Setting{{Name: f.Name, Value: l.Label, Key: key}}
		}
		assignments := []Assignment{{Wrong: true}}
		if !isUnknown || i == 0 { // an unknown parameter is reported at the first level
			assignments = b.settings(settings)
		}
		if f.List && len(assignments) > 0 && !assignments[0].Wrong {
			if earlier, twice := seen[assignments[0].Value]; twice {
				b.report(l.Label, key, "level %s is the same value as %s", l.Label.Value, earlier.Value)
			} else {
				seen[assignments[0].Value] = l.Label
			}
		}
		levels = append(levels, Level{NewLabel(l.Label.Value), assignments})
	}
	return levels
}

// override replaces the levels of a factor. On the command line a factor that lists values takes
// any value of its parameter. Otherwise levels have to be some of the file's.
func (b *binder) override(f *Factor, s configs.Selection, key string) {
	f.overridden = true
	if !f.List {
		f.Levels = b.take(f, s.Labels, key)
		return
	}
	replaced := configs.Factor{Name: configs.Text{Value: f.Name, Pos: f.Pos}, List: true}
	replaced.Levels = mapped(s.Labels, func(label configs.Text) configs.Level { return configs.Level{Label: label} })
	f.Levels = b.levels(replaced, key)
}

// take returns the levels of a factor with the labels, in the order of the labels.
func (b *binder) take(f *Factor, labels []configs.Text, key string) []Level {
	if f.Broken {
		return nil
	}
	var levels []Level
	taken := map[int]bool{}
	for _, label := range labels {
		i, found := f.labels.index[configs.CanonicalLabel(label.Value)]
		switch {
		case !found:
			b.report(label, key, "factor %s has no level %q; %s", f.Name, configs.Shortened(label.Value),
				configs.Suggest(label.Value, f.labels.texts))
		case taken[i]:
			b.report(label, key, "level %s comes twice", label.Value)
		default:
			levels, taken[i] = append(levels, f.own[i]), true
		}
	}
	return levels
}

// sets reports whether every level of the factor sets the parameter; false for a nil factor.
func (f *Factor) sets(parameter string) bool { return f != nil && f.always[parameter] }

// labelsInFile returns the labels of a factor of the file; none where it is broken.
func labelsInFile(f configs.Factor) labelSet {
	if f.Broken {
		return labelSet{}
	}
	return newLabelSet(mapped(f.Levels, func(l configs.Level) string { return l.Label.Value }))
}

// planned returns the labels of Levels, which quick and the command line may have replaced.
func (c *Crossed) planned() labelSet {
	return newLabelSet(LabelsOf(c.Levels))
}
