// Alternative assumptions for the template of the page: the matrix of claims, the choices that a
// paper leaves open, and the effects on a claim.

package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"gridsweep/analysis"
	"gridsweep/analysis/effects"
	"gridsweep/analysis/sequential"
	"gridsweep/analysis/tabulate"
	"gridsweep/sweeps/study"
)

// assumptionsView is the matrix of claims and alternative assumptions. Each universe counts once,
// whichever experiments judge it; those with more than one alternative are summed up in a column.
type assumptionsView struct {
	Heads     []string // of columns: the default, each alternative alone, and combinations
	Rows      []assumptionRow
	Undecided string // how many verdicts are inconclusive, a sentence
	Reached   string // how many were reached by adding replications, a sentence
}

type assumptionRow struct {
	Claim    claimView
	Verdicts []badge
}

// assumptionCell is a verdict, or subsequent ones that were not run.
type assumptionCell struct {
	badge
	Columns int
}

// Cells returns the verdicts; where the claim was not run there is one cell for all columns up to
// the next verdict.
func (r assumptionRow) Cells() []assumptionCell {
	var cells []assumptionCell
	for _, verdict := range r.Verdicts {
		if n := len(cells); n > 0 && verdict == badgeOf(analysis.NotRun) && cells[n-1].badge == verdict {
			cells[n-1].Columns++
			continue
		}
		cells = append(cells, assumptionCell{verdict, 1})
	}
	return cells
}

// Names of the first and of the last column of the matrix.
const (
	defaultColumn  = "default"
	combinedColumn = "combinations"
)

// newAssumptionsView returns the matrix of all claims; nil if no claim was judged under an
// alternative assumption.
func newAssumptionsView(claims []claimView, looks *sequential.Looks) *assumptionsView {
	names, combinations := alternativesOf(claimsIn(claims))
	if len(names) == 0 && !combinations {
		return nil
	}
	view := &assumptionsView{Heads: slices.Concat([]string{defaultColumn}, names), Undecided: undecidedOf(claims),
		Reached: reachedOf(claims, looks)}
	if combinations {
		view.Heads = append(view.Heads, combinedColumn)
	}
	for _, claim := range claims {
		if len(claim.Tried()) == 0 {
			continue
		}
		row := assumptionRow{claim, slices.Repeat([]badge{badgeOf(analysis.NotRun)}, len(view.Heads))}
		row.Verdicts[0] = badgeOf(defaultOf(claim.Claim))
		var combined Counts // verdicts in universes of several alternatives
		for _, j := range claim.Tried() {
			switch {
			case j.Alternatives() == 1:
				verdict := badgeUnder(j)
				if len(j.Gaps) > 0 {
					verdict.Sign += "*"
				}
				row.Verdicts[1+slices.Index(names, alternativeName(j))] = verdict
			case j.SameAs == "":
				combined.count(j.Verdict)
			}
		}
		if combinations {
			row.Verdicts[len(row.Verdicts)-1] = shareBadge(combined)
		}
		view.Rows = append(view.Rows, row)
	}
	return view
}

// alternativesOf returns the names of the alternatives that claims are judged under alone, each
// once, in the order of the assumptions, and whether claims are judged under several together.
// Levels of factors that are no universes come last.
func alternativesOf(claims []analysis.Claim) (names []string, combinations bool) {
	var alone []analysis.AssumptionJudgement
	for _, claim := range claims {
		for _, j := range claim.Tried() {
			combinations = combinations || j.Alternatives() > 1
			isKnown := func(other analysis.AssumptionJudgement) bool { return alternativeName(j) == alternativeName(other) }
			if j.Alternatives() == 1 && !slices.ContainsFunc(alone, isKnown) {
				alone = append(alone, j)
			}
		}
	}
	slices.SortStableFunc(alone, func(a, b analysis.AssumptionJudgement) int {
		first, level := changedBy(a)
		second, other := changedBy(b)
		return cmp.Or(cmp.Compare(first, second), cmp.Compare(level, other))
	})
	for _, j := range alone {
		names = append(names, alternativeName(j))
	}
	return names, combinations
}

// changedBy returns the index of the first assumption that a universe changes, with its level; an
// index after all assumptions and 0 for a level of a factor that is no universe.
func changedBy(j analysis.AssumptionJudgement) (assumption, level int) {
	assumption = slices.IndexFunc(j.Levels, func(level int) bool { return level != 0 })
	if assumption < 0 {
		return math.MaxInt, 0
	}
	return assumption, j.Levels[assumption]
}

// alternativeName names an alternative among those of all experiments.
func alternativeName(j analysis.AssumptionJudgement) string {
	if j.Levels == nil {
		return j.Experiment + ": " + j.Label
	}
	return j.Label
}

// defaultOf returns the verdict by default in the experiment that judges a claim in the most
// universes, which may have fewer replications and levels than the study's own.
func defaultOf(claim analysis.Claim) analysis.Verdict {
	experiment, universes := "", map[string]int{}
	for _, j := range claim.Tried() {
		if universes[j.Experiment]++; universes[j.Experiment] > universes[experiment] {
			experiment = j.Experiment
		}
	}
	return claim.ByDefault(experiment).Verdict
}

// undecidedOf tells how many of the verdicts under alternative assumptions are inconclusive.
func undecidedOf(claims []claimView) string {
	var all []analysis.AssumptionJudgement
	for _, c := range claims {
		all = append(all, c.UnderAlternatives()...)
	}
	undecided := analysis.Undecided(all)
	if undecided == "" {
		return ""
	}
	return fmt.Sprintf("Of %d verdicts under alternative assumptions %s.", len(all), undecided)
}

// openView is a choice that the paper leaves open.
type openView struct {
	study.Assumption
	Alternatives []alternativeView
}

// alternativeView is an alternative with the claims that it alone changes.
type alternativeView struct {
	Label   string
	Changed []changedView
}

// changedView is a claim that is reproduced under an alternative and not reproduced by default in
// the same experiment, or the reverse. Where the default is inconclusive, a decided verdict under
// the alternative shows the size of the effect or of the sample, no flip.
type changedView struct {
	ID      string
	Number  analysis.ClaimNumber
	Verdict badge // verdict under the alternative
}

func newOpenViews(assumptions []study.Assumption, claims []claimView) []openView {
	views := make([]openView, len(assumptions))
	for i, a := range assumptions {
		views[i] = openView{Assumption: a}
		for _, level := range a.Levels[1:] {
			views[i].Alternatives = append(views[i].Alternatives, alternativeView{Label: level})
		}
	}
	decided := func(v analysis.Verdict) bool { return v == analysis.Reproduced || v == analysis.NotReproduced }
	for _, c := range claims {
		for _, j := range c.Tried() {
			byDefault := c.ByDefault(j.Experiment).Verdict
			if j.Alternatives() != 1 || !decided(j.Verdict) || !decided(byDefault) || j.Verdict == byDefault {
				continue
			}
			if assumption, level := changedBy(j); level > 0 {
				a := &views[assumption].Alternatives[level-1]
				a.Changed = append(a.Changed, changedView{c.ID, c.Number, badgeOf(j.Verdict)})
			}
		}
	}
	return views
}

// shareBadge is the share of universes in which a claim is reproduced; a failure where it is
// reproduced in none and not reproduced in more than half of them.
func shareBadge(verdicts Counts) badge {
	b := badge{Sign: fmt.Sprintf("%d/%d", verdicts.Reproduced, verdicts.Total()), Class: "open"}
	switch {
	case verdicts.Total() == 0:
		return badgeOf(analysis.NotRun)
	case verdicts.Reproduced == verdicts.Total():
		b.Class = "yes"
	case verdicts.Reproduced == 0 && 2*verdicts.NotReproduced > verdicts.Total():
		b.Class = "no"
	}
	return b
}

// robustnessView is how a claim depends on the assumptions, over the universes of an experiment.
type robustnessView struct {
	Experiment string
	Hinges     string // what the verdict depends on; may be empty
	Method     string
	Effects    []effectView
}

// effectView is a level, or a clear pair of levels, with what it changes.
type effectView struct {
	Name, Change, Flips string
	Clear               bool
}

func newRobustnessView(r analysis.Robustness, claim *analysis.Claim, result *analysis.Result) robustnessView {
	view := robustnessView{Experiment: r.Experiment, Hinges: hingesOn(r, claim, result)}
	unlisted := 0
	for _, e := range r.Effects.Effects {
		if e.IsPair() && !e.Clear {
			continue
		}
		change := withUnit(tabulate.Estimate(e.Estimate), claim.Unit)
		shown := effectView{Name: result.TermName(e.Term), Change: change, Clear: e.Clear}
		flips := false
		for _, f := range r.Changes.Flips {
			if !e.IsPair() && f.Assumption == e.Assumption && f.Level == e.Level {
				shown.Flips, flips = fmt.Sprintf("%d of %d", f.Flipped, f.Compared), f.Flipped > 0
			}
		}
		if e.Clear || flips {
			view.Effects = append(view.Effects, shown)
		} else {
			unlisted++
		}
	}
	view.Method = method(r, unlisted)
	return view
}

// method tells how the effects of a design are fitted, and how many of them are not listed.
func method(r analysis.Robustness, unlisted int) string {
	universes := universesOfFit(r)
	if r.Effects.Replications == 0 {
		return "No effects are fitted: no replication has a mean margin in all " + universes + "."
	}
	text := fmt.Sprintf("Least squares of the mean margin on the levels over %s, replication by "+
		"replication (n = %d)", universes, r.Effects.Replications)
	if r.Effects.Shares != nil && r.Effects.Free > 0 {
		text += fmt.Sprintf("; the levels explain %.0f %% of the variance over universes", 100*r.Effects.Explained)
	}
	hasPairs := slices.ContainsFunc(r.Effects.Effects, func(e effects.Effect) bool { return e.IsPair() })
	isAlone := func(t effects.Term) bool { return !t.IsPair() }
	switch n := len(r.Effects.Aliased); {
	case n > 0 && !hasPairs && !slices.ContainsFunc(r.Effects.Aliased, isAlone):
		text += "; this design tells no pairs of levels apart"
	case n > 0:
		text += fmt.Sprintf("; %s cannot be told from others in this design", english.Plural(n, "effect", ""))
	}
	text += "."
	if hasPairs {
		text += " Pairs of levels are listed where their effect is clear."
	}
	if unlisted > 0 {
		text += fmt.Sprintf(" %s no clear effect and %s no verdict.",
			english.PluralWord(unlisted, "One level has", strconv.Itoa(unlisted)+" levels have"),
			english.PluralWord(unlisted, "flips", "flip"))
	}
	return text
}

// universesOfFit counts the universes over which effects are fitted: the default, others with
// numbers of their own, and those that equal another one in every replication, which count in no
// verdict.
func universesOfFit(r analysis.Robustness) string {
	byDefault, own, equal := 0, 0, 0
	for i, j := range r.Judgements {
		switch {
		case slices.Contains(r.Effects.LeftOut, i): // effects are fitted without it
		case j.Alternatives() == 0:
			byDefault++
		case j.SameAs != "":
			equal++
		default:
			own++
		}
	}
	var phrases []string
	if byDefault > 0 {
		phrases = append(phrases, "the default")
	}
	if own > 0 {
		phrases = append(phrases, english.Plural(own, "other", ""))
	}
	if equal > 0 {
		phrases = append(phrases, fmt.Sprintf("%d without numbers of %s own", equal,
			english.PluralWord(equal, "its", "their")))
	}
	text := english.Plural(byDefault+own+equal, "universe", "")
	if len(phrases) > 1 {
		text += " (" + english.WordSeries(phrases, "and") + ")"
	}
	return text
}

// reproducedUnder tells under how many alternatives a claim is reproduced, a sentence without its
// full stop; empty if none has a verdict.
func reproducedUnder(claim analysis.Claim) string {
	judgements := claim.UnderAlternatives()
	var counts Counts
	onLevelsRun := 0 // reproduced on the levels that were run, which are not all
	for _, j := range judgements {
		counts.count(j.Verdict)
		if j.OnLevelsRun == analysis.Reproduced {
			onLevelsRun++
		}
	}
	without := 0 // alternatives without numbers of their own
	for _, j := range claim.Tried() {
		if j.SameAs != "" {
			without++
		}
	}
	switch {
	case len(judgements) == 0 && without > 0:
		return "No alternative that was run has an effect on its numbers"
	case counts.Reproduced+counts.NotReproduced+counts.Inconclusive == 0:
		return ""
	}
	isReproduced := func(j analysis.AssumptionJudgement) bool { return j.Verdict == analysis.Reproduced }
	text := "Reproduced under " + analysis.AlternativesIn(judgements, isReproduced)
	if onLevelsRun > 0 {
		text += fmt.Sprintf(", and on the levels that were run, which are not all, under %d more", onLevelsRun)
	}
	var besides []string
	if open := counts.Inconclusive - onLevelsRun; open > 0 {
		besides = append(besides, fmt.Sprintf("%d inconclusive", open))
	}
	if without > 0 {
		besides = append(besides, fmt.Sprintf("%d more without numbers of their own", without))
	}
	if len(besides) > 0 {
		text += " (" + strings.Join(besides, "; ") + ")"
	}
	return text
}

// hingesOn tells which alternatives flip the verdict on a claim between universes that differ in
// nothing else. If none does, it names the smallest change with another verdict, unless the reason
// of the verdict does so; empty if there is none.
func hingesOn(r analysis.Robustness, claim *analysis.Claim, result *analysis.Result) string {
	flips := slices.DeleteFunc(slices.Clone(r.Changes.Flips), func(f effects.Flip) bool { return f.Flipped == 0 })
	slices.SortStableFunc(flips, func(a, b effects.Flip) int {
		return cmp.Compare(b.Flipped*a.Compared, a.Flipped*b.Compared)
	})
	var names []string
	for _, f := range flips {
		name := result.AlternativeName(f.Assumption, f.Level)
		if f.Compared > 1 {
			name += fmt.Sprintf(" (in %d of %d pairs of universes)", f.Flipped, f.Compared)
		}
		names = append(names, name)
	}
	smallest := r.Smallest()
	const mostListed = 3
	switch {
	case len(names) > 0:
		return "hinges on " + firstOf(names, mostListed, "other", "others")
	case smallest == nil || claim.Reason != nil && claim.Reason.Class != analysis.ClassPublished:
		return ""
	case smallest.Alternatives() == 1:
		names = append(names, smallest.Label)
		for _, j := range r.Judgements {
			isOther := j.Alternatives() == 1 && j.SameAs == "" && j.Label != smallest.Label
			if isOther && j.Verdict == smallest.Verdict {
				names = append(names, j.Label)
			}
		}
		return string(smallest.Verdict) + " under " + firstOf(names, mostListed, "other", "others")
	}
	return string(smallest.Verdict) + " under " + nameOf(smallest.Universe)
}

// firstOf lists at most so many names and counts the others by a noun in its two forms.
func firstOf(names []string, most int, one, several string) string {
	if others := len(names) - most; others > 0 {
		names = append(slices.Clone(names[:most]), english.Plural(others, one, several))
	}
	return english.WordSeries(names, "and")
}
