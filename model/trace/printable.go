// Printable: text of files and servers made safe to show on one line.

package trace

import (
	"strconv"
	"strings"
	"unicode"
)

// Printable returns a text of a file or a server, which may be hostile, as it can be shown to
// people on one line: control characters, with which escape sequences begin, and characters that
// show nothing or turn the direction of writing become escapes such as \x1b and \u202e, white space
// becomes spaces. Nothing else is changed, but that each run of bytes that is not UTF-8 becomes
// U+FFFD.
func Printable(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
		return text
	}
	var shown strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		switch {
		case unicode.IsSpace(r):
			shown.WriteByte(' ')
		case unicode.IsPrint(r):
			shown.WriteRune(r)
		default:
			shown.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return shown.String()
}
