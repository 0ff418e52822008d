// Sentences of the page and the index: the line of the index, agreement, outputs that are left out.

package report

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"gridsweep/analysis"
)

// Entry returns the line of the index for the page.
func (p Page) Entry() Entry {
	e := Entry{Name: p.Name, Title: p.Heading(), Citation: p.Citation, Quick: p.Quick, Changed: p.Changed,
		Plans: map[string]string{}}
	var predicted []string
	var evidence analysis.Evidence
	var tables []analysis.Table
	for index, study := range p.Studies {
		e.Plans[study.Name] = study.Provenance.PlanChecksum
		tables = append(tables, study.Result.Tables...)
		if matrix := matrixOf(study); matrix != nil {
			e.Matrices = append(e.Matrices, *matrix)
		}
		e.Tables += len(study.Result.Tables)
		e.Figures += len(study.Result.Figures)
		e.Claims.add(study.Result.Claims)
		main, counts := conclusions(study.Result.Claims)
		e.Main.add(counts)
		for _, i := range main {
			claim := study.Result.Claims[i]
			anchor := claimAnchor(index, claim)
			e.Conclusions = append(e.Conclusions, Conclusion{anchor, claim.Name, claim.Doc, claim.Ours.Verdict, claim.Why()})
		}
		sentences := summaryOf(study.Result)
		if len(sentences) > 0 && len(p.Studies) > 1 {
			sentences[0] = study.Heading() + ": " + sentences[0]
		}
		e.Sentences = append(e.Sentences, sentences...)
		for _, table := range study.Result.Tables {
			for _, agreement := range table.Agreement {
				if agreement.Measured || agreement.Given || agreement.Cells == 0 {
					continue
				}
				evidence = evidence.Plus(agreement.Evidence)
				if what := comparedIn(table, agreement); what != "" {
					e.Compared = withNew(e.Compared, what)
				}
				predicted = withNew(predicted, table.Predicted())
			}
		}
	}
	e.Numbers = numbersOf(tables)
	e.Predicted = strings.Join(predicted, " or ")
	e.Cells, e.Inside = evidence.Cells, evidence.Inside
	e.Trivial, e.Repeated = evidence.Trivial, evidence.Repeated
	e.Computed, e.ComputedInside = evidence.Computed, evidence.ComputedInside
	e.Own, e.OwnInside = evidence.Own, evidence.OwnInside
	if deviation := evidence.Deviation(); !math.IsNaN(deviation) {
		e.InsideDeviation = deviation
	}
	return e
}

// Heading returns the titles of the page's studies, or the paper's name if there are none.
func (p Page) Heading() string {
	if len(p.Studies) == 0 {
		return p.Name
	}
	titles := make([]string, len(p.Studies))
	for i, study := range p.Studies {
		titles[i] = study.Heading()
	}
	return strings.Join(titles, "; ")
}

// Agreement returns in words how many published numbers agree with ours; empty if none is compared.
func (e Entry) Agreement() string {
	if e.Cells == 0 {
		return ""
	}
	predicted := cmp.Or(e.Predicted, "one run") // an entry of an earlier version has none
	text := fmt.Sprintf("%s of %s published numbers lie in our 95 %% prediction interval of %s", withCommas(e.Inside),
		withCommas(e.Cells), predicted)
	if e.InsideDeviation > 0 {
		text += fmt.Sprintf(" (standard deviation %.0f over seeds)", e.InsideDeviation)
	}
	var left []string
	if e.Trivial > 0 {
		left = append(left, withCommas(e.Trivial)+" that are 0 on both sides")
	}
	if e.Repeated > 0 {
		left = append(left, withCommas(e.Repeated)+" of runs that are counted already")
	}
	if len(left) > 0 {
		text += ", without " + strings.Join(left, " and ")
	}
	text += "."
	if e.Own > 0 {
		text += fmt.Sprintf(" Of our own single runs, each compared with the others in the same way, %.1f %% do.",
			100*float64(e.OwnInside)/float64(e.Own))
	}
	if e.Computed > 0 {
		compared := make([]string, len(e.Compared))
		for i, what := range e.Compared {
			compared[i] = english.PluralWord(e.Computed, what, "")
		}
		of := cmp.Or(english.WordSeries(compared, "and"), "comparisons")
		text += fmt.Sprintf(" Of %s %s of published numbers, counted in the same way, %s %s in ours.", withCommas(e.Computed),
			of, withCommas(e.ComputedInside), english.PluralWord(e.ComputedInside, "lies", "lie"))
	}
	return text
}

// comparedIn names the numbers of a column that are computed from published ones, such as
// "difference"; empty if there are none.
func comparedIn(table analysis.Table, a analysis.Agreement) string {
	if a.Evidence.Computed == 0 {
		return ""
	}
	i := slices.IndexFunc(table.Values, func(axis analysis.Axis) bool { return axis.Name == a.Metric })
	what, _, _ := strings.Cut(table.Values[i].Change, " ")
	return what
}

// withCommas returns a number with commas between thousands.
func withCommas(n int) string { return humanize.Comma(int64(n)) }

// LeftOut returns in words which outputs of the study the page leaves out, since their experiments
// were not selected; empty if there are none.
func (s Study) LeftOut() string {
	left := s.Result.LeftOut
	var counts []string
	for _, counted := range []struct {
		n     int
		thing string
	}{{left.Claims, "claim"}, {left.Tables, "table"}, {left.Figures, "figure"}} {
		if counted.n > 0 {
			counts = append(counts, english.Plural(counted.n, counted.thing, ""))
		}
	}
	if len(counts) == 0 {
		return ""
	}
	return fmt.Sprintf("Not selected: %s of %s (%s).", strings.Join(counts, ", "),
		english.Plural(len(left.Experiments), "experiment", ""), strings.Join(left.Experiments, ", "))
}

// linked is text around a link; Link is empty if the text has none.
type linked struct {
	Before, Link, Shown, After string
}

var linkPattern = regexp.MustCompile(`https?://[^\s<>"]+|\b10\.\d{4,9}/[^\s<>"]+`)

// linkIn finds the first URL or DOI in a text.
func linkIn(text string) linked {
	at := linkPattern.FindStringIndex(text)
	if at == nil {
		return linked{Before: text}
	}
	shown := strings.TrimRight(text[at[0]:at[1]], ".,;:)")
	link := shown
	if !strings.HasPrefix(link, "http") {
		link = "https://doi.org/" + link
	}
	return linked{Before: text[:at[0]], Link: link, Shown: shown, After: text[at[0]+len(shown):]}
}
