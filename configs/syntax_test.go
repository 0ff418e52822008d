// Each error of the YAML reader is reported at the wrong character, in one small file for each
// error.

package configs

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestSyntaxErrors checks that each error of the YAML reader is reported at the wrong character.
func TestSyntaxErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ content, want string }{
		{"set:\n\tx: 1\n", "3:1: not YAML: a tab; indent with spaces"},
		{"set:\n  x: 1\n\ty: 1\n", "4:1: not YAML: a tab; indent with spaces"},
		{"set: {x: 1\nmodel: b\ntitle: c\n", "2:6: not YAML: { is not closed with } before the next key"},
		{"set: {x: 1\n", "2:6: not YAML: { is not closed with }"},
		{"set: {x: {y: '}'}, z: [1, 2\n", "2:23: not YAML: [ is not closed with ]"},
		{"model: [b, c\ntitle: [d]\n", "2:8: not YAML: [ is not closed with ]"},
		{"set: {\n", "2:6: not YAML: the file ends in brackets that are not closed"},
		{"set: {x: 1,\n# [\n\n", "2:11: not YAML: the file ends in brackets that are not closed"},
		{"set: {x: [ # one", "2:10: not YAML: the file ends in brackets that are not closed"},
		{"set: [1, 2}\n", "2:6: not YAML: [ is not closed with ] before the } of line 2"},
		{"set: {x: [}\ntitle: c\n", "2:11: not YAML: } does not close the bracket that is open"},
		{"set: {x: 1, ]\n", "2:13: not YAML: ] does not close the bracket that is open"},
		{"set: {x: [1,\n  y: 2}\n", "2:10: not YAML: [ is not closed with ] before the } of line 3"},
		{"set: {x: 1}}\n", "2:12: not YAML: } closes nothing"},
		{"set: {x: 1 y: 2}\n", "2:13: not YAML: a second key in one entry; want a comma before it, or }"},
		{"title: \"abc\nmodel: b\n", "2:8: not YAML: the quote \" is not closed"},
		{"title: 'it''s\nmodel: b\n", "2:8: not YAML: the quote ' is not closed"},
		{"title: \"x\" y\n", "2:12: not YAML: a value ends before this"},
		{"title: \"a \\q b\"\n", `2:11: not YAML: \ begins an escape`},
		{"title: \"\\x\"\n", `2:11: not YAML: \ begins an escape`},
		{"set:\n  x: 1\n y: 2\nmodel: b\n", "4:2: not YAML: did not find expected key"},
		{"set:\n  x: 1\n    y: 2\nmodel: b\n", "4:5: not YAML: a key where the line above has a value already"},
		{"set:\n  x: 1\n  - y\n", "4:3: not YAML: did not find"},
		{"- b\n", "2:1: not YAML: did not find"},
		{"model b\ntitle: c\n", "2:8: not YAML: want a colon"},
		{"model:b\ntitle: c\n", "2:6: not YAML: want a space behind the colon"},
		{"title: a: b\n", "2:9: not YAML: a second colon in one line"},
		{"title: @x\n", "2:8: not YAML: a value cannot begin with @"},
		{"title: |\n  @x {\n  \"\nmodel: `b`\n", "5:8: not YAML: a value cannot begin with `"},
		{"title: é{ # \"[\nmodel: %b\n", "3:8: not YAML: a value cannot begin with %"},
		{"title: *x\n", "2:8: not YAML: unknown anchor 'x' referenced"},
		{"title: \x01\n", "2:8: not YAML: control characters are not allowed"},
		{"title: a\ntitle: b\n", "3:1: title: comes twice; the first is on line 2"},
	} {
		unpack(t, txtar.File{Name: "x.yaml", Data: []byte("study: a\n" + c.content)})
		_, err := Read(t.Context(), "x.yaml")
		if err == nil || !strings.Contains(err.Error(), "x.yaml:"+c.want) || !strings.Contains(err.Error(), "^") {
			t.Errorf("%q:\n%v\nwant %s", c.content, err, c.want)
		}
	}
}
