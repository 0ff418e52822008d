// Subsets of levels: what a universe that runs fewer levels than the study tells about a trend or
// spread over all levels of the claim.

package analysis

import (
	"fmt"
	"slices"

	"gridsweep/configs/language"
	"gridsweep/sweeps/study"
)

// subset is what a comparison on some levels tells about the one on all levels of the claim.
// Support for the claim depends on suffices, and its refutation on what the comparison on all
// levels implies.
//
//   - Rise or fall. A claim says that waits rise along the loads 1 to 5, and a universe runs 1, 3
//     and 5. Waits of 10, 8 and 20 refute it: the fall from 1 to 3 contains one from 1 to 2 or from
//     2 to 3. Waits of 10, 15 and 20 do not support it: the wait at 2 may be 30.
//   - Peak. A level above both ends is one, whatever the levels that were not run; that none is
//     above them proves nothing. Where an end was not run, neither proves anything.
//   - Spread. Two levels that differ by more than the tolerance refute it. That none do proves
//     nothing.
//
// With an equivalence margin δ only falls by more than δ count. The fall from 1 to 3 may be two of
// at most δ, so it refutes the rise if it is more than 2δ; over k steps, more than kδ. The change
// from end to end is asserted itself (see margin.asserts): a fall by more than δ from 1 to 5
// refutes it.
type subset struct {
	run, all int  // numbers of levels
	suffices bool // whether the comparison on these levels implies that on all
	// implied is what the comparison on all levels implies for these: in the example that the waits
	// do not fall from 1 to 3, from 3 to 5 and from 1 to 5.
	implied hypothesis
	// impliesAbove tells that above δ on all levels implies at least δ on these.
	impliesAbove bool
}

// hasSteps reports whether a test is of a trend with steps from a level to the next.
func hasSteps(test study.Test) bool {
	return test.Trend == language.Rises || test.Trend == language.Falls
}

// comparisonKey identifies a comparison of a trend or spread in the study and in universes.
type comparisonKey struct {
	assertion int
	row       string
}

// levels returns the levels of each trend or spread.
func (s *comparisons) levels() map[comparisonKey][]study.Label {
	levels := map[comparisonKey][]study.Label{}
	for _, m := range s.margins {
		if m.levels != nil {
			levels[comparisonKey{m.assertion, m.row}] = m.levels
		}
	}
	return levels
}

// markSubsets sets the subset of each comparison that lacks levels which the claim's own has.
func (s *comparisons) markSubsets(c *study.Claim, own map[comparisonKey][]study.Label) {
	for i := range s.margins {
		m := &s.margins[i]
		all := own[comparisonKey{m.assertion, m.row}]
		isMissing := func(level study.Label) bool { return study.IndexOf(m.levels, level) < 0 }
		if slices.ContainsFunc(all, isMissing) {
			m.subset = m.subsetOf(all, c)
		}
	}
}

// subsetOf returns what a comparison on fewer levels tells about that on all levels of the claim.
func (m margin) subsetOf(all []study.Label, c *study.Claim) *subset {
	s := &subset{run: len(m.levels), all: len(all), implied: hypothesis{nil}} // nothing so far
	first, last := study.IndexOf(all, m.levels[0]), study.IndexOf(all, m.levels[len(m.levels)-1])
	hasEnds := first == 0 && last == len(all)-1
	switch {
	case c.Test.Spread != nil:
		s.implied = m.asserts
		return s
	case c.Test.Trend == language.Peaks:
		s.suffices = hasEnds
		return s
	}
	s.impliesAbove = hasEnds || c.EquivalenceMargin == 0 && first >= 0 && last >= 0
	for i, change := range m.asserts[0] { // from end to end, then the steps
		from, to := first, last
		if i > 0 {
			from, to = study.IndexOf(all, m.levels[i-1]), study.IndexOf(all, m.levels[i])
		}
		if from < 0 || to < 0 { // a level that the study lacks
			continue
		}
		isAsserted := to-from == 1 || i == 0 && hasEnds
		if c.EquivalenceMargin > 0 && !isAsserted {
			change = change.plus(1, float64(to-from-1)*c.EquivalenceMargin)
		}
		s.implied[0] = append(s.implied[0], change)
	}
	return s
}

// lacking tells why levels that were not run leave a claim undecided, whatever the number of
// replications, and returns the verdict on those that were run if that is decided. The text is a
// sentence without its full stop, empty if levels are not the reason.
func (r rule) lacking(margins []margin, test study.Test) (why string, onRun Verdict) {
	alone := slices.Clone(margins) // the levels that were run, as if they were all
	var subsets []subset
	stepsRun, steps := 0, 0
	for i, m := range margins {
		s := subset{run: len(m.levels), all: len(m.levels)}
		if m.subset != nil {
			s, alone[i].subset = *m.subset, nil
			subsets = append(subsets, s)
		}
		stepsRun, steps = stepsRun+s.run-1, steps+s.all-1
	}
	if len(subsets) == 0 {
		return "", ""
	}
	extent := fmt.Sprintf("%d of %d levels", subsets[0].run, subsets[0].all)
	if hasSteps(test) {
		extent = fmt.Sprintf("%d of %d steps", stepsRun, steps)
	}
	switch verdict, _ := r.verdict(alone); {
	case verdict != Inconclusive:
		return fmt.Sprintf("On the %s that were run it is %s, and no number of replications decides the others", extent,
			verdict), verdict
	case r.needed(alone) > 0:
		return "No number of replications would decide it if all are like those that were run, on " + extent, ""
	}
	return "", ""
}
