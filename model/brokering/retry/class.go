// Equivalence classes of waiting jobs, and the count of the attempts and conflicts of their jobs.

package retry

import (
	"math"
	"math/bits"
	"slices"
	"sort"

	"gridsweep/model/brokering/pool"
)

// requirements are what the jobs of a class have in common.
type requirements struct {
	platform int32
	origin   int32 // none where it decides only between equal scores
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
//
// Conflicts are counted when one changes, not pass by pass. After n passes, a job that has been in
// the class from the first one has met past + n · now conflicts. When a job joins, this sum is
// subtracted from its tally. When the job leaves, the sum at that time is added.
//
// Example: now is 3 conflicts and past is 0. A job joins after 10 passes, which subtracts 30. After
// 20 passes a resource is released: now becomes 2, and past becomes 20 · 1 = 20, so that the sum
// stays 60. The job leaves after 25 passes, which adds 20 + 25 · 2 = 70. It has met 70 − 30 = 40:
// 3 in each of 10 passes and 2 in each of 5.
type class struct {
	now              pool.Counts // conflicts of an attempt now
	past             pool.Counts // conflicts of all n passes, less n · now
	block            *block
	bit              uint64 // of the class in the block's sets
	minDisk, maxDisk int64  // MB: each job needs at least minDisk and at most maxDisk
	jobs             []job  // in the order of arrival
	requirements
}

// job is a waiting job.
type job struct {
	number int32
	joined int32 // first pass that tries it
	disk   int64 // MB
}

// search returns the index of the first job with this number or a higher one.
func (c *class) search(number int32) int {
	return sort.Search(len(c.jobs), func(i int) bool { return c.jobs[i].number >= number })
}

// after returns the first job with a higher number; the highest of all numbers if there is none.
func (c *class) after(number int32) int32 {
	if i := c.search(number + 1); i < len(c.jobs) {
		return c.jobs[i].number
	}
	return math.MaxInt32
}

// spans reports whether a disk is between the least and the most that jobs of the class need.
func (c *class) spans(disk int64) bool { return c.minDisk <= disk && disk <= c.maxDisk }

// index returns the index of the class in its block.
func (c *class) index() int { return bits.TrailingZeros64(c.bit) % 64 }

// begun returns how many passes have begun.
func (x *Index) begun() int64 {
	if x.tried == none {
		return x.passes
	}
	return x.passes + 1
}

// count changes the conflict of some classes of a block with a resource. In the middle of a pass
// the jobs that have been tried met the conflict before the change, and the class counts this one
// for the pass. A job that is still to be tried gets the difference in its tally.
func (x *Index) count(b *block, classes uint64, before, now pool.Conflict) {
	before, now = before&pool.NoConflict, now&pool.NoConflict // so that no bounds are checked below
	for left := classes; left != 0; left &= left - 1 {
		c, passes := b.first(left), x.passes
		if x.tried != none && c.jobs[0].number <= x.tried {
			passes++
			for i := c.search(x.tried + 1); i < len(c.jobs); i++ {
				x.Tallies[c.jobs[i].number].Conflicts.Move(before, now)
			}
		}
		c.now.Move(before, now)
		c.past[before] += passes
		c.past[now] -= passes
	}
	if before == pool.NoConflict {
		b.dropFit(classes)
	}
	if now == pool.NoConflict {
		b.addFit(classes)
	}
}

// met returns the conflicts by now of a job that has been in the class since the first pass.
func (x *Index) met(c *class) pool.Counts {
	met := c.past
	met.Add(&c.now, x.begun())
	return met
}

// join appends a job to a class.
func (x *Index) join(c *class, number int32, disk int64) {
	met := x.met(c)
	x.Tallies[number].Conflicts.Add(&met, -1)
	c.jobs = append(c.jobs, job{number, int32(x.passes), disk})
	x.classOf[number] = c
}

// leave removes a job from its class and adds its attempts and conflicts to its tally.
func (x *Index) leave(c *class, number int32) {
	i := c.search(number)
	x.Tallies[number].Include(&pool.Tally{Attempts: x.begun() - int64(c.jobs[i].joined), Conflicts: x.met(c)})
	x.classOf[number] = nil
	if i == 0 { // mostly
		c.jobs = c.jobs[1:]
	} else {
		c.jobs = slices.Delete(c.jobs, i, i+1)
	}
}
