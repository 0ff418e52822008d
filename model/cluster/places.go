package cluster

import (
	"fmt"
	"math/bits"

	"gridsweep/model/profile"
)

// places is the plan of a machine under Fixed: which of its processors are free. They are numbered
// from 0, and the partitions lie in a row.
type places struct {
	sets  *profile.Sets
	procs int32
	first []int32     // processor of each partition, and the end of the last
	held  profile.Set // processors of booked or running job n, one job after the other

	free, taken profile.Set // scratch
}

func newPlaces(procs int32, shares []int32) *places {
	sets := profile.NewSets(procs)
	p := &places{sets: sets, procs: procs, first: make([]int32, len(shares)+1), free: sets.NewSet(), taken: sets.NewSet()}
	p.resize(shares)
	return p
}

// resize moves the borders between the partitions. Jobs keep their processors, whosever they are
// then.
func (p *places) resize(shares []int32) {
	for q, share := range shares {
		p.first[q+1] = p.first[q] + share
	}
}

// holds returns the processors of a job.
func (p *places) holds(number int32) profile.Set {
	n := len(p.free)
	for len(p.held) < (int(number)+1)*n {
		p.held = append(p.held, 0)
	}
	return p.held[int(number)*n:][:n]
}

// book takes the processors of a job in [from, to): the lowest-numbered free ones of its own
// partition, then those of all, which are the others' in their order.
func (p *places) book(number, own int32, from, to int64, procs int32) {
	p.sets.Free(p.free, from, to)
	held := p.holds(number)
	clear(held)
	procs -= p.free.Move(held, p.first[own], p.first[own+1], procs)
	p.free.Move(held, 0, p.procs, procs)
	p.sets.Take(held, from, to)
}

// add frees what the job holds in [from, to), sign 1, or takes it, -1.
func (p *places) add(number int32, from, to int64, sign int32) {
	if sign > 0 {
		p.sets.Give(p.holds(number), from, to)
	} else {
		p.sets.Take(p.holds(number), from, to)
	}
}

// checkFree returns an error unless the set is so many of the machine's processors that are free
// throughout [from, to).
func (p *places) checkFree(set profile.Set, from, to int64, procs int32) error {
	if len(set) != len(p.free) || set.Count() != procs {
		return fmt.Errorf("%d processors are named in %d words, want %d in %d", set.Count(), len(set), procs, len(p.free))
	}
	p.sets.Free(p.free, from, to)
	for w, word := range set {
		if busy := word &^ p.free[w]; busy != 0 {
			return fmt.Errorf("processor %d is not free from %d to %d s, or not of the machine", w*64+bits.TrailingZeros64(busy), from, to)
		}
	}
	return nil
}

// reserve takes the lowest-numbered processors that are free in [from, to). It reports false and
// takes none if there are too few.
func (p *places) reserve(from, to int64, procs int32) bool {
	p.sets.Free(p.free, from, to)
	clear(p.taken)
	if p.free.Move(p.taken, 0, p.procs, procs) < procs {
		return false
	}
	p.sets.Take(p.taken, from, to)
	return true
}
