// Universes of large designs: their order, what the best are worth on other tables, and the page.

package report

import (
	"fmt"
	"strings"
	"testing"

	"gridsweep/analysis"
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

// A group of tables without published numbers has a dash; the groups behind it keep their columns.
func TestChangesOfTablesWithoutNumbers(t *testing.T) {
	result := &analysis.Result{Assumptions: []study.Assumption{{Name: "slack", Levels: []string{"within", "beyond"}}}}
	column := func(cells int) []analysis.UniverseAgreement {
		return []analysis.UniverseAgreement{
			{Universe: study.Universe{Levels: []int{0}}, Cells: cells},
			{Universe: study.Universe{Levels: []int{1}}, Cells: cells, Inside: cells},
		}
	}
	lines := changesOf(result, [][]analysis.UniverseAgreement{column(4), column(0), column(4)})
	if len(lines) != 1 || strings.Join(lines[0].Cells, " ") != "100 – 100" {
		t.Errorf("%+v", lines)
	}
}

func TestUniversesOnThePage(t *testing.T) {
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
