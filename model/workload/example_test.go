// Example: jobs drawn at an offered load.

package workload_test

import (
	"context"
	"fmt"

	"gridsweep/model/rng"
	"gridsweep/model/workload"
)

// Jobs are drawn for a machine of 256 processors at an offered load of 0.8.
func Example() {
	m, err := workload.Find("lublin")
	if err != nil {
		fmt.Println(err)
		return
	}
	jobs, err := m.Generate(context.Background(), workload.Options{Jobs: 10_000, Procs: 256, Load: 0.8},
		rng.New("example"))
	fmt.Println(len(jobs), err)
	// Output: 10000 <nil>
}
