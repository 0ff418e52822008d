// Lookahead: EASY that backfills the set of jobs that uses the most processors.

package cluster

import (
	"errors"
	"slices"
	"strconv"
)

// defaultLookahead is how many jobs behind the pivot policy lookahead considers (Shmueli &
// Feitelson, Backfilling with lookahead to optimize the packing of parallel jobs, JPDC 2005, who
// find that more change little).
const defaultLookahead = 50

func parseLookahead(argument string) (Policy, error) {
	depth := defaultLookahead
	if argument != "" {
		var err error
		if depth, err = strconv.Atoi(argument); err != nil || depth < 1 {
			return Policy{}, errors.New("the number of jobs that it considers is a whole number from 1 on")
		}
	}
	return Policy{
		scheduler: func(s *Site) scheduler { return newLookahead(s, depth) }, needs: simple | noReservations,
	}, nil
}

// newLookahead returns LOS of Shmueli & Feitelson: EASY that considers the first depth jobs behind
// the pivot in each pass. It starts the set of them that uses the most processors now and does not
// delay the pivot.
func newLookahead(s *Site, depth int) *easy {
	e := newEasy(s, 1)
	e.packing = &packing{depth: depth}
	return e
}

// packing selects the jobs that a pass starts, by dynamic programming. A job that ends by the start
// of the pivot is short, the others are long. All jobs of the set share the processors that are
// free now; the long ones also share the extra ones, which are still free when the pivot has
// started.
//
// The table of the paper has both numbers of processors as dimensions. A bitset for the short and
// one for the long jobs suffice: their sums are independent, except that together they are at most
// the free processors.
type packing struct {
	depth  int       // how many jobs behind the pivot are considered
	jobs   []waiting // those jobs, in queue order
	chosen []bool    // by job: whether it starts
	words  int       // length of a bitset
	// short and long have one bitset for each n from 0 to len(jobs): the sums of processors that
	// sets of the short, or of the long, jobs among the first n can have. In a bitset of short, bit
	// i stands for the sum i; in one of long, for the sum free - i.
	short, long []uint64
}

// backfillPacked starts the selected ones of the waiting jobs from the cursor on.
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
			s.startWaiting(&p.jobs[i])
		}
	}
}

// choose selects the set to start. It uses at most free processors, and at most extra ones for jobs
// whose estimates are above untilPivot, the time in s until the pivot starts. Of several sets with
// the most processors, it takes the one whose last job is the earliest in the queue; of these, the
// one whose last but one is, and so on.
func (p *packing) choose(free, extra int32, untilPivot int64) {
	p.sums(free, extra, untilPivot)
	n := len(p.jobs)
	p.chosen = append(p.chosen[:0], make([]bool, n)...)
	most := free
	for !p.reachable(n, free, most, extra) {
		most--
	}
	left := most // processors that the set has of jobs up to i
	for i := n - 1; i >= 0 && left > 0; i-- {
		if p.reachable(i, free, left, extra) {
			continue
		}
		p.chosen[i] = true
		left -= p.jobs[i].procs
		if p.jobs[i].estimate > untilPivot {
			extra -= p.jobs[i].procs
		}
	}
}

// sums finds the sums that sets of the first 0, 1, … jobs can have.
func (p *packing) sums(free, extra int32, untilPivot int64) {
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
		case w.estimate <= untilPivot && w.procs <= free:
			orMoved(short, p.set(p.short, i), int(w.procs))
		case w.estimate > untilPivot && w.procs <= extra:
			orMoved(long, p.set(p.long, i), -int(w.procs))
		}
	}
}

func (p *packing) set(sets []uint64, n int) []uint64 { return sets[n*p.words:][:p.words] }

// reachable reports whether a set of the first n jobs has exactly procs processors, of which long
// jobs have at most extra.
func (p *packing) reachable(n int, free, procs, extra int32) bool {
	// Bit free - b of long stands for long jobs with b processors, bit procs - b of short for the
	// short ones that reach procs with these. Moved by free - procs, that is bit free - b too. b is
	// at most extra: only bits from free - extra on count.
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

// moved returns word w of a bitset whose bits are moved to positions that are higher by offset.
func moved(set []uint64, w, offset int) (word uint64) {
	at, rest := w-(offset>>6), offset&63 // offset may be negative: >> rounds down
	if at >= 0 && at < len(set) {
		word = set[at] << rest
	}
	if at > 0 && at <= len(set) {
		word |= set[at-1] >> (64 - rest)
	}
	return word
}

// orMoved adds to a bitset the bits of another one, moved to positions that are higher by offset.
func orMoved(set, other []uint64, offset int) {
	for w := range set {
		set[w] |= moved(other, w, offset)
	}
}
