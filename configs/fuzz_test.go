// No bytes make the readers of study files, catalogues and published numbers fail: each input gives
// a complete result, which the schema accepts, or problems with a text and a position. The seeds
// are the files of testdata and the catalogues.

package configs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"go.yaml.in/yaml/v4"
)

// FuzzStudy checks that any bytes give a complete study, which the schema accepts, or problems that
// can be shown.
func FuzzStudy(f *testing.F) {
	every, err := os.ReadFile("testdata/good/every.yaml")
	if err != nil {
		f.Fatal(err)
	}
	bad, err := txtar.ParseFile("testdata/bad.txtar")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(every)
	for _, file := range bad.Files {
		if strings.HasSuffix(file.Name, ".yaml") {
			f.Add(file.Data)
		}
	}
	f.Add([]byte("study: a\nextends: coallocation\nfactors: {lambda: [1]}\n"))
	f.Add([]byte("a: &a [*a]\n"))
	f.Add([]byte("\xef\xbb\xbfstudy: 'a'\r\n...\r\n# end"))
	folder := f.TempDir() // with nothing in it that could be extended
	schema := compiled(f)
	f.Fuzz(func(t *testing.T, content []byte) {
		study, problems := (&loader{library: Builtin(), ctx: t.Context(), left: mostBytes}).interpret(content,
			location{path: filepath.Join(folder, "fuzz.yaml")})
		if len(problems) > 0 {
			checkShown(t, problems)
			return
		}
		if err := schema.Validate(parsed(t, content)); err != nil && !hasOddScalar(content) {
			t.Errorf("the schema rejects what the parser accepts: %v", err)
		}
		for _, table := range study.Tables {
			for _, b := range table.Blocks {
				if b.Of.Value == "" || len(b.Show) == 0 {
					t.Errorf("table %q has a block without experiment or columns", table.Name.Value)
				}
			}
		}
	})
}

// FuzzTraces checks that any bytes give traces with names and files, or problems that can be shown.
func FuzzTraces(f *testing.F) {
	for _, file := range Builtin().catalogues() {
		content, err := file.read()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	f.Add([]byte(goodTrace))
	f.Add([]byte("a: {files: [/x, ../y, 'z/']}\nb: {used: {}}\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		from := location{path: "traces.yaml"}
		p := newParser(t.Context(), from, content, sources{})
		all := Traces().with(p.readTraces(content, from), p.wrongAt)
		if len(p.problems) > 0 {
			checkShown(t, p.problems)
			return
		}
		for _, trace := range all {
			if trace.Name.Value == "" || len(trace.Files) == 0 || trace.Address.Value != "" && trace.Kept() == "" {
				t.Errorf("%+v", trace)
			}
		}
	})
}

// hasOddScalar reports whether YAML makes something of a word that the schema wants in quotes:
// null, true and false as names, and numbers in ways of writing that are not JSON's, by which two
// labels may become equal.
func hasOddScalar(content []byte) bool {
	var odd func(n *yaml.Node) bool
	odd = func(n *yaml.Node) bool {
		isPlain := n.Kind == yaml.ScalarNode && (n.Style == 0 || n.Style == yaml.FlowStyle)
		isOdd := yamlNull.MatchString(n.Value) || yamlBool.MatchString(n.Value) ||
			(yamlInteger.MatchString(n.Value) || yamlFloat.MatchString(n.Value)) && !json.Valid([]byte(n.Value))
		return isPlain && isOdd || slices.ContainsFunc(n.Content, odd)
	}
	var n yaml.Node
	return yaml.Unmarshal(content, &n) != nil || odd(&n)
}

// FuzzPublished checks that any bytes give cells with all their labels, or problems that can be
// shown.
func FuzzPublished(f *testing.F) {
	for _, name := range []string{"A.1.csv", "A.7.csv", "4-2.csv"} {
		content, err := builtin.ReadFile("coallocation/published/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	f.Add([]byte("a,metric,value,page\n\"x\ny\",b,1,2\r\n\"é\"\"\",b,-.5e3,iv"))
	f.Add([]byte("metric,value,page\n\"a"))
	f.Add([]byte("a,metric,value,page\nx,b,1,\n")) // a page may be empty
	f.Add([]byte("a,metric,value,page,note\nx,b,1,2,odd\nx,c,1,2\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		sources := sources{}
		sources.add(location{path: "fuzz.csv"}, content)
		cells, problems := readCells(t.Context(), "fuzz.csv", content, sources)
		checkShown(t, problems)
		for _, c := range cells {
			if len(c.Levels) != len(cells[0].Levels) || c.Metric == "" || !isNumber(c.Printed) {
				t.Errorf("cell %+v is not whole", c)
			}
		}
		if len(cells) == 0 && len(problems) == 0 {
			t.Error("neither cells nor problems")
		}
	})
}

// checkShown checks that every problem has a text and a position.
func checkShown(t *testing.T, problems Problems) {
	t.Helper()
	for _, p := range problems {
		if p.Text == "" || p.Pos.File == "" || p.Pos.Column > 0 && p.Pos.Line == 0 {
			t.Errorf("%+v has no text or no position", p)
		}
	}
	if shown := problems.Error(); (shown == "") != (len(problems) == 0) {
		t.Errorf("%d problems are shown as %q", len(problems), shown)
	}
}
