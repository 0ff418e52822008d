// Subsets of levels: what a universe that runs fewer levels than the study tells about the trend of
// a claim, or its spread, over all of its levels.

package analysis

import (
	"fmt"
	"slices"

	"gridsweep/configs/language"
	"gridsweep/sweeps/study"
)

// subset is what a comparison on some of the levels tells about that on all of them.
//
//   - That a curve rises or falls at each step that was run proves nothing of the steps between. A
//     step down over several levels implies one between two neighbours, so a rise fails. With an
//     equivalence margin δ one over k steps implies it below −kδ, unless it is from end to end.
//   - A level above both ends is a peak whatever the levels between them that were not run. That
//     none is above them proves nothing, nor does either where an end was not run.
//   - That all pairs of levels are within a spread proves nothing; that one is not does.
type subset struct {
	run, all int  // levels
	holds    bool // whether it holds on all levels if it does on those that were run
	// implied is what holds on the levels that were run if it does on all; nil if that is nothing.
	implied hypothesis
	// isBounded reports whether it exceeds the equivalence margin if it does on all levels.
	isBounded bool
}

// hasSteps reports whether a test is of a trend with steps from a level to the next.
func hasSteps(test study.Test) bool {
	return test.Trend == language.Rises || test.Trend == language.Falls
}

// rowOfClaim identifies a comparison of a trend or spread in the study and in universes.
type rowOfClaim struct {
	assertion int
	row       string
}

// levels returns the levels of each trend or spread.
func (s *comparisons) levels() map[rowOfClaim][]study.Label {
	levels := map[rowOfClaim][]study.Label{}
	for _, m := range s.margins {
		if m.levels != nil {
			levels[rowOfClaim{m.assertion, m.row}] = m.levels
		}
	}
	return levels
}

// restrict finds the comparisons of a universe that lack levels which the claim's own have.
func (s *comparisons) restrict(c *study.Claim, own map[rowOfClaim][]study.Label) {
	for i := range s.margins {
		m := &s.margins[i]
		all := own[rowOfClaim{m.assertion, m.row}]
		isMissing := func(level study.Label) bool { return study.IndexOf(m.levels, level) < 0 }
		if slices.ContainsFunc(all, isMissing) {
			m.subset = m.subsetOf(all, c)
		}
	}
}

// subsetOf returns what a comparison on fewer levels tells about that on all levels of the claim.
func (m margin) subsetOf(all []study.Label, c *study.Claim) *subset {
	p := &subset{run: len(m.levels), all: len(all)}
	first, last := study.IndexOf(all, m.levels[0]), study.IndexOf(all, m.levels[len(m.levels)-1])
	hasEnds := first == 0 && last == len(all)-1
	switch {
	case c.Test.Spread != nil:
		p.implied = m.asserts
		return p
	case c.Test.Trend == language.Peaks:
		p.holds = hasEnds
		return p
	}
	// of levels that the study lacks nothing is known
	p.isBounded = hasEnds || c.EquivalenceMargin == 0 && first >= 0 && last >= 0
	var implied []series
	for i, s := range m.asserts[0] { // from end to end, then the steps
		from, to := first, last
		if i > 0 {
			from, to = study.IndexOf(all, m.levels[i-1]), study.IndexOf(all, m.levels[i])
		}
		switch steps := to - from; {
		case from < 0 || to < 0:
		case c.EquivalenceMargin == 0 || steps == 1 || i == 0 && hasEnds:
			implied = append(implied, s)
		default:
			implied = append(implied, s.plus(1, float64(steps-1)*c.EquivalenceMargin))
		}
	}
	if len(implied) > 0 {
		p.implied = hypothesis{implied}
	}
	return p
}

// lacking tells why levels that were not run leave a claim undecided, whatever the number of
// replications, a sentence without its full stop, and returns the verdict on those that were run if
// that is decided. The text is empty if levels are not the reason.
func (r rule) lacking(margins []margin, test study.Test) (why string, onRun Verdict) {
	alone := slices.Clone(margins) // the levels that were run, as if they were all
	var subsets []subset
	run, all := 0, 0 // steps
	for i, m := range margins {
		p := subset{run: len(m.levels), all: len(m.levels)}
		if m.subset != nil {
			p, alone[i].subset = *m.subset, nil
			subsets = append(subsets, p)
		}
		run, all = run+p.run-1, all+p.all-1
	}
	if len(subsets) == 0 {
		return "", ""
	}
	extent := fmt.Sprintf("%d of %d levels", subsets[0].run, subsets[0].all)
	if hasSteps(test) {
		extent = fmt.Sprintf("%d of %d steps", run, all)
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
