// Equivalence classes of waiting jobs.

package retry

import (
	"math"
	"math/bits"
	"sort"

	"gridsweep/model/brokering/pool"
)

// requirements are what the jobs of a class have in common.
type requirements struct {
	platform int32
	origin   int32 // anyOrigin where it decides only between equal scores
	clock    int64 // MHz
	cpus     int64
	memory   int64 // MB
}

// before orders the classes of a platform by CPUs, memory, clock and origin.
func (r *requirements) before(other *requirements) bool {
	switch {
	case r.cpus != other.cpus:
		return r.cpus < other.cpus
	case r.memory != other.memory:
		return r.memory < other.memory
	case r.clock != other.clock:
		return r.clock < other.clock
	}
	return r.origin < other.origin
}

// class is an equivalence class of waiting jobs. They differ in their disks alone, and each
// resource fits all of them or none.
type class struct {
	conflicts        conflictSum // of attempts of its jobs
	block            *block
	bit              uint64 // of the class in the block's sets
	minDisk, maxDisk int64  // MB: each job needs at least minDisk and at most maxDisk
	jobs             []job  // in the order of arrival
	requirements
}

// job is a waiting job.
type job struct {
	number int32
	joined int32 // passes before it was added to the index; a split or merge does not change it
	disk   int64 // MB
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
