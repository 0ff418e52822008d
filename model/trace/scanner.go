// Scanner: taking the fields of a trace's line one after the other, as text or numbers.

package trace

import (
	"bytes"
	"math"
	"strconv"
)

// scanner takes the fields of a line one after the other. It keeps the first error, so that the
// caller checks once, after the last field.
type scanner struct {
	line  []byte
	tabs  bool // a tab ends each field, which may be empty or have spaces; else blanks do
	at    int  // where the next field begins, or blanks before it
	n     int  // fields taken
	bad   int  // the first malformed or missing field, from 1; 0 where all are right
	lossy bool // a number of KB lost its fraction
}

func blank(c byte) bool { return c == ' ' || c == '\t' }

// token returns the next field as it stands; empty, and malformed, at the end of the line.
func (s *scanner) token() []byte {
	s.n++
	if s.tabs {
		return s.untilTab()
	}
	i := s.at
	for i < len(s.line) && blank(s.line[i]) {
		i++
	}
	start := i
	for i < len(s.line) && !blank(s.line[i]) {
		i++
	}
	s.at = i
	s.check(start < i)
	return s.line[start:i]
}

// untilTab returns the field up to the next tab, without spaces around it.
func (s *scanner) untilTab() []byte {
	if !s.hasMore() {
		s.check(false)
		return nil
	}
	field, _, _ := bytes.Cut(s.line[s.at:], []byte{'\t'})
	s.at += len(field) + 1
	return bytes.Trim(field, " ")
}

// check records that the field just taken is malformed, unless it is ok.
func (s *scanner) check(ok bool) {
	if !ok && s.bad == 0 {
		s.bad = s.n
	}
}

// integer takes a whole number. Up to 18 digits, which always fit, are read here; longer fields,
// and spaces beside tabs, take the slow path.
func (s *scanner) integer() int64 {
	line, i := s.line, s.at
	for i < len(line) && blank(line[i]) {
		i++
	}
	negative := i < len(line) && line[i] == '-'
	if negative {
		i++
	}
	digits, value := i, int64(0)
	for i < len(line) {
		digit := line[i] - '0'
		if digit > 9 {
			break
		}
		value = value*10 + int64(digit)
		i++
	}
	if i == digits || i-digits > 18 || i < len(line) && !blank(line[i]) || s.tabs && !s.fillsField(i) {
		long, ok := wholeNumber(s.token())
		s.check(ok)
		return long
	}
	s.n++
	s.at = i
	if s.tabs {
		s.at++
	}
	if negative {
		return -value
	}
	return value
}

// fillsField reports whether a number up to an index has no spaces between it and the tabs.
func (s *scanner) fillsField(end int) bool {
	return !blank(s.line[s.at]) && (end == len(s.line) || s.line[end] == '\t')
}

// small takes a whole number of 32 bits.
func (s *scanner) small() int32 {
	value := s.integer()
	s.check(int64(int32(value)) == value)
	return int32(value)
}

// tiny takes a whole number of 8 bits.
func (s *scanner) tiny() int8 {
	value := s.integer()
	s.check(int64(int8(value)) == value)
	return int8(value)
}

// decimal takes a number that may have a fraction.
func (s *scanner) decimal() float64 {
	value, ok := decimalNumber(s.token())
	s.check(ok)
	return value
}

// rounded takes a number of KB, whose fraction is rounded, half away from zero: no study needs
// bytes.
func (s *scanner) rounded() int64 {
	token := s.token()
	if value, ok := wholeNumber(token); ok {
		return value
	}
	exact, ok := decimalNumber(token)
	value := math.Round(exact)
	s.lossy = s.lossy || value != exact
	s.check(ok && math.Abs(value) < 1<<62)
	return int64(value)
}

// hasMore reports whether the line has further fields.
func (s *scanner) hasMore() bool {
	if s.tabs {
		return s.at <= len(s.line) // an empty field may follow the last tab
	}
	return len(bytes.TrimLeft(s.line[s.at:], " \t")) > 0
}

// count returns how many fields the whole line has.
func (s *scanner) count() int {
	all := scanner{line: s.line, tabs: s.tabs}
	for all.hasMore() {
		all.token()
	}
	return all.n
}

// wholeNumber returns the number that the text is, within 64 bits: digits, perhaps a minus before
// them.
func wholeNumber(text []byte) (int64, bool) {
	if len(text) == 0 || text[0] == '+' {
		return 0, false
	}
	value, err := strconv.ParseInt(string(text), 10, 64)
	return value, err == nil
}

// tooLarge reports whether a text, which wholeNumber did not accept, has digits alone, perhaps a
// minus before them.
func tooLarge(text []byte) bool {
	digits := bytes.TrimPrefix(text, []byte("-"))
	return len(digits) > 0 && len(bytes.Trim(digits, "0123456789")) == 0
}

// decimalNumber returns the number that the text is: digits, perhaps a minus before and a fraction
// behind them, no exponent.
func decimalNumber(text []byte) (float64, bool) {
	if len(bytes.Trim(bytes.TrimPrefix(text, []byte("-")), "0123456789.")) > 0 {
		return 0, false
	}
	value, err := strconv.ParseFloat(string(text), 64)
	return value, err == nil
}
