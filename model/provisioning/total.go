package provisioning

// Totals: the free processors of all profiles of a site, which rule out most start times.

// A total is how many processors are free in all profiles of a site together, as a step function,
// int64 since any number of slots may overlap. A task cannot start where these are too few, and its
// earliest start is when it is ready or at the beginning of a step.
type total struct {
	times []int64 // beginnings of the steps, ascending
	free  []int64 // in each step, the last of which has no end; 0 before the first
	// Tasks that are placed, but not subtracted before the next query: only tasks of several
	// processors make queries, often none after thousands of others.
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

// step returns the step that contains a time, 0 for a time before the first.
func (g *total) step(t int64) int {
	low, high := 0, len(g.times) // times[low] <= t < times[high]
	for high-low > 1 {
		if mid := int(uint(low+high) >> 1); g.times[mid] <= t {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// fit returns the first time from t on at which so many processors are free for so long, and its
// step; never if there is none.
func (g *total) fit(t, run, procs int64) (int64, int) {
	g.count()
	if len(g.times) == 0 {
		return never, 0
	}
	i := g.step(t)
	t = max(t, g.times[0])
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
		for i := g.split(g.step(p.from), p.from); g.times[i] < p.to; {
			next := i + 1
			if next == len(g.times) || g.times[next] > p.to {
				g.insert(next, p.to)
			}
			g.free[i] -= int64(p.procs)
			i = next
		}
	}
	g.pending = g.pending[:0]
}

// split makes a step begin at a time within a step, and returns it.
func (g *total) split(i int, t int64) int {
	if g.times[i] == t {
		return i
	}
	g.insert(i+1, t)
	return i + 1
}

// insert makes a step begin at a time within step i-1.
func (g *total) insert(i int, t int64) {
	g.times, g.free = append(g.times, 0), append(g.free, 0)
	copy(g.times[i+1:], g.times[i:])
	copy(g.free[i+1:], g.free[i:])
	g.times[i], g.free[i] = t, g.free[i-1]
}
