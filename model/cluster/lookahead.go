package cluster

// Lookahead: EASY that backfills the set of jobs which uses the most processors.

import (
	"errors"
	"slices"
	"strconv"
)

// defaultLookahead is how many jobs behind the pivot policy lookahead considers (Shmueli &
// Feitelson, Backfilling with lookahead to optimize the packing of parallel jobs, JPDC 2005, who
// find that more change little).
const defaultLookahead = 50

// parseLookahead reads how many jobs are considered.
func parseLookahead(argument string) (Policy, error) {
	depth := defaultLookahead
	if argument != "" {
		var err error
		if depth, err = strconv.Atoi(argument); err != nil || depth < 1 {
			return Policy{}, errors.New("the number of jobs that it considers is a whole number from 1 on")
		}
	}
	return Policy{
		scheduler: func(s *Site) scheduler { return newLookahead(s, depth) }, check: (*Config).checkUnreserved,
	}, nil
}

// newLookahead returns LOS of Shmueli & Feitelson: EASY whose pass starts, of the first so many jobs
// behind the pivot, the set that uses the most processors now and does not delay the pivot.
func newLookahead(s *Site, depth int) *easy {
	e := newEasy(s, 1)
	e.packing = &packing{depth: depth}
	return e
}

// packing selects the jobs that a pass of lookahead starts. The paper's table of utilisations by
// job, free processors and free processors at the pivot's start has the latter two as capacities.
// Jobs that end before the pivot starts count in the first only, others in both alike. So the sums
// of the sizes of both kinds are independent but for their total, and a bitset of reachable sums for
// each kind has what the table has.
type packing struct {
	depth  int
	jobs   []waiting
	chosen []bool
	words  int // of a set
	// short and long are, for each number n of jobs considered, the sums that sets of the first n
	// have: bit i of a set of short is sum i; of long, bit n - i, n the free processors.
	short, long []uint64
}

// backfillPacked starts the set of jobs from the cursor on.
func (e *easy) backfillPacked(c cursor) {
	s, p := e.site, e.packing
	free := e.limits[0].procs
	if free <= 0 {
		return
	}
	p.jobs = p.jobs[:0]
	for w := s.queue.at(c); w != nil && len(p.jobs) < p.depth; w = s.queue.at(c) {
		p.jobs = append(p.jobs, *w)
		c = s.queue.after(c)
	}
	extra := max(0, min(free, e.limits[len(e.limits)-1].procs))
	p.choose(free, extra, e.limits[0].estimate)
	for i := range p.jobs {
		if p.chosen[i] {
			s.startAt(s.queue.find(&p.jobs[i]))
		}
	}
}

// choose marks the jobs to start: at most so many processors are free, and so many extra ones for
// the jobs that are longer than the time up to the pivot, in s. Of the sets that use the most, it
// marks the one whose last job is the earliest, and so on for the jobs before.
func (p *packing) choose(free, extra int32, upTo int64) {
	p.sums(free, extra, upTo)
	n := len(p.jobs)
	p.chosen = append(p.chosen[:0], make([]bool, n)...)
	most := free
	for !p.reachable(n, free, most, extra) {
		most--
	}
	for i := n - 1; i >= 0 && most > 0; i-- {
		if p.reachable(i, free, most, extra) {
			continue
		}
		p.chosen[i] = true
		most -= p.jobs[i].procs
		if p.jobs[i].estimate > upTo {
			extra -= p.jobs[i].procs
		}
	}
}

// sums finds the reachable sums of the first 0, 1, … jobs.
func (p *packing) sums(free, extra int32, upTo int64) {
	p.words = int(free)/64 + 1
	size := (len(p.jobs) + 1) * p.words
	p.short, p.long = slices.Grow(p.short[:0], size)[:size], slices.Grow(p.long[:0], size)[:size]
	clear(p.short[:p.words])
	clear(p.long[:p.words])
	p.short[0] = 1
	p.long[free/64] = 1 << (free % 64)
	for i := range p.jobs {
		short, long := p.set(p.short, i+1), p.set(p.long, i+1)
		copy(short, p.set(p.short, i))
		copy(long, p.set(p.long, i))
		switch w := &p.jobs[i]; {
		case w.estimate <= upTo && w.procs <= free:
			orLeft(short, p.set(p.short, i), int(w.procs))
		case w.estimate > upTo && w.procs <= extra:
			orRight(long, p.set(p.long, i), int(w.procs))
		}
	}
}

// set returns the set of the first n jobs.
func (p *packing) set(sets []uint64, n int) []uint64 { return sets[n*p.words:][:p.words] }

// reachable reports whether a set of the first n jobs has exactly so many processors, of which long
// jobs have at most extra.
func (p *packing) reachable(n int, free, procs, extra int32) bool {
	// A sum b of long jobs is bit free - b. With a sum procs - b of short jobs, moved by free - procs,
	// it is the same bit. Bits from free - extra on are sums of long jobs up to extra.
	short, long := p.set(p.short, n), p.set(p.long, n)
	shift, from := int(free-procs), int(free-min(extra, procs))
	for w := from / 64; w < p.words; w++ {
		both := long[w] & moved(short, w, shift)
		if w == from/64 {
			both &= ^uint64(0) << (from % 64)
		}
		if both != 0 {
			return true
		}
	}
	return false
}

// moved returns a word of a set whose bits are moved so many places to the left.
func moved(set []uint64, w, places int) uint64 {
	at, rest := w-places/64, places%64
	if at < 0 {
		return 0
	}
	word := set[at] << rest
	if rest > 0 && at > 0 {
		word |= set[at-1] >> (64 - rest)
	}
	return word
}

// orLeft adds to a set the bits of another one, moved so many places to the left.
func orLeft(set, other []uint64, places int) {
	for w := places / 64; w < len(set); w++ {
		set[w] |= moved(other, w, places)
	}
}

// orRight adds to a set the bits of another one, moved so many places to the right.
func orRight(set, other []uint64, places int) {
	for w := 0; w+places/64 < len(set); w++ {
		at, rest := w+places/64, places%64
		set[w] |= other[at] >> rest
		if rest > 0 && at+1 < len(set) {
			set[w] |= other[at+1] << (64 - rest)
		}
	}
}
