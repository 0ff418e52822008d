package configs

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Problem is one thing wrong with a study, at the word that has to change.
type Problem struct {
	Pos  Pos
	Key  string // path of the key, such as experiments.rate.rounds
	Text string // what is wrong; what would be right

	line string // of the source, for the snippet; empty where there is none
}

// Problems is everything wrong with a study. As an error it reads from the top of each file to its end.
type Problems []Problem

// Problem returns a problem at a word of the study, ready to show the line of the file that the word stands in, be it
// the study's own or one that it extends. A zero pos is the command line.
func (s *Study) Problem(pos Pos, key, text string) Problem {
	return s.sources.problem(pos, key, text)
}

// Key returns the path of a key of the study, as problems have it, from the names along it.
func Key(names ...string) string {
	key := ""
	for _, name := range names {
		key = below(key, name)
	}
	return key
}

// Error returns all problems, each with the line it is about and a caret under the place.
func (ps Problems) Error() string {
	sorted := slices.Clone(ps)
	slices.SortStableFunc(sorted, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
	var text strings.Builder
	for i, p := range slices.Compact(sorted) { // what blocks of a table share is wrong once
		if i > 0 {
			text.WriteByte('\n')
		}
		text.WriteString(p.String())
	}
	return text.String()
}

// String returns the problem as "file:line:column: key: what is wrong", and the line with a caret below it.
func (p Problem) String() string {
	var text strings.Builder
	if place := p.Pos.String(); place != "" {
		text.WriteString(place + ": ")
	}
	if p.Key != "" {
		text.WriteString(p.Key + ": ")
	}
	text.WriteString(p.Text)
	if p.line != "" && p.Pos.Column > 0 {
		text.WriteString(snippet(p.line, p.Pos.Column))
	}
	return text.String()
}

// String returns "file:line:column", without the parts that are not known.
func (p Pos) String() string {
	text := p.File
	if p.Line > 0 {
		text += ":" + strconv.Itoa(p.Line)
		if p.Column > 0 {
			text += ":" + strconv.Itoa(p.Column)
		}
	}
	return text
}

// snippetWidth is how many characters of a long line are shown.
const snippetWidth = 110

// snippet returns the line and a caret under its column, which counts characters from 1. Tabs before the caret stay
// tabs, so that it stands right however wide they are.
func snippet(line string, column int) string {
	runes := []rune(line)
	caret := min(column-1, len(runes))
	if from := caret - snippetWidth/2; len(runes) > snippetWidth && from > 0 {
		runes, caret = append([]rune("…"), runes[from:]...), caret-from+1
	}
	if len(runes) > snippetWidth {
		runes = append(slices.Clone(runes[:snippetWidth]), '…')
	}
	pad := make([]rune, caret)
	for i := range pad {
		pad[i] = ' '
		if runes[i] == '\t' {
			pad[i] = '\t'
		}
	}
	return "\n    " + string(runes) + "\n    " + string(pad) + "^"
}

// sources holds the lines of the files that a study was read from, by the name they have in messages.
type sources map[string][]string

func (s sources) add(file string, content []byte) {
	lines := strings.Split(string(content), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSuffix(line, "\r")
	}
	s[file] = lines
}

func (s sources) problem(pos Pos, key, text string) Problem {
	p := Problem{Pos: pos, Key: key, Text: text}
	if lines := s[pos.File]; pos.Line >= 1 && pos.Line <= len(lines) {
		p.line = lines[pos.Line-1]
	}
	return p
}
