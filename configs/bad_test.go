// Files that cannot be read, and users' studies with names of built-in ones, give the expected
// error at the expected place. The inputs are damaged, empty, deep and large files; errors in
// readable files are in testdata/bad.txtar.

package configs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

func unpack(t *testing.T, files ...txtar.File) {
	t.Helper()
	for _, f := range files {
		if err := os.MkdirAll(filepath.Dir(f.Name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestUnreadableFiles covers files that a text archive cannot hold.
func TestUnreadableFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	files := map[string]string{
		"latin1.yaml":   "study: a\ntitle: caf\xe9\n",
		"utf16.yaml":    "\xff\xfes\x00t\x00",
		"nul.yaml":      "study: \x00\n",
		"empty.yaml":    "",
		"comments.yaml": "# nothing\n",
		"dashes.yaml":   "---\n",
		"deep.yaml":     "study: " + strings.Repeat("[", 25) + strings.Repeat("]", 25) + "\n",
		"maps.yaml":     "study: " + strings.Repeat("{a: ", 400) + "1" + strings.Repeat("}", 400) + "\n",
		"deepest.yaml":  "study: " + strings.Repeat("[", 20000),
		"large.yaml":    "study: a\n" + strings.Repeat("#", maxFile),
		"windows.yaml":  "\ufeffstudy: a\r\nmodle: b\r\n",
		"tab.yaml":      "study: a\nset:\n\tx: 1\n",
		"csv.yaml":      "study: a\nmodel: b\nexperiments: {e: {}}\ntables: {t: {of: e, show: x, published: latin1.csv}}\n",
	}
	for name, content := range files {
		unpack(t, txtar.File{Name: name, Data: []byte(content)})
	}
	unpack(t, txtar.File{Name: "published/latin1.csv", Data: []byte("metric,value,page\nx,1,\xe9\n")})
	if err := os.Mkdir("folder.yaml", 0o755); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"missing.yaml":  "read study file: missing.yaml: no such file or directory",
		"folder.yaml":   "read study file: folder.yaml: is a folder, not a file",
		"large.yaml":    "read study file: large.yaml: is larger than 1 MB",
		"latin1.yaml":   "latin1.yaml:2: byte 0xe9 is not UTF-8; save the file as UTF-8",
		"utf16.yaml":    "utf16.yaml:1: byte 0xff is not UTF-8; save the file as UTF-8",
		"nul.yaml":      "nul.yaml:1:8: not YAML: control characters are not allowed",
		"empty.yaml":    "empty.yaml: the file is empty; a study starts with study: NAME",
		"comments.yaml": "comments.yaml: the file is empty; a study starts with study: NAME",
		"dashes.yaml":   "dashes.yaml: the file is empty; a study starts with study: NAME",
		"deep.yaml":     "deep.yaml:1:27: nested deeper than 20 levels",
		"maps.yaml":     "maps.yaml:1:81: nested deeper than 20 levels",
		"deepest.yaml":  "deepest.yaml:1:10008: not YAML: exceeded max depth of 10000",
		"windows.yaml":  "windows.yaml:2:1: modle: unknown key; did you mean model?",
		"tab.yaml":      "tab.yaml:3:1: not YAML: a tab; indent with spaces",
		"csv.yaml":      "published/latin1.csv:2: byte 0xe9 is not UTF-8; save the file as UTF-8",
	} {
		_, err := Read(t.Context(), name)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Count(err.Error(), "nested deeper") > 1 {
			t.Errorf("%s: got %.300v\nwant %s", name, err, want)
		}
	}
}

// TestBuiltinNamesAreTaken checks that a user's study cannot pass for a built-in one, unless it is
// that very file.
func TestBuiltinNamesAreTaken(t *testing.T) {
	source, err := Load(t.Context(), "coallocation")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Read(t.Context(), "coallocation/coallocation.yaml"); err != nil {
		t.Errorf("the built-in study's own file: %v", err)
	}
	t.Chdir(t.TempDir())
	unpack(t, txtar.File{Name: "extends.yaml", Data: []byte("study: coallocation\nextends: coallocation\n")})
	unpack(t, txtar.File{Name: "changed.yaml", Data: append(source.Source, "seed: 2\n"...)})
	unpack(t, txtar.File{Name: "paper.yaml", Data: []byte("study: mine\npaper: coallocation\nextends: coallocation\n")})
	unpack(t, txtar.File{Name: "mine.yaml", Data: []byte("study: mine\nextends: extends.yaml\n")})
	for file, want := range map[string]string{
		"extends.yaml": "extends.yaml:1:8: study: is the name of a built-in study; give yours another",
		"paper.yaml":   "paper.yaml:2:8: paper: is the name of a built-in paper",
		"changed.yaml": "changed.yaml:2:8: study: is the name of a built-in study; give yours another",
	} {
		if _, err := Read(t.Context(), file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", file, err)
		}
	}
	if _, err := Read(t.Context(), "mine.yaml"); err != nil {
		t.Errorf("a study with a free name that extends one with a taken name: %v", err)
	}
}

// TestErrorTypes checks that callers can distinguish errors in a file from a file that cannot be
// read.
func TestErrorTypes(t *testing.T) {
	t.Chdir(t.TempDir())
	unpack(t, txtar.File{Name: "a.yaml", Data: []byte("study: a\n")})
	var problems Problems
	if _, err := Read(t.Context(), "a.yaml"); !errors.As(err, &problems) || len(problems) != 2 {
		t.Errorf("a.yaml: %v is not two problems", err)
	}
	if _, err := Read(t.Context(), "b.yaml"); !errors.Is(err, os.ErrNotExist) || errors.As(err, &problems) {
		t.Errorf("b.yaml: %v does not say that the file is missing", err)
	}
}
