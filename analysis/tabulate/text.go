// Tables as Markdown and as text for a terminal.

package tabulate

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gridsweep/analysis"
)

// Text returns the table for a terminal, in the layout of the paper's.
func Text(t analysis.Table) string {
	t = AsShown(t)
	return text(t, textLines(t), notesBelow(t))
}

// Differences returns a table of differences as Text does, with * behind each whose 95 % interval
// does not contain 0.
func Differences(t analysis.Table) string {
	t = AsShown(t)
	lines := textLines(t)
	for r, row := range t.Rows {
		for c, cell := range row.Cells {
			mark := "  "
			if cell != nil && (cell.Ours.Low > 0 || cell.Ours.High < 0) {
				mark = " *"
			}
			lines[r+1][len(t.RowDimensions)+c] += mark
		}
	}
	const star = "* the interval does not contain 0; where nothing differs, this is so for 1 number in 20."
	return text(t, lines, append(notesBelow(t), star))
}

// text lays out lines, the first of which are the column headings, with notes below them.
func text(t analysis.Table, lines [][]string, notes []string) string {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, field := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(field))
		}
	}
	var b strings.Builder
	b.WriteString(plain(heading(t)) + "\n")
	for n, line := range lines {
		for i, field := range line {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(field))
			if i < len(t.RowDimensions) {
				line[i] = field + pad
			} else {
				line[i] = pad + field
			}
		}
		b.WriteString(strings.TrimRight(strings.Join(line, "  "), " ") + "\n")
		if n == 0 {
			for i, width := range widths {
				line[i] = strings.Repeat("─", width)
			}
			b.WriteString(strings.Join(line, "  ") + "\n")
		}
	}
	for _, note := range notes {
		b.WriteString(note + "\n")
	}
	return b.String()
}

// Markdown returns the table as a section of a Markdown document.
func Markdown(t analysis.Table) string {
	t = AsShown(t)
	var b strings.Builder
	b.WriteString("## " + markdown(heading(t)) + "\n\n")
	for n, line := range textLines(t) {
		for i := range line {
			line[i] = markdown(line[i])
		}
		b.WriteString("| " + strings.Join(line, " | ") + " |\n")
		if n == 0 {
			b.WriteString(strings.Repeat("| :-- ", len(t.RowDimensions)) + strings.Repeat("| --: ", len(t.Columns)) + "|\n")
		}
	}
	for _, note := range notesBelow(t) {
		b.WriteString("\n" + markdown(note) + "\n")
	}
	return b.String()
}

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, `|`, `\|`, `*`, `\*`, `_`, `\_`, "`", "\\`", `<`, `&lt;`, `>`, `&gt;`, `&`, `&amp;`, `[`, `\[`, `]`, `\]`)

func markdown(text string) string { return markdownEscapes.Replace(plain(text)) }

func heading(t analysis.Table) string {
	if t.Title == "" {
		return "Table " + t.Name
	}
	return "Table " + t.Name + ". " + t.Title
}

// notesBelow returns the lines under a table: its metrics, the legend and the Notes.
func notesBelow(t analysis.Table) []string {
	var lines []string
	for _, axis := range t.Values {
		lines = append(lines, plain(Explain(axis)))
	}
	legend := "Ours " + Legend(t)
	if t.Source != "" {
		legend += "; (published), marked ✗ " + markCondition(t)
	}
	lines = append(lines, legend+".")
	for _, note := range Notes(t) {
		lines = append(lines, plain(note))
	}
	return lines
}

// textLines returns the fields of each line of a table, the column headings first, in one line.
func textLines(t analysis.Table) [][]string {
	head := slices.Clone(t.RowDimensions)
	for _, labels := range t.Columns {
		head = append(head, columnLabel(t, labels))
	}
	lines := [][]string{head}
	digits := Digits(t)
	_, most := Replications(t)
	for _, row := range t.Rows {
		line := slices.Clone(row.Labels)
		for _, cell := range row.Cells {
			line = append(line, cellText(cell, digits, most))
		}
		lines = append(lines, line)
	}
	for _, line := range lines {
		for i := range line {
			line[i] = plain(line[i])
		}
	}
	return lines
}

// columnLabel returns the labels of a column in one line; without labels, the only metric of the
// table.
func columnLabel(t analysis.Table, labels []string) string {
	if len(labels) == 0 && len(t.Values) == 1 {
		return t.Values[0].Name
	}
	shown := make([]string, len(labels))
	for i, label := range labels {
		shown[i] = analysis.LevelName(t.ColumnDimensions[i], label)
	}
	return strings.Join(shown, ", ")
}

func cellText(cell *analysis.Cell, digits func(*analysis.Cell) int, most int) string {
	if cell == nil {
		return Missing
	}
	number, replications := Ours(cell, digits(cell), most)
	text := strings.TrimSpace(number + " " + replications)
	if cell.Published == nil {
		return text
	}
	published := Printed(cell.Published)
	if cell.Verdict == analysis.AgreeOutside {
		published += " ✗"
	}
	return text + " (" + published + ")"
}

// plain replaces control characters, which would break lines or reach the terminal, by spaces.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}
