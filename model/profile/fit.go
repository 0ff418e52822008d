package profile

// window is what a search looks for, and how far it has come.
type window struct {
	from     int64 // the earliest start
	procs    int32
	duration int64
	start    int64 // where the run began that reaches to where the search is, -1 if there is none
	exact    bool  // start is; else the run may have begun later, or there is none
}

// fit returns the earliest t in [from, before) such that so many processors are free in [t,
// min(t+duration, before)), or before.
func (p *Profile) fit(from int64, procs int32, duration, before int64) int64 {
	positive(procs, duration)
	from = max(from, p.now)
	if from >= before {
		return before
	}
	k, i := p.locate(from)
	last, steps := len(p.leaves)-1, 0
	if before == Never {
		steps = len(p.leaves[last].times)
	} else {
		last, steps = p.locate(before - 1)
		steps++
	}
	w := window{from: from, procs: procs, duration: duration, start: -1, exact: true}
	if k < last {
		if p.fitBefore(k, i, last, &w) {
			return w.start
		}
		k, i = last, 0
	}
	// The search ends within the last leaf: the leaf's summary bounds what lies in it, but does not
	// know its end.
	l := p.leaves[k]
	need := procs - p.shifts[k] - l.lift
	if l.valid && l.inside.longest(need) < duration && !w.reaches(p.starts[k]+l.head.longest(need)) {
		w.exact = false
	} else if p.scanLeaf(k, i, steps, &w) {
		return w.start
	}
	p.settle(k, steps, &w)
	if w.start < 0 {
		return before
	}
	return w.start
}

// fitBefore looks for a fit from step i of leaf k to leaf `last`, that one excluded. It passes over
// the groups and leaves in which no window can end.
func (p *Profile) fitBefore(k, i, last int, w *window) bool {
	for g := p.groupOf(k); k < last; g++ {
		next := min(p.next(g), last)
		if next-k > 1 && p.passGroup(g, k, next, w) {
			k, i = next, 0
			continue
		}
		for ; k < next; k, i = k+1, 0 {
			l := p.leaves[k]
			if l.valid && w.pass(&l.summary, p.shifts[k]+l.lift, p.starts[k], p.starts[k+1]) {
				continue
			}
			if p.scanLeaf(k, i, len(l.times), w) {
				return true
			}
		}
		if len(p.groups) > 1 && p.groups[g].missed(p.sizes.misses) {
			p.summariseGroup(g)
		}
	}
	return false
}

// scanLeaf scans steps [i, n) of a leaf, and makes the leaf's summary if it was missed often.
func (p *Profile) scanLeaf(k, i, n int, w *window) bool {
	p.settle(k, 0, w)
	l := p.leaves[k]
	if l.scan(i, n, w.procs-p.shifts[k], w) {
		return true
	}
	if len(p.leaves) > p.sizes.plain && l.missed(p.sizes.misses) {
		p.summariseLeaf(k)
	}
	return false
}

// scan looks for the end of a window in steps [i, n) of a leaf, of which need processors must be
// free.
func (l *leaf) scan(i, n int, need int32, w *window) bool {
	times := l.times[:n]
	free := l.free[:n]
	start := w.start
	for i < len(times) {
		if start < 0 {
			for free[i] < need {
				i++
				if i == len(free) {
					w.start = -1
					return false
				}
			}
			start = max(times[i], w.from)
			i++
		}
		done := later(start, w.duration)
		for ; i < len(times); i++ {
			if times[i] >= done {
				w.start = start
				return true
			}
			if free[i] < need {
				start = -1
				i++
				break
			}
		}
	}
	w.start = start
	return false
}

// passGroup passes over the leaves [k, next) of a group, if it can. Of a part of a group only the
// longest run is known.
func (p *Profile) passGroup(g, k, next int, w *window) bool {
	group := p.groups[g]
	begin, end := p.starts[k], p.starts[next]
	need := w.procs - group.lift
	switch {
	case !group.valid:
		return false
	case k == group.first && next == p.next(g):
		return w.pass(&group.summary, group.lift, begin, end)
	case group.inside.longest(need) >= w.duration, k == group.first && w.reaches(begin+group.head.longest(need)):
		return false
	}
	if w.start < 0 {
		w.start = begin
	}
	w.exact = false
	return true
}

// pass goes over a piece [begin, end), if no window can end in it.
func (w *window) pass(s *summary, lift int32, begin, end int64) bool {
	need := w.procs - lift
	if s.inside.longest(need) >= w.duration || w.reaches(begin+s.head.longest(need)) {
		return false
	}
	switch tail := s.tail.longest(need); {
	case tail == 0:
		w.start, w.exact = -1, true
	case tail < end-begin || w.start < 0:
		w.start, w.exact = end-tail, false
	default:
		w.exact = false
	}
	return true
}

// reaches reports whether the window of the run that has begun ends by a time.
func (w *window) reaches(t int64) bool { return w.start >= 0 && later(w.start, w.duration) <= t }

// settle finds where the run that reaches to step i of leaf k really began. The walk back ends
// where the search began.
func (p *Profile) settle(k, i int, w *window) {
	if w.exact {
		return
	}
	w.start, w.exact = -1, true
	for {
		l, need := p.leaves[k], w.procs-p.shifts[k]
		for i--; i >= 0; i-- {
			if l.free[i] < need {
				return
			}
			w.start = max(l.times[i], w.from)
			if w.start == w.from {
				return
			}
		}
		for k--; p.starts[k] > w.from && p.leaves[k].least() >= w.procs-p.shifts[k]; k-- {
			w.start = p.starts[k]
		}
		i = len(p.leaves[k].times)
	}
}
