package brokering

// stuck are jobs of a kind that some resource fits but that go to a broker where none does.
type stuck struct {
	jobs  []int32 // places in the slab
	least float64 // none of them has a lower score
}

// stuckAt returns the jobs of a kind that are stuck at a broker.
func (w *waiting) stuckAt(kind, d int32) *stuck { return &w.stuck[int(kind)*len(w.s.domains)+int(d)] }

// stick notes to which broker a job went in vain.
func (w *waiting) stick(at int32, made *placement) {
	j := &w.slab[at]
	j.broker, j.score = made.keeper, made.score
	list := w.stuckAt(j.kind, j.broker)
	if len(list.jobs) == 0 || j.score < list.least {
		list.least = j.score
	}
	j.index = int32(len(list.jobs))
	list.jobs = append(list.jobs, at)
}

// unstick forgets that.
func (w *waiting) unstick(at int32) {
	j := &w.slab[at]
	list := w.stuckAt(j.kind, j.broker)
	last := len(list.jobs) - 1
	moved := list.jobs[last]
	list.jobs[j.index] = moved
	w.slab[moved].index = j.index
	list.jobs = list.jobs[:last]
	j.broker = absent
}

// reconsider lets those of the stuck jobs be tried again that may now go elsewhere, after something has changed about a
// broker: those that this one may attract, and those for which it may not be the best any more.
func (w *waiting) reconsider(d int32) {
	if w.s.known == nil {
		return // then no job is ever stuck
	}
	for kind := range int32(len(w.kinds)) {
		if len(w.s.ofKind(kind, d)) == 0 {
			continue // this broker keeps none
		}
		bound := w.s.most(kind, d)
		for other := range int32(len(w.s.domains)) {
			list := w.stuckAt(kind, other)
			switch {
			case len(list.jobs) == 0:
			case other == d:
				w.recheck(list, kind, d)
			case bound >= list.least:
				for _, at := range list.jobs {
					if j := &w.slab[at]; j.score <= bound {
						w.queue(j)
					}
				}
			}
		}
	}
}

// recheck looks whether the jobs that are stuck at a broker about which something has changed still are: it may have become
// better, or worse but still better than what any other one can be.
func (w *waiting) recheck(list *stuck, kind, d int32) {
	others := 0.0
	for other := range int32(len(w.s.domains)) {
		if other != d {
			others = max(others, w.s.most(kind, other))
		}
	}
	for i, at := range list.jobs {
		j := &w.slab[at]
		g := w.s.gradeOf(&w.s.requests[j.number], d)
		if !g.matches || g.score < j.score && g.score <= others {
			w.queue(j)
			continue
		}
		j.score = g.score
		if i == 0 || j.score < list.least {
			list.least = j.score
		}
	}
}

// most returns what no score of a broker for a job of a kind is above.
func (s *system) most(kind, d int32) float64 {
	s.offersOf(d)
	bound := s.known[d].most[kind]
	if s.p.Preference == "own" && !s.localFirst() {
		bound *= 2
	}
	return bound
}
