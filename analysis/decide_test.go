package analysis

// Decision tests: which claims a look decides, and which cells need more replications.

import (
	"strings"
	"testing"

	"gridsweep/analysis/statistics"
)

// claimed has a claim that is clear, one that is clear only without a correction for looks, and one
// that no number of replications decides.
const claimed = `
claims:
  clear:
    {of: solo, show: wait, along: policy, order: [a, b]}
  narrow:
    {of: solo, show: loss, along: policy, order: [a, b]}
  tied:
    {of: solo, show: place, along: policy, order: [a, b]}
`

func claimedOutcome(p toyPoint, round int) *toyOutcome {
	o := &toyOutcome{Wait: 10 + 0.01*float64(round), Loss: 10, Place: 1}
	if p.Policy == "b" {
		o.Wait, o.Loss = o.Wait+50+0.1*float64(round%2), 10+[]float64{1, 2, 3, 4}[round%4]
	}
	return o
}

// At a later look the same margins count for less, and an undecided claim names the cells that it
// compares.
func TestDecide(t *testing.T) {
	x := run(t, claimed, claimedOutcome, nil)
	for look, want := range map[int]map[string]Verdict{
		1: {"clear": Reproduced, "narrow": Inconclusive, "tied": Inconclusive},
		9: {"clear": Inconclusive, "narrow": Inconclusive, "tied": Inconclusive},
	} {
		if look == 9 {
			// by far: the interval of the 9th look is some 30 times as wide
			want["clear"] = Reproduced
		}
		decisions, err := Decide(t.Context(), x.plan, x.dataset, "here", look, statistics.LookCorrection(look))
		if err != nil {
			t.Fatal(err)
		}
		for name, verdict := range want {
			d := decisions[name]
			if d.Verdict != verdict || d.Look != look {
				t.Errorf("look %d: %s is %s at look %d, want %s", look, name, d.Verdict, d.Look, verdict)
			}
			if isGrown := len(d.Cells) > 0; isGrown != (name == "narrow") {
				t.Errorf("look %d: %s needs replications of %v", look, name, d.Cells)
			}
		}
		if cells := strings.Join(decisions["narrow"].Cells, ", "); cells != "solo policy=a, solo policy=b, solo policy=c" {
			t.Errorf("look %d: narrow compares %s", look, cells)
		}
	}
	uncorrected, err := Decide(t.Context(), x.plan, x.dataset, "here", 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if verdict := uncorrected["narrow"].Verdict; verdict != Reproduced {
		t.Errorf("without the correction narrow is %s", verdict)
	}

	// The result has the verdict at the looks and says what all replications together show.
	result, err := Analyze(t.Context(), x.plan, x.dataset, "here", map[string]Decision{
		"narrow": {Verdict: Inconclusive, Look: 3, Needed: 12}, "clear": {Verdict: Reproduced, Look: 2},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, claim := range result.Claims {
		switch note := claim.Ours.Note; claim.Name {
		case "narrow":
			if claim.Ours.Verdict != Inconclusive || claim.Ours.Needed != 12 ||
				!strings.HasPrefix(note, "undecided after look 3, corrected for the looks; all replications together "+
					"without the correction are reproduced") {
				t.Errorf("narrow is %s: %s", claim.Ours.Verdict, note)
			}
		case "clear":
			if claim.Ours.Verdict != Reproduced || !strings.HasPrefix(note, "decided at look 2") {
				t.Errorf("clear is %s: %s", claim.Ours.Verdict, note)
			}
		}
	}
}
