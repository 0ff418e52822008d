package profile

// window is what a search looks for, and how far it has come.
type window struct {
	from     int64 // the earliest start
	procs    int32
	duration int64
	start    int64 // where the run began that reaches to where the search is, -1 if there is none
	exact    bool  // start is; else the run may have begun later, or there is none
}

// fit returns the earliest t in [from, before) such that so many processors are free in [t, min(t+duration, before)),
// or before.
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
	if len(p.leaves) > p.sizes.plain && k < last {
		if p.leaves[k].scan(i, len(p.leaves[k].times), procs-p.shifts[k], &w) {
			return w.start
		}
		if k, i = p.pass(k+1, last, &w), 0; k > last {
			return w.start
		}
	}
	for ; k <= last; k, i = k+1, 0 {
		l := p.leaves[k]
		n := len(l.times)
		if k == last {
			n = steps
		}
		if l.scan(i, n, procs-p.shifts[k], &w) {
			return w.start
		}
	}
	if w.start < 0 {
		return before
	}
	return w.start
}

// scan looks for the end of a window in steps [i, n) of a leaf, of which need processors must be free.
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

// pass goes on from leaf k to leaf `last`, which it leaves to the caller, and passes over groups and leaves in which no
// window can end. It returns the leaf it has come to; one after last says that w.start fits.
func (p *Profile) pass(k, last int, w *window) int {
	for g := p.groupOf(k); k < last; g++ {
		next := min(p.next(g), last)
		if p.passGroup(g, k, next, w) {
			k = next
			continue
		}
		for ; k < next; k++ {
			l := p.leaves[k]
			if l.valid && w.pass(&l.summary, p.shifts[k]+l.lift, p.starts[k], p.starts[k+1]) {
				continue
			}
			p.settle(k, w)
			if l.scan(0, len(l.times), w.procs-p.shifts[k], w) {
				return last + 1
			}
			if l.missed() {
				p.summariseLeaf(k)
			}
		}
		if p.groups[g].missed() {
			p.summariseGroup(g)
		}
	}
	p.settle(k, w)
	return k
}

// passGroup passes over the leaves [k, next) of a group, if it can. Of a part of a group only the longest run is known.
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

// settle finds where the run that reaches to the beginning of leaf k really began.
func (p *Profile) settle(k int, w *window) {
	if w.exact {
		return
	}
	w.start, w.exact = -1, true
	for k--; k >= 0; k-- {
		l, need := p.leaves[k], w.procs-p.shifts[k]
		for i := len(l.times) - 1; i >= 0; i-- {
			if l.free[i] < need {
				return
			}
			if l.least() >= need {
				i = 0 // at once
			}
			w.start = max(l.times[i], w.from)
			if w.start == w.from {
				return
			}
		}
	}
}
