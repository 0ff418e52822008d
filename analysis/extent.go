// Extents: on how much of the study's own evidence for a claim the experiments under assumptions
// judge it, and which verdict they give by default.

package analysis

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"
)

// ByDefault returns the judgement of a claim in the universe of an experiment that has no
// alternative assumption, which may have fewer replications and levels than the study's own
// experiments. If there is none, it returns the judgement on those, c.Ours.
func (c Claim) ByDefault(experiment string) Judgement {
	for _, j := range c.Assumptions {
		if j.Experiment == experiment && j.Alternatives() == 0 {
			return j.Judgement
		}
	}
	return c.Ours
}

// OtherDefault tells which verdict an experiment under assumptions gives by default, if it is not
// the study's own, a sentence without its full stop; else it is empty.
func (c Claim) OtherDefault(experiment string) string {
	verdict := c.ByDefault(experiment).Verdict
	if verdict == c.Ours.Verdict {
		return ""
	}
	text := "In " + Quoted(experiment)
	if extent := c.Extent(experiment).String(); extent != "" {
		text += ", on " + extent + ","
	}
	return fmt.Sprintf("%s the default gives: %s", text, verdict)
}

// Quoted returns the name of an experiment for a sentence, in which it would look like other words.
func Quoted(experiment string) string { return "“" + experiment + "”" }

// Extent is how much of the study's own evidence for a claim an experiment has: the numbers of its
// steps of trends, levels of a peak or spread, comparisons and replications with those of the
// study. Each is zero where both have as many, or the study has none.
type Extent struct{ Steps, Levels, Comparisons, Replications Share }

// Share is how many of something there are here, and how many the study has, which may be fewer.
type Share struct {
	Here, Most int // the fewest and the most, where universes differ
	Study      int
}

// Extent returns the extent to which an experiment under assumptions judges a claim. If it runs one
// of two levels of lambda, 5 instead of the study's 100 replications, and the trend of the claim
// has nine steps at each level, this is 9 of 18 steps, 1 of 2 comparisons and 5 of 100
// replications.
func (c Claim) Extent(experiment string) Extent {
	var here *Judgement // by default or, if that was not judged, in the first universe
	for i := range c.Assumptions {
		if a := &c.Assumptions[i]; a.Experiment == experiment && (here == nil || a.Alternatives() == 0) {
			here = &a.Judgement
		}
	}
	if here == nil {
		return Extent{}
	}
	fewest, most := here.MeanMargin.N, here.MeanMargin.N
	for _, a := range c.Assumptions {
		if a.Experiment == experiment && len(a.Comparisons) > 0 {
			fewest, most = min(fewest, a.MeanMargin.N), max(most, a.MeanMargin.N)
		}
	}
	share := func(low, high, ours int) Share {
		if low == ours && high == ours || ours == 0 {
			return Share{}
		}
		return Share{low, high, ours}
	}
	steps, levels := here.stepsIn(c.Ours), here.levels()
	comparisons := len(c.Ours.Comparisons)
	// more than the study has are no more evidence: where few replications make numbers constant,
	// equal comparisons are not left out
	compared := min(len(here.Comparisons), comparisons)
	return Extent{
		Steps:        share(steps, steps, c.Ours.steps()),
		Levels:       share(levels, levels, c.Ours.levels()),
		Comparisons:  share(compared, compared, comparisons),
		Replications: share(fewest, most, c.Ours.MeanMargin.N),
	}
}

// String returns the extent in words, such as "1 of 2 comparisons and 8 instead of 5 replications";
// empty if the experiment has all evidence of the study.
func (e Extent) String() string {
	var words []string
	for _, of := range []struct {
		Share
		things string
	}{{e.Steps, "steps"}, {e.Levels, "levels"}, {e.Comparisons, "comparisons"}, {e.Replications, "replications"}} {
		here := strconv.Itoa(of.Here)
		if of.Most > of.Here {
			here += fmt.Sprintf(" to %d", of.Most)
		}
		switch {
		case of.Most > of.Study:
			words = append(words, fmt.Sprintf("%s instead of %d %s", here, of.Study, of.things))
		case of.Study > 0:
			words = append(words, fmt.Sprintf("%s of %d %s", here, of.Study, of.things))
		}
	}
	return english.WordSeries(words, "and")
}

// steps counts the steps of trends over more than two levels.
func (j Judgement) steps() int {
	count := 0
	for _, comparison := range j.Comparisons {
		count += len(comparison.Steps)
	}
	return count
}

// levels returns the most levels of a comparison that is a peak or spread.
func (j Judgement) levels() int {
	most := 0
	for _, comparison := range j.Comparisons {
		most = max(most, comparison.Levels)
	}
	return most
}

// stepsIn counts steps as another judgement does: if its trends have steps, a trend over two
// levels, which lists none, counts as one.
func (j Judgement) stepsIn(other Judgement) int {
	count := j.steps()
	if other.steps() == 0 {
		return count
	}
	for _, comparison := range j.Comparisons {
		if len(comparison.Steps) == 0 {
			count++
		}
	}
	return count
}

// Declared counts the alternatives that a claim was judged under, alone or with others, and all
// that the study file declares.
func (r *Result) Declared(c *Claim) (tried, declared int) {
	for a, assumption := range r.Assumptions {
		for level := 1; level < len(assumption.Levels); level++ {
			declared++
			if slices.ContainsFunc(c.Assumptions, func(j AssumptionJudgement) bool {
				return j.Levels != nil && j.Levels[a] == level
			}) {
				tried++
			}
		}
	}
	return tried, declared
}

// JudgedOn tells under how many of the declared alternatives a claim is judged, and on how much of
// the study's evidence in each experiment of Tried, where these are not all: "Judged under 3 of the
// 5 alternatives that are declared; in “open” and “sample” on 1 of 9 steps". It is a sentence
// without its full stop, empty if there is nothing to tell. Experiments that are shown already are
// left out, since the text of OtherDefault has their extent.
func (r *Result) JudgedOn(c *Claim, shown []string) string {
	var phrases []string
	if tried, declared := r.Declared(c); tried < declared {
		phrases = append(phrases, fmt.Sprintf("under %d of the %d alternatives that are declared", tried, declared))
	}
	experiments := map[Extent][]string{}
	var extents []Extent // in the order of the experiments
	for _, u := range c.Universes {
		extent := c.Extent(u.Experiment)
		if extent == (Extent{}) || !c.IsTriedIn(u.Experiment) || slices.Contains(shown, u.Experiment) {
			continue
		}
		if experiments[extent] == nil {
			extents = append(extents, extent)
		}
		experiments[extent] = append(experiments[extent], Quoted(u.Experiment))
	}
	for _, extent := range extents {
		phrases = append(phrases, fmt.Sprintf("in %s on %s", english.WordSeries(experiments[extent], "and"), extent))
	}
	if len(phrases) == 0 {
		return ""
	}
	return "Judged " + strings.Join(phrases, "; ")
}
