// Replications until targets are reached, for the template of the page: at which look each verdict
// was reached, and with how many replications.

package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"gridsweep/analysis"
	"gridsweep/analysis/sequential"
	"gridsweep/analysis/statistics"
)

// targetView is a target with its cells or verdicts.
type targetView struct {
	sequential.Target
	Sentence string
	Cells    []sequential.Cell
	Looks    []reachedView // the verdicts reached at each look, the undecided ones last
	Claims   []reachedView // the verdicts on each claim
}

// reachedView is the verdicts reached at a look, or those on a claim.
type reachedView struct {
	Label                       string
	Count                       int    // of verdicts
	Verdicts                    string // how many of each, or the only one
	Looks, Replications, Needed string // smallest and largest number; Needed is of undecided ones
}

// LooksRule says how replications were added and what their intervals are.
func (s Study) LooksRule() string {
	text := fmt.Sprintf("Replications were added to each cell, half as many again for each look, until its targets were "+
		"reached or it had %d. The interval of look k has an error rate of %.0f %% · 6/(π²k²), so that all looks "+
		"together have one of %.0f %%. The intervals in this section are corrected in this way; those of the tables and "+
		"figures are not.", s.Looks.Most, 100*(1-statistics.Confidence), 100*(1-statistics.Confidence))
	if s.Looks.Decisions != nil {
		text += " The p-values of a verdict are multiplied by π²k²/6; once it is reached it stays."
	}
	return text
}

// Targets returns the targets until which replications were added.
func (s Study) Targets() []targetView {
	sentences := s.Looks.Sentences()
	views := make([]targetView, len(sentences))
	for i, t := range s.Looks.Targets {
		views[i] = targetView{Target: t, Sentence: sentences[i], Cells: s.Looks.Cells[i]}
		if s.Looks.Decisions != nil {
			views[i].addVerdicts(s.Looks.Subjects[i], s.Looks.Decisions)
		}
	}
	return views
}

// addVerdicts sums up the verdicts on the subjects of the target.
func (v *targetView) addVerdicts(subjects []analysis.Subject, decisions map[analysis.Subject]analysis.Decision) {
	type claim struct{ name, experiment string }
	byLook, byClaim := map[int][]analysis.Decision{}, map[claim][]analysis.Decision{}
	var claims []claim // in their order
	for _, subject := range subjects {
		d := decisions[subject]
		look := undecidedLook
		if d.IsDecided() {
			look = d.Look
		}
		c := claim{subject.Claim, subject.Experiment}
		if byClaim[c] == nil {
			claims = append(claims, c)
		}
		byLook[look], byClaim[c] = append(byLook[look], d), append(byClaim[c], d)
	}
	for _, look := range slices.Sorted(maps.Keys(byLook)) {
		label := strconv.Itoa(look)
		if look == undecidedLook {
			label = "undecided"
		}
		v.Looks = append(v.Looks, newReachedView(label, byLook[look]))
	}
	for _, c := range claims {
		label := c.name
		if c.experiment != "" {
			label += ", in " + analysis.Quoted(c.experiment)
		}
		v.Claims = append(v.Claims, newReachedView(label, byClaim[c]))
	}
}

// undecidedLook stands for the look of verdicts that were not reached; it is the last.
const undecidedLook = math.MaxInt

func newReachedView(label string, decisions []analysis.Decision) reachedView {
	var counts Counts
	var looks, replications, needed []int
	for _, d := range decisions {
		counts.count(d.Verdict)
		looks, replications = append(looks, d.Look), append(replications, d.Replications)
		if d.Needed > 0 && !d.IsDecided() {
			needed = append(needed, d.Needed)
		}
	}
	verdicts := counts.words()
	if len(decisions) == 1 {
		verdicts = string(decisions[0].Verdict)
	}
	return reachedView{label, len(decisions), verdicts, between(looks), between(replications), between(needed)}
}

// between returns the smallest and the largest number in words: "5 to 18", or one if they are
// equal; a dash for none.
func between(numbers []int) string {
	if len(numbers) == 0 {
		return "–"
	}
	least, most := slices.Min(numbers), slices.Max(numbers)
	if least == most {
		return withCommas(least)
	}
	return withCommas(least) + " to " + withCommas(most)
}

// grownView is a cell, or cells of an experiment under assumptions, with the replications of each.
type grownView struct {
	Cells        string
	Replications int
}

// Grown returns the cells that have more replications than their experiment: those under
// assumptions, which are many, by experiment and number of replications.
func (s Study) Grown() []grownView {
	underAssumptions := map[string]bool{}
	for subject := range s.Looks.Decisions {
		underAssumptions[subject.Experiment] = true
	}
	// How many cells of an experiment under assumptions a line is about; 0 for a cell that is named
	// itself.
	counts := map[grownView]int{}
	for name, replications := range s.Looks.Replications {
		experiment := s.experimentOf(name)
		if whole, _, _ := strings.Cut(experiment, "/"); underAssumptions[whole] {
			counts[grownView{experiment, replications}]++
		} else {
			counts[grownView{name, replications}] = 0
		}
	}
	views := slices.SortedFunc(maps.Keys(counts), func(a, b grownView) int {
		return cmp.Or(cmp.Compare(a.Cells, b.Cells), cmp.Compare(a.Replications, b.Replications))
	})
	for i, v := range views {
		if n := counts[v]; n > 0 {
			views[i].Cells = fmt.Sprintf("%s: %s", v.Cells, english.Plural(n, "cell", ""))
		}
	}
	return views
}

// experimentOf returns the name of the experiment with which the name of a cell begins: the longest
// one if several fit, such as rate and rate high.
func (s Study) experimentOf(cell string) string {
	longest := ""
	for _, e := range s.Experiments {
		if strings.HasPrefix(cell+" ", e.Name+" ") && len(e.Name) > len(longest) {
			longest = e.Name
		}
	}
	return longest
}

// reachedOf tells how many verdicts under alternative assumptions were reached by adding
// replications, at which looks and with how many; empty where none were added for them.
func reachedOf(claims []claimView, looks *sequential.Looks) string {
	if looks == nil {
		return ""
	}
	count := 0
	var at, replications []int
	for _, c := range claims {
		for _, j := range c.UnderAlternatives() {
			d, has := looks.Decisions[analysis.Subject{Claim: c.Name, Experiment: j.Experiment, Universe: j.Label}]
			if !has {
				continue
			}
			if count++; d.IsDecided() {
				at, replications = append(at, d.Look), append(replications, d.Replications)
			}
		}
	}
	switch {
	case count == 0:
		return ""
	case len(at) == 0:
		return fmt.Sprintf("Replications were added for %s of them, none of which was reached.", withCommas(count))
	}
	return fmt.Sprintf("Replications were added for %s of them: %s reached, at %s %s, with %s replications.",
		withCommas(count), english.Plural(len(at), "was", "were"),
		english.PluralWord(slices.Max(at)-slices.Min(at)+1, "look", ""), between(at), between(replications))
}
