// Package cluster simulates a space-shared machine with a queue: rigid jobs, queue orders,
// backfilling, partitions and advance reservations. Its one idea is that all policies plan on the
// same availability profile and differ only in what a pass does. docs/reference/scheduling.md
// defines what happens in which order.
//
// [Simulate] processes a whole trace. A driver of several machines makes a [Site] for each and
// orders the events of a second itself. A queue order of your own is an [Order] with a score, a
// policy of your own a [Scheduler].
package cluster

import (
	"fmt"
	"slices"
	"strings"

	"gridsweep/model/profile"
)

// Job is a rigid parallel job.
type Job struct {
	Submit    int64 // s; not before the submit of the previous job
	Run       int64 // s, at least 1
	Estimate  int64 // of the run time, in s: what the scheduler plans with; 0 or less: Run
	Procs     int32 // at least 1
	Priority  int32 // jobs of higher priority are ahead under the order priority
	Partition int32 // used where Config.Shares is set and Config.Boundaries is not
	User      int32 // for predictions of easy++ and shares of multifactor; below 0 if unknown
}

// planned returns the estimate that the scheduler plans with.
func (j *Job) planned(overrun Overrun) int64 {
	if j.Estimate <= 0 || overrun == Raise {
		return max(j.Estimate, j.Run)
	}
	return j.Estimate
}

// Config is a machine with its policy and rules. Zero values are the defaults of
// docs/reference/scheduling.md; Procs and Policy have none.
type Config struct {
	Procs     int32 // of the machine
	Policy    Policy
	Order     Order
	Overrun   Overrun
	Instant   Instant
	Pivot     Pivot
	Placement Placement
	// Boundaries of partitions by estimate, in s, ascending; none: jobs name their partitions.
	Boundaries []int64
	// Shares are the processors of each partition; none: equal ones, the remainder to the first.
	Shares       []int32
	Reservations []Reservation
	// Progress, if not nil, is called from time to time with the number of jobs that have ended.
	Progress func(ended int)
}

// Reservation is a number of processors set aside for [From, To), in s.
type Reservation struct {
	From, To int64
	Procs    int32
}

// Overrun is what happens to a job that reaches its estimate.
type Overrun uint8

const (
	Kill  Overrun = iota // it ends
	RunOn                // it runs on
	// never happens: estimates below the run time are raised to it at the submit
	Raise
)

// Instant is the order of events within one second.
type Instant uint8

const (
	Batch Instant = iota // all ends, all submits, one pass
	Each                 // a pass after each submit, then each end, then one for what else is due
)

// Pivot is what happens to EASY's bookings between passes.
type Pivot uint8

const (
	Replanned Pivot = iota // they are dropped after each pass
	// they stay until the job starts or a job ahead of it becomes pivot instead
	Kept
)

// Placement is when a job gets its processors.
type Placement uint8

const (
	Count Placement = iota // at its start: the plan counts free processors
	Fixed                  // at its booking: particular processors, which it keeps
)

// maxFixedProcs bounds machines under Fixed, whose plan holds a set of processors for each step.
const maxFixedProcs = 4096

func (c *Config) shares() []int32 {
	if len(c.Shares) > 0 {
		return slices.Clone(c.Shares)
	}
	n := len(c.Boundaries) + 1
	shares := slices.Repeat([]int32{c.Procs / int32(n)}, n)
	shares[0] += c.Procs % int32(n)
	return shares
}

// check returns an error that names the first rule that the config breaks.
func (c *Config) check() error {
	switch {
	case c.Procs < 1 || c.Procs > profile.MostProcs:
		return fmt.Errorf("the machine has %d processors, want 1 to %d", c.Procs, profile.MostProcs)
	case c.Policy.name == "":
		return fmt.Errorf("there is no policy; known are %s", strings.Join(PolicyNames(), ", "))
	case c.Overrun == RunOn && len(c.Reservations) > 0:
		return fmt.Errorf("jobs that run on cannot honour reservations: with reservations, an overrun is kill or raise")
	case c.Placement == Fixed && c.Procs > maxFixedProcs:
		return fmt.Errorf("the machine has %d processors, fixed placement allows at most %d", c.Procs, maxFixedProcs)
	case c.Overrun == RunOn && c.Placement == Fixed:
		return fmt.Errorf("jobs that run on hold processors of other jobs: with fixed placement, an overrun is kill or raise")
	case c.Order.Score == nil && len(c.Order.Then) > 0:
		return fmt.Errorf("the first key of the queue order has no score, want one before %d further keys", len(c.Order.Then))
	}
	if err := c.checkPartitions(); err != nil {
		return err
	}
	return c.CheckPolicy()
}

// CheckPolicy returns an error unless the policy works under the other rules. It needs no Procs.
func (c *Config) CheckPolicy() error {
	p := c.Policy
	if p.check != nil {
		if err := p.check(c); err != nil {
			return err
		}
	}
	switch partitions := len(c.shares()); {
	case p.needs&noReservations != 0 && len(c.Reservations) > 0:
		return fmt.Errorf("policy %s cannot plan around reservations: use sjbf or easy", p)
	case p.needs&endInTime != 0 && c.Overrun == RunOn:
		return fmt.Errorf("jobs that run on cannot honour the bookings of policy %s: an overrun is kill or raise", p)
	case p.needs&noOrder != 0 && c.Order.Score != nil:
		return fmt.Errorf("policy %s orders the queue itself: it needs the order arrival, not %s", p, c.Order.Name)
	case p.needs&oneProfile != 0 && partitions > 1:
		return fmt.Errorf("policy %s has one partition, not %d: several need fcfs, easy or conservative", p, partitions)
	case p.needs&oneProfile != 0 && c.Placement == Fixed:
		return fmt.Errorf("policy %s counts processors: its placement is count", p)
	case p.needs&newPivot != 0 && c.Pivot == Kept:
		return fmt.Errorf("policy %s plans its pivot anew in each pass: its pivot is replanned", p)
	}
	return nil
}

// checkPartitions returns an error unless boundaries and shares divide the machine into partitions.
func (c *Config) checkPartitions() error {
	for i, boundary := range c.Boundaries {
		if boundary < 1 || i > 0 && boundary <= c.Boundaries[i-1] {
			return fmt.Errorf("the boundaries of partitions are %v s, want them to rise from 1 s on", c.Boundaries)
		}
	}
	partitions := len(c.Boundaries) + 1
	if len(c.Shares) > 0 && len(c.Boundaries) > 0 && len(c.Shares) != partitions {
		return fmt.Errorf("%d boundaries make %d partitions, but there are %d shares",
			len(c.Boundaries), partitions, len(c.Shares))
	}
	sum := int64(0)
	for i, share := range c.shares() {
		if share < 0 || share == 0 && len(c.Shares) == 0 { // in Shares 0 is valid
			return fmt.Errorf("partition %d has %d processors: the machine has %d for %d partitions",
				i+1, share, c.Procs, len(c.shares()))
		}
		sum += int64(share)
	}
	if sum != int64(c.Procs) {
		return fmt.Errorf("the shares of the partitions sum to %d processors, the machine has %d", sum, c.Procs)
	}
	return nil
}
