// Writer: CSV rows with fields escaped that a spreadsheet might compute as formulas.

package columns

import (
	"encoding/csv"
	"io"
	"regexp"
	"strings"
)

// Writer writes rows of CSV whose fields are escaped: see [Escape].
type Writer struct{ csv *csv.Writer }

// NewWriter returns a writer to w. Flush writes the buffered rows.
func NewWriter(w io.Writer) *Writer { return &Writer{csv.NewWriter(w)} }

// Write writes a row. Flush returns its error too.
func (w *Writer) Write(row []string) error {
	escaped := make([]string, len(row))
	for i, field := range row {
		escaped[i] = Escape(field)
	}
	return w.csv.Write(escaped)
}

// Flush writes out what is buffered and returns the first error of the writer.
func (w *Writer) Flush() error {
	w.csv.Flush()
	return w.csv.Error()
}

var (
	// formula is the beginning of a field that a spreadsheet might compute: a sign, full-width ones
	// included, after apostrophes and what a spreadsheet may drop.
	formula = regexp.MustCompile(`^['\pZ\p{Cc}\x{feff}]*[=+\-@＝＋－＠]`)
	number  = regexp.MustCompile(`^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$`)
)

// Escape returns a field as it is written: with an apostrophe before it where a spreadsheet might
// compute it (https://owasp.org/www-community/attacks/CSV_Injection) or [Unescape] would change it.
// A decimal number stays as it is.
func Escape(field string) string {
	if formula.MatchString(field) && !number.MatchString(field) {
		return "'" + field
	}
	return field
}

// Unescape returns the field that [Escape] made this one of.
func Unescape(field string) string {
	if rest, escaped := strings.CutPrefix(field, "'"); escaped && formula.MatchString(rest) {
		return rest
	}
	return field
}
