package docs

// Tests of pages that are read away from their folder.

import (
	"strings"
	"testing"
)

// A page that is read alone has no comments, and its links are paths in the repository.
func TestAlone(t *testing.T) {
	const page = "# Rules\n\nBy [the *tutorial*](../tutorial/own-study.md#part), [below](#end) and\n" +
		"[a site](https://example.org/a).\n\n<!-- first: gridsweep new x -->\n\n## The end\n"
	const want = "# Rules\n\nBy the *tutorial* (docs/tutorial/own-study.md), below and\n" +
		"a site (https://example.org/a).\n\n## The end\n"
	if got := Alone("explanation", page); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The rules beside a report have neither comments nor links.
func TestStatisticsAlone(t *testing.T) {
	text := Alone("explanation", Statistics)
	for _, mark := range []string{"<!--", "]("} {
		if at := strings.Index(text, mark); at >= 0 {
			t.Errorf("%q remains in %q", mark, text[max(0, at-40):min(len(text), at+40)])
		}
	}
}
