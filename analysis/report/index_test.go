// The index: its entries as JSON, the two pictures of each paper, papers without results.

package report

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/analysis"
	"gridsweep/sweeps/study"
)

// indexOf returns the index of entries as they are read from the files beside the pages.
func indexOf(t *testing.T, entries ...Entry) []byte {
	t.Helper()
	for i, entry := range entries {
		text, err := json.Marshal(entry)
		if err != nil {
			t.Fatal(err)
		}
		entries[i] = Entry{}
		if err := json.Unmarshal(text, &entries[i]); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(entry, entries[i]); diff != "" {
			t.Error(diff)
		}
	}
	out := t.TempDir()
	if err := WriteIndex(t.Context(), out, entries); err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join(out, IndexFile))
	if err != nil {
		t.Fatal(err)
	}
	checkSound(t, index)
	return index
}

// The index draws the numbers and the verdicts of the page, with the same alternative texts.
func TestPicturesOfTheIndex(t *testing.T) {
	page := fakePage()
	page.Studies[0].Result.Tables[0].Rows[0].Cells[0].Prediction = [2]float64{math.NaN(), math.NaN()}
	alternative := func(content []byte) (texts []string) {
		for _, e := range parse(t, content) {
			if label := e.attributes["aria-label"]; e.name == "svg" {
				texts = append(texts, label)
			}
		}
		return texts
	}
	have, onPage := alternative(indexOf(t, page.Entry())), alternative(htmlOf(t, page))
	// Three claims were judged under alternatives, and one of them in universes.
	const all = ": 1 reproduced, 1 inconclusive, 1 not reproduced"
	want := []string{
		onPage[0], "the study’s own" + all, "slack: beyond: 1 reproduced", "ties: index: 1 not reproduced",
		"readings: window=shrinking" + all, "readings: leftover=gap" + all, "readings: types=random" + all,
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Error(diff)
	}
}

// Each claim has its place in a strip: above the line, on it or below it.
func TestStrip(t *testing.T) {
	view := newStripsView(Matrix{Study: "s", Rows: []MatrixRow{{"a: b", "✓✓≈✗–○✓"}, {"c: d", "–––––––"}}})
	want := stripsView{Study: "s", Claims: 7, Rows: []stripView{
		{"a: b", 7, "3 ✓ 1 ≈ 1 ✗", "a: b: 3 reproduced, 1 inconclusive, 1 not reproduced", []marksView{
			{"yes", "M0 0h2v5h-2zM6 0h1v5h-1z"}, {"open", "M2 5h1v2h-1z"}, {"no", "M3 7h1v5h-1z"},
		}},
		{"c: d", 7, "", "c: d: no claim judged", nil},
	}}
	if diff := cmp.Diff(want, view); diff != "" {
		t.Error(diff)
	}
}

// An alternative that several experiments judge counts once, with the most comparisons; universes
// of several alternatives are summed up, each once, and the study's own is no alternative.
func TestMatrix(t *testing.T) {
	judged := func(experiment, label string, verdict analysis.Verdict, levels ...int) analysis.AssumptionJudgement {
		return analysis.AssumptionJudgement{Experiment: experiment,
			Universe: study.Universe{Label: label, Levels: levels}, Judgement: analysis.Judgement{Verdict: verdict}}
	}
	claim := func(verdict analysis.Verdict, under ...analysis.AssumptionJudgement) analysis.Claim {
		return analysis.Claim{Ours: analysis.Judgement{Verdict: verdict}, Assumptions: under}
	}
	more := judged("y", "both", analysis.NotReproduced, 1, 1)
	more.Comparisons = make([]analysis.Comparison, 2)
	study := Study{Title: "S", Result: &analysis.Result{Claims: []analysis.Claim{
		claim(analysis.Reproduced, judged("x", "default", analysis.NotReproduced, 0, 0),
			judged("x", "a: b", analysis.Reproduced, 1, 0), judged("y", "a: b", analysis.NotReproduced, 1, 0),
			judged("x", "both", analysis.Reproduced, 1, 1), more, judged("x", "c: e, a: b", analysis.Reproduced, 1, 2)),
		claim(analysis.Inconclusive),
		claim(analysis.Vacuous, judged("y", "c: d", analysis.NoValue, 0, 1), judged("y", "both", analysis.Reproduced, 1, 1)),
	}}}
	var views []claimView
	for i, c := range study.Result.Claims {
		c.Number = analysis.ClaimNumber(i + 1)
		views = append(views, newClaimView(0, c, study, nil, anchors{}))
	}
	view := newAssumptionsView(views, nil)
	signs := []string{strings.Join(view.Heads, " | ")}
	for _, row := range view.Rows {
		signs = append(signs, row.Claim.Number.String())
		for _, verdict := range row.Verdicts {
			signs[len(signs)-1] += " " + verdict.Sign
		}
	}
	page := []string{"default | a: b | c: d | combinations", "C1 ✗ ✓ – 1/2", "C3 ○ – ∅ 1/1"}
	if diff := cmp.Diff(page, signs); diff != "" {
		t.Error(diff)
	}
	want := &Matrix{"S", []MatrixRow{{"the study’s own", "✓○"}, {"a: b", "✓–"}, {"c: d", "–∅"}}}
	if diff := cmp.Diff(want, matrixOf(study)); diff != "" {
		t.Error(diff)
	}
	study.Result.Claims = study.Result.Claims[1:2]
	if m := matrixOf(study); m != nil {
		t.Errorf("without assumptions: %+v", m)
	}
}

// Papers without numbers, without assumptions and without any result have their sections, and texts
// from data stay text.
func TestIndexOfOddPapers(t *testing.T) {
	bare := fakePage()
	bare.Name = "bare"
	bare.Studies[0].Result = &analysis.Result{Claims: bare.Studies[0].Result.Claims[3:]}
	empty := fakePage()
	empty.Name, empty.Studies[0].Result = "empty", &analysis.Result{}
	index := indexOf(t, fakePage().Entry(), bare.Entry(), empty.Entry(), hostile().Entry())
	sections := strings.Split(string(index), "<section>")[1:]
	for i, want := range []string{"figures 1 tables 1", "figures 0 tables 0", "figures 0 tables 0", "figures 1 tables 2"} {
		section := sections[i]
		have := fmt.Sprintf("figures %d tables %d", strings.Count(section, "<figure"), strings.Count(section, "<table"))
		if have != want {
			t.Errorf("section %d: %s, want %s", i, have, want)
		}
	}
	if !strings.Contains(sections[1], "0 of 1 sentence of the paper reproduced, 1 not run.") ||
		!strings.Contains(sections[2], "The page has no claim and no published number.") {
		t.Errorf("%s\n%s", sections[1], sections[2])
	}
}

// Each main conclusion of the index links to its claim on the page of the paper.
func TestIndexLinksToClaims(t *testing.T) {
	page := twoStudies()
	content, entry := string(htmlOf(t, page)), page.Entry()
	index := string(indexOf(t, entry))
	for _, c := range entry.Conclusions {
		link := `<a href="coallocation/report.html#` + c.Anchor + `">`
		number, _, _ := strings.Cut(c.Anchor, "-")
		if anchor := `<h4 id="` + c.Anchor + `">` + number + ". " + c.Name; !strings.Contains(content, anchor) {
			t.Errorf("the page has no %s", anchor)
		}
		if !strings.Contains(index, link+c.Name) {
			t.Errorf("the index has no %s%s", link, c.Name)
		}
	}
	if n := len(entry.Conclusions); n != 4 || entry.Conclusions[0].Anchor == entry.Conclusions[n-1].Anchor {
		t.Errorf("conclusions %+v", entry.Conclusions)
	}
}

// A universe with the numbers of another one is in no count of universes; if it has one alternative
// that has an effect, it shows its verdict.
func TestUniversesWithoutEffect(t *testing.T) {
	universe := func(label, same string, verdict analysis.Verdict, levels ...int) analysis.AssumptionJudgement {
		return analysis.AssumptionJudgement{Experiment: "e", Universe: study.Universe{Label: label, Levels: levels},
			Judgement: analysis.Judgement{Verdict: verdict}, SameAs: same, NoEffect: same == "default"}
	}
	claim := analysis.Claim{Assumptions: []analysis.AssumptionJudgement{
		universe("default", "", analysis.Reproduced, 0, 0), universe("a: 1", "default", analysis.Reproduced, 1, 0),
		universe("b: 1", "", analysis.NotReproduced, 0, 1), universe("a: 1, b: 1", "b: 1", analysis.NotReproduced, 1, 1),
		universe("b: 2", "b: 1", analysis.NotReproduced, 0, 2),
	}}
	const counted = "Reproduced under 0 of 1 single alternative (3 more without numbers of their own)"
	if have := reproducedUnder(claim); have != counted {
		t.Error(have)
	}
	lacking := claim
	lacking.Assumptions = slices.Clone(claim.Assumptions)
	lacking.Assumptions[2].Verdict, lacking.Assumptions[2].OnLevelsRun = analysis.Inconclusive, analysis.Reproduced
	const onLevelsRun = "Reproduced under 0 of 1 single alternative, and on the levels that were run, which are not " +
		"all, under 1 more (3 more without numbers of their own)"
	if have := reproducedUnder(lacking); have != onLevelsRun {
		t.Error(have)
	}
	study := Study{Title: "S", Result: &analysis.Result{Claims: []analysis.Claim{claim}}}
	view := newClaimView(0, claim, study, nil, anchors{})
	if have := view.AssumptionsInWords(); have !=
		"no effect here in 1, not reproduced in 1, same as another universe in 2" {
		t.Error(have)
	}
	have := newAssumptionsView([]claimView{view}, nil).Rows[0].Verdicts
	if have[1].Sign != "=" || have[2].Sign != "✗" || have[3].Sign != "✗" {
		t.Errorf("%+v", have)
	}
	want := &Matrix{"S", []MatrixRow{{"the study’s own", "–"}, {"a: 1", "="}, {"b: 1", "✗"}, {"b: 2", "✗"}}}
	if diff := cmp.Diff(want, matrixOf(study)); diff != "" {
		t.Error(diff)
	}
}
