// The JSON Schema of study files, by another implementation of JSON Schema: it accepts all built-in
// studies and documented examples, rejects wrong ones, and explains every key.

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"gridsweep/configs"
	"gridsweep/docs"
	"gridsweep/model/studies"
	"gridsweep/sweeps"
)

// printedSchema returns the output of the command, compiled by another implementation.
func printedSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	var first, second bytes.Buffer
	for _, out := range []*bytes.Buffer{&first, &second} {
		if err := execute(t.Context(), []string{"schema"}, nil, out, os.Stderr); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("the schema differs when it is printed again")
	}
	document, err := jsonschema.UnmarshalJSON(&first)
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("urn:study", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("urn:study")
	if err != nil {
		t.Fatal(err)
	}
	if got := schema.DraftVersion; got != 7 {
		t.Errorf("the schema is of draft %d; editors know 7", got)
	}
	return schema
}

// asJSON returns YAML as the JSON value that a schema validates.
func asJSON(t *testing.T, text string) any {
	t.Helper()
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	data, err := json.Marshal(withTextKeys(value))
	if err != nil {
		t.Fatal(err)
	}
	value, err = jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// withTextKeys returns a YAML value in which all keys of maps are texts.
func withTextKeys(value any) any {
	switch v := value.(type) {
	case map[any]any:
		object := map[string]any{}
		for key, below := range v {
			object[fmt.Sprint(key)] = withTextKeys(below)
		}
		return object
	case map[string]any:
		for key, below := range v {
			v[key] = withTextKeys(below)
		}
	case []any:
		for i, item := range v {
			v[i] = withTextKeys(item)
		}
	}
	return value
}

// readCatalogue checks an example of a catalogue of traces.
func readCatalogue(t *testing.T, content string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "traces.yaml")
	if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := configs.Traces().Read(t.Context(), file); err != nil {
		t.Error(err)
	}
}

// The schema accepts the built-in studies and the study files of the documentation.
func TestSchemaAcceptsStudies(t *testing.T) {
	schema := printedSchema(t)
	files := map[string]string{}
	for _, name := range configs.List() {
		study, err := configs.Load(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(study.Source)
	}
	examples := 0
	for _, page := range pagesOfDocs(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range codeBlocks(string(text)) {
			content := block.text
			// a file for Kubernetes
			if block.language != "yaml" || strings.HasPrefix(content, "apiVersion:") {
				continue
			}
			if block.marker == "file: traces.yaml" {
				readCatalogue(t, content)
				continue
			}
			// Models that docs/how-to/add-a-paper.md and docs/how-to/add-a-model.md add.
			content = regexp.MustCompile("model: (queueing|counters)").ReplaceAllString(content, "extends: mine.yaml")
			if !strings.Contains(content, "study:") {
				content = "study: part\nextends: mine.yaml\n" + content
			}
			files[block.at(page)] = content
			examples++
		}
	}
	for name, content := range files {
		if err := schema.Validate(asJSON(t, content)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if examples < 8 {
		t.Errorf("found %d examples, want at least 8: has their notation changed?", examples)
	}
}

// The schema accepts parameters and values of the real models, and no others.
func TestSchemaOfParameters(t *testing.T) {
	schema := printedSchema(t)
	for text, want := range map[string]bool{
		"study: s\nextends: coallocation\nset: {lambda: 0.3, start: 1A, delay: 10h}":            true,
		"study: s\nextends: coallocation\nset: {lamda: 0.3}":                                    false,
		"study: s\nextends: coallocation\nset: {start: 1E}":                                     false,
		"study: s\nextends: coallocation\nset: {delay: 10}":                                     false,
		"study: s\nextends: coallocation\ntrace: das2":                                          false,
		"study: s\nextends: coallocation\nfactors: {lambda: [0.1, much]}":                       false,
		"study: s\nextends: intergrid\ntrace: auto":                                             true,
		"study: s\nextends: intergrid\ntrace: my/own.swf.gz@sha256:00":                          true,
		"study: s\nextends: coalocation":                                                        false,
		"study: s\nmodel: multisite\nexperiments: {e: {}}\nset: {checks: 1000}":                 true,
		"study: s\nmodel: multisite\nexperiments: {e: {}}\nset: {checks: 1001}":                 false,
		"study: s\nmodel: multisite\nexperiments: {e: {set: {checks: 1, counts_waiting: yes}}}": false,
	} {
		if err := schema.Validate(asJSON(t, text)); (err == nil) != want {
			t.Errorf("%s\nvalid should be %t: %v", text, want, err)
		}
	}
}

// Every key of study files has a line in its section of the reference, from which the schema takes
// its description, and these sections have no other keys.
func TestSchemaDescribesKeys(t *testing.T) {
	schema, err := sweeps.Schema(t.Context(), configs.Builtin(), studies.All(), docs.Meanings(docs.StudyFiles))
	if err != nil {
		t.Fatal(err)
	}
	each := func(entry string) *configs.Schema { return schema.Properties[entry].AdditionalProperties }
	records := map[string]*configs.Schema{
		"The study": schema, "Quick": schema.Properties["quick"], "Experiments": each("experiments"),
		"Tables": each("tables"), "Figures": each("figures"), "Claims": each("claims"), "Statements": each("unjudged"),
		"Deviations": each("deviations"),
	}
	queries := map[string]bool{}
	for _, word := range wordsOf("Queries") {
		queries[word] = true
	}
	for section, record := range records {
		checkChoices(t, section, record)
		words := wordsOf(section)
		for _, word := range words {
			if record.Properties[word] == nil {
				t.Errorf("docs/reference/study-files.md, %s: there is no word %s", section, word)
			}
		}
		for word, form := range record.Properties {
			if isListed := slices.Contains(words, word) || queries[word]; !isListed || form.Description == "" ||
				form.Description[0] == '\n' {
				t.Errorf("docs/reference/study-files.md, %s, has no line | `%s` | with a meaning: %q",
					section, word, form.Description)
			}
		}
	}
	for word := range queries {
		if records["Claims"].Properties[word] == nil {
			t.Errorf("docs/reference/study-files.md, Queries: there is no word %s", word)
		}
	}
	labels := schema.Properties["factors"].AdditionalProperties.AnyOf[1].Items
	if !strings.Contains(labels.Description, "A label with a comma needs quotes") {
		t.Errorf("labels are described as %q", labels.Description)
	}
	for _, m := range studies.All() {
		if schema.Definitions[m.Name] == nil {
			t.Errorf("the schema has no model %s", m.Name)
		}
	}
	lambda := schema.Definitions["coallocation"].Properties["lambda"].Description
	want := "λ: arrival rate: of the Poisson process of requests (in cells.parquet also arrival_rate)\n" +
		"float, unit 1/min, [1e-6,1e6], default 0.4"
	if lambda != want {
		t.Errorf("lambda is described as %q, want %q", lambda, want)
	}
}

// checkChoices checks that the line of each key names its allowed values, such as the statistics,
// in its section of the reference or in that of queries.
func checkChoices(t *testing.T, section string, record *configs.Schema) {
	t.Helper()
	for word, form := range record.Properties {
		if word == "extends" { // README.md lists the studies
			continue
		}
		for _, value := range choicesOf(form) {
			line, found := linesOf(section)[word]
			if !found {
				line = linesOf("Queries")[word]
			}
			if !strings.Contains(line, "`"+value+"`") {
				t.Errorf("docs/reference/study-files.md, %s: the line of %s does not name %s: %q", section, word, value, line)
			}
		}
	}
}

// choicesOf returns the values that a schema lists for an entry or for the items of its list, but
// not for the entries below it.
func choicesOf(s *configs.Schema) []string {
	if s == nil {
		return nil
	}
	values := slices.Concat(s.Enum, choicesOf(s.Items))
	for _, form := range s.AnyOf {
		values = append(values, choicesOf(form)...)
	}
	return values
}

// linesOf returns the table lines of a section of the reference, by their keys.
func linesOf(section string) map[string]string {
	_, text, _ := strings.Cut(docs.StudyFiles, "# "+section+"\n")
	text, _, _ = strings.Cut(text, "\n#")
	text, _, _ = strings.Cut(text, "```") // examples, after which come other tables
	lines := map[string]string{}
	for _, match := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\|.*$").FindAllStringSubmatch(text, -1) {
		lines[match[1]] = match[0]
	}
	return lines
}

// wordsOf returns the words that a section of the reference has lines for.
func wordsOf(section string) []string { return slices.Sorted(maps.Keys(linesOf(section))) }
