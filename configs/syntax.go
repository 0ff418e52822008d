// Errors of YAML syntax, with advice on what to write instead.

package configs

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// syntax reports an error of the YAML reader.
func (p *parser) syntax(content []byte, err error) {
	found := new(yaml.LoadError)
	if !errors.As(err, &found) {
		found.Message = err.Error()
	}
	s := syntaxError{found, strings.Split(strings.TrimPrefix(string(content), byteOrderMark), "\n")}
	at, what := s.explain()
	at.File = p.file
	p.wrongAt(at, "", "not YAML: %s", what)
}

// syntaxError is an error of the YAML reader, with the lines of the file. Its mark is where the
// reader stopped, and its context mark where the text begins that it was reading.
type syntaxError struct {
	*yaml.LoadError
	lines []string
}

// explain returns where the mistake is, which may be unknown, and a description.
func (s syntaxError) explain() (at Pos, what string) {
	at = Pos{Line: s.Mark.Line, Column: s.Mark.Column}
	context := Pos{Line: s.ContextMark.Line, Column: s.ContextMark.Column}
	next := s.rest(at)
	switch is := func(text string) bool { return strings.Contains(s.Message, text) }; {
	case is("control characters"):
		return s.controlCharacter(), s.Message
	case is("unknown escape"), is("expected hexadecimal"):
		return at, `\ begins an escape that YAML does not have; write \\, or put the text in single quotes`
	case is("end of stream"):
		return context, fmt.Sprintf("the quote %.1s is not closed", s.rest(context))
	case strings.HasPrefix(next, "\t"), is("tab character"):
		return at, "a tab; indent with spaces"
	case is("cannot start any token"):
		return at, fmt.Sprintf("a value cannot begin with %.1s; put it in quotes", next)
	case is("expected ',' or"):
		return s.unclosed(at, context)
	case is("could not find expected ':'"):
		return s.missingColon(context)
	case is("mapping values are not allowed"):
		return s.secondColon(at)
	case is("unknown anchor"):
		return at, s.Message + "; study files have no aliases"
	case s.ContextMsg == "while parsing a flow node" && s.isEnd(at):
		return s.lastText(), "the file ends in brackets that are not closed"
	case isClosing(next) && s.ContextMsg == "while parsing a flow node":
		return at, fmt.Sprintf("%.1s does not close the bracket that is open", next)
	case isClosing(next):
		return at, fmt.Sprintf("%.1s closes nothing", next)
	case is("did not find expected") && at == s.begin(at):
		return at, s.Message + "; is the line indented as those that it belongs to?"
	case is("did not find expected"):
		return at, "a value ends before this; put all of it in quotes"
	}
	return at, s.Message
}

// rest returns the rest of the line from a position on, empty for an unknown one.
func (s syntaxError) rest(at Pos) string {
	if at.Line < 1 || at.Line > len(s.lines) {
		return ""
	}
	line := s.lines[at.Line-1]
	return line[offset(line, at.Column-1):]
}

// isEnd reports whether no text begins at a position or after it, other than comments.
func (s syntaxError) isEnd(at Pos) bool {
	last := s.lastText()
	return at.Line > last.Line || at.Line == last.Line && at.Column > last.Column
}

// lastText returns where the last character is that is no comment.
func (s syntaxError) lastText() Pos {
	for i, line := range slices.Backward(s.lines) {
		text, _, _ := strings.Cut(line, " #")
		if text = strings.TrimRight(text, " \r"); text != "" && !strings.HasPrefix(strings.TrimLeft(text, " "), "#") {
			return Pos{Line: i + 1, Column: len([]rune(text))}
		}
	}
	return Pos{}
}

// isClosing reports whether a text begins with a closing bracket.
func isClosing(text string) bool { return strings.HasPrefix(text, "]") || strings.HasPrefix(text, "}") }

// begin returns where the text of a line begins.
func (s syntaxError) begin(at Pos) Pos {
	line := s.rest(Pos{Line: at.Line, Column: 1})
	return Pos{Line: at.Line, Column: 1 + len(line) - len(strings.TrimLeft(line, " "))}
}

// controlCharacter returns where the first control character is, which the error lacks.
func (s syntaxError) controlCharacter() Pos {
	for i, line := range s.lines {
		isControl := func(r rune) bool { return r < ' ' && r != '\t' && r != '\r' || r == 0x7f }
		if at := strings.IndexFunc(line, isControl); at >= 0 {
			return Pos{Line: i + 1, Column: 1 + len([]rune(line[:at]))}
		}
	}
	return Pos{}
}

// unclosed explains an error within brackets: where the reader stopped, and the innermost bracket
// that is open.
func (s syntaxError) unclosed(stop, open Pos) (at Pos, what string) {
	closing := "]"
	if strings.HasPrefix(s.rest(open), "{") {
		closing = "}"
	}
	what = fmt.Sprintf("%.1s is not closed with %s", s.rest(open), closing)
	switch next := s.rest(stop); {
	case isClosing(next):
		what += fmt.Sprintf(" before the %.1s of line %d", next, stop.Line)
	case strings.HasPrefix(next, ":") && stop.Line > open.Line:
		what += " before the next key"
	case strings.HasPrefix(next, ":"):
		return stop, "a second key in one entry; want a comma before it, or " + closing
	}
	return open, what
}

// missingColon explains a key without a colon.
func (s syntaxError) missingColon(key Pos) (at Pos, what string) {
	text := s.rest(key)
	if colon := strings.IndexByte(text, ':'); colon >= 0 {
		return Pos{Line: key.Line, Column: key.Column + len([]rune(text[:colon]))}, "want a space behind the colon"
	}
	end := len([]rune(strings.TrimRight(text, " \r")))
	return Pos{Line: key.Line, Column: key.Column + end}, "want a colon and a value behind the key"
}

var keyColon = regexp.MustCompile(`:(\s|$)`)

// secondColon explains the colon of a key that stands after another key in one line, or in a line
// that is indented too deeply.
func (s syntaxError) secondColon(colon Pos) (at Pos, what string) {
	begin := s.begin(colon)
	if first := keyColon.FindStringIndex(s.rest(begin)); first != nil && s.rest(colon) != s.rest(begin)[first[0]:] {
		return colon, "a second colon in one line; put the value in quotes, or the key on a line of its own"
	}
	return begin, "a key where the line above has a value already; indent it as its neighbours"
}
