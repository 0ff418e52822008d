package brokering

// stuck are crowds of a kind that some resource fits but that go to a broker where none does.
type stuck struct {
	crowds []*crowd
	least  float64 // none of them has a lower score
}

// stuckAt returns the crowds of a kind that are stuck at a broker.
func (w *waiting) stuckAt(kind, d int32) *stuck { return &w.stuck[int(kind)*len(w.s.domains)+int(d)] }

// stick notes to which broker a crowd went in vain.
func (w *waiting) stick(c *crowd, made *placement) {
	c.broker, c.score, c.lost = made.keeper, made.score, false
	w.enlist(c)
}

// enlist lists a crowd where it is stuck.
func (w *waiting) enlist(c *crowd) {
	list := w.stuckAt(c.kind, c.broker)
	if len(list.crowds) == 0 || c.score < list.least {
		list.least = c.score
	}
	c.index = int32(len(list.crowds))
	list.crowds = append(list.crowds, c)
}

// unstick forgets where.
func (w *waiting) unstick(c *crowd) {
	list := w.stuckAt(c.kind, c.broker)
	last := len(list.crowds) - 1
	moved := list.crowds[last]
	list.crowds[c.index] = moved
	moved.index = c.index
	list.crowds[last] = nil
	list.crowds = list.crowds[:last]
	c.broker = absent
}

// uniform returns the crowd of a job that went in vain to a broker with this score, made so small that all brokers which may
// score as much match all its jobs alike, so that all of them go there in vain.
func (w *waiting) uniform(number int32, score float64) *crowd {
	for {
		c := w.crowds[number]
		for _, d := range w.s.inOrder(c.kind) {
			if w.s.most(c.kind, d) < score {
				break
			}
			w.divide(c, d)
		}
		if w.crowds[number] == c {
			return c
		}
	}
}

// divide makes a crowd so small that a broker matches all its jobs alike and keeps all or none.
func (w *waiting) divide(c *crowd, d int32) {
	if c.least == c.most {
		return
	}
	offers := w.s.knownOf(d).offers[c.kind]
	for i := range offers {
		if disk := int64(offers[i].disk); c.least <= disk && disk < c.most {
			w.split(c, disk)
		}
	}
	for _, i := range w.s.ofKind(c.kind, d) {
		if disk := w.s.machines[i].total.disk; c.least <= disk && disk < c.most {
			w.split(c, disk)
		}
	}
}

// contested reports whether a broker that has the same score as the one to which a job went in vain has a resource that fits,
// so that another job of the crowd may start there: its originator's.
func (w *waiting) contested(c *crowd, made *placement) bool {
	if c.origin != absent {
		return false
	}
	for d := range w.s.grades {
		g := &w.s.grades[d]
		if g.matches && g.score == made.score && w.attracts(c, int32(d)) {
			return true
		}
	}
	return false
}

// reconsider lets those of the stuck crowds be tried again that may now start, after something has changed about a broker. A
// crowd that is stuck at a broker stays so while that one's score is above those of all brokers where a resource fits it: what
// other ones do does not matter, even if its jobs would now go to one of them, also in vain.
func (w *waiting) reconsider(d int32) {
	if w.s.known == nil {
		return // then no job is ever stuck
	}
	w.s.knownOf(d)
	for kind := range int32(len(w.kinds)) {
		if len(w.kinds[kind]) == 0 || len(w.s.ofKind(kind, d)) == 0 {
			continue // nobody waits, or this broker keeps none
		}
		bound := w.s.most(kind, d)
		for other := range int32(len(w.s.domains)) {
			list := w.stuckAt(kind, other)
			switch {
			case len(list.crowds) == 0:
			case other == d:
				w.recheck(list, d)
			case bound >= list.least:
				for _, c := range list.crowds {
					if c.score <= bound && w.attracts(c, d) {
						w.queue(c)
					}
				}
			}
		}
	}
}

// recheck looks at the crowds that are stuck at a broker about which something has changed.
func (w *waiting) recheck(list *stuck, d int32) {
	for i := 0; i < len(list.crowds); i++ { // what is split off follows
		c := list.crowds[i]
		w.divide(c, d)
		g := w.s.gradeOf(&w.s.requests[c.jobs[0].number], d)
		c.lost = !g.matches
		if !c.lost && g.score >= c.score || !c.lost && !w.passedBy(c, g.score) || w.queue(c) {
			c.score = g.score
		} // else its turn has passed, and the next pass has to see that the score has fallen
		if i == 0 || c.score < list.least {
			list.least = c.score
		}
	}
}

// passedBy reports whether a crowd that is stuck at a broker with this score may start at this one or another.
func (w *waiting) passedBy(c *crowd, score float64) bool {
	for _, d := range w.s.inOrder(c.kind) {
		if score > w.s.most(c.kind, d) {
			return false
		}
		if w.attracts(c, d) {
			return true
		}
	}
	return false
}

// attracts reports whether a resource of a broker fits a crowd.
func (w *waiting) attracts(c *crowd, d int32) bool {
	for _, i := range w.s.ofKind(c.kind, d) {
		if m := &w.s.machines[i]; c.clock <= m.clock && c.lacks(&m.free) == noConflict {
			return true
		}
	}
	return false
}
