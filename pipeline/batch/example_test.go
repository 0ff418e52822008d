package batch_test

// Example: the number of a task of an array job, from the variables of its scheduler.

import (
	"fmt"

	"gridsweep/pipeline/batch"
)

// ExampleFind finds task 3 of 20 in the variables of Slurm.
func ExampleFind() {
	set := map[string]string{"SLURM_ARRAY_JOB_ID": "7", "SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_MIN": "0",
		"SLURM_ARRAY_TASK_MAX": "19", "SLURM_ARRAY_TASK_STEP": "1", "SLURM_ARRAY_TASK_COUNT": "20"}
	task, err := batch.Find(func(name string) (string, bool) { value, isSet := set[name]; return value, isSet })
	if err != nil {
		fmt.Println(err)
		return
	}
	index, count, err := task.Shard(20)
	fmt.Println(index, count, err)
	// Output: 3 20 <nil>
}
