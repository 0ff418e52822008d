// Explain: the universe that made the published numbers is found, and numbers that no universe made
// fit none.

package analysis

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// assumed has two assumptions, two published tables of different experiments, one of them compared,
// and two whose numbers are those of another or computed from them.
const assumed = `
study: toy
title: Toy
model: toy
fit: rate
factors:
  lambda: [0.1, 0.2, 0.3, 0.4]
  policy: [a, b, c]
assumptions:
  gap: {doc: d, source: s, default: 1min, why: w, levels: {1h: {gap: 1h}, 2h: {gap: 2h}}}
  mode: {doc: d, source: s, default: plain, why: w, levels: {odd: {mode: odd}}}
experiments:
  rate: {cross: [lambda, policy], rounds: 8}
  solo: {cross: [policy], rounds: 8}
  open: {repeat: [rate, solo], assumptions: all, rounds: 6}
tables:
  rate: {of: rate, show: [loss, wait], rows: lambda, columns: [policy, metric], published: rate.csv}
  twice: {of: rate, show: loss, where: {lambda: 0.1}, rows: policy, columns: lambda, published: twice.csv}
  solo: {of: solo, show: [loss, wait], against: {policy: a}, rows: policy, columns: metric, published: solo.csv}
  derived: {of: rate, show: [loss, wait], against: {policy: a}, rows: lambda, columns: [policy, metric],
    published: rate.csv}
  given: {of: solo, show: place, rows: policy, published: given.csv, given: true}
`

// noisy draws a loss and a wait from the parameters and the replication. Gap moves losses and the
// mode moves the waits of c.
func noisy(p toyPoint, replication int) *toyOutcome {
	hash := fnv.New64a()
	fmt.Fprint(hash, p.Lambda, p.Policy, replication)
	random := rand.New(rand.NewPCG(hash.Sum64(), uint64(replication)))
	shared := rand.New(rand.NewPCG(9, uint64(replication))).NormFloat64()
	wait := 50 + shared + random.NormFloat64()
	if p.Mode == "odd" && p.Policy == "c" {
		wait += 9
	}
	loss := 10 + 20*p.Lambda + float64(p.Gap)/900 + shared + random.NormFloat64()
	if p.Policy == "b" {
		loss += float64(p.Gap) / 600
	}
	return &toyOutcome{Loss: loss, Wait: wait}
}

// printed returns the numbers of a replication that no run has, as a paper would.
func printed(p toyPoint, extra float64) map[string]string {
	const rest = ",metric,value,page\n"
	rate, twice, solo := "lambda,policy"+rest, "policy,lambda"+rest, "policy"+rest
	const replication = 99
	for _, policy := range []string{"a", "b", "c"} {
		p.Policy = policy
		for i, lambda := range []string{"0.1", "0.2", "0.3", "0.4"} {
			p.Lambda = float64(i+1) / 10
			o := noisy(p, replication)
			rate += fmt.Sprintf("%s,%s,loss,%.2f,7\n%s,%s,wait,%.2f,7\n", lambda, policy, o.Loss, lambda, policy, o.Wait)
			if i == 0 {
				twice += fmt.Sprintf("%s,%s,loss,%.2f,7\n", policy, lambda, o.Loss)
			}
		}
		p.Lambda = 0.1
		o, distance := noisy(p, replication), 0.0
		if policy == "c" {
			distance = extra
		}
		solo += fmt.Sprintf("%s,loss,%.2f,8\n%s,wait,%.2f,8\n", policy, o.Loss+distance, policy, o.Wait-distance)
	}
	return map[string]string{"rate.csv": rate, "twice.csv": twice, "solo.csv": solo,
		"given.csv": "policy,metric,value,page\na,place,3,9\n"}
}

func (x *toy) explain(t *testing.T) Explanation {
	t.Helper()
	explanations, err := Explain(t.Context(), x.plan, x.dataset, "here")
	if err != nil {
		t.Fatal(err)
	}
	if len(explanations) != 1 {
		t.Fatalf("%d explanations", len(explanations))
	}
	return explanations[0]
}

func TestExplain(t *testing.T) {
	for _, c := range []struct {
		point toyPoint
		extra float64
		best  string
		none  bool
	}{
		{toyPoint{Gap: 60, Mode: "plain"}, 0, "default", false},
		{toyPoint{Gap: 7200, Mode: "plain"}, 0, "gap: 2h", false},
		{toyPoint{Gap: 3600, Mode: "odd"}, 0, "gap: 1h, mode: odd", false},
		{toyPoint{Gap: 3600, Mode: "odd"}, 40, "gap: 1h, mode: odd", true},
	} {
		e := runStudy(t, assumed, noisy, printed(c.point, c.extra)).explain(t)
		best := e.Ranking.Fits[0]
		if have := e.Universes[best.Universe].Label; have != c.best || e.Ranking.FitsNone() != c.none {
			t.Errorf("%+v, %v off: best %s, p = %v", c.point, c.extra, have, best.PValue)
		}
		if e.Experiment != "open" || len(e.Universes) != 6 || len(e.Ranking.Fits) != 6 || e.Equal != 3 {
			t.Errorf("%s: %d universes, %d ranked, %d equal", e.Experiment, len(e.Universes), len(e.Ranking.Fits), e.Equal)
		}
		// Of solo, the differences to a count: 2 policies and 2 columns.
		if e.Ranking.Fitted != 24 || e.Ranking.HeldOut != 4 || e.Ranking.LeftOut != 0 {
			t.Errorf("%d fitted, %d held out, %d left out", e.Ranking.Fitted, e.Ranking.HeldOut, e.Ranking.LeftOut)
		}
		if len(e.Tables) != 2 || e.Tables[0].HeldOut || !e.Tables[1].HeldOut {
			t.Errorf("tables %+v", e.Tables)
		} else if e.Tables[1].Inside[best.Universe] != best.HeldInside {
			t.Errorf("%+v inside, best %+v", e.Tables[1], best)
		}
	}
}

// A column of a table chooses and the other tests, with all other tables.
func TestExplainWithAFittedColumn(t *testing.T) {
	study := strings.Replace(assumed, "fit: rate\n", "fit: \"rate: loss\"\n", 1)
	e := runStudy(t, study, noisy, printed(toyPoint{Gap: 7200, Mode: "plain"}, 0)).explain(t)
	var tables []string
	for _, table := range e.Tables {
		tables = append(tables, fmt.Sprint(table.Name, " ", table.HeldOut, " ", table.Numbers))
	}
	if want := []string{"rate: loss false 12", "rate: wait true 12", "solo true 4"}; !slices.Equal(tables, want) {
		t.Errorf("tables %q, want %q", tables, want)
	}
	if label := e.Universes[e.Ranking.Fits[0].Universe].Label; !strings.Contains(label, "gap: 2h") {
		t.Errorf("losses choose %s, want a universe with gap: 2h", label)
	}
	if e.Ranking.Fitted != 12 || e.Ranking.HeldOut != 16 {
		t.Errorf("%d fitted, %d held out", e.Ranking.Fitted, e.Ranking.HeldOut)
	}
}

// Trimmed means, of numbers and of their differences in each replication, are scored as trimmed
// means: in each universe as many are in their prediction intervals as on the page.
func TestExplainTrimmedMeans(t *testing.T) {
	trimmed := "stat: trimmed, mean_of: 8, published: "
	study := strings.NewReplacer("published: rate.csv", trimmed+"rate.csv",
		"published: solo.csv", trimmed+"solo.csv",
		"solo: {cross", "solo: {set: {lambda: 0.5}, cross").Replace(assumed) // no runs of rate
	outlying := func(p toyPoint, replication int) *toyOutcome {
		o := noisy(p, replication)
		if replication == 2 {
			o.Loss, o.Wait = o.Loss+30, o.Wait+300
		}
		return o
	}
	x := runStudy(t, study, outlying, printed(toyPoint{Gap: 7200, Mode: "odd"}, 0))
	e, result := x.explain(t), x.analyze(t)
	for i, name := range []string{"rate", "solo"} {
		page := result.Tables[slices.IndexFunc(result.Tables, func(t Table) bool { return t.Name == name })]
		explained, inside := e.Tables[i], []int{}
		for _, u := range page.Universes[0].Universes {
			inside = append(inside, u.Inside)
			if u.Cells != explained.Numbers {
				t.Errorf("%s in %s: %d numbers, on the page %d", name, u.Label, explained.Numbers, u.Cells)
			}
		}
		if explained.Name != name || !slices.Equal(explained.Inside, inside) || slices.Max(inside) == 0 ||
			slices.Min(inside) == explained.Numbers {
			t.Errorf("%s: %v of %d are inside, on the page %v", name, explained.Inside, explained.Numbers, inside)
		}
	}
	best := e.Ranking.Fits[0]
	if label := e.Universes[best.Universe].Label; label != "gap: 2h, mode: odd" || best.Inside < 16 {
		t.Errorf("best %s, with %d numbers inside", label, best.Inside)
	}
}

// Without fit no universe is ranked, since nothing would test the choice. Universes that were not
// run are not ranked.
func TestExplainWithoutFitAndRuns(t *testing.T) {
	numbers := printed(toyPoint{Gap: 60, Mode: "plain"}, 0)
	e := runStudy(t, strings.Replace(assumed, "fit: rate\n", "", 1), noisy, numbers).explain(t)
	if e.Ranking.HeldOut != 28 || e.Ranking.Fitted != 0 || e.Ranking.FitsNone() || len(e.Ranking.Fits) != 0 {
		t.Errorf("%d fitted, %d held out, %d ranked", e.Ranking.Fitted, e.Ranking.HeldOut, len(e.Ranking.Fits))
	}
	missing := func(p toyPoint, replication int) *toyOutcome {
		if p.Mode == "odd" {
			return nil
		}
		return noisy(p, replication)
	}
	e = runStudy(t, assumed, missing, numbers).explain(t)
	if len(e.Ranking.Fits) != 3 {
		t.Errorf("%d ranked", len(e.Ranking.Fits))
	}
	var unranked []string
	for _, u := range e.Ranking.Unranked {
		unranked = append(unranked, e.Universes[u].Label)
	}
	if want := []string{"mode: odd", "gap: 1h, mode: odd", "gap: 2h, mode: odd"}; !slices.Equal(unranked, want) {
		t.Errorf("unranked %q, want %q", unranked, want)
	}
}

// A universe with the numbers of another in every replication is known as the same.
func TestExplainEqualUniverses(t *testing.T) {
	noMode := func(p toyPoint, replication int) *toyOutcome {
		p.Mode = "plain"
		return noisy(p, replication)
	}
	e := runStudy(t, assumed, noMode, printed(toyPoint{Gap: 60, Mode: "plain"}, 0)).explain(t)
	have := map[string]string{}
	for u, same := range e.SameAs {
		have[e.Universes[u].Label] = e.Universes[same].Label
	}
	want := map[string]string{"default": "default", "gap: 1h": "gap: 1h", "gap: 2h": "gap: 2h", "mode: odd": "default",
		"gap: 1h, mode: odd": "gap: 1h", "gap: 2h, mode: odd": "gap: 2h"}
	if !maps.Equal(have, want) {
		t.Errorf("%v, want %v", have, want)
	}
}
