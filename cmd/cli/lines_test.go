// The lines of all files are within the limits, so that two files fit side by side on a screen.

package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// The longest lines: with a comment in columns, where a tab counts 4, and of others in characters.
const (
	longestComment = 100
	longestLine    = 120
)

// longestReadme is the most lines of README.md: a reader takes it in at one sitting.
const longestReadme = 120

// commented matches a line of Go that ends in a comment: after a // in a string a quote follows.
var commented = regexp.MustCompile("(^|\\s)//( [^\"`]*)?$")

// Lines of Go, YAML and Markdown are not too long. Excepted are lines with an address; in Markdown
// tables, links and listings other than Go; and the pages that make docs writes.
func TestLinesAreShort(t *testing.T) {
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		name, language := entry.Name(), strings.TrimPrefix(filepath.Ext(path), ".")
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && (name == "testdata" || name == "out" || strings.HasPrefix(name, ".")):
			return filepath.SkipDir
		case entry.IsDir() || filepath.Base(filepath.Dir(path)) == "parameters":
			return nil
		case !slices.Contains([]string{"go", "yaml", "md"}, language):
			return nil
		}
		text, err := os.ReadFile(path)
		listing := false // in Markdown
		for i, line := range strings.Split(string(text), "\n") {
			if match := fence.FindStringSubmatch(line); match != nil && filepath.Ext(path) == ".md" {
				switch listing = !listing; {
				case !listing:
					language = "md"
				case match[2] == "go":
					language = "go"
				default:
					language = "another"
				}
			}
			if tooLong(language, line) {
				t.Errorf("%s:%d is too long: %s", path, i+1, line)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// tooLong reports whether a line of a language is too long and not excepted.
func tooLong(language, line string) bool {
	text := strings.TrimSpace(line)
	switch {
	case strings.Contains(text, "://"):
		return false
	case language == "go" && (strings.HasPrefix(text, "//") || commented.MatchString(line)):
		return utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")) > longestComment
	case language == "md" && (strings.HasPrefix(text, "|") || strings.Contains(text, "](")):
		return false
	case language == "go", language == "yaml", language == "md":
		return utf8.RuneCountInString(line) > longestLine
	default:
		return false
	}
}

// README.md is short.
func TestReadmeIsShort(t *testing.T) {
	if lines := strings.Count(content(t, filepath.Join(root, "README.md")), "\n"); lines > longestReadme {
		t.Errorf("README.md has %d lines, want at most %d", lines, longestReadme)
	}
}
