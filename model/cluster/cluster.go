// Package cluster is one space-shared machine with a queue: rigid jobs, queue orders, backfilling, partitions and advance
// reservations. docs/scheduling.md states what happens in which order; this package does exactly that.
package cluster

import (
	"context"
	"errors"
)

// Job is a rigid parallel job.
type Job struct {
	Submit   int64 // s; not before the submit of the job before it
	Run      int64 // s, at least 1
	Estimate int64 // s of run time that the scheduler is told; 0 or less: Run
	Procs    int32 // at least 1
	Priority int32 // the higher one is ahead under the order priority
}

// Config is a machine and how its queue is worked off.
type Config struct {
	Procs        int32 // of the machine
	Policy       Policy
	Order        Order
	Overrun      Overrun
	Instant      Instant
	Pivot        Pivot
	Partitions   []int64 // ascending boundaries in s between partitions by estimate; none: one partition
	Reservations []Reservation
}

// Reservation is a number of processors set aside for [From, To) seconds.
type Reservation struct {
	From, To int64
	Procs    int32
}

// Schedule is when each job, in the order of the trace, started and ended, in s.
type Schedule struct{ Start, End []int64 }

// Simulate runs the jobs to the last end. It returns an error for a config or job that breaks the rules of
// docs/scheduling.md, and the context's where that ends first.
func Simulate(ctx context.Context, config Config, jobs []Job) (Schedule, error) {
	return Schedule{}, errors.New("not built yet")
}

// Policy is what a pass does; ParsePolicy makes one from its name.
type Policy struct{ name string }

// ParsePolicy understands fcfs, easy, easy:k, easy:all, conservative and conservative:fixed.
func ParsePolicy(name string) (Policy, error) { return Policy{name}, nil }

// Order is how the queue is sorted; ParseOrder makes one from its name. The zero Order is arrival.
type Order struct{ name string }

// ParseOrder understands the names in Orders.
func ParseOrder(name string) (Order, error) { return Order{name}, nil }

// Overrun is what happens to a job at the end of its estimate.
type Overrun uint8

// What happens to a job at the end of its estimate.
const (
	Kill     Overrun = iota // it ends
	RunOn                   // it goes on
	Raise                   // its estimate was raised to its run time
)

// Instant is the order of what happens in one second.
type Instant uint8

// The order of what happens in one second.
const (
	Batch Instant = iota // all ends, all submits, one pass
	Each                 // submits, ends, starts, with a pass after each
)

// Pivot is what becomes of EASY's bookings between passes.
type Pivot uint8

// What becomes of EASY's bookings between passes.
const (
	Replanned Pivot = iota // they are dropped after each pass
	Kept                   // they stay until the job starts or one ahead of it in the queue takes its place
)

// ParseOverrun understands kill, run and raise.
func ParseOverrun(name string) (Overrun, error) { return Kill, nil }

// ParseInstant understands batch and each.
func ParseInstant(name string) (Instant, error) { return Batch, nil }

// ParsePivot understands replanned and kept.
func ParsePivot(name string) (Pivot, error) { return Replanned, nil }
