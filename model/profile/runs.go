// Runs: maximal intervals with at least so many free processors, that reach to a time or that a
// change has opened.

package profile

import "math"

// FreeSince returns the earliest time from now on from which so many processors are free up to a
// time, or that time.
func (p *Profile) FreeSince(procs int32, until int64) int64 {
	if until <= p.now {
		return until
	}
	k, i := p.locate(until - 1)
	if p.leaves[k].free[i]+p.shifts[k] < procs {
		return until
	}
	k, i = p.back(k, i, procs, p.now)
	return max(p.leaves[k].times[i], p.now)
}

// back returns the first step of the run with so many free processors that reaches to step i of
// leaf k, or k and i if there is none. It goes back at most to the step that contains from.
func (p *Profile) back(k, i int, procs int32, from int64) (int, int) {
	for {
		l, need := p.leaves[k], procs-p.shifts[k]
		for i > 0 && l.free[i-1] >= need {
			if i--; l.times[i] <= from {
				return k, i
			}
		}
		if i > 0 || k == 0 {
			return k, i
		}
		previous := p.leaves[k-1].free
		if previous[len(previous)-1] < procs-p.shifts[k-1] {
			return k, 0
		}
		k, i = k-1, len(previous)
	}
}

// Opened appends to a list the runs that may have come up or grown since so many processors were
// added to the free ones in [from, to): all that overlap it, except those of no more processors
// than the least that was free in it before. The Free of each is the least number in it.
func (p *Profile) Opened(list []Slot, from, to int64, procs int32) []Slot {
	from = max(from, p.now)
	if from >= to {
		return list
	}
	k, i := p.locate(from)
	floor := p.minFree(k, i, to, math.MinInt32) - procs // runs up to that level are as they were
	if p.leaves[k].times[i] > p.now {
		k, i = p.back(k, i, floor+1, p.now)
	}
	open := p.open[:0]
	for ; k < len(p.leaves); k, i = k+1, 0 {
		l, shift := p.leaves[k], p.shifts[k]
		for j, free := range l.free[i:] {
			t, level := max(l.times[i+j], p.now), free+shift
			begin := t
			for n := len(open) - 1; n >= 0 && open[n].level >= level; n-- {
				begin = open[n].begin
				if t > from && begin < to && open[n].level > level {
					list = append(list, Slot{begin, t, open[n].level})
				}
				open = open[:n]
			}
			if level <= floor && t >= to {
				p.open = open
				return list
			}
			open = append(open, openRun{begin, level})
		}
	}
	for _, run := range open {
		if run.begin < to {
			list = append(list, Slot{run.begin, Forever, run.level})
		}
	}
	p.open = open
	return list
}
