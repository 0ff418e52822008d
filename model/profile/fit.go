// Fits: a search goes through the profile from left to right and tracks the run that reaches to its
// position: a maximal interval with at least so many free processors. The job fits where a run is
// as long as its duration.

package profile

// fitSearch is what a search looks for, and its run.
type fitSearch struct {
	from     int64 // the earliest start
	procs    int32
	duration int64
	before   int64 // a run that reaches it is long enough
	start    int64 // beginning of the run, -1 if none reaches to the position
	exact    bool  // if not, the run may begin later, or there may be none
}

// fit returns the earliest t in [from, before) such that so many processors are free in [t,
// min(t+duration, before)), or before.
func (p *Profile) fit(from int64, procs int32, duration, before int64) int64 {
	requirePositive(procs, duration)
	from = max(from, p.now)
	if from >= before {
		return before
	}
	k, i := p.locate(from)
	last := len(p.leaves) - 1
	if last > 0 && before < Never {
		last = search(p.starts, before-1)
	}
	f := fitSearch{from: from, procs: procs, duration: duration, before: before, start: -1, exact: true}
	if k < last {
		if p.fitBefore(k, i, last, &f) {
			return f.start
		}
		k, i = last, 0
	}
	// The search ends within the last leaf. The leaf's summary bounds the runs in it, but its tail
	// may begin after the end of the search.
	l := p.leaves[k]
	need := procs - p.shifts[k] - l.lift
	if l.valid && l.inside.longest(need) < duration && !f.reaches(p.starts[k]+l.head.longest(need)) {
		f.exact = false
		p.findStart(k, search(l.times, before-1)+1, &f)
	} else if p.scanLeaf(k, i, &f) {
		return f.start
	}
	if f.start < 0 {
		return before
	}
	return f.start
}

// fitBefore searches from step i of leaf k up to leaf `last`, excluded, and reports whether it has
// found a fit, at f.start. It skips the groups and leaves in which no fit can end.
func (p *Profile) fitBefore(k, i, last int, f *fitSearch) bool {
	for g := p.groupOf(k); k < last; g++ {
		next := min(p.next(g), last)
		if next-k > 1 && p.skipGroup(g, k, next, f) {
			k, i = next, 0
			continue
		}
		for ; k < next; k, i = k+1, 0 {
			l := p.leaves[k]
			if l.valid && f.skip(&l.summary, p.shifts[k]+l.lift, p.starts[k], p.starts[k+1]) {
				continue
			}
			if p.scanLeaf(k, i, f) {
				return true
			}
		}
		if len(p.groups) > 1 && p.groups[g].missed(p.sizes.misses) {
			p.summariseGroup(g)
		}
	}
	return false
}

// scanLeaf searches a leaf from step i on, as scan does. It makes the leaf's summary after enough
// misses.
func (p *Profile) scanLeaf(k, i int, f *fitSearch) bool {
	p.findStart(k, 0, f)
	l := p.leaves[k]
	if l.scan(i, f.procs-p.shifts[k], f) {
		return true
	}
	if len(p.leaves) > p.sizes.plain && l.missed(p.sizes.misses) {
		p.summariseLeaf(k)
	}
	return false
}

// scan searches a leaf from step i on for the end of a fit, and reports whether it has found one.
// need is the job's processors less the shift of the leaf.
func (l *leaf) scan(i int, need int32, f *fitSearch) bool {
	times := l.times
	free := l.free[:len(times)]
	start := f.start
	for i < len(times) {
		if start < 0 {
			for free[i] < need {
				i++
				if i == len(free) {
					f.start = -1
					return false
				}
			}
			if times[i] >= f.before {
				break
			}
			start = max(times[i], f.from)
			i++
		}
		done := min(later(start, f.duration), f.before)
		for ; i < len(times); i++ {
			if times[i] >= done {
				f.start = start
				return true
			}
			if free[i] < need {
				start = -1
				i++
				break
			}
		}
	}
	f.start = start
	return false
}

// skipGroup skips the leaves [k, next) of a group if its summary allows it. Its head and tail bound
// those of the leaves only at an end that they share. Leaves from the middle of the group on need
// no head: the search begins with them, so it has no run yet.
func (p *Profile) skipGroup(g, k, next int, f *fitSearch) bool {
	group := &p.groups[g]
	begin, end := p.starts[k], p.starts[next]
	need := f.procs - group.lift
	switch {
	case !group.valid:
		return false
	case k == group.first && next == p.next(g):
		return f.skip(&group.summary, group.lift, begin, end)
	case group.inside.longest(need) >= f.duration, k == group.first && f.reaches(begin+group.head.longest(need)):
		return false
	}
	if f.start < 0 {
		f.start = begin
	}
	f.exact = false
	return true
}

// skip skips leaves in [begin, end) with a summary if no fit can end in them.
func (f *fitSearch) skip(s *summary, lift int32, begin, end int64) bool {
	need := f.procs - lift
	if s.inside.longest(need) >= f.duration || f.reaches(begin+s.head.longest(need)) {
		return false
	}
	switch tail := s.tail.longest(need); {
	case tail == 0:
		f.start, f.exact = -1, true
	case tail < end-begin || f.start < 0:
		f.start, f.exact = end-tail, false
	default:
		f.exact = false
	}
	return true
}

// reaches reports whether a fit in the run would end by a time.
func (f *fitSearch) reaches(t int64) bool { return f.start >= 0 && later(f.start, f.duration) <= t }

// findStart finds the exact beginning of the run that reaches to step i of leaf k. It goes back at
// most to the beginning of the search.
func (p *Profile) findStart(k, i int, f *fitSearch) {
	if f.exact {
		return
	}
	f.start, f.exact = -1, true
	if leaf, step := p.back(k, i, f.procs, f.from); leaf != k || step != i {
		f.start = max(p.leaves[leaf].times[step], f.from)
	}
}
