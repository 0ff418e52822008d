package brokering

import "slices"

// ladder tells which crowds of a bloc need at most so much of something.
type ladder []rung

// rung is how much one of them needs, and which crowds need as much or less, a bit for each.
type rung struct {
	need   int64
	crowds uint64
}

// within returns the crowds that need no more than there is.
func (l ladder) within(there int64) uint64 {
	switch last := len(l) - 1; { // much of the time there is next to nothing, or plenty
	case last < 0 || there < l[0].need:
		return 0
	case there >= l[last].need:
		return l[last].crowds
	}
	return l[l.last(there)].crowds
}

// last returns the place of the last rung within what there is, if the first one is. Which that is can hardly be predicted, so
// nothing branches.
func (l ladder) last(there int64) int {
	low, more := 0, there+1 // it is the one at low or one of the next, which are one less than there are left
	for left := uint(len(l)); left > 1; {
		half := left / 2
		low += int(half) & int((l[low+int(half)].need-more)>>63)
		left -= half
	}
	return low
}

// add adds a crowd, by its bit.
func (l *ladder) add(need int64, crowd uint64) {
	at, below := 0, uint64(0)
	if rungs := *l; len(rungs) > 0 && rungs[0].need <= need {
		at = rungs.last(need)
		below = rungs[at].crowds
		if rungs[at].need < need {
			at++
		}
	}
	if at == len(*l) || (*l)[at].need > need {
		*l = slices.Insert(*l, at, rung{need, below})
	}
	rungs := (*l)[at:]
	for i := range rungs {
		rungs[i].crowds |= crowd
	}
}

// remove takes a crowd out that needs so much, and the rung that only it had.
func (l *ladder) remove(need int64, crowd uint64) {
	at, below := l.last(need), uint64(0)
	if at > 0 {
		below = (*l)[at-1].crowds
	}
	rungs := (*l)[at:]
	for i := range rungs {
		rungs[i].crowds &^= crowd
	}
	if rungs[0].crowds == below {
		*l = slices.Delete(*l, at, at+1)
	}
}
