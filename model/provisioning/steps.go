package provisioning

// Step functions: the number of free processors over time, in one slot or in all slots of a site.

import "math"

// never is the time of an event that does not occur.
const never = math.MaxInt64

// steps is a step function: how many processors are free from each step on to the next, and from
// the last step on for ever. Steps are in the order of time.
type steps []step

type step struct{ from, free int64 }

// at returns the index of the step that contains a time; 0 for a time before the first.
func (s steps) at(t int64) int {
	low, high := 0, len(s) // s[low].from <= t < s[high].from
	for high-low > 1 {
		if mid := int(uint(low+high) >> 1); s[mid].from <= t {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// earliest returns the first time from t on at which so many processors are free for so long, and
// the step that contains it; never if there is none. No processor is free before the first step.
func (s steps) earliest(t, run, procs int64) (start int64, first int) {
	if len(s) == 0 {
		return never, 0
	}
	start, first = max(t, s[0].from), s.at(t)
	for i := first; i < len(s); i++ {
		if s[i].free < procs {
			if first = i + 1; first < len(s) {
				start = s[first].from
			}
		} else if i+1 == len(s) || s[i+1].from >= start+run {
			return start, first
		}
	}
	return never, first
}

// take subtracts processors in [from, to), which is not before the first step. The steps of that
// time are [first, past).
func (s *steps) take(from, to, procs int64) (first, past int) {
	first = s.at(from)
	if (*s)[first].from < from {
		first++
		s.insert(first, from)
	}
	past = first + 1
	for past < len(*s) && (*s)[past].from < to {
		past++
	}
	if past == len(*s) || (*s)[past].from > to {
		s.insert(past, to)
	}
	for i := first; i < past; i++ {
		(*s)[i].free -= procs
	}
	return first, past
}

// insert makes a step of index i begin at a time within the step before.
func (s *steps) insert(i int, from int64) {
	*s = append(*s, step{})
	copy((*s)[i+1:], (*s)[i:])
	(*s)[i] = step{from, (*s)[i-1].free}
}

// join removes the step of index i, if there is one and it is equal to the one before.
func (s *steps) join(i int) {
	if all := *s; i > 0 && i < len(all) && all[i].free == all[i-1].free {
		copy(all[i:], all[i+1:])
		*s = all[:len(all)-1]
	}
}
