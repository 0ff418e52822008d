// Next-task rules: sub-algorithms 1E to 1H, which choose an interval for each task after the first.

package coallocation

import (
	"cmp"
	"slices"

	"gridsweep/model"
)

// nextRule scores the intervals that fit: the lowest score is chosen (section 3.1.2).
type nextRule struct {
	// of the score: -1 where the largest leftover or the busiest resource is chosen
	sign   model.Seconds
	byLoad bool // of the resource, else by leftover
	ofGap  bool // the leftover of the gap, else of the window
}

// nextRuleOf returns sub-algorithm 1E, 1F, 1G or 1H.
func nextRuleOf(p Parameters) nextRule {
	rule := nextRule{sign: 1, byLoad: byLoad(p), ofGap: p.Leftover == "gap"}
	if p.Next == "1F" || p.Next == "1G" {
		rule.sign = -1
	}
	return rule
}

// byLoad reports whether the next-task rule compares loads, and not leftover times.
func byLoad(p Parameters) bool { return p.Next == "1G" || p.Next == "1H" }

// score returns the score of an interval that fits. Leftover times include t_ET, which is equal for
// all intervals.
func (b *broker) score(c *candidates, interval *candidate, window gap) model.Seconds {
	switch {
	case b.nextRule.byLoad:
		return b.nextRule.sign * c.loads[interval.resource]
	case b.nextRule.ofGap:
		return b.nextRule.sign * interval.length()
	default:
		return b.nextRule.sign * interval.cut(window).length()
	}
}

// leastScore returns a lower bound of all scores.
func (b *broker) leastScore() model.Seconds {
	switch {
	case b.nextRule.sign < 0:
		return -forever
	case b.nextRule.byLoad:
		return 0
	default:
		return b.request.service
	}
}

// measureLoads sets the loads that 1G and 1H compare.
func (b *broker) measureLoads(c *candidates) {
	switch b.point.LoadOver {
	case "history":
		copy(c.loads, c.calendar.booked)
	case "past": // what is booked in all less what is booked from the arrival on
		c.calendar.busy(b.request.arrival, forever, c.loads)
		for resource, booked := range c.calendar.booked {
			c.loads[resource] = booked - c.loads[resource]
		}
	default: // window
		c.calendar.busy(b.request.earliest, b.request.deadline, c.loads)
	}
}

// fits reports whether an interval leaves t_ET of the window on a resource that no other task of
// the request uses yet.
func (b *broker) fits(c *candidates, interval *candidate, window gap) bool {
	return interval.cut(window).length() >= b.request.service && c.usedIn[interval.resource] != b.attempt
}

// choose returns the index in the list of the interval for the next task, and false if none fits.
func (b *broker) choose(c *candidates, window gap) (int, bool) {
	if b.nextRule.byLoad && !c.loaded {
		b.measureLoads(c)
		c.loaded = true
	}
	takesFirst := b.point.Ties == "list" // of the intervals with the least score
	chosen, least, tied := 0, forever, 0
	for i := range c.list {
		interval := &c.list[i]
		if !b.fits(c, interval, window) {
			continue
		}
		if score := b.score(c, interval, window); score < least {
			chosen, least, tied = i, score, 1
			if takesFirst && score == b.leastScore() { // the others are not less
				break
			}
		} else if score == least {
			tied++
		}
	}
	if tied > 1 && !takesFirst {
		chosen = b.breakTie(c, window, least)
	}
	return chosen, tied > 0
}

// breakTie returns the index of one of the fitting intervals with the least score.
func (b *broker) breakTie(c *candidates, window gap, least model.Seconds) int {
	tied := b.tied[:0]
	for i := range c.list {
		if interval := &c.list[i]; b.fits(c, interval, window) && b.score(c, interval, window) == least {
			tied = append(tied, i)
		}
	}
	b.tied = tied
	switch {
	case b.point.Ties == "index":
		return slices.MinFunc(tied, func(x, y int) int {
			return cmp.Or(c.list[x].resource-c.list[y].resource, cmp.Compare(c.list[x].begin, c.list[y].begin))
		})
	case b.point.Ties == "thesis" && !b.nextRule.byLoad:
		return b.leastNextLeftover(c, window, tied)
	default: // random, or 1G and 1H by the thesis
		return tied[b.tieStream.Intn(len(tied))]
	}
}

// leastNextLeftover breaks a tie of 1E or 1F by the scores of the tied resources' other fitting
// intervals, the best first (sections 3.1.2.1 and 3.1.2.2). If one list of scores is the
// beginning of another, the shorter one is first. Of equal lists the first in list order is.
func (b *broker) leastNextLeftover(c *candidates, window gap, tied []int) int {
	best := tied[0]
	b.bestScores = b.scoresOf(c, window, c.list[best].resource, b.bestScores)
	for _, i := range tied[1:] {
		b.otherScores = b.scoresOf(c, window, c.list[i].resource, b.otherScores)
		if slices.Compare(b.otherScores, b.bestScores) < 0 {
			best = i
			b.bestScores, b.otherScores = b.otherScores, b.bestScores
		}
	}
	return best
}

// scoresOf returns the scores of a resource's fitting intervals in ascending order, in the buffer.
func (b *broker) scoresOf(c *candidates, window gap, resource int, buffer []model.Seconds) []model.Seconds {
	scores := buffer[:0]
	for i := range c.list {
		if interval := &c.list[i]; interval.resource == resource && b.fits(c, interval, window) {
			scores = append(scores, b.score(c, interval, window))
		}
	}
	slices.Sort(scores)
	return scores
}
