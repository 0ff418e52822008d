// The schema of foreach, of groups and of texts with placeholders.

package configs

import (
	"maps"

	"go.yaml.in/yaml/v4"
)

// The fields of foreach and groups, whose readers do nothing: expansion has removed these keys
// before an entry is read.
var (
	foreachReader = reader{read: func(*parser, *yaml.Node, string) {}, form: foreachForm}
	groupReader   = reader{read: foreachReader.read, form: noForm}
)

// noForm is the schema of a field whose form is made elsewhere: with other fields in severalForm,
// or in Library.Schema.
func noForm(Meaning) *Schema { return &Schema{} }

// foreachForm is the schema of foreach.
func foreachForm(Meaning) *Schema {
	item := &Schema{AnyOf: []*Schema{scalarBut(), {Type: "array", MinItems: 1, Items: scalarBut()}}}
	row := mapOf(lineForm(), &Schema{AnyOf: []*Schema{scalarBut("null"), {Type: "array", MinItems: 1, Items: item}}})
	either := OneOrMore(nameForm())
	either.AnyOf = append(either.AnyOf, row, &Schema{Type: "array", MinItems: 1, Items: row})
	return either
}

// orNull is the type of entries; null removes an inherited one.
var orNull = []string{"object", "null"}

// entriesForm is the schema of a section with entries of a form.
func entriesForm(names *Schema, entry record) func(Meaning) *Schema {
	return func(meaning Meaning) *Schema {
		form := entry.form(meaning)
		form.Type = orNull
		return mapOf(names, form)
	}
}

// severalForm is the schema of a section whose entries may stand for several. What holds between
// fields, such as which are required, holds only outside groups, as a member and its group share
// the fields. Placeholders are allowed in every text.
func severalForm(section string, names, entry *Schema) *Schema {
	between := *entry // what holds between the fields
	between.Type, between.Properties, between.AdditionalProperties = nil, nil, nil
	member := &Schema{Type: orNull, Properties: map[string]*Schema{}, AdditionalProperties: Nothing()}
	for word, form := range entry.Properties {
		member.Properties[word] = form.orPlaceholder()
	}
	names = names.orPlaceholder()
	member.Properties[foreach] = entry.Properties[foreach]
	top := *member
	top.Properties = maps.Clone(member.Properties)
	top.Properties[section] = mapOf(names, member)
	top.Properties[section].Description = entry.Properties[section].Description
	member.Properties[section] = &Schema{Ref: "#/properties/" + section + "/additionalProperties/properties/" + section}
	top.If, top.Else = &Schema{Required: []string{section}}, &between
	return mapOf(names, &top)
}

// orPlaceholder returns the schema that also accepts a text with a placeholder instead of any
// scalar or list.
func (s *Schema) orPlaceholder() *Schema {
	if s == nil || s.isNothing {
		return s
	}
	loose := *s
	loose.Items, loose.PropertyNames = s.Items.orPlaceholder(), s.PropertyNames.orPlaceholder()
	loose.AdditionalProperties = s.AdditionalProperties.orPlaceholder()
	loose.Properties, loose.AnyOf = map[string]*Schema{}, nil
	for name, form := range s.Properties {
		loose.Properties[name] = form.orPlaceholder()
	}
	for _, either := range s.AnyOf {
		loose.AnyOf = append(loose.AnyOf, either.orPlaceholder())
	}
	if s.Type == "object" || s.AnyOf != nil {
		return &loose
	}
	loose.Description = ""
	return &Schema{Description: s.Description, AnyOf: []*Schema{&loose, {Type: "string", Pattern: "<[^<>]+>"}}}
}
