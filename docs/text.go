package docs

// Pages as plain text, for files that are read as they are.

import (
	"path"
	"regexp"
	"strings"
	"unicode/utf8"
)

var (
	comment    = regexp.MustCompile(`(?s)<!--.*?-->\n*`)
	inlineCode = regexp.MustCompile("`([^`]+)`")
	emphasis   = regexp.MustCompile(`(\*{1,2})([^*\s](?:[^*]*[^*\s])?)\*{1,2}`)
	linkTarget = regexp.MustCompile(`\[([^\]]+)\]\(([^)#]*)[^)]*\)`)
)

// Text returns a page of a folder of docs as plain text: without comments, headings underlined,
// tables in columns, code indented, and words of code in quotation marks. A link to another page is
// its text and the path of the page, a link within the page its text.
func Text(folder, page string) string {
	var text strings.Builder
	for i, part := range strings.Split(comment.ReplaceAllString(page, ""), "```") {
		if i%2 == 0 {
			part = strings.TrimPrefix(part, "\n") // the end of a fence's line
			text.WriteString(prose(folder, part))
			continue
		}
		_, code, _ := strings.Cut(part, "\n") // without the language
		for line := range strings.Lines(code) {
			if line != "\n" {
				line = "    " + line
			}
			text.WriteString(line)
		}
	}
	return text.String()
}

// prose returns a part of a page without code blocks.
func prose(folder, part string) string {
	part = linkTarget.ReplaceAllStringFunc(part, func(link string) string {
		found := linkTarget.FindStringSubmatch(link)
		switch shown, target := found[1], found[2]; {
		case target == "":
			return shown
		case strings.Contains(target, "://"):
			return shown + " (" + target + ")"
		default:
			return shown + " (" + path.Join("docs", folder, target) + ")"
		}
	})
	part = emphasis.ReplaceAllString(inlineCode.ReplaceAllString(part, `"$1"`), "$2")
	var text strings.Builder
	var table [][]string
	for line := range strings.Lines(part) {
		if strings.HasPrefix(line, "|") {
			table = append(table, strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|"))
			continue
		}
		text.WriteString(columns(table))
		table = nil
		heading := strings.TrimLeft(line, "#")
		level := min(len(line)-len(heading), 3)
		if level == 0 {
			text.WriteString(line)
			continue
		}
		heading = strings.TrimSpace(heading)
		text.WriteString(heading + "\n" + strings.Repeat("=-~"[level-1:level], utf8.RuneCountInString(heading)) + "\n")
	}
	return text.String() + columns(table)
}

// columns returns a table with its cells below one another, and a line below the head.
func columns(table [][]string) string {
	var widths []int
	for _, row := range table {
		for i, cell := range row {
			row[i] = strings.TrimSpace(cell)
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if !isRule(row[i]) {
				widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
			}
		}
	}
	var text strings.Builder
	for _, row := range table {
		var line strings.Builder
		for i, cell := range row {
			if isRule(cell) {
				cell = strings.Repeat("-", widths[i])
			}
			line.WriteString(cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
		}
		text.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return text.String()
}

// isRule reports whether a cell is one of the line below the head of a table.
func isRule(cell string) bool { return cell != "" && strings.Trim(cell, "-: ") == "" }
