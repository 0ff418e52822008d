// Errors of a caller that the index reports.

package retry_test

import (
	"fmt"
	"strings"
	"testing"

	"gridsweep/model/brokering/grid"
	"gridsweep/model/brokering/retry"
)

// Without published information a job starts if a resource fits it. An attempt that fails all the
// same is an error of the strategy.
func TestFailedAttemptPanics(t *testing.T) {
	pool := grid.Pool{
		Resources: [][]grid.Resource{{{Clock: 2000}}},
		Totals:    [][]grid.Amount{{{CPUs: 4}}},
		First:     [][]int32{{0, 1}},
	}
	index := retry.New(retry.Config{Pool: &pool, Tallies: make([]grid.Tally, 1), Cancelled: func() bool { return false }})
	r := grid.Requirement{Clock: 1000, Needs: grid.Amount{CPUs: 4}}
	index.Add(0, r, grid.CountConflicts(pool.Resources[0], &r))
	pool.Resources[0][0].Free.CPUs = 4
	index.Update(grid.Position{})
	defer func() {
		const want = "a resource fits job 0, but its attempt has failed"
		if have := fmt.Sprint(recover()); !strings.Contains(have, want) {
			t.Errorf("panics with %q, want %q", have, want)
		}
	}()
	index.Retry(func(int32) (started bool, score float64) { return false, 0 })
}
