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

// TestFullLadder has a rung for each of as many crowds as a bloc may have.
func TestFullLadder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places := make([]int, 64)
		for i := range places {
			places[i] = i
		}
		l := newLadder()
		check := func(there []int) { // crowds of which the one at place p needs 2 p
			for most := range int64(2 * len(places)) {
				want := uint64(0)
				for _, place := range there {
					if 2*int64(place) <= most {
						want |= 1 << place
					}
				}
				if got := l.within(most); got != want {
					t.Fatalf("of %v, within %d are %b, want %b", there, most, got, want)
				}
			}
			if l.rungs != len(there) {
				t.Fatalf("%d rungs of %v", l.rungs, there)
			}
		}
		order := rapid.Permutation(places)
		joined := order.Draw(t, "joined")
		for i, place := range joined {
			l.add(2*int64(place), 1<<place)
			check(joined[:i+1])
		}
		left := order.Draw(t, "left")
		for i, place := range left {
			l.remove(2*int64(place), 1<<place)
			check(left[i+1:])
		}
	})
}
