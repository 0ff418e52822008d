package configs

// The JSON Schema of study files.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"path"
	"strconv"
)

// Schema is a JSON Schema of draft 7, which is what editors know: the form of a value, and what
// they say of it. It holds the keywords that study files need; draft 7 has the meaning of each.
// Marshalled, equal schemas are the same bytes.
type Schema struct {
	Dialect     string `json:"$schema,omitempty"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Ref         string `json:"$ref,omitempty"` // draft 7 ignores all that stands beside it

	Type             any         `json:"type,omitempty"` // a string or several
	Const            any         `json:"const,omitempty"`
	Enum             []string    `json:"enum,omitempty"`
	Pattern          string      `json:"pattern,omitempty"` // of text; it does not bind numbers
	Minimum          json.Number `json:"minimum,omitempty"` // this and the next three bind numbers alone
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

// Nothing returns the schema of no value at all: where a property may not be.
func Nothing() *Schema { return &Schema{isNothing: true} }

// MarshalJSON writes the schema, the one of no value as false.
func (s *Schema) MarshalJSON() ([]byte, error) {
	if s.isNothing {
		return []byte("false"), nil
	}
	type plain Schema // without this method
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // which would write < in a description as \u003c
	err := encoder.Encode((*plain)(s))
	return text.Bytes(), err
}

// Meaning returns what a word means, for people: the section of docs/reference/study-files.md that
// has its line, and the word.
type Meaning func(section, word string) string

// NewSchema returns the schema of study files, made of the words and forms that the parser reads.
// It takes every file that the parser takes, with one exception: a name or text that is written
// null, true or false needs quotes, since a schema cannot tell null from nothing at all. It refuses
// what is wrong in form, but for names that no entry has, values that contradict one another, and
// what YAML makes of a number before a schema sees it. Any model and parameter will do.
func NewSchema(meaning Meaning) *Schema {
	s := recordForm(meaning, "The study", studyFields(&Study{}, &Text{}))
	s.Dialect = "http://json-schema.org/draft-07/schema#"
	s.Title = "Study file of gridsweep"
	s.Required = required(studyRequired)
	s.AnyOf = []*Schema{{Required: []string{"extends"}}, {Required: required(completeRequired)}}
	return s
}

// recordForm is what record reads: a map of the words, explained in a section of the reference or,
// where they are those of a query, in the section of these.
func recordForm(meaning Meaning, section string, words []field) *Schema {
	s := &Schema{Type: "object", Properties: map[string]*Schema{}, AdditionalProperties: Nothing()}
	for _, w := range words {
		s.Properties[w.name] = w.form(meaning)
		s.Properties[w.name].Description = cmp.Or(meaning(section, w.name), meaning("Queries", w.name))
	}
	return s
}

// mapOf is a map from names of the author's own, at least one.
func mapOf(names, each *Schema) *Schema {
	return &Schema{Type: "object", MinProperties: 1, PropertyNames: names, AdditionalProperties: each}
}

// OneOrMore returns the schema of a value or a list of several, none twice, as the parser takes one
// where it takes many.
func OneOrMore(one *Schema) *Schema {
	return &Schema{AnyOf: []*Schema{one, {Type: "array", MinItems: 1, UniqueItems: true, Items: one}}}
}

// What YAML makes of text and names, which the parser reads as they are written.
var textTypes = []string{"string", "number"}

// scalarBut is any value that is no list or map, and none of the other types. It says what is not,
// as editors offer true and false wherever a schema names their type.
func scalarBut(types ...string) *Schema {
	return &Schema{Not: &Schema{Type: append([]string{"array", "object"}, types...)}}
}

const (
	// what isHidden is true of, in the part of it that all kinds of patterns can say
	hidden  = `\x00-\x1f\x7f-\x9f\xad`
	line    = `^([^-` + hidden + `]|-[0-9.])[^` + hidden + `]*$` // what checkName takes
	file    = `[^-./\\:*?"<>|` + hidden + `][^/\\:*?"<>|` + hidden + `]{0,99}`
	csvFile = `^[^/\\]*\.csv$`
	digits  = `^(0|[1-9][0-9]*)$`
	decimal = `^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$`
)

func textForm(Meaning) *Schema { return &Schema{Type: textTypes, Pattern: `\S`} }

func nameForm() *Schema { return &Schema{Type: textTypes, Pattern: line} }

func lineForm() *Schema { return &Schema{Pattern: line} }

// fileForm is what fileName takes.
func fileForm() *Schema { return &Schema{Pattern: "^" + file + "$"} }

// labelForm is a label of none of the types.
func labelForm(meaning Meaning, types ...string) *Schema {
	label := scalarBut(types...)
	label.Pattern, label.Description = line, meaning("Syntax", "label")
	return label
}

func labelsForm(meaning Meaning) *Schema { return OneOrMore(labelForm(meaning)) }

func enumOf(words []string) *Schema { return &Schema{Enum: words} }

func booleanForm(Meaning) *Schema {
	return &Schema{Type: []string{"boolean", "string"}, Pattern: "^(true|false)$"}
}

func numberForm(Meaning) *Schema {
	return &Schema{Type: []string{"number", "string"}, Pattern: decimal}
}

func integerForm(low, high int) *Schema {
	return &Schema{
		Type: []string{"integer", "string"}, Pattern: digits,
		Minimum: json.Number(strconv.Itoa(low)), Maximum: json.Number(strconv.Itoa(high)),
	}
}

// settingsForm is a map from parameters, which the model knows, to values.
func settingsForm(Meaning) *Schema {
	return &Schema{Type: "object", AdditionalProperties: scalarBut("null")}
}

// extendsForm is a built-in study by either of its names, or the path of a file.
func extendsForm(Meaning) *Schema { return extendsOf(Builtin()) }

func extendsOf(l *Library) *Schema {
	var names []string
	for _, study := range l.List() {
		names = append(names, path.Base(study), study)
	}
	return &Schema{AnyOf: []*Schema{{Enum: names}, {Type: "string", Pattern: `\.ya?ml$`}}}
}
