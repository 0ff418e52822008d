package profile

import (
	"fmt"
	"iter"
)

// Slot is a time [From, To), in s, and a number of processors that are free in it.
type Slot struct {
	From, To int64
	Free     int32
}

// Slots returns the pieces of [from, to) in which the number of free processors is constant, in
// order, each as long as can be and those without free processors included. Together they are the
// profile: another one to which each is added is equal to it in [from, to). The profile must not
// change before the last.
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

// FreeSlots returns the free processors of [from, to) as slots that do not overlap and are as long
// as can be: where the number of free ones rises, a slot of as many begins; where it falls, the
// slots that began last end. So n processors are free throughout a time if and only if slots of
// together n cover it. They come in the order of their ends; of equal ends, the latest begun first.
// A provider that publishes its free time slots publishes these.
func (p *Profile) FreeSlots(from, to int64) iter.Seq[Slot] {
	return func(yield func(Slot) bool) {
		var open []Slot // their levels lie on one another
		free := int32(0)
		end := from
		for piece := range p.Slots(from, to) {
			for free > max(piece.Free, 0) {
				top := &open[len(open)-1]
				over := Slot{top.From, piece.From, min(top.Free, free-max(piece.Free, 0))}
				free -= over.Free
				if top.Free -= over.Free; top.Free == 0 {
					open = open[:len(open)-1]
				}
				if !yield(over) {
					return
				}
			}
			if piece.Free > free {
				open = append(open, Slot{From: piece.From, Free: piece.Free - free})
				free = piece.Free
			}
			end = piece.To
		}
		for i := len(open) - 1; i >= 0; i-- {
			if !yield(Slot{open[i].From, end, open[i].Free}) {
				return
			}
		}
	}
}

// Check returns an error if the profile breaks one of its invariants: leaves and groups in order
// and none empty or too large, steps in order and unlike their neighbours, summaries that bound
// what they sum up.
func (p *Profile) Check() error {
	at, free := int64(-1), int32(0)
	for k, l := range p.leaves {
		if len(l.times) == 0 || len(l.times) > p.sizes.leaf || len(l.times) != len(l.free) || p.starts[k] != l.times[0] {
			return fmt.Errorf("leaf %d: begins at %d with %d times and %d counts", k, p.starts[k], len(l.times), len(l.free))
		}
		for i, t := range l.times {
			if t <= at || at >= 0 && l.free[i]+p.shifts[k] == free {
				return fmt.Errorf("leaf %d: %d are free from %d on, and before %d from %d on",
					k, l.free[i]+p.shifts[k], t, free, at)
			}
			at, free = t, l.free[i]+p.shifts[k]
		}
		if l.known {
			if low := l.low; low != (&leaf{free: l.free}).least() {
				return fmt.Errorf("leaf %d: %d is not its least", k, low)
			}
		}
		if err := p.checkSummary(&l.summary, l.trust, k, k+1, p.shifts[k]+l.lift); err != nil {
			return fmt.Errorf("leaf %d: %w", k, err)
		}
	}
	if p.starts[0] > p.now {
		return fmt.Errorf("it begins at %d, after %d, which is now", p.starts[0], p.now)
	}
	for g, group := range p.groups {
		if size := p.next(g) - group.first; size < 1 || size > p.sizes.group || g == 0 && group.first != 0 {
			return fmt.Errorf("group %d: %d leaves from %d on", g, size, group.first)
		}
		if err := p.checkSummary(&group.summary, group.trust, group.first, p.next(g), group.lift); err != nil {
			return fmt.Errorf("group %d: %w", g, err)
		}
	}
	return nil
}

// checkSummary compares the summary of leaves [first, next) with the runs in their steps.
func (p *Profile) checkSummary(s *summary, t trust, first, next int, shift int32) error {
	if !t.valid {
		return nil
	}
	var steps []Slot
	for slot := range p.Slots(p.starts[first], p.end(next-1)) {
		steps = append(steps, slot)
	}
	begin := p.starts[first] // no fit asks for the head of a piece that began before now
	for i, from := range steps {
		level := from.Free
		for _, to := range steps[i:] {
			level = min(level, to.Free)
			length, need := to.To-from.From, level-shift
			if s.inside.longest(need) < length || from.From == begin && begin > p.now && s.head.longest(need) < length ||
				to.To == p.end(next-1) && s.tail.longest(need) < length {
				return fmt.Errorf("it denies the run of %d in [%d, %d)", level, from.From, to.To)
			}
		}
	}
	return nil
}
