package docs

import (
	"regexp"
	"strings"
	"testing"
)

// A page as text has neither comments nor marks, and its links are paths in the repository.
func TestText(t *testing.T) {
	const page = "# Rules\n\nBy [the *tutorial*](../tutorial/own-study.md#part), **see** [below](#end) and `a\nb`.\n\n" +
		"<!-- first: gridsweep new x -->\n\n## The end\n\n| λ | `word` |\n| --: | --- |\n| 0.25 | 2 · 3 |\n\n" +
		"```python\nx = [1](2)\n\ny = `*a*`\n```\n\nDone.\n"
	const want = "Rules\n=====\n\nBy the tutorial (docs/tutorial/own-study.md), see below and \"a\nb\".\n\n" +
		"The end\n-------\n\nλ     \"word\"\n----  ------\n0.25  2 · 3\n\n" +
		"    x = [1](2)\n\n    y = `*a*`\n\nDone.\n"
	if got := Text("explanation", page); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The rules beside a report have no markup, and all of the page's numbers.
func TestStatisticsAsText(t *testing.T) {
	text := Text("explanation", Statistics)
	for _, mark := range []string{"<!--", "```", "`", "](", "**", "\n#", "\n|"} {
		if at := strings.Index(text, mark); at >= 0 {
			t.Errorf("%q remains in %q", mark, text[max(0, at-40):min(len(text), at+40)])
		}
	}
	number := regexp.MustCompile(`[0-9]+\.[0-9]+`)
	if got, want := len(number.FindAllString(text, -1)), len(number.FindAllString(Statistics, -1)); got != want {
		t.Errorf("%d numbers, %d in the page", got, want)
	}
}
