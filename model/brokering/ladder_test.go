package brokering

import (
	"testing"

	"pgregory.net/rapid"
)

// TestLadderIsAList adds and removes crowds and asks which of them need no more than there is.
func TestLadderIsAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		needs := rapid.Int64Range(0, 12)
		l := newLadder()
		crowds := map[int]int64{}
		for range rapid.IntRange(1, 40).Draw(t, "changes") {
			place := rapid.IntRange(0, 63).Draw(t, "place")
			if need, there := crowds[place]; there {
				l.remove(need, 1<<place)
				delete(crowds, place)
			} else {
				crowds[place] = needs.Draw(t, "need")
				l.add(crowds[place], 1<<place)
			}
			there := needs.Draw(t, "there") - 1
			want := uint64(0)
			for place, need := range crowds {
				if need <= there {
					want |= 1 << place
				}
			}
			if got := l.within(there); got != want {
				t.Fatalf("of %v, within %d are %b, want %b", crowds, there, got, want)
			}
		}
		if l.rungs > len(crowds) {
			t.Errorf("%d rungs of %d crowds", l.rungs, len(crowds))
		}
	})
}
