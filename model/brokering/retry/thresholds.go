// A sorted threshold index: which classes of a block need no more of something than there is.

package retry

import "math"

// thresholds are the different amounts that the classes of a block need, in rising order.
type thresholds struct {
	count   int
	needs   [64]int64  // past the count: more than there can be
	classes [64]uint64 // that need as much or less, a bit for each
}

func newThresholds() (t thresholds) {
	for i := range t.needs {
		t.needs[i] = math.MaxInt64
	}
	return t
}

// within returns the classes that need no more than there is. Mostly that is next to nothing or
// plenty, which is found without a search.
func (t *thresholds) within(there int64) uint64 {
	top := uint(t.count-1) % 64
	switch {
	case there < t.needs[0]:
		return 0
	case there >= t.needs[top]:
		return t.classes[top]
	}
	return t.classes[t.last(there+1)%64]
}

// last returns the index of the last threshold below a limit, given that the first one is. It is
// hard to predict, so the search has no branch.
func (t *thresholds) last(limit int64) uint {
	at := t.step(0, 32, limit)
	at = t.step(at, 16, limit)
	at = t.step(at, 8, limit)
	at = t.step(at, 4, limit)
	at = t.step(at, 2, limit)
	return t.step(at, 1, limit)
}

// step goes up so many thresholds if the one there is still below the limit.
func (t *thresholds) step(at, up uint, limit int64) uint {
	return at + up&uint((t.needs[(at+up)%64]-limit)>>63)
}

// add adds a class, by its bit.
func (t *thresholds) add(need int64, class uint64) {
	at, below := uint(0), uint64(0)
	if t.needs[0] <= need {
		at = t.last(need + 1)
		below = t.classes[at]
		if t.needs[at] < need {
			at++
		}
	}
	if t.needs[at] != need {
		copy(t.needs[at+1:], t.needs[at:t.count])
		copy(t.classes[at+1:], t.classes[at:t.count])
		t.needs[at], t.classes[at] = need, below
		t.count++
	}
	above := t.classes[at:t.count]
	for i := range above {
		above[i] |= class
	}
}

// remove takes a class out that needs so much, and its threshold if no other class has it.
func (t *thresholds) remove(need int64, class uint64) {
	at := t.last(need + 1)
	above := t.classes[at:t.count]
	for i := range above {
		above[i] &^= class
	}
	if at == 0 && above[0] == 0 || at > 0 && above[0] == t.classes[at-1] {
		copy(above, above[1:])
		copy(t.needs[at:], t.needs[at+1:t.count])
		t.count--
		t.needs[t.count] = math.MaxInt64
	}
}
