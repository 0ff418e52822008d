// Numbered plan: the availability profile under placement fixed, with numbered processors.

package cluster

import (
	"fmt"
	"math/bits"

	"gridsweep/model/profile"
)

// numberedPlan is the plan of a machine under Fixed: the set of processors that are free at each
// time from now on. Processors are numbered from 0, and each partition is a range of them.
type numberedPlan struct {
	sets  *profile.Sets
	procs int32
	first []int32 // first processor of each partition, and the end of the last
	// processors of the booked and running jobs, one set after the other by number
	held profile.Set

	free, taken profile.Set // scratch
}

func newNumberedPlan(procs int32, shares []int32) *numberedPlan {
	sets := profile.NewSets(procs)
	p := &numberedPlan{
		sets: sets, procs: procs, first: make([]int32, len(shares)+1), free: sets.NewSet(), taken: sets.NewSet(),
	}
	p.resize(shares)
	return p
}

// resize moves the borders between the partitions. Jobs keep their processors, also those that then
// belong to another partition.
func (p *numberedPlan) resize(shares []int32) {
	for q, share := range shares {
		p.first[q+1] = p.first[q] + share
	}
}

// heldBy returns the processors of a job.
func (p *numberedPlan) heldBy(number int32) profile.Set {
	n := len(p.free)
	for len(p.held) < (int(number)+1)*n {
		p.held = append(p.held, 0)
	}
	return p.held[int(number)*n:][:n]
}

// book takes the processors of a job in [from, to): the lowest-numbered free ones of its own
// partition, then of the machine.
func (p *numberedPlan) book(number, own int32, from, to int64, procs int32) {
	p.sets.Free(p.free, from, to)
	held := p.heldBy(number)
	clear(held)
	procs -= p.free.Move(held, p.first[own], p.first[own+1], procs)
	p.free.Move(held, 0, p.procs, procs)
	p.sets.Take(held, from, to)
}

// add frees the processors that a job holds in [from, to). Negative procs: it takes them again.
func (p *numberedPlan) add(number int32, from, to int64, procs int32) {
	if procs > 0 {
		p.sets.Give(p.heldBy(number), from, to)
	} else {
		p.sets.Take(p.heldBy(number), from, to)
	}
}

// checkFree returns an error unless the set has so many processors and each is free throughout
// [from, to).
func (p *numberedPlan) checkFree(set profile.Set, from, to int64, procs int32) error {
	if len(set) != len(p.free) || set.Count() != procs {
		return fmt.Errorf("%d processors are named in %d words, want %d in %d", set.Count(), len(set), procs, len(p.free))
	}
	p.sets.Free(p.free, from, to)
	for w, word := range set {
		if busy := word &^ p.free[w]; busy != 0 {
			return fmt.Errorf("processor %d is not free from %d to %d s, or not of the machine",
				w*64+bits.TrailingZeros64(busy), from, to)
		}
	}
	return nil
}

// reserve takes the lowest-numbered processors that are free in [from, to). If there are too few it
// takes none and reports false.
func (p *numberedPlan) reserve(from, to int64, procs int32) bool {
	p.sets.Free(p.free, from, to)
	clear(p.taken)
	if p.free.Move(p.taken, 0, p.procs, procs) < procs {
		return false
	}
	p.sets.Take(p.taken, from, to)
	return true
}
