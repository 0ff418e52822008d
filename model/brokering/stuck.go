package brokering

// stuck are jobs of a kind that some resource fits but that go to a broker where none does.
type stuck struct {
	jobs            []int32 // places in the slab
	least, greatest float64 // no score of theirs is beyond these
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
	if len(list.jobs) == 0 || j.score > list.greatest {
		list.greatest = j.score
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

// reconsider lets those of the stuck jobs be tried again that may now start, after something has changed about a broker. A
// job that is stuck at a broker stays so while that one's score is above those of all brokers where a resource fits it: what
// other ones do does not matter, even if the job would now go to one of them, also in vain.
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
					if j := &w.slab[at]; j.score <= bound && w.attracts(j, d) {
						w.queue(j)
					}
				}
			}
		}
	}
}

// recheck looks at the jobs that are stuck at a broker about which something has changed.
func (w *waiting) recheck(list *stuck, kind, d int32) {
	list.greatest = 0
	for i, at := range list.jobs {
		j := &w.slab[at]
		g := w.s.gradeOf(&w.s.requests[j.number], d)
		if !g.matches || g.score < j.score && w.passedBy(j, d, g.score) {
			w.queue(j)
			g.score = j.score
		}
		j.score = g.score
		if i == 0 || j.score < list.least {
			list.least = j.score
		}
		list.greatest = max(list.greatest, j.score)
	}
}

// passedBy reports whether a job whose score at a broker has fallen may start at another one that is now not below it.
func (w *waiting) passedBy(j *waiter, d int32, score float64) bool {
	for other := range int32(len(w.s.domains)) {
		if other != d && score <= w.s.most(j.kind, other) && w.attracts(j, other) {
			return true
		}
	}
	return false
}

// attracts reports whether a resource of a broker fits a job.
func (w *waiting) attracts(j *waiter, d int32) bool {
	for _, i := range w.s.ofKind(j.kind, d) {
		if m := &w.s.machines[i]; j.clock <= m.clock && j.need.within(&m.free) {
			return true
		}
	}
	return false
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
