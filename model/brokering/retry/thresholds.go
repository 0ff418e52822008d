// The sorted threshold index: the classes of a block that need no more of something than there is.

package retry

import "math"

// thresholds are the different amounts that the classes of a block need of CPUs, memory, disk or
// clock, in rising order.
type thresholds struct {
	count   int
	needs   [64]int64  // from count on: more than there can be
	classes [64]uint64 // classes[i]: the set of classes that need at most needs[i]
}

func newThresholds() (t thresholds) {
	for i := range t.needs {
		t.needs[i] = math.MaxInt64
	}
	return t
}

// within returns the classes that need no more than an amount. Mostly none or all do, which is
// found without a search.
func (t *thresholds) within(amount int64) uint64 {
	top := uint(t.count-1) % 64
	switch {
	case amount < t.needs[0]:
		return 0
	case amount >= t.needs[top]:
		return t.classes[top]
	}
	return t.classes[t.last(amount+1)]
}

// last returns the index of the last threshold below a limit. The first one must be below it. The
// search is hard to predict, so it has no branch: a difference shifted to its sign is -1 where the
// threshold is below the limit.
func (t *thresholds) last(limit int64) uint {
	at := uint(0)
	for step := uint(32); step > 0; step /= 2 {
		at += step & uint((t.needs[(at+step)%64]-limit)>>63)
	}
	return at % 64
}

// add adds a class, by its bit, that needs so much.
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

// remove removes a class that needs so much, and its threshold if no other class needs that.
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
