// Names and texts with invisible characters, and names that begin like a flag, are errors at their
// line, and messages escape such characters. The inputs are all such characters in names of each
// section.

package configs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// namedIn has, for each word for a name, a study in which NAME is such a name, and its line.
var namedIn = map[string]struct {
	study string
	line  int
}{
	"study":      {"study: NAME\nmodel: m\nexperiments: {e: {}}\n", 1},
	"paper":      {"study: a\npaper: NAME\nmodel: m\nexperiments: {e: {}}\n", 2},
	"factor":     {"study: a\nmodel: m\nfactors:\n  NAME: [1, 2]\nexperiments: {e: {}}\n", 4},
	"label":      {"study: a\nmodel: m\nfactors:\n  f:\n  - NAME\n  - b\nexperiments: {e: {}}\n", 5},
	"level":      {"study: a\nmodel: m\nfactors:\n  f:\n    NAME: {x: 1}\nexperiments: {e: {}}\n", 5},
	"value":      {"study: a\nmodel: m\nset: {x: NAME}\nexperiments: {e: {}}\n", 3},
	"parameter":  {"study: a\nmodel: m\nset: {NAME: 1}\nexperiments: {e: {}}\n", 3},
	"experiment": {"study: a\nmodel: m\nexperiments:\n  NAME: {}\n", 4},
	"table":      {"study: a\nmodel: m\nexperiments: {e: {}}\ntables:\n  NAME: {of: e, show: c}\n", 5},
	"figure":     {"study: a\nmodel: m\nexperiments: {e: {}}\nfigures:\n  NAME: {of: e, show: c, kind: line, x: f}\n", 5},
	"claim":      {"study: a\nmodel: m\nexperiments: {e: {}}\nclaims:\n  NAME: {of: e, show: c, above: 1}\n", 5},
	"statement":  {"study: a\nmodel: m\nexperiments: {e: {}}\nunjudged:\n  NAME: {doc: a, why: b}\n", 5},
}

func readNamed(t *testing.T, what, name string) error {
	t.Helper()
	study := strings.Replace(namedIn[what].study, "NAME", `"`+name+`"`, 1)
	unpack(t, txtar.File{Name: "names.yaml", Data: []byte(study)})
	_, err := Read(t.Context(), "names.yaml")
	return err
}

// A name with invisible characters, or one that a command would read as a flag, is an error at its
// line, which shows it with escapes.
func TestNamesThatCannotBeSeen(t *testing.T) {
	t.Chdir(t.TempDir())
	for what, k := range namedIn {
		at := fmt.Sprintf("names.yaml:%d:", k.line)
		for _, bad := range []string{
			`\a`, `\r`, `\x7f`, `\x85`, `\u061c`, `\u200b`, `\u200d`, `\u200e`, `\u200f`, `\u202a`, `\u202b`, `\u202c`,
			`\u202d`, `\u202e`, `\u2028`,
			`\u2029`, `\u2066`, `\u2067`, `\u2068`, `\u2069`, `\ufeff`, `\u00ad`,
			"\u202e", "\u2067", "\u200e", "\u061c", // as they are
		} {
			err := readNamed(t, what, "a"+bad+"b")
			if err == nil || !strings.Contains(err.Error(), at) {
				t.Errorf("%s with %q: error %v, want one on line %d", what, bad, err, k.line)
				continue
			}
			if hidden := strings.IndexFunc(strings.ReplaceAll(err.Error(), "\n", ""), isHidden); hidden >= 0 {
				t.Errorf("%s with %q: the message has the character itself: %q", what, bad, err)
			}
		}
		for _, flag := range []string{"-", "-x", "--quick", "-É"} {
			if err := readNamed(t, what, flag); (err == nil) != (what == "value") || err != nil &&
				!strings.Contains(err.Error(), at) {
				t.Errorf("%s %s: error %v", what, flag, err)
			}
		}
	}
	for _, what := range []string{"label", "level", "value"} {
		for _, good := range []string{"-1", "-0.5", "-.5", "-1e3", "U(2,3)", "é", "名", "a b", "1A,1E"} {
			if err := readNamed(t, what, good); err != nil {
				t.Errorf("%s %s is rejected: %v", what, good, err)
			}
		}
	}
}

// Messages escape invisible characters from anywhere in the files.
func TestMessagesHaveNoHiddenCharacters(t *testing.T) {
	t.Chdir(t.TempDir())
	unpack(t, txtar.File{Name: "published/p.csv", Data: []byte("f,metric,value,page\na\u202eb,c,1\x1b[2J,\n")})
	unpack(t, txtar.File{Name: "names.yaml",
		Data: []byte("study: a\nmodel: m\nexperiments: {e: {doc: \"\u2067\", cross: \"\\u202e\"}}\n" +
			"tables: {t: {of: \"x\\u202ey\", show: c, published: p.csv}}\n\"k\\u202ey\": 1\n")})
	_, err := Read(t.Context(), filepath.Base("names.yaml"))
	if err == nil || strings.ContainsFunc(strings.ReplaceAll(err.Error(), "\n", ""), isHidden) {
		t.Errorf("the message is %q", err)
	}
}

// Names that differ only in case are the same, as on some file systems, and texts may have no
// invisible characters either.
func TestTextsThatCannotBeSeen(t *testing.T) {
	for text, want := range map[string]string{
		"study: Coallocation\nextends: coallocation\n":                      "is the name of a built-in study",
		"study: mine\npaper: COALLOCATION\nextends: coallocation\n":         "is the name of a built-in paper",
		"study: mine.\nextends: coallocation\n":                             "no dot at the end",
		"study: mine\ntitle: \"a\\u202eb\"\nextends: coallocation\n":        "U+202E",
		"study: mine\ntitle: \"a\\eb\"\nextends: coallocation\n":            "U+001B",
		"study: mine\nextends: coallocation\nclaims: {c: {doc: \"a\\eb\"}}": "U+001B",
	} {
		file := filepath.Join(t.TempDir(), "mine.yaml")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(t.Context(), file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}
