// The section assumptions of a study file.

package configs

import "go.yaml.in/yaml/v4"

// Assumption is a choice that the paper leaves open.
type Assumption struct {
	Name     Text
	Doc      Text    // what is chosen
	Source   Text    // the sentence of the paper that leaves it open, or the fact that it rests on
	Default  Text    // label of the study's own choice
	Why      Text    // why that is the default
	Workload bool    // the choice is about the stand-in workload and not about the paper's text
	Levels   []Level // the alternatives
	Broken   bool    // not all of it could be read
}

func (s *Study) readAssumption(p *parser, name Text, n *yaml.Node, key string) {
	a := Assumption{Name: name}
	before := p.reported
	p.record(assumptionRecord(&a), name.Pos, n, key)
	for _, level := range a.Levels {
		if SameLabel(level.Label.Value, a.Default.Value) {
			p.wrongAt(level.Label.Pos, below(key+".levels", level.Label.Value),
				"is the default, which is the study as it is; name the alternatives alone")
		}
	}
	a.Broken = p.reported > before
	s.Assumptions = append(s.Assumptions, a)
}

func assumptionRecord(a *Assumption) record {
	return record{heading: "Assumptions", fields: []field{
		{"doc", text(&a.Doc)},
		{"source", text(&a.Source)},
		{"default", label(&a.Default)},
		{"why", text(&a.Why)},
		{"workload", boolean(&a.Workload)},
		{"levels", levels(&a.Levels)},
	}, required: []wanted{
		{"doc", "what is chosen"}, {"source", "the sentence that leaves it open, or the fact it rests on"},
		{"default", "a label for the study as it is"}, {"why", "why that is the default"},
		{"levels", "the alternatives and what they set"},
	}}
}

// levels reads a map from labels to settings. Foreach may make several levels of one entry.
func levels(into *[]Level) reader {
	form := func(meaning Meaning) *Schema {
		level := settingsForm(meaning)
		level.Properties = map[string]*Schema{foreach: foreachForm(meaning)}
		return mapOf(lineForm(), level)
	}
	return reader{form: form, read: func(p *parser, n *yaml.Node, key string) {
		*into = nil
		seen := map[string]Text{}
		for _, made := range p.writtenOut(n, key, "", "levels") {
			levelKey := below(key, made.key.Value)
			p.checkName(made.key, levelKey)
			level := Level{Label: made.key}
			settings(&level.Settings).read(p, made.value, levelKey)
			level.Settings = Replaced(p.settingsOf(made, below(key, foreach), levelKey), level.Settings)
			if p.isNew(seen, made.key, levelKey) {
				*into = append(*into, level)
			}
		}
	}}
}
