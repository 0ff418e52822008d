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
	j.broker, j.score, j.lost = made.keeper, made.score, false
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

// reconsider lets those of the stuck jobs be tried again that may now start, after something has changed about a broker. A
// job that is stuck at a broker stays so while that one's score is above those of all brokers where a resource fits it: what
// other ones do does not matter, even if the job would now go to one of them, also in vain.
func (w *waiting) reconsider(d int32) {
	if w.s.known == nil {
		return // then no job is ever stuck
	}
	w.s.knownOf(d)
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
	for i, at := range list.jobs {
		j := &w.slab[at]
		g := w.s.gradeOf(&w.s.requests[j.number], d)
		j.lost = !g.matches
		if !j.lost && g.score >= j.score || !j.lost && !w.passedBy(j, g.score) || w.queue(j) {
			j.score = g.score
		} // else its turn has passed, and the next pass has to see that the score has fallen
		if i == 0 || j.score < list.least {
			list.least = j.score
		}
	}
}

// passedBy reports whether a job that is stuck at a broker with this score may start at this one or another.
func (w *waiting) passedBy(j *waiter, score float64) bool {
	for _, d := range w.s.inOrder(j.kind) {
		if score > w.s.most(j.kind, d) {
			return false
		}
		if w.attracts(j, d) {
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
