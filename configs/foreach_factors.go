// Levels of factors in foreach, and the settings of levels that are combinations of such levels.

package configs

import (
	"maps"
	"slices"

	"go.yaml.in/yaml/v4"
)

// knownFactor is a factor that foreach may name.
type knownFactor struct {
	Factor
	index map[string]int // of its levels, by canonical label
}

// know adds a factor that foreach may name.
func (p *parser) know(f Factor) {
	k := knownFactor{f, map[string]int{}}
	for i, level := range f.Levels {
		k.index[CanonicalLabel(level.Label.Value)] = i
	}
	p.factors[f.Name.Value] = k
}

// levelsOf returns the levels of a factor that is inherited or stands above in this file.
func (x *expansion) levelsOf(name Text, key string) loop {
	l := loop{name: name}
	f, found := x.p.factors[name.Value]
	x.p.inForeach[name.Value] = true
	if !found && !x.p.lacksFactors {
		where := ""
		if x.isOfLevels() {
			where = " above this one"
		}
		x.p.wrongAt(name.Pos, key, "no factor %q%s; %s", Shortened(name.Value), where,
			Suggest(name.Value, slices.Sorted(maps.Keys(x.p.factors))))
	}
	if !f.Broken {
		l.values = mapped(f.Levels, func(level Level) *yaml.Node { return scalarAt(Text{level.Label.Value, name.Pos}) })
	}
	return l
}

// settingsOf returns the settings of a level that combines levels of other factors: the settings of
// those levels, with the key of the combination.
func (p *parser) settingsOf(made instance, key, levelKey string) []Setting {
	var all []Setting
	by := map[string]string{}
	for _, v := range made.bindings {
		f, found := p.factors[v.name.Value]
		if !found || v.value.Kind != yaml.ScalarNode {
			continue
		}
		p.inForeach[f.Name.Value] = true
		i, found := f.index[CanonicalLabel(v.value.Value)]
		if !found {
			known := mapped(f.Levels, func(l Level) string { return l.Label.Value })
			p.wrong(v.value, key, "factor %s has no level %q; %s", f.Name.Value, Shortened(v.value.Value),
				Suggest(v.value.Value, known))
			continue
		}
		level := f.Levels[i]
		settings := level.Settings
		if f.List {
			settings = []Setting{{Name: Text{f.Name.Value, v.name.Pos}, Value: level.Label}}
		}
		for _, s := range settings {
			if other, twice := by[s.Name.Value]; twice {
				p.wrongAt(v.name.Pos, key, "both %s and %s set %s; take one of them out", other, f.Name.Value, s.Name.Value)
				continue
			}
			by[s.Name.Value] = f.Name.Value
			all = append(all, Setting{Name: s.Name, Value: s.Value, Key: below(levelKey, s.Name.Value)})
		}
	}
	return all
}
