// Errors of a caller that the index reports.

package retry_test

import (
	"fmt"
	"strings"
	"testing"

	"gridsweep/model/brokering/pool"
	"gridsweep/model/brokering/retry"
)

// Without published information a job starts if a resource fits it. An attempt that fails all the
// same is an error of the strategy.
func TestFailedAttemptPanics(t *testing.T) {
	resources := pool.Pool{
		Resources:     [][]pool.Resource{{{Clock: 2000}}},
		Totals:        [][]pool.Amount{{{CPUs: 4}}},
		FirstResource: [][]int32{{0, 1}},
	}
	index := retry.New(retry.Config{
		Pool: &resources, Tallies: make([]pool.Tally, 1), Cancelled: func() bool { return false },
	})
	r := pool.Requirement{Clock: 1000, Needs: pool.Amount{CPUs: 4}}
	index.Add(0, r, pool.CountConflicts(resources.Resources[0], &r))
	resources.Resources[0][0].Free.CPUs = 4
	index.Update(pool.Position{})
	defer func() {
		const want = "a resource fits job 0, but its attempt has failed"
		if have := fmt.Sprint(recover()); !strings.Contains(have, want) {
			t.Errorf("panics with %q, want %q", have, want)
		}
	}()
	index.Retry(func(int32) (started bool, score float64) { return false, 0 })
}
