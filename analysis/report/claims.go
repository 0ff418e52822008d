// Claims for the template of the page: verdicts with their reasons and evidence, by section.

package report

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dustin/go-humanize/english"

	"gridsweep/analysis"
	"gridsweep/analysis/statistics"
	"gridsweep/analysis/tabulate"
	"gridsweep/configs/language"
)

// claimView is a claim as the template shows it.
type claimView struct {
	analysis.Claim
	ID              string
	Anchor          string // of the heading
	Verdict         badge
	ReasonAndEffect string // the verdict's reason and the size of the effect, in one line
	Under           string // under which alternatives it is reproduced; may be empty
	OriginText      string // origin of a second reading or claim of ours, in words; else empty
	SentenceText    string // the sentence that others judge too, with the verdict on it; else empty
	JudgedOn        string // on how much of the evidence alternatives are judged; may be empty
	Robustness      []robustnessView
	Compared        *comparisonsView
	HasPublished    bool // whether the study has published numbers
	Links           experimentLinks
}

// badge is a verdict as a sign, a word and a class of the style sheet.
type badge struct{ Sign, Word, Class string }

var badges = map[analysis.Verdict]badge{
	analysis.Reproduced:    {"✓", "reproduced", "yes"},
	analysis.NotReproduced: {"✗", "not reproduced", "no"},
	analysis.Inconclusive:  {"≈", "inconclusive", "open"},
	analysis.Vacuous:       {"○", "vacuous", "none"},
	analysis.NoValue:       {"∅", "no value", "none"},
	analysis.NotRun:        {"–", "not run", "none"},
}

func badgeOf(verdict analysis.Verdict) badge { return cmp.Or(badges[verdict], badges[analysis.NotRun]) }

const sameAsOther = "same as another universe"

// badgeUnder returns the badge of a verdict under alternative assumptions. Where these have no
// effect on the numbers of the claim, or the same one as fewer of them, the verdict is no evidence.
func badgeUnder(j analysis.AssumptionJudgement) badge {
	switch {
	case j.NoEffect:
		return badge{"=", "no effect here", "none"}
	case j.SameAs != "" && j.Alternatives() > 1:
		return badge{"=", sameAsOther, "none"}
	}
	return badgeOf(j.Verdict)
}

// onPublished returns the verdict on the published tables in words; judgement is nil if there is
// none.
func onPublished(judgement *analysis.Judgement) string {
	switch {
	case judgement == nil || judgement.Verdict == analysis.Vacuous || judgement.Verdict == analysis.NotRun ||
		judgement.Verdict == analysis.NoValue:
		return "cannot be judged"
	case judgement.Verdict == analysis.Reproduced:
		return "holds"
	case judgement.Verdict == analysis.NotReproduced:
		return "does not hold"
	default:
		return badgeOf(judgement.Verdict).Word
	}
}

// claimAnchor returns the anchor of a claim on the page. The claims of each study are numbered from
// 1; index is that of the study on the page.
func claimAnchor(index int, claim analysis.Claim) string {
	if index == 0 {
		return claim.Number.String()
	}
	return fmt.Sprintf("%s-%d", claim.Number, index+1)
}

// newClaimView returns a claim of the study with an index on the page for the template.
func newClaimView(index int, claim analysis.Claim, study Study, links experimentLinks, ids anchors) claimView {
	c := claimView{
		Claim: claim, ID: ids.id("claim", claim.Name), Anchor: claimAnchor(index, claim), Links: links,
		Verdict: badgeOf(claim.Ours.Verdict), HasPublished: study.HasPublished, Compared: newComparisonsView(claim),
	}
	switch claim.Origin {
	case language.OfReading:
		c.OriginText = "second reading"
	case language.OfOurs:
		c.OriginText = "not the paper’s"
	}
	for _, r := range claim.Universes {
		if claim.IsTriedIn(r.Experiment) {
			c.Robustness = append(c.Robustness, newRobustnessView(r, &claim, study.Result))
		}
	}
	c.ReasonAndEffect = c.reasonAndEffect()
	var shown []string
	c.Under, shown = c.under()
	if len(c.Robustness) > 0 {
		if text := study.Result.JudgedOn(&claim, shown); text != "" {
			c.JudgedOn = text + "."
		}
	}
	return c
}

// Wide reports whether the comparisons are too wide for a page in portrait format.
func (c claimView) Wide() bool { return c.Compared != nil && len(c.Compared.Heads) > wideColumns }

// reasonAndEffect returns the reason of a verdict other than reproduced and the size of the effect
// beside the paper's.
func (c *claimView) reasonAndEffect() string {
	var sentences []string
	if reason := c.Why(); reason != "" {
		sentences = append(sentences, reason)
	}
	if len(c.Ours.Comparisons) > 0 {
		sentences = append(sentences, capital(c.effect()+"; "+c.Ours.Held()))
	} else if c.Ours.Note != "" {
		sentences = append(sentences, capital(c.Ours.Note))
	}
	return joined(sentences)
}

// joined returns sentences, which have no full stops, as a text.
func joined(sentences []string) string {
	if len(sentences) == 0 {
		return ""
	}
	return strings.Join(sentences, ". ") + "."
}

// under returns under how many alternatives the claim is reproduced and on what that hinges, unless
// the reason counts them itself. It also returns the experiments whose default verdict is shown.
func (c *claimView) under() (line string, shown []string) {
	if c.Reason != nil && c.Reason.OtherDefault != "" {
		shown = append(shown, c.Reason.OtherDefault)
	}
	if len(c.Robustness) == 0 || isOfClass(&c.Claim, analysis.ClassUnexplained) {
		return "", shown
	}
	var sentences []string
	var hinges []string                  // what the verdict hinges on in some experiment
	experiments := map[string][]string{} // for each of hinges, where it does
	for _, r := range c.Robustness {
		isSame := func(e string) bool { // whether OtherDefault says the same of e
			return c.ByDefault(e).Verdict == c.ByDefault(r.Experiment).Verdict && c.Extent(e) == c.Extent(r.Experiment)
		}
		if other := c.OtherDefault(r.Experiment); other != "" && !slices.ContainsFunc(shown, isSame) {
			sentences, shown = append(sentences, other), append(shown, r.Experiment)
		}
		if r.Hinges != "" {
			hinges = withNew(hinges, r.Hinges)
			experiments[r.Hinges] = append(experiments[r.Hinges], analysis.Quoted(r.Experiment))
		}
	}
	if text := reproducedUnder(c.Claim); text != "" {
		sentences = append(sentences, text)
	}
	for _, h := range hinges {
		text := capital(h)
		if len(c.Robustness) > 1 {
			text += " in " + english.WordSeries(experiments[h], "and")
		}
		sentences = append(sentences, text)
	}
	return joined(sentences), shown
}

// Designs returns for each experiment the judgement by default and those under alternative
// assumptions that are among Tried.
func (c claimView) Designs() [][]analysis.AssumptionJudgement {
	tried := c.Tried()
	shown := slices.DeleteFunc(slices.Clone(c.Assumptions), func(judged analysis.AssumptionJudgement) bool {
		return !slices.ContainsFunc(tried, func(j analysis.AssumptionJudgement) bool {
			return j.Experiment == judged.Experiment && (judged.Alternatives() == 0 || j.Label == judged.Label)
		})
	})
	isSame := func(a, b analysis.AssumptionJudgement) bool { return a.Experiment == b.Experiment }
	return slices.Collect(analysis.Neighbours(shown, isSame))
}

// effect returns the size of the effect beside the paper's: the mean margin; of a claim with near
// the mean of what is compared, which is beside the claimed number where the paper prints none.
func (c *claimView) effect() string {
	ours, published := c.Ours, c.Published
	if c.Near != nil && ours.MeanValue != nil {
		text := "mean value " + withUnit(tabulate.Estimate(*ours.MeanValue), c.ValueUnit)
		if published != nil && published.MeanValue != nil {
			return c.besidePaper(text, *published.MeanValue)
		}
		return text + ", claimed " + tabulate.Estimate(statistics.Point(*c.Near))
	}
	text := "mean margin " + marginOf(ours, c.Unit)
	if published != nil {
		return c.besidePaper(text, published.MeanMargin)
	}
	return text
}

// besidePaper writes the paper's mean behind ours. Where the paper lacks some of our comparisons,
// it tells how many each mean is over.
func (c *claimView) besidePaper(ours string, published statistics.Estimate) string {
	all, shared := len(c.Ours.Comparisons), c.Published.Shared
	if shared == all {
		return ours + ", paper " + tabulate.Estimate(published)
	}
	over := fmt.Sprintf("%d of them", shared)
	if shared == 0 {
		over = english.Plural(len(c.Published.Comparisons), "other", "others")
	}
	return fmt.Sprintf("%s over %s, paper %s over %s", ours, english.Plural(all, "comparison", ""),
		tabulate.Estimate(published), over)
}

// capital returns a text with its first letter in upper case.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// marginOf returns the mean margin of a judgement with its unit. On published numbers it tells how
// many comparisons are shared with ours if the margin is over these alone.
func marginOf(judgement analysis.Judgement, unit string) string {
	if len(judgement.Comparisons) == 0 {
		return tabulate.Missing
	}
	text := withUnit(tabulate.Estimate(judgement.MeanMargin), unit)
	if shared := judgement.Shared; shared > 0 && shared < len(judgement.Comparisons) {
		text += fmt.Sprintf(" over the %s of ours", english.Plural(shared, "comparison", ""))
	}
	return text
}

// gapsOf tells which replications have no value. Long texts are without their comparisons, which
// claims.json lists.
func gapsOf(a analysis.AssumptionJudgement) string {
	const longest = 80
	texts := slices.Clone(a.Gaps)
	for i, gap := range texts {
		if len(gap) > longest {
			texts[i], _, _ = strings.Cut(gap, ": ")
		}
	}
	return strings.Join(slices.Compact(texts), "; ")
}

func withUnit(number, unit string) string {
	if unit == "" || number == tabulate.Missing {
		return number
	}
	return number + " " + unit
}

// claimGroup is the claims of a section of the paper.
type claimGroup struct {
	ID, Heading string
	Counts      string
	Claims      []claimView
}

// sectionPattern finds the first section that a source names.
var sectionPattern = regexp.MustCompile(`(?i)(?:sections?|chapters?|§)\s*(\d+(?:\.\d+)*)`)

// grouped groups claims by the first section that their source names, in the order of sections.
// Claims without a section are last.
func grouped(claims []claimView, ids anchors) []claimGroup {
	bySection := map[string][]claimView{}
	for _, c := range claims {
		section := ""
		if found := sectionPattern.FindStringSubmatch(c.Source); found != nil {
			section = found[1]
		}
		bySection[section] = append(bySection[section], c)
	}
	var groups []claimGroup
	for _, section := range slices.SortedFunc(maps.Keys(bySection), compareSections) {
		g := claimGroup{Heading: "Section " + section, Claims: bySection[section]}
		if section == "" {
			g.Heading = "Claims without a section"
			if len(bySection) == 1 {
				g.Heading = "All claims"
			}
		}
		g.ID, g.Counts = ids.id("group", cmp.Or(section, "none")), VerdictsOn(claimsIn(g.Claims)).String()
		groups = append(groups, g)
	}
	return groups
}

func claimsIn(views []claimView) []analysis.Claim {
	claims := make([]analysis.Claim, len(views))
	for i, c := range views {
		claims[i] = c.Claim
	}
	return claims
}

// nameSentences writes into each claim the sentence of the paper that it names, the other claims
// that judge it, and the verdict of all.
func nameSentences(views []claimView) {
	for _, s := range sentencesOf(claimsIn(views)) {
		named := s[0].Sentence
		if named == "" {
			continue
		}
		for i := range views {
			c := &views[i]
			if c.Sentence != named {
				continue
			}
			var others []string
			for _, other := range s {
				if other.Number != c.Number {
					others = append(others, other.Number.String())
				}
			}
			also := "also "
			if c.OriginText != "" {
				also = ""
			}
			if len(others) > 0 {
				c.SentenceText = fmt.Sprintf("“%s”, judged %sby %s: %s", named, also, english.WordSeries(others, "and"),
					badgeOf(s.verdict()).Word)
			}
		}
	}
}

// compareSections compares numbers of sections level by level; no section comes last.
func compareSections(a, b string) int {
	if a == "" || b == "" {
		return cmp.Compare(b, a)
	}
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(x, y string) int {
		return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)) // a shorter number is smaller
	})
}

// AssumptionsInWords counts the verdicts under alternative assumptions; empty if there are none. A
// universe with the numbers of another one counts under sameAsOther, even where badgeUnder shows
// its verdict.
func (c claimView) AssumptionsInWords() string {
	var words, counts []string
	count := map[string]int{}
	for _, j := range c.Tried() {
		word := badgeUnder(j).Word
		if j.SameAs != "" && !j.NoEffect {
			word = sameAsOther
		}
		if count[word] == 0 {
			words = append(words, word)
		}
		count[word]++
	}
	for _, word := range words {
		counts = append(counts, fmt.Sprintf("%s in %d", word, count[word]))
	}
	return strings.Join(counts, ", ")
}
