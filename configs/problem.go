// Problems of a file, each with its position, the line of the file and a caret.

package configs

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Problem is one error of a study, at the word that has to change.
type Problem struct {
	Pos  Pos
	Key  string // path of the key, such as experiments.rate.rounds
	Text string // what is wrong; what would be right

	line string // of the file, for the snippet; empty for none
	// of the file: 0 for the study's own and the command line, 1 for the file that it extends, and
	// so on
	depth   int
	builtin bool // whether the file belongs to the program
	further int  // number of problems after it that are only counted
}

// Problems are all errors of a study. The error's text has them in the order of lines: first those
// of the study's own file, then those of the files that it extends. Problems of built-in files are
// caused by the file that extends them, so they are only counted if there are others.
type Problems []Problem

// mostProblems is the number of problems that are kept. A file can have a million.
const mostProblems = 1000

// IsFull reports whether further problems are only counted, so that their texts are not needed.
func (ps Problems) IsFull() bool { return len(ps) >= mostProblems }

// Add adds problems, each once, or only counts them if there are many.
func (ps *Problems) Add(problems ...Problem) {
	for _, p := range problems {
		switch {
		case ps.IsFull():
			(*ps)[len(*ps)-1].further += 1 + p.further
		case slices.ContainsFunc(*ps, p.isSame):
			(*ps)[len(*ps)-1].further += p.further
		default:
			*ps = append(*ps, p)
		}
	}
}

// isSame reports whether both are the same error at the same word of a file, also in different
// entries made from that word.
func (p Problem) isSame(other Problem) bool {
	if p.Pos != other.Pos || p.Text != other.Text {
		return false
	}
	word := func(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }
	return p.Key == other.Key || p.Pos.Line > 0 && word(p.Key) == word(other.Key)
}

// addAt adds a problem at a position, or counts it. Arguments that are costly to format have a
// method String, which is not called for a problem that is only counted.
func (ps *Problems) addAt(s sources, pos Pos, key, format string, args ...any) {
	if ps.IsFull() {
		(*ps)[len(*ps)-1].further++
		return
	}
	ps.Add(s.problem(pos, key, fmt.Sprintf(format, args...)))
}

// Report adds a problem at a word of the study, with the line of its file, which is the study's own
// or one that it extends. After the first thousand, problems are only counted.
func (s *Study) Report(problems *Problems, pos Pos, key, format string, args ...any) {
	problems.addAt(s.sources, pos, key, format, args...)
}

// Key returns the path of a key of the study, as problems show it, from the names along it.
func Key(names ...string) string {
	key := ""
	for _, name := range names {
		key = below(key, name)
	}
	return key
}

// Error returns all problems, each with its line of the file and a caret under the text at fault.
func (ps Problems) Error() string {
	isInherited := func(p Problem) bool { return p.builtin && p.depth > 0 }
	shown := slices.DeleteFunc(slices.Clone(ps), isInherited)
	inherited := len(ps) - len(shown)
	if len(shown) == 0 {
		shown, inherited = slices.Clone(ps), 0
	}
	slices.SortStableFunc(shown, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.depth, b.depth), cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
	var text strings.Builder
	for _, p := range shown {
		if text.Len() > 0 {
			text.WriteByte('\n')
		}
		text.WriteString(p.String())
	}
	if inherited > 0 {
		fmt.Fprintf(&text, "\nand %d where built-in files do not fit this one; they are shown when these are mended",
			inherited)
	}
	further := 0
	for _, p := range ps {
		further += p.further
	}
	if further > 0 {
		fmt.Fprintf(&text, "\nand %d more; they are shown when these are mended", further)
	}
	return text.String()
}

// isAt reports whether the problem is at a key or below it.
func (p Problem) isAt(key string) bool { return p.Key == key || strings.HasPrefix(p.Key, key+".") }

// String returns the problem as "file:line:column: key: what is wrong", and the line with a caret
// below it.
func (p Problem) String() string {
	var text strings.Builder
	if position := p.Pos.String(); position != "" {
		text.WriteString(position + ": ")
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

// String returns "file:line:column", without what is not known.
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

// snippetWidth is the number of characters that are shown of a long line.
const snippetWidth = 110

// snippet returns the line and a caret under its column, which counts characters from 1. A long
// line is cut at both ends. Tabs before the caret are repeated, which aligns it at any tab width.
func snippet(line string, column int) string {
	caret, before, after := column-1, "", ""
	if from := caret - snippetWidth/2; from > 0 && offset(line, snippetWidth) < len(line) {
		before, line, caret = "…", line[offset(line, from):], snippetWidth/2
	}
	if end := offset(line, snippetWidth-len([]rune(before))); end < len(line) {
		after, line = "…", line[:end]
	}
	shown := []rune(before + line + after)
	for i, r := range shown {
		if isHidden(r) && r != '\t' {
			shown[i] = utf8.RuneError // one column wide, as the caret counts it
		}
	}
	caret = min(caret+len([]rune(before)), len(shown))
	pad := make([]rune, caret)
	for i := range pad {
		pad[i] = ' '
		if shown[i] == '\t' {
			pad[i] = '\t'
		}
	}
	return "\n    " + string(shown) + "\n    " + string(pad) + "^"
}

// visible returns the text with invisible characters escaped.
func visible(text string) string {
	if !strings.ContainsFunc(text, isHidden) {
		return text
	}
	var escaped strings.Builder
	for _, r := range text {
		if isHidden(r) {
			escaped.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		} else {
			escaped.WriteRune(r)
		}
	}
	return escaped.String()
}

// offset returns the byte offset of the n-th character, from 0, or the text's length if it has
// fewer.
func offset(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}

// sources holds the files of a study, by their names in messages.
type sources map[string]source

// source is a file: its lines, and its depth among the files that extend one another; see Problem.
type source struct {
	from    location
	content []byte
	lines   []string
	depth   int
	builtin bool
}

func (s sources) add(from location, content []byte) {
	lines := strings.Split(strings.TrimPrefix(string(content), byteOrderMark), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSuffix(line, "\r")
	}
	s[from.shown()] = source{from: from, content: content, lines: lines, builtin: from.isBuiltin()}
}

// addBase adds the files of the study that is extended.
func (s sources) addBase(base sources) {
	for file, source := range base {
		if _, own := s[file]; !own {
			source.depth++
			s[file] = source
		}
	}
}

func (s sources) problem(pos Pos, key, text string) Problem {
	p := Problem{Pos: pos, Key: visible(key), Text: visible(text)}
	from := s[pos.File]
	p.depth, p.builtin = from.depth, from.builtin
	if pos.Line >= 1 && pos.Line <= len(from.lines) {
		p.line = from.lines[pos.Line-1]
	}
	return p
}
