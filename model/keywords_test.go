// Keyword tests: names that need quotes in Python, SQL or R, and names that need none.

package model

import "testing"

// TestKeywordOf checks of which language, Python, SQL or R, a name is a keyword.
func TestKeywordOf(t *testing.T) {
	for name, want := range map[string]string{
		"lambda": "Python", "Lambda": "Python", "window": "SQL", "end": "SQL", "at": "SQL", "next": "R", "": "", "rate": "",
	} {
		if have := KeywordOf(name); have != want {
			t.Errorf("%q is a keyword of %q, want %q", name, have, want)
		}
	}
}
