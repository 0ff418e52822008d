// Example: the number of a task of an array job, from the variables of its scheduler.

package batch_test

import (
	"fmt"
	"os"

	"gridsweep/pipeline/batch"
)

// ExampleFind finds task 3 of 20 in the variables of Slurm.
func ExampleFind() {
	for name, value := range map[string]string{
		"SLURM_ARRAY_JOB_ID": "7", "SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_MAX": "19",
		"SLURM_ARRAY_TASK_STEP": "1", "SLURM_ARRAY_TASK_COUNT": "20",
	} {
		os.Setenv(name, value)
		defer os.Unsetenv(name)
	}
	task, err := batch.Find()
	if err != nil {
		fmt.Println(err)
		return
	}
	index, count, err := task.Shard(20)
	fmt.Println(index, count, err)
	// Output: 3 20 <nil>
}
