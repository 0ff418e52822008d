// Example: no estimate is shorter than the run time.

package estimates_test

import (
	"fmt"

	"gridsweep/model/rng"
	"gridsweep/model/workload/estimates"
)

// Four jobs run at a site whose longest estimate is 18 hours. No estimate is shorter than its run.
func ExampleDraw() {
	runs := []int64{30, 600, 3600, 40_000} // s
	drawn, err := estimates.Draw(runs, 18*3600, rng.New("example").Stream("estimates"))
	fmt.Println(drawn, err)
	// Output: [28800 1200 57600 61200] <nil>
}
