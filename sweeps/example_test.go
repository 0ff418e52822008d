// Example: a study file and its model give a plan, which is cut into shards.

package sweeps_test

import (
	"context"
	"fmt"

	"gridsweep/configs"
	"gridsweep/model"
	"gridsweep/model/coallocation"
	"gridsweep/sweeps"
)

// A study file and its model give a plan, which is cut into shards.
func ExampleExpand() {
	ctx := context.Background()
	study, err := configs.Load(ctx, "coallocation")
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := sweeps.Expand(ctx, study, model.New(coallocation.Spec), sweeps.Options{Quick: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	mine := plan.Shard(sweeps.Shard{Index: 2, Count: 8})
	fmt.Println(len(plan.Runs), len(mine) > 0)
	// Output: 3660 true
}
