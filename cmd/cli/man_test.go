// Man pages for all commands with all flags; groff and mandoc typeset them without warnings. With
// -man the test writes them to a folder.

package cli

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"gridsweep/pipeline/traces"
	"gridsweep/pipeline/workspace"
)

// manFolder is the folder to which make man writes the pages.
var manFolder = flag.String("man", "", "write the man pages into this folder")

// There is a man page for each command, with each of its flags.
func TestManPages(t *testing.T) {
	dir := *manFolder
	if dir == "" {
		dir = t.TempDir()
	}
	root := writeManPages(t, dir)
	set := map[string]bool{}
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
		set[name] = true
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !strings.Contains(string(text), `\fB--`+f.Name+`\fP`) {
				t.Errorf("%s does not have --%s", name, f.Name)
			}
		})
		for _, below := range c.Commands() {
			if below.IsAvailableCommand() {
				check(below)
			}
		}
	}
	check(root)
	checkTypeset(t, dir, slices.Sorted(maps.Keys(set)))
}

// checkTypeset typesets the pages with groff and mandoc, if they are installed.
func checkTypeset(t *testing.T, dir string, pages []string) {
	for _, reader := range []string{"groff -Kutf8 -man -ww -Tutf8", "mandoc -W error -T utf8"} {
		words := strings.Fields(reader)
		program, err := exec.LookPath(words[0])
		if err != nil {
			t.Logf("there is no %s to read man pages", words[0])
			continue
		}
		c := exec.Command(program, append(words[1:], pages...)...)
		c.Dir = dir
		var messages strings.Builder
		c.Stderr = &messages
		if text, err := c.Output(); err != nil || messages.Len() > 0 || len(text) == 0 {
			t.Errorf("%s: %v\n%s", reader, err, messages.String())
		}
	}
}

// writeManPages makes the pages of all commands from their help. The page of the program also has
// the exit codes, the environment and the files, from the documentation.
func writeManPages(t *testing.T, dir string) *cobra.Command {
	t.Helper()
	root := newRoot(&terminal{})
	root.InitDefaultCompletionCmd()
	root.DisableAutoGenTag = true // it would have the current date
	root.Long += "\n\n# EXIT STATUS\n" +
		paragraphs(documented(t, "docs/reference/commands.md", `(?s)## Exit codes\n\n.*?\n\| --- \| --- \|\n(.*?)\n\n`)) +
		"# ENVIRONMENT\n**" + traces.FolderVariable + "**: folder in which traces are looked for before all others\n\n# " +
		"FILES\n"
	root.Long += paragraphs(documented(t, "docs/reference/results.md",
		`(?s)\| path \| content \|\n\| --- \| --- \|\n(.*?)\n\n`))
	// The pages of a version in development have the day of the latest release.
	day, err := time.Parse(time.DateOnly, documented(t, "CHANGELOG.md", `(?m)^## \[[0-9.]+\] - (.*)$`))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := doc.GenManTree(root, &doc.GenManHeader{Source: "gridsweep " + workspace.Version, Date: &day},
		dir); err != nil {
		t.Fatal(err)
	}
	return root
}

// paragraphs returns a paragraph for each row of a table with two columns.
func paragraphs(rows string) string {
	var text strings.Builder
	for line := range strings.SplitSeq(rows, "\n") {
		name, what, _ := strings.Cut(strings.Trim(line, "| "), " | ")
		fmt.Fprintf(&text, "%s: %s\n\n", name, what)
	}
	return text.String()
}

// documented returns the group of a pattern in a page of the documentation.
func documented(t *testing.T, file, pattern string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	match := regexp.MustCompile(pattern).FindSubmatch(text)
	if match == nil {
		t.Fatalf("%s does not have %s", file, pattern)
	}
	return string(match[1])
}
