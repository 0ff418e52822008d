// Universes of large designs: their order, what the best are worth on other tables, and the page.

package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gridsweep/analysis"
	"gridsweep/analysis/effects"
	"gridsweep/sweeps/study"
)

// sampled returns a page with 60 universes of two tables of one experiment. In universe u, u mod 10
// numbers of A.1 and 9 − u mod 10 of A.2 agree, and in one more universe all of A.1 and 2 of A.2.
func sampled() Page {
	page := fakePage()
	tables := page.Studies[0].Result.Tables
	for i := range tables {
		a := analysis.Agreements{Experiment: "sample", Repeats: "rate", Replications: 1}
		for u := range 60 {
			universe := study.Universe{Label: fmt.Sprintf("slack: beyond, ties: %d", u), Levels: []int{1, 1}}
			if u == 0 {
				universe = study.Universe{Label: "default", Levels: []int{0, 0}}
			}
			inside := []int{u % 10, 9 - u%10}[i]
			if u == 33 {
				inside = []int{10, 2}[i]
			}
			a.Universes = append(a.Universes, analysis.UniverseAgreement{Universe: universe, Cells: 10, Inside: inside,
				Numbers: uint64(u)})
		}
		tables[i].Universes = append(tables[i].Universes, a)
	}
	return page
}

func TestTableGroup(t *testing.T) {
	page := sampled()
	groups := tableGroupsOf(page.Studies[0].Result.Tables, "sample")
	if len(groups) != 1 {
		t.Fatalf("%d groups", len(groups))
	}
	// The best of A.1 has 2 of A.2. The six best of A.2, with 9 of it, have none of A.1: 2 of 20.
	want := tableGroupView{Tables: "A.1, A.2", Published: 20, Default: "9 of 20, 45 %", Middle: "9 to 9",
		Most: "12 of 20, 60 %", HeldOut: "10 %", Best: "slack: beyond, ties: 33"}
	if have := groups[0].view(); have != want {
		t.Errorf("%+v", have)
	}
}

func TestTriedUniversesOnThePage(t *testing.T) {
	page := sampled()
	content := htmlOf(t, page)
	checkSound(t, content)
	text := strings.Join(strings.Fields(parse(t, content)[0].text), " ")
	for _, want := range []string{"Universes and the published numbers",
		"In the middle half of the 60 universes of “sample” 9 to 9 of 20 published numbers lie in our prediction intervals.",
		"Each universe has a single replication",
		"all 60 universes of sample", "by default 9",
		"At least 90 % of the numbers of held-out tables agree for 0 of 1 experiment."} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	// All tables, then each of two tables; all tables are one table in the universes of open.
	for universes, want := range map[string]int{"60 universes of “sample”": 3, "2 universes of “open”": 1} {
		if have := strings.Count(text, "In the "+universes+" from"); have != want {
			t.Errorf("the range over %s stands %d times, want %d", universes, have, want)
		}
	}
	nearest := strings.Index(text, "The nearest universes of sample")
	if first := strings.Index(text[nearest:], "slack: beyond, ties: 33"); first < 0 || first > 200 {
		t.Errorf("the nearest universe is not first: %d", first)
	}
	few := fakePage() // of the experiment open, two universes
	if strings.Contains(string(htmlOf(t, few)), "Universes and the published numbers") {
		t.Error("a section for two universes")
	}
}

// Each alternative has the claims that it alone makes reproduced or not reproduced.
func TestClaimsThatAlternativesChange(t *testing.T) {
	page := fakePage()
	beside := assumptionsOf(t, page)
	if !strings.Contains(string(beside), `beyond <a href="#claim-gap-largest-between">C2 ✓</a>`) {
		t.Error("the file beside the page does not name the claim that slack: beyond changes")
	}
	result := page.Studies[0].Result
	for _, want := range []string{result.Assumptions[0].Name, "with:"} {
		if !strings.Contains(parse(t, beside)[0].text, want) {
			t.Errorf("the file beside the page does not show %q", want)
		}
	}
	if views := newOpenViews(result.Assumptions, nil); len(views[1].Alternatives[0].Changed) > 0 {
		t.Errorf("%+v", views)
	}
}

// An alternative changes a claim that has the opposite verdict by default in the same experiment;
// where that was not judged, in the study. An inconclusive default has no opposite.
func TestChangesAreAgainstTheDefaultOfTheExperiment(t *testing.T) {
	const yes, no, open = analysis.Reproduced, analysis.NotReproduced, analysis.Inconclusive
	for _, c := range []struct {
		study, byDefault, alternative analysis.Verdict
		want                          string
	}{
		{open, yes, yes, ""}, {no, yes, yes, ""}, {yes, no, no, ""},
		{yes, open, yes, ""}, {no, open, no, ""}, {no, no, yes, "✓"}, {no, yes, no, "✗"},
		{no, analysis.NotRun, yes, "✓"}, {yes, analysis.NotRun, yes, ""},
		{no, analysis.NoValue, yes, ""}, {analysis.NotRun, analysis.NotRun, yes, ""},
	} {
		judged := func(experiment string, level int, v analysis.Verdict) analysis.AssumptionJudgement {
			return analysis.AssumptionJudgement{Experiment: experiment, Universe: study.Universe{Levels: []int{level}},
				Judgement: analysis.Judgement{Verdict: v}}
		}
		claim := analysis.Claim{Ours: analysis.Judgement{Verdict: c.study}}
		if c.byDefault != analysis.NotRun {
			claim.Assumptions = append(claim.Assumptions, judged("x", 0, c.byDefault))
		}
		// the default of another experiment does not count
		claim.Assumptions = append(claim.Assumptions, judged("y", 0, c.study), judged("x", 1, c.alternative))
		have := ""
		views := newOpenViews([]study.Assumption{{Name: "a", Levels: []string{"b", "c"}}}, []claimView{{Claim: claim}})
		for _, changed := range views[0].Alternatives[0].Changed {
			have += changed.Verdict.Sign
		}
		if have != c.want {
			t.Errorf("%s in the study, %s by default, %s: %q", c.study, c.byDefault, c.alternative, have)
		}
	}
}

// A claim that is judged in several experiments under assumptions has the names of those that count
// over its tables.
func TestAssumptionsByExperiment(t *testing.T) {
	page := fakePage()
	claim := &page.Studies[0].Result.Claims[1]
	single := claim.Universes[0]
	single.Experiment, single.Judgements = "alone", slices.Clone(single.Judgements[:1])
	single.Judgements[0].Experiment = single.Experiment
	single.Judgements[0].Universe = study.Universe{Label: "ties: random", Levels: []int{0, 2}}
	single.Changes = effects.Compare([][]int{{0, 0}}, []effects.Judged{{Outcome: effects.Fails}})
	single.Effects = effects.New([][]int{{0, 0}}).Fit([][]float64{{-1, -1.1}})
	claim.Assumptions = append(claim.Assumptions, single.Judgements...)
	claim.Universes = append(claim.Universes, single)
	weaker := claim.Universes[0]
	weaker.Experiment = "weaker"
	for _, j := range weaker.Judgements {
		j.Experiment, j.Comparisons = weaker.Experiment, j.Comparisons[:1]
		claim.Assumptions = append(claim.Assumptions, j)
	}
	claim.Universes = append(claim.Universes, weaker)
	content := assumptionsOf(t, page)
	if strings.Contains(string(content), weaker.Experiment) {
		t.Error("an experiment that counts in no universe is shown")
	}
	text := parse(t, content)[0].text
	for _, want := range []string{
		claim.Name + ": under the assumptions of readings", claim.Name + ": under the assumptions of open",
		claim.Name + ": under the assumptions of alone",
		claim.Name + ": what each assumption of open changes in the mean margin. Least squares of the mean margin on the " +
			"levels over 4 universes",
		"In alone: Least squares of the mean margin on the levels over 1 universe, ",
	} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%q is %d times in the file beside the page", want, strings.Count(text, want))
		}
	}
	checkSound(t, content)
}

// The method says which effects a design cannot tell apart, and why there are none.
func TestMethodOfEffects(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		universes [][]int
		values    [][]float64
		equal     int // the last universes, without numbers of their own
		want      string
	}{
		{[][]int{{0, 0}, {1, 0}, {0, 1}}, [][]float64{{1, 2}, {2, 3}, {4, 4}}, 0,
			"Least squares of the mean margin on the levels over 3 universes (the default and 2 others), replication by " +
				"replication (n = 2); this design tells no pairs of levels apart."},
		{[][]int{{0, 0}, {1, 0}, {0, 1}, {1, 1}}, [][]float64{{1, 2}, {2, 3}, {4, 4}, {5, 7}}, 1,
			"Least squares of the mean margin on the levels over 4 universes (the default, 2 others and 1 without numbers of " +
				"its own), replication by replication (n = 2); the levels explain 98 % of the variance over universes. Pairs " +
				"of levels are listed where their effect is clear."},
		{[][]int{{0}, {1}}, [][]float64{{1, 2, nan}, {nan, 1, 2}}, 0, "Least squares of the mean margin on the levels over " +
			"2 universes (the default and 1 other), replication by replication (n = 1)."},
		{[][]int{{0}, {1}, {2}}, [][]float64{{1, 2, nan}, {nan, 1, 2}, {3, nan, 1}}, 2,
			"No effects are fitted: no replication has a mean margin in all 3 universes (the default and 2 without numbers of " +
				"their own)."},
	} {
		r := analysis.Robustness{Effects: effects.New(c.universes).Fit(c.values)}
		for i, levels := range c.universes {
			j := analysis.AssumptionJudgement{Universe: study.Universe{Levels: levels}}
			if i >= len(c.universes)-c.equal {
				j.SameAs = "another"
			}
			r.Judgements = append(r.Judgements, j)
		}
		if have := method(r, 0); have != c.want {
			t.Errorf("%q, want %q", have, c.want)
		}
	}
}
