// Suggestions for misspelt names.

package configs

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Nearest returns the known word that was most likely meant, or "" for none. A word is near if at
// most a third of the letters are wrong, missing, added or swapped with a neighbour, or if it is
// the only known word with this beginning. Case is ignored. Numbers and texts that are too long to
// be shown have no near word. Of many known words only the first are compared.
func Nearest(word string, known []string) string {
	if isNumber(word) || len(word) > 4*mostShown || utf8.RuneCountInString(word) > mostShown {
		return ""
	}
	nearest, least := "", utf8.RuneCountInString(word)/3+1
	for _, k := range known[:min(len(known), mostCompared)] {
		if d := editDistance(strings.ToLower(word), strings.ToLower(k), least); d < least {
			nearest, least = k, d
		}
	}
	if nearest == "" && len(word) >= shortestBeginning {
		nearest = begunBy(word, known)
	}
	return nearest
}

// shortestBeginning is the minimum length of a beginning that Nearest completes.
const shortestBeginning = 3

// begunBy returns the only known word with a beginning, or "".
func begunBy(word string, known []string) string {
	begun := ""
	for _, k := range known[:min(len(known), mostCompared)] {
		if len(k) > len(word) && strings.EqualFold(k[:len(word)], word) {
			if begun != "" {
				return ""
			}
			begun = k
		}
	}
	return begun
}

// Limits on the names that a suggestion compares and shows.
const (
	mostCompared = 200
	mostListed   = 100
)

// Suggestion is the advice after an unknown word, computed only when it is printed.
type Suggestion struct {
	word  string
	known []string
}

// Suggest returns the advice after an unknown word: the nearest known word, or all known words.
// Words with a comma are quoted, as in study files and after --levels.
func Suggest(word string, known []string) Suggestion { return Suggestion{word, known} }

// String returns the suggestion.
func (s Suggestion) String() string {
	switch nearest := Nearest(s.word, s.known); {
	case len(s.known) == 0:
		return "there are none"
	case nearest != "":
		return "did you mean " + quoted(nearest) + "?"
	}
	first := s.known[:min(len(s.known), mostListed)]
	words := mapped(first, func(k string) string { return quoted(Shortened(k)) })
	text := "known are " + strings.Join(words, ", ")
	if more := len(s.known) - len(words); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func quoted(word string) string {
	if strings.Contains(word, ",") {
		return strconv.Quote(word)
	}
	return word
}

// editDistance counts the insertions, deletions, replacements and swaps of neighbours that turn a
// into b. It returns limit if the difference in length alone needs as many.
func editDistance(a, b string, limit int) int {
	if len(b) > utf8.UTFMax*(len(a)+limit) {
		return limit
	}
	from, to := []rune(a), []rune(b)
	if max(len(from)-len(to), len(to)-len(from)) >= limit {
		return limit
	}
	var before []int               // the row of the table for two letters fewer of a
	last := make([]int, len(to)+1) // for one letter fewer
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(from); i++ {
		row := make([]int, len(to)+1)
		row[0] = i
		for j := 1; j <= len(to); j++ {
			replace := last[j-1]
			if from[i-1] != to[j-1] {
				replace++
			}
			row[j] = min(replace, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && from[i-1] == to[j-2] && from[i-2] == to[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(to)]
}
