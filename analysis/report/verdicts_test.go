// Verdicts on the sentences of a paper.

package report

import (
	"slices"
	"strings"
	"testing"

	"gridsweep/analysis"
	"gridsweep/configs/language"
	"gridsweep/sweeps/study"
)

// Claims that name one sentence count once, with the gravest of their verdicts and reasons; second
// readings of it and claims of ours count apart.
func TestVerdictsOnSentences(t *testing.T) {
	of := func(sentence string, origin language.Origin, verdict analysis.Verdict) analysis.Claim {
		return analysis.Claim{Sentence: sentence, Origin: origin, Ours: analysis.Judgement{Verdict: verdict}}
	}
	paper := language.OfPaper
	claims := []analysis.Claim{
		of("", paper, analysis.Reproduced), of("a", paper, analysis.Reproduced), of("", paper, analysis.Reproduced),
		of("a", paper, analysis.NotReproduced), of("b", paper, analysis.Inconclusive), of("a", paper, analysis.NotReproduced),
		of("b", paper, analysis.Vacuous), of("b", language.OfReading, analysis.NotReproduced),
		of("", language.OfOurs, analysis.NoValue), of("c", paper, analysis.Reproduced), of("c", paper, analysis.NotRun),
	}
	claims[3].Reason = &analysis.Reason{Class: analysis.ClassAssumption}
	claims[5].Reason = &analysis.Reason{Class: analysis.ClassUnexplained}
	claims[7].Reason = &analysis.Reason{Class: analysis.ClassNotTried}
	want := "2 of 5 sentences of the paper reproduced, 1 inconclusive, 1 not reproduced, 1 not run " +
		"(judged by 9 claims). 0 of 1 second reading reproduced, 1 not reproduced. " +
		"0 of 1 claim of ours reproduced, 1 without a value."
	if got := VerdictsOn(claims).String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	want = "Of 1 sentence of the paper that is not reproduced: 1 explained by no alternative assumption."
	result := &analysis.Result{Claims: claims}
	if got := reasons(result); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	result.Assumptions = []study.Assumption{{Levels: []string{"x", "y"}}, {Levels: []string{"x", "y", "z"}}}
	claims[5].Assumptions = []analysis.AssumptionJudgement{{Universe: study.Universe{Levels: []int{0, 2}}}}
	want = strings.TrimSuffix(want, ".") + " (judged under 1 of the 3 that are declared)."
	if got := reasons(result); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	claims[3].Reason.Alternatives, claims[5].Reason = 2, nil
	want = "Of 1 sentence of the paper that is not reproduced: 1 reproduced under an alternative assumption (1 of them " +
		"only under several together)."
	if got := reasons(result); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for i := range claims {
		claims[i].Published = &analysis.Judgement{Verdict: analysis.Reproduced}
	}
	claims[0].Published, claims[1].Published.Verdict = nil, analysis.Inconclusive
	want = "4 sentences can also be judged on the paper’s own tables, where 3 hold."
	if got := publishedSummary([]Study{{Result: &analysis.Result{Claims: claims}}}); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	claims = []analysis.Claim{of("", paper, analysis.Reproduced), of("", paper, analysis.NotReproduced)}
	claims[1].Reason = &analysis.Reason{Class: analysis.ClassNotTried}
	want = "1 of 2 claims reproduced, 1 not reproduced."
	if got := VerdictsOn(claims).String(); got != want {
		t.Errorf("claims that cite no paper: got  %s\nwant %s", got, want)
	}
	want = "Of 1 claim that is not reproduced: 1 not tried under alternative assumptions."
	if got := reasons(&analysis.Result{Claims: claims}); got != want {
		t.Errorf("claims that cite no paper: got  %s\nwant %s", got, want)
	}
	if got := VerdictsOn(nil).String(); got != "" {
		t.Errorf("no claims are %q", got)
	}
}

// A main conclusion is a sentence of which some claim is marked: it counts once and is reproduced
// if all of its claims are. A marked claim that is not the paper's counts by itself.
func TestConclusions(t *testing.T) {
	claims := []analysis.Claim{
		{Sentence: "a", Main: true, Ours: analysis.Judgement{Verdict: analysis.Reproduced}},
		{Sentence: "a", Ours: analysis.Judgement{Verdict: analysis.Inconclusive}},
		{Sentence: "b", Ours: analysis.Judgement{Verdict: analysis.NotReproduced}},
		{Main: true, Ours: analysis.Judgement{Verdict: analysis.Reproduced}},
		{Main: true, Origin: language.OfOurs, Ours: analysis.Judgement{Verdict: analysis.Vacuous}},
	}
	main, counts := conclusions(claims)
	if want := (Counts{Reproduced: 1, Inconclusive: 1, Vacuous: 1}); counts != want {
		t.Errorf("counts %+v, want %+v", counts, want)
	}
	if want := []int{0, 1, 3, 4}; !slices.Equal(main, want) {
		t.Errorf("main conclusions %v, want %v", main, want)
	}
}

// The sentences of a page of several studies say which study they are about.
func TestSentencesOfSeveralStudies(t *testing.T) {
	result := &analysis.Result{Claims: []analysis.Claim{{
		Ours: analysis.Judgement{Verdict: analysis.NotReproduced}, Reason: &analysis.Reason{Class: analysis.ClassUnexplained},
	}}}
	study := func(title string) Study { return Study{Title: title, Result: result} }
	one, two := Page{Studies: []Study{study("A")}}.Entry(), Page{Studies: []Study{study("A"), study("B")}}.Entry()
	if len(one.Sentences) != 1 || strings.HasPrefix(one.Sentences[0], "A") {
		t.Errorf("one study: %q", one.Sentences)
	}
	want := []string{"A: " + one.Sentences[0], "B: " + one.Sentences[0]}
	if !slices.Equal(two.Sentences, want) {
		t.Errorf("two studies: %q", two.Sentences)
	}
}
