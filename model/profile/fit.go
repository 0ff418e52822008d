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
	g := p.groupOf(k)
	if p.groups[g].first < k {
		g++
	}
	for k < last {
		if g < len(p.groups) && p.groups[g].first == k {
			next := p.next(g)
			g++
			if next <= last && p.passGroup(g-1, w) {
				k = next
				continue
			}
		}
		if !p.passLeaf(k, w) {
			p.settle(k, w)
			l := p.leaves[k]
			if l.scan(0, len(l.times), w.procs-p.shifts[k], w) {
				return last + 1
			}
			if l.missed() {
				p.summariseLeaf(k)
			}
		}
		k++
	}
	p.settle(k, w)
	return k
}

// passGroup passes over a group, if it can.
func (p *Profile) passGroup(g int, w *window) bool {
	group := p.groups[g]
	if !group.valid {
		if !group.missed() {
			return false
		}
		p.summariseGroup(g)
	}
	if w.pass(&group.summary, p.starts[group.first], group.shift) {
		return true
	}
	if group.missed() {
		p.summariseGroup(g)
		return w.pass(&group.summary, p.starts[group.first], group.shift)
	}
	return false
}

// passLeaf passes over a leaf, if it can.
func (p *Profile) passLeaf(k int, w *window) bool {
	l := p.leaves[k]
	return l.valid && w.pass(&l.summary, p.starts[k], p.shifts[k])
}

// pass goes over a piece that begins at a time, if no window can end in it.
func (w *window) pass(s *summary, begin int64, shift int32) bool {
	need := w.procs - shift
	if s.inside.longest(need) >= w.duration {
		return false
	}
	if w.start >= 0 && later(w.start, w.duration) <= begin+s.head.longest(need) {
		return false
	}
	switch tail := s.tail.longest(need); {
	case tail == 0:
		w.start, w.exact = -1, true
	case tail < s.length || w.start < 0:
		w.start, w.exact = begin+s.length-tail, false
	default:
		w.exact = false
	}
	return true
}

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
