// Sentences that the claims of built-in studies name.

package configs

import (
	"testing"

	"gridsweep/configs/language"
)

// A sentence that a claim names is judged by another one too, and by one that is no second reading:
// else the key says nothing, or is mistyped.
func TestSentencesHaveSeveralClaims(t *testing.T) {
	for _, name := range List() {
		study, err := Load(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		claims, judging := map[string]int{}, map[string]int{}
		for _, c := range study.Claims {
			claims[c.Sentence.Value]++
			if language.Origin(c.Origin.Value) != language.OfReading {
				judging[c.Sentence.Value]++
			}
		}
		delete(claims, "")
		for sentence, n := range claims {
			if n < 2 || judging[sentence] == 0 {
				t.Errorf("%s: %q is judged by %d claims, of which %d are no second reading", name, sentence, n, judging[sentence])
			}
		}
	}
}
