// How many published numbers lie in our prediction intervals, and how that count depends on the
// seeds.

package analysis

import "math"

// Evidence counts the cells of a table that are neither trivial nor repeated, see Cell, and those
// left out.
type Evidence struct {
	Cells, Inside     int // cells with a verdict, and those of them inside
	Trivial, Repeated int // cells left out; one that is both is trivial
	// Computed counts the repeated cells whose number is computed from printed ones, such as a
	// difference of two policies, unless it is trivial or an earlier cell shows it. ComputedInside
	// counts those of them inside. No other count has such cells.
	Computed, ComputedInside int
	// Own counts our replications of Cells that were judged by those of other groups as if they
	// were published, and OwnInside those of them inside. OwnInside/Own estimates the share of
	// Cells that would be inside if the published numbers came from our simulation.
	Own, OwnInside int

	insideWithout [leftOutGroups]int // Inside where a group of the replications is left out
	grouped       bool               // whether some cell has enough replications for insideWithout
}

// leftOutGroups is the number of groups of replications of which each is left out once. Replication
// k is of group k modulo leftOutGroups in all cells, since these share arrivals.
const leftOutGroups = 10

// Plus returns the counts of two tables together.
func (e Evidence) Plus(other Evidence) Evidence {
	e.Cells, e.Inside = e.Cells+other.Cells, e.Inside+other.Inside
	e.Trivial, e.Repeated = e.Trivial+other.Trivial, e.Repeated+other.Repeated
	e.Computed, e.ComputedInside = e.Computed+other.Computed, e.ComputedInside+other.ComputedInside
	e.Own, e.OwnInside = e.Own+other.Own, e.OwnInside+other.OwnInside
	e.grouped = e.grouped || other.grouped
	for g := range e.insideWithout {
		e.insideWithout[g] += other.insideWithout[g]
	}
	return e
}

// Deviation estimates the standard deviation of Inside over studies of as many replications with
// other seeds, for the paper's numbers as they are. It is that of the delete-a-group jackknife
// (Kott 2001): the root of (G−1)/G·Σ(c₍g₎ − c̄)², where c₍g₎ is the count without group g of
// G = 10. It is NaN where no cell has ten replications.
func (e Evidence) Deviation() float64 {
	if !e.grouped {
		return math.NaN()
	}
	sum, squares := 0, 0.0
	for _, count := range e.insideWithout {
		sum += count
	}
	for _, count := range e.insideWithout {
		difference := float64(count) - float64(sum)/leftOutGroups
		squares += difference * difference
	}
	return math.Sqrt(squares * (leftOutGroups - 1) / leftOutGroups)
}

// add counts a cell that has a verdict.
func (e *Evidence) add(c *Cell) {
	isInside := c.Verdict == AgreeInside
	switch {
	case c.Repeated && len(c.operands) > 0:
		if c.Trivial || c.shownItself {
			return
		}
		e.Computed++
		if isInside {
			e.ComputedInside++
		}
		return
	case c.Trivial:
		e.Trivial++
		return
	case c.Repeated:
		e.Repeated++
		return
	}
	e.Cells++
	if isInside {
		e.Inside++
	}
	e.Own, e.OwnInside = e.Own+c.own, e.OwnInside+c.ownInside
	for g := range e.insideWithout {
		verdict := c.Verdict
		if c.verdictWithout != nil {
			verdict, e.grouped = c.verdictWithout[g], true
		}
		if verdict == AgreeInside {
			e.insideWithout[g]++
		}
	}
}

// withoutGroup returns the values of all replications but those of a group.
func withoutGroup(values []float64, group int) []float64 {
	var rest []float64
	for i, value := range values {
		if i%leftOutGroups != group {
			rest = append(rest, value)
		}
	}
	return rest
}
