package configs

// Fields that need, exclude or replace one another.

import "slices"

// rule lists the fields of which a field of a map needs at least one, and those that it excludes.
type rule struct {
	word        string
	needs, bars []string
	why         string // text of the problem
}

// checkRules reports fields that lack one that they need, or occur with one that they exclude.
func (p *parser) checkRules(has present, key string, rules []rule) {
	stands := func(word string) bool { return has[word] != nil }
	for _, r := range rules {
		if !stands(r.word) {
			continue
		}
		if len(r.needs) > 0 && !slices.ContainsFunc(r.needs, stands) || slices.ContainsFunc(r.bars, stands) {
			p.wrong(has[r.word], below(key, r.word), "%s", r.why)
		}
	}
}

// tie adds the rules to the schema of a map.
func (s *Schema) tie(rules []rule) {
	if s.Dependencies == nil {
		s.Dependencies = map[string]*Schema{}
	}
	for _, r := range rules {
		d := s.Dependencies[r.word]
		if d == nil {
			d = &Schema{}
			s.Dependencies[r.word] = d
		}
		if len(r.needs) > 0 {
			d.AllOf = append(d.AllOf, &Schema{AnyOf: eachRequired(r.needs)})
		}
		if len(r.bars) > 0 {
			d.AllOf = append(d.AllOf, &Schema{Not: &Schema{AnyOf: eachRequired(r.bars)}})
		}
	}
}

// eachRequired returns, for each field, the schema of maps that have it.
func eachRequired(words []string) []*Schema {
	schemas := make([]*Schema, len(words))
	for i, word := range words {
		schemas[i] = &Schema{Required: []string{word}}
	}
	return schemas
}

// wanted is a field that a map must have.
type wanted struct{ word, want string }

// checkWanted reports missing fields at the position of the map.
func (p *parser) checkWanted(has present, at Pos, key string, words []wanted) {
	for _, w := range words {
		if key := below(key, w.word); has[w.word] == nil && !p.meant[key] {
			p.wrongAt(at, key, "is missing; %s", w.want)
		}
	}
}

func required(words []wanted) []string {
	names := make([]string, len(words))
	for i, w := range words {
		names[i] = w.word
	}
	return names
}
