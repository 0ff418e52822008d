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
	low := 0 // the last rung within is it or one of the next, which are one less than there are left
	for left := len(l); left > 1; {
		half := left / 2
		low += half &^ int((there-l[low+half].need)>>63) // whether it is can hardly be predicted, so nothing branches
		left -= half
	}
	return l[low].crowds
}

// add adds a crowd, by its bit.
func (l *ladder) add(need int64, crowd uint64) {
	at := 0
	for at < len(*l) && (*l)[at].need < need {
		at++
	}
	if at == len(*l) || (*l)[at].need > need {
		r := rung{need: need}
		if at > 0 {
			r.crowds = (*l)[at-1].crowds
		}
		*l = slices.Insert(*l, at, r)
	}
	for i := range (*l)[at:] {
		(*l)[at+i].crowds |= crowd
	}
}

// remove takes a crowd out, and the rungs that only it had.
func (l *ladder) remove(crowd uint64) {
	kept, last := (*l)[:0], uint64(0)
	for _, r := range *l {
		if r.crowds &^= crowd; r.crowds != last {
			kept, last = append(kept, r), r.crowds
		}
	}
	*l = kept
}
