// Sets: the availability profile of a machine whose processors are not interchangeable.

package profile

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"
)

// Set is a set of a machine's processors: processor n is bit n%64 of word n/64.
type Set []uint64

// Count returns how many processors are in the set.
func (s Set) Count() int32 {
	count := 0
	for _, word := range s {
		count += bits.OnesCount64(word)
	}
	return int32(count)
}

// Move moves the lowest-numbered processors of [from, to), at most n, to another set. It returns
// how many.
func (s Set) Move(other Set, from, to, n int32) (moved int32) {
	for w := from / 64; moved < n && w*64 < to; w++ {
		in := s[w] & bitsBetween(from-w*64, to-w*64)
		for ; in != 0 && moved < n; moved++ {
			lowest := in & -in
			s[w] &^= lowest
			other[w] |= lowest
			in &^= lowest
		}
	}
	return moved
}

// bitsBetween returns a word with the bits of [from, to) that are in [0, 64).
func bitsBetween(from, to int32) uint64 {
	word := ^uint64(0)
	if from > 0 {
		word <<= from
	}
	if to < 64 {
		word &= 1<<to - 1
	}
	return word
}

// common returns how many processors two sets have in common.
func (s Set) common(other Set) int32 {
	count := 0
	for w, word := range s {
		count += bits.OnesCount64(word & other[w])
	}
	return int32(count)
}

// intersect removes the processors that are not in the other set.
func (s Set) intersect(other Set) {
	for w := range s {
		s[w] &= other[w]
	}
}

// fill makes the set [from, to).
func (s Set) fill(from, to int32) {
	for w := range s {
		s[w] = 0
		if first := int32(w) * 64; from < first+64 && first < to {
			s[w] = bitsBetween(from-first, to-first)
		}
	}
}

// Sets is the availability profile of a machine whose processors are not interchangeable: the set
// of processors that are free at each time from now on. A job fits where enough processors are each
// free throughout, and gets those. Neighbouring steps have different sets. The steps are a flat
// list, for machines of some hundred processors: a booking costs a copy of the list, a search a few
// instructions for each step and 64 processors. In steady state no operation allocates.
type Sets struct {
	now    int64   // s
	procs  int32   // of the machine
	words  int     // of a set
	times  []int64 // beginnings of the steps
	counts []int32 // free processors of the steps
	free   Set     // sets of the free processors of the steps, one after the other

	suffixes, tail Set // scratch, see EarliestFit
}

// NewSets returns the profile of a machine with that many processors, all free from time 0 on.
func NewSets(procs int32) *Sets {
	words := (int(procs) + 63) / 64
	p := &Sets{
		procs: procs, words: words, times: []int64{0}, counts: []int32{procs},
		free: make(Set, words), tail: make(Set, words),
	}
	p.step(0).fill(0, procs)
	return p
}

// NewSet returns an empty set for the processors of the machine.
func (p *Sets) NewSet() Set { return make(Set, p.words) }

// step returns the free processors of a step.
func (p *Sets) step(i int) Set { return p.free[i*p.words:][:p.words:p.words] }

// Advance drops the past before now, in s. Later queries begin at now at the earliest, and changes
// before it are ignored. A time before the last now has no effect.
func (p *Sets) Advance(now int64) {
	if now <= p.now {
		return
	}
	p.now = now
	// Past steps are removed several at a time. Until then they lie before every query.
	if len(p.times) > 16 && p.times[16] <= now {
		n := search(p.times, now)
		p.times = p.times[:copy(p.times, p.times[n:])]
		p.counts = p.counts[:copy(p.counts, p.counts[n:])]
		p.free = p.free[:copy(p.free, p.free[n*p.words:])]
	}
}

// FreeAt returns the number of free processors at a time.
func (p *Sets) FreeAt(t int64) int32 { return p.counts[search(p.times, max(t, p.now))] }

// Free sets a set to the processors that are each free throughout [from, to), which must not be
// empty.
func (p *Sets) Free(set Set, from, to int64) {
	from = max(from, p.now)
	i := search(p.times, from)
	copy(set, p.step(i))
	for j := i + 1; j < len(p.times) && p.times[j] < to; j++ {
		set.intersect(p.step(j))
	}
}

// Fits reports whether so many processors are each free throughout [from, from+duration).
func (p *Sets) Fits(from int64, procs int32, duration int64) bool {
	from = max(from, p.now)
	to := later(from, duration)
	i := search(p.times, from)
	if p.counts[i] < procs {
		return false
	}
	set := p.tail
	copy(set, p.step(i))
	for j := i + 1; j < len(p.times) && p.times[j] < to; j++ {
		set.intersect(p.step(j))
		if p.counts[j] < procs || set.Count() < procs {
			return false
		}
	}
	return true
}

// EarliestFit returns the earliest time t ≥ from such that so many processors are each free
// throughout [t, t+duration), or Never.
//
// It moves a window over the steps and needs the intersection of its sets. The window has a front
// and a back, as a queue that is made of two stacks: suffixes holds the intersections of the front
// from each of its steps to its end, tail that of the back. So a window that gains a step at its
// end or loses one at its beginning costs one intersection. When the front is used up, join makes
// the window the front.
func (p *Sets) EarliestFit(from int64, procs int32, duration int64) int64 {
	requirePositive(procs, duration)
	start := max(from, p.now)
	p.suffixes = slices.Grow(p.suffixes[:0], len(p.free))[:len(p.free)]
	first, last := -1, -1 // the first step of the window, or -1, and the last of its front
	for i := search(p.times, start); i < len(p.times); i++ {
		if first >= 0 && p.times[i] >= later(start, duration) {
			return start
		}
		if p.counts[i] < procs {
			first = -1
			continue
		}
		if first < 0 {
			start = max(start, p.times[i])
			first, last = p.join(i, i, procs), i
			continue
		}
		p.tail.intersect(p.step(i))
		for p.suffix(first).common(p.tail) < procs {
			if first++; first > last {
				first, last = p.join(first, i, procs), i
			}
			start = p.times[first]
		}
	}
	if first < 0 {
		return Never
	}
	return start
}

// suffix returns the intersection of the sets from a step on to the end of the front.
func (p *Sets) suffix(i int) Set { return p.suffixes[i*p.words:][:p.words:p.words] }

// join makes the front of the window the longest range of steps that ends with last, begins at
// first or later and has so many processors in common, as last has. It returns its first step.
func (p *Sets) join(first, last int, procs int32) int {
	p.tail.fill(0, p.procs)
	copy(p.suffix(last), p.step(last))
	for i := last; i > first; i-- {
		if p.suffix(i).common(p.step(i-1)) < procs {
			return i
		}
		copy(p.suffix(i-1), p.suffix(i))
		p.suffix(i - 1).intersect(p.step(i - 1))
	}
	return first
}

// Take books processors in [from, to), to ≤ Forever. It panics if one is not free throughout.
func (p *Sets) Take(set Set, from, to int64) { p.change(set, from, to, -1) }

// Give frees processors in [from, to). It panics if one is free already.
func (p *Sets) Give(set Set, from, to int64) { p.change(set, from, to, 1) }

// change frees processors, sign 1, or takes them, -1.
func (p *Sets) change(set Set, from, to int64, sign int32) {
	from = max(from, p.now)
	count := set.Count()
	if from >= to || count == 0 {
		return
	}
	begin := p.split(from)
	end := len(p.times)
	if to < Forever {
		end = p.split(to)
	}
	for i := begin; i < end; i++ {
		step := p.step(i)
		for w, word := range set {
			if sign > 0 && step[w]&word != 0 || sign < 0 && ^step[w]&word != 0 {
				panic(fmt.Sprintf("profile: a processor is taken or freed twice at %d", p.times[i]))
			}
			step[w] ^= word
		}
		p.counts[i] += sign * count
	}
	if end < len(p.times) {
		p.merge(end)
	}
	p.merge(begin)
}

// split returns the step that begins at a time. It splits the step there if need be.
func (p *Sets) split(t int64) int {
	i := search(p.times, t)
	if p.times[i] == t {
		return i
	}
	p.times = slices.Insert(p.times, i+1, t)
	p.counts = slices.Insert(p.counts, i+1, p.counts[i])
	p.free = slices.Insert(p.free, (i+1)*p.words, p.step(i)...)
	return i + 1
}

// merge joins a step with the previous one if they have the same set.
func (p *Sets) merge(i int) {
	if i > 0 && p.counts[i] == p.counts[i-1] && slices.Equal(p.step(i), p.step(i-1)) {
		p.times = slices.Delete(p.times, i, i+1)
		p.counts = slices.Delete(p.counts, i, i+1)
		p.free = slices.Delete(p.free, i*p.words, (i+1)*p.words)
	}
}

// Copy replaces the profile by another one's of the same machine in [from, to), as if only the
// highest-numbered `most` processors could be free. From `to` on nothing is free. It returns the
// largest number of processors that are free at once.
func (p *Sets) Copy(other *Sets, from, to int64, most int32) (peak int32) {
	from = max(from, other.now)
	p.now, p.times, p.counts, p.free = from, p.times[:0], p.counts[:0], p.free[:0]
	shown := p.tail // what may be free
	shown.fill(max(0, p.procs-most), p.procs)
	push := func(t int64, step Set) {
		p.times, p.free = append(p.times, t), append(p.free, step...)
		i := len(p.times) - 1
		p.step(i).intersect(shown)
		p.counts = append(p.counts, p.step(i).Count())
		p.merge(i)
	}
	for i := search(other.times, from); i < len(other.times) && max(from, other.times[i]) < to; i++ {
		push(max(from, other.times[i]), other.step(i))
	}
	if to < Forever || len(p.times) == 0 {
		shown.fill(0, 0)
		push(max(from, to), shown)
	}
	return slices.Max(p.counts)
}

// Slots returns the maximal intervals in [from, to) with a constant number of free processors, in
// order. The profile must not change during the iteration.
func (p *Sets) Slots(from, to int64) iter.Seq[Slot] {
	return func(yield func(Slot) bool) {
		from := max(from, p.now)
		if from >= to {
			return
		}
		slot := Slot{From: from, Free: p.counts[search(p.times, from)]}
		for i := search(p.times, from); i < len(p.times) && p.times[i] < to; i++ {
			if p.counts[i] == slot.Free {
				continue
			}
			slot.To = p.times[i]
			if !yield(slot) {
				return
			}
			slot = Slot{From: p.times[i], Free: p.counts[i]}
		}
		slot.To = to
		yield(slot)
	}
}

// RunningMinimum is as that of [Profile]; neighbouring steps with equal numbers of free processors
// count as several.
func (p *Sets) RunningMinimum(list []Slot, from, until int64, steps int) []Slot {
	from = max(from, p.now)
	i := search(p.times, from)
	least := Slot{from, Forever, p.counts[i]}
	n := min(steps, len(p.times)-i)
	list = least.fall(list, p.times[i:][:n], p.counts[i:][:n], 0, until)
	return append(list, least)
}

// Check returns an error if the profile breaks one of its invariants: steps are in order and unlike
// their neighbours, counts match the sets, sets have processors of the machine only.
func (p *Sets) Check() error {
	n := len(p.times)
	if n == 0 || len(p.counts) != n || len(p.free) != n*p.words || p.times[0] > p.now {
		return fmt.Errorf("at %d: %d times %v, %d counts, %d words of free processors",
			p.now, n, p.times, len(p.counts), len(p.free))
	}
	for i := range p.times {
		switch step := p.step(i); {
		case i > 0 && p.times[i] <= p.times[i-1]:
			return fmt.Errorf("step %d: begins at %d, not after %d", i, p.times[i], p.times[i-1])
		case i > 0 && slices.Equal(step, p.step(i-1)):
			return fmt.Errorf("step %d: has the same set as the previous one", i)
		case step.Count() != p.counts[i]:
			return fmt.Errorf("step %d: %d are free, the count is %d", i, step.Count(), p.counts[i])
		case p.procs%64 != 0 && step[p.words-1]>>(p.procs%64) != 0:
			return fmt.Errorf("step %d: %b has more than %d processors", i, step, p.procs)
		}
	}
	return nil
}
