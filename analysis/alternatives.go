// Alternatives: the judgements of a claim under alternative assumptions, and why a claim is not
// reproduced.

package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"gridsweep/sweeps/study"
)

// reason tells why a claim is not reproduced; nil for other verdicts. The paper's own numbers and
// statements come before alternative assumptions.
func (a *analyzer) reason(c *study.Claim, claim *Claim) *Reason {
	if claim.Ours.Verdict != NotReproduced {
		return nil
	}
	if p := claim.Published; p != nil && p.Verdict == NotReproduced {
		text := "on them " + p.Held()
		if len(p.FailsIn) > 0 {
			text = strings.Join(p.FailsIn, "; ")
		}
		return &Reason{Class: ClassPublished, Text: "The paper’s own numbers contradict it: " + text}
	}
	if c.Contradicted != "" {
		return &Reason{Class: ClassPublished, Text: "The paper’s own statements contradict it: " + c.Contradicted}
	}
	if len(claim.Assumptions) == 0 {
		return &Reason{Class: ClassNotTried, Text: notTried(c)}
	}
	if under := smallestChange(claim); under != nil {
		reason := &Reason{
			Class: ClassAssumption, Text: "Reproduced under " + changeTo(claim, under), Alternatives: under.Alternatives(),
		}
		if a.isOfWorkload(under.Levels) {
			reason.Class, reason.Text = ClassWorkload, "The stand-in workload is suspect: reproduced with "+under.Label
		}
		if other := claim.OtherDefault(under.Experiment); other != "" {
			reason.Text, reason.OtherDefault = other+". "+reason.Text, under.Experiment
		}
		reason.Text += ", with a mean margin of " + inUnit(under.MeanMargin.Value, claim.Unit)
		return reason
	}
	return neverReproduced(claim)
}

// Tried returns the judgements under alternative assumptions without those by default. If several
// experiments judge a universe, the one with the most evidence counts: the most comparisons, of
// these the most steps or levels, then no SameAs, and then the most replications.
func (c Claim) Tried() []AssumptionJudgement {
	var tried []AssumptionJudgement
	at := map[string]int{}
	compare := func(a, b AssumptionJudgement) int {
		isCopy := func(j AssumptionJudgement) int { return min(1, len(j.SameAs)) }
		return cmp.Or(cmp.Compare(len(a.Comparisons), len(b.Comparisons)), cmp.Compare(a.steps(), b.steps()),
			cmp.Compare(a.levels(), b.levels()), cmp.Compare(isCopy(b), isCopy(a)),
			cmp.Compare(a.MeanMargin.N, b.MeanMargin.N))
	}
	for _, j := range c.Assumptions {
		if j.Alternatives() == 0 {
			continue
		}
		key := fmt.Sprint(j.Levels)
		if j.Levels == nil { // no universe
			key = j.Experiment + ": " + j.Label
		}
		if known, isKnown := at[key]; !isKnown {
			at[key], tried = len(tried), append(tried, j)
		} else if compare(j, tried[known]) > 0 {
			tried[known] = j
		}
	}
	return tried
}

// IsTriedIn reports whether a judgement of Tried is of an experiment.
func (c Claim) IsTriedIn(experiment string) bool {
	return slices.ContainsFunc(c.Tried(), func(j AssumptionJudgement) bool { return j.Experiment == experiment })
}

// UnderAlternatives returns the judgements of Tried that are evidence of their own: not those with
// the numbers of the default or of another universe nor, if the claim was judged in universes,
// other levels of factors.
func (c Claim) UnderAlternatives() []AssumptionJudgement {
	return slices.DeleteFunc(c.Tried(), func(j AssumptionJudgement) bool {
		return j.SameAs != "" || j.Levels == nil && len(c.Universes) > 0
	})
}

// AlternativesIn counts judgements under alternative assumptions in words, by the number of
// alternatives: "3 single alternatives and 2 pairs" or, unless isCounted is nil, "1 of 3 single
// alternatives and 0 of 2 pairs".
func AlternativesIn(judgements []AssumptionJudgement, isCounted func(AssumptionJudgement) bool) string {
	sizes := []struct{ one, many string }{
		{"single alternative", "single alternatives"}, {"pair", "pairs"}, {"larger combination", "larger combinations"},
	}
	all, counted := make([]int, len(sizes)), make([]int, len(sizes))
	for _, j := range judgements {
		size := min(j.Alternatives(), len(sizes)) - 1
		all[size]++
		if isCounted != nil && isCounted(j) {
			counted[size]++
		}
	}
	var phrases []string
	for i, size := range sizes {
		if all[i] == 0 {
			continue
		}
		text := english.Plural(all[i], size.one, size.many)
		if isCounted != nil {
			text = fmt.Sprintf("%d of %s", counted[i], text)
		}
		phrases = append(phrases, text)
	}
	return english.WordSeries(phrases, "and")
}

// neverReproduced returns the reason of a claim that no alternative assumption makes reproduced,
// which tells how near it comes.
func neverReproduced(claim *Claim) *Reason {
	for _, j := range claim.Assumptions {
		if j.Verdict == Reproduced && claim.ByDefault(j.Experiment).Verdict == Reproduced {
			text := claim.OtherDefault(j.Experiment) + ", so no alternative explains the verdict"
			return &Reason{Class: ClassUnexplained, Text: text, OtherDefault: j.Experiment}
		}
	}
	judgements := claim.UnderAlternatives()
	if len(judgements) == 0 {
		return &Reason{Class: ClassUnexplained, Text: "No alternative assumption that was run has an effect on its numbers"}
	}
	count, best, nearest := map[Verdict]int{}, claim.Ours, "" // none is nearer
	for _, j := range judgements {
		count[j.Verdict]++
		if len(j.Comparisons) > 0 && j.nearer(best) && j.nearer(claim.ByDefault(j.Experiment)) {
			best, nearest = j.Judgement, j.Label
		}
	}
	alternatives := AlternativesIn(judgements, nil) + onPart(claim.Ours, judgements)
	text := "Fails under " + alternatives
	if len(judgements) > 1 {
		text = "Fails under each of " + alternatives
	}
	if failing := count[NotReproduced]; failing < len(judgements) {
		text = "Reproduced under none of " + alternatives
		if failing > 0 {
			text += fmt.Sprintf(", fails under %d", failing)
		}
		if undecided := Undecided(judgements); undecided != "" {
			text += "; " + undecided
		}
		if n := count[NoValue]; n > 0 {
			text += fmt.Sprintf("; %d %s no value", n, english.PluralWord(n, "has", "have"))
		}
		if n := count[Vacuous]; n > 0 {
			text += fmt.Sprintf("; %d %s vacuous", n, english.PluralWord(n, "is", "are"))
		}
	}
	if nearest == "" {
		text += "; none is nearer than the study’s own assumptions"
	} else {
		verdict := string(best.Verdict)
		if best.OnLevelsRun != "" {
			verdict += fmt.Sprintf(", %s on the levels that were run", best.OnLevelsRun)
		}
		text += fmt.Sprintf("; the nearest alternative is %s (%s), where %s, with a mean margin of %s",
			nearest, verdict, best.Held(), inUnit(best.MeanMargin.Value, claim.Unit))
		if claim.EquivalenceMargin > 0 {
			text += " (equivalence margin " + inUnit(claim.EquivalenceMargin, claim.Unit) + ")"
		}
	}
	return &Reason{Class: ClassUnexplained, Text: text}
}

// onPart tells on how many of the study's comparisons alternatives are judged, in brackets; empty
// if one has all of them.
func onPart(ours Judgement, judgements []AssumptionJudgement) string {
	all := len(ours.Comparisons)
	fewest, most := all, 0
	for _, j := range judgements {
		if n := min(len(j.Comparisons), all); n > 0 {
			fewest, most = min(fewest, n), max(most, n)
		}
	}
	if most == 0 || most == all {
		return ""
	}
	return " (on " + Extent{Comparisons: Share{fewest, most, all}}.String() + ")"
}

// nearer reports whether a larger share of the comparisons of a judgement holds than of another
// one's; of equal shares the larger mean margin is nearer.
func (j Judgement) nearer(other Judgement) bool {
	share, than := j.Holding*len(other.Comparisons), other.Holding*len(j.Comparisons)
	return share > than || share == than && j.MeanMargin.Value > other.MeanMargin.Value
}

// Undecided tells how many judgements are inconclusive, and how many replications would decide half
// of these; apart from them how many only levels that were not run would decide. It is empty if
// there are none.
func Undecided(judgements []AssumptionJudgement) string {
	var needed []int // replications, by inconclusive judgement
	lacking := 0
	for _, j := range judgements {
		switch {
		case j.OnLevelsRun != "":
			lacking++
		case j.Verdict == Inconclusive:
			needed = append(needed, cmp.Or(j.Needed, math.MaxInt))
		}
	}
	slices.Sort(needed)
	var phrases []string
	if n := len(needed); n > 0 {
		text, which := fmt.Sprintf("%d are undecided", n), "half of which"
		if n == 1 {
			text, which = "1 is undecided", "which"
		}
		if half := needed[(n-1)/2]; half < math.MaxInt {
			text += fmt.Sprintf(", %s about %s replications would decide", which, humanize.Comma(int64(half)))
		}
		phrases = append(phrases, text)
	}
	if lacking > 0 {
		phrases = append(phrases, fmt.Sprintf("%d %s undecided, as not all levels were run", lacking,
			english.PluralWord(lacking, "is", "are")))
	}
	return strings.Join(phrases, "; ")
}

// smallestChange returns the judgement of the fewest alternative assumptions that makes a claim
// reproduced: it is under them, and is not by default in the same experiment. Of several it is the
// one with the largest margin; nil if there is none. A level of a factor that is no universe counts
// as one alternative.
func smallestChange(claim *Claim) *AssumptionJudgement {
	var best *AssumptionJudgement
	for _, j := range claim.Tried() {
		if j.Verdict != Reproduced || claim.ByDefault(j.Experiment).Verdict == Reproduced {
			continue
		}
		if best == nil || j.Alternatives() < best.Alternatives() ||
			j.Alternatives() == best.Alternatives() && j.MeanMargin.Value > best.MeanMargin.Value {
			best = &j
		}
	}
	return best
}

// changeTo names the alternatives of a universe in which a claim is reproduced, and tells of
// several whether no fewer suffice.
func changeTo(claim *Claim, to *AssumptionJudgement) string {
	text, alone := "the alternative assumption "+to.Label, ""
	switch n := to.Alternatives(); n {
	case 1:
		return text
	case 2:
		text, alone = "the pair of alternative assumptions "+to.Label, ", and under no single one"
	default:
		text, alone = fmt.Sprintf("%d alternative assumptions together, %s", n, to.Label), ", and under no fewer"
	}
	for _, j := range claim.Tried() {
		// fewer suffice in an experiment that reproduces it by default too, see smallestChange
		if j.Verdict == Reproduced && j.Alternatives() < to.Alternatives() {
			return text
		}
	}
	return text + alone
}

// isOfWorkload reports whether some assumptions are not the default, and all of these are about the
// stand-in workload.
func (a *analyzer) isOfWorkload(levels []int) bool {
	workload := false
	for i, level := range levels {
		if level != 0 && !a.plan.Study.Assumptions[i].Workload {
			return false
		}
		workload = workload || level != 0
	}
	return workload
}

// notTried tells that no alternative assumption was run, and which experiments run some.
func notTried(c *study.Claim) string {
	var names []string
	for _, r := range c.Repetitions {
		// a screening judges no claims
		if e := r.Assertions[0].Experiment; !screens(e, e.Replications, e.Repeats.Replications) {
			names = append(names, "--experiment "+r.Experiment)
		}
	}
	if len(names) == 0 {
		return "No universe was run: no experiment repeats its experiments under alternative assumptions"
	}
	return "No universe was run: " + english.WordSeries(names, "or") + " runs some"
}

// inUnit returns a number with four significant digits and its unit.
func inUnit(x float64, unit string) string {
	text := strings.Replace(PowerOfTen(fmt.Sprintf("%.4g", x)), "-", "−", 1)
	if unit != "" {
		text += " " + unit
	}
	return text
}

// PowerOfTen writes the exponent of a number as a power of ten: 6.2e-06 as 6.2·10⁻⁶. A number that
// has none stays.
func PowerOfTen(number string) string {
	mantissa, exponent, hasExponent := strings.Cut(number, "e")
	if !hasExponent {
		return number
	}
	power, _ := strconv.Atoi(exponent) // without zeros before it
	return mantissa + "·10" + superscripts.Replace(strconv.Itoa(power))
}

var superscripts = strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵",
	"6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")
