package trace

// Fields: taking the fields of a trace's line one after the other, as text or numbers.

import (
	"bytes"
	"strconv"
)

// fields takes the fields of a line of the Standard Workload Format one after the other. It keeps
// the first error, so that the caller checks once, after the last field.
type fields struct {
	line []byte
	at   int // where the next field begins, or blanks before it
	n    int // fields taken
	bad  int // the first malformed or missing field, from 1; 0 where all are right
	from int // where that field begins
}

func blank(c byte) bool { return c == ' ' || c == '\t' }

// token returns the next field as it stands; empty at the end of the line.
func (f *fields) token() []byte {
	f.n++
	i := f.at
	for i < len(f.line) && blank(f.line[i]) {
		i++
	}
	start := i
	for i < len(f.line) && !blank(f.line[i]) {
		i++
	}
	f.at = i
	return f.line[start:i]
}

// fail records that the field just taken, of that length, is malformed.
func (f *fields) fail(length int) {
	if f.bad == 0 {
		f.bad, f.from = f.n, f.at-length
	}
}

// integer takes a whole number. Up to 18 digits, which always fit, are read here; longer fields
// take the slow path.
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
	if i == digits || i-digits > 18 || i < len(line) && !blank(line[i]) {
		token := f.token()
		value, ok := wholeNumber(token)
		if !ok {
			f.fail(len(token))
		}
		return value
	}
	f.n++
	f.at = i
	if negative {
		return -value
	}
	return value
}

// small takes a whole number of 32 bits.
func (f *fields) small() int32 {
	value := f.integer()
	if int64(int32(value)) != value {
		f.failBefore()
	}
	return int32(value)
}

// tiny takes a whole number of 8 bits.
func (f *fields) tiny() int8 {
	value := f.integer()
	if int64(int8(value)) != value {
		f.failBefore()
	}
	return int8(value)
}

// failBefore records that the field just taken is out of range.
func (f *fields) failBefore() {
	start := f.at
	for start > 0 && !blank(f.line[start-1]) {
		start--
	}
	f.fail(f.at - start)
}

// decimal takes a number that may have a fraction.
func (f *fields) decimal() float64 {
	token := f.token()
	value, ok := decimalNumber(token)
	if !ok {
		f.fail(len(token))
	}
	return value
}

// rest reports whether the line has further fields.
func (f *fields) rest() bool {
	for _, c := range f.line[f.at:] {
		if !blank(c) {
			return true
		}
	}
	return false
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
