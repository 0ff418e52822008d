package coallocation

// Next-task rules: sub-algorithms 1E to 1H, which choose an interval for each task after the first.

import (
	"slices"

	"gridsweep/model"
)

// nextRule gives a fitting interval its score: the lowest is chosen (section 3.1.2). The second gap
// is what it leaves of the window.
type nextRule func(c *candidate, cut gap) model.Seconds

// nextRuleOf returns sub-algorithm 1E, 1F, 1G or 1H.
func (b *broker) nextRuleOf(p Parameters) nextRule {
	leftover := func(_ *candidate, cut gap) model.Seconds { return cut.end - cut.begin }
	if p.Leftover == "gap" {
		leftover = func(c *candidate, _ gap) model.Seconds { return c.end - c.begin }
	}
	load := func(c *candidate, _ gap) model.Seconds { return b.load(c.resource) }
	switch p.LoadOver {
	case "history":
		load = func(c *candidate, _ gap) model.Seconds { return b.calendars[c.resource].booked }
	case "past":
		load = func(c *candidate, _ gap) model.Seconds { return b.calendars[c.resource].worked(b.request.arrival) }
	}
	switch p.Next {
	case "1E":
		return leftover // less t_ET, which all have in common
	case "1F":
		return func(c *candidate, cut gap) model.Seconds { return -leftover(c, cut) }
	case "1G":
		return func(c *candidate, cut gap) model.Seconds { return -load(c, cut) }
	default: // 1H
		return load
	}
}

// load returns the booked time of a resource in [t_EST, t_D], computed once a request.
func (b *broker) load(resource int32) model.Seconds {
	l := &b.loads[resource]
	if l.serial != b.serial {
		*l = cachedLoad{b.serial, b.calendars[resource].busy(b.request.earliest, b.request.deadline)}
	}
	return l.busy
}

type cachedLoad struct {
	serial int64 // of the request
	busy   model.Seconds
}

// cut returns the part of the window in which the interval is free.
func (c *candidate) cut(window gap) gap {
	return gap{max(c.begin, window.begin), min(c.end, window.end)}
}

// choose returns the index in the list of the interval for the next task, and false if none leaves
// t_ET of the window on a resource that no other task of the request uses yet.
func (b *broker) choose(list []candidate, window gap) (int, bool) {
	fitting := b.fitting[:0]
	for i := range list {
		c := &list[i]
		if min(c.end, window.end)-max(c.begin, window.begin) >= b.request.service && b.usedIn[c.resource] != b.attempt {
			fitting = append(fitting, scored{index: i})
		}
	}
	b.fitting = fitting
	if len(fitting) < 2 {
		if len(fitting) == 0 {
			return 0, false
		}
		return fitting[0].index, true
	}
	tied := b.tied[:0]
	for i := range fitting {
		f := &fitting[i]
		f.score = b.nextRule(&list[f.index], list[f.index].cut(window))
		if len(tied) > 0 && f.score < tied[0].score {
			tied = tied[:0]
		}
		if len(tied) == 0 || f.score == tied[0].score {
			tied = append(tied, *f)
		}
	}
	b.tied = tied
	return b.breakTie(list, tied), true
}

// scored is an interval by its index in a list, with its score under the next-task rule.
type scored struct {
	index int
	score model.Seconds
}

// breakTie returns the index of one of the tied intervals, which are in list order.
func (b *broker) breakTie(list []candidate, tied []scored) int {
	if len(tied) == 1 {
		return tied[0].index
	}
	switch b.ties {
	case tiesIndex:
		return slices.MinFunc(tied, func(x, y scored) int {
			return byResource(&list[x.index], &list[y.index])
		}).index
	case tiesRandom:
		return tied[b.tieStream.Intn(len(tied))].index
	case tiesLeftover:
		return b.leastNextLeftover(list, tied)
	default:
		return tied[0].index
	}
}

func byResource(x, y *candidate) int {
	if x.resource != y.resource {
		return int(x.resource - y.resource)
	}
	return int(x.begin - y.begin)
}

// leastNextLeftover breaks a tie of 1E or 1F by the scores of the tied resources' other fitting
// intervals, the best first (sections 3.1.2.1 and 3.1.2.2); fewer come first where one's are the
// beginning of another's, then list order.
func (b *broker) leastNextLeftover(list []candidate, tied []scored) int {
	best := tied[0].index
	b.bestScores = b.scoresOf(list, list[best].resource, b.bestScores)
	for _, t := range tied[1:] {
		b.otherScores = b.scoresOf(list, list[t.index].resource, b.otherScores)
		if slices.Compare(b.otherScores, b.bestScores) < 0 {
			best = t.index
			b.bestScores, b.otherScores = b.otherScores, b.bestScores
		}
	}
	return best
}

// scoresOf returns the scores of a resource's fitting intervals in ascending order, in the given
// buffer.
func (b *broker) scoresOf(list []candidate, resource int32, buffer []model.Seconds) []model.Seconds {
	scores := buffer[:0]
	for _, f := range b.fitting {
		if list[f.index].resource == resource {
			scores = append(scores, f.score)
		}
	}
	slices.Sort(scores)
	return scores
}
