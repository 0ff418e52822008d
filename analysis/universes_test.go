// Verdicts and agreement over universes, and the reason of each claim that is not reproduced.

package analysis

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gridsweep/analysis/statistics"
	"gridsweep/sweeps"
	"gridsweep/sweeps/study"
)

// inUniverses is a study with two assumptions in a full design; the claim compares b with a.
const inUniverses = `
assumptions:
  mode: {doc: d, source: s, default: plain, why: w, levels: {odd: {mode: odd}}}
  gap: {doc: d, source: s, default: 1min, why: w, workload: true, levels: {1h: {gap: 1h}}}
tables: {x: {of: solo, show: loss, rows: policy, published: x.csv}}
claims: {c: {of: solo, show: loss, along: policy, order: [a, b]}}
`

// open is head with an experiment over all universes.
var open4 = strings.Replace(head, "  again:",
	"  open: {repeat: solo, assumptions: all, design: full, rounds: 4}\n  again:", 1)

// shifted is linear, with b higher by a number in each universe.
func shifted(plain, odd, plainGap, oddGap float64) script {
	return func(p toyPoint, replication int) *toyOutcome {
		o := linear(p, replication)
		if p.Policy == "b" {
			o.Loss += map[string][2]float64{"plain": {plain, plainGap}, "odd": {odd, oddGap}}[p.Mode][map[bool]int{
				true: 1}[p.Gap == 3600]]
		}
		return o
	}
}

func analyzed(t *testing.T, file string, s script, published string) *Result {
	t.Helper()
	return runStudy(t, file, s, map[string]string{"x.csv": "policy,metric,value,page\n" + published}).analyze(t)
}

const agreeing = "a,loss,10,7\nb,loss,11,7\nc,loss,13,7\n"

// b is 1 above a in linear. By default it is 2 below a; mode odd makes it 3 higher. Gap 1h has no
// effect, so the universes with it are those without it and no further evidence.
func TestRobustness(t *testing.T) {
	result := analyzed(t, open4+inUniverses, shifted(-3, 0, -3, 0), agreeing)
	claim := result.Claims[0]
	if len(claim.Universes) != 1 || len(claim.Universes[0].Judgements) != 4 {
		t.Fatalf("%+v", claim.Universes)
	}
	r := claim.Universes[0]
	if r.Experiment != "open" || r.Changes.Holding != 1 || r.Changes.Failing != 1 || r.Distinct() != 2 ||
		r.Smallest().Label != "mode: odd" || len(r.Changes.Flips) != 1 {
		t.Errorf("%s, %+v", r.Experiment, r.Changes)
	}
	for _, j := range r.Judgements {
		want := map[string]string{"gap: 1h": "default", "mode: odd, gap: 1h": "mode: odd"}[j.Label]
		if j.SameAs != want || j.NoEffect != (want == "default") {
			t.Errorf("%s is the same as %q, want %q", j.Label, j.SameAs, want)
		}
	}
	var effects []string
	for _, e := range r.Effects.Effects {
		effects = append(effects, fmt.Sprintf("%s %.3f %t", result.TermName(e.Term), e.Estimate.Value, e.Clear))
	}
	if have := strings.Join(effects, "; "); have !=
		"mode: odd 3.000 true; gap: 1h 0.000 false; mode: odd, gap: 1h 0.000 false" {
		t.Error(have)
	}
	if claim.Reason.Class != ClassAssumption || claim.Reason.Text !=
		"Reproduced under the alternative assumption mode: odd, with a mean margin of 1 points" {
		t.Errorf("%+v", claim.Reason)
	}
	agreement := result.Tables[0].Universes[0]
	var inside []string
	for _, u := range agreement.Universes {
		inside = append(inside, fmt.Sprintf("%s %d of %d", u.Label, u.Inside, u.Cells))
	}
	if have := strings.Join(inside, "; "); agreement.Experiment != "open" ||
		have != "default 3 of 3; gap: 1h 3 of 3; mode: odd 3 of 3; mode: odd, gap: 1h 3 of 3" &&
			have != "default 3 of 3; mode: odd 3 of 3; gap: 1h 3 of 3; mode: odd, gap: 1h 3 of 3" {
		t.Error(have)
	}
	var written bytes.Buffer
	if err := WriteClaims(&written, result); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"agreement_by_universe": [`, `"smallest_change": {`, `"class": "assumption"`,
		`"levels": "mode: odd, gap: 1h"`, `"flipped": 1`, `"same_as": "mode: odd"`, `"judged": 2`} {
		if !strings.Contains(written.String(), want) {
			t.Errorf("claims.json does not have %s", want)
		}
	}
}

// Universes with more replications than others are compared with them by the replications that both
// have: gap 1h has no effect, whatever the replications of the default, and effects are fitted on
// four replications.
func TestUniversesOfUnequalReplications(t *testing.T) {
	disturbed := func(p toyPoint, replication int) *toyOutcome {
		o := shifted(-3, 0, -3, 0)(p, replication%4)
		o.Loss += 0.5 * float64(replication/4)
		return o
	}
	study := readStudy(t, open4+inUniverses, map[string]string{"x.csv": "policy,metric,value,page\n" + agreeing})
	x := runPlan(t, toyModel(disturbed), study, sweeps.Options{})
	open, more := x.experiment(t, "open/solo"), map[string]int{}
	for _, cell := range open.Cells {
		if cell.Labels[0] == "default" {
			more[open.CellName(cell)] = 12
		}
	}
	result := runPlan(t, toyModel(disturbed), study, sweeps.Options{Replications: more}).analyze(t)
	r := result.Claims[0].Universes[0]
	for _, j := range r.Judgements {
		wantSame := map[string]string{"gap: 1h": "default", "mode: odd, gap: 1h": "mode: odd"}[j.Label]
		wantN := map[string]int{"default": 12}[j.Label]
		if j.SameAs != wantSame || j.MeanMargin.N != max(wantN, 4) {
			t.Errorf("%s is the same as %q, want %q, with %d replications", j.Label, j.SameAs, wantSame, j.MeanMargin.N)
		}
	}
	if len(r.Effects.LeftOut) > 0 || r.Effects.Replications != 4 {
		t.Errorf("effects are fitted on %d replications without the universes %v", r.Effects.Replications, r.Effects.LeftOut)
	}
	numbers := map[uint64]int{}
	for _, u := range result.Tables[0].Universes[0].Universes {
		numbers[u.Numbers]++
	}
	if len(numbers) != 2 {
		t.Errorf("tables have %d different numbers in four universes, want 2", len(numbers))
	}
}

// A table agrees in the universe whose numbers are the published ones.
func TestAgreementByUniverse(t *testing.T) {
	result := analyzed(t, open4+inUniverses, shifted(0, 500, 0, 500), agreeing)
	for _, u := range result.Tables[0].Universes[0].Universes {
		want := 3
		if u.Levels[0] == 1 {
			want = 2
		}
		if u.Inside != want || u.Cells != 3 {
			t.Errorf("%s: %d of %d inside, want %d", u.Label, u.Inside, u.Cells, want)
		}
	}
}

// In universes of a single replication published numbers are predicted by the study's own
// replications, shifted by the difference in the replication that both ran; no claim is judged.
func TestUniversesOfASingleReplication(t *testing.T) {
	once := strings.Replace(open4, "design: full, rounds: 4", "design: full, rounds: 1", 1) + inUniverses
	result := analyzed(t, once, shifted(0, 500, 0.25, 0.25), "a,loss,10,7\nb,loss,11.25,7\nc,loss,13,7\n")
	agreement := result.Tables[0].Universes[0]
	if agreement.Replications != 1 || agreement.Repeats != "solo" || len(agreement.Universes) != 4 {
		t.Fatalf("%+v", agreement)
	}
	for _, u := range agreement.Universes {
		want := 3
		if u.Label == "mode: odd" {
			want = 2
		}
		if u.Inside != want || u.Cells != 3 {
			t.Errorf("%s: %d of %d inside, want %d", u.Label, u.Inside, u.Cells, want)
		}
	}
	for _, j := range result.Claims[0].Assumptions {
		if j.Experiment == agreement.Experiment {
			t.Errorf("judged in universe %s", j.Label)
		}
	}
}

// Judgements that no number of replications decides count as those that need the most.
func TestUndecided(t *testing.T) {
	for want, needed := range map[string][]int{
		"": nil, "1 is undecided": {0}, "1 is undecided, which about 7 replications would decide": {7},
		"3 are undecided, half of which about 9 replications would decide": {9, 0, 4},
		"3 are undecided": {0, 0, 4},
	} {
		judgements := []AssumptionJudgement{{Judgement: Judgement{Verdict: Reproduced}}}
		for _, n := range needed {
			judgements = append(judgements, AssumptionJudgement{Judgement: Judgement{Verdict: Inconclusive, Needed: n}})
		}
		if have := Undecided(judgements); have != want {
			t.Errorf("%v: %q, want %q", needed, have, want)
		}
		lacking := AssumptionJudgement{Judgement: Judgement{Verdict: Inconclusive, OnLevelsRun: Reproduced}}
		want = strings.TrimPrefix(want+"; 2 are undecided, as not all levels were run", "; ")
		if have := Undecided(append(judgements, lacking, lacking)); have != want {
			t.Errorf("%v, two without some levels: %q, want %q", needed, have, want)
		}
	}
}

// Each universe counts once, by the experiment with the most evidence, and the default never.
func TestTried(t *testing.T) {
	judged := func(experiment string, comparisons int, same string, levels ...int) AssumptionJudgement {
		return AssumptionJudgement{Experiment: experiment, SameAs: same,
			Universe:  study.Universe{Label: experiment, Levels: levels},
			Judgement: Judgement{Comparisons: make([]Comparison, comparisons)}}
	}
	claim := &Claim{Universes: make([]Robustness, 2), Assumptions: []AssumptionJudgement{
		judged("readings", 9, ""), judged("x", 3, "", 0, 0), judged("x", 3, "", 1, 0), judged("x", 3, "default", 0, 1),
		judged("y", 4, "", 1, 0), judged("y", 3, "", 0, 1), judged("y", 2, "", 0, 2),
		judged("z", 2, "", 1, 0), judged("z", 2, "default", 0, 2),
	}}
	var have []string
	for _, j := range claim.Tried() {
		have = append(have, fmt.Sprint(j.Experiment, j.Levels))
	}
	if want := []string{"readings[]", "y[1 0]", "y[0 1]", "y[0 2]"}; !slices.Equal(have, want) {
		t.Errorf("tried %q, want %q", have, want)
	}
	if have := AlternativesIn(claim.UnderAlternatives(), nil); have != "3 single alternatives" {
		t.Error(have)
	}
	result := &Result{Assumptions: []study.Assumption{{Levels: make([]string, 3)}, {Levels: make([]string, 3)}}}
	if tried, declared := result.Declared(claim); tried != 3 || declared != 4 {
		t.Errorf("tried %d of %d declared alternatives", tried, declared)
	}
	claim.Universes = nil
	if n := len(claim.UnderAlternatives()); n != 4 {
		t.Errorf("%d judgements with the level of a factor", n)
	}
}

// Fewer steps, comparisons and replications than the study's are told, also where the verdict is
// the same.
func TestJudgedOn(t *testing.T) {
	of := func(steps []int, replications int) Judgement {
		j := Judgement{Verdict: Reproduced}
		for _, n := range steps {
			j.Comparisons = append(j.Comparisons, Comparison{Steps: make([]Step, n)})
		}
		j.MeanMargin.N = replications
		return j
	}
	for _, c := range []struct {
		ours, under Judgement
		want        string
	}{
		{of([]int{9}, 5), of([]int{0}, 5), "Judged in “e” on 1 of 9 steps"},
		{of([]int{9, 9}, 100), of([]int{9}, 5),
			"Judged in “e” on 9 of 18 steps, 1 of 2 comparisons and 5 of 100 replications"},
		{of([]int{0, 0}, 5), of([]int{0}, 8), "Judged in “e” on 1 of 2 comparisons and 8 instead of 5 replications"},
		{of([]int{0}, 5), of([]int{0, 0}, 3), "Judged in “e” on 3 of 5 replications"},
		{of([]int{3}, 5), of([]int{3}, 5), ""},
	} {
		claim := &Claim{Ours: c.ours, Universes: []Robustness{{Experiment: "e"}},
			Assumptions: []AssumptionJudgement{{
				Experiment: "e", Universe: study.Universe{Levels: []int{1}}, Judgement: c.under,
			}}}
		if have := (&Result{}).JudgedOn(claim, nil); have != c.want {
			t.Errorf("%q, want %q", have, c.want)
		}
	}
}

// Each class of reasons.
func TestReasons(t *testing.T) {
	for _, c := range []struct {
		name, file string
		script     script
		published  string
		class      ReasonClass
		text       string
	}{
		{"the paper's numbers", open4 + inUniverses, shifted(-3, 0, -3, 0), "a,loss,10,7\nb,loss,9,7\n", ClassPublished,
			"The paper’s own numbers contradict it: on them the comparison does not hold"},
		{"the paper's statements", open4 + strings.Replace(inUniverses, "c: {of", "c: {contradicted: a is b, of", 1),
			shifted(-3, 0, -3, 0), agreeing, ClassPublished, "The paper’s own statements contradict it: a is b"},
		{"the stand-in", open4 + inUniverses, shifted(-3, -3, 0, 0), agreeing, ClassWorkload,
			"The stand-in workload is suspect: reproduced with gap: 1h, with a mean margin of 1 points"},
		{"two together", open4 + inUniverses, shifted(-3, -3, -3, 0), agreeing, ClassAssumption,
			"Reproduced under the pair of alternative assumptions mode: odd, gap: 1h, and under no single one, with a " +
				"mean margin of 1 points"},
		{"none", open4 + inUniverses, shifted(-3, -2, -3, -2.5), agreeing, ClassUnexplained,
			"Fails under each of 1 single alternative and 1 pair; the nearest alternative is mode: odd (not reproduced), " +
				"where the comparison does not hold, with a mean margin of −1 points"},
		{"no effect", open4 + inUniverses, shifted(-3, -3, -3, -3), agreeing, ClassUnexplained,
			"No alternative assumption that was run has an effect on its numbers"},
		{"a level of a factor", head + "claims: {c: {of: solo, show: loss, along: policy, order: [a, b]}}\n",
			shifted(0, 0, -3, 0), "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			claim := analyzed(t, c.file, c.script, c.published).Claims[0]
			if c.class == "" {
				if claim.Reason != nil || claim.Universes != nil {
					t.Errorf("%+v of a claim that is %s", claim.Reason, claim.Ours.Verdict)
				}
				return
			}
			alternatives := map[string]int{"the stand-in": 1, "two together": 2}[c.name]
			if claim.Reason == nil || *claim.Reason != (Reason{Class: c.class, Text: c.text, Alternatives: alternatives}) {
				t.Errorf("%+v", claim.Reason)
			}
		})
	}
}

// The reason of a claim that no alternative explains counts all of them, and tells the verdict
// under the nearest one beside the equivalence margin.
func TestReasonsAddUp(t *testing.T) {
	ours := Judgement{Verdict: NotReproduced, Comparisons: make([]Comparison, 2)}
	claim := &Claim{Ours: ours, Unit: "points", EquivalenceMargin: 0.05}
	for level, j := range []Judgement{
		{Verdict: NotReproduced, Comparisons: make([]Comparison, 2)},
		{Verdict: Inconclusive, Comparisons: make([]Comparison, 2), Holding: 2, MeanMargin: statistics.Point(-0.0125)},
		{Verdict: NoValue}, {Verdict: Vacuous}, {Verdict: Vacuous},
	} {
		universe := study.Universe{Label: "level " + strconv.Itoa(level), Levels: []int{1 + level}}
		claim.Assumptions = append(claim.Assumptions, AssumptionJudgement{Universe: universe, Judgement: j})
	}
	want := "Reproduced under none of 5 single alternatives, fails under 1; 1 is undecided; 1 has no value; " +
		"2 are vacuous; the nearest alternative is level 1 (inconclusive), where 2 of 2 comparisons hold, with a mean " +
		"margin of −0.0125 points (equivalence margin 0.05 points)"
	if have := neverReproduced(claim).Text; have != want {
		t.Errorf("%q, want %q", have, want)
	}
}

// Small numbers have a power of ten, as on pages.
func TestNumbersInUnits(t *testing.T) {
	for want, x := range map[string]float64{"2.991·10⁻⁸ s": 2.991e-8, "−4·10⁷ s": -4e7, "−0.5 s": -0.5, "0 s": 0} {
		if have := inUnit(x, "s"); have != want {
			t.Errorf("%q, want %q", have, want)
		}
	}
}

// Without runs of universes the reason names the experiments that would run them.
func TestReasonsWithoutUniverses(t *testing.T) {
	const claim = "claims: {c: {of: solo, show: loss, along: policy, order: [b, a]}}\n"
	optional := strings.Replace(open4, "rounds: 4}\n  again", "rounds: 4, optional: true}\n  again", 1)
	optional = strings.Replace(optional, "under: mode, rounds: 4", "under: mode, rounds: 4, optional: true", 1)
	assumptions := inUniverses[:strings.Index(inUniverses, "tables:")]
	for file, want := range map[string]string{
		optional + assumptions + claim: "No universe was run: --experiment open or --experiment again runs some",
		"study: toy\ntitle: Toy\nmodel: toy\nfactors: {policy: [a, b]}\nexperiments: {solo: {cross: [policy], rounds: 4}}\n" +
			claim: "No universe was run: no experiment repeats its experiments under alternative assumptions",
	} {
		study := readStudy(t, file, nil)
		reason := runPlan(t, toyModel(linear), study, sweeps.Options{}).analyze(t).Claims[0].Reason
		if reason == nil || *reason != (Reason{Class: ClassNotTried, Text: want}) {
			t.Errorf("%+v, want %s", reason, want)
		}
	}
}

// An experiment under assumptions that has another verdict by default than the study, with fewer
// levels, says so first, and an alternative with the verdict of that default changes nothing.
func TestOtherDefault(t *testing.T) {
	file := strings.Replace(head, "  again:", "  open: {repeat: rate, assumptions: [mode], design: full, "+
		"levels: {lambda: [0.1]}, rounds: 3}\n  again:", 1) +
		inUniverses[:strings.Index(inUniverses, "tables:")] +
		"claims: {c: {of: rate, show: loss, for: lambda, along: policy, order: [a, b]}}\n"
	for _, c := range []struct {
		name       string
		plain, odd [4]float64 // added to b at lambda 0.1, by replication
		class      ReasonClass
		text       string
	}{
		{"the same verdict as by default", [4]float64{}, [4]float64{}, ClassUnexplained,
			"In “open”, on 1 of 3 comparisons and 3 of 4 replications, the default gives: reproduced, " +
				"so no alternative explains the verdict"},
		{"another verdict than by default", [4]float64{-4, 3, -4, 3}, [4]float64{}, ClassAssumption,
			"In “open”, on 1 of 3 comparisons and 3 of 4 replications, the default gives: inconclusive. " +
				"Reproduced under the alternative assumption mode: odd, with a mean margin of 1.01 points"},
		{"the default is that of the study", [4]float64{-3, -3, -3, -3}, [4]float64{}, ClassAssumption,
			"Reproduced under the alternative assumption mode: odd, with a mean margin of 1.01 points"},
	} {
		claim := analyzed(t, file, func(p toyPoint, replication int) *toyOutcome {
			o := linear(p, replication)
			switch {
			case p.Policy != "b":
			case p.Lambda > 0.1:
				o.Loss -= 4
			case p.Mode == "odd":
				o.Loss += c.odd[replication]
			default:
				o.Loss += c.plain[replication]
			}
			return o
		}, "").Claims[0]
		claim.Assumptions = slices.DeleteFunc(claim.Assumptions,
			func(j AssumptionJudgement) bool { return j.Experiment != "open" })
		if claim.Reason == nil || claim.Reason.Class != c.class || claim.Reason.Text != c.text {
			t.Errorf("%s: %+v", c.name, claim.Reason)
		}
		if len(claim.Assumptions) != 2 || claim.ByDefault("open").Verdict != claim.Assumptions[0].Verdict ||
			claim.ByDefault("rate").Verdict != claim.Ours.Verdict {
			t.Errorf("%s: %+v", c.name, claim.Assumptions)
		}
	}
}
