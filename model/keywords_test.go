package model

import "testing"

func TestKeywordOf(t *testing.T) {
	for name, want := range map[string]string{
		"lambda": "Python", "Lambda": "Python", "window": "SQL", "end": "SQL", "at": "SQL", "next": "R", "": "", "rate": "",
	} {
		if have := KeywordOf(name); have != want {
			t.Errorf("%q is a keyword of %q, want %q", name, have, want)
		}
	}
}
