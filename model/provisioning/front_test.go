// Front tests: which of equally good plans is chosen.

package provisioning

import "testing"

// Of plans with equal scores the one with the lowest makespan is chosen, or the one with the lowest
// cost.
func TestChoiceOfEquals(t *testing.T) {
	f := front{{costs: costs{10, 50}}, {costs: costs{20, 30}}, {costs: costs{30, 10}}}
	for _, c := range []struct {
		alpha float64
		ties  string
		want  int
	}{{0, "makespan", 0}, {0.5, "makespan", 0}, {1, "makespan", 2}, {0, "cost", 0}, {0.5, "cost", 2}, {1, "cost", 2}} {
		if have := f.choose(c.alpha, c.ties); have != c.want {
			t.Errorf("α = %v chooses plan %d with ties by %s, want %d", c.alpha, have, c.ties, c.want)
		}
	}
}
