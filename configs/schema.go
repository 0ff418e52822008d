// The JSON Schema of study files.

package configs

import (
	"bytes"
	"encoding/json"
	"path"
	"strconv"
)

// Schema is a JSON Schema of draft 7, which editors support: the form of a value and its
// description. It has the keywords that study files need, with the meaning of draft 7. Equal
// schemas marshal to the same bytes.
type Schema struct {
	Dialect     string `json:"$schema,omitempty"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Ref         string `json:"$ref,omitempty"` // draft 7 ignores all other keywords with it

	Type    any      `json:"type,omitempty"` // a string or several
	Const   any      `json:"const,omitempty"`
	Enum    []string `json:"enum,omitempty"`
	Pattern string   `json:"pattern,omitempty"` // for text only
	// this and the next three are for numbers only
	Minimum          json.Number `json:"minimum,omitempty"`
	ExclusiveMinimum json.Number `json:"exclusiveMinimum,omitempty"`
	Maximum          json.Number `json:"maximum,omitempty"`
	ExclusiveMaximum json.Number `json:"exclusiveMaximum,omitempty"`

	Items       *Schema `json:"items,omitempty"`
	MinItems    int     `json:"minItems,omitempty"`
	MaxItems    int     `json:"maxItems,omitempty"`
	UniqueItems bool    `json:"uniqueItems,omitempty"`

	Properties           map[string]*Schema `json:"properties,omitempty"`
	AdditionalProperties *Schema            `json:"additionalProperties,omitempty"`
	PropertyNames        *Schema            `json:"propertyNames,omitempty"`
	MinProperties        int                `json:"minProperties,omitempty"`
	Required             []string           `json:"required,omitempty"`
	Dependencies         map[string]*Schema `json:"dependencies,omitempty"`

	AllOf []*Schema `json:"allOf,omitempty"`
	AnyOf []*Schema `json:"anyOf,omitempty"`
	OneOf []*Schema `json:"oneOf,omitempty"`
	Not   *Schema   `json:"not,omitempty"`
	If    *Schema   `json:"if,omitempty"`
	Then  *Schema   `json:"then,omitempty"`
	Else  *Schema   `json:"else,omitempty"`

	Definitions map[string]*Schema `json:"definitions,omitempty"`

	isNothing bool
}

// Nothing returns the schema that accepts no value, for properties that are not allowed.
func Nothing() *Schema { return &Schema{isNothing: true} }

// MarshalJSON writes the schema; [Nothing] becomes false.
func (s *Schema) MarshalJSON() ([]byte, error) {
	if s.isNothing {
		return []byte("false"), nil
	}
	type plain Schema // without this method
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // it would write < in a description as \u003c
	err := encoder.Encode((*plain)(s))
	return text.Bytes(), err
}

// Meaning returns the description of a key, from a section of docs/reference/study-files.md and the
// key.
type Meaning func(section, word string) string

// Schema returns the schema of study files that may extend the studies of the library, made from
// the parser's own fields. It accepts every file that the parser accepts, with one exception: a
// name or text that is written null, true or false needs quotes, since a schema cannot distinguish
// null from an absent value, and editors would suggest true and false. It rejects errors of form,
// except names that no entry has, values that contradict one another, and errors in numbers that
// YAML converts before the schema is applied. It accepts any model and parameter.
func (l *Library) Schema(meaning Meaning) *Schema {
	s := studyRecord(&Study{}, &Text{}).form(meaning)
	s.Dialect = "http://json-schema.org/draft-07/schema#"
	s.Title = "Study file of gridsweep"
	s.AnyOf = []*Schema{{Required: []string{"extends"}}, {Required: required(complete.required)}}
	var names []string // both names of each study
	for _, study := range l.List() {
		names = append(names, path.Base(study), study)
	}
	s.Properties["extends"].AnyOf = []*Schema{{Enum: names}, {Type: "string", Pattern: `\.ya?ml$`}}
	return s
}

// mapOf is the schema of a map from names that the author chose, at least one.
func mapOf(names, each *Schema) *Schema {
	return &Schema{Type: "object", MinProperties: 1, PropertyNames: names, AdditionalProperties: each}
}

// OneOrMore returns the schema of a value or a list of different values, since the parser accepts a
// single value instead of a list.
func OneOrMore(one *Schema) *Schema {
	return &Schema{AnyOf: []*Schema{one, {Type: "array", MinItems: 1, UniqueItems: true, Items: one}}}
}

// Types of text and names after YAML's conversion; the parser reads them as they are written.
var textTypes = []string{"string", "number"}

// scalarBut is the schema of any value that is no list, no map and of none of the types. It
// excludes types, because editors would suggest true and false if the schema named their type.
func scalarBut(types ...string) *Schema {
	return &Schema{Not: &Schema{Type: append([]string{"array", "object"}, types...)}}
}

const (
	// the characters of isHidden, as far as the patterns of all validators can express them
	hidden         = `\x00-\x1f\x7f-\x9f\xad`
	linePattern    = `^([^-` + hidden + `]|-[0-9.])[^` + hidden + `]*$` // what checkName accepts
	filePattern    = `[^-./\\:*?"<>|` + hidden + `][^/\\:*?"<>|` + hidden + `]{0,99}`
	csvFilePattern = `^[^/\\]*\.csv$`
	digitsPattern  = `^(0|[1-9][0-9]*)$`
	decimalPattern = `^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$`
)

func textForm(Meaning) *Schema { return &Schema{Type: textTypes, Pattern: `\S`} }

func nameForm() *Schema { return &Schema{Type: textTypes, Pattern: linePattern} }

func lineForm() *Schema { return &Schema{Pattern: linePattern} }

// fileForm is the schema of names of files. It accepts more than checkFileName: a dot at the end,
// and 100 characters instead of bytes.
func fileForm() *Schema { return &Schema{Pattern: "^" + filePattern + "$"} }

// labelForm is the schema of a label that YAML converts to none of the types.
func labelForm(meaning Meaning, types ...string) *Schema {
	label := scalarBut(types...)
	label.Pattern, label.Description = linePattern, meaning("Syntax", "label")
	return label
}

func labelsForm(meaning Meaning) *Schema { return OneOrMore(labelForm(meaning)) }

func enumOf(words []string) *Schema { return &Schema{Enum: words} }

func booleanForm(Meaning) *Schema {
	return &Schema{Type: []string{"boolean", "string"}, Pattern: "^(true|false)$"}
}

func numberForm(Meaning) *Schema {
	return &Schema{Type: []string{"number", "string"}, Pattern: decimalPattern}
}

func integerForm(low, high int) *Schema {
	return &Schema{
		Type: []string{"integer", "string"}, Pattern: digitsPattern,
		Minimum: json.Number(strconv.Itoa(low)), Maximum: json.Number(strconv.Itoa(high)),
	}
}

// settingsForm is the schema of a map from parameters to values. The parameters depend on the
// model.
func settingsForm(Meaning) *Schema {
	return &Schema{Type: "object", AdditionalProperties: scalarBut("null")}
}
