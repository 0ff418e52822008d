package provisioning

import "testing"

// Of plans that are equally good the one with the lowest makespan is chosen.
func TestChoiceOfEquals(t *testing.T) {
	f := front{{result: result{10, 50}}, {result: result{20, 30}}, {result: result{30, 10}}}
	for alpha, want := range map[float64]int{0: 0, 0.5: 0, 1: 2} {
		if have := f.choose(alpha); have != want {
			t.Errorf("α = %v chooses plan %d, want %d", alpha, have, want)
		}
	}
}
