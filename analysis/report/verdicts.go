// Counts of verdicts: on the sentences of the paper, which one claim judges or several together,
// and apart from them on second readings and on claims of our own.

package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"gridsweep/analysis"
	"gridsweep/configs/language"
)

// Verdicts has the counts of verdicts on sentences of the paper and on other claims.
type Verdicts struct {
	Paper   Counts // sentences of the paper
	Judging int    // claims that judge them
	Uncited int    // those of them that name no sentence and no section of the paper
	// Readings counts second readings of sentences, and Ours claims that the paper does not make.
	Readings, Ours Counts
}

// VerdictsOn counts the verdicts on claims.
func VerdictsOn(claims []analysis.Claim) Verdicts {
	var v Verdicts
	v.add(claims)
	return v
}

func (v *Verdicts) add(claims []analysis.Claim) {
	for _, s := range sentencesOf(claims) {
		v.Paper.count(s.verdict())
		v.Judging += len(s)
		for _, c := range s {
			if c.Sentence == "" && c.Source == "" {
				v.Uncited++
			}
		}
	}
	for _, c := range claims {
		switch c.Origin {
		case language.OfReading:
			v.Readings.count(c.Ours.Verdict)
		case language.OfOurs:
			v.Ours.count(c.Ours.Verdict)
		}
	}
}

// ofPaper returns what the counted sentences are called, one and several. A study is of no paper if
// none of its claims names a sentence or section.
func (v Verdicts) ofPaper() (one, many string) {
	if v.Judging > 0 && v.Uncited == v.Judging {
		return "claim", "claims"
	}
	return "sentence of the paper", "sentences of the paper"
}

// String returns the counts in words; empty if there are no claims.
func (v Verdicts) String() string {
	one, many := v.ofPaper()
	var sentences []string
	for _, counted := range []struct {
		counts    Counts
		one, many string
		judging   int
	}{
		{v.Paper, one, many, v.Judging}, {v.Readings, "second reading", "second readings", v.Readings.Total()},
		{v.Ours, "claim of ours", "claims of ours", v.Ours.Total()},
	} {
		if counted.counts.Total() > 0 {
			sentences = append(sentences, counted.counts.inSentence(counted.one, counted.many, counted.judging))
		}
	}
	return strings.Join(sentences, " ")
}

// Counts is how many sentences or claims have each verdict.
type Counts struct {
	Reproduced, Inconclusive, NotReproduced, NotRun, NoValue, Vacuous int
}

// Total returns the number of sentences or claims.
func (c Counts) Total() int {
	return c.Reproduced + c.Inconclusive + c.NotReproduced + c.NotRun + c.NoValue + c.Vacuous
}

func (c *Counts) count(verdict analysis.Verdict) { *c.of(verdict)++ }

func (c *Counts) add(others Counts) {
	for _, counted := range others.present() {
		*c.of(counted.Verdict) += counted.Count
	}
}

// of returns the counter of a verdict.
func (c *Counts) of(verdict analysis.Verdict) *int {
	switch verdict {
	case analysis.Reproduced:
		return &c.Reproduced
	case analysis.Inconclusive:
		return &c.Inconclusive
	case analysis.NotReproduced:
		return &c.NotReproduced
	case analysis.Vacuous:
		return &c.Vacuous
	case analysis.NoValue:
		return &c.NoValue
	default:
		return &c.NotRun
	}
}

// verdictCount is how many sentences or claims have a verdict.
type verdictCount struct {
	Verdict analysis.Verdict
	Count   int
}

// present returns the verdicts that occur, with how often.
func (c Counts) present() []verdictCount {
	var counts []verdictCount
	for _, verdict := range []analysis.Verdict{
		analysis.Reproduced, analysis.Inconclusive, analysis.NotReproduced, analysis.Vacuous, analysis.NoValue,
		analysis.NotRun,
	} {
		if n := *c.of(verdict); n > 0 {
			counts = append(counts, verdictCount{verdict, n})
		}
	}
	return counts
}

// inSentence returns the counts in an English sentence, with the name of what is counted, one and
// many, and the number of claims that judge it where these are more.
func (c Counts) inSentence(one, many string, judging int) string {
	others := c
	others.Reproduced = 0
	text := fmt.Sprintf("%d of %s reproduced", c.Reproduced, english.Plural(c.Total(), one, many))
	if words := others.words(); words != "" {
		text += ", " + words
	}
	if judging > c.Total() {
		text += fmt.Sprintf(" (judged by %d claims)", judging)
	}
	return text + "."
}

// words returns the counts of the verdicts that occur.
func (c Counts) words() string {
	var words []string
	for _, counted := range c.present() {
		word := string(counted.Verdict)
		if counted.Verdict == analysis.NoValue {
			word = "without a value"
		}
		words = append(words, fmt.Sprintf("%d %s", counted.Count, word))
	}
	return strings.Join(words, ", ")
}

// sentence is the claims that judge one sentence of the paper.
type sentence []*analysis.Claim

// sentencesOf returns the sentences of the paper in the order of their first claims. A claim that
// names no sentence judges one of its own.
func sentencesOf(claims []analysis.Claim) []sentence {
	var sentences []sentence
	at := map[string]int{}
	for i := range claims {
		c := &claims[i]
		if c.Origin == language.OfReading || c.Origin == language.OfOurs {
			continue
		}
		if known, has := at[c.Sentence]; has && c.Sentence != "" {
			sentences[known] = append(sentences[known], c)
			continue
		}
		at[c.Sentence] = len(sentences)
		sentences = append(sentences, sentence{c})
	}
	return sentences
}

// conclusions returns the indices of the claims on main conclusions, and the counts of the verdicts
// on these. A main conclusion is a sentence of which some claim is marked, or a marked claim that
// the paper does not make.
func conclusions(claims []analysis.Claim) (main []int, counts Counts) {
	var judging []*analysis.Claim
	for _, s := range sentencesOf(claims) {
		if slices.ContainsFunc(s, func(c *analysis.Claim) bool { return c.Main }) {
			counts.count(s.verdict())
			judging = append(judging, s...)
		}
	}
	for i := range claims {
		c := &claims[i]
		ofSentence := slices.Contains(judging, c)
		if c.Main && !ofSentence {
			counts.count(c.Ours.Verdict)
		}
		if c.Main || ofSentence {
			main = append(main, i)
		}
	}
	return main, counts
}

// gravest lists verdicts, the gravest first: a sentence has the first that one of its claims has.
var gravest = []analysis.Verdict{
	analysis.NotReproduced, analysis.Inconclusive, analysis.NoValue, analysis.Vacuous, analysis.NotRun,
}

// verdict returns the verdict on the sentence: it is reproduced if all its claims are.
func (s sentence) verdict() analysis.Verdict {
	return s.verdictBy(func(c *analysis.Claim) analysis.Verdict { return c.Ours.Verdict })
}

func (s sentence) verdictBy(of func(*analysis.Claim) analysis.Verdict) analysis.Verdict {
	for _, verdict := range gravest {
		if slices.ContainsFunc(s, func(c *analysis.Claim) bool { return of(c) == verdict }) {
			return verdict
		}
	}
	return analysis.Reproduced
}

// reasonClasses lists the classes of reasons in words. A sentence counts in the first of them that
// a claim of it has: it is explained only if all its claims are, but one contradiction suffices.
var reasonClasses = []struct {
	class analysis.ReasonClass
	words string
}{
	{analysis.ClassPublished, "contradicted by the paper itself"},
	{analysis.ClassNotTried, "not tried under alternative assumptions"},
	{analysis.ClassUnexplained, "explained by no alternative assumption"},
	{analysis.ClassWorkload, "reproduced with another stand-in workload"},
	{analysis.ClassAssumption, "reproduced under an alternative assumption"},
}

// reasons counts the reasons of sentences that are not reproduced, in words; empty if there are
// none.
func reasons(result *analysis.Result) string {
	counts, total := map[analysis.ReasonClass]int{}, 0
	several := 0      // sentences that only several alternatives together make reproduced
	var triedOf []int // how many alternatives were tried for each claim that none explains
	declared := 0     // alternatives in the study file
	for _, s := range sentencesOf(result.Claims) {
		class := s.reason()
		if class == "" {
			continue
		}
		counts[class]++
		total++
		if class == analysis.ClassAssumption && slices.ContainsFunc(s, needsSeveral) {
			several++
		}
		for _, c := range s {
			if class == analysis.ClassUnexplained && isOfClass(c, class) {
				var tried int
				tried, declared = result.Declared(c)
				triedOf = append(triedOf, tried)
			}
		}
	}
	if total == 0 {
		return ""
	}
	var words []string
	for _, known := range reasonClasses {
		n := counts[known.class]
		if n == 0 {
			continue
		}
		text := fmt.Sprintf("%d %s", n, known.words)
		if known.class == analysis.ClassUnexplained && declared > 0 {
			text += fmt.Sprintf(" (judged under %s of the %d that are declared)", between(triedOf), declared)
		}
		if known.class == analysis.ClassAssumption && several > 0 {
			text += fmt.Sprintf(" (%d of them only under several together)", several)
		}
		words = append(words, text)
	}
	one, many := VerdictsOn(result.Claims).ofPaper()
	return fmt.Sprintf("Of %s that %s not reproduced: %s.", english.Plural(total, one, many),
		english.PluralWord(total, "is", "are"), strings.Join(words, ", "))
}

// reason returns the class that the sentence counts in; empty if no claim of it has a reason.
func (s sentence) reason() analysis.ReasonClass {
	for _, known := range reasonClasses {
		if slices.ContainsFunc(s, func(c *analysis.Claim) bool { return isOfClass(c, known.class) }) {
			return known.class
		}
	}
	return ""
}

func isOfClass(c *analysis.Claim, class analysis.ReasonClass) bool {
	return c.Reason != nil && c.Reason.Class == class
}

// needsSeveral reports whether a claim is reproduced under no single alternative assumption but
// under several together.
func needsSeveral(c *analysis.Claim) bool { return c.Reason != nil && c.Reason.Alternatives > 1 }

// publishedSummary returns in words how many sentences hold on the published tables; empty if none
// can be judged on them.
func publishedSummary(studies []Study) string {
	judged, holding := 0, 0
	for _, study := range studies {
		for _, s := range sentencesOf(study.Result.Claims) {
			if slices.ContainsFunc(s, func(c *analysis.Claim) bool { return c.Published == nil }) {
				continue
			}
			judged++
			if s.verdictBy(func(c *analysis.Claim) analysis.Verdict { return c.Published.Verdict }) == analysis.Reproduced {
				holding++
			}
		}
	}
	if judged == 0 {
		return ""
	}
	return fmt.Sprintf("%s can also be judged on the paper’s own tables, where %d %s.",
		english.Plural(judged, "sentence", ""), holding, english.PluralWord(holding, "holds", "hold"))
}
