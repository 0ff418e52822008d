// What it takes to change the verdict on a claim.

package effects

import (
	"cmp"
	"math"
	"slices"
)

// Outcome is what becomes of a claim in a universe.
type Outcome int

// The outcomes.
const (
	None  Outcome = iota // no verdict: not run, without values, or vacuous
	Holds                // reproduced
	Fails                // not reproduced
	Open                 // inconclusive
)

// Judged is a claim in one universe.
type Judged struct {
	Outcome Outcome
	Margin  float64 // mean over comparisons, at least 0 if they hold; NaN without values
}

// Changes is how the outcome of a claim depends on the universe.
type Changes struct {
	Holding, Failing, Open int // universes
	// Smallest is the universe with the fewest levels other than defaults that changes the outcome:
	// a claim that holds by default fails there, one that does not hold by default holds there.
	// Of several it is the one whose margin is largest, or smallest for a claim that holds by
	// default. It is −1 if there is none.
	Smallest int
	// Nearest is the universe with the largest margin, −1 without margins.
	Nearest int
	Flips   []Flip
}

// Flip compares the universes that differ in nothing but one assumption, which has its default in
// one and another level in the other.
type Flip struct {
	Assumption, Level int
	Compared          int // pairs of universes in which the claim holds or fails
	Flipped           int // pairs of universes in one of which it holds and in the other fails
}

// Compare compares the outcomes of a claim over universes, each a level of every assumption.
// Flips are ordered by assumption and level; only levels with a pair to compare have one.
func Compare(universes [][]int, judged []Judged) *Changes {
	c := &Changes{Smallest: -1, Nearest: -1}
	var byDefault Outcome
	for u, levels := range universes {
		switch judged[u].Outcome {
		case Holds:
			c.Holding++
		case Fails:
			c.Failing++
		case Open:
			c.Open++
		}
		if changed(levels) == 0 {
			byDefault = judged[u].Outcome
		}
		if margin := judged[u].Margin; !math.IsNaN(margin) && (c.Nearest < 0 || margin > judged[c.Nearest].Margin) {
			c.Nearest = u
		}
	}
	wanted, sign := Holds, 1.0
	if byDefault == Holds {
		wanted, sign = Fails, -1
	}
	for u, levels := range universes {
		if judged[u].Outcome != wanted {
			continue
		}
		if c.Smallest < 0 || cmp.Or(cmp.Compare(changed(levels), changed(universes[c.Smallest])),
			cmp.Compare(sign*judged[c.Smallest].Margin, sign*judged[u].Margin)) < 0 {
			c.Smallest = u
		}
	}
	c.flips(universes, judged)
	return c
}

// changed counts the levels other than defaults.
func changed(levels []int) int {
	count := 0
	for _, level := range levels {
		if level != 0 {
			count++
		}
	}
	return count
}

// flips finds the pairs of universes that differ in one level from the default of an assumption.
func (c *Changes) flips(universes [][]int, judged []Judged) {
	decided := func(u int) bool { return judged[u].Outcome == Holds || judged[u].Outcome == Fails }
	flips := map[[2]int]*Flip{} // by assumption and level
	for u, levels := range universes {
		for v, others := range universes {
			a := difference(levels, others)
			if a < 0 || levels[a] == 0 || others[a] != 0 || !decided(u) || !decided(v) {
				continue
			}
			alternative := [2]int{a, levels[a]}
			if flips[alternative] == nil {
				flips[alternative] = &Flip{Assumption: a, Level: levels[a]}
			}
			flips[alternative].Compared++
			if judged[u].Outcome != judged[v].Outcome {
				flips[alternative].Flipped++
			}
		}
	}
	for _, flip := range flips {
		c.Flips = append(c.Flips, *flip)
	}
	slices.SortFunc(c.Flips, func(a, b Flip) int {
		return cmp.Or(cmp.Compare(a.Assumption, b.Assumption), cmp.Compare(a.Level, b.Level))
	})
}

// difference returns the only assumption in which two universes differ; −1 if there is none or
// more.
func difference(a, b []int) int {
	found := -1
	for i := range a {
		if a[i] != b[i] {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}
