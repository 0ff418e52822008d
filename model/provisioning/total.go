package provisioning

// Totals: the free processors of all profiles of a site, which rule out most start times.

import "slices"

// A total is how many processors are free in all profiles of a site together, as a step function. A
// task cannot start where these are too few.
type total struct {
	times []int64 // ascending; among them all at which a slot starts or a task ends, when more may be free than before
	free  []int64 // from each time on to the next; 0 before the first. Slots of a site may overlap without bounds
	// Tasks that are placed and not counted yet. After the last task of several processors no query
	// needs them.
	pending []placed
}

// placed is the processors of a task in [from, to).
type placed struct {
	from, to int64
	procs    int32
}

// open sets the total to that of a plan's slots, without tasks. Changes are those of all slots, by
// time.
func (g *total) open(changes []change, p plan) {
	g.times, g.free, g.pending = g.times[:0], g.free[:0], g.pending[:0]
	free := int64(0)
	for i := range changes {
		c := &changes[i]
		if !p.has(int(c.slot)) {
			continue
		}
		free += int64(c.procs)
		if n := len(g.times); n > 0 && g.times[n-1] == c.time {
			g.free[n-1] = free
		} else {
			g.times, g.free = append(g.times, c.time), append(g.free, free)
		}
	}
}

// change is a start of a slot, or an end of one that is not extensible.
type change struct {
	time  int64
	procs int32 // more than before
	slot  int32
}

// from returns the first time from t on, or never, at which so many processors are free for so
// long, and its step.
func (g *total) from(t, run, procs int64) (int64, int) {
	g.count()
	i, found := slices.BinarySearch(g.times, t)
	if !found {
		i--
	}
	if i < 0 {
		i = 0
		if len(g.times) == 0 {
			return never, 0
		}
		t = g.times[0]
	}
	for {
		if g.free[i] < procs {
			for i++; i < len(g.free) && g.free[i] < procs; i++ {
			}
			if i == len(g.free) {
				return never, i
			}
			t = g.times[i]
		}
		short := i + 1
		for short < len(g.times) && g.times[short] < t+run && g.free[short] >= procs {
			short++
		}
		if short == len(g.times) || g.times[short] >= t+run {
			return t, i
		}
		i = short
	}
}

// count subtracts the pending tasks.
func (g *total) count() {
	for _, p := range g.pending {
		first := g.split(p.from)
		past := g.split(p.to)
		for i := first; i < past; i++ {
			g.free[i] -= int64(p.procs)
		}
	}
	g.pending = g.pending[:0]
}

// split makes a step begin at a time, which is not before the first, and returns it.
func (g *total) split(t int64) int {
	i, found := slices.BinarySearch(g.times, t)
	if !found {
		g.times, g.free = slices.Insert(g.times, i, t), slices.Insert(g.free, i, g.free[i-1])
	}
	return i
}
