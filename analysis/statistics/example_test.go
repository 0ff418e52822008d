// The example of the package documentation.

package statistics_test

import (
	"fmt"

	"gridsweep/analysis/statistics"
)

// A mean over replications has Student's t interval; a single further run has a wider one.
func Example() {
	waits := []float64{7.1, 8.0, 6.9, 7.6} // s, one mean wait for each replication
	e := statistics.Mean.Estimate(waits)
	low, high := statistics.Prediction(waits, 1, 0.02)
	fmt.Printf("%.2f [%.2f, %.2f], one run [%.2f, %.2f]\n", e.Value, e.Low, e.High, low, high)
	// Output: 7.40 [6.61, 8.19], one run [5.63, 9.17]
}
