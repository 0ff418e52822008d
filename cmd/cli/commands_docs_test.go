// docs/reference/commands.md equals the help of all commands; -update writes it.

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// docs/reference/commands.md equals the help of every command.
func TestDocsOfHelpAreCurrent(t *testing.T) {
	const begin = "<!-- made by make docs: commands -->\n"
	name := filepath.Join(root, "docs", "reference", "commands.md")
	before, _, found := strings.Cut(pageOfDocs(t, "docs/reference/commands.md"), begin)
	if !found {
		t.Fatalf("%s has no line %q", name, begin)
	}
	program := newRoot(&terminal{})
	var page strings.Builder
	page.WriteString(before + begin)
	for _, c := range program.Commands() {
		describeCommand(&page, c, 2)
	}
	if *update {
		if err := os.WriteFile(name, []byte(page.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if have, _ := os.ReadFile(name); string(have) != page.String() {
		t.Errorf("%s is not the help of the commands: make docs", name)
	}
}

// describeCommand writes the help of a command and its subcommands, under headings from a level on.
func describeCommand(page *strings.Builder, c *cobra.Command, level int) {
	if !c.IsAvailableCommand() || c.Name() == "completion" {
		return
	}
	fmt.Fprintf(page, "\n%s %s\n\n%s.\n", strings.Repeat("#", level), c.CommandPath(), c.Short)
	if c.Runnable() {
		fmt.Fprintf(page, "\n```text\n%s\n", c.UseLine())
		for _, section := range []struct{ title, text string }{
			{"", c.Long}, {"Examples:\n", c.Example}, {"Flags:\n", c.LocalFlags().FlagUsagesWrapped(110)},
		} {
			if text := strings.TrimRight(section.text, "\n"); text != "" {
				fmt.Fprintf(page, "\n%s%s\n", section.title, text)
			}
		}
		page.WriteString("```\n")
	}
	for _, below := range c.Commands() {
		describeCommand(page, below, level+1)
	}
}
