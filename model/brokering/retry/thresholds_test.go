// The sorted threshold index after drawn changes, compared with a list.

package retry

import (
	"testing"

	"pgregory.net/rapid"
)

// TestThresholdsAreAList adds and removes classes and compares within with a scan of all classes.
func TestThresholdsAreAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		needs := rapid.Int64Range(0, 12)
		index := newThresholds()
		classes := map[int]int64{}
		for range rapid.IntRange(1, 40).Draw(t, "changes") {
			slot := rapid.IntRange(0, 63).Draw(t, "slot")
			if need, there := classes[slot]; there {
				index.remove(need, 1<<slot)
				delete(classes, slot)
			} else {
				classes[slot] = needs.Draw(t, "need")
				index.add(classes[slot], 1<<slot)
			}
			there := needs.Draw(t, "there") - 1
			want := uint64(0)
			for slot, need := range classes {
				if need <= there {
					want |= 1 << slot
				}
			}
			if got := index.within(there); got != want {
				t.Fatalf("of %v, within %d are %b, want %b", classes, there, got, want)
			}
		}
		if index.count > len(classes) {
			t.Errorf("%d thresholds of %d classes, want one for each amount", index.count, len(classes))
		}
	})
}

// TestFullThresholds has a threshold for each of as many classes as a block may have.
func TestFullThresholds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slots := make([]int, 64)
		for i := range slots {
			slots[i] = i
		}
		index := newThresholds()
		check := func(there []int) { // classes, of which number p needs 2 p
			for most := range int64(2 * len(slots)) {
				want := uint64(0)
				for _, slot := range there {
					if 2*int64(slot) <= most {
						want |= 1 << slot
					}
				}
				if got := index.within(most); got != want {
					t.Fatalf("of %v, within %d are %b, want %b", there, most, got, want)
				}
			}
			if index.count != len(there) {
				t.Fatalf("%d thresholds of %v", index.count, there)
			}
		}
		order := rapid.Permutation(slots)
		joined := order.Draw(t, "joined")
		for i, slot := range joined {
			index.add(2*int64(slot), 1<<slot)
			check(joined[:i+1])
		}
		left := order.Draw(t, "left")
		for i, slot := range left {
			index.remove(2*int64(slot), 1<<slot)
			check(left[i+1:])
		}
	})
}
