// Printable tests: text of headers and servers cannot control a terminal, with escape sequences,
// invalid UTF-8 and line ends.

package trace

import (
	"io"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "",
		"plain text, 338 nodes; ~!":            "plain text, 338 nodes; ~!",
		"Zürich, Kraków, 東京, ﷽, a\u0301":       "Zürich, Kraków, 東京, ﷽, a\u0301",
		"tabs\tand\nline\r\nends\u00a0\u2028x": "tabs and line  ends  x",
		"\x1b[31mred\x1b[0m":                   `\x1b[31mred\x1b[0m`,
		"\x1b]0;title\acaption":                `\x1b]0;title\acaption`,
		"\x1b]8;;http://evil.invalid\x1b\\link\x1b]8;;\x1b\\": `\x1b]8;;http://evil.invalid\x1b\link\x1b]8;;\x1b\`,
		"no\x1b]0;end: the reason":                            `no\x1b]0;end: the reason`,
		"\u009b31mred\u009b0m, \u009d0;title\u009cC1":         `\u009b31mred\u009b0m, \u009d0;title\u009cC1`,
		"a\x00b\x07c\x08d\x7fe\u0085f":                        `a\x00b\ac\bd\x7fe f`,
		"\u202egnp.exe\u202c \u2066x\u2069\u200f":             `\u202egnp.exe\u202c \u2066x\u2069\u200f`,
		"zero\u200bwidth\ufeff, soft\u00adhyphen":             `zero\u200bwidth\ufeff, soft\u00adhyphen`,
		"\xff\xfe latin \xe9t\xe9 \x9b31m":                    "\ufffd latin \ufffdt\ufffd \ufffd31m",
		"\U000e0041tag, \ue000private":                        `\U000e0041tag, \ue000private`,
	} {
		if have := Printable(text); have != want {
			t.Errorf("%q: %q, want %q", text, have, want)
		}
	}
}

// FuzzPrintable checks that the result is printable, on one line, and that Printable does not
// change it again.
func FuzzPrintable(f *testing.F) {
	for _, text := range []string{"Computer: IBM SP2", "\x1b[31mred\x1b[0m", "\x1b\x1b[[31m", "\xc2\x1b\x9b", "\u202e",
		"\x1b]0;\x1b\x1b\\"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		shown := Printable(text)
		if !utf8.ValidString(shown) || strings.ContainsFunc(shown, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("%q becomes %q, which is not printable", text, shown)
		}
		if again := Printable(shown); again != shown {
			t.Errorf("%q becomes %q, and again %q; want no second change", text, shown, again)
		}
	})
}

// A header is read and written unchanged; its values are printable.
func TestHeaderIsPrintable(t *testing.T) {
	lines := []string{
		"; Computer: \x1b[31mIBM\x1b[0m SP2\x1b]0;owned\a", "; MaxProcs: 128\x1b[1m", "; Acknowledge: \u202enobody",
		";   and\x07 others\xff",
	}
	text := strings.Join(lines, "\n") + "\n1 0 -1 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n"
	r := NewReader(strings.NewReader(text), "test", Options{})
	var job Job
	if err := r.Read(&job); err != nil {
		t.Fatal(err)
	}
	if have, _ := r.Header().Value("computer"); have != `\x1b[31mIBM\x1b[0m SP2\x1b]0;owned\a` {
		t.Errorf("computer %q", have)
	}
	if procs, _ := r.Header().Procs(); procs != 128 {
		t.Errorf("%d processors, want 128", procs)
	}
	if have := r.Header().Acknowledgement(); have != "\\u202enobody and\\a others\ufffd" {
		t.Errorf("acknowledgement %q", have)
	}
	var written strings.Builder
	w := NewWriter(&written, SWF, r.Header(), nil)
	if err := w.Write(&job); err != nil || w.Flush() != nil || written.String() != text {
		t.Errorf("written as %q, %v", written.String(), err)
	}
	if err := r.Read(&job); err != io.EOF {
		t.Error(err)
	}
}
