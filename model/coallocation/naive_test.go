// Naive broker: the slow, obvious implementation of all algorithms, on arrays of seconds.

package coallocation

import (
	"cmp"
	"slices"

	"gridsweep/model"
	"gridsweep/model/rng"
)

// naive places requests like broker. Each resource is an array of seconds, every list is made again
// for every task, and the rules are written as in the thesis. Only the requests and the streams are
// those of the real broker.
type naive struct {
	p    Parameters
	busy [][]bool // by resource and second
	unit int      // seconds after its end that a reservation keeps busy
	ties *rng.Stream

	listedResources, listedIntervals int64
}

// interval is a free time of one resource, clipped to the request.
type interval struct{ resource, begin, end int }

func (i interval) length() int { return i.end - i.begin }

// placement is what an accepted request gets: a start and one resource for each task.
type placement struct {
	start     int
	resources []int
}

func newNaive(p Parameters, seed rng.Source, horizon int) *naive {
	n := &naive{p: p, ties: seed.Stream("ties")}
	if p.Ends == "closed" {
		n.unit = int(p.Granularity)
	}
	for range p.ResourceTypes * p.Resources {
		n.busy = append(n.busy, make([]bool, horizon+n.unit))
	}
	return n
}

func (n *naive) book(r *request, at placement) {
	for _, resource := range at.resources {
		for second := at.start; second < at.start+int(r.service)+n.unit; second++ {
			if n.busy[resource][second] {
				panic("double booking")
			}
			n.busy[resource][second] = true
		}
	}
}

// intervals lists the intervals in which some resource of the type could run a task, by resource
// and begin.
func (n *naive) intervals(r *request, resourceType uint16) []interval {
	var list []interval
	for i := range int(n.p.Resources) {
		resource := int(resourceType)*int(n.p.Resources) + i
		for begin := int(r.earliest); begin < int(r.deadline); begin++ {
			free := begin
			for free < int(r.deadline)+n.unit && !n.busy[resource][free] {
				free++
			}
			if end := min(free-n.unit, int(r.deadline)); end-begin >= int(r.service) {
				list = append(list, interval{resource, begin, end})
			}
			begin = max(begin, free)
		}
	}
	return list
}

// lists returns the intervals of every task, and false if some task has none.
func (n *naive) lists(r *request) (lists [][]interval, all bool) {
	all = true
	for _, resourceType := range r.types {
		list := n.intervals(r, resourceType)
		resources := map[int]bool{}
		for _, i := range list {
			resources[i.resource] = true
		}
		n.listedIntervals += int64(len(list))
		n.listedResources += int64(len(resources))
		all = all && len(list) > 0
		lists = append(lists, list)
	}
	return lists, all
}

// compareStart compares two intervals by the start rule alone.
func (n *naive) compareStart(x, y interval) int {
	switch n.p.Start {
	case "1A":
		return cmp.Compare(y.length(), x.length())
	case "1B":
		return cmp.Compare(x.length(), y.length())
	case "1C":
		if n.p.LatestBy == "start" {
			return cmp.Compare(y.begin, x.begin)
		}
		return cmp.Compare(y.end, x.end)
	case "1D":
		return cmp.Compare(x.begin, y.begin)
	}
	panic(n.p.Start)
}

func (n *naive) stepwise(r *request) (placement, bool) {
	lists, all := n.lists(r)
	if !all {
		return placement{}, false
	}
	for _, list := range lists {
		slices.SortFunc(list, func(x, y interval) int {
			lengths := map[string]int{"shortest": x.length() - y.length(), "longest": y.length() - x.length()}
			return cmp.Or(n.compareStart(x, y), lengths[n.p.IntervalTies], cmp.Compare(x.resource, y.resource),
				cmp.Compare(x.begin, y.begin))
		})
	}
	start := n.startTask(lists)
	order := n.order(lists, start)
	for _, first := range lists[start] {
		if at, ok := n.attempt(r, lists, start, first, order); ok {
			return at, true
		}
	}
	return placement{}, false
}

func (n *naive) startTask(lists [][]interval) int {
	best := 0
	for i, list := range lists {
		switch n.p.StartTask {
		case "fewest":
			if len(list) < len(lists[best]) {
				best = i
			}
		case "first":
			if n.startOrder()*n.compareStart(list[0], lists[best][0]) < 0 {
				best = i
			}
		case "lexicographic":
			if n.startOrder()*slices.CompareFunc(list, lists[best], n.compareStart) < 0 {
				best = i
			}
		case "distinct":
			equal := func(x, y interval) bool { return n.compareStart(x, y) == 0 }
			once := func(list []interval) []interval { return slices.CompactFunc(slices.Clone(list), equal) }
			if n.startOrder()*slices.CompareFunc(once(list), once(lists[best]), n.compareStart) < 0 {
				best = i
			}
		}
	}
	return best
}

// startOrder is -1 if the task with the last list starts, 1 if that with the first does.
func (n *naive) startOrder() int {
	if n.p.Start == "1D" && n.p.EarliestTask == "latest" {
		return -1
	}
	return 1
}

func (n *naive) order(lists [][]interval, start int) []int {
	var order []int
	for i := range lists {
		if i != start {
			order = append(order, i)
		}
	}
	switch n.p.NextOrder {
	case "fewest":
		slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(len(lists[x]), len(lists[y])) })
	case "random": // each task left with equal chance
		left := order
		for len(left) > 0 {
			j := n.ties.Intn(len(left))
			left[0], left[j] = left[j], left[0]
			left = left[1:]
		}
	}
	return order
}

// attempt tries to complete the placement that begins with one interval of the start task.
func (n *naive) attempt(r *request, lists [][]interval, start int, first interval, order []int) (placement, bool) {
	service := int(r.service)
	latest := n.p.WindowStart == "latest" || n.p.WindowStart == "rule" && n.p.Start == "1C"
	window := first
	switch {
	case n.p.Window == "sliding":
		starts := n.starts(lists, first, service)
		switch {
		case len(starts) == 0:
			return placement{}, false
		case latest:
			window.begin = starts[len(starts)-1]
		default:
			window.begin = starts[0]
		}
		window.end = window.begin + service
	case n.p.Window == "fixed" && latest:
		window.begin = window.end - service
	case n.p.Window == "fixed":
		window.end = window.begin + service
	}
	resources := make([]int, len(lists))
	used := map[int]bool{first.resource: true}
	resources[start] = first.resource
	for _, task := range order {
		var fitting []interval
		for _, i := range lists[task] {
			if common(i, window).length() >= service && !used[i.resource] {
				fitting = append(fitting, i)
			}
		}
		if len(fitting) == 0 {
			return placement{}, false
		}
		chosen := n.choose(r, fitting, window)
		used[chosen.resource] = true
		resources[task] = chosen.resource
		window = common(chosen, window)
	}
	if latest {
		return placement{window.end - service, resources}, true
	}
	return placement{window.begin, resources}, true
}

// starts lists the seconds of an interval from which on all tasks could run on different resources.
func (n *naive) starts(lists [][]interval, within interval, service int) []int {
	var starts []int
	for start := within.begin; start+service <= within.end; start++ {
		used := map[int]bool{}
		// the tasks of a type have the same list, so any resource will do
		for _, list := range lists {
			for _, i := range list {
				if i.begin <= start && start+service <= i.end && !used[i.resource] {
					used[i.resource] = true
					break
				}
			}
		}
		if len(used) == len(lists) {
			starts = append(starts, start)
		}
	}
	return starts
}

func common(i, window interval) interval {
	return interval{i.resource, max(i.begin, window.begin), min(i.end, window.end)}
}

// choose applies the next-task rule to the intervals that fit, which are in list order.
func (n *naive) choose(r *request, fitting []interval, window interval) interval {
	criterion := func(i interval) int { // the lowest is chosen
		leftover := common(i, window).length() - int(r.service)
		if n.p.Leftover == "gap" {
			leftover = i.length() - int(r.service)
		}
		load := 0
		for second, busy := range n.busy[i.resource] {
			counts := map[string]bool{
				"window":  int(r.earliest) <= second && second < int(r.deadline),
				"history": true,
				"past":    second < int(r.arrival),
			}
			if busy && counts[n.p.LoadOver] {
				load++
			}
		}
		return map[string]int{"1E": leftover, "1F": -leftover, "1G": -load, "1H": load}[n.p.Next]
	}
	least := criterion(fitting[0])
	for _, i := range fitting {
		least = min(least, criterion(i))
	}
	var tied []interval
	for _, i := range fitting {
		if criterion(i) == least {
			tied = append(tied, i)
		}
	}
	if len(tied) == 1 {
		return tied[0]
	}
	byLeftover := n.p.Next == "1E" || n.p.Next == "1F"
	switch {
	case n.p.Ties == "list":
		return tied[0]
	case n.p.Ties == "index":
		slices.SortFunc(tied, func(x, y interval) int {
			return cmp.Or(cmp.Compare(x.resource, y.resource), cmp.Compare(x.begin, y.begin))
		})
		return tied[0]
	case n.p.Ties == "thesis" && byLeftover:
		all := func(resource int) (leftovers []int) {
			for _, i := range fitting {
				if i.resource == resource {
					leftovers = append(leftovers, criterion(i))
				}
			}
			slices.Sort(leftovers)
			return leftovers
		}
		slices.SortStableFunc(tied, func(x, y interval) int { return slices.Compare(all(x.resource), all(y.resource)) })
		return tied[0]
	default:
		return tied[n.ties.Intn(len(tied))]
	}
}

// combinations lists every assignment of different resources to the tasks that have a common start,
// with the earliest.
func (n *naive) combinations(r *request) []placement {
	var found []placement
	resources := make([]int, len(r.types))
	var extend func(task int)
	extend = func(task int) {
		if task < len(resources) {
			for i := range int(n.p.Resources) {
				resources[task] = int(r.types[task])*int(n.p.Resources) + i
				if !slices.Contains(resources[:task], resources[task]) {
					extend(task + 1)
				}
			}
			return
		}
		if start, ok := n.earliest(r, resources); ok {
			found = append(found, placement{start, slices.Clone(resources)})
		}
	}
	extend(0)
	return found
}

// earliest returns the first second from which all resources are free for t_ET.
func (n *naive) earliest(r *request, resources []int) (int, bool) {
	for start := int(r.earliest); start <= int(r.deadline-r.service); start++ {
		free := true
		for _, resource := range resources {
			free = free && !slices.Contains(n.busy[resource][start:start+int(r.service)+n.unit], true)
		}
		if free {
			return start, true
		}
	}
	return 0, false
}

// globalResource returns the resource that the real broker chose for a task of its request, among
// those of all types.
func (b *broker) globalResource(task int) int {
	return int(b.request.types[task])*int(b.point.Resources) + b.resourceOf(task)
}

// placed returns what the real broker has just chosen for the request.
func (b *broker) placed(r *request, start model.Seconds) placement {
	at := placement{start: int(start)}
	for task := range r.types {
		at.resources = append(at.resources, b.globalResource(task))
	}
	return at
}
