// Fields: taking the fields of a trace's line one after the other, as text or numbers.

package trace

import (
	"bytes"
	"math"
	"strconv"
)

// fields takes the fields of a line one after the other. It keeps the first error, so that the
// caller checks once, after the last field.
type fields struct {
	line  []byte
	tabs  bool // a tab ends each field, which may be empty or have spaces; else blanks do
	at    int  // where the next field begins, or blanks before it
	n     int  // fields taken
	bad   int  // the first malformed or missing field, from 1; 0 where all are right
	lossy bool // a number of KB lost its fraction
}

func blank(c byte) bool { return c == ' ' || c == '\t' }

// token returns the next field as it stands; empty, and malformed, at the end of the line.
func (f *fields) token() []byte {
	f.n++
	if f.tabs {
		return f.cell()
	}
	i := f.at
	for i < len(f.line) && blank(f.line[i]) {
		i++
	}
	start := i
	for i < len(f.line) && !blank(f.line[i]) {
		i++
	}
	f.at = i
	f.check(start < i)
	return f.line[start:i]
}

// cell returns the field up to the next tab, without spaces around it.
func (f *fields) cell() []byte {
	if !f.hasMore() {
		f.check(false)
		return nil
	}
	cell := f.line[f.at:]
	if end := bytes.IndexByte(cell, '\t'); end >= 0 {
		cell = cell[:end]
	}
	f.at += len(cell) + 1
	return bytes.Trim(cell, " ")
}

// check records that the field just taken is malformed, unless it is ok.
func (f *fields) check(ok bool) {
	if !ok && f.bad == 0 {
		f.bad = f.n
	}
}

// integer takes a whole number. Up to 18 digits, which always fit, are read here; longer fields,
// and spaces beside tabs, take the slow path.
func (f *fields) integer() int64 {
	line, i := f.line, f.at
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
	if i == digits || i-digits > 18 || i < len(line) && !blank(line[i]) || f.tabs && !f.isCell(i) {
		value, ok := wholeNumber(f.token())
		f.check(ok)
		return value
	}
	f.n++
	if f.at = i; f.tabs {
		f.at++
	}
	if negative {
		return -value
	}
	return value
}

// isCell reports whether the field up to an index begins where the last one ended, and ends there.
func (f *fields) isCell(end int) bool {
	return !blank(f.line[f.at]) && (end == len(f.line) || f.line[end] == '\t')
}

// small takes a whole number of 32 bits.
func (f *fields) small() int32 {
	value := f.integer()
	f.check(int64(int32(value)) == value)
	return int32(value)
}

// tiny takes a whole number of 8 bits.
func (f *fields) tiny() int8 {
	value := f.integer()
	f.check(int64(int8(value)) == value)
	return int8(value)
}

// decimal takes a number that may have a fraction.
func (f *fields) decimal() float64 {
	value, ok := decimalNumber(f.token())
	f.check(ok)
	return value
}

// rounded takes a number of KB, whose fraction is rounded, half away from zero: no study needs
// bytes.
func (f *fields) rounded() int64 {
	token := f.token()
	if value, ok := wholeNumber(token); ok {
		return value
	}
	exact, ok := decimalNumber(token)
	value := math.Round(exact)
	f.lossy = f.lossy || value != exact
	f.check(ok && math.Abs(value) < 1<<62)
	return int64(value)
}

// hasMore reports whether the line has further fields.
func (f *fields) hasMore() bool {
	if f.tabs {
		return f.at <= len(f.line)
	}
	return len(bytes.TrimLeft(f.line[f.at:], " \t")) > 0
}

// count returns how many fields the whole line has.
func (f fields) count() int {
	for f.at, f.n = 0, 0; f.hasMore(); {
		f.token()
	}
	return f.n
}

// wholeNumber returns the number that the text is: digits, perhaps a minus before them, within 64
// bits.
func wholeNumber(text []byte) (int64, bool) {
	if len(text) == 0 || text[0] == '+' {
		return 0, false
	}
	value, err := strconv.ParseInt(string(text), 10, 64)
	return value, err == nil
}

// tooLarge reports whether the text, which is no number of 64 bits, has the form of one.
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
