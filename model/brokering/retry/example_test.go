// The example of the index.

package retry_test

import (
	"fmt"

	"gridsweep/model/brokering/pool"
	"gridsweep/model/brokering/retry"
)

// Three jobs wait for a resource of 4 CPUs. When 3 of them become free, the job that needs 4 is not
// tried; of those that need 2 the first one starts.
func ExampleIndex() {
	resources := pool.Pool{
		Resources:     [][]pool.Resource{{{Clock: 2000}}},
		Totals:        [][]pool.Amount{{{CPUs: 4}}},
		FirstResource: [][]int32{{0, 1}},
	}
	resource := &resources.Resources[0][0]
	needs := []int64{4, 2, 2}
	requirement := func(job int32) pool.Requirement {
		return pool.Requirement{Clock: 1000, Needs: pool.Amount{CPUs: needs[job]}}
	}
	tallies := make([]pool.Tally, len(needs))
	index := retry.New(retry.Config{Pool: &resources, Tallies: tallies, Cancelled: func() bool { return false }})
	for job := range int32(len(needs)) {
		r := requirement(job)
		index.Add(job, r, pool.CountConflicts(resources.Resources[0], &r))
	}
	change := func(cpus int64) {
		resource.Free.CPUs += cpus
		index.Update(pool.Position{})
	}
	change(3)
	index.Retry(func(job int32) (started bool, score float64) {
		fmt.Println("try job", job)
		r := requirement(job)
		if !resource.Fits(&r) {
			return false, 0
		}
		index.Remove(job)
		change(-needs[job])
		return true, 0
	})
	fmt.Println("job 1:", tallies[1].Attempts, "attempt,", tallies[1].Conflicts[pool.LacksCPUs], "conflicts")
	// Output:
	// try job 1
	// job 1: 1 attempt, 0 conflicts
}
