// Example: a log resampled from its weeks.

package variation_test

import (
	"fmt"

	"gridsweep/model/rng"
	"gridsweep/model/trace"
	"gridsweep/model/workload/variation"
)

// Three weeks are drawn from a log of three weeks with one job a day. The run time of a job is the
// number of its week in the log.
func ExampleWeeks() {
	const day = 24 * 3600
	var log []trace.Job
	for i := range int64(21) {
		log = append(log, trace.Job{ID: i + 1, Submit: i * day, Run: 1 + i/7})
	}
	jobs, err := variation.Weeks(log, 0, rng.New("example").Stream("weeks"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(jobs), jobs[0].Run, jobs[7].Run, jobs[14].Run)
	// Output: 21 3 2 2
}
