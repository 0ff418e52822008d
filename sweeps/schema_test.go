// Schema tests: values that the JSON Schema accepts against those that parameters accept, and names
// of parameters wherever a study may set them.

package sweeps

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"gridsweep/configs"
	"gridsweep/model"
)

// types has a parameter of every type and a range of every form.
type types struct {
	Share   float64       `name:"share" range:"[0,1]" doc:"share of the load" symbol:"ρ"`
	Rate    float64       `name:"rate" range:"(0,)" unit:"1/min"`
	Debt    float64       `name:"debt" range:"(,0)"`
	Any     float64       `name:"any"`
	Jobs    int64         `name:"jobs" range:"[1,1e6]"`
	Shift   int64         `name:"shift"`
	Policy  string        `name:"policy" range:"fcfs|easy|1A"`
	Note    string        `name:"note"`
	Late    model.Seconds `name:"late" range:"[60,)"`
	Delay   model.Seconds `name:"delay" range:"[0,1e6]"`
	Ordered bool          `name:"ordered"`
}

var typesModel = model.New(model.Spec[types, outcome]{
	Name: "types", Title: "All types", Paper: "none", Version: 1,
	Defaults: types{Share: 0.5, Rate: 1, Debt: -1, Jobs: 1, Policy: "easy", Note: "none", Late: 60},
	Simulate: func(context.Context, types, model.Env) (outcome, error) { return outcome{}, nil },
})

// withModels returns the schema of study files with two models, compiled by a library.
func withModels(t *testing.T) *jsonschema.Schema {
	t.Helper()
	builtin, err := configs.Load(t.Context(), "coallocation")
	if err != nil {
		t.Fatal(err)
	}
	builtin.Model.Value = typesModel.Name
	schema := configs.Builtin().Schema(func(string, string) string { return "" })
	AddModels(schema, []*model.Model{typesModel, testModel}, []*configs.Study{builtin})
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("urn:study", document); err != nil {
		t.Fatal(err)
	}
	return compiler.MustCompile("urn:study")
}

// The schema accepts the values that the parameter accepts, except durations out of range, whose
// numbers stand in a text.
func TestSchemaOfValues(t *testing.T) {
	schema := withModels(t)
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(typesModel.Parameters).Draw(t, "parameter")
		text := rapid.OneOf(
			rapid.Map(rapid.IntRange(-3, 3), strconv.Itoa),
			rapid.Map(rapid.Int(), strconv.Itoa),
			rapid.Map(rapid.IntRange(-2000, 2000), func(i int) string { return fmt.Sprint(float64(i) + 0.5) }),
			rapid.Map(rapid.IntRange(-2, 100), func(i int) string {
				return fmt.Sprint(i) + []string{"s", " min", "h", "d",
					"m"}[(i+2)%5]
			}),
			rapid.SampledFrom([]string{"1.5h", "0", "0s", "-0.5min", "1e3s", "fcfs", "1A", "true", "false", "yes", "text",
				"1_000", "0.5d"}),
		).Draw(t, "text")
		var value any = text
		if json.Valid([]byte(text)) {
			value = map[string]any{"true": true, "false": false}[text]
			if value == nil {
				value = json.Number(text)
			}
		}
		_, wrong := p.Parse(text)
		for form, refused := range map[string]error{
			"as it is":  schema.Validate(studyOf(p.Name, value)),
			"in quotes": schema.Validate(studyOf(p.Name, text)),
		} {
			isNumber := (p.Type == model.TypeInt || p.Type == model.TypeFloat) && form == "in quotes"
			isBeyond := isNumber || p.Type == model.TypeSeconds // no schema reads numbers in text
			if refused != nil && wrong == nil || wrong != nil && refused == nil && !isBeyond {
				t.Errorf("%s: %s %s: the parameter says %v, the schema %v", p.Name, text, form, wrong, refused)
			}
		}
	})
}

func studyOf(parameter string, value any) any {
	return map[string]any{
		"study": "s", "model": typesModel.Name, "experiments": map[string]any{"e": map[string]any{}},
		"set": map[string]any{parameter: value},
	}
}

// The schema has the parameters wherever a study may set them, and refuses other names.
func TestSchemaKnowsTheParameters(t *testing.T) {
	schema := withModels(t)
	const start = `{"study": "s", "model": "types", "experiments": {"e": {}}`
	for _, c := range []struct {
		text string
		want bool
	}{
		{start + `, "set": {"jobs": 3}}`, true},
		{start + `, "set": {"job": 3}}`, false},
		{start + `, "set": {"late": 0}}`, false},
		{start + `, "set": {"late": "10 min", "delay": 0}}`, true},
		{start + `, "quick": {"set": {"share": 1}}}`, true},
		{start + `, "quick": {"set": {"share": 1.1}}}`, false},
		{start + `, "factors": {"jobs": [1, 2]}}`, true},
		{start + `, "factors": {"jobs": 1}}`, true},
		{start + `, "factors": {"jobs": [1, "many"]}}`, false},
		{start + `, "factors": {"jobs": {"few": {"jobs": 1}, "default": {}}}}`, true},
		{start + `, "factors": {"jobs": {"few": {"jobs": 0}}}}`, false},
		{start + `, "factors": {"case": {"few": {"jobs": 1}}}}`, true},
		{start + `, "factors": {"case": {"few": {"job": 1}}}}`, false},
		{start + `, "factors": {"case": [1, 2]}}`, false},
		{start + `, "trace": "auto"}`, false},
		{`{"study": "s", "model": "types", "experiments": {"e": {"set": {"ordered": true}}}}`, true},
		{`{"study": "s", "model": "types", "experiments": {"e": {"set": {"policy": "sjf"}}}}`, false},
		{`{"study": "s", "model": "queue", "experiments": {"e": {"set": {"low": "1h"}}}}`, true},
		{`{"study": "s", "model": "queue", "experiments": {"e": {"set": {"share": 1}}}}`, false},
		{`{"study": "s", "model": "none", "experiments": {"e": {}}}`, false},
		{`{"study": "s", "extends": "coallocation", "set": {"share": 1}}`, true},
		{`{"study": "s", "extends": "coallocation/coallocation", "set": {"low": 1}}`, false},
		{`{"study": "s", "extends": "coallocation", "model": "queue", "set": {"low": "1s"}}`, true},
		{`{"study": "s", "extends": "coallocation", "model": "queue", "set": {"share": 1}}`, false},
		{`{"study": "s", "extends": "mine.yaml", "set": {"anything": 1}}`, true},
	} {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); (err == nil) != c.want {
			t.Errorf("%s: accepted should be %t: %v", c.text, c.want, err)
		}
	}
}
