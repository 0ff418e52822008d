// Fingerprint tests: changes of code, comments, layout, imports and files of a small tree, and
// which of them change the fingerprint.

package source

import (
	"maps"
	"strings"
	"testing"
	"testing/fstest"
)

// program is a tree in which queue imports rng, and other stands alone.
func program() map[string]string {
	return map[string]string{
		"contract.go": "package models\n",
		"queue/queue.go": "// Package queue waits.\npackage queue\n\n" +
			"import (\n\t\"fmt\"\n\n\t\"example.org/models/rng\"\n)\n\n" +
			"var x = fmt.Sprint(`a\nb`, rng.X)\n",
		"queue/spec.go":       "//go:build !never\n\npackage queue\n\nfunc f(a int) int { return a + 1 }\n",
		"queue/spec_test.go":  "package queue\n\nimport _ \"example.org/models/other\"\n",
		"rng/rng.go":          "package rng\n\nimport \"example.org/models/rng/deep\"\n\nconst X = deep.Y\n",
		"rng/deep/deep.go":    "package deep\n\nconst Y = 1\n",
		"other/other.go":      "package other\n",
		"queue/old/unused.go": "package old\n",
	}
}

func fingerprint(t *testing.T, files map[string]string) string {
	t.Helper()
	f, err := Tree{"example.org/models", folder(files)}.Fingerprint("example.org/models/queue", nil)
	if err != nil || len(f) != 64 {
		t.Fatalf("fingerprint %q, error %v", f, err)
	}
	return f
}

func folder(files map[string]string) fstest.MapFS {
	all := fstest.MapFS{}
	for name, text := range files {
		all[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return all
}

// TestFingerprintDependsOnCode has changes that can change an outcome, which change the
// fingerprint, and others, which do not.
func TestFingerprintDependsOnCode(t *testing.T) {
	want := fingerprint(t, program())
	replace := func(name, old, text string) func(map[string]string) {
		return func(files map[string]string) {
			if !strings.Contains(files[name], old) {
				t.Fatalf("%s has no %q", name, old)
			}
			files[name] = strings.ReplaceAll(files[name], old, text)
		}
	}
	for what, c := range map[string]struct {
		change func(map[string]string)
		same   bool
	}{
		"a comment":                        {replace("queue/queue.go", "waits", "holds"), true},
		"a comment that goes":              {replace("queue/queue.go", "// Package queue waits.\n", ""), true},
		"a comment after code":             {replace("queue/spec.go", "+ 1 }", "+ /* one */ 1 } // done"), true},
		"a line end that ends a statement": {replace("queue/spec.go", "a + 1 }", "a+1\n}"), false},
		"spaces":                           {replace("queue/spec.go", "a + 1", "a  +\t1"), true},
		"line endings":                     {func(f map[string]string) { crlf(f) }, true},
		"a test":                           {replace("queue/spec_test.go", "other", "rng"), true},
		"a test that goes":                 {func(f map[string]string) { delete(f, "queue/spec_test.go") }, true},
		"a package not imported":           {replace("other/other.go", "package", "var Z = 1; package"), true},
		"one below the package":            {replace("queue/old/unused.go", "old", "new"), true},
		// nothing here imports it
		"the folder's own package":    {replace("contract.go", "models", "others"), true},
		"a number":                    {replace("queue/spec.go", "1", "2"), false},
		"an operator":                 {replace("queue/spec.go", "+", "-"), false},
		"a text of several lines":     {replace("queue/queue.go", "a\nb", "a\n b"), false},
		"a build constraint":          {replace("queue/spec.go", "!never", "linux"), false},
		"what is imported":            {replace("rng/deep/deep.go", "1", "2"), false},
		"an import":                   {replace("queue/queue.go", "fmt", "log"), false},
		"a file":                      {func(f map[string]string) { f["queue/more.go"] = "package queue\n" }, false},
		"a file of one system":        {func(f map[string]string) { f["queue/x_plan9.go"] = "package queue\n" }, false},
		"a file with another name":    {func(f map[string]string) { move(f, "queue/spec.go", "queue/specs.go") }, false},
		"two tokens that become one":  {replace("queue/spec.go", "a + 1", "a +1"), true},
		"one token that becomes two":  {replace("queue/spec.go", "return a + 1", "return a + +1"), false},
		"code that moves to a file":   {func(f map[string]string) { move(f, "rng/rng.go", "rng/deep.go") }, false},
		"an import that is dropped":   {replace("rng/rng.go", "import \"example.org/models/rng/deep\"\n", ""), false},
		"a comment with a semicolon":  {replace("queue/spec.go", "package queue", "package queue // a; b"), true},
		"a semicolon for a line end":  {replace("queue/spec.go", "package queue\n", "package queue;"), true},
		"a directive of the compiler": {replace("queue/spec.go", "func f", "//go:noinline\nfunc f"), false},
	} {
		files := program()
		c.change(files)
		if got := fingerprint(t, files); (got == want) != c.same {
			t.Errorf("%s: the fingerprint is the same: %t, want %t", what, got == want, c.same)
		}
	}
}

func move(files map[string]string, from, to string) {
	files[to] = files[from]
	delete(files, from)
}

func crlf(files map[string]string) {
	for name := range maps.Clone(files) {
		files[name] = strings.ReplaceAll(files[name], "\n", "\r\n")
	}
}

// A model of another module provides its own files; the packages of the tree that they import count
// too.
func TestFingerprintOfOwnFiles(t *testing.T) {
	own := map[string]string{
		"mine.go":      "package mine\n\nimport _ \"example.org/models/rng\"\n",
		"mine_test.go": "package mine\n",
		"sub/sub.go":   "package sub\n",
		"data/x.csv":   "a,b\n1,2\n",
	}
	fingerprintOf := func(library, own map[string]string) string {
		f, err := Tree{"example.org/models", folder(library)}.Fingerprint("example.com/mine", folder(own))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	want := fingerprintOf(program(), own)
	for name, same := range map[string]bool{
		"mine.go": false, "mine_test.go": true, "sub/sub.go": false, "data/x.csv": false,
	} {
		changed := maps.Clone(own)
		changed[name] += "\nvar x = 1\n"
		if (fingerprintOf(program(), changed) == want) != same {
			t.Errorf("%s: the fingerprint is the same: %t, want %t", name, !same, same)
		}
	}
	for name, same := range map[string]bool{"rng/deep/deep.go": false, "queue/queue.go": true} {
		changed := program()
		changed[name] += "\nvar y = 1\n"
		if (fingerprintOf(changed, own) == want) != same {
			t.Errorf("%s: the fingerprint is the same: %t, want %t", name, !same, same)
		}
	}
}

func TestFingerprintErrors(t *testing.T) {
	broken := program()
	broken["rng/rng.go"] = "package rng\n\nimport \"x\n"
	lacking := program()
	delete(lacking, "rng/deep/deep.go")
	for want, files := range map[string]map[string]string{
		"rng/rng.go:3": broken, "no Go file of example.org/models/rng/deep": lacking,
	} {
		_, err := Tree{"example.org/models", folder(files)}.Fingerprint("example.org/models/queue", nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %q", err, want)
		}
	}
}
