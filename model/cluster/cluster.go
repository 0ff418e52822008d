// Package cluster is one space-shared machine with a queue: rigid jobs, queue orders, backfilling,
// partitions and advance reservations. Its one idea is that every policy plans on the same
// availability profile and differs only in what a pass does; docs/reference/scheduling.md states
// what happens in which order, and this package does exactly that.
//
// A whole trace goes through [Simulate]:
//
// A driver of several machines makes a [Site] for each and orders the events of a second itself.
// One's own queue order is an [Order] with a score, one's own policy a [Policy] with a pass.
package cluster

import (
	"fmt"
	"slices"
	"strings"

	"gridsweep/model/profile"
)

// Job is a rigid parallel job.
type Job struct {
	Submit    int64 // s; not before the submit of the job before it
	Run       int64 // s, at least 1
	Estimate  int64 // s of run time that the scheduler is told; 0 or less: Run
	Procs     int32 // at least 1
	Priority  int32 // the higher one is ahead under the order priority
	Partition int32 // where it belongs if Config.Shares is given without Config.Boundaries
}

// planned returns the estimate of a job that the scheduler plans with.
func (j *Job) planned(overrun Overrun) int64 {
	if j.Estimate <= 0 || overrun == Raise {
		return max(j.Estimate, j.Run)
	}
	return j.Estimate
}

// Config is a machine and how its queue is worked off. Its zero values are the defaults of
// docs/reference/scheduling.md; Procs and Policy have none.
type Config struct {
	Procs        int32 // of the machine
	Policy       Policy
	Order        Order
	Overrun      Overrun
	Instant      Instant
	Pivot        Pivot
	Placement    Placement
	Boundaries   []int64 // ascending boundaries in s between partitions by estimate; none: one partition
	Shares       []int32 // processors of each partition; none: equal shares, the remainder to the first
	Reservations []Reservation
	// Progress is told now and then how many jobs have ended; nil for nobody. Nothing comes back
	// from it.
	Progress func(ended int)
}

// Reservation is a number of processors set aside for [From, To), in s.
type Reservation struct {
	From, To int64
	Procs    int32
}

// Overrun is what happens to a job at the end of its estimate.
type Overrun uint8

// What happens to a job at the end of its estimate.
const (
	Kill  Overrun = iota // it ends
	RunOn                // it goes on
	Raise                // its estimate was raised to its run time
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

// Placement is when a job gets its processors.
type Placement uint8

// When a job gets its processors.
const (
	Count Placement = iota // when it starts: the plan counts those of a partition
	Fixed                  // when it is booked: particular ones, which it keeps
)

// mostFixed bounds the machines whose plan knows each processor at each time.
const mostFixed = 4096

// shares returns the processors of each partition.
func (c *Config) shares() []int32 {
	if len(c.Shares) > 0 {
		return c.Shares
	}
	n := int32(len(c.Boundaries) + 1)
	shares := make([]int32, n)
	for i := range shares {
		shares[i] = c.Procs / n
	}
	shares[0] += c.Procs % n
	return shares
}

// check returns an error that says what of the config cannot be.
func (c *Config) check() error {
	switch {
	case c.Procs < 1 || c.Procs > profile.MostProcs:
		return fmt.Errorf("the machine has %d processors, want 1 to %d", c.Procs, profile.MostProcs)
	case c.Policy.name == "":
		return fmt.Errorf("no policy is given; known are %s", strings.Join(PolicyNames(), ", "))
	case c.Overrun == RunOn && len(c.Reservations) > 0:
		return fmt.Errorf("jobs that run on cannot honour reservations: with reservations, an overrun is kill or raise")
	case c.Placement == Fixed && c.Procs > mostFixed:
		return fmt.Errorf("the machine has %d processors, fixed placement is for at most %d: each job keeps a list of its own", c.Procs, mostFixed)
	case c.Overrun == RunOn && c.Placement == Fixed:
		return fmt.Errorf("jobs that run on take processors that others were given: with fixed placement, an overrun is kill or raise")
	case !slices.IsSorted(c.Boundaries) || len(slices.Compact(slices.Clone(c.Boundaries))) < len(c.Boundaries) ||
		len(c.Boundaries) > 0 && c.Boundaries[0] < 1:
		return fmt.Errorf("the boundaries of partitions are %v s, want them to rise from 1 s on", c.Boundaries)
	case len(c.Shares) > 0 && len(c.Boundaries) > 0 && len(c.Shares) != len(c.Boundaries)+1:
		return fmt.Errorf("%d boundaries make %d partitions, but there are %d shares", len(c.Boundaries), len(c.Boundaries)+1, len(c.Shares))
	}
	sum := int64(0)
	for i, share := range c.shares() {
		if share < 0 || share == 0 && len(c.Shares) == 0 {
			return fmt.Errorf("partition %d has %d processors: %d are too few for %d partitions", i+1, share, c.Procs, len(c.shares()))
		}
		sum += int64(share)
	}
	if sum != int64(c.Procs) {
		return fmt.Errorf("the shares of the partitions sum to %d processors, the machine has %d", sum, c.Procs)
	}
	return nil
}
