// Example: an order of two keys, with the value of each for a job.

package ordering_test

import (
	"fmt"

	"gridsweep/model/cluster"
	"gridsweep/model/cluster/ordering"
)

// The job with the smallest area is first; of jobs with equal areas, the one that has waited
// longest.
func ExampleParse() {
	order, err := ordering.Parse("procs*estimate, -wait")
	if err != nil {
		fmt.Println(err)
		return
	}
	job := cluster.Job{Submit: 400, Estimate: 1200, Procs: 24}
	for _, key := range append([]cluster.Order{order}, order.Then...) {
		fmt.Println(key.Name, key.Score(&job, 1000), key.Changes)
	}
	// Output:
	// procs*estimate 28800 false
	// -wait -600 true
}
