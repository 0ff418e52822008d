// The JSON Schema accepts what the parser accepts and rejects what the parser rejects, at the same
// key. An independent validator applies it to the built-in studies and to all files of testdata.

package configs

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"go.yaml.in/yaml/v4"
)

// compiled returns the schema of study files, compiled by an independent validator.
func compiled(t testing.TB) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(Builtin().Schema(func(string, string) string { return "" }))
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
	schema, err := compiler.Compile("urn:study")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// Texts that an editor's YAML 1.2 reader does not read as text.
var (
	yamlNull    = regexp.MustCompile(`^(null|Null|NULL|~|)$`)
	yamlBool    = regexp.MustCompile(`^(true|True|TRUE|false|False|FALSE)$`)
	yamlInteger = regexp.MustCompile(`^([-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$`)
	yamlFloat   = regexp.MustCompile(`^([-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|` +
		`[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$`)
)

// asEditorsRead returns the value of a node as an editor passes it to a schema.
func asEditorsRead(t testing.TB, n *yaml.Node) any {
	switch n.Kind {
	case yaml.DocumentNode:
		return asEditorsRead(t, n.Content[0])
	case yaml.AliasNode:
		return asEditorsRead(t, n.Alias)
	case yaml.SequenceNode:
		list := []any{}
		for _, item := range n.Content {
			list = append(list, asEditorsRead(t, item))
		}
		return list
	case yaml.MappingNode:
		object := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			object[n.Content[i].Value] = asEditorsRead(t, n.Content[i+1])
		}
		return object
	}
	switch text := n.Value; {
	case n.Style != 0 && n.Style != yaml.FlowStyle:
		return text
	case yamlNull.MatchString(text):
		return nil
	case yamlBool.MatchString(text):
		return strings.EqualFold(text, "true")
	case yamlInteger.MatchString(text), yamlFloat.MatchString(text):
		return number64(t, text)
	default:
		return text
	}
}

// number64 returns a number of YAML as one of JSON; infinity, which JSON lacks, as a huge one.
func number64(t testing.TB, text string) any {
	sign, digits := "", strings.TrimPrefix(text, "+")
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	var i uint64
	switch {
	case strings.ContainsAny(digits, "iIN"):
		return json.Number(sign + "1e999")
	case strings.HasPrefix(digits, "0x"), strings.HasPrefix(digits, "0o"):
		if _, err := fmt.Sscan(digits, &i); err != nil {
			return json.Number("1e30") // too large for Sscan, as for any word
		}
		return json.Number(fmt.Sprint(i))
	}
	mantissa, exponent, hasExponent := strings.Cut(strings.ToLower(digits), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		whole += "." + fraction
	}
	if hasExponent {
		whole += "e" + exponent
	}
	if !json.Valid([]byte(whole)) {
		t.Fatalf("%s is %s", text, whole)
	}
	return json.Number(sign + whole)
}

func parsed(t testing.TB, content []byte) any {
	t.Helper()
	var n yaml.Node
	if err := yaml.Unmarshal(content, &n); err != nil {
		t.Fatal(err)
	}
	return asEditorsRead(t, &n)
}

// refused returns the keys of a study that the schema rejects.
func refused(schema *jsonschema.Schema, study any) []string {
	var invalid *jsonschema.ValidationError
	if err := schema.Validate(study); !errors.As(err, &invalid) {
		return nil
	}
	var keys []string
	var walk func(*jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		keys = append(keys, keysOf(e, study)...)
		for _, cause := range e.Causes {
			walk(cause)
		}
	}
	walk(invalid)
	return keys
}

var (
	dependency  = regexp.MustCompile(`/dependencies/([^/]+)`)
	topProperty = regexp.MustCompile(`#/properties/([^/]+)`)
)

// keysOf returns the keys of one error, as the parser names them: without positions in lists.
func keysOf(e *jsonschema.ValidationError, study any) []string {
	var names []string
	for _, step := range e.InstanceLocation {
		switch at := study.(type) {
		case map[string]any:
			names, study = append(names, step), at[step]
		case []any:
			var i int
			fmt.Sscan(step, &i)
			study = at[i]
		}
	}
	under := func(more ...string) []string {
		var keys []string
		for _, name := range more {
			keys = append(keys, Key(slices.Concat(names, []string{name})...))
		}
		return keys
	}
	if d := dependency.FindStringSubmatch(e.SchemaURL); d != nil {
		return under(d[1])
	}
	switch k := e.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		return under(k.Properties...)
	case *kind.Required:
		return under(k.Missing...)
	case *kind.PropertyNames: // whose place the library mixes up
		return []string{Key(topProperty.FindStringSubmatch(e.SchemaURL)[1], k.Property)}
	case *kind.OneOf: // the tests of a claim
		return append(under(tests...), Key(names...))
	case *kind.Schema, *kind.Group, *kind.AllOf, *kind.AnyOf, *kind.Reference:
		return nil // its causes say where
	default:
		return []string{Key(names...)}
	}
}

// TestSchemaTakesWhatIsRight checks that files that the parser accepts are valid, with every form
// of every value.
func TestSchemaTakesWhatIsRight(t *testing.T) {
	schema := compiled(t)
	files := map[string][]byte{}
	for _, name := range List() {
		study, err := Load(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = study.Source
	}
	for _, name := range []string{"every", "derived"} {
		content, err := os.ReadFile("testdata/good/" + name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		files[name] = content
	}
	for _, fit := range []string{"[]", "null", "a", "[a, b]"} {
		files["fit: "+fit] = []byte("study: a\nmodel: b\nexperiments: {e: {}}\nfit: " + fit + "\n")
	}
	for name, content := range files {
		if err := schema.Validate(parsed(t, content)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// beyondSchemas has the rules that no schema can express, with patterns of the parser's messages.
var beyondSchemas = map[string]string{
	"a name has to be that of another entry, and fit it": `no factor |no experiment |has no level |lacks parts |` +
		`leaves nothing of |does not vary |nothing that is run again |is a claim too|` +
		`varies .* already|both .* set |every level of |no experiment varies it`,
	"foreach and groups say what several entries are": `foreach makes|nothing says what|is a list[:;]|` +
		`names .*; the first one names|has a value in the group|no text of the entry has`,
	"only an inherited entry can be taken out": `takes out an inherited entry|take these out too`,
	"files lie beside the study":               `no file |no such file|in a circle`,
	"the values of several words have to fit": `(stands|used) in .* too|is what where selects|is not a column of show|` +
		`goes with two columns|goes with stat|goes with one stat|one replication has no|stands in for the mean over|` +
		`a gantt shows one column|there is no axis on the right|each panel has an axis|a heat has names|` +
		`limits for each panel need|is not shown|stands beside published|is not below|starts at|` +
		`is the same as the word trace`,
	"YAML has its own view before": `levels to settings, found|comes twice|study files have no|` +
		`a second document|is not a whole number|is not a number`,
}

// TestSchemaRefusesWhatIsWrong checks that the schema rejects what the parser rejects, at the same
// key, except for rules that no schema can express.
func TestSchemaRefusesWhatIsWrong(t *testing.T) {
	schema := compiled(t)
	archive, err := txtar.ParseFile(filepath.Join("testdata", "bad.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, f := range archive.Files {
		unpack(t, f)
	}
	used, found := map[string]bool{}, 0
	for _, f := range archive.Files {
		name, ok := strings.CutSuffix(f.Name, ".yaml")
		if !ok || name == "syntax" {
			continue
		}
		keys := refused(schema, parsed(t, f.Data))
		var problems Problems
		if _, err := Read(t.Context(), f.Name); err != nil && !errors.As(err, &problems) {
			t.Fatal(err)
		}
	problems:
		for _, p := range problems {
			if p.Pos.File != f.Name {
				continue // of what it extends or of published numbers
			}
			if slices.ContainsFunc(keys, func(key string) bool { return key == p.Key || strings.HasPrefix(key, p.Key+".") }) {
				found++
				continue
			}
			if name == "foreach" && (slices.ContainsFunc(keys, isOfOneThatStandsFor(p.Key)) ||
				ofMadeEntries.MatchString(p.Text)) {
				continue
			}
			for class, messages := range beyondSchemas {
				if regexp.MustCompile(messages).MatchString(p.Text) {
					used[class] = true
					continue problems
				}
			}
			t.Errorf("the parser reports\n%s\nwhich the schema accepts; it rejects %q", p, keys)
		}
	}
	if len(used) != len(beyondSchemas) || found < 100 {
		t.Errorf("found %d problems; of the rules beyond schemas only %v were needed", found, used)
	}
}

// ofMadeEntries matches problems of entries made by foreach and groups: of names, and of keys that
// neither a group nor its member has.
var ofMadeEntries = regexp.MustCompile(`"a/.*" cannot be the name of a file|is missing; why no claim judges`)

// isOfOneThatStandsFor reports whether the schema's key means the same word as the parser's, which
// names made entries instead of those in the file.
func isOfOneThatStandsFor(made string) func(string) bool {
	ends := func(key string) [2]string {
		return [2]string{key[:strings.IndexByte(key+".", '.')], key[strings.LastIndexByte(key, '.')+1:]}
	}
	return func(written string) bool { return ends(written) == ends(made) }
}

// TestSchemaHasTheWords checks that parser and schema have the same keys in each map of fixed keys,
// and that both reject a misspelt one.
func TestSchemaHasTheWords(t *testing.T) {
	schema := compiled(t)
	records := 0
	var walk func(s *Schema, within func(string) string)
	walk = func(s *Schema, within func(string) string) {
		at := func(key string) func(string) string {
			return func(value string) string { return within("{" + key + ": " + value + "}") }
		}
		for word, below := range s.Properties {
			walk(below, at(word))
		}
		if s.AdditionalProperties != nil && !s.AdditionalProperties.isNothing {
			walk(s.AdditionalProperties, at("name"))
		}
		if s.Items != nil {
			walk(s.Items, func(value string) string { return within("[" + value + "]") })
		}
		for _, either := range s.AnyOf {
			walk(either, within)
		}
		if s.AdditionalProperties == nil || !s.AdditionalProperties.isNothing {
			return
		}
		records++
		const typo = "zzz"
		words := []string{typo}
		for word := range s.Properties {
			words = append(words, word)
		}
		for _, word := range words {
			text := at(word)("7")
			_, problems := (&loader{library: Builtin(), ctx: t.Context(), left: mostBytes}).interpret([]byte(text),
				location{path: "words.yaml"})
			isUnknown := slices.ContainsFunc(problems, func(p Problem) bool {
				return strings.HasPrefix(p.Text, "unknown key; ") || p.Text == `"zzz" is not one of x, y`
			})
			isRefused := slices.ContainsFunc(refused(schema, parsed(t, []byte(text))), func(key string) bool {
				return key == word || strings.HasSuffix(key, "."+word)
			})
			if isUnknown != (word == typo) || word == typo && !isRefused {
				t.Errorf("%s: the parser does not know it: %t, the schema refuses it: %t", text, isUnknown, isRefused)
			}
		}
		_, problems := (&loader{library: Builtin(), ctx: t.Context(), left: mostBytes}).interpret([]byte(within("7")),
			location{path: "words.yaml"})
		for _, p := range problems {
			list, isRecord := strings.CutPrefix(p.Text, "want a map of ")
			list, _, _ = strings.Cut(list, ", found")
			for _, word := range strings.Split(list, ", ") {
				if isRecord && s.Properties[word] == nil {
					t.Errorf("%s: the parser knows %s, the schema does not", within("{}"), word)
				}
			}
		}
	}
	walk(Builtin().Schema(func(string, string) string { return "" }), func(value string) string { return value })
	// Study, assumption, deviation, experiment and quick; table, block, figure with range, labels
	// and units, claim and statement, each also in a group.
	if records != 21 {
		t.Errorf("the schema has %d maps of fixed keys", records)
	}
}
