// Broker: placing a request by the 16 algorithms that choose tasks and resources step by step.

package coallocation

import (
	"slices"

	"gridsweep/model"
	"gridsweep/model/rng"
)

// broker places requests one after the other. Its buffers hold the current request and are reused.
//
// After allocate returned true, chosen holds for each task the index of its interval in the list of
// its type.
type broker struct {
	point  Parameters
	unit   model.Seconds // booked after each end: the granularity if ends are closed, else 0
	byType []candidates

	request *request
	needed  []uint16 // types of the request, in order of their first task
	chosen  []int

	stepwise
	random

	listedResources, listedIntervals int64 // summed over all tasks of all requests so far
}

// stepwise is what the 16 algorithms need.
type stepwise struct {
	startRule startRule
	latest    bool // tasks start late: they run at the end of the window
	nextRule  nextRule
	tieStream *rng.Stream

	others  []int // tasks after the start task, in order
	attempt int64 // serial number of the window that is tried

	tied                    []int // buffers of breakTie and leastNextLeftover
	bestScores, otherScores []model.Seconds
}

func newBroker(p Parameters, seed rng.Source) *broker {
	b := &broker{point: p, byType: make([]candidates, p.ResourceTypes), chosen: make([]int, p.TasksMax)}
	for i := range b.byType {
		b.byType[i] = newCandidates(int(p.Resources))
	}
	if p.Ends == "closed" {
		b.unit = p.Granularity
	}
	if p.Algorithm == "random" {
		b.random = newRandom(int(p.ResourceTypes), seed)
		return b
	}
	b.stepwise = stepwise{
		startRule: startRuleOf(p), nextRule: nextRuleOf(p), tieStream: seed.Stream("ties"),
		latest: p.WindowStart == "latest" || p.WindowStart == "rule" && p.Start == "1C",
	}
	return b
}

// place books all tasks of the request and returns their common start, or reports that the
// algorithm rejects it. Requests come in order of arrival.
func (b *broker) place(r *request) (start model.Seconds, accepted bool) {
	start, accepted = b.allocate(r)
	if accepted {
		// chosen has indices in the lists, which bookings do not change.
		for task, t := range r.types {
			b.byType[t].calendar.book(b.resourceOf(task), start, start+r.service+b.unit, r.arrival)
		}
	}
	return start, accepted
}

// allocate chooses the resources and the start of the request without booking them.
func (b *broker) allocate(r *request) (start model.Seconds, accepted bool) {
	b.request = r
	switch {
	case !b.collect():
		return 0, false
	case b.point.Algorithm == "random":
		return b.placeAtRandom()
	default:
		return b.placeStepwise()
	}
}

// resourceOf returns the resource chosen for a task, by its index among those of its type.
func (b *broker) resourceOf(task int) int {
	return b.byType[b.request.types[task]].list[b.chosen[task]].resource
}

// placeStepwise follows section 3.1: the start task's intervals are tried in order until one gives
// a window for which every other task finds a resource.
func (b *broker) placeStepwise() (model.Seconds, bool) {
	b.sortLists()
	task := b.startTask()
	b.orderOthers(task)
	c := &b.byType[b.request.types[task]]
	for i := range c.list {
		interval := &c.list[i]
		window, ok := b.window(interval.gap)
		if !ok {
			continue
		}
		b.chosen[task] = i
		b.attempt++
		c.usedIn[interval.resource] = b.attempt
		if window, ok = b.chooseOthers(window); ok {
			return b.executionIn(window).begin, true
		}
	}
	return 0, false
}

// orderOthers lists the tasks after the start task in the order in which they choose their
// resources.
func (b *broker) orderOthers(startTask int) {
	types := b.request.types
	b.others = b.others[:0]
	for task := range types {
		if task != startTask {
			b.others = append(b.others, task)
		}
	}
	switch b.point.NextOrder {
	case "random":
		for i := range b.others {
			j := i + b.tieStream.Intn(len(b.others)-i)
			b.others[i], b.others[j] = b.others[j], b.others[i]
		}
	case "fewest":
		slices.SortStableFunc(b.others, func(x, y int) int {
			return len(b.byType[types[x]].list) - len(b.byType[types[y]].list)
		})
	}
}

// chooseOthers chooses for all tasks after the start task and returns what is left of the window
// (section 3.1, step 4); false if one finds no resource.
func (b *broker) chooseOthers(window gap) (gap, bool) {
	for _, task := range b.others {
		c := &b.byType[b.request.types[task]]
		i, ok := b.choose(c, window)
		if !ok {
			return gap{}, false
		}
		b.chosen[task] = i
		c.usedIn[c.list[i].resource] = b.attempt
		window = c.list[i].cut(window)
	}
	return window, true
}
