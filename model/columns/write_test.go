// Writer tests: no written field is a formula for a spreadsheet, and each reads back unchanged,
// also by fuzzing.

package columns

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// Tests that no written field is a formula for a spreadsheet and that each is read unchanged.

func TestEscape(t *testing.T) {
	for field, want := range map[string]string{
		"": "", "easy": "easy", "a=1": "a=1", "'": "'", "'tis": "'tis", "–": "–", "−3 ± 1": "−3 ± 1",
		"-1": "-1", "-3.5": "-3.5", "+1e9": "+1e9", " -2 ": " -2 ", "\t-2": "\t-2", "-1E-3": "-1E-3",
		"=1+2": "'=1+2", "@SUM(A1)": "'@SUM(A1)", "+x": "'+x", "-x": "'-x", "-": "'-", "-1+2": "'-1+2",
		"-3 ± 1": "'-3 ± 1", "-Inf": "'-Inf", "+0x1p4": "'+0x1p4", "=1": "'=1", "-1-": "'-1-",
		"\t=1": "'\t=1", "\r=1": "'\r=1", "\n=1": "'\n=1", " =1": "' =1", "\x00=1": "'\x00=1",
		"\u00a0=1": "'\u00a0=1", "\ufeff=1": "'\ufeff=1", "＝1": "'＝1", "＋1": "'＋1", "－1": "'－1",
		"＠x": "'＠x", "=cmd|' /C calc'!A0": "'=cmd|' /C calc'!A0",
		// Fields that look escaped are escaped again, or reading would remove their own apostrophe.
		"'=1": "''=1", "''=1": "'''=1", "'-3.5": "''-3.5", "' '=1": "'' '=1",
	} {
		if escaped := Escape(field); escaped != want || Unescape(escaped) != field {
			t.Errorf("%q: written as %q, read as %q; want %q", field, escaped, Unescape(escaped), want)
		}
	}
}

func TestWriterKeepsErrors(t *testing.T) {
	full := errors.New("the disk is full")
	w := NewWriter(writerFunc(func([]byte) (int, error) { return 0, full }))
	_ = w.Write([]string{strings.Repeat("x", 10_000)})
	if err := w.Flush(); !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(text []byte) (int, error) { return f(text) }

// isFormula and isNumber classify a field without the regular expressions of the code.
func isFormula(field string) bool {
	sign := strings.TrimLeftFunc(field, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\ufeff'
	})
	return slices.ContainsFunc(strings.Split("=+-@＝＋－＠", ""), func(s string) bool { return strings.HasPrefix(sign, s) })
}

func isNumber(field string) bool {
	_, err := strconv.ParseFloat(strings.Trim(field, " \t\r\n\f"), 64)
	return (err == nil || errors.Is(err, strconv.ErrRange)) && strings.Trim(field, "0123456789+-.eE \t\r\n\f") == ""
}

// FuzzWriteAndRead checks that no written field is a formula and that each reads back unchanged.
func FuzzWriteAndRead(f *testing.F) {
	for _, field := range []string{"easy", "=1+2", "@SUM(A1)", "-1", "+x", "\t=1", "'=1", "\"=1\"", "a,=1", "a\n=1",
		"\ufeff=1"} {
		f.Add(field, "-3.5")
	}
	f.Fuzz(func(t *testing.T, from, procs string) {
		var text strings.Builder
		w := NewWriter(&text)
		_ = w.Write([]string{"from", "procs"})
		_ = w.Write([]string{from, procs})
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		// CSV has one end of a line: the standard library reads a carriage return before it as part
		// of it.
		was := func(field string) string { return strings.ReplaceAll(field, "\r\n", "\n") }
		plain, err := csv.NewReader(strings.NewReader(text.String())).ReadAll()
		if err != nil {
			t.Fatalf("%q: %v", text.String(), err)
		}
		for i, field := range []string{from, procs} {
			written := plain[1][i]
			if isFormula(written) && !isNumber(written) {
				t.Errorf("%q is written as the formula %q", field, written)
			}
			if isNumber(field) && written != was(field) {
				t.Errorf("number %q is written as %q", field, written)
			}
			if read := Unescape(written); read != was(field) {
				t.Errorf("%q is written as %q and read as %q", field, written, read)
			}
		}
		r, err := NewReader(strings.NewReader(text.String()), "f.csv", "", wanted)
		if err != nil {
			t.Fatal(err)
		}
		fields, err := r.Read()
		if err != nil || fields[0] != strings.TrimSpace(was(from)) || fields[1] != strings.TrimSpace(was(procs)) {
			t.Errorf("%q, %q are read as %q, error %v", from, procs, fields, err)
		}
		if _, err := r.Read(); !errors.Is(err, io.EOF) {
			t.Errorf("after the last row: error %v", err)
		}
	})
}
