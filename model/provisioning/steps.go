// Step functions: the number of free processors over time, in one slot or in all slots of a site.

package provisioning

import "math"

// never is the time of an event that does not occur.
const never = math.MaxInt64

// steps is a step function: how many processors are free from each step on to the next, and from
// the last step on for ever.
type steps struct {
	list []step // in the order of time
	last int    // the step that was found last, where the next search begins: most are near
}

type step struct{ from, free int64 }

// clear removes all steps.
func (s *steps) clear() { s.list, s.last = s.list[:0], 0 }

// at returns the index of the step that contains a time; 0 for a time before the first.
func (s *steps) at(t int64) int {
	i := min(s.last, len(s.list)-1)
	for i > 0 && s.list[i].from > t {
		i--
	}
	for i+1 < len(s.list) && s.list[i+1].from <= t {
		i++
	}
	s.last = i
	return i
}

// earliest returns the first time from t on at which so many processors are free for so long, and
// the step that contains it; never if there is none. No processor is free before the first step.
func (s *steps) earliest(t, run, procs int64) (start int64, first int) {
	if len(s.list) == 0 {
		return never, 0
	}
	start, first = max(t, s.list[0].from), s.at(t)
	for i := first; i < len(s.list); i++ {
		if s.list[i].free < procs {
			if first = i + 1; first < len(s.list) {
				start = s.list[first].from
			}
		} else if i+1 == len(s.list) || s.list[i+1].from >= start+run {
			return start, first
		}
	}
	return never, first
}

// take subtracts processors in [from, to), which is not before the first step. The steps of that
// time are [first, past).
func (s *steps) take(from, to, procs int64) (first, past int) {
	first = s.at(from)
	if s.list[first].from < from {
		first++
		s.insert(first, from)
	}
	past = first + 1
	for past < len(s.list) && s.list[past].from < to {
		past++
	}
	if past == len(s.list) || s.list[past].from > to {
		s.insert(past, to)
	}
	for i := first; i < past; i++ {
		s.list[i].free -= procs
	}
	return first, past
}

// insert divides the step before index i at a time; the later piece gets the index i.
func (s *steps) insert(i int, from int64) {
	s.list = append(s.list, step{})
	copy(s.list[i+1:], s.list[i:])
	s.list[i] = step{from, s.list[i-1].free}
}

// join removes the step of index i, if there is one and it is equal to the one before.
func (s *steps) join(i int) {
	if all := s.list; i > 0 && i < len(all) && all[i].free == all[i-1].free {
		copy(all[i:], all[i+1:])
		s.list = all[:len(all)-1]
	}
}
