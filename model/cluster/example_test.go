package cluster_test

import (
	"context"
	"fmt"

	"gridsweep/model/cluster"
)

// Four jobs on a machine of 4 processors: A runs until 10, B waits for the whole machine, C and D
// are small.
var jobs = []cluster.Job{
	{Submit: 0, Run: 10, Procs: 3}, // A
	{Submit: 1, Run: 10, Procs: 4}, // B
	{Submit: 2, Run: 20, Procs: 1}, // C would delay B
	{Submit: 3, Run: 7, Procs: 1},  // D ends as A does
}

func ExampleSimulate() {
	policy, err := cluster.ParsePolicy("easy")
	if err != nil {
		fmt.Println(err)
		return
	}
	schedule, err := cluster.Simulate(context.Background(), cluster.Config{Procs: 4, Policy: policy}, jobs)
	fmt.Println(schedule.Start, schedule.End, err)
	// Output: [0 10 20 3] [10 20 40 10] <nil>
}

// A queue order of your own is a score: here jobs of one processor are ahead, the shorter the
// earlier.
func ExampleOrder() {
	serialFirst := cluster.Order{Name: "serial-first", Score: func(job *cluster.Job, _ int64) float64 {
		if job.Procs == 1 {
			return float64(job.Estimate)
		}
		return 1e9
	}}
	policy, _ := cluster.ParsePolicy("fcfs")
	config := cluster.Config{Procs: 4, Policy: policy, Order: serialFirst}
	schedule, err := cluster.Simulate(context.Background(), config, jobs)
	fmt.Println(schedule.Start, err)
	// Output: [0 22 2 10] <nil>
}

// A policy of your own is a pass: this one is EASY backfilling. The built-in one is faster.
func ExampleNewPolicy() {
	easy := cluster.NewPolicy("my-easy", func(pass *cluster.Pass) {
		booked := false
		for number := range pass.Waiting() {
			if !pass.Start(number) && !booked {
				pass.Book(number)
				booked = true
			}
		}
	})
	schedule, err := cluster.Simulate(context.Background(), cluster.Config{Procs: 4, Policy: easy}, jobs)
	fmt.Println(schedule.Start, err)
	// Output: [0 10 20 3] <nil>
}
