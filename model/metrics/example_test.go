// Example: the summary of a schedule of two jobs.

package metrics_test

import (
	"fmt"

	"gridsweep/model/metrics"
)

// The second job waits until the first one ends.
func Example() {
	schedule := metrics.Schedule{
		Submit: []int64{0, 10}, Start: []int64{0, 100}, End: []int64{100, 150}, Procs: []int32{8, 8},
	}
	summary, err := metrics.Summarise(schedule, 8, metrics.Window{})
	fmt.Println(summary.Wait.Mean, summary.Utilisation, err)
	// Output: 45 1 <nil>
}
