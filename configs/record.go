// Records: maps of fixed keys, with the readers of their values and what holds between them.

package configs

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// record is the form of a map of fixed keys.
type record struct {
	// of the section of the reference that describes the keys; those of a query are in Queries
	heading  string
	fields   []field
	required []wanted
	rules    []rule
}

// field is a key that a map of fixed keys may have, with the reader of its value.
type field struct {
	word string // the key
	reader
}

// wanted is a field that a map must have.
type wanted struct{ word, want string }

// rule is a rule on the fields beside a field of a map: it needs at least one of some, and excludes
// others.
type rule struct {
	word            string
	needs, excludes []string
	why             string // text of the problem
}

// present has the values of the fields that a map has, by key.
type present map[string]*yaml.Node

// record reads a map in the order of its fields. Missing fields are reported at the position of its
// name. It returns the fields that the map has, or nil if the node is no map.
func (p *parser) record(r record, at Pos, n *yaml.Node, key string) present {
	known := mapped(r.fields, func(f field) string { return f.word })
	entries := p.entries(n, key, "a map of "+strings.Join(known, ", "))
	if n.Kind != yaml.MappingNode {
		return nil
	}
	has := present{}
	for _, e := range entries {
		if slices.Contains(known, e.key.Value) {
			has[e.key.Value] = e.value
			continue
		}
		p.wrongAt(e.key.Pos, below(key, e.key.Value), "unknown key; %s", Suggest(e.key.Value, known))
		p.meant[below(key, Nearest(e.key.Value, known))] = true
	}
	for _, f := range r.fields {
		if value := has[f.word]; value != nil {
			f.read(p, value, below(key, f.word))
		}
	}
	p.checkRecord(r, has, at, key)
	return has
}

// checkRecord reports fields that a map lacks, and those that lack one that they need or occur with
// one that they exclude.
func (p *parser) checkRecord(r record, has present, at Pos, key string) {
	for _, w := range r.required {
		if key := below(key, w.word); has[w.word] == nil && !p.meant[key] {
			p.wrongAt(at, key, "is missing; %s", w.want)
		}
	}
	stands := func(word string) bool { return has[word] != nil }
	for _, rule := range r.rules {
		if stands(rule.word) && (len(rule.needs) > 0 && !slices.ContainsFunc(rule.needs, stands) ||
			slices.ContainsFunc(rule.excludes, stands)) {
			p.wrong(has[rule.word], below(key, rule.word), "%s", rule.why)
		}
	}
}

// merged returns the fields of both maps, or nil if one is no map; those of over take precedence.
func (has present) merged(over present) present {
	if has == nil || over == nil {
		return nil
	}
	all := maps.Clone(has)
	maps.Copy(all, over)
	return all
}

// form returns the schema of the map.
func (r record) form(meaning Meaning) *Schema {
	s := &Schema{
		Type: "object", Properties: map[string]*Schema{}, AdditionalProperties: Nothing(), Required: required(r.required),
		Dependencies: dependencies(r.rules),
	}
	for _, f := range r.fields {
		s.Properties[f.word] = f.form(meaning)
		s.Properties[f.word].Description = cmp.Or(meaning(r.heading, f.word), meaning("Queries", f.word))
	}
	return s
}

// dependencies returns the schema of the rules.
func dependencies(rules []rule) map[string]*Schema {
	all := map[string]*Schema{}
	for _, r := range rules {
		d := all[r.word]
		if d == nil {
			d = &Schema{}
			all[r.word] = d
		}
		if len(r.needs) > 0 {
			d.AllOf = append(d.AllOf, &Schema{AnyOf: eachRequired(r.needs)})
		}
		if len(r.excludes) > 0 {
			d.AllOf = append(d.AllOf, &Schema{Not: &Schema{AnyOf: eachRequired(r.excludes)}})
		}
	}
	return all
}

// eachRequired returns, for each field, the schema of maps that have it.
func eachRequired(words []string) []*Schema {
	return mapped(words, func(word string) *Schema { return &Schema{Required: []string{word}} })
}

func required(words []wanted) []string {
	return mapped(words, func(w wanted) string { return w.word })
}
