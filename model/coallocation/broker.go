package coallocation

// Broker: placing a request by the 16 algorithms that choose tasks and resources step by step.

import (
	"slices"

	"gridsweep/model"
	"gridsweep/model/rng"
)

// broker places requests one after the other. Its buffers are those of the request at hand and are
// used again.
//
// After allocate returned true, chosen holds for each task the index of its interval in the list of
// its type.
type broker struct {
	resources int           // of each type
	last      model.Seconds // unit of time at its end that a reservation books too; 0 if ends are open
	calendars []calendar    // type by type

	request *request
	serial  int64 // of the request
	byType  []candidates
	needed  []uint16 // types of the request, in order of their first task
	chosen  []int

	stepwise
	random

	listedResources, listedIntervals int64 // summed over all tasks of all requests so far
	algorithm                        func(*request) (model.Seconds, bool)
}

// stepwise is what the 16 algorithms need.
type stepwise struct {
	startRule    startRule
	intervalTies startRule // nil: resource, then begin
	compareTasks compareTasks
	order        nextOrder
	window       windowRule
	latest       bool // window_start
	nextRule     nextRule
	ties         ties
	tieStream    *rng.Stream

	others  []int   // tasks after the start task, in order
	usedIn  []int64 // by resource: the last attempt that used it
	attempt int64
	loads   []cachedLoad // by resource
	fitting []scored
	tied    []scored

	bestScores, otherScores []model.Seconds
}

type nextOrder int

const (
	orderGiven nextOrder = iota
	orderRandom
	orderFewest
)

type ties int

const (
	tiesList ties = iota
	tiesIndex
	tiesRandom
	tiesLeftover
)

func newBroker(p Parameters, seed rng.Source) *broker {
	all := int(p.ResourceTypes * p.Resources)
	b := &broker{
		resources: int(p.Resources),
		calendars: make([]calendar, all),
		byType:    make([]candidates, p.ResourceTypes),
		chosen:    make([]int, p.TasksMax),
	}
	for i := range b.calendars {
		b.calendars[i] = newCalendar()
	}
	if p.Ends == "closed" {
		b.last = p.Granularity
	}
	if p.Algorithm == "random" {
		b.random = newRandom(int(p.ResourceTypes), seed)
		b.algorithm = b.placeAtRandom
		return b
	}
	b.stepwise = stepwise{
		startRule: startRuleOf(p), intervalTies: intervalTiesOf(p), compareTasks: compareTasksOf(p),
		order: nextOrderOf(p), window: b.windowRuleOf(p),
		latest:   p.WindowStart == "latest" || p.WindowStart == "rule" && p.Start == "1C",
		nextRule: b.nextRuleOf(p), ties: tiesOf(p), tieStream: seed.Stream("ties"),
		usedIn: make([]int64, all), loads: make([]cachedLoad, all),
	}
	b.algorithm = b.placeStepwise
	return b
}

func nextOrderOf(p Parameters) nextOrder {
	switch p.NextOrder {
	case "random":
		return orderRandom
	case "fewest":
		return orderFewest
	default:
		return orderGiven
	}
}

func tiesOf(p Parameters) ties {
	byLoad := p.Next == "1G" || p.Next == "1H"
	switch {
	case p.Ties == "index":
		return tiesIndex
	case p.Ties == "random", p.Ties == "thesis" && byLoad:
		return tiesRandom
	case p.Ties == "thesis":
		return tiesLeftover
	default:
		return tiesList
	}
}

// place books all tasks of the request and returns their common start, or reports that the
// algorithm rejects it. Requests come in order of arrival.
func (b *broker) place(r *request) (start model.Seconds, accepted bool) {
	start, accepted = b.allocate(r)
	if accepted {
		for task := range r.types {
			b.calendars[b.resourceOf(task)].book(start, start+r.service+b.last)
		}
	}
	return start, accepted
}

// allocate chooses the resources and the start of the request without booking them.
func (b *broker) allocate(r *request) (start model.Seconds, accepted bool) {
	b.request = r
	b.serial++
	if !b.collect(r) {
		return 0, false
	}
	return b.algorithm(r)
}

// resourceOf returns the resource chosen for a task.
func (b *broker) resourceOf(task int) int32 {
	return b.byType[b.request.types[task]].list[b.chosen[task]].resource
}

// placeStepwise follows section 3.1: the start task's intervals are tried in order until one gives
// a window for which every other task finds a resource.
func (b *broker) placeStepwise(r *request) (model.Seconds, bool) {
	b.rank()
	task := b.startTask()
	b.orderOthers(r, task)
	for i := range b.byType[r.types[task]].list {
		interval := &b.byType[r.types[task]].list[i]
		window, ok := b.window(interval.gap)
		if !ok {
			continue
		}
		b.chosen[task] = i
		b.attempt++
		b.usedIn[interval.resource] = b.attempt
		if window, ok = b.chooseOthers(r, window); ok {
			return b.within(window).begin, true
		}
	}
	return 0, false
}

// orderOthers lists the tasks after the start task in the order in which they choose their
// resources.
func (b *broker) orderOthers(r *request, start int) {
	b.others = b.others[:0]
	for task := range r.types {
		if task != start {
			b.others = append(b.others, task)
		}
	}
	switch b.order {
	case orderRandom:
		for i := range b.others {
			j := i + b.tieStream.Intn(len(b.others)-i)
			b.others[i], b.others[j] = b.others[j], b.others[i]
		}
	case orderFewest:
		slices.SortStableFunc(b.others, func(x, y int) int {
			return len(b.byType[r.types[x]].list) - len(b.byType[r.types[y]].list)
		})
	}
}

// chooseOthers chooses for all tasks after the start task and returns what is left of the window
// (section 3.1, step 4); false if one finds no resource.
func (b *broker) chooseOthers(r *request, window gap) (gap, bool) {
	for _, task := range b.others {
		list := b.byType[r.types[task]].list
		i, ok := b.choose(list, window)
		if !ok {
			return gap{}, false
		}
		b.chosen[task] = i
		b.usedIn[list[i].resource] = b.attempt
		window = list[i].cut(window)
	}
	return window, true
}
