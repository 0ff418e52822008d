package brokering

import "slices"

// waiting are the jobs that wait at brokers where later ones may pass. Which broker it is does not matter to them: every
// one ranks all.
//
// A pass tries all of them, but most attempts are known to fail: those of jobs that no resource fits; and those of jobs
// that went to a broker which nothing has changed since, while no other one has become better. What failed attempts count
// is counted when it changes, for all passes since. So a crowd of jobs costs something only when a resource begins or ceases
// to fit it, or when a broker that matters to it changes.
type waiting struct {
	s       *system
	crowds  []*crowd   // of each request that waits
	kinds   [][]*crowd // the crowds of each kind, in the order of what they have in common
	stuck   []stuck    // of each kind and broker, the crowds that some resource fits but that go to this broker
	changes []int32    // brokers about which something has changed since the last pass, each once
	isNew   []bool     // of each broker, whether it is among them
	gained  []gain     // fits since the last pass
	homing  []*crowd   // to be tried at home, where a resource has begun to fit them, before the next pass
	next    []*crowd   // to be tried in the next pass
	turns   []int32    // jobs to be tried in the pass that goes on, one of each crowd: the first whose turn is still to come
	at      int        // place in turns of what follows the job whose turn it is
	passes  int64      // that have ended
	tried   int32      // the job whose turn it is in the pass that goes on; absent outside of a pass

	cancelled func() bool // whether the run is over before its end
}

// gain is a resource of a broker that has begun to fit a stuck crowd.
type gain struct {
	crowd  *crowd
	broker int32
}

func newWaiting(s *system, cancelled func() bool) *waiting {
	n := len(s.domains)
	return &waiting{
		s: s, crowds: make([]*crowd, len(s.requests)), kinds: make([][]*crowd, len(s.kinds)), stuck: make([]stuck, len(s.kinds)*n),
		isNew: make([]bool, n), tried: absent, cancelled: cancelled,
	}
}

// join lets a job wait whose attempt has failed and met these conflicts.
func (w *waiting) join(number int32, met *counts, made *placement) {
	r := &w.s.requests[number]
	l := likeness{kind: r.kind, origin: r.origin, clock: r.clock, cpus: r.need.cpus, memory: r.need.memory}
	if w.s.p.Preference == "equal" {
		l.origin = absent
	}
	c := w.alike(&l, r.need.disk, met)
	switch {
	case c == nil:
		c = &crowd{likeness: l, least: r.need.disk, most: r.need.disk, now: *met, since: w.passes, turn: absent, broker: absent}
		w.insert(c)
		if met[noConflict] > 0 {
			w.stick(c, made)
		}
	case !c.holds(r.need.disk):
		c.least, c.most = min(c.least, r.need.disk), max(c.most, r.need.disk)
		if c.broker != absent { // brokers may not match it for less disk as they do for more
			w.unstick(c)
			w.again(c)
		}
	}
	w.add(c, number)
	if w.s.localFirst() && w.attracts(c, c.origin) {
		w.homeward(c)
	}
}

// alike returns the crowd that a job may join which has met these conflicts, rather one for whose disk it need not be extended;
// nil if there is none. Of jobs alike in all but their disks, those that meet equally many conflicts of each kind meet them at
// the same resources: the more disk a job needs, the more lack it.
func (w *waiting) alike(l *likeness, disk int64, met *counts) *crowd {
	var found *crowd
	i, _ := w.search(l)
	for _, c := range w.kinds[l.kind][i:] {
		if c.likeness != *l {
			break
		}
		if c.now == *met && (found == nil || c.holds(disk)) {
			found = c
		}
	}
	return found
}

// search returns the place of the first crowd with this in common among those of its kind.
func (w *waiting) search(l *likeness) (int, bool) {
	return slices.BinarySearchFunc(w.kinds[l.kind], l, func(c *crowd, l *likeness) int { return c.compare(l) })
}

// insert lists a crowd, behind those that are like it.
func (w *waiting) insert(c *crowd) {
	i, _ := w.search(&c.likeness)
	for i < len(w.kinds[c.kind]) && w.kinds[c.kind][i].likeness == c.likeness {
		i++
	}
	w.kinds[c.kind] = slices.Insert(w.kinds[c.kind], i, c)
}

// changed looks at a resource again of which so much was free before.
func (w *waiting) changed(m *machine, before *need) {
	if !w.isNew[m.domain] {
		w.isNew[m.domain] = true
		w.changes = append(w.changes, m.domain)
	}
	most := max(before.cpus, m.free.cpus)
	for i := 0; i < len(w.kinds[m.kind]); i++ { // it may become longer
		c := w.kinds[m.kind][i]
		if c.cpus > most {
			return // nor did it, or does it, have the CPUs for those that follow
		}
		if c.clock > m.clock || !w.s.reaches(c.origin, m) {
			continue
		}
		was, is := c.lacks(before), c.lacks(&m.free)
		if is == noConflict && c.most > m.free.disk {
			w.split(c, m.free.disk)
			is = c.lacks(&m.free)
		}
		if was != is {
			w.look(c, m, was, is)
		}
	}
}

// look notes what a crowd meets at a resource that has changed.
func (w *waiting) look(c *crowd, m *machine, was, is conflict) {
	w.meets(c, was, is)
	if is == noConflict && m.domain == c.origin && w.s.localFirst() {
		w.homeward(c)
	}
	switch {
	case is == noConflict && c.broker == absent:
		w.again(c)
	case is == noConflict:
		w.gained = append(w.gained, gain{c, m.domain})
	case c.now[noConflict] == 0 && c.broker != absent:
		w.unstick(c)
	}
}

// queue lets a crowd be tried in the next pass, or in the one that goes on if the turn of one of its jobs is still to come. It
// reports whether it will be.
func (w *waiting) queue(c *crowd) bool {
	if w.tried == absent {
		w.again(c)
		return true
	}
	at := c.after(w.tried)
	if at == len(c.jobs) {
		return false
	}
	if c.turn == absent {
		c.turn = c.jobs[at].number
		i, _ := slices.BinarySearch(w.turns[w.at:], c.turn)
		w.turns = slices.Insert(w.turns, w.at+i, c.turn)
	}
	return true
}

// again lets a crowd be tried in the pass that goes on, if it can be, else in the next one.
func (w *waiting) again(c *crowd) {
	if w.tried != absent && w.queue(c) || c.queued {
		return
	}
	c.queued = true
	w.next = append(w.next, c)
}

// pass tries the jobs in the order of arrival, each with what those before it have left. try makes an attempt and lets a
// job start that it can.
func (w *waiting) pass(try func(number int32) placement) {
	for _, d := range w.changes {
		w.isNew[d] = false
		w.reconsider(d)
	}
	w.changes = w.changes[:0]
	w.takeGains()
	w.line()
	for w.at = 0; w.at < len(w.turns) && !w.cancelled(); {
		number := w.turns[w.at]
		w.at++
		c := w.crowds[number]
		if c == nil || c.turn != number {
			continue // a crowd that was split has been lined up again
		}
		c.turn = absent
		if c.now[noConflict] == 0 || c.broker != absent && !c.lost && !w.passedBy(c, c.score) {
			continue
		}
		w.tried = number
		if c.broker != absent {
			w.unstick(c)
		}
		made := try(number)
		switch {
		case made.resource != absent:
			w.reconsider(made.keeper)
			if len(c.jobs) > 0 {
				w.again(c)
			}
		case w.contested(c, &made):
			w.again(c)
		default:
			w.stick(w.uniform(number, made.score), &made)
		}
	}
	w.passes++
	w.tried = absent
}

// line lines up the crowds that are to be tried.
func (w *waiting) line() {
	w.turns = w.turns[:0]
	for _, c := range w.next {
		c.queued = false
		if len(c.jobs) > 0 {
			c.turn = c.jobs[0].number
			w.turns = append(w.turns, c.turn)
		}
	}
	w.next = w.next[:0]
	slices.Sort(w.turns)
}

// takeGains lets the stuck crowds be tried that a resource has begun to fit at a broker that may be the best.
func (w *waiting) takeGains() {
	for _, g := range w.gained {
		c := g.crowd
		w.s.knownOf(g.broker)
		if c.broker != absent && (c.broker == g.broker || c.score <= w.s.most(c.kind, g.broker)) {
			w.again(c)
		}
	}
	w.gained = w.gained[:0]
}

// homeward lets the jobs of a crowd be tried at home.
func (w *waiting) homeward(c *crowd) {
	if !c.homing {
		c.homing = true
		w.homing = append(w.homing, c)
	}
}

// tryHome tries the jobs for which a resource at home has begun to fit, in the order of arrival, outside of a pass: nothing is
// counted.
func (w *waiting) tryHome(try func(number int32)) {
	var numbers []int32
	for _, c := range w.homing {
		c.homing = false
		for i := range c.jobs {
			numbers = append(numbers, c.jobs[i].number)
		}
	}
	w.homing = w.homing[:0]
	slices.Sort(numbers)
	for _, number := range numbers {
		try(number)
	}
}

// leave takes a job out that starts.
func (w *waiting) leave(number int32) {
	c := w.crowds[number]
	w.drop(c, number)
	if len(c.jobs) > 0 {
		return
	}
	if c.broker != absent {
		w.unstick(c)
	}
	list := w.kinds[c.kind]
	i, _ := w.search(&c.likeness)
	for list[i] != c {
		i++
	}
	w.kinds[c.kind] = slices.Delete(list, i, i+1)
}
