package docs

// Pages that are read away from their folder.

import (
	"path"
	"regexp"
	"strings"
)

var (
	comment    = regexp.MustCompile(`(?s)<!--.*?-->\n*`)
	linkTarget = regexp.MustCompile(`\[([^\]]+)\]\(([^)#]*)[^)]*\)`)
)

// Alone returns a page of a folder of docs without comments and links. A link to another page is
// its text and the path of the page in the repository, a link within the page its text.
func Alone(folder, page string) string {
	return linkTarget.ReplaceAllStringFunc(comment.ReplaceAllString(page, ""), func(link string) string {
		found := linkTarget.FindStringSubmatch(link)
		switch shown, target := found[1], found[2]; {
		case target == "":
			return shown
		case strings.Contains(target, "://"):
			return shown + " (" + target + ")"
		default:
			return shown + " (" + path.Join("docs", folder, target) + ")"
		}
	})
}
