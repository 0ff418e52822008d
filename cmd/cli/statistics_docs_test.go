// The page of rules beside each report is made from docs/explanation/statistics.md; -update writes
// it.

package cli

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/russross/blackfriday/v2"
)

var (
	comments = regexp.MustCompile(`(?s)<!--.*?-->\n*`)
	pageLink = regexp.MustCompile(`\[([^\]]+)\]\(([^)#:]+)(?:#[^)]*)?\)`)
)

// asHTML returns a page of a folder of docs as HTML to be read away from there: without comments,
// and with the path in the repository in place of a link to another page.
func asHTML(folder, page string) string {
	alone := pageLink.ReplaceAllStringFunc(comments.ReplaceAllString(page, ""), func(link string) string {
		found := pageLink.FindStringSubmatch(link)
		return found[1] + " (`" + path.Join(folder, found[2]) + "`)"
	})
	// The default renderer's typographic signs would change numbers.
	renderer := blackfriday.NewHTMLRenderer(blackfriday.HTMLRendererParameters{Flags: blackfriday.UseXHTML})
	text := blackfriday.Run([]byte(alone), blackfriday.WithRenderer(renderer),
		blackfriday.WithExtensions(blackfriday.CommonExtensions|blackfriday.AutoHeadingIDs))
	return strings.NewReplacer("<th>", `<th scope="col">`, "<th ", `<th scope="col" `).Replace(string(text))
}

func TestDocsOfStatisticsAreCurrent(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs", "explanation", "statistics.md"))
	if err != nil {
		t.Fatal(err)
	}
	file, want := filepath.Join(root, "analysis", "report", "rules.html"), asHTML("docs/explanation", string(page))
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(file); err != nil || string(have) != want {
		t.Errorf("analysis/report/rules.html differs from docs/explanation/statistics.md (%v): make docs", err)
	}
}

// A page that is read alone keeps its links to its own sections and to sites.
func TestAsHTML(t *testing.T) {
	const page = "# Rules\n\nBy [the *tutorial*](../tutorial/own-study.md#part), [below](#the-end) and\n" +
		"[a site](https://example.org/a).\n\n<!-- first: gridsweep new x -->\n\n## The end\n\n" +
		"| n | 1/2 |\n| --- | --: |\n| x | y |\n"
	const want = `<h1 id="rules">Rules</h1>

<p>By the <em>tutorial</em> (<code>docs/tutorial/own-study.md</code>), <a href="#the-end">below</a> and
<a href="https://example.org/a">a site</a>.</p>

<h2 id="the-end">The end</h2>

<table>
<thead>
<tr>
<th scope="col">n</th>
<th scope="col" align="right">1/2</th>
</tr>
</thead>

<tbody>
<tr>
<td>x</td>
<td align="right">y</td>
</tr>
</tbody>
</table>
`
	if got := asHTML("docs/explanation", page); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
