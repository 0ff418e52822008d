// The Go module of docs/how-to/add-a-model.md is built outside this repository, and its program has
// all commands.

package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The module of docs/how-to/add-a-model.md is built outside this one, without a network, and its
// program has all commands.
func TestModuleOfTheDocumentation(t *testing.T) {
	files := filesOfDocs(t, "docs/how-to/add-a-model.md")
	module, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if name == "go.mod" {
			text = strings.Replace(text, "../gridsweep", strconv.Quote(module), 1) + requirements(t)
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if len(files) != 4 {
		t.Fatalf("the page has %d files, want go.mod, the model, the study file and main.go", len(files))
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o666); err != nil {
		t.Fatal(err)
	}
	offline := []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off", "GOWORK=off"}
	output(t, dir, offline, "go", "build", "-o", "waiting", ".")
	program := filepath.Join(dir, "waiting")
	for _, c := range []struct{ command, want string }{
		{"list", "Waiting at several counters"},
		{"list", "coallocation"},
		{"check waiting", "waiting: ok: 1 experiment, 30 runs, 1 table, 0 figures, 2 claims"},
		{"plan waiting/waiting --quick", "30 runs, 30 not yet in out/quick/waiting"},
		{"show waiting", "number of counters"},
		{"schema", `"waiting/waiting"`},
		{"__complete check wai", "waiting"},
		{"reproduce waiting --quick --strict", ""},
		{"status waiting --quick", "30 of 30 runs done"},
		{"analyze waiting --quick --show", "reproduced      more counters, less waiting"},
	} {
		if text := output(t, dir, nil, program, strings.Fields(c.command)...); !strings.Contains(text, c.want) {
			t.Errorf("%s says\n%s, want %s", c.command, text, c.want)
		}
	}
	for _, made := range []string{"waiting/tables/wait.md", "waiting/report.html", "waiting/claims.json", "index.html"} {
		if _, err := os.Stat(filepath.Join(dir, "out", "quick", made)); err != nil {
			t.Error(err)
		}
	}
}

// requirements returns the modules that gridsweep requires, as go mod tidy writes them into a
// module that uses it. With them go needs no other module, so the build works without a network.
func requirements(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	return "\n" + strings.Join(regexp.MustCompile(`(?s)require \(.*?\n\)\n`).FindAllString(string(text), -1), "")
}
