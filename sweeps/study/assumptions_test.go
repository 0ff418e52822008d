// Assumptions: the universes of each design, and what is reported.

package study

import (
	"fmt"
	"strings"
	"testing"
)

const assumed = head + `assumptions:
  gap: {doc: d, source: s, default: 15min, why: w, levels: {1h: {gap: 1h}, 2h: {gap: 2h}}}
  mode: {doc: d, source: s, default: plain, why: w, workload: true, levels: {odd: {mode: odd}}}
`

// universes binds a study with an experiment and returns the labels of its universes.
func universes(t *testing.T, experiment string, overrides Overrides) []string {
	t.Helper()
	text := strings.Replace(assumed, "  again:", "  open: {repeat: [rate, solo], "+experiment+"}\n  again:", 1)
	bound, problems := Bind(t.Context(), readStudy(t, text, nil), toyModel(), overrides)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, e := range bound.Experiments {
		if e.Name != "open/solo" {
			continue
		}
		if e.Repeats == nil || e.Repeats.Name != "solo" || len(e.Universes) != len(e.Crossed[0].Levels) {
			t.Errorf("%d universes of %d levels, again %v", len(e.Universes), len(e.Crossed[0].Levels), e.Repeats)
		}
		var all []string
		for _, u := range e.Universes {
			all = append(all, fmt.Sprint(u.Label, u.Levels))
		}
		return all
	}
	t.Fatal("no experiment open/solo")
	return nil
}

func TestUniverses(t *testing.T) {
	for _, c := range []struct {
		experiment string
		most       int
		want       string
	}{
		{"assumptions: all, design: singles", 0, "default[0 0]|gap: 1h[1 0]|gap: 2h[2 0]|mode: odd[0 1]"},
		{"assumptions: [mode], baseline: paper, under: world", 0, "paper[0 0]|mode: odd[0 1]"},
		{"assumptions: [mode, gap], design: pairs", 0,
			"default[0 0]|gap: 1h[1 0]|gap: 2h[2 0]|mode: odd[0 1]|gap: 1h, mode: odd[1 1]|gap: 2h, mode: odd[2 1]"},
		{"assumptions: all", 0,
			"default[0 0]|mode: odd[0 1]|gap: 1h[1 0]|gap: 1h, mode: odd[1 1]|gap: 2h[2 0]|gap: 2h, mode: odd[2 1]"},
		{"assumptions: [mode], design: fractional", 0, "default[0 0]|mode: odd[0 1]"},
		{"assumptions: [mode, \"gap: 2h\"], design: full", 0,
			"default[0 0]|mode: odd[0 1]|gap: 2h[2 0]|gap: 2h, mode: odd[2 1]"},
		{"assumptions: all, design: singles, levels: {universe: [\"mode: odd\"]}", 99, "default[0 0]|mode: odd[0 1]"},
		{"assumptions: all, design: singles, levels: {universe: [\"mode: odd\", \"gap: 2h\", \"gap: 1h\"]}", 2,
			"default[0 0]|mode: odd[0 1]|gap: 2h[2 0]"},
		{"assumptions: all, design: singles", 99,
			"default[0 0]|mode: odd[0 1]|gap: 1h[1 0]|gap: 1h, mode: odd[1 1]|gap: 2h[2 0]|gap: 2h, mode: odd[2 1]"},
	} {
		if got := strings.Join(universes(t, c.experiment, Overrides{Universes: c.most}), "|"); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.experiment, got, c.want)
		}
	}
	for _, most := range []int{1, 2, 3} {
		if sample := universes(t, "assumptions: all", Overrides{Universes: most}); len(sample) > most+1 {
			t.Errorf("%d universes beside the default, at most %d wanted", len(sample)-1, most)
		}
	}
}

// A level of a factor is a universe if it sets nothing or has the name of an alternative.
func TestUniverseLevels(t *testing.T) {
	bound, problems := Bind(t.Context(), readStudy(t, assumed, nil), toyModel(), Overrides{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	set := []Assignment{{}}
	for want, level := range map[string]Level{
		"[0 0]": {Label: NewLabel("as it is")}, "[2 0]": {NewLabel("gap: 2h"), set}, "[]": {NewLabel("odd"), set},
	} {
		if have := fmt.Sprint(bound.UniverseLevels(level)); have != want {
			t.Errorf("%s: %s, want %s", level.Label.Text, have, want)
		}
	}
}

// The levels of quick name universes of the written design, which another design may not have.
func TestQuickWithOtherUniverses(t *testing.T) {
	text := strings.Replace(assumed, "  again:",
		"  open: {repeat: solo, assumptions: all, design: singles}\n  again:", 1) +
		"quick: {levels: {universe: \"gap: 2h\"}}\n"
	for most, want := range map[int]int{0: 2, 99: 6} {
		bound, problems := Bind(t.Context(), readStudy(t, text, nil), toyModel(), Overrides{Universes: most, Quick: true})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		for _, e := range bound.Experiments {
			if e.Name == "open/solo" && len(e.Universes) != want {
				t.Errorf("at most %d universes: %v, want %d", most, e.Universes, want)
			}
		}
	}
}

func TestWrongAssumptions(t *testing.T) {
	for experiment, want := range map[string]string{
		"assumptions: [mod]":                           `no assumption "mod"; did you mean mode?`,
		"assumptions: [\"gap: 3h\"]":                   `no assumption "gap: 3h"; did you mean gap: 1h?`,
		"assumptions: [mode], under: policy":           "is a factor of the study; name the factor of the universes",
		"assumptions: all, design: fractional":         "fractional combines assumptions with one alternative each",
		"assumptions: [mode], baseline: \"mode: odd\"": "is a level of universe too",
		"assumptions: [mode, twice]":                   "assumption mode sets mode too",
	} {
		text := strings.Replace(assumed, "  again:", "  open: {repeat: [rate], "+experiment+"}\n  again:", 1) +
			"  twice: {doc: d, source: s, default: a, why: w, levels: {b: {mode: odd}}}\n"
		_, problems := Bind(t.Context(), readStudy(t, text, nil), toyModel(), Overrides{})
		if !strings.Contains(problems.Error(), want) {
			t.Errorf("%s: %v\nwant %s", experiment, problems, want)
		}
	}
	two := strings.Replace(assumed, "  again:", `  one: {repeat: rate, assumptions: [mode]}
  two: {repeat: rate, assumptions: [gap]}
  again:`, 1)
	if _, problems := Bind(t.Context(), readStudy(t, two, nil), toyModel(), Overrides{}); !strings.Contains(
		problems.Error(), "has other universes than an earlier experiment under the factor universe") {
		t.Error(problems)
	}
}
