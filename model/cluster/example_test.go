// Examples: a workload under EASY, an order, and schedulers of a user's own.

package cluster_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"

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

// fcfs starts jobs in queue order until one does not fit.
type fcfs struct{}

func (fcfs) Begin(cluster.Config) error { return nil }

func (fcfs) Schedule(pass *cluster.Pass) error {
	for number := range pass.Waiting() {
		if !pass.Fits(number) {
			return nil
		}
		if err := pass.Start(number); err != nil {
			return err
		}
	}
	return nil
}

// A policy of your own is a scheduler.
func ExampleScheduler() {
	policy := cluster.NewPolicy("my-fcfs", func() cluster.Scheduler { return fcfs{} })
	schedule, err := cluster.Simulate(context.Background(), cluster.Config{Procs: 4, Policy: policy}, jobs)
	fmt.Println(schedule.Start, err)
	// Output: [0 10 20 20] <nil>
}

// easy is EASY backfilling: the first job that does not fit is booked, and no other delays it.
type easy struct{}

func (easy) Begin(cluster.Config) error { return nil }

func (easy) Schedule(pass *cluster.Pass) error {
	booked := false
	for number := range pass.Waiting() {
		if pass.Fits(number) {
			if err := pass.Start(number); err != nil {
				return err
			}
		} else if !booked {
			pass.Book(number)
			booked = true
		}
	}
	return nil
}

// A scheduler may plan with the engine's availability profile. The built-in EASY is faster.
func ExamplePass_Book() {
	policy := cluster.NewPolicy("my-easy", func() cluster.Scheduler { return easy{} })
	schedule, err := cluster.Simulate(context.Background(), cluster.Config{Procs: 4, Policy: policy}, jobs)
	fmt.Println(schedule.Start, err)
	// Output: [0 10 20 3] <nil>
}

// smallestFirst starts the smallest waiting jobs first. It sees nothing but events.
type smallestFirst struct {
	free  int32
	queue []int // numbers of the waiting jobs
}

func (s *smallestFirst) Begin(machine cluster.Config) error {
	s.free = machine.Procs
	return nil
}

func (s *smallestFirst) Schedule(pass *cluster.Pass) error {
	procs := func(number int) int32 { return pass.Job(number).Procs }
	for _, event := range pass.Events() {
		switch event.Type {
		case cluster.Submitted:
			s.queue = append(s.queue, event.Job)
		case cluster.Ended:
			s.free += procs(event.Job)
		}
	}
	slices.SortStableFunc(s.queue, func(a, b int) int { return cmp.Compare(procs(a), procs(b)) })
	for len(s.queue) > 0 && procs(s.queue[0]) <= s.free {
		if err := pass.Start(s.queue[0]); err != nil {
			return err
		}
		s.free -= procs(s.queue[0])
		s.queue = s.queue[1:]
	}
	return nil
}

// A scheduler may keep its own state from events, as a program in another language does.
func ExamplePass_Events() {
	policy := cluster.NewPolicy("smallest-first", func() cluster.Scheduler { return &smallestFirst{} })
	schedule, err := cluster.Simulate(context.Background(), cluster.Config{Procs: 4, Policy: policy}, jobs)
	fmt.Println(schedule.Start, err)
	// Output: [0 22 2 10] <nil>
}
