// What depends on models in the JSON Schema of study files.

package sweeps

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"gridsweep/configs"
	"gridsweep/model"
)

// Schema returns the schema of study files that may name the models and extend the studies of the
// library, with the meaning of every word.
func Schema(
	ctx context.Context, library *configs.Library, models []*model.Model, meaning func(section, word string) string,
) (*configs.Schema, error) {
	var builtin []*configs.Study
	for _, name := range library.List() {
		study, err := library.Load(ctx, name)
		if err != nil {
			return nil, err
		}
		builtin = append(builtin, study)
	}
	schema := library.Schema(meaning)
	AddModels(schema, models, builtin)
	return schema, nil
}

// AddModels adds the models to the schema of study files: their names and, for a study of a model,
// its parameters with their types and ranges, since Expand refuses others. A study that extends a
// builtin one by name has its model; the model of a study that extends a file is not known.
func AddModels(schema *configs.Schema, models []*model.Model, builtin []*configs.Study) {
	names := &configs.Schema{Description: schema.Properties["model"].Description}
	schema.Properties["model"] = names
	schema.Definitions = map[string]*configs.Schema{}
	for _, m := range models {
		names.AnyOf = append(names.AnyOf, &configs.Schema{Const: m.Name, Title: m.Title,
			Description: m.Title + ". " + m.Paper})
		schema.Definitions[m.Name] = settingsSchema(m)
		schema.AllOf = append(schema.AllOf, &configs.Schema{If: isOf(m, builtin), Then: studySchema(m)})
	}
}

// isOf is the schema of studies of the model.
func isOf(m *model.Model, builtin []*configs.Study) *configs.Schema {
	named := &configs.Schema{
		Required: []string{"model"}, Properties: map[string]*configs.Schema{"model": {Const: m.Name}},
	}
	extended := &configs.Schema{}
	for _, study := range builtin {
		if study.Model.Value == m.Name {
			extended.Enum = append(extended.Enum, study.Name.Value, path.Join(study.Paper.Value, study.Name.Value))
		}
	}
	if extended.Enum == nil {
		return named
	}
	inherits := &configs.Schema{
		Required: []string{"extends"}, Properties: map[string]*configs.Schema{"extends": extended},
		Not: &configs.Schema{Required: []string{"model"}},
	}
	return &configs.Schema{AnyOf: []*configs.Schema{named, inherits}}
}

// studySchema is the schema of the fields of a study that depend on the model's parameters.
func studySchema(m *model.Model) *configs.Schema {
	settings := &configs.Schema{Ref: "#/definitions/" + m.Name}
	hasSet := &configs.Schema{Properties: map[string]*configs.Schema{"set": settings}}
	// A factor is the parameter of its name or has settings for each level. With foreach these may
	// be any text; null takes an inherited factor out.
	level := &configs.Schema{If: &configs.Schema{Required: []string{"foreach"}}, Else: settings}
	levels := &configs.Schema{Type: []string{"object", "null"}, AdditionalProperties: level}
	factors := &configs.Schema{Properties: map[string]*configs.Schema{}, AdditionalProperties: levels}
	study := &configs.Schema{Properties: map[string]*configs.Schema{
		"set": settings, "factors": factors, "experiments": {AdditionalProperties: hasSet}, "quick": hasSet,
		model.TraceParameter: configs.Nothing(),
	}}
	for _, p := range m.Parameters {
		value := &configs.Schema{Ref: settings.Ref + "/properties/" + p.Name}
		factor := configs.OneOrMore(value)
		factor.AnyOf = append(factor.AnyOf, levels)
		factor.Description = describe(p)
		factors.Properties[p.Name] = factor
		if p.Name == model.TraceParameter && m.ReadsTraces {
			study.Properties[p.Name] = value
		}
	}
	return study
}

// settingsSchema is that of a map from parameters of the model to values.
func settingsSchema(m *model.Model) *configs.Schema {
	s := &configs.Schema{Type: "object", Properties: map[string]*configs.Schema{}, AdditionalProperties: configs.Nothing()}
	for _, p := range m.Parameters {
		s.Properties[p.Name] = parameterSchema(m, p)
	}
	return s
}

// Patterns of numbers in quotes.
const (
	number = `[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?`
	whole  = `[-+]?[0-9]+`
)

// parameterSchema is that of a value of the parameter. Ranges apply to numbers that are not in
// quotes; those of durations, whose numbers have units, are in the description only.
func parameterSchema(m *model.Model, p model.Parameter) *configs.Schema {
	s := &configs.Schema{Description: describe(p)}
	switch p.Type {
	case model.TypeBool:
		s.Type, s.Pattern = []string{"boolean", "string"}, "^(true|false)$"
	case model.TypeInt:
		s.Type, s.Pattern = []string{"integer", "string"}, "^"+whole+"$"
		limit(s, p.Range)
	case model.TypeFloat:
		s.Type, s.Pattern = []string{"number", "string"}, "^"+number+"$"
		limit(s, p.Range)
	case model.TypeSeconds:
		s.Type, s.Pattern = "string", "^("+model.DurationPattern+"|0)$"
		if _, err := p.Parse("0"); err == nil { // the one that needs no unit
			s.AnyOf = []*configs.Schema{{Type: s.Type, Pattern: s.Pattern}, {Const: 0}}
			s.Type, s.Pattern = nil, ""
		}
	case model.TypeString:
		s.Enum = p.Choices()
		if s.Enum == nil {
			// any text; the enum is for editors, which suggest it
			noText := &configs.Schema{Type: []string{"array", "object", "null"}}
			s.AnyOf = []*configs.Schema{{Enum: Suggested(m, p)}, {Not: noText}}
		}
	default:
		panic(fmt.Sprintf("sweeps: parameter %s has no type", p.Name))
	}
	return s
}

// Suggested returns the values of a parameter that can be listed, for editors and shells; else its
// default.
func Suggested(m *model.Model, p model.Parameter) []string {
	switch {
	case p.Type == model.TypeBool:
		return []string{"true", "false"}
	case len(p.Choices()) > 0:
		return p.Choices()
	case m.ReadsTraces && p.Name == model.TraceParameter:
		words := []string{model.TraceAuto, model.TraceModel}
		for _, t := range configs.Traces() {
			words = append(words, t.Name.Value)
		}
		return words
	default:
		return []string{p.Default.String()}
	}
}

// limit sets the ends of a range such as (0,1e6] or [1,) in the schema; an empty end sets none.
func limit(s *configs.Schema, interval string) {
	low, high, found := strings.Cut(strings.Trim(interval, "[]()"), ",")
	if !found {
		return
	}
	if interval[0] == '(' {
		s.ExclusiveMinimum = json.Number(low)
	} else {
		s.Minimum = json.Number(low)
	}
	if strings.HasSuffix(interval, ")") {
		s.ExclusiveMaximum = json.Number(high)
	} else {
		s.Maximum = json.Number(high)
	}
}

// describe returns the doc of a parameter, with its symbol, and on a second line its type, unit,
// range and default.
func describe(p model.Parameter) string {
	text := p.Meaning()
	if p.Symbol != "" {
		text = p.Symbol + ": " + text
	}
	text += "\n" + p.Type.String()
	if p.Unit != "" {
		text += ", unit " + p.Unit
	}
	if p.Range != "" {
		text += ", " + p.Range
	}
	return text + ", default " + p.Default.String()
}
