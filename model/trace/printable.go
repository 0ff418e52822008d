package trace

import (
	"regexp"
	"strings"
	"unicode"
)

// escapes are the sequences with which a text steers a terminal: control sequences such as colours, strings such as titles
// and links, which may lack their end, and the others, of the escape character and what follows it.
var escapes = regexp.MustCompile("(?s)(\x1b\\[|\u009b)[0-?]*[ -/]*[@-~]?" +
	"|(\x1b[\\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\a\x1b\u009c]*(\a|\x1b\\\\|\u009c)?" + "|\x1b[ -/]*[0-~]?")

// Printable returns a text of a file or a server, which may be hostile, as it can be shown to people on one line: without
// escape sequences, control characters and those that show nothing or turn the direction of writing, as a name or number
// would read otherwise than it is. Each run of bytes that is not UTF-8 becomes U+FFFD.
func Printable(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
		return text
	}
	text = escapes.ReplaceAllString(strings.ToValidUTF8(text, "\uFFFD"), "")
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsPrint(r):
			return r
		default:
			return -1
		}
	}, text)
}
