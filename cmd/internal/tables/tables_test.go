// Tables fit the width of a terminal without losing words, and are not wrapped in pipes.

package tables

import (
	"io"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// printed returns the lines of a table with long texts and counts.
func printed(width int) []string {
	writer := New(io.Discard, width)
	writer.AppendHeader(table.Row{"experiment", "what it is", "runs", "levels"})
	writer.ShowCounts(3)
	writer.AppendRow(table.Row{"rate", strings.Repeat("word ", 40), 1234567, strings.Repeat("1A, ", 20)})
	writer.AppendRow(table.Row{"pairs/laxity", "é", 3, "none"})
	return strings.Split(writer.Render(), "\n")
}

func TestTablesFitTheTerminal(t *testing.T) {
	for _, width := range []int{60, 80, 100, 200} {
		lines := printed(width)
		for _, line := range lines {
			if n := text.StringWidthWithoutEscSequences(line); n > width {
				t.Errorf("width %d: a line has %d: %s", width, n, line)
			}
		}
		all := strings.Join(lines, "\n")
		if n := strings.Count(all, "word"); n != 40 {
			t.Errorf("width %d: %d words of 40 are left:\n%s", width, n, all)
		}
		if !strings.Contains(all, "1,234,567") {
			t.Errorf("width %d: the number is not in one piece:\n%s", width, all)
		}
	}
	if lines := printed(30); text.LongestLineLen(strings.Join(lines, "\n")) > 30 {
		t.Errorf("columns that have no room are not cut:\n%s", strings.Join(lines, "\n"))
	}
}

func TestTablesOfPipesAreWhole(t *testing.T) {
	if lines := printed(0); !strings.Contains(lines[3], strings.TrimSpace(strings.Repeat("word ", 40))) {
		t.Errorf("a table that goes to no terminal is wrapped:\n%s", strings.Join(lines, "\n"))
	}
}
