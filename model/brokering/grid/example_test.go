// The example of conflicts.

package grid_test

import (
	"fmt"

	"gridsweep/model/brokering/grid"
)

// A job of 2 CPUs fits the second resource; the first one lacks CPUs.
func ExampleCountConflicts() {
	resources := []grid.Resource{
		{Clock: 2400, Free: grid.Amount{CPUs: 1, Memory: 4000, Disk: 9000}},
		{Clock: 3000, Free: grid.Amount{CPUs: 4, Memory: 8000, Disk: 9000}},
	}
	job := grid.Requirement{Clock: 2000, Needs: grid.Amount{CPUs: 2, Memory: 1000, Disk: 100}}
	met := grid.CountConflicts(resources, &job)
	fmt.Println(met[grid.LacksCPUs], met[grid.NoConflict])
	// Output: 1 1
}
