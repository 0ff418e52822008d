// Equivalence classes of waiting jobs.

package retry

import (
	"math"
	"math/bits"
	"sort"

	"gridsweep/model/brokering/pool"
)

// class is an equivalence class of waiting jobs. They differ in their disks alone, and each
// resource fits all of them or none.
type class struct {
	conflicts        conflictSum // of attempts of its jobs
	block            *block
	bit              uint64 // of the class in the block's sets
	minDisk, maxDisk int64  // MB: each job needs at least minDisk and at most maxDisk
	jobs             []job  // in the order of arrival
	// what the jobs have in common: the disk is 0, and the origin anyOrigin where it decides only
	// between equal scores
	pool.Requirement
}

// job is a waiting job.
type job struct {
	number int32
	joined int32 // passes that had ended when it was added to the index; splits and merges keep it
	disk   int64 // MB
}

// before orders the classes of a platform by CPUs, memory, clock, origin and least disk.
func (c *class) before(r *pool.Requirement, disk int64) bool {
	switch {
	case c.Needs.CPUs != r.Needs.CPUs:
		return c.Needs.CPUs < r.Needs.CPUs
	case c.Needs.Memory != r.Needs.Memory:
		return c.Needs.Memory < r.Needs.Memory
	case c.Clock != r.Clock:
		return c.Clock < r.Clock
	case c.Origin != r.Origin:
		return c.Origin < r.Origin
	}
	return c.minDisk < disk
}

// position returns the index of the first job with this number or a higher one.
func (c *class) position(number int32) int {
	return sort.Search(len(c.jobs), func(i int) bool { return c.jobs[i].number >= number })
}

// after returns the first job with a higher number; the highest of all numbers if there is none.
func (c *class) after(number int32) int32 {
	if i := c.position(number + 1); i < len(c.jobs) {
		return c.jobs[i].number
	}
	return math.MaxInt32
}

// spans reports whether a disk is between the least and the most that jobs of the class need.
func (c *class) spans(disk int64) bool { return c.minDisk <= disk && disk <= c.maxDisk }

// fits reports whether a resource fits the jobs.
func (c *class) fits() bool { return c.conflicts.perPass[pool.NoConflict] > 0 }

// index returns the index of the class in its block.
func (c *class) index() int { return bits.TrailingZeros64(c.bit) % 64 }
