package intergrid

// Ledger: the CPUs booked at a Grid as a function of time.

import (
	"slices"
	"sort"
)

// ledger is the CPUs booked at all providers of a Grid as a function of time, from now on. Each
// unit cost needs the CPU·s booked until a time. The changes to come are in one sorted slice: there
// are about as many as bookings that have not ended.
type ledger struct {
	now     int64
	level   int64    // CPUs booked now
	total   int64    // CPU·s booked from now on
	changes []change // in the order of their times, all after now
}

type change struct {
	at   int64
	cpus int64 // more than before
}

// advance moves the beginning of the ledger to now.
func (l *ledger) advance(now int64) {
	passed := 0
	for passed < len(l.changes) && l.changes[passed].at <= now {
		c := l.changes[passed]
		l.total -= l.level * (c.at - l.now)
		l.level += c.cpus
		l.now = c.at
		passed++
	}
	l.changes = l.changes[passed:]
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
		l.changes = slices.Insert(l.changes, i, change{at, cpus})
		return
	}
	if l.changes[i].cpus += cpus; l.changes[i].cpus == 0 {
		l.changes = slices.Delete(l.changes, i, i+1)
	}
}

// search returns the index of the first change at or after a time.
func (l *ledger) search(at int64) int {
	return sort.Search(len(l.changes), func(i int) bool { return l.changes[i].at >= at })
}

// until returns the CPU·s booked in [now, to). It adds up the changes on the side of to where there
// are fewer.
func (l *ledger) until(to int64) int64 {
	i := l.search(to)
	if i <= len(l.changes)/2 {
		booked := l.level * (to - l.now)
		for _, c := range l.changes[:i] {
			booked += c.cpus * (to - c.at)
		}
		return booked
	}
	booked := l.total
	for _, c := range l.changes[i:] {
		booked += c.cpus * (c.at - to) // what ends there was booked up to then
	}
	return booked
}
