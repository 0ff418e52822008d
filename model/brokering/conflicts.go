package brokering

// conflict is by what a resource that is right otherwise lacks something that a job needs (section 6.1, footnote 1).
type conflict int8

const (
	byCPUs conflict = iota
	byMemory
	byDisk
	noConflict
)

// lacks returns the conflict of a job of this need where so much is there. Which it is can hardly be predicted, so nothing
// branches.
func (n *need) lacks(there *need) conflict {
	lacking := int(noConflict)
	if n.disk > there.disk {
		lacking = int(byDisk)
	}
	if n.memory > there.memory {
		lacking = int(byMemory)
	}
	if n.cpus > there.cpus {
		lacking = int(byCPUs)
	}
	return conflict(lacking)
}

// conflicts are numbers of conflicts of each kind.
type conflicts [noConflict]int64

// add adds others so many times.
func (c *conflicts) add(other *conflicts, times int64) {
	for k := range c {
		c[k] += times * other[k]
	}
}

// move notes that a resource which was one conflict, or none, is now another, or none.
func (c *conflicts) move(was, is conflict) {
	if was != noConflict {
		c[was]--
	}
	if is != noConflict {
		c[is]++
	}
}

// counts are how many resources of the right vendor, system and clock meet each conflict, and last none.
type counts [noConflict + 1]int64

// conflicts returns those that are some.
func (c *counts) conflicts() *conflicts { return (*conflicts)(c[:noConflict]) }

// move notes that a resource which was one conflict is now another.
func (c *counts) move(was, is conflict) {
	c[was]--
	c[is]++
}

// conflictsOf counts what a job meets in the whole system now: of what is free, under SLOW of what there is. What a resource
// is short of can hardly be predicted, so nothing branches: a difference is shifted until its sign is left, -1 if it is.
func (s *system) conflictsOf(r *requirement) counts {
	var slow, cpus, memory, disk int64 // resources whose clock does not suffice, or this or CPUs, or also memory, or also disk
	inReach := s.inReach(r.kind, r.origin)
	for i := range inReach {
		v := &inReach[i]
		short := (v.clock - r.clock) >> 63
		slow -= short
		short |= (v.free.cpus - r.need.cpus) >> 63
		cpus -= short
		short |= (v.free.memory - r.need.memory) >> 63
		memory -= short
		short |= (v.free.disk - r.need.disk) >> 63
		disk -= short
	}
	return counts{cpus - slow, memory - cpus, disk - memory, int64(len(inReach)) - disk}
}

// count adds so many attempts that met the same conflicts.
func (t *tally) count(c *counts, attempts int64) {
	t.attempts += attempts
	t.conflicts.add(c.conflicts(), attempts)
}

// met returns how many conflicts there were, of whatever kind.
func (t *tally) met() int64 { return t.conflicts[byCPUs] + t.conflicts[byMemory] + t.conflicts[byDisk] }

// include adds what another one has counted.
func (t *tally) include(other *tally) {
	t.attempts += other.attempts
	t.conflicts.add(&other.conflicts, 1)
}
