// Equal numbers are equal labels, by exact rational arithmetic; the edit distance of suggestions
// equals its recursive definition; the caret of a snippet is under its character. The inputs are
// random.

package configs

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSameLabel(t *testing.T) {
	groups := [][]string{
		{"0.3", "0.30", ".3", "3e-1", "+0.3", "00.300", "30E-2"},
		{"0", "0.0", "-0", "000", "0e7"},
		{"100", "1e2", "100.", "1.00e+2"},
		{"-7.86", "-07.860"},
		{"9007199254740993"}, {"9007199254740992"}, // one float64
		{"1E"}, {"1e"}, {"1A"}, {"U(2,3)"}, {"U(2,03)"}, {""}, {"-"}, {"."}, {"+"}, {"e1"}, {"1e99999"}, {"1e99998"},
		{"0x10"}, {"16"}, {"nan"}, {"NaN"}, {"inf"}, {"1_000"}, {"1 000"}, {"10 %"}, {"10%"}, {"1h"}, {"60min"},
		{"--1"}, {"-+1"}, {"1.2.3"},
	}
	for i, group := range groups {
		for j, other := range groups {
			for _, a := range group {
				for _, b := range other {
					if SameLabel(a, b) != (i == j) {
						t.Errorf("SameLabel(%q, %q) = %v", a, b, i != j)
					}
				}
			}
		}
	}
}

// TestSameLabelAgainstRationals compares decimal numbers with exact arithmetic.
func TestSameLabelAgainstRationals(t *testing.T) {
	number := rapid.StringMatching(`[-+]?(0{0,2}[0-9]{1,3}(\.[0-9]{0,3})?|\.[0-9]{1,2})([eE][-+]?[0-3])?`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := number.Draw(t, "a"), number.Draw(t, "b")
		x, okX := new(big.Rat).SetString(a)
		y, okY := new(big.Rat).SetString(b)
		if !okX || !okY {
			t.Fatalf("%q or %q is no number", a, b)
		}
		if got, want := SameLabel(a, b), x.Cmp(y) == 0; got != want {
			t.Errorf("SameLabel(%q, %q) = %v", a, b, got)
		}
	})
}

func TestNearest(t *testing.T) {
	known := []string{"lambda", "laxity", "start", "next", "A.2.csv"}
	for word, want := range map[string]string{
		"lamda": "lambda", "Lambda": "lambda", "labmda": "lambda", "laxety": "laxity", "strat": "start", "nxt": "next",
		"A2.csv": "A.2.csv", "x": "", "0.3": "", "ne": "", "nt": "", "": "", "delay": "", "nothing of the kind": "",
	} {
		if got := Nearest(word, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
	for word, want := range map[string]string{
		"lamda": "did you mean lambda?",
		"q":     "known are lambda, laxity, start, next, A.2.csv",
	} {
		if got := Suggest(word, known).String(); got != want {
			t.Errorf("Suggest(%q) = %q, want %q", word, got, want)
		}
	}
	pairs := []string{"1A,1E", "1C,1G"}
	for word, want := range map[string]string{"1C,1H": `did you mean "1C,1G"?`, "q": `known are "1A,1E", "1C,1G"`} {
		if got := Suggest(word, pairs).String(); got != want {
			t.Errorf("Suggest(%q) = %q, want %q", word, got, want)
		}
	}
	if got := Suggest("x", nil).String(); got != "there are none" {
		t.Errorf("Suggest without known words = %q", got)
	}
}

// TestEditDistanceAgainstRecursion compares with the recursive definition.
func TestEditDistanceAgainstRecursion(t *testing.T) {
	var slow func(a, b string) int
	slow = func(a, b string) int {
		if a == "" || b == "" {
			return len(a) + len(b)
		}
		replace := slow(a[1:], b[1:])
		if a[0] != b[0] {
			replace++
		}
		least := min(replace, slow(a[1:], b)+1, slow(a, b[1:])+1)
		if len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] {
			least = min(least, slow(a[2:], b[2:])+1)
		}
		return least
	}
	word := rapid.StringMatching(`[abc]{0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		if got, want := editDistance(a, b, 100), slow(a, b); got != want {
			t.Errorf("editDistance(%q, %q) = %d, want %d", a, b, got, want)
		}
	})
}

// TestSnippetCaret checks that the caret is under its character in lines of any length.
func TestSnippetCaret(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := []rune(strings.Repeat("\tüx ", rapid.IntRange(0, 200).Draw(t, "length")))
		line = append(line, '!')
		line = append(line, []rune(strings.Repeat("ü.", rapid.IntRange(0, 200).Draw(t, "rest")))...)
		column := slices.Index(line, '!') + 1
		lines := strings.Split(snippet(string(line), column), "\n")
		if len(lines) != 3 || len([]rune(lines[1])) > snippetWidth+10 {
			t.Fatalf("%q", lines)
		}
		shown, caret := []rune(lines[1]), []rune(lines[2])
		if caret[len(caret)-1] != '^' || shown[len(caret)-1] != '!' {
			t.Errorf("the caret is not under the !:\n%s\n%s", lines[1], lines[2])
		}
		for i, r := range caret[:len(caret)-1] {
			if (r == '\t') != (shown[i] == '\t') {
				t.Errorf("tabs of the line and below it differ at %d", i)
			}
		}
	})
}
