// Ledger: the CPUs booked at a Grid as a function of time.

package intergrid

import "slices"

// ledger is the CPUs booked at all providers of a Grid as a function of time, from now on. Each
// unit cost needs the CPU·s booked until a time. The changes to come are sorted: there are about as
// many as bookings that have not ended.
type ledger struct {
	now   int64
	level int64 // CPUs booked now
	total int64 // CPU·s booked from now on
	// The changes from index first on are to come, in the order of their times, all after now. The
	// positions before are free: most bookings are short, and their ends are inserted among the
	// first.
	changes []change
	first   int
}

type change struct {
	at   int64
	cpus int64 // more than before
}

// advance moves the beginning of the ledger to now.
func (l *ledger) advance(now int64) {
	for l.first < len(l.changes) && l.changes[l.first].at <= now {
		c := l.changes[l.first]
		l.total -= l.level * (c.at - l.now)
		l.level += c.cpus
		l.now = c.at
		l.first++
	}
	l.total -= l.level * (now - l.now)
	l.now = now
}

// add books CPUs in [from, to), but not before now; a negative number frees them.
func (l *ledger) add(from, to, cpus int64) {
	if from = max(from, l.now); from >= to {
		return
	}
	l.change(from, cpus)
	l.change(to, -cpus)
	l.total += cpus * (to - from)
}

func (l *ledger) change(at, cpus int64) {
	if at <= l.now {
		l.level += cpus
		return
	}
	i := l.search(at)
	if i == len(l.changes) || l.changes[i].at != at {
		l.insert(i, change{at, cpus})
		return
	}
	if l.changes[i].cpus += cpus; l.changes[i].cpus == 0 {
		l.remove(i)
	}
}

// insert inserts a change before that of an index. It moves those on the side where there are
// fewer.
func (l *ledger) insert(i int, c change) {
	before, after := i-l.first, len(l.changes)-i
	if before < after && l.first > 0 {
		copy(l.changes[l.first-1:], l.changes[l.first:i])
		l.first--
		l.changes[i-1] = c
		return
	}
	// uses the positions before again instead of growing: moves the n changes to [n, 2n)
	if n := before + after; len(l.changes) == cap(l.changes) && l.first > n {
		copy(l.changes[n:], l.changes[l.first:])
		i -= l.first - n
		l.changes, l.first = l.changes[:2*n], n
	}
	l.changes = slices.Insert(l.changes, i, c)
}

func (l *ledger) remove(i int) {
	if i-l.first < len(l.changes)-i {
		copy(l.changes[l.first+1:], l.changes[l.first:i])
		l.first++
	} else {
		l.changes = slices.Delete(l.changes, i, i+1)
	}
}

// search returns the index of the first change at or after a time.
func (l *ledger) search(at int64) int {
	if last := len(l.changes) - 1; last >= l.first && l.changes[last].at < at {
		return last + 1 // as where a horizon is behind all bookings
	}
	i := l.first
	for n := len(l.changes) - i; n > 0; {
		half := (n + 1) / 2
		// Adds half where changes[i+half-1].at < at, without a branch: it would be mispredicted.
		i += half &^ int((at-1-l.changes[i+half-1].at)>>63)
		n -= half
	}
	return i
}

// until returns the CPU·s booked in [now, to). It adds up the changes on the side of to where there
// are fewer.
func (l *ledger) until(to int64) int64 {
	i := l.search(to)
	if i-l.first <= len(l.changes)-i {
		booked := l.level * (to - l.now)
		for _, c := range l.changes[l.first:i] {
			booked += c.cpus * (to - c.at)
		}
		return booked
	}
	booked := l.total
	for _, c := range l.changes[i:] {
		booked += c.cpus * (c.at - to) // minus the CPU·s booked from `to` on, since all bookings end
	}
	return booked
}
