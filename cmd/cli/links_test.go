// Relative links between the Markdown files of the repository lead to existing files and headings.

package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	link    = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	fences  = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
)

// Every relative link in a Markdown file leads to a file, and its anchor to a heading of it.
func TestLinksLeadSomewhere(t *testing.T) {
	pages := pagesOfDocs(t)
	for _, name := range []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"} {
		if path := filepath.Join(root, name); exists(path) {
			pages = append(pages, path)
		}
	}
	found := 0
	for _, page := range pages {
		for _, match := range link.FindAllStringSubmatch(prose(t, page), -1) {
			target, anchor, _ := strings.Cut(match[1], "#")
			if strings.Contains(target, ":") { // an address
				continue
			}
			found++
			path := page
			if target != "" {
				path = filepath.Join(filepath.Dir(page), filepath.FromSlash(target))
			}
			if !exists(path) {
				t.Errorf("%s: %s leads nowhere", page, match[1])
			} else if anchor != "" && !anchors(prose(t, path))[anchor] {
				t.Errorf("%s: %s: there is no such heading", page, match[1])
			}
		}
	}
	if found < 100 {
		t.Errorf("found %d links, want at least 100: has their notation changed?", found)
	}
}

// prose returns a page without its code.
func prose(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return fences.ReplaceAllString(string(text), "")
}

// anchors returns the anchors of a page's headings by the rule of forges: lower case, no
// punctuation, hyphens for spaces.
func anchors(page string) map[string]bool {
	all := map[string]bool{}
	for _, match := range heading.FindAllStringSubmatch(page, -1) {
		all[strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, strings.TrimSpace(match[1]))] = true
	}
	return all
}
