// Plan: the availability profiles of a site's partitions as one plan.

package cluster

import (
	"iter"

	"gridsweep/model/profile"
)

// plan is the availability profile of a site: the processors of each partition that are free from
// now on, beside running jobs, bookings and reservations. Most machines have one partition and
// count its processors: then the plan is one profile.
type plan struct {
	shares   []int32            // processors of each partition
	total    machineProfile     // of the machine: sum, or the sets of numbered
	numbered *numberedPlan      // under Fixed, in place of the following
	sum      *profile.Profile   // of the machine; counted[0] if there is one partition
	counted  []*profile.Profile // of each partition
	// held is the processors of booked or running job n in partition q, at [n·len(counted)+q],
	// where there are several.
	held  []int32
	least []int32 // scratch: processors of each partition
}

// machineProfile is what profiles of counted and of numbered processors have in common.
type machineProfile interface {
	Advance(now int64)
	FreeAt(t int64) int32
	Fits(from int64, procs int32, duration int64) bool
	EarliestFit(from int64, procs int32, duration int64) int64
	Slots(from, to int64) iter.Seq[profile.Slot]
	RunningMinimum(list []profile.Slot, from, until int64, steps int) []profile.Slot
}

func newPlan(procs int32, shares []int32, placement Placement) plan {
	if placement == Fixed {
		numbered := newNumberedPlan(procs, shares)
		return plan{shares: shares, total: numbered.sets, numbered: numbered}
	}
	p := plan{shares: shares, least: make([]int32, len(shares))}
	for _, share := range shares {
		p.counted = append(p.counted, profile.New(share))
	}
	p.sum = p.counted[0]
	if p.partitioned() {
		p.sum = profile.New(procs)
	}
	p.total = p.sum
	return p
}

// partitioned reports whether there are several partitions of counted processors.
func (p *plan) partitioned() bool { return len(p.counted) > 1 }

// single reports whether the plan is one profile. Policies have shortcuts for it.
func (p *plan) single() bool { return len(p.counted) == 1 }

func (p *plan) advance(now int64) {
	p.total.Advance(now)
	if p.partitioned() {
		for _, partition := range p.counted {
			partition.Advance(now)
		}
	}
}

// fits reports whether so many processors are free throughout [t, t+duration). A partition lends
// the least number that it has free in that time.
func (p *plan) fits(t int64, procs int32, duration int64) bool {
	if !p.partitioned() {
		return p.total.Fits(t, procs, duration)
	}
	if p.sum.FreeAt(t) < procs {
		return false // the cheapest test comes first: most waiting jobs fail it
	}
	sum := int64(0)
	for q, partition := range p.counted {
		p.least[q] = partition.MinFree(t, t+duration)
		sum += int64(p.least[q])
	}
	return sum >= int64(procs)
}

func (p *plan) earliest(t int64, procs int32, duration int64) int64 {
	for {
		// The least of the sums is at least the sum of the least: a job that does not fit the total
		// does not fit the partitions.
		t = p.total.EarliestFit(t, procs, duration)
		if !p.partitioned() || t == Never || p.fits(t, procs, duration) {
			return t
		}
		next := Never
		for _, partition := range p.counted {
			_, until := partition.Step(t)
			next = min(next, until)
		}
		t = next
	}
}

// book takes the processors of a job in [from, from+duration): of its own partition first, then of
// the others in their order.
func (p *plan) book(number, own int32, from int64, procs int32, duration int64) {
	if p.numbered != nil {
		p.numbered.book(number, own, from, from+duration, procs)
		return
	}
	p.sum.Reserve(from, procs, duration)
	if !p.partitioned() {
		return
	}
	to, held := from+duration, p.heldBy(number)
	clear(held)
	for i := range int32(len(p.counted)) {
		if procs == 0 {
			return
		}
		q := lender(i, own)
		taken := max(0, min(procs, p.counted[q].MinFree(from, to)))
		p.counted[q].Add(from, to, -taken)
		held[q] = taken
		procs -= taken
	}
}

// keeps reports whether a job that is booked in [from, from+duration) would get the processors that
// it holds if it were booked anew.
func (p *plan) keeps(number, own int32, from int64, procs int32, duration int64) bool {
	if !p.partitioned() {
		return true
	}
	to, held := from+duration, p.heldBy(number)
	for i := range int32(len(p.counted)) {
		if procs == 0 {
			break
		}
		q := lender(i, own)
		// the job itself holds some of its processors throughout
		if max(0, min(procs, p.counted[q].MinFree(from, to)+held[q])) != held[q] {
			return false
		}
		procs -= held[q]
	}
	return true
}

// lender returns the partition that is the i-th to lend processors to a job: its own first, then
// the others in their order.
func lender(i, own int32) int32 {
	switch {
	case i == 0:
		return own
	case i <= own:
		return i - 1
	}
	return i
}

// heldBy returns how many processors a job has in each of several partitions, which may be changed.
func (p *plan) heldBy(number int32) []int32 {
	n := len(p.counted)
	for len(p.held) < (int(number)+1)*n {
		p.held = append(p.held, 0)
	}
	return p.held[int(number)*n:][:n]
}

// allocation returns how many processors, which are counted, a job has in each partition. The list
// is valid until the next call of a method of the plan.
func (p *plan) allocation(number, procs int32) []int32 {
	if p.partitioned() {
		return p.heldBy(number)
	}
	p.least[0] = procs
	return p.least
}

// add frees the processors that a job holds in [from, to). Negative procs: it takes them again.
func (p *plan) add(number int32, from, to int64, procs int32) {
	if p.numbered != nil {
		p.numbered.add(number, from, to, procs)
		return
	}
	p.sum.Add(from, to, procs)
	if p.partitioned() {
		for q, held := range p.heldBy(number) {
			if procs < 0 {
				held = -held
			}
			p.counted[q].Add(from, to, held)
		}
	}
}

// reserve takes processors in [from, to) from the partitions in their order. If they are not free
// it takes none and reports false.
func (p *plan) reserve(from, to int64, procs int32) bool {
	if p.numbered != nil {
		return p.numbered.reserve(from, to, procs)
	}
	if !p.fits(from, procs, to-from) { // which sets p.least
		return false
	}
	p.sum.Add(from, to, -procs)
	if p.partitioned() {
		for q, partition := range p.counted {
			taken := max(0, min(procs, p.least[q]))
			partition.Add(from, to, -taken)
			procs -= taken
		}
	}
	return true
}

// copyFrom replaces the plan, of one partition, by the free processors of another one in [from,
// to), at each time at most so many. It returns the largest number that is free at once.
func (p *plan) copyFrom(other *plan, from, to int64, most int32) (peak int32) {
	if p.numbered != nil {
		return p.numbered.sets.Copy(other.numbered.sets, from, to, most)
	}
	return p.sum.Copy(other.sum, from, to, most)
}

// resize changes the shares of the partitions from now on.
func (p *plan) resize(now int64, shares []int32) {
	if p.numbered != nil {
		p.numbered.resize(shares)
	} else {
		for q := range shares {
			p.counted[q].Add(now, Never, shares[q]-p.shares[q])
		}
	}
	copy(p.shares, shares)
}
