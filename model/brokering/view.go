package brokering

import "math"

// view is what a broker is to the crowds of a bloc.
type view struct {
	version int64     // of the crowds
	told    int64     // of what is known of the broker
	fits    uint64    // crowds that a resource fits
	keeps   uint64    // crowds all of whose jobs a resource could hold
	choices []choice  // that it is
	parts   []match   // of its parts, by their slots
	groups  []matched // of crowds, by the offers that match all their jobs
}

// match is which crowds a part of a broker's offers matches: of which it matches some jobs, and of which all.
type match struct {
	clock, most int64 // of the part
	some, all   uint64
}

// matched are crowds that the same offers match.
type matched struct {
	crowds uint64
	ranks  ranks
}

// choice is a broker that some crowds may go to.
type choice struct {
	score  float64 // that it has for them
	crowds uint64
	starts uint64 // those of them that a resource there fits
	stays  uint64 // those of them all of whose jobs stay there, unless they go to another one
}

// takeChanges finds what may start after something has changed about brokers or crowds.
func (w *waiting) takeChanges() {
	for _, d := range w.changes {
		w.isNew[d] = false
	}
	for _, blocs := range w.blocs {
		for _, b := range blocs {
			if b.stale != 0 || w.concerned(b) {
				b.stale = 0
				w.reconsider(b)
			}
		}
	}
	w.changes = w.changes[:0]
}

// concerned reports whether a broker has changed that matters to a bloc: one that was looked at last, or may now be as good.
func (w *waiting) concerned(b *bloc) bool {
	if w.s.known == nil {
		return false
	}
	for _, d := range w.changes {
		if b.looked[d] == b.found || w.s.most(b.kind, d) >= b.floor {
			return true
		}
	}
	return false
}

// reconsider finds the crowds of which a job may start: those that go to a broker where a resource fits them.
func (w *waiting) reconsider(b *bloc) {
	if w.s.known == nil {
		b.may = b.fitted // what does not fit does not count
		return
	}
	b.found++
	b.may, b.floor = 0, math.Inf(1)
	brokers := w.s.inOrder(b.kind)
	w.choices = w.choices[:0]
	next, best := 0, -1.0 // of the brokers, and of the scores below the floor
	for left := b.fitted; left != 0; {
		for ; next < len(brokers) && brokers[next].most >= best; next++ {
			if score := w.consider(b, brokers[next].broker, left); score > best {
				best = score
			}
		}
		if best < 0 {
			return // what is left may or may not be matched
		}
		b.floor, best = best, -1
		var stays uint64
		for i := range w.choices {
			switch c := &w.choices[i]; {
			case c.score == b.floor: // all of them may be the best
				b.may |= left & c.starts
				stays |= c.stays
			case best < c.score && c.score < b.floor && c.crowds&left != 0:
				best = c.score
			}
		}
		left &^= stays
	}
}

// consider takes in the choices of a broker that matter to the crowds left, and returns the best of their scores; -1 if there are none.
func (w *waiting) consider(b *bloc, d int32, left uint64) float64 {
	b.looked[d] = b.found
	v := &b.views[d]
	if v.version != b.version || v.told != w.s.versions[d] {
		w.view(b, v, d)
	}
	best, choices := -1.0, v.choices
	for i := range choices {
		c := &choices[i]
		if c.crowds&left == 0 {
			continue
		}
		w.choices = append(w.choices, *c)
		if c.score > best {
			best = c.score
		}
	}
	return best
}

// view finds what a broker is to a bloc now.
func (w *waiting) view(b *bloc, v *view, d int32) {
	k := w.s.known[d]
	if v.version != b.version {
		v.version, v.keeps = b.version, 0
		if v.parts == nil {
			v.parts = make([]match, int(categories)*w.s.split.codes())
		}
		for i := range v.parts {
			v.parts[i].clock = -1 // which none has
		}
		for _, i := range w.s.ofKind(b.kind, d) {
			m := &w.s.machines[i]
			v.keeps |= b.divide(b.met[m.index].reach(), &m.total)[noConflict]
		}
	}
	v.told, v.fits = w.s.versions[d], 0
	places := w.s.places[b.kind]
	for i := places[d]; i < places[d+1]; i++ {
		v.fits |= b.met[i][noConflict]
	}
	unsure := v.group(b, &k.kinds[b.kind], d)
	v.choices = v.choices[:0]
	own := b.origins[d]
	for i := range v.groups {
		g := &v.groups[i]
		if g.ranks.count == 0 {
			continue
		}
		score := g.ranks.of(w.s.p.Rank)
		v.choose(w.s.priority(d, absent)*score, g.crowds&^own)
		v.choose(w.s.priority(d, d)*score, g.crowds&own)
	}
	if unsure != 0 {
		v.choices = append(v.choices, choice{score: w.s.most(b.kind, d), crowds: unsure, starts: unsure & v.fits})
	}
}

// choose makes a broker the choice of crowds, if there are any.
func (v *view) choose(score float64, crowds uint64) {
	if crowds != 0 {
		v.choices = append(v.choices, choice{score, crowds, crowds & v.fits, crowds & v.keeps})
	}
}

// group groups the crowds by which of a broker's offers match all their jobs, but for those of which offers match some: these
// it returns.
func (v *view) group(b *bloc, of *variety, d int32) (unsure uint64) {
	all := b.present
	if b.alone {
		all &= b.origins[d]
	}
	v.match(b, of.parts)
	v.groups = append(v.groups[:0], matched{crowds: all})
	for i := range of.offers {
		o := &of.offers[i]
		disk := &v.parts[o.slots[storage]]
		some := all & v.parts[o.slots[computing]].some & v.parts[o.slots[operating]].some & disk.some
		every := some & disk.all
		unsure |= some &^ every
		if every == 0 {
			continue
		}
		for j := range v.groups { // those that follow were made of those before
			g := &v.groups[j]
			in := g.crowds & every
			switch {
			case in == 0:
			case in == g.crowds:
				g.ranks.add(o.rank)
			default:
				g.crowds &^= in
				v.groups = append(v.groups, matched{in, g.ranks})
				v.groups[len(v.groups)-1].ranks.add(o.rank)
			}
		}
	}
	for j := range v.groups {
		v.groups[j].crowds &^= unsure
	}
	return unsure
}

// match finds which crowds parts match. Mostly they are what they were the last time.
func (v *view) match(b *bloc, parts []*part) {
	for _, p := range parts {
		m := &v.parts[p.slot]
		if m.most == p.most && m.clock == p.clock {
			continue
		}
		switch p.category {
		case computing:
			m.some = b.clocks.within(p.clock) & b.cpus.within(p.most)
		case operating:
			m.some = b.memories.within(p.most)
		case storage:
			m.some, m.all = b.least.within(p.most), b.most.within(p.most)
		}
		m.clock, m.most = p.clock, p.most
	}
}

// uniform makes the crowd of a job that went in vain to a broker with this score so small that all brokers which may score as
// much match all its jobs alike, so that all of them go there in vain.
func (w *waiting) uniform(number int32, score float64) {
	kind := w.crowds[number].kind
	w.crowds[number].bloc.renew(w.crowds[number].bit) // disks that are nearer to each other than before may match alike
	for _, next := range w.s.inOrder(kind) {
		if next.most < score {
			return
		}
		for {
			c := w.crowds[number]
			disk, found := w.boundary(kind, next.broker, c.least, c.most)
			if !found {
				break
			}
			w.split(c, disk)
		}
	}
}

// apart reports whether brokers that matter to a crowd now may not match all its jobs alike if it had these disks.
func (w *waiting) apart(c *crowd, least, most int64) bool {
	if w.s.known == nil || c.now[noConflict] == 0 {
		return false
	}
	for _, next := range w.s.inOrder(c.kind) {
		if next.most < c.bloc.floor {
			return false
		}
		if _, found := w.boundary(c.kind, next.broker, least, most); found {
			return true
		}
	}
	return false
}

// boundary returns a disk up to which an offer of a broker matches, or a resource could hold, some of the jobs of a kind that
// need between the least and the most.
func (w *waiting) boundary(kind, d int32, least, most int64) (disk int64, found bool) {
	offers := w.s.knownOf(d).kinds[kind].offers
	for i := range offers {
		if disk = offers[i].disk; least <= disk && disk < most {
			return disk, true
		}
	}
	for _, i := range w.s.ofKind(kind, d) {
		if disk = w.s.machines[i].total.disk; least <= disk && disk < most {
			return disk, true
		}
	}
	return 0, false
}

// attracts reports whether a resource of a broker fits the jobs of a crowd that need least.
func (w *waiting) attracts(c *crowd, d int32) bool {
	vacant, least := w.s.vacant(c.kind, d), need{c.cpus, c.memory, c.least}
	for i := range vacant {
		if v := &vacant[i]; c.clock <= v.clock && least.within(&v.free) {
			return true
		}
	}
	return false
}
