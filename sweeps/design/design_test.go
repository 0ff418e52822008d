// Designs against their definitions: sizes, orthogonality, balance.

package design

import (
	"fmt"
	"slices"
	"testing"

	"gridsweep/model/rng"
)

func TestSmallDesigns(t *testing.T) {
	for _, c := range []struct {
		got  [][]int
		want string
	}{
		{Singles([]int{2, 3}), "[[1 0] [0 1] [0 2]]"},
		{Pairs([]int{2, 3}), "[[1 0] [0 1] [0 2] [1 1] [1 2]]"},
		{Pairs([]int{2, 2, 2}), "[[1 0 0] [0 1 0] [0 0 1] [1 1 0] [1 0 1] [0 1 1]]"},
		{Full([]int{2, 3}), "[[0 1] [0 2] [1 0] [1 1] [1 2]]"},
		{Full([]int{2}), "[[1]]"},
		{Fractional(1), "[[1]]"},
	} {
		if got := fmt.Sprint(c.got); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	if got := Size([]int{2, 3, 4}, 100); got != 23 {
		t.Errorf("size %d, want 23", got)
	}
	if got := Size(slices.Repeat([]int{1000}, 50), 100); got != 100 {
		t.Errorf("size %d, want 100", got)
	}
}

// In a design of resolution IV the main effects, as columns of -1 and 1, are orthogonal to one
// another and to all products of two.
func TestFractionalHasResolutionFour(t *testing.T) {
	for n := 2; n <= 20; n++ {
		rows := append([][]int{make([]int, n)}, Fractional(n)...)
		if size := len(rows); size < 2*n || size >= 4*n && size > 2 {
			t.Errorf("%d factors: %d combinations", n, size)
		}
		dot := func(factors ...int) int {
			sum := 0
			for _, row := range rows {
				product := 1
				for _, f := range factors {
					product *= 2*row[f] - 1
				}
				sum += product
			}
			return sum
		}
		for a := range n {
			if dot(a) != 0 {
				t.Errorf("%d factors: factor %d is not balanced", n, a)
			}
			for b := range a {
				if dot(a, b) != 0 {
					t.Errorf("%d factors: %d and %d are aliased", n, a, b)
				}
				for c := range b {
					if dot(a, b, c) != 0 {
						t.Errorf("%d factors: %d is aliased with the pair %d, %d", n, a, b, c)
					}
				}
			}
		}
	}
}

func TestLatinIsBalanced(t *testing.T) {
	levels := []int{2, 3, 5, 7}
	const n = 120
	sample := Latin(levels, n, rng.New("a"))
	if again := Latin(levels, n, rng.New("a")); fmt.Sprint(again) != fmt.Sprint(sample) {
		t.Error("the same source gives another sample")
	}
	if other := Latin(levels, n, rng.New("b")); fmt.Sprint(other) == fmt.Sprint(sample) {
		t.Error("another source gives the same sample")
	}
	seen := map[string]bool{}
	for _, combination := range sample {
		if name := fmt.Sprint(combination); seen[name] || name == "[0 0 0 0]" {
			t.Errorf("%s comes twice or is the default", name)
		} else {
			seen[name] = true
		}
	}
	// Without repeated combinations and the defaults some are fewer than n.
	if len(sample) < n*7/10 {
		t.Errorf("%d of %d combinations are left", len(sample), n)
	}
	few := Latin([]int{3, 2}, 2, rng.New("a"))
	for f, count := range []int{3, 2} {
		taken := map[int]bool{}
		for _, combination := range few {
			taken[combination[f]] = true
		}
		if len(few) == 2 && len(taken) != min(count, 2) {
			t.Errorf("factor %d takes %d levels in 2 combinations", f, len(taken))
		}
	}
}
