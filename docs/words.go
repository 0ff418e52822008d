// The meanings of the words of study files, for the schema: editors show them. They stand in the
// tables of the reference.

package docs

import (
	"regexp"
	"slices"
	"strings"
)

var pageLink = regexp.MustCompile(`\[([^\]]+)\]\([^)]+\)`)

// Meanings reads the tables of a reference such as StudyFiles, whose first column has the word. The
// function returned gives the meaning of a word in a section, empty if there is none; a second line
// has type and default.
func Meanings(page string) func(section, word string) string {
	known := map[[2]string]string{}
	var section string
	var head []string // of the table that a line stands in
	for line := range strings.Lines(page) {
		if heading := strings.TrimLeft(line, "#"); heading != line {
			section = strings.TrimSpace(heading)
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i, cell := range cells {
			cells[i] = pageLink.ReplaceAllString(strings.TrimSpace(cell), "$1")
		}
		switch {
		case !strings.HasPrefix(line, "|"):
			head = nil
		case head == nil:
			head = cells
		default:
			known[[2]string{section, strings.Trim(cells[0], "`")}] = explain(head, cells)
		}
	}
	return func(section, word string) string { return known[[2]string{section, word}] }
}

// explain returns the text in the column meaning and, on a second line, those in the columns type
// and default.
func explain(head, cells []string) string {
	column := func(name string) string {
		if i := slices.Index(head, name); i >= 0 && i < len(cells) {
			return cells[i]
		}
		return ""
	}
	text := column("meaning")
	if typ := column("type"); typ != "" {
		text += "\n" + typ
	}
	switch fallback := column("default"); {
	// "with …" is required with another key
	case fallback == "required" || strings.HasPrefix(fallback, "with "):
		text += ", " + fallback
	case fallback != "" && fallback != "none":
		text += ", default " + fallback
	}
	return text
}
