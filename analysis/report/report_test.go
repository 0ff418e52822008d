// Properties of the report page, parsed as XML: it is accessible and self-contained, shows every
// text of its data, keeps markup in data as text, and has contrasts by WCAG 2.

package report

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gridsweep/analysis"
	"gridsweep/analysis/effects"
	"gridsweep/analysis/statistics"
	"gridsweep/analysis/tabulate"
	"gridsweep/configs/language"
	"gridsweep/sweeps/study"
)

// element is an element of a page: its attributes, and the text in it.
type element struct {
	name       string
	attributes map[string]string
	text       string
}

// parse reads a page, whose HTML is also well-formed XML, into its elements in document order.
func parse(t *testing.T, page []byte) []*element {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(page))
	decoder.Entity = xml.HTMLEntity
	var all, open []*element
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: token.Name.Local, attributes: map[string]string{}}
			for _, a := range token.Attr {
				e.attributes[a.Name.Local] = a.Value
			}
			all, open = append(all, e), append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			for _, e := range open {
				e.text += string(token)
			}
		}
	}
}

func htmlOf(t *testing.T, page Page) []byte {
	t.Helper()
	content, _, err := HTML(t.Context(), page)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// assumptionsOf returns the document of a page about alternative assumptions.
func assumptionsOf(t *testing.T, page Page) []byte {
	t.Helper()
	_, content, err := HTML(t.Context(), page)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// Without published numbers no claim has a verdict on published tables.
func TestNoPublishedTables(t *testing.T) {
	page := fakePage()
	if content := string(htmlOf(t, page)); strings.Count(content, "ublished tables</") < 2 {
		t.Error("the page with published numbers has no verdicts on them")
	}
	page.Studies[0].HasPublished = false
	content := string(htmlOf(t, page))
	if strings.Contains(content, "ublished tables</") {
		t.Error("the page has verdicts on published tables")
	}
}

func twoStudies() Page {
	page := fakePage()
	page.Quick = true
	second := fakePage().Studies[0]
	second.Name, second.Title, second.Directory, second.Failures = "second", "Second study", "../second", nil
	page.Studies = append(page.Studies, second)
	return page
}

// hostile returns a page in which every text from data holds markup; words of fixed lists do not.
func hostile() Page {
	page := twoStudies()
	poison(reflect.ValueOf(&page).Elem())
	return page
}

const markup = `<script>alert(1)</script><img src=x onerror="x">&"'</style>`

func poison(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			poison(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() && field.Name != "Kind" {
				poison(v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			poison(v.Index(i))
		}
	case reflect.String:
		if v.Type() == reflect.TypeFor[string]() {
			v.SetString(markup + v.String())
		}
	}
}

// Pages with one study, two, hostile texts and no results are accessible and self-contained.
func TestPageIsSound(t *testing.T) {
	for name, page := range map[string]Page{
		"one study": fakePage(), "two studies": twoStudies(), "hostile": hostile(),
		"nothing": {Name: "empty", Studies: []Study{{Name: "empty", Result: &analysis.Result{}}}},
	} {
		t.Run(name, func(t *testing.T) { checkSound(t, htmlOf(t, page)) })
	}
}

// checkSound checks what a browser, a keyboard and a screen reader need: unique ids and labels,
// headings without gaps, captions, texts of pictures and links, no other script, no outside
// resources.
func checkSound(t *testing.T, content []byte) {
	t.Helper()
	elements := parse(t, content)
	ids, labels, headings := map[string]bool{}, map[string]bool{}, []int{}
	count := map[string]int{}
	for _, e := range elements {
		count[e.name]++
		if id, has := e.attributes["id"]; has {
			if ids[id] || id == "" || strings.ContainsAny(id, " \t") {
				t.Errorf("id %q is not unique or not valid", id)
			}
			ids[id] = true
		}
		if label, has := e.attributes["aria-label"]; has && e.name != "svg" {
			if labels[label] {
				t.Errorf("two regions are called %q", label)
			}
			labels[label] = true
		}
		if len(e.name) == 2 && e.name[0] == 'h' && e.name[1] >= '1' && e.name[1] <= '6' {
			headings = append(headings, int(e.name[1]-'0'))
		}
		switch {
		case e.name == "script" && e.text != scriptText:
			t.Errorf("a script: %q", e.text)
		case e.name == "th" && e.attributes["scope"] == "":
			t.Errorf("heading %q of a table has no scope", e.text)
		case e.name == "svg" && e.attributes["aria-label"] == "":
			t.Error("a picture has no alternative text")
		case e.name == "html" && e.attributes["lang"] != "en":
			t.Error("the page has no language")
		case (e.name == "a" || e.name == "summary") && strings.TrimSpace(e.text) == "":
			t.Errorf("a link or summary without text: %v", e.attributes)
		}
		for attribute := range e.attributes {
			if strings.HasPrefix(attribute, "on") {
				t.Errorf("%s has the handler %s", e.name, attribute)
			}
		}
	}
	// of the page, its pictures and their points
	if count["title"] != 1+count["svg"]+count["rect"] {
		t.Errorf("%d titles", count["title"])
	}
	for _, once := range []string{"h1", "main", "header"} {
		if count[once] != 1 {
			t.Errorf("%d elements %s", count[once], once)
		}
	}
	if count["caption"] != count["table"] {
		t.Errorf("%d tables have %d captions", count["table"], count["caption"])
	}
	for i := 1; i < len(headings); i++ {
		if headings[i] > headings[i-1]+1 {
			t.Errorf("heading %d: h%d follows h%d", i, headings[i], headings[i-1])
		}
	}
	checkReferences(t, elements, ids)
}

func checkReferences(t *testing.T, elements []*element, ids map[string]bool) {
	t.Helper()
	for _, e := range elements {
		if id := e.attributes["aria-labelledby"]; id != "" && !ids[id] {
			t.Errorf("%s is labelled by %q, which does not exist", e.name, id)
		}
		for _, attribute := range []string{"href", "src"} {
			link, has := e.attributes[attribute]
			if !has {
				continue
			}
			target, isAnchor := strings.CutPrefix(link, "#")
			switch {
			case isAnchor && !ids[target]:
				t.Errorf("link to %q, which does not exist", link)
			case isAnchor:
			case attribute == "href" && strings.HasPrefix(link, "https://doi.org/"):
			case strings.Contains(link, ":") || strings.HasPrefix(link, "/") || attribute == "src":
				t.Errorf("%s=%q needs a resource outside the page", attribute, link)
			}
		}
	}
}

func TestMarkupInDataStaysText(t *testing.T) {
	content := string(htmlOf(t, hostile()))
	if strings.Count(content, "<script>") != 1 || strings.Contains(content, "onerror=\"") {
		t.Error("markup in the data is markup of the page")
	}
	if strings.Count(content, "&lt;script&gt;") < 100 {
		t.Error("the page does not show markup in the data as text")
	}
}

// The page shows every number, text and picture of its data.
func TestEverythingIsShown(t *testing.T) {
	page := twoStudies()
	content := htmlOf(t, page)
	elements := parse(t, content)
	text, pictures, cells := elements[0].text, 0, 0
	beside := parse(t, assumptionsOf(t, page))[0].text
	for _, e := range elements {
		if e.name == "svg" {
			pictures++
		}
		if e.name == "b" {
			cells++
		}
	}
	wantCells, wantPictures := 0, 0
	var wanted []string
	for _, study := range page.Studies {
		// published numbers against ours, all in one unit
		wantPictures += len(study.Result.Figures) + 1
		for _, table := range study.Result.Tables {
			wanted = append(wanted, "Table "+table.Name+". "+table.Title, "RMSE 1.44", "−0.92 ± 0.31",
				table.Agreement[0].Denominators)
			for _, row := range table.Rows {
				for _, cell := range row.Cells {
					if cell != nil && cell.Published != nil {
						wantCells++
						wanted = append(wanted, tabulate.Printed(cell.Published), cell.Published.Note, "page "+cell.Published.Page,
							fmt.Sprintf("[%s, %s]", tabulate.Number(cell.Prediction[0], 2), tabulate.Number(cell.Prediction[1], 2)))
					}
				}
			}
		}
		for _, claim := range study.Result.Claims {
			wanted = append(wanted, claim.Name, claim.Doc, claim.Source, claim.Test, claim.Ours.Note)
			for _, c := range claim.Ours.Comparisons {
				wanted = append(wanted, strings.Join(c.Labels, ", "), c.What,
					tabulate.Estimate(c.Margin)+" "+signOf(c.Margin, c.Clear, 0))
			}
			for _, assumption := range claim.Assumptions {
				if !strings.Contains(beside, assumption.Label) {
					t.Errorf("the file beside the page does not show %q", assumption.Label)
				}
			}
		}
		for _, p := range study.Parameters {
			wanted = append(wanted, p.Name, p.Doc, p.Unit)
		}
		for _, checksum := range []string{
			study.Provenance.StudyHash, study.Provenance.PlanChecksum, study.Provenance.DatasetDigest,
		} {
			wanted = append(wanted, shortened(checksum))
		}
		for _, f := range study.Failures {
			wanted = append(wanted, f.ID, f.Error, f.Command)
		}
	}
	wanted = append(wanted, "Quick run.",
		"2 of 8 sentences of the paper reproduced, 2 inconclusive, 2 not reproduced, 2 not run.",
		"188 of 280 published numbers", "of one run, without 12 that are 0 on both sides and 20 of runs",
		"2 sentences can also be judged", "where 0 hold",
		"2.3 ± 0.6 percentage points",
		"7 of 10", "23 of 34", page.Command, page.Version, page.Commit, "with uncommitted changes", page.Machine,
		"1 failed run and 1 warning", "✓ reproduced", "✗ not reproduced", "≈ inconclusive", "– not run", "clearly fails")
	for _, want := range wanted {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not show %q", want)
		}
	}
	if cells != wantCells || pictures != wantPictures {
		t.Errorf("%d published numbers and %d pictures, want %d and %d", cells, pictures, wantCells, wantPictures)
	}
}

// The sections of the page follow one another from the summary to the provenance.
func TestOrder(t *testing.T) {
	text := parse(t, htmlOf(t, fakePage()))[0].text
	at := strings.Index(text, "Skip to the report")
	for _, heading := range []string{"1 of 4 sentences of the paper reproduced", "1 of 2 main conclusions reproduced",
		"Published numbers against ours", "Each row is a claim", "Evidence of claim C2",
		"Evidence of claim C1", "Evidence of claim C3", "Evidence of claim C4",
		"Statements of the paper without a verdict", "the thesis has no log",
		"Table A.1.", "Table A.2.", "Figure 4-1.", "Parameters of", "Experiments of", "simulate: no event",
		"Digest of the data"} {
		next := strings.Index(text, heading)
		if next <= at {
			t.Errorf("%q is at %d, want it after %d", heading, next, at)
		}
		at = next
	}
}

// The first section names the main conclusions, the reasons of failures and the universes.
func TestOverview(t *testing.T) {
	page := fakePage()
	result := page.Studies[0].Result
	result.Claims[2].Origin, result.Claims[3].Origin = language.OfReading, language.OfOurs
	content := htmlOf(t, page)
	text := parse(t, content)[0].text + parse(t, assumptionsOf(t, page))[0].text
	for _, want := range []string{
		"1 of 2 sentences of the paper reproduced, 1 not reproduced. 0 of 1 second reading reproduced, 1 inconclusive. " +
			"0 of 1 claim of ours reproduced, 1 not run.",
		"1 of 2 main conclusions reproduced, 1 not reproduced.",
		"Of 1 sentence of the paper that is not reproduced: 1 reproduced under an alternative assumption.",
		"The mean difference of ours to the published numbers is other than 0 for 2 quantities of tables; it is " +
			"largest against " +
			"its interval in Table A.1, blocking, −0.92 ± 0.31 points (52 of 78 inside; " +
			"most in 1B,1H −2.1 ± 0.4, 1A,1E −1.00 ± 0.30); Table A.2",
		"Not as printed: laxity is 5 (printed: 2). Chosen, as the paper prints no single value: types is nested. " +
			"The reasons are below.",
		"laxity is 5; the paper prints 2 (Table 4-1). Why: the default rows are those of L = 5.",
		"types is nested; the paper prints no single value (section 3.2). Why: others block less.",
		"In the 2 universes of “open” from 52 (default) to 70 of 78 (slack: beyond) published numbers lie in our " +
			"prediction intervals; by default 52.",
		"Reproduced under slack: beyond. Mean margin 2.3 ± 0.6 percentage points; 7 of 10 comparisons " +
			"hold. Reproduced " +
			"under 1 of 2 single alternatives and 1 of 1 pair. Hinges on slack: beyond (in 2 of 2 pairs of universes).",
		"Mean margin 2.3 ± 0.6 percentage points, paper 2.3 ± 0.6; 7 of 10 comparisons hold.",
		"Least squares of the mean margin on the levels over 4 universes", "2 of 2", "1/1",
		"Section 3.1", "Section 4.2.1", "Section 10", "Claims without a section", "second reading", "not the paper’s",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	checkSound(t, content)
}

// Alternatives that several experiments judge count once, and an experiment of which none counts is
// not named.
func TestUniversesOfSeveralExperiments(t *testing.T) {
	page := fakePage()
	claim := &page.Studies[0].Result.Claims[1]
	again := claim.Universes[0]
	again.Experiment = "again"
	for _, j := range again.Judgements {
		j.Experiment = again.Experiment
		j.MeanMargin.N++
		claim.Assumptions = append(claim.Assumptions, j)
	}
	claim.Universes = append(claim.Universes, again)
	want := "Reproduced under 1 of 2 single alternatives and 1 of 1 pair. Hinges on slack: beyond (in 2 of 2 pairs of " +
		"universes). Judged in “again” on "
	if text := parse(t, htmlOf(t, page))[0].text; !strings.Contains(text, want) {
		t.Errorf("the page does not have %q", want)
	}
}

// Where the default of an experiment has another verdict than the study, the line says so before it
// counts universes, and once.
func TestOtherDefaultIsSaidFirst(t *testing.T) {
	const other = "In “open”, on 7 of 10 comparisons, the default gives: inconclusive. "
	const counts = "Reproduced under 1 of 2 single alternatives and 1 of 1 pair. Hinges on slack: beyond (in 2 of 2 " +
		"pairs of universes)."
	for reason, want := range map[string]string{
		"Reproduced under ties: index":         "comparisons hold. " + other + counts,
		other + "Reproduced under ties: index": "comparisons hold. " + counts,
	} {
		page := fakePage()
		claim := &page.Studies[0].Result.Claims[1]
		claim.Assumptions[3].Judgement = judgement(analysis.Inconclusive, 7, 4)
		claim.Reason.Text = reason
		if strings.HasPrefix(reason, other) {
			claim.Reason.OtherDefault = "open"
		}
		if text := parse(t, htmlOf(t, page))[0].text; !strings.Contains(text, want) {
			t.Errorf("after %q the page does not have %q", reason, want)
		}
	}
}

// Experiments with the same default are said once, and how much they are judged on with the
// claim alone.
func TestOtherDefaultIsSaidOnce(t *testing.T) {
	page := fakePage()
	claim := &page.Studies[0].Result.Claims[1]
	claim.Assumptions[3].Judgement = judgement(analysis.Inconclusive, 7, 4)
	addExperiment(claim, "again", claim.Assumptions[3].Judgement)
	text := parse(t, htmlOf(t, page))[0].text
	const other = "on 7 of 10 comparisons, the default gives: inconclusive"
	said, others := strings.Count(text, "In “open”, "+other), strings.Count(text, "In “again”, ")
	if said != 2 || others > 0 {
		t.Errorf("said %d times, and %d times of the other experiment", said, others)
	}
	if n := strings.Count(text, "Judged in “again” on 7 of 10 comparisons."); n != 1 {
		t.Errorf("%d times on how much the claim is judged", n)
	}
}

// The default of an experiment that judges all comparisons is another one than that of an
// experiment that judges some, with the same verdict.
func TestOtherDefaultsOfOtherExtents(t *testing.T) {
	page := fakePage()
	claim := &page.Studies[0].Result.Claims[1]
	claim.Assumptions[3].Judgement = judgement(analysis.Inconclusive, 7, 4)
	whole := claim.Ours
	whole.Verdict = analysis.Inconclusive
	addExperiment(claim, "again", whole)
	const want = "In “open”, on 7 of 10 comparisons, the default gives: inconclusive. " +
		"In “again” the default gives: inconclusive. "
	if text := parse(t, htmlOf(t, page))[0].text; !strings.Contains(text, want) {
		t.Errorf("the page does not have %q", want)
	}
}

// addExperiment adds an experiment that has the same judgement by default and in one universe.
func addExperiment(claim *analysis.Claim, name string, judgement analysis.Judgement) {
	e := analysis.Robustness{Experiment: name, Changes: effects.Compare(nil, nil), Effects: effects.New(nil).Fit(nil)}
	for _, levels := range [][]int{{0, 0}, {1, 2}} {
		e.Judgements = append(e.Judgements, analysis.AssumptionJudgement{Experiment: name,
			Universe: study.Universe{Label: name, Levels: levels}, Judgement: judgement})
	}
	claim.Assumptions, claim.Universes = append(claim.Assumptions, e.Judgements...), append(claim.Universes, e)
}

// A reason that counts the universes is not followed by their number again.
func TestUniversesAreCountedOnce(t *testing.T) {
	for _, class := range []analysis.ReasonClass{analysis.ClassAssumption, analysis.ClassUnexplained} {
		page := fakePage()
		for i := range page.Studies[0].Result.Claims {
			if c := &page.Studies[0].Result.Claims[i]; c.Reason != nil {
				c.Reason.Class = class
			}
		}
		again := strings.Contains(parse(t, htmlOf(t, page))[0].text, "Reproduced under 1 of 2 single")
		if again != (class != analysis.ClassUnexplained) {
			t.Errorf("%s: the number of universes after the reason: %t", class, again)
		}
	}
}

// The published numbers are drawn against ours in a figure for each unit, without inputs of the
// study and measured times.
func TestAgainst(t *testing.T) {
	tables := fakePage().Studies[0].Result.Tables
	figures := against(numbersOf(tables))
	if len(figures) != 1 || len(figures[0].Panels[0].Series) != 2 || len(figures[0].Panels[0].Series[0].Points) != 78 ||
		!figures[0].Diagonal || *figures[0].RangeX != *figures[0].RangeY {
		t.Fatalf("%+v", figures)
	}
	tables[0].Given, tables[1].Agreement[0].Measured = true, true
	if figures := against(numbersOf(tables)); len(figures) > 0 {
		t.Errorf("%d figures of inputs and times", len(figures))
	}
	wide := fakePage().Studies[0].Result.Tables[:1]
	wide[0].Rows[0].Cells[0].Published.Value = 5000
	if f := against(numbersOf(wide))[0]; !f.LogX || !f.LogY {
		t.Error("numbers over three decades have no logarithmic axes")
	}
	far := []TableNumbers{{"1", []PublishedNumber{{Published: -10, Ours: -12}, {Published: 10, Ours: 11}, {Ours: 900}}}}
	figures = against([]Numbers{{Unit: "s", Tables: far}, {Unit: "%", Tables: far}})
	if f := figures[0]; *f.RangeX != *f.RangeY || f.RangeY[0] > -12 || f.RangeY[1] < 11 || f.RangeY[1] > 40 ||
		f.Title != "Numbers of time" {
		t.Errorf("%s, %v, %s", f.Title, *f.RangeY, f.Caption)
	}
	if f := figures[1]; f.Title != "Numbers in %" ||
		!strings.HasPrefix(f.Caption, "1 of 3 values lies outside the limits") {
		t.Errorf("%s, %s", f.Title, f.Caption)
	}
}

// The numbers of more than five tables are drawn in pairs of tables, each with axes of its own.
func TestAgainstInPairs(t *testing.T) {
	var tables []TableNumbers
	for i := range 7 {
		tables = append(tables, TableNumbers{fmt.Sprint(i + 1), []PublishedNumber{{Published: float64(100 * i), Ours: 7}}})
	}
	var titles []string
	figures := against([]Numbers{{Unit: "%", Tables: tables}, {Unit: "h", Tables: tables[:5]}})
	for _, f := range figures {
		titles = append(titles, f.Title)
	}
	want := []string{
		"Numbers in %: Tables 1 and 2", "Numbers in %: Tables 3 and 4",
		"Numbers in %: Tables 5 and 6", "Numbers in %: Table 7",
		"Numbers in h",
	}
	if diff := cmp.Diff(want, titles); diff != "" {
		t.Error(diff)
	}
	if first, second := figures[0], figures[1]; first.RangeX[1] > 150 || second.RangeX[1] < 300 {
		t.Errorf("%v, %v", *first.RangeX, *second.RangeX)
	}
}

// Every verdict other than reproduced has its reason in one line.
func TestWhy(t *testing.T) {
	page := fakePage()
	claims := page.Studies[0].Result.Claims
	claims[0].Ours.Verdict, claims[0].Ours.Unmet = analysis.Vacuous, `presupposes "another", which is inconclusive`
	claims[2].Ours.Needed = 340
	claims[1].Ours.Verdict, claims[1].Reason = analysis.Inconclusive, nil
	claims[1].Ours.Undecidable = "No number of replications would decide it, since its statistic has no interval"
	claims[1].Ours.Steps = "3 of 4 steps rise, 1 falls"
	text := parse(t, htmlOf(t, page))[0].text
	for _, want := range []string{
		`It presupposes "another", which is inconclusive. Mean margin`, "About 340 replications would decide it. Mean",
		"No number of replications would decide it, since its statistic has no interval. Mean",
		"; 7 of 10 comparisons hold (3 of 4 steps rise, 1 falls).", "Experiment reference has no rows.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
}

// hashOf returns another number for each label.
func hashOf(label string) uint64 {
	sum := uint64(0)
	for _, c := range label {
		sum = 131*sum + uint64(c)
	}
	return sum
}

// Universes of many alternatives are counted and not named. Those of equal numbers are one.
func TestRangeOver(t *testing.T) {
	universe := func(inside int, label string, levels ...int) analysis.UniverseAgreement {
		return analysis.UniverseAgreement{Universe: study.Universe{Label: label, Levels: levels}, Cells: 9, Inside: inside,
			Numbers: hashOf(label)}
	}
	got := rangeOver(analysis.Agreements{Experiment: "x", Universes: []analysis.UniverseAgreement{
		universe(5, "default", 0, 0, 0, 0, 0), universe(7, "a: b, …", 1, 1, 2, 1, 0), universe(3, "c: d", 0, 0, 0, 0, 1),
	}})
	if want := "In the 3 universes of “x” from 3 (c: d) to 7 of 9 (a universe of 4 alternatives) published numbers lie " +
		"in our prediction intervals; by default 5."; got != want {
		t.Error(got)
	}
	equal := []analysis.UniverseAgreement{
		universe(5, "c: d", 0, 1), universe(5, "default", 0, 0), universe(3, "a: b", 1, 0),
	}
	equal[0].Numbers = equal[1].Numbers
	both := universe(3, "a: b, c: d", 1, 1)
	both.Numbers = equal[2].Numbers
	equal = append(equal, both)
	got = rangeOver(analysis.Agreements{Experiment: "x", Universes: equal})
	if want := "In the 2 universes of “x” from 3 (a: b) to 5 of 9 (default) published numbers lie in our prediction " +
		"intervals; by default 5; c: d has the numbers of default in every replication; 1 more has the numbers of " +
		"one of these in every replication."; got != want {
		t.Error(got)
	}
	same := []analysis.UniverseAgreement{universe(5, "default", 0), universe(5, "a: b", 1), universe(5, "c: d", 2)}
	for count, want := range map[int]string{2: "both", 3: "all 3"} {
		got := rangeOver(analysis.Agreements{Experiment: "x", Universes: same[:count]})
		if want = "In " + want + " universes of “x” 5 of 9 published numbers lie in our prediction intervals."; got != want {
			t.Error(got)
		}
	}
}

// Groups of claims are in the order of the sections.
func TestCompareSections(t *testing.T) {
	sections := []string{"", "10", "4.2", "4.10.1", "4.2.1", "3"}
	slices.SortFunc(sections, compareSections)
	if have := strings.Join(sections, " "); have != "3 4.2 4.2.1 4.10.1 10 " {
		t.Error(have)
	}
}

// The page has the banner "Quick run." if and only if the run was quick.
func TestQuickBanner(t *testing.T) {
	page := fakePage()
	if strings.Contains(string(htmlOf(t, page)), "Quick run.") {
		t.Error("a full run has the banner")
	}
	page.Quick = true
	if !strings.Contains(string(htmlOf(t, page)), "Quick run.") {
		t.Error("a quick run has no banner")
	}
}

// The page and the index name settings that differ from those of the study.
func TestChangedSettings(t *testing.T) {
	page := fakePage()
	if strings.Contains(string(htmlOf(t, page)), "Changed settings.") {
		t.Error("a page without changed settings has the banner")
	}
	for _, page.Quick = range []bool{false, true} {
		page.Changed = "--set requests=500"
		text := string(htmlOf(t, page))
		if !strings.Contains(text, "Changed settings.") || !strings.Contains(text, "<code>--set requests=500</code>") {
			t.Errorf("quick %t: the page does not name the changed settings", page.Quick)
		}
		if strings.Contains(text, "Quick run.") != page.Quick {
			t.Errorf("quick %t: wrong banner", page.Quick)
		}
	}
	out := t.TempDir()
	if err := WriteIndex(t.Context(), out, []Entry{page.Entry()}); err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join(out, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(index, []byte("changed: <code>--set requests=500</code>")) {
		t.Error("the index does not name the changed settings")
	}
}

// Wall-clock times depend on the machine: their table shows its count, the summary does not add it.
func TestMeasuredTimesAreNotCounted(t *testing.T) {
	page := fakePage()
	page.Studies[0].Result.Tables[1].Agreement[0].Measured = true
	if entry := page.Entry(); entry.Cells != 70 || entry.Inside != 47 {
		t.Errorf("%d of %d, want the 47 of 70 of the other table", entry.Inside, entry.Cells)
	}
	if text := string(htmlOf(t, page)); strings.Count(text, "52 of 78 published values") != 2 {
		t.Error("a table lost its count")
	}
}

// A claim with near has the size of what it compares beside that of the paper.
func TestEffectOfNear(t *testing.T) {
	page := fakePage()
	claim := &page.Studies[0].Result.Claims[2]
	near := -7.86
	claim.Near, claim.ValueUnit = &near, "points"
	claim.Ours.MeanValue = &statistics.Estimate{Value: -6.31, Low: -6.43, High: -6.19, N: 10, SD: 0.2}
	if text := parse(t, htmlOf(t, page))[0].text; !strings.Contains(text,
		"Mean value −6.31 ± 0.12 points, claimed −7.86; 7 of 10 comparisons hold.") {
		t.Error("no value beside the claimed one")
	}
	value := statistics.Point(-7.9)
	claim.Published = &analysis.Judgement{
		Verdict: analysis.Reproduced, MeanValue: &value, MeanMargin: statistics.Point(1.96), Shared: 10}
	if text := parse(t, htmlOf(t, page))[0].text; !strings.Contains(text,
		"Mean value −6.31 ± 0.12 points, paper −7.9; 7 of 10 comparisons hold.") {
		t.Error("no value beside the published one")
	}
}

// Counts have commas between thousands.
func TestCountsOfAgreement(t *testing.T) {
	entry := Entry{Cells: 2001, Inside: 1234, Computed: 1599, ComputedInside: 1020, Predicted: "one run",
		Compared: []string{"difference", "ratio"}}
	const want = "1,234 of 2,001 published numbers lie in our 95 % prediction interval of one run. " +
		"Of 1,599 differences and ratios of published numbers, counted in the same way, 1,020 lie in ours."
	if have := entry.Agreement(); have != want {
		t.Errorf("%q, want %q", have, want)
	}
}

// The summary does not count inputs of the study, which agree by construction, and the page tells
// whether a prediction interval is of one run or of a mean.
func TestGivenNumbersAreNotCounted(t *testing.T) {
	page := fakePage()
	given, means := &page.Studies[0].Result.Tables[0], &page.Studies[0].Result.Tables[1]
	given.Given, given.Agreement[0].Given, means.MeanOf = true, true, 50
	text := string(htmlOf(t, page))
	for _, want := range []string{
		"47 of 70 published numbers lie in our 95 % prediction interval of a mean of 50 runs, without 3 that",
		"52 of 78 published values lie in our 95 % prediction interval of a mean of 50 runs; bias",
		"; the 95 % prediction interval of a mean of 50 runs.\n",
		"blocking: the published values are inputs of the study, which are no evidence; 52 of 78 equal ours.",
		"the paper’s number, an input of the study; ours", "✗ ours differs",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	given.Given, given.Agreement[0].Given = false, false
	if have := page.Entry().Agreement(); !strings.Contains(have, "interval of one run or a mean of 50 runs, without") {
		t.Errorf("both together: %q", have)
	}
}

// The page distinguishes numbers without a value in any replication from those that were not run.
func TestGapsAreShown(t *testing.T) {
	page := fakePage()
	result := page.Studies[0].Result
	cells := result.Tables[0].Rows[3].Cells
	cells[0].Ran, cells[1].Ran = 25, 25
	cells[1].Ours, cells[2].Ours = statistics.Mean.Estimate(nil), statistics.Mean.Estimate(nil)
	result.Claims[2].Ours = analysis.Judgement{Verdict: analysis.NoValue,
		Note: "no value in any of 25 replications: makespan"}
	result.Claims[0].Assumptions[1].Gaps = []string{"value in 23 of 25 replications: makespan, provisioned"}
	content := htmlOf(t, page)
	text := parse(t, content)[0].text
	for _, want := range []string{"in 10 of 25 replications", "no value in any of 25 replications", "not run",
		"∅ no value", "no value in any of 25 replications: makespan",
		"✗*", "1 without a value, 1 not run."} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not show %q", want)
		}
	}
	if want := "8 of 10 value in 23 of 25 replications: makespan, provisioned"; !strings.Contains(
		parse(t, assumptionsOf(t, page))[0].text, want) {
		t.Errorf("the file beside the page does not show %q", want)
	}
	checkSound(t, assumptionsOf(t, page))
	checkSound(t, content)
}

func TestEqualPagesGiveEqualBytes(t *testing.T) {
	if !bytes.Equal(htmlOf(t, twoStudies()), htmlOf(t, twoStudies())) {
		t.Error("two pages of the same data differ")
	}
}

// Write writes no file if its context is done.
func TestWriteIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	out := t.TempDir()
	page := fakePage()
	if err := Write(ctx, out, page); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(filepath.Join(out, page.Name)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder exists, or %v", err)
	}
}

func TestUnknownKindOfFigure(t *testing.T) {
	page := fakePage()
	page.Studies[0].Result.Figures[0].Kind = "pie"
	if err := Write(t.Context(), t.TempDir(), page); err == nil || !strings.Contains(err.Error(), `"pie"`) {
		t.Errorf("error %v", err)
	}
}

func TestWrite(t *testing.T) {
	out := t.TempDir()
	page := fakePage()
	if err := Write(t.Context(), out, page); err != nil {
		t.Fatal(err)
	}
	second := Entry{Name: "multisite", Title: markup}
	if err := WriteIndex(t.Context(), out, []Entry{page.Entry(), second}); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(filepath.Join(out, "coallocation", "report.html"))
	if err != nil || !bytes.Equal(written, htmlOf(t, page)) {
		t.Errorf("page of %d bytes, %v", len(written), err)
	}
	index, err := os.ReadFile(filepath.Join(out, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	elements := parse(t, index)
	links := ""
	for _, e := range elements {
		if e.name == "a" {
			links += " " + e.attributes["href"]
		}
	}
	if !strings.Contains(links, " coallocation/report.html") || !strings.Contains(links, " multisite/report.html") {
		t.Errorf("links %s", links)
	}
	checkSound(t, index)
	text := elements[0].text
	for _, want := range []string{"1 of 4 sentences of the paper reproduced", "Published numbers in our interval",
		"✓ reproduced\n1C best, 1A worst", "Of 1 sentence of the paper that is not reproduced",
		"The mean difference of ours"} {
		if !strings.Contains(text, want) {
			t.Errorf("the index does not have %q", want)
		}
	}
}

// The rules beside a page are a document whose links to its sections are valid, and link back.
func TestRulesBesideThePage(t *testing.T) {
	out, page := t.TempDir(), fakePage()
	if err := Write(t.Context(), out, page); err != nil {
		t.Fatal(err)
	}
	rules, err := os.ReadFile(filepath.Join(out, page.Name, "statistics.html"))
	if err != nil {
		t.Fatal(err)
	}
	elements, ids, count := parse(t, rules), map[string]bool{}, map[string]int{}
	for _, e := range elements {
		count[e.name]++
		ids[e.attributes["id"]] = true
	}
	checkReferences(t, elements, ids)
	if count["table"] < 5 || count["h1"] != 1 || !strings.Contains(elements[0].text, page.Heading()) {
		t.Errorf("%d tables, %d titles, %q", count["table"], count["h1"], elements[0].text[:200])
	}
}

func TestIndexWithoutPages(t *testing.T) {
	out := t.TempDir()
	if err := WriteIndex(t.Context(), out, nil); err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join(out, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	checkSound(t, index)
}

func TestEntry(t *testing.T) {
	if alone, none := fakePage().Heading(), (Page{Name: "paper"}).Heading(); alone != "Co-allocation" || none != "paper" {
		t.Errorf("headed %q and %q", alone, none)
	}
	got := twoStudies().Entry()
	var verdicts []analysis.Verdict
	for _, c := range got.Conclusions {
		verdicts = append(verdicts, c.Verdict)
	}
	want := []analysis.Verdict{analysis.Reproduced, analysis.NotReproduced, analysis.Reproduced, analysis.NotReproduced}
	if !slices.Equal(verdicts, want) {
		t.Errorf("the main conclusions are %v, want %v", verdicts, want)
	}
	if !slices.ContainsFunc(got.Sentences, func(s string) bool { return strings.HasPrefix(s, "The mean difference") }) {
		t.Errorf("no sentence tells the bias: %q", got.Sentences)
	}
	if len(got.Numbers) != 1 || len(got.Matrices) != 2 || got.Matrices[1].Study != "Second study" {
		t.Errorf("numbers %+v, matrices %+v", got.Numbers, got.Matrices)
	}
	checksum := fakePage().Studies[0].Provenance.PlanChecksum
	if want := map[string]string{"coallocation": checksum, "second": checksum}; !maps.Equal(got.Plans, want) {
		t.Errorf("plans %v, want %v", got.Plans, want)
	}
	got.Conclusions, got.Sentences, got.Numbers, got.Matrices, got.Plans = nil, nil, nil, nil, nil
	entry := Entry{Name: "coallocation", Title: "Co-allocation; Second study", Citation: fakePage().Citation,
		Quick: true, Claims: Verdicts{Paper: Counts{2, 2, 2, 2, 0, 0}, Judging: 8},
		Main:  Counts{Reproduced: 2, NotReproduced: 2},
		Cells: 280, Inside: 188, Trivial: 12, Repeated: 20, Predicted: "one run", Tables: 4, Figures: 4}
	if diff := cmp.Diff(entry, got); diff != "" {
		t.Error(diff)
	}
}

// linkIn finds a URL or a DOI in a citation and splits the text around it.
func TestLinkIn(t *testing.T) {
	for _, c := range []struct{ text, link, shown string }{
		{"no link at all, 2011.", "", ""},
		{"A thesis. https://example.org/a?b=1.", "https://example.org/a?b=1", "https://example.org/a?b=1"},
		{"A paper, doi 10.1000/182, 2010", "https://doi.org/10.1000/182", "10.1000/182"},
		{"see (http://example.org/x)", "http://example.org/x", "http://example.org/x"},
	} {
		got := linkIn(c.text)
		if got.Link != c.link || got.Shown != c.shown || got.Before+got.Shown+got.After != c.text {
			t.Errorf("link in %q: %+v", c.text, got)
		}
	}
}

// Every colour of text has a contrast of at least 4.5 to each of its backgrounds, in light and in
// dark.
func TestContrast(t *testing.T) {
	schemes := regexp.MustCompile(`(?s):root \{(.*?)\}`).FindAllStringSubmatch(styleText, -1)
	if len(schemes) != 2 {
		t.Fatalf("%d colour schemes", len(schemes))
	}
	for _, scheme := range schemes {
		colour := map[string]string{}
		for _, m := range regexp.MustCompile(`--([\w-]+): (#\w+)`).FindAllStringSubmatch(scheme[1], -1) {
			colour[m[1]] = m[2]
		}
		texts := map[string][]string{"page": {"none", "warn"}, "yes-back": {"yes"}, "no-back": {"no"}, "open-back": {"open"}}
		for _, background := range []string{"page", "head", "panel", "warn-back", "yes-back", "no-back", "open-back"} {
			for _, text := range append(texts[background], "ink", "soft", "link") {
				if c := contrast(t, colour[text], colour[background]); c < 4.5 {
					t.Errorf("%s on %s: contrast %.2f", text, background, c)
				}
			}
		}
	}
}

// contrast returns the contrast ratio of two colours by WCAG 2.
func contrast(t *testing.T, a, b string) float64 {
	light, dark := luminance(t, a), luminance(t, b)
	if light < dark {
		light, dark = dark, light
	}
	return (light + 0.05) / (dark + 0.05)
}

func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	digits := strings.TrimPrefix(colour, "#")
	if len(digits) == 3 {
		digits = digits[:1] + digits[:1] + digits[1:2] + digits[1:2] + digits[2:] + digits[2:]
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		value, err := strconv.ParseUint(digits[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatalf("colour %q: %v", colour, err)
		}
		share := float64(value) / 255
		if share <= 0.04045 {
			share /= 12.92
		} else {
			share = math.Pow((share+0.055)/1.055, 2.4)
		}
		sum += weight * share
	}
	return sum
}

func TestDescribe(t *testing.T) {
	got := describe(figure("4-1", 2))
	for _, want := range []string{"Line chart", "B: blocking ratio", "(%)", "λ: arrival rate of requests (1/min)",
		"2 series",
		"1A,1E from 23.3 to 85.5", "1B,1E from", "published"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q does not have %q", got, want)
		}
	}
}

func TestDescribeTwoAxes(t *testing.T) {
	f := figure("4-1", 2)
	f.Right = &analysis.Axis{Name: "cost", Unit: "SU"}
	const want = "B: blocking ratio, rejected requests of all (%) and, on the right axis, cost (SU) over λ"
	if got := describe(f); !strings.Contains(got, want) {
		t.Errorf("%q does not have %q", got, want)
	}
}

func TestDescribeGantt(t *testing.T) {
	got := describe(analysis.Figure{Kind: "gantt", X: analysis.Axis{Name: "start to end", Unit: "s"},
		Y: analysis.Axis{Name: "processor"},
		Panels: []analysis.Panel{{Series: []analysis.Series{{Label: "chosen", Points: make([]analysis.Point, 2)},
			{Label: "task"}}}}})
	if want := "Gantt chart of processor over start to end (s). 2 series: chosen with 2 rectangles; task with 0 " +
		"rectangles."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Notes name the studies of the paper that are not on the page, and those without the settings of
// its banner.
func TestNotesOnStudies(t *testing.T) {
	page := twoStudies()
	page.Changed = "--set laxity=2"
	page.Studies[1].NotApplied = page.Changed
	page.Absent = []Absent{{Heading: "Third study", Why: "has not been run", Command: "gridsweep reproduce both/third"}}
	var notes []string
	for _, e := range parse(t, htmlOf(t, page)) {
		if e.name == "p" && e.attributes["class"] == "note" {
			notes = append(notes, e.text)
		}
	}
	for _, want := range []string{
		"Second study has the settings of its study, not --set laxity=2.",
		"Not on this page: Third study (has not been run). gridsweep reproduce both/third adds it.",
	} {
		if !slices.Contains(notes, want) {
			t.Errorf("no note %q among %q", want, notes)
		}
	}
}

// The legend of a table names the statistic of its numbers, unless it is the mean.
func TestLegendNamesTheStatistic(t *testing.T) {
	page := fakePage()
	page.Studies[0].Result.Tables[0].Statistics = []statistics.Statistic{statistics.Trimmed}
	want := "ours (trimmed: the mean without the best and the worst replication) over"
	if !strings.Contains(string(htmlOf(t, page)), want) {
		t.Errorf("no legend has %q", want)
	}
}
