package brokering

import "math"

// ladder tells which crowds of a bloc need at most so much of something. It has a rung for each need of one of them.
type ladder struct {
	rungs  int
	needs  [64]int64  // rising; past the rungs more than there can be
	crowds [64]uint64 // those that need as much or less, a bit for each
}

func newLadder() (l ladder) {
	for i := range l.needs {
		l.needs[i] = math.MaxInt64
	}
	return l
}

// within returns the crowds that need no more than there is.
func (l *ladder) within(there int64) uint64 {
	top := uint(l.rungs-1) % 64
	switch { // much of the time there is next to nothing, or plenty
	case there < l.needs[0]:
		return 0
	case there >= l.needs[top]:
		return l.crowds[top]
	}
	return l.crowds[l.last(there+1)%64]
}

// last returns the place of the last rung whose need is less than more, if that of the first one is. Which that is can hardly be
// predicted, so nothing branches.
func (l *ladder) last(more int64) uint {
	at := l.step(0, 32, more)
	at = l.step(at, 16, more)
	at = l.step(at, 8, more)
	at = l.step(at, 4, more)
	at = l.step(at, 2, more)
	return l.step(at, 1, more)
}

// step goes up so many rungs if the need is still less there.
func (l *ladder) step(at, up uint, more int64) uint {
	return at + up&uint((l.needs[(at+up)%64]-more)>>63)
}

// add adds a crowd, by its bit.
func (l *ladder) add(need int64, crowd uint64) {
	at, below := uint(0), uint64(0)
	if l.needs[0] <= need {
		at = l.last(need + 1)
		below = l.crowds[at]
		if l.needs[at] < need {
			at++
		}
	}
	if l.needs[at] != need {
		copy(l.needs[at+1:], l.needs[at:l.rungs])
		copy(l.crowds[at+1:], l.crowds[at:l.rungs])
		l.needs[at], l.crowds[at] = need, below
		l.rungs++
	}
	above := l.crowds[at:l.rungs]
	for i := range above {
		above[i] |= crowd
	}
}

// remove takes a crowd out that needs so much, and the rung that only it had.
func (l *ladder) remove(need int64, crowd uint64) {
	at := l.last(need + 1)
	above := l.crowds[at:l.rungs]
	for i := range above {
		above[i] &^= crowd
	}
	if at == 0 && above[0] == 0 || at > 0 && above[0] == l.crowds[at-1] {
		copy(above, above[1:])
		copy(l.needs[at:], l.needs[at+1:l.rungs])
		l.rungs--
		l.needs[l.rungs] = math.MaxInt64
	}
}
