// Line errors: what is wrong with a line of a trace.

package trace

import "fmt"

// LineError is a line of a trace that does not have the form of the format.
type LineError struct {
	File  string // as passed to NewReader
	Line  int    // from 1
	Field int    // from 1; 0 where the line as a whole is wrong
	// of the field, such as "run time"; or what is wrong with the line, such as "has too few
	// fields"
	Name  string
	Value string // of the field, shortened where it is long; or how many fields
	Want  string // what would be right; empty where Name says it
}

// Error returns where the line is, what is wrong and what would be right.
func (e *LineError) Error() string {
	text := fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Name)
	if e.Field > 0 {
		text = fmt.Sprintf("%s:%d: field %d (%s) is %q", e.File, e.Line, e.Field, e.Name, e.Value)
	} else if e.Value != "" {
		text += ", " + e.Value
	}
	if e.Want != "" {
		text += ": want " + e.Want
	}
	return text
}

// reason returns the error without line and value, so that lines can be counted by it.
func (e *LineError) reason() string {
	switch {
	case e.Field > 0:
		return fmt.Sprintf("field %d (%s) is not %s", e.Field, e.Name, e.Want)
	case e.Want != "":
		return e.Name + ": want " + e.Want
	default:
		return e.Name
	}
}

// longestValue is how much of a malformed field an error shows, in bytes.
const longestValue = 40

func shortened(value []byte) string {
	if len(value) > longestValue {
		return string(value[:longestValue]) + "…"
	}
	return string(value)
}
