// Slots: the profile as intervals of constant free processors, and the check of its invariants.

package profile

import (
	"fmt"
	"iter"
)

// Slot is an interval [From, To), in s, and the number of processors that are free in it.
type Slot struct {
	From, To int64
	Free     int32
}

// Slots returns the maximal intervals in [from, to) with a constant number of free processors, in
// order, also where it is 0. The profile must not change during the iteration.
func (p *Profile) Slots(from, to int64) iter.Seq[Slot] {
	return func(yield func(Slot) bool) {
		from := max(from, p.now)
		if from >= to {
			return
		}
		k, i := p.locate(from)
		for ; k < len(p.leaves) && p.starts[k] < to; k, i = k+1, 0 {
			l := p.leaves[k]
			for ; i < len(l.times) && l.times[i] < to; i++ {
				end := p.end(k)
				if i+1 < len(l.times) {
					end = l.times[i+1]
				}
				if !yield(Slot{max(from, l.times[i]), min(to, end), l.free[i] + p.shifts[k]}) {
					return
				}
			}
		}
	}
}

// RunningMinimum appends the least number of free processors from a time up to each later one, as
// slots. It considers at most so many steps, and only those that begin before until, up to the
// first without a free processor. The last slot reaches to Forever.
func (p *Profile) RunningMinimum(list []Slot, from, until int64, steps int) []Slot {
	from = max(from, p.now)
	k, i := p.locate(from)
	least := Slot{from, Forever, p.leaves[k].free[i] + p.shifts[k]}
	for ; k < len(p.leaves) && p.starts[k] < until && least.Free > 0 && steps > 0; k, i = k+1, 0 {
		l := p.leaves[k]
		n := min(steps, len(l.times)-i)
		list = least.fall(list, l.times[i:][:n], l.free[i:][:n], p.shifts[k], until)
		steps -= n
	}
	return append(list, least)
}

// fall lowers a running minimum to that of further steps, to whose free processors shift is added.
// It appends what it was before each fall.
func (least *Slot) fall(list []Slot, times []int64, free []int32, shift int32, until int64) []Slot {
	free = free[:len(times)]
	for j, t := range times {
		if t >= until || least.Free <= 0 {
			break
		}
		if level := free[j] + shift; level < least.Free {
			list = append(list, Slot{least.From, t, least.Free})
			least.From, least.Free = t, level
		}
	}
	return list
}

// Check returns an error if the profile breaks one of its invariants: leaves and groups are in
// order and neither empty nor too large, steps are in order and unlike their neighbours, summaries
// are upper bounds.
func (p *Profile) Check() error {
	at, free := int64(-1), int32(0)
	for k, l := range p.leaves {
		if len(l.times) == 0 || len(l.times) > p.sizes.leaf || len(l.times) != len(l.free) || p.starts[k] != l.times[0] {
			return fmt.Errorf("leaf %d: begins at %d, has %d times and %d counts", k, p.starts[k], len(l.times), len(l.free))
		}
		for i, t := range l.times {
			if t <= at || at >= 0 && l.free[i]+p.shifts[k] == free {
				return fmt.Errorf("leaf %d: %d are free from %d on, after %d from %d on", k, l.free[i]+p.shifts[k], t, free, at)
			}
			at, free = t, l.free[i]+p.shifts[k]
		}
		if err := p.checkSummary(&l.summary, l.validity, k, k+1, p.shifts[k]+l.lift); err != nil {
			return fmt.Errorf("leaf %d: %w", k, err)
		}
	}
	if p.starts[0] > p.now {
		return fmt.Errorf("it begins at %d, after now, %d", p.starts[0], p.now)
	}
	for g := range p.groups {
		group := &p.groups[g]
		if size := p.next(g) - group.first; size < 1 || size > p.sizes.group || g == 0 && group.first != 0 {
			return fmt.Errorf("group %d: %d leaves from %d on", g, size, group.first)
		}
		if err := p.checkSummary(&group.summary, group.validity, group.first, p.next(g), group.lift); err != nil {
			return fmt.Errorf("group %d: %w", g, err)
		}
	}
	return nil
}

// checkSummary returns an error if a run in the leaves [first, next) exceeds their summary.
func (p *Profile) checkSummary(s *summary, v validity, first, next int, shift int32) error {
	if !v.valid {
		return nil
	}
	var steps []Slot
	for slot := range p.Slots(p.starts[first], p.end(next-1)) {
		steps = append(steps, slot)
	}
	begin := p.starts[first] // searches do not use the head of the first leaf, which begins at now
	for i, from := range steps {
		level := from.Free
		for _, to := range steps[i:] {
			level = min(level, to.Free)
			length, need := to.To-from.From, level-shift
			if s.inside.longest(need) < length || from.From == begin && begin > p.now && s.head.longest(need) < length ||
				to.To == p.end(next-1) && s.tail.longest(need) < length {
				return fmt.Errorf("its bound excludes the run of %d in [%d, %d)", level, from.From, to.To)
			}
		}
	}
	return nil
}
