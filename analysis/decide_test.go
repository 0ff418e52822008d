// Decision tests: which claims a look decides, and which cells need more replications.

package analysis

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

func claimedOutcome(p toyPoint, replication int) *toyOutcome {
	o := &toyOutcome{Wait: 10 + 0.01*float64(replication), Loss: 10, Place: 1}
	if p.Policy == "b" {
		o.Wait, o.Loss = o.Wait+50+0.1*float64(replication%2), 10+[]float64{1, 2, 3, 4}[replication%4]
	}
	return o
}

// decide answers all questions of the plan at a look.
func (x *toy) decide(t *testing.T, look int, correction float64) map[Subject]Decision {
	t.Helper()
	decisions, err := Decide(t.Context(), x.plan, x.dataset, "here", Questions(x.plan),
		Look{look, correction, func(Question) bool { return true }})
	if err != nil {
		t.Fatal(err)
	}
	return decisions
}

// With the correction for looks the same margins count for less, and an undecided claim names the
// cells that it compares.
func TestDecide(t *testing.T) {
	x := run(t, claimed, claimedOutcome, nil)
	want := map[string]Verdict{"clear": Reproduced, "narrow": Inconclusive, "tied": Inconclusive}
	for _, look := range []int{1, 9} {
		decisions := x.decide(t, look, statistics.LookCorrection(look))
		for name, verdict := range want {
			d := decisions[Subject{Claim: name}]
			if d.Verdict != verdict || d.Look != look {
				t.Errorf("look %d: %s is %s at look %d, want %s", look, name, d.Verdict, d.Look, verdict)
			}
			if isGrown := len(d.Cells) > 0; isGrown != (name == "narrow") {
				t.Errorf("look %d: %s needs replications of %v", look, name, d.Cells)
			}
		}
		cells := strings.Join(decisions[Subject{Claim: "narrow"}].Cells, ", ")
		if cells != "solo policy=a, solo policy=b, solo policy=c" {
			t.Errorf("look %d: narrow compares %s", look, cells)
		}
	}
	if verdict := x.decide(t, 1, 1)[Subject{Claim: "narrow"}].Verdict; verdict != Reproduced {
		t.Errorf("without the correction narrow is %s", verdict)
	}

	// The result has the verdict at the looks and says what all replications together show.
	result, err := Analyze(t.Context(), x.plan, x.dataset, "here", map[Subject]Decision{
		{Claim: "narrow"}: {Verdict: Inconclusive, Look: 3, Replications: 9, Needed: 12},
		{Claim: "clear"}:  {Verdict: Reproduced, Look: 2, Replications: 6},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, claim := range result.Claims {
		switch note := claim.Ours.Note; claim.Name {
		case "narrow":
			if claim.Ours.Verdict != Inconclusive || claim.Ours.Needed != 12 ||
				!strings.HasPrefix(note, "undecided after look 3 with 9 replications, corrected for the looks; all "+
					"replications together without the correction are reproduced") {
				t.Errorf("narrow is %s: %s", claim.Ours.Verdict, note)
			}
		case "clear":
			if claim.Ours.Verdict != Reproduced || !strings.HasPrefix(note, "decided at look 2 with 6 replications") {
				t.Errorf("clear is %s: %s", claim.Ours.Verdict, note)
			}
		}
	}
}

// A claim is decided in each universe by itself: the cells that need more replications are those of
// the universe, and the page has the verdict of its look.
func TestDecideInUniverses(t *testing.T) {
	noisy := func(p toyPoint, replication int) *toyOutcome {
		o := &toyOutcome{Loss: float64(replication % 2)}
		if p.Policy == "b" && p.Mode == "odd" {
			o.Loss += 50 + 0.1*float64(replication)
		} else if p.Policy == "b" {
			o.Loss += []float64{9, -9, 8, -4}[replication]
		}
		return o
	}
	x := runStudy(t, open4+inUniverses, noisy, map[string]string{"x.csv": "policy,metric,value,page\n" + agreeing})
	decisions := x.decide(t, 1, statistics.LookCorrection(1))
	alone, odd := Subject{"c", "open", "default"}, Subject{"c", "open", "mode: odd"}
	if d := decisions[odd]; d.Verdict != Reproduced || len(d.Cells) > 0 || d.Replications != 4 {
		t.Errorf("with mode odd: %+v", d)
	}
	cells := strings.Join(decisions[alone].Cells, ", ")
	if cells != "open/solo universe=default policy=a, open/solo universe=default policy=b, "+
		"open/solo universe=default policy=c" {
		t.Errorf("by default it compares %s", cells)
	}
	for _, q := range Questions(x.plan) {
		if isOpen := q.Experiment == "open"; q.IsOn("open") != isOpen || q.IsOn("open/solo") != isOpen ||
			q.IsOn("solo") != (q.Experiment == "") {
			t.Errorf("%v is on the wrong experiments", q.Subject)
		}
	}
	decisions[alone] = Decision{Verdict: NotReproduced, Look: 2, Replications: 3}
	result, err := Analyze(t.Context(), x.plan, x.dataset, "here", decisions)
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range result.Claims[0].Universes[0].Judgements {
		d := decisions[Subject{"c", "open", j.Label}]
		if j.Verdict != d.Verdict {
			t.Errorf("%s: %s, decided as %s", j.Label, j.Verdict, d.Verdict)
		}
		if j.Label == "default" && !strings.HasPrefix(j.Note, "decided at look 2 with 3 replications, corrected for the "+
			"looks; all replications together without the correction are inconclusive") {
			t.Errorf("%s: %s", j.Label, j.Note)
		}
	}
}
