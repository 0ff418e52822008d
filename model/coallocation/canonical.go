// Canonical: which parameters have no effect in a point, so that one simulation serves several
// runs.

package coallocation

// canonical sets the parameters that have no effect in a point to their defaults, and replaces
// values that have the effect of another one by that.
func canonical(p Parameters) Parameters {
	d := defaults
	if p.Algorithm == "random" { // RAN/RAN has none of the rules
		p.Start, p.Next, p.NextOrder, p.StartTask, p.EarliestTask = d.Start, d.Next, d.NextOrder, d.StartTask, d.EarliestTask
		p.Window, p.WindowStart, p.LatestBy, p.IntervalTies = d.Window, d.WindowStart, d.LatestBy, d.IntervalTies
		p.Leftover, p.LoadOver, p.Ties = d.Leftover, d.LoadOver, d.Ties
		return p
	}
	ownTypes := p.Types != "random" && p.TasksMax <= p.ResourceTypes // each task has its own
	if p.Start != "1D" || p.StartTask == "fewest" {
		p.EarliestTask = d.EarliestTask
	}
	if p.Laxity == 1 && p.Slack == "with" { // all intervals of a request are [t_EST, t_D]
		p.WindowStart, p.Leftover = d.WindowStart, d.Leftover
		// where a type lacks resources, a sliding window fails before ties are drawn, another after
		if p.Window != "sliding" || ownTypes || p.Ties == "list" || p.Ties == "index" {
			p.Window = d.Window
		}
		if p.EarliestTask == d.EarliestTask {
			p.Start = d.Start
		}
		p.LatestBy, p.IntervalTies = d.LatestBy, d.IntervalTies
	}
	if p.Start != "1C" {
		p.LatestBy = d.LatestBy
	}
	if p.Start == "1A" || p.Start == "1B" { // intervals with equal keys have equal lengths
		p.IntervalTies = d.IntervalTies
	}
	if p.WindowStart == "rule" {
		p.WindowStart = "earliest"
		if p.Start == "1C" {
			p.WindowStart = "latest"
		}
	}
	if byLoad(p) {
		p.Leftover = d.Leftover
		if p.Ties == "thesis" {
			p.Ties = "random"
		}
	} else {
		p.LoadOver = d.LoadOver
	}
	// an interval that fits contains the window: a resource has at most one
	if p.Window != "shrinking" {
		if p.Ties == "thesis" {
			p.Ties = "list"
		}
		if !byLoad(p) && p.Leftover == "window" { // nothing is left over
			p.Next = "1E"
		}
	}
	// none of the tasks changes the window of the next one
	if ownTypes && p.Window != "shrinking" && p.Ties != "random" {
		p.NextOrder = d.NextOrder
	}
	return p
}
