// The example of conflicts.

package pool_test

import (
	"fmt"

	"gridsweep/model/brokering/pool"
)

// A job of 2 CPUs fits the second resource; the first one lacks CPUs.
func ExampleCountConflicts() {
	resources := []pool.Resource{
		{Clock: 2400, Free: pool.Amount{CPUs: 1, Memory: 4000, Disk: 9000}},
		{Clock: 3000, Free: pool.Amount{CPUs: 4, Memory: 8000, Disk: 9000}},
	}
	job := pool.Requirement{Clock: 2000, Needs: pool.Amount{CPUs: 2, Memory: 1000, Disk: 100}}
	met := pool.CountConflicts(resources, &job)
	fmt.Println(met[pool.LacksCPUs], met[pool.NoConflict])
	// Output: 1 1
}
