// Totals: the free processors of all profiles of a site, which rule out most start times.

package provisioning

// A total is how many processors are free in all profiles of a site together. A task cannot start
// where these are too few, and its earliest start is when it is ready or where a step begins.
//
// Only tasks of several processors need it, often none at all. So earliest builds the steps, and
// subtracts the tasks placed since the last call.
type total struct {
	changes []change // of all slots of the site, by time
	plan    plan
	built   bool  // steps are those of the plan
	steps   steps // neighbours may be equal: other slots are free in them
	pending []use // tasks that are placed but not subtracted from steps
}

// use is the processors of a task in [from, to).
type use struct{ from, to, procs int64 }

// change is a start of a slot, or an end of one that is not extensible.
type change struct {
	time  int64
	procs int32 // more than before
	slot  int32
}

// reset sets the total to that of a plan's slots, without tasks. It keeps the plan.
func (g *total) reset(p plan) { g.plan, g.built, g.pending = p, false, g.pending[:0] }

// build makes the steps of the plan's slots, without tasks.
func (g *total) build() {
	g.steps.clear()
	free := int64(0)
	for i := range g.changes {
		c := &g.changes[i]
		if !g.plan.has(int(c.slot)) {
			continue
		}
		free += int64(c.procs)
		if n := len(g.steps.list); n > 0 && g.steps.list[n-1].from == c.time {
			g.steps.list[n-1].free = free
		} else {
			g.steps.list = append(g.steps.list, step{from: c.time, free: free})
		}
	}
	g.built = true
}

// earliest returns the first time from t on at which so many processors are free for so long, and
// its step; never if there is none.
func (g *total) earliest(t, run, procs int64) (start int64, at int) {
	if !g.built {
		g.build()
	}
	for _, p := range g.pending {
		g.steps.take(p.from, p.to, p.procs)
	}
	g.pending = g.pending[:0]
	return g.steps.earliest(t, run, procs)
}
