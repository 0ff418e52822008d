package configs

// Errors of YAML syntax, located at the wrong character.

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// syntax reports an error of the YAML reader. The reader's text names what it expected, but not the
// character and often not the line: these are searched in the file.
func (p *parser) syntax(content []byte, err error) {
	text := err.Error()
	match := yamlLine.FindString(text)
	s := &syntaxError{content: string(content), text: text[len(match):]}
	if line := yamlLine.FindStringSubmatch(text); line != nil {
		s.line, _ = strconv.Atoi(line[1]) // 0 if unknown
	}
	at, what := s.find()
	pos := Pos{File: p.file}
	if at >= 0 {
		pos.Line, pos.Column = s.position(at)
	}
	p.wrongAt(pos, "", "not YAML: %s", what)
}

// syntaxError is an error of the YAML reader, with the file.
type syntaxError struct {
	content, text string
	line          int // from the reader; for some errors that of an enclosing list or map
}

// position returns the line and column of an offset.
func (s *syntaxError) position(at int) (line, column int) {
	before := s.content[:at]
	begin := strings.LastIndexByte(before, '\n') + 1
	return 1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(before[begin:])
}

// find returns the offset of the wrong character, or -1, and a description of the error.
func (s *syntaxError) find() (at int, what string) {
	scan := scanYAML(s.content)
	switch {
	case strings.Contains(s.text, "control characters"):
		at = strings.IndexFunc(s.content, func(r rune) bool {
			return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f
		})
		return at, s.text
	case strings.Contains(s.text, "unknown escape"), strings.Contains(s.text, "did not find expected hexdecimal"):
		return scan.escape, `\ begins an escape that YAML does not have; write \\, or put the text in single quotes`
	case strings.Contains(s.text, "end of stream") && scan.quote >= 0:
		return scan.quote, fmt.Sprintf("the quote %c is not closed", s.content[scan.quote])
	case strings.Contains(s.text, "cannot start any token"), strings.Contains(s.text, "tab character"):
		if at = scan.tab; at >= 0 && (scan.start < 0 || at < scan.start) {
			return at, "a tab; indent with spaces"
		}
		if at = scan.start; at >= 0 {
			return at, fmt.Sprintf("a value cannot begin with %c; put it in quotes", s.content[at])
		}
	case strings.Contains(s.text, "expected ',' or"):
		if at, what = scan.bracketProblem(s); at >= 0 {
			return at, what
		}
	case strings.Contains(s.text, "could not find expected ':'"):
		return s.missingColon()
	case strings.Contains(s.text, "mapping values are not allowed"):
		return s.secondColon()
	case strings.HasPrefix(s.text, "unknown anchor"):
		return strings.Index(s.content, "*"), s.text + "; study files have no aliases"
	}
	if scan.mismatch >= 0 {
		return scan.mismatched(s)
	}
	if scan.after >= 0 {
		return scan.after, "a value ends before this; put all of it in quotes"
	}
	line, advice := s.line, ""
	if strings.HasPrefix(s.text, "did not find expected") {
		line, advice = s.firstLine(), "; is the line indented as those that it belongs to?"
	}
	if at, _ = s.begin(line); at < 0 {
		advice = ""
	}
	return at, s.text + advice
}

// begin returns the offset of a line's first character that is no blank, and the line from there;
// -1 if there is no such line.
func (s *syntaxError) begin(line int) (at int, text string) {
	if line < 1 || line > 1+strings.Count(s.content, "\n") {
		return -1, ""
	}
	for range line - 1 {
		at += strings.IndexByte(s.content[at:], '\n') + 1
	}
	rest := strings.TrimLeft(s.content[at:], " ")
	text, _, _ = strings.Cut(rest, "\n")
	return len(s.content) - len(rest), text
}

// missingColon finds where a key ends without a colon.
func (s *syntaxError) missingColon() (at int, what string) {
	at, text := s.begin(s.line)
	if at < 0 {
		return -1, s.text
	}
	if colon := strings.IndexByte(text, ':'); colon >= 0 {
		return at + colon, "want a space behind the colon"
	}
	return at + len(strings.TrimRight(text, " \r")), "want a colon and a value behind the key"
}

// secondColon finds the colon of a key in the wrong place: after another key, or in a line that is
// indented too deeply.
func (s *syntaxError) secondColon() (at int, what string) {
	at, text := s.begin(s.line)
	if at < 0 {
		return -1, s.text
	}
	first, second := -1, -1
	for _, match := range regexp.MustCompile(`:(\s|$)`).FindAllStringIndex(text, 2) {
		first, second = second, match[0]
	}
	if first >= 0 {
		return at + second, "a second colon in one line; put the value in quotes, or the key on a line of its own"
	}
	return at, "a key where the line above has a value already; indent it as its neighbours"
}

// mostBisected is the maximum size of a file in which firstLine searches.
const mostBisected = 128 << 10

// firstLine returns the first line at which the text up to there has this error, or the reader's
// line.
func (s *syntaxError) firstLine() int {
	lines := strings.SplitAfter(s.content, "\n")
	wrong := func(n int) bool {
		err := readAll(strings.Join(lines[:n], ""))
		return err != nil && strings.TrimPrefix(err.Error(), yamlLine.FindString(err.Error())) == s.text
	}
	from, to := 0, len(lines) // to lines have the error, from lines do not
	if len(s.content) > mostBisected || !wrong(to) {
		return s.line
	}
	for to-from > 1 {
		if middle := (from + to) / 2; wrong(middle) {
			to = middle
		} else {
			from = middle
		}
	}
	return to
}

// readAll returns the error of the YAML reader for a text.
func readAll(text string) error {
	decoder := yaml.NewDecoder(strings.NewReader(text))
	var node yaml.Node
	return decoder.Decode(&node)
}

// yamlScan holds the offsets of suspicious characters in a file; -1 for none.
type yamlScan struct {
	tab      int   // the first that indents
	start    int   // the first character that no value begins with
	quote    int   // the quote that is not closed
	escape   int   // the first backslash in double quotes that begins no escape
	after    int   // the first character after a value in quotes or brackets on its line
	open     []int // brackets that are not closed when the scan ends, outermost first
	mismatch int   // a bracket that closes another one, or none
	colon    int   // the first of a second key in one entry within brackets
}

// scanYAML reads the tokens of a file as far as needed to find quotes and brackets.
func scanYAML(text string) yamlScan {
	s := yamlScan{tab: -1, start: -1, quote: -1, escape: -1, after: -1, mismatch: -1, colon: -1}
	hasKey := false     // in the entry within brackets
	lineBegins := true  // nothing but blanks so far
	isComplete := false // a value in quotes or brackets ended before, on this line
	indent := 0         // of the line
	for i := 0; i < len(text) && s.mismatch < 0 && s.colon < 0; {
		c := text[i]
		rest := text[i:]
		isKeyColon := c == ':' && (len(rest) == 1 || strings.IndexByte(" \t\r\n", rest[1]) >= 0 ||
			len(s.open) > 0 && strings.IndexByte(",]}", rest[1]) >= 0)
		switch {
		case c == '\n':
			lineBegins, isComplete, indent = true, false, 0
			i++
			continue
		case c == '\t' && lineBegins && s.tab < 0:
			s.tab = i
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r':
			if lineBegins {
				indent++
			}
			i++
			continue
		case c == '#' && (i == 0 || strings.IndexByte(" \t\n", text[i-1]) >= 0):
			i += lineLength(rest)
			continue
		case strings.IndexByte("]}", c) >= 0 && (len(s.open) > 0 || isComplete):
			if n := len(s.open); n == 0 || text[s.open[n-1]] != map[byte]byte{']': '[', '}': '{'}[c] {
				s.mismatch = i
				return s
			}
			s.open = s.open[:len(s.open)-1]
			hasKey, isComplete = true, true
			i++
		case isKeyColon:
			if len(s.open) > 0 && hasKey {
				s.colon = i
				return s
			}
			hasKey, isComplete = len(s.open) > 0, false
			i++
		case c == ',' && len(s.open) > 0:
			hasKey, isComplete = false, false
			i++
		case isComplete:
			if s.after < 0 {
				s.after = i
			}
			i += lineLength(rest)
		case c == '[' || c == '{':
			s.open = append(s.open, i)
			hasKey = false
			i++
		case c == '"' || c == '\'':
			length := s.quoted(text, i)
			if length < 0 {
				s.quote = i
				return s
			}
			i += length
			isComplete = true
		case (c == '-' || c == '?') && len(rest) > 1 && strings.IndexByte(" \n\r", rest[1]) >= 0:
			i++
		case (c == '|' || c == '>') && len(s.open) == 0:
			i += blockLength(rest, indent)
		default:
			if strings.IndexByte("@`%", c) >= 0 && s.start < 0 {
				s.start = i
			}
			i += plainLength(rest, len(s.open) > 0)
		}
		lineBegins = false
	}
	return s
}

// quoted returns the length of a text in quotes, or -1 if they are not closed.
func (s *yamlScan) quoted(text string, at int) int {
	quote := text[at]
	for i := at + 1; i < len(text); i++ {
		switch {
		case quote == '"' && text[i] == '\\':
			i++
			if i < len(text) && strings.IndexByte("0abt\tnvfre \"'/\\N_LPxuU\n\r", text[i]) < 0 && s.escape < 0 {
				s.escape = i - 1
			}
		case text[i] == quote && quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		case text[i] == quote:
			return i + 1 - at
		}
	}
	return -1
}

// lineLength returns the length of the text's first line, without its end.
func lineLength(text string) int {
	if end := strings.IndexByte(text, '\n'); end >= 0 {
		return end
	}
	return len(text)
}

// plainLength returns the length of a text without quotes, at least one character.
func plainLength(text string, inBrackets bool) int {
	line := text[:lineLength(text)]
	for i := 1; i < len(line); i++ {
		isColon := line[i] == ':' && (i+1 == len(line) || strings.IndexByte(" \t\r", line[i+1]) >= 0 ||
			inBrackets && strings.IndexByte(",]}", line[i+1]) >= 0)
		if isColon || line[i] == '#' && line[i-1] == ' ' || inBrackets && strings.IndexByte(",[]{}", line[i]) >= 0 {
			return i
		}
	}
	return len(line)
}

// blockLength returns the length of a block of text that begins with | or > in a line with this
// indentation.
func blockLength(text string, indent int) int {
	length := lineLength(text)
	for length < len(text) {
		line := text[length+1:]
		line = line[:lineLength(line)]
		if text := strings.TrimLeft(line, " "); strings.TrimSpace(text) != "" && len(line)-len(text) <= indent {
			break
		}
		length += 1 + len(line)
	}
	return length
}

// closing maps a bracket to the one that closes it.
var closing = map[byte]string{'[': "]", '{': "}"}

// mismatched returns the bracket that is followed by the wrong closing bracket, or a closing
// bracket without an opening one.
func (s *yamlScan) mismatched(e *syntaxError) (at int, what string) {
	wrong := e.content[s.mismatch]
	if len(s.open) == 0 {
		return s.mismatch, fmt.Sprintf("%c closes nothing", wrong)
	}
	open := s.open[len(s.open)-1]
	line, _ := e.position(s.mismatch)
	c := e.content[open]
	return open, fmt.Sprintf("%c is not closed with %s before the %c of line %d", c, closing[c], wrong, line)
}

// bracketProblem returns the bracket or colon that causes an error within brackets.
func (s *yamlScan) bracketProblem(e *syntaxError) (at int, what string) {
	if len(s.open) == 0 {
		return -1, ""
	}
	open := s.open[len(s.open)-1]
	switch c := e.content[open]; {
	case s.mismatch >= 0:
		return s.mismatched(e)
	case s.colon >= 0 && slices.Contains([]byte(e.content[open:s.colon]), '\n'):
		return open, fmt.Sprintf("%c is not closed with %s before the next key", c, closing[c])
	case s.colon >= 0:
		return s.colon, fmt.Sprintf("a second key in one entry; want a comma before it, or %s", closing[c])
	default:
		return open, fmt.Sprintf("%c is not closed with %s", c, closing[c])
	}
}
