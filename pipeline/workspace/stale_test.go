// Sentences about runs of other sources of the model: compared with texts for one and several known
// and unknown sources.

package workspace

import (
	"testing"

	"gridsweep/model"
)

// Each case has the fingerprints of the sources of its runs, by run.
func TestStaleInWords(t *testing.T) {
	m := &model.Model{Name: "example", Version: 3}
	for want, stale := range map[string]map[string]string{
		"X was made by another source of the model example, version 3, than this program has": {"1": "a"},
		"X were made by another source of the model example, version 3, than this program has": {"1": "a",
			"2": "a"},
		"X were made by 2 other sources of the model example, version 3, than this program has": {"1": "a",
			"2": "b"},
		"X were made by an unknown source of the model example, version 3: their files do not say which": {"1": "", "2": ""},
		"X were made by 2 other sources of the model example, version 3, than this program has, 1 of them by an unknown " +
			"one": {
			"1": "", "2": "a", "3": "b"},
	} {
		if have := staleInWords(m, stale, "X"); have != want {
			t.Errorf("%v:\n%s, want\n%s", stale, have, want)
		}
	}
}
