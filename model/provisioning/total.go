package provisioning

// Totals: the free processors of all profiles of a site, which rule out most start times.

// A total is how many processors are free in all profiles of a site together. A task cannot start
// where these are too few, and its earliest start is when it is ready or where a step begins.
type total struct {
	steps steps // neighbours may be equal: other slots are free in them
	// Tasks that are placed, but not subtracted before the next query: only tasks of several
	// processors make queries, often none after thousands of others.
	pending []placed
}

// placed is the processors of a task in [from, to).
type placed struct{ from, to, procs int64 }

// change is a start of a slot, or an end of one that is not extensible.
type change struct {
	time  int64
	procs int32 // more than before
	slot  int32
}

// reset sets the total to that of a plan's slots, without tasks. Changes are those of all slots, by
// time.
func (g *total) reset(changes []change, p plan) {
	g.steps, g.pending = g.steps[:0], g.pending[:0]
	free := int64(0)
	for i := range changes {
		c := &changes[i]
		if !p.has(int(c.slot)) {
			continue
		}
		free += int64(c.procs)
		if n := len(g.steps); n > 0 && g.steps[n-1].from == c.time {
			g.steps[n-1].free = free
		} else {
			g.steps = append(g.steps, step{from: c.time, free: free})
		}
	}
}

// earliest returns the first time from t on at which so many processors are free for so long, and
// its step; never if there is none.
func (g *total) earliest(t, run, procs int64) (start int64, at int) {
	for _, p := range g.pending {
		g.steps.take(p.from, p.to, p.procs)
	}
	g.pending = g.pending[:0]
	return g.steps.earliest(t, run, procs)
}
